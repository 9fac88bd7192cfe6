package world_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"chronoscope/coordinator"
	"chronoscope/loop"
	"chronoscope/routes"
	"chronoscope/world"
)

// TestBudget has far more characters in active zones than may be active: there
// are never more active ones than the budget, the places are taken, nobody is
// lost, and the digests are those of a run in which nobody is ever active.
func TestBudget(t *testing.T) {
	npcs, last := 1000, world.RushAt+10*loop.TicksPerMinute
	if world.RaceEnabled {
		npcs = 200
	}
	base := options(npcs, last)
	base.Life = world.LifeRush
	base.Coordinator.Pacing.Wait = coordinator.Gate
	plain := run(t, base)
	plain.sound(t)
	for _, budget := range []int{0, 1, 10} {
		t.Run(fmt.Sprint(budget), func(t *testing.T) {
			o := base
			o.ActiveBudget, o.WanderingVisitors = budget, 2
			o.WakeHysteresis, o.MinResidence = 10, 5
			for i, z := range everyZone(o) {
				if i%3 > 0 {
					o.Pins = append(o.Pins, z)
				}
			}
			synctest.Test(t, func(t *testing.T) {
				b := open(t, o)
				most, detailed, marks := int64(0), int64(0), []world.Mark(nil)
				for running := true; running; {
					select {
					case <-b.Done():
						running = false
					case <-time.After(7 * time.Millisecond):
					}
					s := b.Stats()
					most, detailed = max(most, s.Active), max(detailed, s.Detailed)
					active := 0
					marks = b.Visible(routes.Cell{}, routes.Cell{X: 63, Y: 63}, marks[:0])
					for _, m := range marks {
						if m.Mode == world.Active {
							active++
							if m.Detailed {
								t.Errorf("character %d is active and on a detailed schedule", m.Spawn)
							}
						}
					}
					if budget > 0 && (active > budget || s.Coordinator.Members > budget+3) {
						t.Fatalf("tick %d: %d active, %d members of the coordinator", s.Tick, active, s.Coordinator.Members)
					}
				}
				r := b.close()
				r.sound(t)
				same(t, "budget", plain, r)
				s := r.stats
				switch {
				case budget == 0 && (detailed > 0 || most < int64(npcs)/3):
					t.Errorf("without a limit: %d detailed, %d active at most", detailed, most)
				case budget > 0 && (most != int64(budget) || detailed < int64(npcs)/3 || s.Detailed > s.Sleeping):
					t.Errorf("%d active at most, %d detailed at most, %d of %d sleepers in the end", most, detailed, s.Detailed, s.Sleeping)
				}
			})
		})
	}
}

// TestDetailedSchedule looks at characters on their way through zones that are
// all active, but for whom there is no place: at every tick the word they
// publish is that of the border they passed last.
func TestDetailedSchedule(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := shortMemory(8, 2, 2)
		o.Map, o.ZoneSide, o.Life, o.ActiveBudget = corridor(), 4, world.LifeRush, 1
		for x := range int32(104) {
			o.Pins = append(o.Pins, routes.ZoneKey{X: x}, routes.ZoneKey{X: x, Y: 1})
		}
		b := halted(t, o)
		b.pass(t, world.RushAt-2)
		borders := 0
		words := map[uint64]world.Border{}
		for range 3 * loop.TicksPerMinute {
			b.pass(t, 1)
			now := b.Coordinator().Global()
			s := b.Stats()
			if s.Active != 1 || s.Detailed != 7 || s.Sleeping != 7 {
				t.Fatalf("tick %d: %d active, %d detailed of %d sleeping", now, s.Active, s.Detailed, s.Sleeping)
			}
			for spawn := range b.living() {
				d, _ := b.Inspect(spawn)
				if d.Mode == world.Active {
					if d.Detailed || d.Border != (world.Border{}) {
						t.Fatalf("tick %d: the active one has %+v", now, d.Border)
					}
					continue
				}
				want := world.Border{Next: loop.MaxTick}
				for _, p := range d.Leg.View(nil) {
					switch {
					case p.Enter == p.Exit:
					case p.Enter <= now:
						want.Tick = p.Enter
					case want.Next == loop.MaxTick:
						want.Next = p.Enter
					}
				}
				want.Pos = d.Leg.At(want.Tick)
				if !d.Detailed || d.Border != want {
					t.Fatalf("tick %d: character %d says %+v, want %+v", now, spawn, d.Border, want)
				}
				if old := words[spawn]; old != want && want.Tick > d.Leg.Start {
					borders++
				}
				words[spawn] = want
			}
		}
		if borders < 30 {
			t.Errorf("only %d borders were passed", borders)
		}
		if st := b.Stats(); st.Stale > 5 {
			t.Errorf("%d of %d wakes were stale", st.Stale, st.Wakes)
		}
		b.close().sound(t)
	})
}

// TestBudgetChangesLive raises, lowers and lifts the budget of people who stay
// at home, while the world stands and while it goes on.
func TestBudgetChangesLive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const npcs, residence = 60, 20
		o := shortMemory(npcs, 2, residence)
		o.Life, o.ActiveBudget, o.Pins = world.LifeNight, 10, everyZone(o)
		b := halted(t, o)
		expect := func(what string, active, detailed int64) {
			t.Helper()
			if s := b.Stats(); s.Active != active || s.Detailed != detailed || s.Sleeping != npcs-int64(s.Ended)-active {
				t.Fatalf("%s: %d active, %d detailed, %d asleep; want %d and %d", what, s.Active, s.Detailed, s.Sleeping, active, detailed)
			}
		}
		budget := func(n int) {
			t.Helper()
			next := b.Tuning()
			next.ActiveBudget = n
			must(t, b.SetTuning(next))
			b.settle(t)
		}
		b.settle(t)
		expect("at first", 10, 50)
		budget(25)
		expect("raised", 25, 35)
		b.pass(t, 5)
		budget(7)
		expect("lowered", 25, 35)
		b.pass(t, residence)
		expect("after the residence", 7, 53)
		budget(0)
		expect("lifted", npcs, 0)
		budget(1)
		b.pass(t, residence)
		expect("one", 1, npcs-1)
		b.pass(t, 200)
		expect("one, later", 1, npcs-1)
		if n := b.Coordinator().Global(); n != 5+residence+residence+200 {
			t.Errorf("tick %d", n)
		}

		// Whoever leaves makes room for one who waits.
		for round := range 5 {
			for spawn, m := range b.living() {
				if m.Mode == world.Active {
					must(t, b.End(spawn))
				}
			}
			b.pass(t, 3)
			expect(fmt.Sprintf("round %d", round), 1, int64(npcs-2-round))
		}

		// A zone that falls asleep takes its detailed schedules with it.
		zs := everyZone(o)
		b.pin(t, false, zs...)
		b.settle(t)
		expect("unpinned", 1, 0)
		b.pass(t, residence+5)
		expect("a little later", 0, 0)
		b.pin(t, true, zs...)
		b.settle(t)
		expect("pinned again", 1, npcs-6)
		b.close().sound(t)
	})
}
