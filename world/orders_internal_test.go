package world

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"chronoscope/coordinator"
	"chronoscope/loop"
	"chronoscope/routes"
)

// everywhere pins all zones of the bend.
func everywhere(o *Options) { o.Pins = []routes.ZoneKey{{X: 0}, {X: 1}, {X: 2}} }

// tells is a leg in words: its number, the generation of its plan, where it
// stays or leads, and when.
func tells(l *routes.Leg) string {
	verb := "at"
	if l.Kind == routes.Route {
		verb = "to"
	}
	cell := routes.CellOf(l.Place())
	return fmt.Sprintf("%d.%d %s %d,%d %d-%d", l.Number, l.Generation, verb, cell.X, cell.Y, l.Start, l.End)
}

// rushed is what the first character of the bend does untold: a stay at A, a
// route to B, and the entry of its schedule that is due after that.
func rushed(t *testing.T) (route *routes.Leg, next loop.Tick) {
	t.Helper()
	o := bendOptions(morning)
	o.Life = LifeRush
	ls, _ := lived(t, o)
	route = firstRoute(t, ls)
	if route.Number != 2 || route.Start != RushAt+1 || len(ls) < 3 || ls[2].Kind != routes.Stay {
		t.Fatalf("it sets out in %s", tells(route))
	}
	return route, ls[2].End
}

// TestOrders gives commands in every situation, to characters asleep and
// active, at leisure and held up. What becomes of their legs is the same.
func TestOrders(t *testing.T) {
	route, next := rushed(t)
	a, b := routes.Cell{X: 1, Y: 2}, routes.Cell{X: 1, Y: 6}
	c := routes.Cell{X: 10, Y: 1} // no place
	set := route.Start
	mid := set + 105
	_, end, stop := route.Cut(mid)
	if end == mid {
		t.Fatal("it stands on a centre there")
	}
	m := bend()
	ticks := func(from, to routes.Cell) loop.Tick {
		p, err := routes.NewSearcher(m).Find(from, to)
		if err != nil {
			t.Fatal(err)
		}
		return p.Ticks()
	}
	at := routes.CellOf(stop)
	hold := func(n loop.Tick) func(*World) error { return func(w *World) error { return w.Hold(1, n) } }
	reroute := func(to routes.Cell) func(*World) error {
		return func(w *World) error { return w.Reroute(1, to) }
	}
	cancel := func(w *World) error { return w.Cancel(1) }
	end2 := func(w *World) error { return w.End(1) }
	for _, tc := range []struct {
		name     string
		at       loop.Tick // of the command: the tick it is dated
		commands []func(*World) error
		until    loop.Tick // the tick up to which its legs are listed
		want     []string  // from the leg that is cut on
	}{
		{"staying: hold", set - 100, []func(*World) error{hold(30)}, set, []string{
			fmt.Sprintf("1.2 at 1,2 0-%d", set-100),
			fmt.Sprintf("2.2 at 1,2 %d-%d", set-100, set-70),
			fmt.Sprintf("3.2 at 1,2 %d-%d", set-70, set),
			fmt.Sprintf("4.2 to 1,6 %d-%d", set, route.End),
		}},
		{"staying: hold beyond the next entry", set - 100, []func(*World) error{hold(300)}, set + 200, []string{
			fmt.Sprintf("1.2 at 1,2 0-%d", set-100),
			fmt.Sprintf("2.2 at 1,2 %d-%d", set-100, set+200),
			fmt.Sprintf("3.2 to 1,6 %d-%d", set+200, route.End+200),
		}},
		{"staying: reroute", set - 300, []func(*World) error{reroute(c)}, set, []string{
			fmt.Sprintf("1.2 at 1,2 0-%d", set-300),
			fmt.Sprintf("2.2 to 10,1 %d-%d", set-300, set-300+ticks(a, c)),
			fmt.Sprintf("3.2 at 10,1 %d-%d", set-300+ticks(a, c), set),
			fmt.Sprintf("4.2 to 1,6 %d-%d", set, set+ticks(c, b)),
		}},
		{"staying: reroute beyond the next entry", set - 1, []func(*World) error{reroute(c)}, set + 200, []string{
			fmt.Sprintf("1.2 at 1,2 0-%d", set-1),
			fmt.Sprintf("2.2 to 10,1 %d-%d", set-1, set-1+ticks(a, c)),
			fmt.Sprintf("3.2 to 1,6 %d-%d", set-1+ticks(a, c), set-1+ticks(a, c)+ticks(c, b)),
		}},
		{"staying: reroute to where it is", set - 300, []func(*World) error{reroute(a)}, set - 10, []string{
			fmt.Sprintf("1.2 at 1,2 0-%d", set-300),
			fmt.Sprintf("2.2 at 1,2 %d-%d", set-300, set),
		}},
		{"staying: cancel", set - 300, []func(*World) error{cancel}, set - 10, []string{
			fmt.Sprintf("1.2 at 1,2 0-%d", set-300),
			fmt.Sprintf("2.2 at 1,2 %d-%d", set-300, set),
		}},
		{"walking: hold", mid, []func(*World) error{hold(40)}, end + 50, []string{
			fmt.Sprintf("2.2 to %d,%d %d-%d", at.X, at.Y, set, end),
			fmt.Sprintf("3.2 at %d,%d %d-%d", at.X, at.Y, end, end+40),
			fmt.Sprintf("4.2 to 1,6 %d-%d", end+40, end+40+ticks(at, b)),
		}},
		{"walking: reroute", mid, []func(*World) error{reroute(a)}, next - 1, []string{
			fmt.Sprintf("2.2 to %d,%d %d-%d", at.X, at.Y, set, end),
			fmt.Sprintf("3.2 to 1,2 %d-%d", end, end+ticks(at, a)),
			fmt.Sprintf("4.2 at 1,2 %d-%d", end+ticks(at, a), next),
		}},
		{"walking: reroute to where it stops", mid, []func(*World) error{reroute(at)}, next - 1, []string{
			fmt.Sprintf("2.2 to %d,%d %d-%d", at.X, at.Y, set, end),
			fmt.Sprintf("3.2 at %d,%d %d-%d", at.X, at.Y, end, next),
		}},
		{"walking: cancel", mid, []func(*World) error{cancel}, next - 1, []string{
			fmt.Sprintf("2.2 to %d,%d %d-%d", at.X, at.Y, set, end),
			fmt.Sprintf("3.2 at %d,%d %d-%d", at.X, at.Y, end, next),
		}},
		{"at the start: hold", set, []func(*World) error{hold(40)}, set + 50, []string{
			fmt.Sprintf("2.2 at 1,2 %d-%d", set, set+40),
			fmt.Sprintf("3.2 to 1,6 %d-%d", set+40, route.End+40),
		}},
		{"at the start: cancel", set, []func(*World) error{cancel}, next - 1, []string{
			fmt.Sprintf("2.2 at 1,2 %d-%d", set, next),
		}},
		{"at the start: reroute", set, []func(*World) error{reroute(c)}, next - 1, []string{
			fmt.Sprintf("2.2 to 10,1 %d-%d", set, set+ticks(a, c)),
			fmt.Sprintf("3.2 at 10,1 %d-%d", set+ticks(a, c), next),
		}},
		{"at the end: cancel", route.End, []func(*World) error{cancel}, next - 1, []string{
			fmt.Sprintf("3.2 at 1,6 %d-%d", route.End, next),
		}},
		{"at the end: hold", route.End, []func(*World) error{hold(9)}, route.End + 9, []string{
			fmt.Sprintf("3.2 at 1,6 %d-%d", route.End, route.End+9),
			fmt.Sprintf("4.2 at 1,6 %d-%d", route.End+9, next),
		}},
		{"on the last step: reroute", route.End - 1, []func(*World) error{reroute(a)}, route.End + 5, []string{
			fmt.Sprintf("2.2 to 1,6 %d-%d", set, route.End),
			fmt.Sprintf("3.2 to 1,2 %d-%d", route.End, route.End+ticks(b, a)),
		}},
		{"twice in a tick: hold, cancel", mid, []func(*World) error{hold(40), cancel}, next - 1, []string{
			fmt.Sprintf("2.3 to %d,%d %d-%d", at.X, at.Y, set, end),
			fmt.Sprintf("3.3 at %d,%d %d-%d", at.X, at.Y, end, next),
		}},
		{"twice in a tick: reroute, hold", mid, []func(*World) error{reroute(c), hold(40)}, end + 50, []string{
			fmt.Sprintf("2.3 to %d,%d %d-%d", at.X, at.Y, set, end),
			fmt.Sprintf("3.3 at %d,%d %d-%d", at.X, at.Y, end, end+40),
			fmt.Sprintf("4.3 to 10,1 %d-%d", end+40, end+40+ticks(at, c)),
		}},
		{"thrice at the start", set, []func(*World) error{hold(40), reroute(c), hold(50)}, set + 60, []string{
			fmt.Sprintf("2.4 at 1,2 %d-%d", set, set+50),
			fmt.Sprintf("3.4 to 10,1 %d-%d", set+50, set+50+ticks(a, c)),
		}},
		{"held up meanwhile", mid, []func(*World) error{
			func(w *World) error { return w.Stall(1, 300*time.Millisecond) }, hold(40),
		}, end + 50, []string{
			fmt.Sprintf("2.2 to %d,%d %d-%d", at.X, at.Y, set, end),
			fmt.Sprintf("3.2 at %d,%d %d-%d", at.X, at.Y, end, end+40),
			fmt.Sprintf("4.2 to 1,6 %d-%d", end+40, end+40+ticks(at, b)),
		}},
		{"ending in the same tick", mid, []func(*World) error{cancel, end2}, mid + 20, []string{
			tells(generation(route, 1)),
		}},
	} {
		for name, change := range map[string]func(*Options){
			"asleep":         nil,
			"active":         everywhere,
			"half of it":     watched,
			"asleep, slow":   func(o *Options) { o.Stalls = Stalls{Every: 1, For: 200 * time.Millisecond, In: StallWakes} },
			"active, stalls": func(o *Options) { everywhere(o); o.Stalls = Stalls{Every: 20, For: 170 * time.Millisecond} },
		} {
			t.Run(tc.name+"/"+name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					w := held(t, 1, 0, change)
					w.digestFloor.Store(0)
					step(t, w, tc.at-1)
					c := w.people.bySpawn(1)
					for _, give := range tc.commands {
						if err := give(w); err != nil {
							t.Fatal(err)
						}
					}
					step(t, w, tc.until-(tc.at-1))
					if !rests(w) {
						t.Fatal("no rest")
					}
					var got []string
					from := strings.Split(tc.want[0], ".")[0] + "."
					for _, l := range chained(t, c) {
						if len(got) > 0 || strings.HasPrefix(tells(l), from) {
							got = append(got, tells(l))
						}
					}
					if !slices.Equal(got, tc.want) {
						t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(tc.want, "\n"))
					}
					if s := w.Stats(); s.OpenDues != 0 || s.Inbox.Pending != 0 {
						t.Errorf("%d dues open, %d events", s.OpenDues, s.Inbox.Pending)
					}
					onlyCurrent(t, w)
					shut(t, w)
				})
			})
		}
	}
}

// generation is a leg's likeness of another generation.
func generation(l *routes.Leg, g uint32) *routes.Leg {
	like := routes.NewRoute(l.Owner, l.Number, l.Path(), l.Start)
	like.Generation = g
	return like
}

// chained lists the legs of a life and looks whether they follow each other.
func chained(t *testing.T, c *character) []*routes.Leg {
	t.Helper()
	ls := legs(c)
	for i, l := range ls {
		if l.Start >= l.End {
			t.Errorf("a leg of no length: %s", tells(l))
		}
		if i == 0 {
			continue
		}
		if before := ls[i-1]; l.Start != before.End || l.Number != before.Number+1 || l.Generation < before.Generation || l.At(l.Start) != before.At(before.End) {
			t.Errorf("%s at %v follows %s at %v", tells(l), l.At(l.Start), tells(before), before.At(before.End))
		}
	}
	return ls
}

// onlyCurrent looks whether the index has the current legs of a world at rest,
// each in all its zones, and no others.
func onlyCurrent(t *testing.T, w *World) {
	t.Helper()
	want := 0
	w.people.each(func(c *character) {
		if c.ended.Load() != uint64(loop.MaxTick) {
			return
		}
		leg := c.current().leg
		for z := range leg.ForEachZone {
			want++
			if !slices.Contains(w.index.Lookup(z, nil), leg) {
				t.Errorf("zone %v hasn't %s", z, tells(leg))
			}
		}
	})
	if got := w.index.Stats().Entries; got != want {
		t.Errorf("%d entries in the index, want %d", got, want)
	}
}

// TestOrdersRefused gives commands that can't be followed.
func TestOrdersRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := held(t, 1, 10, func(o *Options) {
			o.InboxSize = MinInboxSize
			// A yard that nobody reaches.
			for _, c := range []routes.Cell{{X: 22, Y: 0}, {X: 22, Y: 1}, {X: 23, Y: 1}} {
				o.Map.Terrain[c.Y*o.Map.Width+c.X] = routes.Wall
			}
		})
		for _, tc := range []struct {
			err  error
			want string
		}{
			{w.Hold(1, 0), "world: hold for 0 ticks: accepted are 1 to 604800"},
			{w.Hold(1, MaxHold+1), "world: hold for 604801 ticks: accepted are 1 to 604800"},
			{w.Hold(2, 1), "world: hold: no character has the spawn number 2"},
			{w.Reroute(1, routes.Cell{X: 0, Y: 4}), "world: reroute to (0, 4): routes: not walkable: cell 0,4"},
			{w.Reroute(1, routes.Cell{X: -1, Y: 4}), "world: reroute to (-1, 4): routes: not on the map: cell -1,4 of 24 x 8"},
			{w.Reroute(1, routes.Cell{X: 23, Y: 0}), "world: reroute to (23, 0): routes: no way between cells 1,2 and 23,0"},
			{w.Cancel(7), "world: cancel: no character has the spawn number 7"},
		} {
			if tc.err == nil || tc.err.Error() != tc.want {
				t.Errorf("%v, want %s", tc.err, tc.want)
			}
		}
		for range MinInboxSize {
			if err := w.Cancel(1); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Hold(1, 1); !errors.Is(err, coordinator.ErrInboxFull) {
			t.Errorf("a full inbox: %v", err)
		}
		step(t, w, 1)
		if err := w.Hold(1, 1); err != nil {
			t.Error(err)
		}
		if err := w.End(1); err != nil {
			t.Fatal(err)
		}
		step(t, w, 2)
		if err := w.Hold(1, 1); err == nil {
			t.Error("one that has ended is held")
		}
		shut(t, w)
		if err := w.Reroute(1, routes.Cell{X: 1, Y: 2}); !errors.Is(err, ErrStopped) {
			t.Errorf("after the stop: %v", err)
		}
	})
}

// TestLateOrder hands a sleeper a command dated before the tick at which its
// leg began: it takes effect one after that.
func TestLateOrder(t *testing.T) {
	route, next := rushed(t)
	synctest.Test(t, func(t *testing.T) {
		w := held(t, 1, 0, nil)
		w.digestFloor.Store(0)
		step(t, w, route.Start)
		c := w.people.bySpawn(1)
		if err := c.inbox.Send(event{kind: eventCancel}, route.Start-50); err != nil {
			t.Fatal(err)
		}
		step(t, w, 60)
		cut, end, at := route.Cut(route.Start + 1)
		cut.Generation = 2
		stay := routes.NewStay(0, 3, at, end, next, 8)
		stay.Generation = 2
		ls := chained(t, c)
		if len(ls) != 3 || tells(ls[1]) != tells(cut) || tells(ls[2]) != tells(stay) {
			t.Errorf("%s, then %s", tells(ls[1]), tells(ls[len(ls)-1]))
		}
		if s := w.Stats(); s.OpenDues != 0 || s.Inbox.Pending != 0 {
			t.Errorf("%d dues open, %d events", s.OpenDues, s.Inbox.Pending)
		}
		shut(t, w)
	})
}

// TestOrdersChangeTheSame gives many commands to worlds that are watched,
// waited in, held up and run by different numbers of processors: digests and
// legs are the same.
func TestOrdersChangeTheSame(t *testing.T) {
	const npcs, rounds = 40, 120
	play := func(t *testing.T, procs int, change func(*Options)) (digests []Digest, lives []string) {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
		synctest.Test(t, func(t *testing.T) {
			w := held(t, npcs, RushAt-40, func(o *Options) {
				o.OnDigest = func(d Digest) { digests = append(digests, d) }
				if change != nil {
					change(o)
				}
			})
			for i := range uint64(rounds) {
				x := draw(7, i, forVisit, 0)
				for k := range x % 4 {
					y := draw(7, i, forVisit, k+1)
					spawn := y%npcs + 1
					var err error
					switch y >> 20 % 3 {
					case 0:
						err = w.Hold(spawn, 1+loop.Tick(y>>30%90))
					case 1:
						cell := routes.Cell{X: int32(y >> 30 % 24), Y: int32(y >> 40 % 4)}
						err = w.Reroute(spawn, cell)
					case 2:
						err = w.Cancel(spawn)
					}
					if err != nil {
						t.Fatal(err)
					}
				}
				// The next ones are given at the same tick everywhere, though those
				// before may still be at work.
				want := w.coord.Global() + 1 + loop.Tick(x>>10%13)
				if err := w.coord.Step(int(want - w.coord.Global())); err != nil {
					t.Fatal(err)
				}
				for w.coord.Global() < want {
					time.Sleep(time.Millisecond)
				}
			}
			step(t, w, 100)
			if !rests(w) {
				t.Fatal("no rest")
			}
			w.people.each(func(c *character) {
				lives = append(lives, fmt.Sprint(c.spawn, " ", tells(c.current().leg)))
			})
			if s := w.Stats(); int64(s.Spawned-s.Ended) != s.Active+s.Sleeping || s.Waking != 0 || s.OpenDues != 0 {
				t.Errorf("population at rest: %+v", s)
			}
			onlyCurrent(t, w)
			shut(t, w)
		})
		return digests, lives
	}
	plain, lives := play(t, 2, nil)
	if len(plain) < 10 {
		t.Fatalf("only %d digests", len(plain))
	}
	gate := func(o *Options) {
		o.Coordinator.Pacing = coordinator.DefaultPacing()
		o.Coordinator.Pacing.Wait = coordinator.Gate
	}
	for _, tc := range []struct {
		name   string
		procs  int
		change func(*Options)
	}{
		{"one processor", 1, nil},
		{"four processors", 4, nil},
		{"watched", 2, watched},
		{"watched everywhere", 4, everywhere},
		{"watched everywhere by one processor", 1, func(o *Options) { everywhere(o); gate(o) }},
		{"visited", 2, func(o *Options) { o.WanderingVisitors, o.WakeRadius, o.SleepRadius = 2, 1, 2 }},
		{"held up", 2, func(o *Options) { o.Stalls = Stalls{Every: 3, For: 70 * time.Millisecond, Seed: 5} }},
		{"all of it", 4, func(o *Options) {
			watched(o)
			gate(o)
			o.WanderingVisitors, o.WakeRadius, o.SleepRadius = 1, 1, 2
			o.Stalls = Stalls{Every: 30, For: 70 * time.Millisecond, Seed: 6}
		}},
		{"more than may be active", 4, func(o *Options) { everywhere(o); o.ActiveBudget = 7 }},
		{"small cache", 2, func(o *Options) { o.PathCacheEntries = 1 }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, ends := play(t, tc.procs, tc.change)
			if !slices.Equal(ends, lives) {
				t.Error("other legs in the end")
			}
			if len(got) != len(plain) {
				t.Fatalf("%d digests, want %d", len(got), len(plain))
			}
			for i, d := range got {
				if d != plain[i] {
					t.Fatalf("the digest of tick %d is another one", d.Tick)
				}
			}
		})
	}
}
