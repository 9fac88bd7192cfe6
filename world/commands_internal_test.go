package world

import (
	"testing"
	"testing/synctest"
	"time"

	"chronoscope/coordinator"
	"chronoscope/loop"
	"chronoscope/routes"
)

// held builds a world on the bend that stands still at a tick. Its characters
// set out at RushAt + their spawn number: until then they stay at home.
func held(t *testing.T, npcs int, at loop.Tick, change func(*Options)) *World {
	t.Helper()
	o := bendOptions(0)
	o.NPCs, o.Life = npcs, LifeRush
	o.Coordinator.Paused = true
	if change != nil {
		change(&o)
	}
	w, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Stop)
	w.Start()
	step(t, w, at)
	return w
}

// step lets n ticks pass.
func step(t *testing.T, w *World, n loop.Tick) {
	t.Helper()
	want := w.coord.Global() + n
	if n > 0 {
		if err := w.coord.Step(int(n)); err != nil {
			t.Fatal(err)
		}
	}
	for w.coord.Global() < want {
		time.Sleep(time.Millisecond)
	}
	time.Sleep(time.Second)
}

// watched pins the zone in which everyone lives.
func watched(o *Options) { o.Pins = []routes.ZoneKey{{}} }

// rests says whether a world that stands still comes to rest.
func rests(w *World) bool {
	giveUp := make(chan struct{})
	defer time.AfterFunc(time.Minute, func() { close(giveUp) }).Stop()
	return w.Rest(giveUp)
}

// shut stops a world and looks at its lives.
func shut(t *testing.T, w *World) {
	t.Helper()
	w.Stop()
	if v := w.Coverage(); v.Wrong != 0 || v.Lives != w.counts.spawned.Load() {
		t.Errorf("coverage: %+v", v)
	}
}

// TestEndWhereALegEnds ends a character at the tick at which its next leg
// would begin: whether it is asleep, active, or busy until much later, that leg
// is not made and the life ends at that tick.
func TestEndWhereALegEnds(t *testing.T) {
	const at = RushAt + 1
	for _, tc := range []struct {
		name   string
		change func(*Options)
		busy   bool
	}{{name: "asleep"}, {name: "active", change: watched}, {name: "late", busy: true}} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := held(t, 1, at-2, tc.change)
				c := w.people.bySpawn(1)
				if end := c.current().leg.End; end != at {
					t.Fatalf("the first leg ends at %d", end)
				}
				if tc.busy {
					if err := w.Stall(1, 10*time.Second); err != nil {
						t.Fatal(err)
					}
				}
				step(t, w, 1)
				if err := w.End(1); err != nil {
					t.Fatal(err)
				}
				step(t, w, 5)
				time.Sleep(20 * time.Second)
				if got, legs := loop.Tick(c.ended.Load()), c.current().leg.Number; got != at || legs != 1 {
					t.Errorf("ended at tick %d in leg %d, want %d in leg 1", got, legs, at)
				}
				shut(t, w)
			})
		})
	}
}

// TestEndBeforeBirth ends a newcomer before the tick from which it lives: it
// lives that one, whoever looks.
func TestEndBeforeBirth(t *testing.T) {
	for _, change := range []func(*Options){nil, watched} {
		synctest.Test(t, func(t *testing.T) {
			w := held(t, 1, 99, change)
			if err := w.Spawn(1); err != nil {
				t.Fatal(err)
			}
			if err := w.End(2); err != nil {
				t.Fatal(err)
			}
			c := w.people.bySpawn(2)
			step(t, w, 3)
			if born, ended := c.born, loop.Tick(c.ended.Load()); born != 100 || ended != 101 {
				t.Errorf("active %v: born at %d, ended at %d", change != nil, born, ended)
			}
			if !rests(w) {
				t.Error("no rest")
			}
			shut(t, w)
		})
	}
}

// TestStallBeforeALegEnds hands an event to a sleeper while the world stands
// still, dated the tick at which its next leg begins: that leg isn't begun
// early, so that its present tick can be asked for.
func TestStallBeforeALegEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := held(t, 1, RushAt, nil)
		if err := w.Stall(1, time.Second); err != nil {
			t.Fatal(err)
		}
		time.Sleep(10 * time.Second)
		c := w.people.bySpawn(1)
		if l := c.current().leg; l.Start > RushAt || l.End != RushAt+1 {
			t.Errorf("at tick %d its leg is [%d, %d)", RushAt, l.Start, l.End)
		}
		if s := w.Stats(); s.Stalls != 1 {
			t.Errorf("%d stalls", s.Stalls)
		}
		if !rests(w) {
			t.Error("no rest")
		}
		shut(t, w)
	})
}

// TestRestBeforeCommandsTakeEffect gives commands while the world stands
// still: they are for the next tick, so it is at rest as it is.
func TestRestBeforeCommandsTakeEffect(t *testing.T) {
	const at = RushAt // the next tick begins the first character's second leg
	for _, tc := range []struct {
		name   string
		change func(*Options)
	}{{"asleep", nil}, {"active", watched}} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := held(t, 3, at, tc.change)
				for _, err := range []error{
					w.Stall(1, time.Second), w.Pin(routes.ZoneKey{}, false), w.Pin(routes.ZoneKey{}, true),
					w.End(2), w.Pin(routes.ZoneKey{}, false), w.Pin(routes.ZoneKey{}, true), w.Spawn(1),
				} {
					if err != nil {
						t.Fatal(err)
					}
				}
				if !rests(w) {
					t.Fatal("no rest")
				}
				if d := w.Digest(); d.Tick != at || d.Count != 3 {
					t.Errorf("%d counted at tick %d", d.Count, d.Tick)
				}
				step(t, w, 3)
				if !rests(w) {
					t.Fatal("no rest later")
				}
				if s, d := w.Stats(), w.Digest(); d.Tick != at+3 || d.Count != 3 || s.OpenDues != 0 || s.Inbox.Pending != 0 {
					t.Errorf("%d counted at tick %d, %d dues open, %d events", d.Count, d.Tick, s.OpenDues, s.Inbox.Pending)
				}
				shut(t, w)
			})
		})
	}
}

// TestCommandsAtLastTick: what is asked for after the last tick of a run keeps
// it from ending no more than from being at rest.
func TestCommandsAtLastTick(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := bendOptions(100)
		o.Life = LifeNight
		watched(&o)
		o.OnDigest = func(d Digest) {}
		w, err := New(o)
		if err != nil {
			t.Fatal(err)
		}
		// The first of them comes before the run is seen to be over.
		w.Start()
		for w.coord.Global() < 100 {
			time.Sleep(time.Microsecond)
		}
		if err := w.Stall(1, time.Second); err != nil {
			t.Fatal(err)
		}
		select {
		case <-w.Done():
		case <-time.After(time.Minute):
			t.Error("the run doesn't end")
		}
		shut(t, w)
	})
}

// TestEventsWhilePausedAreBounded floods an active character that can't act
// upon anything, since no tick passes.
func TestEventsWhilePausedAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const limit = 8
		w := held(t, 1, 10, func(o *Options) { watched(o); o.InboxSize = limit })
		taken := 0
		for range 1000 {
			if w.Stall(1, time.Millisecond) == nil {
				taken++
			}
			synctest.Wait()
		}
		if taken < limit || taken > 2*limit {
			t.Errorf("%d of 1000 events taken in by an inbox of %d", taken, limit)
		}
		step(t, w, 10)
		if s := w.Stats(); s.Stalls != uint64(taken) || s.Inbox.Pending != 0 || s.OpenDues != 0 {
			t.Errorf("%d stalls of %d taken in, %d pending, %d dues open", s.Stalls, taken, s.Inbox.Pending, s.OpenDues)
		}
		if err := w.Stall(1, time.Millisecond); err != nil {
			t.Error(err)
		}
		shut(t, w)
	})
}

// TestEndedIsCountedUntilItsTick ends many characters while the world stands
// still: those that have ended for the next tick are still part of this one,
// also when no digests are kept.
func TestEndedIsCountedUntilItsTick(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := held(t, 200, 30, nil)
		for spawn := uint64(1); spawn <= 150; spawn++ {
			if err := w.End(spawn); err != nil {
				t.Fatal(err)
			}
		}
		if !rests(w) {
			t.Fatal("no rest")
		}
		if d := w.Digest(); d.Count != 200 || d.Tick != 30 {
			t.Errorf("%d counted at tick %d", d.Count, d.Tick)
		}
		step(t, w, 1)
		if !rests(w) {
			t.Fatal("no rest")
		}
		if d := w.Digest(); d.Count != 50 || d.Tick != 31 {
			t.Errorf("%d counted at tick %d", d.Count, d.Tick)
		}
		shut(t, w)
	})
}

// TestSpawnIsSeenWhole spawns and ends characters while others look them up by
// ids and spawn numbers: what is found is always whole.
func TestSpawnIsSeenWhole(t *testing.T) {
	o := bendOptions(0)
	o.NPCs = 1
	o.Coordinator.MaxSpeed = false
	w := start(t, o)
	stop := make(chan struct{})
	seen := make(chan int)
	go func() {
		n := 0
		for {
			select {
			case <-stop:
				seen <- n
				return
			default:
			}
			n += len(w.Visible(routes.Cell{}, routes.Cell{X: 23, Y: 7}, nil))
			for slot := range uint32(40) {
				w.Find(coordinator.MakeObjectID(slot, 1))
			}
		}
	}()
	for i := range uint64(50) {
		if err := w.Spawn(20); err != nil {
			t.Fatal(err)
		}
		for k := range uint64(20) {
			if err := w.End(i*20 + k + 2); err != nil {
				t.Fatal(err)
			}
		}
	}
	close(stop)
	if <-seen == 0 {
		t.Error("nobody was seen")
	}
	w.Stop()
}
