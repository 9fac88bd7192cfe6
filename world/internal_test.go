package world

import (
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"chronoscope/coordinator"
	"chronoscope/loop"
	"chronoscope/routes"
)

// bend is a map on which the only way from A to B leaves A's and B's zone
// (side 8) to the east and comes back.
func bend() *routes.Map {
	m := &routes.Map{Name: "bend", Width: 24, Height: 8, Cost: routes.DefaultCosts()}
	m.Terrain = make([]routes.Terrain, 24*8)
	for i := range m.Terrain {
		m.Terrain[i] = routes.Field
	}
	for x := range 20 {
		m.Terrain[4*24+x] = routes.Wall
	}
	m.Places = []routes.Place{
		{Name: "A", Kind: routes.Home, Cell: routes.Cell{X: 1, Y: 2}},
		{Name: "B", Kind: routes.Work, Cell: routes.Cell{X: 1, Y: 6}},
	}
	return m
}

// bendOptions is a world on that map with one character, at max speed.
func bendOptions(last loop.Tick) Options {
	return Options{
		Map:         bend(),
		Params:      Params{NPCs: 1, ZoneSide: 8, WakeHysteresis: 2, MinResidence: 2},
		Coordinator: coordinator.Options{MaxSpeed: true, LastTick: last},
	}
}

// start starts a world and keeps every leg of its characters.
func start(t *testing.T, o Options) *World {
	t.Helper()
	w, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	w.digestFloor.Store(0)
	w.Start()
	return w
}

// legs lists the legs of a character's life, oldest first.
func legs(c *character) (ls []*routes.Leg) {
	for l := c.chain.Load(); l != nil; l = l.prev.Load() {
		ls = append([]*routes.Leg{l.leg}, ls...)
	}
	return ls
}

// lived runs a world to its last tick and gives the legs of its character 1.
func lived(t *testing.T, o Options) (ls []*routes.Leg, s Stats) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		w := start(t, o)
		<-w.Done()
		ls, s = legs(w.people.bySpawn(1)), w.Stats()
		w.Stop()
		if c := w.Coverage(); c.Wrong != 0 {
			t.Error(c.First)
		}
	})
	return ls, s
}

// firstRoute is the first route of a life.
func firstRoute(t *testing.T, ls []*routes.Leg) *routes.Leg {
	t.Helper()
	for _, l := range ls {
		if l.Kind == routes.Route {
			return l
		}
	}
	t.Fatal("no route in this life")
	return nil
}

// morning is long enough for a first route.
const morning = 3 * loop.TicksPerHour

func TestStaleWakeKeepsNewLeg(t *testing.T) {
	plain, _ := lived(t, bendOptions(morning))
	route := firstRoute(t, plain)
	synctest.Test(t, func(t *testing.T) {
		w := start(t, bendOptions(morning))
		c := w.people.bySpawn(1)
		// Notices that mean nothing: in every tenth tick of the stay before the
		// route, and of the route itself, some long past when registered.
		for at := loop.Tick(1); at < route.End; at += 10 {
			w.scheduler.Register(at, c.id)
			w.scheduler.Register(at/2, c.id)
		}
		<-w.Done()
		got := legs(c)
		if s := w.Stats(); s.Stale == 0 {
			t.Error("no notice was stale")
		}
		w.Stop()
		compareLegs(t, plain, got)
	})
}

func compareLegs(t *testing.T, want, got []*routes.Leg) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%d legs, want %d", len(got), len(want))
	}
	for i := range min(len(got), len(want)) {
		a, b := want[i], got[i]
		if a.Number != b.Number || a.Start != b.Start || a.End != b.End || a.Place() != b.Place() {
			t.Errorf("leg %d: [%d, %d) number %d, want [%d, %d) number %d", i, b.Start, b.End, b.Number, a.Start, a.End, a.Number)
			return
		}
	}
}

func TestLegIntoActiveZone(t *testing.T) {
	plain, _ := lived(t, bendOptions(morning))
	route := firstRoute(t, plain)
	var into routes.ZonePassage
	for _, p := range route.Passages(nil) {
		if p.Zone != (routes.ZoneKey{}) && p.Enter < p.Exit {
			into = p
			break
		}
	}
	if into.Enter <= route.Start {
		t.Fatalf("no later zone on the way: %+v", into)
	}
	for _, tc := range []struct {
		last   loop.Tick
		active int64
	}{{into.Enter - 1, 0}, {into.Enter + 3, 1}, {into.Exit - 1, 1}} {
		o := bendOptions(tc.last)
		o.Pins = []routes.ZoneKey{into.Zone} // active long before the leg is published
		_, s := lived(t, o)
		if s.Active != tc.active {
			t.Errorf("tick %d: %d active, want %d; it enters at %d", tc.last, s.Active, tc.active, into.Enter)
		}
		if s.Refinements != 1 {
			t.Errorf("tick %d: %d refinements", tc.last, s.Refinements)
		}
	}
	o := bendOptions(morning)
	o.Pins = []routes.ZoneKey{into.Zone}
	watched, _ := lived(t, o)
	compareLegs(t, plain, watched)
}

func TestZoneVisitedTwice(t *testing.T) {
	plain, _ := lived(t, bendOptions(morning))
	route := firstRoute(t, plain)
	var visits []routes.ZonePassage
	for _, p := range route.Passages(nil) {
		if p.Zone == (routes.ZoneKey{}) && p.Enter < p.Exit {
			visits = append(visits, p)
		}
	}
	if len(visits) != 2 {
		t.Fatalf("%d passages through the first zone, want 2", len(visits))
	}
	for _, tc := range []struct {
		last      loop.Tick
		active    int64
		activated uint64
	}{
		{visits[0].Exit - 1, 1, 1},
		{visits[1].Enter - 1, 0, 1},
		{visits[1].Enter + 1, 1, 2},
	} {
		o := bendOptions(tc.last)
		o.Pins = []routes.ZoneKey{{}}
		_, s := lived(t, o)
		if s.Active != tc.active || s.Activated != tc.activated {
			t.Errorf("tick %d: %d active, activated %d times, want %d, %d", tc.last, s.Active, s.Activated, tc.active, tc.activated)
		}
	}
}

// TestLifeAddsUp is about durations: a day's legs follow on each other without
// a gap, and each route takes its path's time rounded up once.
func TestLifeAddsUp(t *testing.T) {
	ls, _ := lived(t, bendOptions(loop.TicksPerDay))
	var sum loop.Tick
	for i, l := range ls {
		if i > 0 && (l.Start != ls[i-1].End || l.Number != ls[i-1].Number+1) {
			t.Errorf("leg %d starts at %d, the one before ends at %d", l.Number, l.Start, ls[i-1].End)
		}
		if l.Kind == routes.Route {
			times := l.Path().Times()
			total := times[len(times)-1]
			if want := loop.Tick((total + routes.PlainCost - 1) >> routes.CostBits); l.End-l.Start != want {
				t.Errorf("leg %d takes %d ticks, its path %d", l.Number, l.End-l.Start, want)
			}
		}
		sum += l.End - l.Start
	}
	if last := ls[len(ls)-1].End; sum != last || last <= loop.TicksPerDay {
		t.Errorf("the legs sum up to %d ticks and end at %d", sum, last)
	}
	if len(ls) < 15 {
		t.Errorf("only %d legs in a day", len(ls))
	}
}

func TestPanicEndsTheRun(t *testing.T) {
	for _, active := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			o := bendOptions(0)
			o.Coordinator.MaxSpeed = false
			o.NPCs = 3
			if active {
				o.Pins = []routes.ZoneKey{{}}
			}
			w := start(t, o)
			time.Sleep(time.Second)
			c := w.people.bySpawn(2)
			if err := w.tell("trouble", 2, func(c *character, due loop.Tick) error {
				return c.inbox.Send(event{kind: 99}, due)
			}); err != nil {
				t.Fatal(err)
			}
			<-w.Done()
			w.Stop()
			e, ok := w.Err().(*PanicError)
			if !ok || e.Spawn != 2 || e.Tick < 59 || e.Tick > 64 || !strings.Contains(e.Stack, "apply") {
				t.Errorf("active %v: %+v", active, e)
			}
			if !strings.Contains(w.Err().Error(), "character 2") || c == nil {
				t.Error(w.Err())
			}
		})
	}
}

// TestFullInboxDoesNotHoldUpTheEnd fills the event lane of a character that is
// stalled in its tick, floods it, ends it, ten times at once.
func TestFullInboxDoesNotHoldUpTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := bendOptions(0)
		o.Coordinator.MaxSpeed = false
		o.Pins = []routes.ZoneKey{{}}
		o.InboxSize = 8
		w := start(t, o)
		time.Sleep(time.Second)
		if err := w.Stall(1, time.Second); err != nil {
			t.Fatal(err)
		}
		time.Sleep(100 * time.Millisecond)
		refused := 0
		for range 1000 {
			if err := w.Stall(1, time.Millisecond); err != nil {
				refused++
			}
		}
		if refused != 1000-8 {
			t.Errorf("%d of 1000 refused by an inbox of 8", refused)
		}
		if s := w.Stats(); s.Inbox.Rejected != uint64(refused) || s.Inbox.High != 8 {
			t.Errorf("%+v", s.Inbox)
		}
		var wg sync.WaitGroup
		for range 10 {
			wg.Go(func() {
				if err := w.End(1); err != nil && !strings.Contains(err.Error(), "no character") {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		time.Sleep(5 * time.Second)
		if s := w.Stats(); s.Ended != 1 || s.Active != 0 || s.Inbox.Pending != 0 || s.OpenDues != 0 {
			t.Errorf("ended %d, active %d, inbox %+v, %d dues open", s.Ended, s.Active, s.Inbox, s.OpenDues)
		}
		w.Stop()
		if c := w.Coverage(); c.Wrong != 0 || c.Lives != 1 {
			t.Errorf("%+v", c)
		}
	})
}

// TestNoticeWhileFallingAsleep pins a zone at every tick around the one at
// which its people would fall asleep: none may miss it.
func TestNoticeWhileFallingAsleep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := bendOptions(0)
		o.Coordinator.MaxSpeed = false
		o.NPCs = 20
		o.Life = LifeNight
		w := start(t, o)
		c := w.Coordinator()
		for i := range 200 {
			if err := w.Pin(routes.ZoneKey{}, true); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Duration(i%17)*time.Millisecond + 50*time.Millisecond)
			if s := w.Stats(); s.Active != 20 {
				t.Fatalf("round %d: %d active at tick %d", i, s.Active, c.Global())
			}
			if err := w.Pin(routes.ZoneKey{}, false); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Duration(i%29) * 3 * time.Millisecond)
		}
		w.Stop()
		if v := w.Coverage(); v.Wrong != 0 || v.Lives != 20 {
			t.Errorf("%+v", v)
		}
	})
}

// TestReusedSlot ends characters and gives their slots to others while wakes
// of the old ones are still registered.
func TestReusedSlot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := bendOptions(0)
		o.Coordinator.MaxSpeed = false
		o.Coordinator.Pacing = coordinator.DefaultPacing()
		o.Coordinator.Pacing.TickRate = loop.Hz(240)
		o.NPCs = 50
		w := start(t, o)
		w.digestFloor.Store(uint64(loop.MaxTick))
		for spawn := uint64(1); spawn <= 50; spawn++ {
			if err := w.End(spawn); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(time.Second)
		if err := w.Spawn(50); err != nil {
			t.Fatal(err)
		}
		c := w.people.bySpawn(51)
		if c == nil || c.id.Generation() != 2 || w.people.used != 50 {
			t.Fatalf("the slots were not used again: %v of %d", c, w.people.used)
		}
		time.Sleep(5 * time.Minute)
		if err := w.Coordinator().Pause(); err != nil {
			t.Fatal(err)
		}
		if !w.Rest(nil) {
			t.Fatal("no rest")
		}
		s := w.Stats()
		if s.Spawned != 100 || s.Ended != 50 || s.Sleeping != 50 || s.OpenDues != 0 {
			t.Errorf("%+v", s)
		}
		if s.Wakes == 0 {
			t.Error("nobody woke")
		}
		w.Stop()
		if v := w.Coverage(); v.Wrong != 0 || v.Lives != 100 {
			t.Errorf("%+v", v)
		}
	})
}

func TestConcurrentScenarios(t *testing.T) {
	for _, wait := range []coordinator.Strategy{coordinator.Poll, coordinator.Gate} {
		synctest.Test(t, func(t *testing.T) {
			var digests []Digest
			o := bendOptions(0)
			o.NPCs = 100
			o.WanderingVisitors = 1
			o.Coordinator.MaxSpeed = false
			o.Coordinator.Pacing = coordinator.DefaultPacing()
			o.Coordinator.Pacing.Wait = wait
			o.Stalls = Stalls{Every: 300, For: 30 * time.Millisecond}
			o.OnDigest = func(d Digest) { digests = append(digests, d) }
			w, err := New(o)
			if err != nil {
				t.Fatal(err)
			}
			w.Start()
			c := w.Coordinator()
			var wg sync.WaitGroup
			for k := range 4 {
				wg.Go(func() {
					for i := range 60 {
						z := routes.ZoneKey{X: int32((i + k) % 3)}
						must := func(err error) {
							if err != nil {
								t.Error(err)
							}
						}
						switch (i + k) % 8 {
						case 0:
							must(w.Pin(z, true))
						case 1:
							must(w.Pin(z, false))
						case 2:
							must(w.Spawn(3))
						case 3:
							// One that is gone already is no error here.
							_ = w.End(uint64(k*40 + i))
						case 4:
							_ = w.Stall(uint64(k*40+i), 20*time.Millisecond)
							_ = w.Hold(uint64(k*40+i+1), loop.Tick(i+1))
							_ = w.Reroute(uint64(k*40+i+2), routes.Cell{X: int32(i % 20), Y: 6})
							_ = w.Cancel(uint64(k*40 + i + 3))
						case 5:
							must(c.Pause())
							must(c.Step(2))
							must(c.Resume())
						case 6:
							w.Visible(routes.Cell{}, routes.Cell{X: 23, Y: 7}, nil)
							w.Trace(uint64(i))
							w.Inspect(uint64(i))
							w.Zones(nil)
							w.Visitors(nil)
						case 7:
							p := c.Pacing()
							p.TickRate = loop.Hz(uint64(30 + i))
							must(c.SetPacing(p))
						}
						time.Sleep(37 * time.Millisecond)
					}
				})
			}
			wg.Wait()
			if err := c.Pause(); err != nil {
				t.Fatal(err)
			}
			if !w.Rest(nil) {
				t.Fatal("no rest")
			}
			s := w.Stats()
			if int64(s.Spawned-s.Ended) != s.Active+s.Sleeping || s.Waking != 0 || s.OpenDues != 0 {
				t.Errorf("population at rest: %+v", s)
			}
			if d := w.Digest(); d.Count != s.Spawned-s.Ended {
				t.Errorf("the digest counts %d of %d", d.Count, s.Spawned-s.Ended)
			}
			w.Stop()
			if v := w.Coverage(); v.Wrong != 0 || v.Lives != s.Spawned {
				t.Errorf("%+v", v)
			}
			if len(digests) < 2 {
				t.Errorf("%d digests", len(digests))
			}
		})
	}
}
