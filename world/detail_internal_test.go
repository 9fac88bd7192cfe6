package world

import (
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"chronoscope/coordinator"
	"chronoscope/loop"
	"chronoscope/routes"
)

// TestCancelDropsWhatWasDue cancels a route during which an entry of the
// schedule came due: that one is dropped with it, the one after it isn't.
func TestCancelDropsWhatWasDue(t *testing.T) {
	route, _ := rushed(t)
	for name, change := range map[string]func(*Options){"asleep": nil, "active": everywhere} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := held(t, 1, 0, change)
				step(t, w, route.Start-2)
				c := w.people.bySpawn(1)
				if err := w.Reroute(1, routes.Cell{X: 10, Y: 1}); err != nil {
					t.Fatal(err)
				}
				step(t, w, 30) // the entry that leads to B is due on the way
				p := plan{}
				for w.lives.peek(1, &p) <= route.Start {
					p.next++
				}
				after := w.lives.peek(1, &p)
				if err := w.Cancel(1); err != nil {
					t.Fatal(err)
				}
				step(t, w, 20)
				if l := c.current().leg; l.Kind != routes.Stay || l.End != after {
					t.Errorf("%s, want a stay until %d", tells(l), after)
				}
				shut(t, w)
			})
		})
	}
}

// TestInspectOrders looks at a character asleep while it is told to do
// something, on its way into a zone that is awake.
func TestInspectOrders(t *testing.T) {
	route, _ := rushed(t)
	synctest.Test(t, func(t *testing.T) {
		w := held(t, 1, 0, func(o *Options) { o.Pins = []routes.ZoneKey{{X: 2}} })
		look := func() Detail {
			t.Helper()
			d, ok := w.Inspect(1)
			if !ok {
				t.Fatal("nobody there")
			}
			return d
		}
		step(t, w, route.Start-10)
		d := look()
		if d.Place != "A" || d.Generation != 1 || d.Health != fullHealth || !d.Refined || len(d.Passages) != 1 || d.Passages[0].Exit != route.Start ||
			d.Events != 0 || d.EventsMax != DefaultInboxSize || d.OldestDue != loop.MaxTick || d.Pending || d.Notes != nil {
			t.Errorf("staying: %+v", d)
		}
		if want := []Wake{{route.Start, WakeLegEnd}}; !slices.Equal(d.Wakes, want) {
			t.Errorf("staying: wakes %v, want %v", d.Wakes, want)
		}
		if len(d.Ahead) != aheadLimit || d.Ahead[0] != (Entry{route.Start, "work", "B"}) {
			t.Errorf("ahead: %v", d.Ahead)
		}

		w.Trace(1)
		step(t, w, 30)
		enter := loop.MaxTick
		for _, p := range route.View(nil) {
			if p.Zone == (routes.ZoneKey{X: 2}) {
				enter = min(enter, p.Enter)
			}
		}
		d = look()
		if d.Place != "B" || !d.Refined || len(d.Passages) < 3 {
			t.Errorf("walking: %+v", d)
		}
		if want := []Wake{{enter, WakeZone}, {route.End, WakeLegEnd}}; !slices.Equal(d.Wakes, want) {
			t.Errorf("walking: wakes %v, want %v", d.Wakes, want)
		}

		if err := w.Hold(1, 1000); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		at := w.coord.Global() + 1
		if d = look(); d.Events != 1 || d.OldestDue != at || d.Pending {
			t.Errorf("told: %d events, the oldest due %d", d.Events, d.OldestDue)
		}
		step(t, w, 1)
		_, end, _ := route.Cut(at)
		d = look()
		if want := []Wake{{end, WakeLegEnd}}; !slices.Equal(d.Wakes, want) || d.Generation != 2 || d.Place != "" || d.Events != 0 || d.OldestDue != loop.MaxTick {
			t.Errorf("told to stay: %+v, wakes %v, want %v", d, d.Wakes, want)
		}
		step(t, w, end-at)
		var got []string
		for _, n := range look().Notes {
			if n.Kind == NoteWoke || n.Kind == NoteZoneWake {
				n.Tick = 0 // when it came about, on a busy machine
			}
			got = append(got, fmt.Sprint(n.Kind, n.Tick, n.Leg, n.N))
		}
		var want []string
		for _, n := range []Note{
			{Kind: NoteWoke, Leg: 1},
			{Kind: NoteLeg, Tick: route.Start, Leg: 2, N: int64(route.End - route.Start)},
			{Kind: NoteZoneWake, Leg: 2, N: int64(enter)},
			{Kind: NoteWoke, Leg: 2},
			{Kind: NoteHold, Tick: at, Leg: 2, N: 1000},
			{Kind: NoteWoke, Leg: 2},
			{Kind: NoteLeg, Tick: end, Leg: 3, N: 1000},
		} {
			want = append(want, fmt.Sprint(n.Kind, n.Tick, n.Leg, n.N))
		}
		if !slices.Equal(got, want) {
			t.Errorf("notes\n%v\nwant\n%v", got, want)
		}
		w.Trace(0)
		if look().Notes != nil {
			t.Error("notes of one that isn't traced")
		}
		shut(t, w)
	})
}

// TestAhead holds what viewers are told of a schedule against what then
// happens, in a town's two days.
func TestAhead(t *testing.T) {
	o := bendOptions(2 * loop.TicksPerDay)
	o.NPCs = 5
	var told map[loop.Tick]Entry
	var named, right, wrong int
	synctest.Test(t, func(t *testing.T) {
		o.Coordinator.LastTick = 0
		o.Coordinator.Paused, o.Coordinator.MaxSpeed = true, true
		w, err := New(o)
		if err != nil {
			t.Fatal(err)
		}
		defer w.Stop()
		w.digestFloor.Store(0)
		w.Start()
		told = map[loop.Tick]Entry{}
		var last loop.Tick
		for w.coord.Global() < 2*loop.TicksPerDay {
			d, ok := w.Inspect(3)
			if !ok || len(d.Ahead) != aheadLimit || d.Ahead[0].Due <= w.coord.Global() {
				t.Fatalf("%v, at tick %d", d.Ahead, w.coord.Global())
			}
			for i, e := range d.Ahead {
				if i > 0 && e.Due <= d.Ahead[i-1].Due || e.What == "" {
					t.Fatalf("%v", d.Ahead)
				}
			}
			if d.Ahead[0].Due < last {
				t.Fatalf("went back to %v", d.Ahead)
			}
			last = d.Ahead[0].Due
			for _, e := range d.Ahead {
				if old, ok := told[e.Due]; ok && old.What != e.What || ok && old.Place != "" && e.Place != "" && old.Place != e.Place {
					t.Errorf("first %v, then %v", old, e)
				}
				if e.Place != "" {
					told[e.Due] = e
				}
			}
			step(t, w, 400)
		}
		for _, l := range chained(t, w.people.bySpawn(3)) {
			if e, ok := told[l.Start]; ok {
				named++
				if w.m.Places[w.placeAt(routes.CellOf(l.Place()))].Name == e.Place {
					right++
				} else {
					wrong++
				}
			}
		}
	})
	if named < 5 || wrong != 0 {
		t.Errorf("of %d entries that took effect when due %d led where they were said to, %d elsewhere", named, right, wrong)
	}
}

// TestTraceChangesNothing follows one character and the next through a run
// with commands, while others look at them: the digests stay, and a tick costs no memory.
func TestTraceChangesNothing(t *testing.T) {
	play := func(trace bool) (digests []Digest) {
		synctest.Test(t, func(t *testing.T) {
			w := held(t, 20, RushAt, func(o *Options) {
				watched(o)
				o.OnDigest = func(d Digest) { digests = append(digests, d) }
			})
			quit, gone := make(chan struct{}), make(chan struct{})
			go func() {
				defer close(gone)
				for trace {
					select {
					case <-quit:
						return
					case <-time.After(3 * time.Millisecond):
					}
					for spawn := range uint64(21) {
						d, _ := w.Inspect(spawn)
						if len(d.Notes) > traceLength {
							t.Errorf("%d notes", len(d.Notes))
						}
						for i := 1; i < len(d.Notes); i++ {
							if d.Notes[i].Leg < d.Notes[i-1].Leg || d.Notes[i].Handled < d.Notes[i-1].Handled {
								t.Errorf("notes out of order: %+v", d.Notes)
							}
						}
					}
				}
			}()
			for i := range uint64(60) {
				if trace {
					w.Trace(i / 4)
				}
				for _, err := range []error{w.Hold(i%20+1, 5), w.Cancel(i*7%20 + 1), w.Reroute(i/4+1, routes.Cell{X: int32(i % 20), Y: 1})} {
					if err != nil {
						t.Fatal(err)
					}
				}
				step(t, w, 7)
			}
			close(quit)
			if trace {
				<-gone
			}
			if !rests(w) {
				t.Error("no rest")
			}
			shut(t, w)
		})
		return digests
	}
	plain, traced := play(false), play(true)
	if len(plain) < 6 || !slices.Equal(plain, traced) {
		t.Errorf("%d digests, traced %d or others", len(plain), len(traced))
	}
}

// TestNotesRing writes more notes than are kept.
func TestNotesRing(t *testing.T) {
	w, c, _ := standing(t, 1)
	w.Trace(1)
	for i := range int64(3*traceLength + 5) {
		c.note(NoteStall, loop.Tick(i), i)
		notes := w.notes(1)
		if want := min(int(i)+1, traceLength); len(notes) != want || notes[want-1].N != i || notes[0].N != i-int64(want)+1 {
			t.Fatalf("after %d: %d notes from %d to %d", i+1, len(notes), notes[0].N, notes[len(notes)-1].N)
		}
	}
	w.Trace(1) // again: they stay
	if len(w.notes(1)) != traceLength || w.notes(2) != nil {
		t.Error("traced again: lost, or another's")
	}
	w.Trace(2)
	if w.notes(1) != nil || w.notes(2) == nil || len(w.notes(2)) != 0 {
		t.Error("the notes of the one before are there")
	}
}

// TestTracedTickAllocatesNothing: being traced is no cost of a tick.
func TestTracedTickAllocatesNothing(t *testing.T) {
	w, c, a := standing(t, 1)
	w.Trace(1)
	tick := loop.Tick(0)
	if n := testing.AllocsPerRun(1000, func() {
		tick++
		if !c.tick(a, tick) {
			t.Fatal("it ended")
		}
	}); n != 0 {
		t.Errorf("%v allocations a tick", n)
	}
	w.Trace(0)
	if n := testing.AllocsPerRun(1000, func() { c.note(NoteWoke, tick, 0) }); n != 0 {
		t.Errorf("%v allocations for a note that nobody wants", n)
	}
}

// TestInspectInbox shows both lanes of one that is held up.
func TestInspectInbox(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := held(t, 1, 10, watched)
		if err := w.Stall(1, 10*time.Second); err != nil {
			t.Fatal(err)
		}
		if err := w.coord.Step(3); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		if err := w.Cancel(1); err != nil {
			t.Fatal(err)
		}
		w.people.bySpawn(1).inbox.Signal(noticeZone)
		d, _ := w.Inspect(1)
		if !d.Pending || d.Events != 2 || d.OldestDue != 11 || d.Notices != noticeZone || d.Notices&coordinator.NoticeStop != 0 || d.Mode != Active {
			t.Errorf("%+v", d)
		}
		step(t, w, 1)
		time.Sleep(20 * time.Second)
		if d, _ = w.Inspect(1); d.Pending || d.Events != 0 || d.Notices != 0 || d.OldestDue != loop.MaxTick || d.Generation != 2 {
			t.Errorf("%+v", d)
		}
		shut(t, w)
	})
}
