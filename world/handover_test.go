package world_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"chronoscope/coordinator"
	"chronoscope/loop"
	"chronoscope/routes"
	"chronoscope/world"
)

// Handing characters over between asleep and awake is where systems of this
// kind lose them. What can go wrong, and what shows that it doesn't:
//
//	a second copy after leaving and coming back     TestLeaveAndComeBack
//	arrived out of sight: unseen, busy for ever     TestArrivalAndActivationInOneTick
//	walks only while somebody is near               TestLegsFollowTheSchedule, TestEqualDigests
//	made where nothing is active, never ticked      TestZoneAndLegInEitherOrder, TestSpawnedIntoAnActiveZone, TestLegIntoActiveZone
//	counted active, yet not ticked                  TestWokenWhileFallingAsleep, TestNoticeWhileFallingAsleep
//	gone after a long jump of the viewer            TestViewerJumps, TestVisible
//	given an order asleep, stuck when woken         TestOrderToASleeperThatIsWoken, TestOrdersToACrowdThatIsWoken, TestCommandsChangeTheSame
//	timers that stop while nobody looks             TestLegsFollowTheSchedule
//	left one radius, not the other: stuck           TestBetweenTheRadii
//	a spike when a crowd is woken                   TestCrowdIsWoken

// TestLeaveAndComeBack wakes a zone and lets it sleep 1,000 times, at random
// moments: nobody is lost or doubled, in the population, in the ledger of
// lives, in the zone index or on the screen.
func TestLeaveAndComeBack(t *testing.T) {
	const rounds, npcs = 1000, 40
	synctest.Test(t, func(t *testing.T) {
		o := shortMemory(npcs, 3, 2)
		o.Coordinator.MaxSpeed = false
		o.Coordinator.Pacing.TickRate = loop.Hz(240)
		b := open(t, o)
		// The zone where most live: they leave it, and come home, meanwhile.
		homes := map[routes.ZoneKey]int{}
		var z routes.ZoneKey
		for _, m := range b.living() {
			home := routes.ZoneAt(m.Leg.Place(), o.ZoneSide)
			if homes[home]++; homes[home] > homes[z] {
				z = home
			}
		}
		random := rand.New(rand.NewPCG(1, 1))
		for round := range rounds {
			for _, on := range []bool{true, false} {
				b.pin(t, on, z)
				time.Sleep(time.Duration(1 + random.Int64N(int64(40*time.Millisecond))))
				synctest.Wait()
				if s := b.Stats(); int64(s.Spawned-s.Ended) != s.Active+s.Sleeping+s.Waking || s.Spawned != npcs {
					t.Fatalf("round %d: %d spawned, %d ended, %d active, %d asleep, %d waking",
						round, s.Spawned, s.Ended, s.Active, s.Sleeping, s.Waking)
				}
				if round%4 == 0 {
					b.drawnOnce(t)
				}
			}
		}
		must(t, b.Coordinator().Pause())
		b.settle(t)
		b.drawnOnce(t)
		touched := 0
		for _, m := range b.living() {
			touched += len(m.Leg.AppendZones(nil))
		}
		r := b.close()
		r.sound(t)
		s := r.stats
		if s.Activations != rounds || s.Deactivations != rounds || s.Activated < rounds/2 {
			t.Errorf("%d activations, %d deactivations, %d characters woken", s.Activations, s.Deactivations, s.Activated)
		}
		if s.Index.Entries != touched {
			t.Errorf("%d entries in the zone index, the legs under way touch %d zones", s.Index.Entries, touched)
		}
	})
}

// TestArrivalAndActivationInOneTick has the zone in which a leg ends wake just
// before, in the very moment and just after: whoever arrives is visible there,
// active, and on its next leg, which begins at the tick at which this one ends.
func TestArrivalAndActivationInOneTick(t *testing.T) {
	const npcs, until = 12, 4 * loop.TicksPerHour
	play := func(t *testing.T, order string) (r result) {
		synctest.Test(t, func(t *testing.T) {
			o := shortMemory(npcs, 2, 2)
			o.Life = world.LifeRush
			b := halted(t, o)
			c := b.Coordinator()
			kinds := map[routes.LegKind]int{}
			for {
				end := loop.MaxTick
				before := b.living()
				for _, m := range before {
					end = min(end, m.Leg.End)
				}
				if end > until {
					break
				}
				if end > c.Global()+1 {
					b.pass(t, end-1-c.Global())
				}
				before = b.living()
				var arriving []uint64
				var zs []routes.ZoneKey
				for spawn, m := range before {
					if m.Leg.End == end {
						arriving = append(arriving, spawn)
						zs = append(zs, routes.ZoneAt(m.Leg.Place(), o.ZoneSide))
						kinds[m.Leg.Kind]++
					}
				}
				switch order {
				case "the zone first":
					b.pin(t, true, zs...)
					b.pass(t, 1)
				case "at once":
					b.release(t, 1)
					b.pin(t, true, zs...)
					b.settle(t)
				case "the arrival first":
					b.pass(t, 1)
					b.pin(t, true, zs...)
					b.settle(t)
				default:
					b.pass(t, 1)
				}
				for i, spawn := range arriving {
					d, ok := b.Inspect(spawn)
					old := before[spawn].Leg
					if !ok || d.Leg.Start != end || d.Leg.Number != old.Number+1 || d.Leg.At(end) != old.Place() {
						t.Fatalf("tick %d: character %d is on leg %d from %d, after leg %d until %d", end, spawn, d.Leg.Number, d.Leg.Start, old.Number, old.End)
					}
					if !slices.Contains(b.drawn(zs[i], zs[i]), spawn) {
						t.Fatalf("tick %d: character %d has arrived and isn't to be seen", end, spawn)
					}
					if order != "" && (d.Mode != world.Active || d.Completed != end) {
						t.Fatalf("tick %d: character %d is %v at %d", end, spawn, d.Mode, d.Completed)
					}
				}
				b.pin(t, false, zs...)
				b.pass(t, 5)
			}
			if order != "" && (kinds[routes.Stay] < npcs || kinds[routes.Route] < npcs) {
				t.Errorf("too few arrivals to tell: %v", kinds)
			}
			r = b.close()
			r.sound(t)
		})
		return r
	}
	plain := play(t, "")
	for _, order := range []string{"the zone first", "at once", "the arrival first"} {
		t.Run(order, func(t *testing.T) { same(t, order, plain, play(t, order)) })
	}
}

// TestZoneAndLegInEitherOrder wakes each zone on a way at every moment that
// could matter: long before the leg is published, with it, before, at and after
// its enter and exit. Whoever is inside an active zone is active, at every tick.
func TestZoneAndLegInEitherOrder(t *testing.T) {
	o := shortMemory(1, 3, 4)
	o.Life, o.ZoneSide = world.LifeRush, 4
	// The first way of a life, as seen in one without zones.
	first := func(t *testing.T, spawned bool) (way *routes.Leg) {
		synctest.Test(t, func(t *testing.T) {
			b := halted(t, o)
			spawn := uint64(1)
			if spawned {
				spawn = 2
				b.pass(t, 300)
				b.spawn(t, 1)
			}
			b.pass(t, world.RushAt+loop.Tick(spawn)-b.Coordinator().Global())
			d, _ := b.Inspect(spawn)
			way = d.Leg
			b.close()
		})
		if way.Kind != routes.Route {
			t.Fatalf("at tick %d there is no way yet", way.Start)
		}
		return way
	}
	for _, spawned := range []bool{false, true} {
		t.Run(fmt.Sprintf("spawned %v", spawned), func(t *testing.T) {
			way := first(t, spawned)
			passages := way.View(nil)
			inner := 0
			for _, p := range passages {
				if p.Enter == p.Exit {
					continue
				}
				moments := []loop.Tick{way.Start - 9, way.Start - 1, way.Start}
				for _, around := range []loop.Tick{p.Enter, p.Exit} {
					moments = append(moments, around-1, around, around+1)
				}
				slices.Sort(moments)
				for _, moment := range slices.Compact(moments) {
					if p.Enter > way.Start {
						inner++
					}
					synctest.Test(t, func(t *testing.T) {
						b := halted(t, o)
						if spawned {
							b.pass(t, 300)
							b.spawn(t, 1)
						}
						g := newOracle(b)
						b.pass(t, moment-b.Coordinator().Global())
						g.change(t, func() { b.pin(t, true, p.Zone) })
						// From here on tick by tick, past the end of the way.
						g.ticks(t, max(p.Exit, moment)+9-moment)
						b.close().sound(t)
					})
				}
			}
			if inner < 20 {
				t.Errorf("the way is too short to tell: %v", passages)
			}
		})
	}
}

// TestSpawnedIntoAnActiveZone spawns characters while zones are active, in some
// of which they are born, and in others to which they go later.
func TestSpawnedIntoAnActiveZone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := shortMemory(1, 3, 4)
		o.Life = world.LifeRush
		for i, z := range everyZone(o) {
			if i%3 > 0 {
				o.Pins = append(o.Pins, z)
			}
		}
		b := halted(t, o)
		g := newOracle(b)
		b.pass(t, world.RushAt-20)
		g.change(t, func() {})
		for range 4 {
			g.change(t, func() { b.spawn(t, 10) })
			g.ticks(t, 40)
		}
		active := b.Stats().Active
		g.ticks(t, 100)
		b.close().sound(t)
		if active < 10 || g.changes < int(active)+20 {
			t.Errorf("%d active, %d changes of mode", active, g.changes)
		}
	})
}

// TestWokenWhileFallingAsleep takes the pin of a zone away and puts it back
// around the tick at which its people fall asleep, before, with and after it:
// in an active zone everyone is active, and runs every tick.
func TestWokenWhileFallingAsleep(t *testing.T) {
	for _, tc := range []struct{ hysteresis, residence loop.Tick }{{0, 0}, {0, 4}, {3, 0}, {4, 7}} {
		t.Run(fmt.Sprintf("%d and %d", tc.hysteresis, tc.residence), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				o := shortMemory(16, tc.hysteresis, tc.residence)
				o.Life = world.LifeNight
				// A tick takes a while after the look at the zones, so that a pin
				// comes between that and falling asleep.
				o.Stalls = world.Stalls{Every: 1, For: 2 * time.Millisecond, In: world.StallActive}
				b := halted(t, o)
				c := b.Coordinator()
				zs := b.homes()
				ticked := func(what string, after loop.Tick) {
					t.Helper()
					for spawn, m := range b.living() {
						if m.Mode != world.Active || m.Completed != c.Global() {
							t.Fatalf("%s %d ticks after the pin was gone: character %d is %v at %d, the world at %d",
								what, after, spawn, m.Mode, m.Completed, c.Global())
						}
					}
				}
				slept := uint64(0)
				for after := range max(tc.hysteresis, tc.residence) + 4 {
					for what, again := range map[string]func(){
						"pinned before": func() { b.pin(t, true, zs...); b.pass(t, 1) },
						"pinned with":   func() { b.release(t, 1); b.pin(t, true, zs...); b.settle(t) },
						"pinned after":  func() { b.pass(t, 1); b.pin(t, true, zs...); b.settle(t) },
						"pinned while": func() {
							var wg sync.WaitGroup
							for _, z := range zs {
								wg.Go(func() { b.pin(t, true, z) })
							}
							must(t, c.Step(1))
							wg.Wait()
							time.Sleep(time.Millisecond)
							b.settle(t)
						},
					} {
						for range 4 {
							b.pin(t, true, zs...)
							b.pass(t, 2)
							before := b.Stats().Deactivated
							b.pin(t, false, zs...)
							b.pass(t, after)
							again()
							ticked(what, after)
							b.pass(t, 1)
							ticked(what, after)
							slept = max(slept, b.Stats().Deactivated-before)
						}
					}
				}
				r := b.close()
				r.sound(t)
				if slept != 16 {
					t.Errorf("at most %d fell asleep", slept)
				}
			})
		})
	}
}

// TestViewerJumps has what is watched jump across more than 100 zones within a
// tick, time and again: at the new place a viewer gets exactly those who stand
// there, and they are active.
func TestViewerJumps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := shortMemory(100, 2, 2)
		o.Map, o.ZoneSide, o.Life = corridor(), 2, world.LifeRush
		b := halted(t, o)
		b.pass(t, world.RushAt+100) // everyone is on the way
		random := rand.New(rand.NewPCG(6, 6))
		last := routes.ZoneKey{X: o.Map.Width/o.ZoneSide - 1, Y: o.Map.Height/o.ZoneSide - 1}
		var old []routes.ZoneKey
		left, seen, moving := true, 0, 0
		for jump := range 120 {
			lo := routes.ZoneKey{X: random.Int32N(30)}
			if left = !left; left {
				lo.X += 130
			}
			hi := routes.ZoneKey{X: lo.X + 40, Y: last.Y}
			var zs []routes.ZoneKey
			for x := lo.X; x <= hi.X; x += 10 {
				for y := lo.Y; y <= hi.Y; y++ {
					zs = append(zs, routes.ZoneKey{X: x, Y: y})
				}
			}
			exact := func() []uint64 {
				t.Helper()
				synctest.Wait()
				got, want := b.drawn(lo, hi), b.inZones(lo, hi)
				if !slices.Equal(got, want) {
					t.Fatalf("jump %d at tick %d: %v are drawn, %v stand there", jump, b.Coordinator().Global(), got, want)
				}
				return got
			}
			exact() // at once, before anything there has woken
			switch jump % 3 {
			case 0:
				b.pin(t, true, zs...)
				b.pin(t, false, old...)
			case 1:
				b.pin(t, false, old...)
				b.pin(t, true, zs...)
			case 2:
				b.release(t, 1)
				b.pin(t, false, old...)
				b.pin(t, true, zs...)
			}
			exact()
			b.settle(t)
			seen += len(exact())
			now := b.Coordinator().Global()
			for spawn, m := range b.living() {
				if !b.ZoneActive(routes.ZoneAt(m.Leg.At(now), o.ZoneSide)) {
					continue
				}
				if m.Mode != world.Active || m.Completed != now {
					t.Fatalf("jump %d: character %d in an active zone is %v at %d", jump, spawn, m.Mode, m.Completed)
				}
				if m.Leg.Kind == routes.Route {
					moving++
				}
			}
			old = zs
			b.pass(t, 1+loop.Tick(jump%7))
		}
		b.drawnOnce(t)
		b.close().sound(t)
		if seen < 1000 || moving < 100 {
			t.Errorf("only %d were seen in 120 jumps, %d of them moving ones in active zones", seen, moving)
		}
	})
}

// TestOrderToASleeperThatIsWoken gives an order to a sleeper in the tick in
// which its zone wakes, in either order and at once, in the middle of a leg and
// where one ends: what becomes of it is what becomes of one that sleeps on.
func TestOrderToASleeperThatIsWoken(t *testing.T) {
	orders := map[string]func(b *bench, spawn uint64) error{
		"stall": func(b *bench, spawn uint64) error { return b.Stall(spawn, 300*time.Millisecond) },
		"end":   func(b *bench, spawn uint64) error { return b.End(spawn) },
		"hold":  func(b *bench, spawn uint64) error { return b.Hold(spawn, 20) },
		"reroute": func(b *bench, spawn uint64) error {
			return b.Reroute(spawn, b.Map().Places[spawn*7].Cell)
		},
		"cancel": func(b *bench, spawn uint64) error { return b.Cancel(spawn) },
	}
	moments := []loop.Tick{1, 50, 0} // ticks before the end of its leg
	if world.RaceEnabled {
		moments = moments[:1]
	}
	for name, order := range orders {
		for _, before := range moments {
			t.Run(fmt.Sprintf("%s %d before", name, before), func(t *testing.T) {
				play := func(t *testing.T, how string) (r result) {
					synctest.Test(t, func(t *testing.T) {
						o := shortMemory(6, 2, 2)
						o.Life = world.LifeRush
						b := halted(t, o)
						c := b.Coordinator()
						busy := uint64(0)
						for spawn := uint64(1); spawn <= 3; spawn += 2 {
							d, _ := b.Inspect(spawn)
							for d.Leg.End < c.Global()+before || d.Leg.Kind != routes.Route && spawn > 1 {
								b.pass(t, d.Leg.End-c.Global())
								d, _ = b.Inspect(spawn)
							}
							b.pass(t, d.Leg.End-before-c.Global())
							if d, _ = b.Inspect(spawn); d.Mode != world.Sleeping {
								t.Fatalf("character %d is %v", spawn, d.Mode)
							}
							zs := d.Leg.AppendZones(nil)
							if strings.HasPrefix(how, "busy") {
								// Held up while order and notice come, in a zone that sleeps on.
								must(t, b.Stall(spawn, 20*time.Millisecond))
								time.Sleep(time.Millisecond)
								busy++
								if here := routes.ZoneAt(d.Leg.At(c.Global()), o.ZoneSide); len(zs) > 1 {
									zs = slices.DeleteFunc(zs, func(z routes.ZoneKey) bool { return z == here })
								}
							}
							give := func() { must(t, order(b, spawn)) }
							switch strings.TrimPrefix(how, "busy, ") {
							case "asleep":
								give()
							case "woken first":
								b.pin(t, true, zs...)
								give()
							case "woken then":
								give()
								b.pin(t, true, zs...)
							case "at once":
								var wg sync.WaitGroup
								wg.Go(give)
								wg.Go(func() { b.pin(t, true, zs...) })
								wg.Wait()
							}
							b.settle(t)
							b.pass(t, 1)
							d, alive := b.Inspect(spawn)
							if alive == (name == "end") {
								t.Fatalf("%s: alive is %v a tick later", how, alive)
							}
							if replans := alive && name != "stall"; replans && d.Generation != 2 {
								t.Fatalf("%s: a tick later it follows plan %d", how, d.Generation)
							}
							if inside := alive && b.ZoneActive(routes.ZoneAt(d.Leg.At(c.Global()), o.ZoneSide)); inside &&
								(d.Mode != world.Active || d.Completed != c.Global()) {
								t.Fatalf("%s: it is %v at %d, the world at %d", how, d.Mode, d.Completed, c.Global())
							}
							b.pass(t, 100)
							b.pin(t, false, zs...)
							b.pass(t, 60)
						}
						b.drawnOnce(t)
						r = b.close()
						r.sound(t)
						if s := r.stats; name == "stall" && s.Stalls != 2+busy || name == "end" && s.Ended != 2 {
							t.Errorf("%d stalls, %d ended", s.Stalls, s.Ended)
						}
					})
					return r
				}
				plain := play(t, "asleep")
				for _, how := range []string{"woken first", "woken then", "at once", "busy, asleep", "busy, woken first", "busy, woken then", "busy, at once"} {
					same(t, how, plain, play(t, how))
				}
			})
		}
	}
}

// TestOrdersToACrowdThatIsWoken gives everyone an order at once, each from a
// goroutine of its own, while others wake their zones: those told to end are gone
// at the next tick, the others are active and run every tick from then on.
func TestOrdersToACrowdThatIsWoken(t *testing.T) {
	const npcs, rounds = 60, 25
	synctest.Test(t, func(t *testing.T) {
		o := shortMemory(npcs, 1, 1)
		o.Life = world.LifeNight
		b := halted(t, o)
		c := b.Coordinator()
		for round := range uint64(rounds) {
			zs := b.homes()
			var wg sync.WaitGroup
			give := func(f func() error) {
				wg.Go(func() {
					if err := f(); err != nil {
						t.Error(err)
					}
				})
			}
			ends := map[uint64]bool{}
			for spawn := range b.living() {
				if spawn%3 == round%3 {
					ends[spawn] = true
					give(func() error { return b.End(spawn) })
				} else {
					give(func() error { return b.Stall(spawn, 10*time.Millisecond) })
				}
			}
			for _, z := range zs {
				give(func() error { return b.Pin(z, true) })
			}
			if round%2 == 0 {
				wg.Wait()
			}
			b.release(t, 1)
			wg.Wait()
			// What was given after that tick is for the next.
			b.pass(t, 1)
			for range 2 {
				for spawn, m := range b.living() {
					if ends[spawn] {
						t.Fatalf("round %d: character %d was told to end and is %v at tick %d", round, spawn, m.Mode, c.Global())
					}
					if m.Mode != world.Active || m.Completed != c.Global() {
						t.Fatalf("round %d: character %d is %v at %d, the world at %d", round, spawn, m.Mode, m.Completed, c.Global())
					}
				}
				b.pass(t, 1)
			}
			b.drawnOnce(t)
			b.pin(t, false, zs...)
			b.pass(t, 3)
			b.spawn(t, len(ends))
			b.pass(t, 1)
			if s := b.Stats(); s.Active != 0 || s.Sleeping != npcs {
				t.Fatalf("round %d: %d active, %d asleep of %d", round, s.Active, s.Sleeping, npcs)
			}
		}
		r := b.close()
		r.sound(t)
		if r.stats.Ended < rounds*npcs/4 || r.stats.Stalls < rounds*npcs/2 {
			t.Errorf("%d ended, %d stalls", r.stats.Ended, r.stats.Stalls)
		}
	})
}

// TestBetweenTheRadii has visitors come within the larger radius only, go back
// beyond the smaller one only, and cross both: zones and characters follow the
// two radii tick by tick, and nobody is stuck awake or asleep.
func TestBetweenTheRadii(t *testing.T) {
	const wake, sleep, side = 5, 12, 4
	probe := routes.ZoneKey{X: 50} // cells 200 to 203
	for _, tc := range []struct {
		name    string
		track   []routes.Cell
		on, off int // how often the probe wakes and falls asleep, at least
		never   bool
	}{
		{name: "the larger only", track: []routes.Cell{{X: 160, Y: 3}, {X: 191, Y: 3}}, never: true},
		{name: "in through both, out of the smaller", track: []routes.Cell{{X: 200, Y: 3}, {X: 209, Y: 3}}, on: 1, never: true},
		{name: "through both, both ways", track: []routes.Cell{{X: 180, Y: 3}, {X: 225, Y: 3}}, on: 2, off: 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				o := shortMemory(40, 3, 5)
				o.Map, o.ZoneSide, o.WakeRadius, o.SleepRadius = corridor(), side, wake, sleep
				o.Visitors = []world.Visitor{{Track: tc.track}}
				b := halted(t, o)
				g := newOracle(b)
				awake := map[routes.ZoneKey]bool{}
				on, off := 0, 0
				look := func() {
					t.Helper()
					vs := b.Visitors(nil)
					if len(vs) != 1 || vs[0].Tick != b.Coordinator().Global() {
						t.Fatalf("visitors %+v at tick %d", vs, b.Coordinator().Global())
					}
					for x := int32(0); x < o.Map.Width/side; x++ {
						for y := int32(0); y < o.Map.Height/side; y++ {
							z := routes.ZoneKey{X: x, Y: y}
							was := awake[z]
							switch d := gap(vs[0].Pos, z, side); {
							case d <= wake*wake*routes.CellUnits*routes.CellUnits:
								awake[z] = true
							case d > sleep*sleep*routes.CellUnits*routes.CellUnits:
								awake[z] = false
							}
							if z == probe && was != awake[z] {
								if was {
									off++
								} else {
									on++
								}
							}
							if b.ZoneActive(z) != awake[z] {
								t.Fatalf("tick %d: the visitor is at %v, zone %v is active: %v", vs[0].Tick, vs[0].Pos, z, !awake[z])
							}
						}
					}
				}
				b.settle(t)
				look()
				g.look(t, false)
				for range 1000 {
					g.tick(t)
					look()
				}
				r := b.close()
				r.sound(t)
				if on < tc.on || off < tc.off || tc.never && (on > tc.on || off > 0) {
					t.Errorf("the probe woke %d times and fell asleep %d times", on, off)
				}
				if g.changes < 5 {
					t.Errorf("only %d changes of mode", g.changes)
				}
			})
		})
	}
}

// gap is the squared distance from a point to a zone's square, in units.
func gap(p routes.Point, z routes.ZoneKey, side int64) int64 {
	s := side * routes.CellUnits
	lo := [2]int64{int64(z.X) * s, int64(z.Y) * s}
	var d2 int64
	for i, v := range [2]int64{int64(p.X), int64(p.Y)} {
		switch {
		case v < lo[i]:
			d2 += (lo[i] - v) * (lo[i] - v)
		case v > lo[i]+s:
			d2 += (v - lo[i] - s) * (v - lo[i] - s)
		}
	}
	return d2
}

// TestCrowdIsWoken wakes a zone whose many inhabitants all have something due
// within the next second, while some of them stall: the brake shows, nothing
// is lost, and the digests are those of a run in which all of them sleep on.
func TestCrowdIsWoken(t *testing.T) {
	npcs := 10_000
	if world.RaceEnabled {
		npcs = 1000
	}
	const last = world.RushAt + 2*loop.TicksPerMinute
	base := options(npcs, last)
	base.Life, base.Crowd = world.LifeRush, 0
	base.Map = oneYard()
	base.ZoneSide, base.WakeHysteresis, base.MinResidence = 16, 10, 10
	base.Coordinator.Pacing.Wait = coordinator.Gate
	plain := run(t, base)
	plain.sound(t)
	var woken result
	synctest.Test(t, func(t *testing.T) {
		o := base
		o.Coordinator.MaxSpeed = false
		o.Stalls = world.Stalls{Every: 20 * npcs, For: 300 * time.Millisecond, Seed: 10}
		b := open(t, o)
		c := b.Coordinator()
		for c.Global() < world.RushAt-5 {
			time.Sleep(time.Millisecond)
		}
		b.pin(t, true, routes.ZoneKey{})
		time.Sleep(time.Second)
		synctest.Wait()
		if s := b.Stats(); s.Active < int64(npcs)*9/10 {
			t.Errorf("%d of %d active", s.Active, npcs)
		}
		b.pin(t, false, routes.ZoneKey{})
		<-b.Done()
		woken = b.close()
	})
	woken.sound(t)
	same(t, "woken", plain, woken)
	s := woken.stats
	if s.Coordinator.Brake.Episodes == 0 || s.Coordinator.Brake.Total < 100*time.Millisecond || s.Stalls == 0 {
		t.Errorf("%d stalls, %d brakes, %v braked", s.Stalls, s.Coordinator.Brake.Episodes, s.Coordinator.Brake.Total)
	}
	if s.Activated < uint64(npcs)*9/10 || s.LegsStarted < 2*uint64(npcs) {
		t.Errorf("%d activated, %d legs", s.Activated, s.LegsStarted)
	}
}

// oneYard is a map of a single zone with many doors.
func oneYard() *routes.Map {
	m := &routes.Map{Name: "yard", Width: 16, Height: 16, Cost: routes.DefaultCosts()}
	m.Terrain = slices.Repeat([]routes.Terrain{routes.Field}, 16*16)
	for i := range int32(16) {
		kind := routes.Home
		if i%2 == 1 {
			kind = routes.Work
		}
		m.Places = append(m.Places, routes.Place{Name: "door", Kind: kind, Cell: routes.Cell{X: i, Y: i * 7 % 16}})
	}
	return m
}
