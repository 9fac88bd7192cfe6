package world_test

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"chronoscope/coordinator"
	"chronoscope/loop"
	"chronoscope/routes"
	"chronoscope/world"
)

func TestSetTuningRefuses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := open(t, options(1, 0))
		was := b.Tuning()
		if p := b.Params(); was.WakeRadius != p.WakeRadius || was.SleepRadius != p.SleepRadius ||
			was.WakeHysteresis != p.WakeHysteresis || was.MinResidence != p.MinResidence || was.ActiveBudget != 0 {
			t.Errorf("it begins as %+v", was)
		}
		for _, tc := range []struct {
			field  string
			change func(*world.Tuning)
		}{
			{"wake-radius 0", func(t *world.Tuning) { t.WakeRadius = 0 }},
			{"wake-radius 4097", func(t *world.Tuning) { t.WakeRadius, t.SleepRadius = 4097, 4097 }},
			{"sleep-radius 5", func(t *world.Tuning) { t.SleepRadius = 5 }},
			{"sleep-radius 4097", func(t *world.Tuning) { t.SleepRadius = 4097 }},
			{"wake-hysteresis 1000001", func(t *world.Tuning) { t.WakeHysteresis = world.MaxWakeHysteresis + 1 }},
			{"min-residence 1000001", func(t *world.Tuning) { t.MinResidence = world.MaxMinResidence + 1 }},
			{"active-budget -1", func(t *world.Tuning) { t.ActiveBudget = -1 }},
			{"active-budget 2000001", func(t *world.Tuning) { t.ActiveBudget = world.MaxActiveBudget + 1 }},
			{"ai-work -1", func(t *world.Tuning) { t.AIWork = -1 }},
		} {
			next := was
			tc.change(&next)
			if err := b.SetTuning(next); err == nil || !strings.Contains(err.Error(), tc.field) || !strings.Contains(err.Error(), "accepted are") {
				t.Errorf("%s: %v", tc.field, err)
			}
			if b.Tuning() != was {
				t.Errorf("%s changed the tuning", tc.field)
			}
		}
		if err := b.SetTuning(was); err != nil {
			t.Error(err)
		}
		b.close()
		if err := b.SetTuning(was); !errors.Is(err, world.ErrStopped) {
			t.Errorf("after the end: %v", err)
		}
	})
}

// TestTuningChangesNothing changes every field at random moments of a run, and
// moves a camera: who is simulated closely changes all the time, and the
// digests are those of a run in which nobody is.
func TestTuningChangesNothing(t *testing.T) {
	const npcs, last = 60, 2 * loop.TicksPerHour
	base := options(npcs, last)
	base.Life = world.LifeRush
	plain := run(t, base)
	for seed := range uint64(3) {
		synctest.Test(t, func(t *testing.T) {
			o := base
			o.Coordinator.MaxSpeed = false
			o.Coordinator.Pacing.TickRate = loop.Hz(240)
			o.Coordinator.Pacing.Wait = coordinator.Gate
			o.WanderingVisitors, o.Pins = 2, []routes.ZoneKey{{X: 3, Y: 3}}
			b := open(t, o)
			random := rand.New(rand.NewPCG(seed, 8))
			most, detailed := int64(0), int64(0)
			for changing := true; changing; {
				select {
				case <-b.Done():
					changing = false
				case <-time.After(time.Duration(1 + random.Int64N(int64(100*time.Millisecond)))):
				}
				next := b.Tuning()
				switch random.IntN(7) {
				case 0:
					next.WakeRadius = 1 + random.Int32N(20)
					next.SleepRadius = max(next.SleepRadius, next.WakeRadius)
				case 1:
					next.SleepRadius = next.WakeRadius + random.Int32N(20)
				case 2:
					next.WakeHysteresis = loop.Tick(random.IntN(200))
				case 3:
					next.MinResidence = loop.Tick(random.IntN(200))
				case 4:
					next.AIWork = random.IntN(100)
				case 5:
					next.ActiveBudget = random.IntN(12)
				case 6:
					c := routes.Cell{X: random.Int32N(80) - 10, Y: random.Int32N(80) - 10}
					area := &world.Area{Lo: c, Hi: routes.Cell{X: c.X + random.Int32N(30), Y: c.Y + random.Int32N(30)}}
					if random.IntN(4) == 0 {
						area = nil
					}
					must(t, b.SetCamera(area))
				}
				must(t, b.SetTuning(next))
				if b.Tuning() != next {
					t.Error("the tuning is another than the one set")
				}
				s := b.Stats()
				most, detailed = max(most, s.Active), max(detailed, s.Detailed)
			}
			b.settle(t)
			r := b.close()
			r.sound(t)
			same(t, "tuned", plain, r)
			if s := r.stats; most < 10 || detailed < 5 || s.Activated < 200 || s.Activations < 100 {
				t.Errorf("too little happened: %d active at most, %d detailed, %d activated, %d activations",
					most, detailed, s.Activated, s.Activations)
			}
		})
	}
}

// TestRadiiWhilePaused has zones follow the radii at once, though no tick is
// released, and characters the hysteresis from their next tick on.
func TestRadiiWhilePaused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const side = 4
		o := shortMemory(40, 100, 2)
		o.Map, o.ZoneSide, o.WakeRadius, o.SleepRadius = corridor(), side, 1, 1
		o.Visitors = []world.Visitor{{Track: []routes.Cell{{X: 201, Y: 3}}}}
		b := halted(t, o)
		b.settle(t)
		count := func(wake, sleep int32, want int) {
			t.Helper()
			next := b.Tuning()
			next.WakeRadius, next.SleepRadius = wake, sleep
			must(t, b.SetTuning(next))
			b.settle(t)
			columns := map[int32]bool{}
			for _, z := range b.Zones(nil) {
				columns[z.Zone.X] = true
				if !z.Near || z.Pinned || z.Camera {
					t.Errorf("why %+v is active", z)
				}
			}
			if len(columns) != want || len(columns) != b.Stats().ZonesActive/2 {
				t.Fatalf("radii %d and %d: %d columns of zones, want %d, of %d zones", wake, sleep, len(columns), want, b.Stats().ZonesActive)
			}
		}
		count(2, 2, 2)    // 1.5 cells to the west border, 2.5 to the east one
		count(20, 30, 11) // 201.5 +- 20
		count(2, 30, 11)  // they stay
		count(2, 9, 5)
		if n := b.Coordinator().Global(); n != 0 {
			t.Fatalf("%d ticks were released", n)
		}
		active := b.Stats().Active
		next := b.Tuning()
		next.WakeRadius, next.SleepRadius = 1, 1
		must(t, b.SetTuning(next))
		b.pass(t, 50)
		if got := b.Stats().Active; got != active || active == 0 {
			t.Errorf("%d of %d are active for the hysteresis", got, active)
		}
		next.WakeHysteresis = 10
		must(t, b.SetTuning(next))
		b.pass(t, 2)
		in := 0
		for _, m := range b.living() {
			if b.ZoneActive(routes.ZoneAt(m.Leg.At(52), side)) {
				in++
			}
		}
		if got := b.Stats().Active; got != int64(in) {
			t.Errorf("%d are active after a shorter one, %d of them inside", got, in)
		}
		b.close().sound(t)
	})
}
