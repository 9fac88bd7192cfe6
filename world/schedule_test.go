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
	"chronoscope/routes/town"
)

// What goes wrong with schedules and passages, and what shows that it doesn't:
//
//	timers that stop while nobody looks, or come late  TestLegsFollowTheSchedule
//	walks only while somebody is near                 TestLegsFollowTheSchedule
//	a replaced wake still does something              TestReplacedWakeDoesNothing, TestWakeOfAnOldPlanDoesNothing, TestStaleWakeKeepsNewLeg
//	a stop counts on every visit of a zone            TestZoneVisitedThreeTimes, TestZoneVisitedTwice
//	rounded anew at each step, so that days drift     TestLifeAddsUp
//	another tick rate, another world                  TestPaceChangesLive, TestEqualDigestsAtAnyRate

// TestLegsFollowTheSchedule follows lives through a whole day: without any
// zone, with a visitor who wakes them all the time, and with wakes handled
// thousands of ticks late. Each stay ends at the next entry that is due,
// however long it is, each route takes its path's time, and nothing is between
// them, in all three.
func TestLegsFollowTheSchedule(t *testing.T) {
	const npcs = 12
	last := loop.TicksPerDay
	if RaceEnabled {
		last /= 3
	}
	m, err := town.Generate(town.Options{Seed: 3, Size: 64})
	if err != nil {
		t.Fatal(err)
	}
	if err := m.EnsurePlaces(3); err != nil {
		t.Fatal(err)
	}
	day := func(t *testing.T, change func(*Options)) (lives [npcs][]*routes.Leg, s Stats) {
		synctest.Test(t, func(t *testing.T) {
			o := Options{
				Map:         m,
				Params:      Params{NPCs: npcs, ZoneSide: 8, WakeRadius: 2, SleepRadius: 4, WakeHysteresis: 20, MinResidence: 10},
				Coordinator: coordinator.Options{MaxSpeed: true, LastTick: last, Pacing: coordinator.DefaultPacing()},
			}
			o.Coordinator.Pacing.Wait = coordinator.Gate
			if change != nil {
				change(&o)
			}
			w := start(t, o)
			<-w.Done()
			for i := range lives {
				lives[i] = legs(w.people.bySpawn(uint64(i + 1)))
			}
			s = w.Stats()
			shut(t, w)
		})
		return lives, s
	}
	v := newLives(m, DefaultSeed, LifeTown, 0)
	search := routes.NewSearcher(m)
	for _, tc := range []struct {
		name   string
		change func(*Options)
		shown  func(Stats) bool
	}{
		{"no zone is ever active", nil, func(s Stats) bool { return s.Activations == 0 && s.Activated == 0 }},
		{"visited", func(o *Options) { o.WanderingVisitors = 1 },
			func(s Stats) bool { return s.Activated > npcs && s.Deactivated > npcs }},
		{"woken late", func(o *Options) {
			o.Coordinator.MaxSpeed = false
			o.Coordinator.Pacing.TickRate, o.Coordinator.Pacing.TimeScale = loop.Hz(240), 16
			o.Stalls = Stalls{Every: 1, For: 600 * time.Millisecond, In: StallWakes}
		}, func(s Stats) bool { return s.Stalls > 2*npcs }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			lives, s := day(t, tc.change)
			if !tc.shown(s) {
				t.Errorf("the run has too little of what it is about: %d activations, %d woken, %d stalls", s.Activations, s.Activated, s.Stalls)
			}
			for i, ls := range lives {
				spawn := uint64(i + 1)
				var dues []loop.Tick
				for d := range uint32(3) {
					n := v.count(spawn, d)
					for e := range n {
						if due, ok := v.due(spawn, d, e, n); ok {
							dues = append(dues, due)
						}
					}
				}
				if err := followsSchedule(ls, dues, last, search); err != nil {
					t.Errorf("character %d: %v", spawn, err)
				}
			}
		})
	}
}

// followsSchedule says how a life until a tick and its schedule disagree.
func followsSchedule(ls []*routes.Leg, dues []loop.Tick, until loop.Tick, search *routes.Searcher) error {
	if !slices.IsSorted(dues) {
		return fmt.Errorf("dues don't ascend: %v", dues)
	}
	// next is the first entry due after t.
	next := func(t loop.Tick) loop.Tick {
		i, _ := slices.BinarySearch(dues, t+1)
		return dues[i]
	}
	walks := 0
	for i, l := range ls {
		if i == 0 {
			if l.Start != 0 || l.Kind != routes.Stay {
				return fmt.Errorf("the first leg starts at %d", l.Start)
			}
		} else if old := ls[i-1]; l.Start != old.End || l.Number != old.Number+1 || l.At(l.Start) != old.Place() {
			return fmt.Errorf("leg %d starts at %d and %v, leg %d ends at %d and %v", l.Number, l.Start, l.At(l.Start), old.Number, old.End, old.Place())
		}
		switch l.Kind {
		case routes.Stay:
			if want := next(l.Start); l.End != want {
				return fmt.Errorf("leg %d stays from %d until %d, the next entry is due at %d", l.Number, l.Start, l.End, want)
			}
		case routes.Route:
			walks++
			// Set out at the entry, or when back from the route that was under
			// way when it was due.
			old := ls[i-1]
			if due := next(old.Start); due > l.Start || old.Kind == routes.Stay && due != l.Start {
				return fmt.Errorf("leg %d sets out at %d, the entry is due at %d", l.Number, l.Start, due)
			}
			p, err := search.Find(routes.CellOf(old.Place()), routes.CellOf(l.Place()))
			if err != nil {
				return err
			}
			if l.End != l.Start+p.Ticks() {
				return fmt.Errorf("leg %d sets out at %d and arrives at %d, its way takes %d", l.Number, l.Start, l.End, p.Ticks())
			}
		}
	}
	if last := ls[len(ls)-1]; last.End <= until || walks < int(until/loop.TicksPerHour/4) {
		return fmt.Errorf("%d walks, until %d", walks, last.End)
	}
	return nil
}

// TestReplacedWakeDoesNothing has the wake for an active zone on the way
// replaced by an earlier one, and the zones fall asleep before it comes: the old
// wakes are ignored and counted, what is to come is registered anew.
func TestReplacedWakeDoesNothing(t *testing.T) {
	near, far := routes.ZoneKey{X: 1}, routes.ZoneKey{X: 2}
	for _, tc := range []struct {
		name       string
		unpin      []routes.ZoneKey
		registered uint64 // more than without zones
		wakes      uint64
		stale      uint64
	}{
		{"both asleep again", []routes.ZoneKey{near, far}, 2, 2, 1},
		// The old wake for the far zone and the new one are due at once: one notice.
		{"the nearer asleep again", []routes.ZoneKey{near}, 3, 2, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := held(t, 1, RushAt+6, nil)
				c := w.people.bySpawn(1)
				way := c.current().leg
				if way.Kind != routes.Route {
					t.Fatal("it isn't on its way")
				}
				enter := map[routes.ZoneKey]loop.Tick{}
				for _, p := range way.View(nil) {
					if enter[p.Zone] == 0 && p.Enter < p.Exit {
						enter[p.Zone] = p.Enter
					}
				}
				before := w.Stats()
				pin := func(on bool, zs ...routes.ZoneKey) {
					t.Helper()
					for _, z := range zs {
						if err := w.Pin(z, on); err != nil {
							t.Fatal(err)
						}
						synctest.Wait()
					}
				}
				pin(true, far)
				if n := w.Stats().Scheduler.Registered - before.Scheduler.Registered; n != 1 {
					t.Errorf("%d registered for the far zone", n)
				}
				pin(true, near)
				if n := w.Stats().Scheduler.Registered - before.Scheduler.Registered; n != 2 {
					t.Errorf("%d registered for both zones", n)
				}
				pin(false, tc.unpin...)
				for w.coord.Global() < enter[far]-1 {
					step(t, w, 1)
					if m := Mode(c.mode.Load()); m != Sleeping || c.current().leg != way {
						t.Fatalf("tick %d: it is %v", w.coord.Global(), m)
					}
				}
				step(t, w, 1)
				want := Active
				if slices.Contains(tc.unpin, far) {
					want = Sleeping
				}
				if m := Mode(c.mode.Load()); m != want {
					t.Errorf("it is %v where it enters the far zone, want %v", m, want)
				}
				pin(false, far)
				step(t, w, way.End-w.coord.Global()-1)
				after := w.Stats()
				if d := after.Scheduler.Registered - before.Scheduler.Registered; d < tc.registered || d > tc.registered+1 {
					t.Errorf("%d registered, want %d and perhaps the end of its leg", d, tc.registered)
				}
				if wakes, stale := after.Wakes-before.Wakes, after.Stale-before.Stale; wakes != tc.wakes || stale != tc.stale {
					t.Errorf("%d wakes, %d of them stale, want %d, %d", wakes, stale, tc.wakes, tc.stale)
				}
				if c.current().leg != way {
					t.Error("its leg was replaced")
				}
				step(t, w, 1)
				if l := c.current().leg; l.Start != way.End || l.Number != way.Number+1 {
					t.Errorf("at tick %d it is on leg %d from %d", way.End, l.Number, l.Start)
				}
				shut(t, w)
			})
		})
	}
}

// TestWakeOfAnOldPlanDoesNothing changes a character's plan on its way: the wake
// for the end of the old way comes, is counted as stale and does nothing, and the
// end of the new leg is registered and kept.
func TestWakeOfAnOldPlanDoesNothing(t *testing.T) {
	for name, order := range map[string]func(*World) error{
		"hold":    func(w *World) error { return w.Hold(1, 50) },
		"reroute": func(w *World) error { return w.Reroute(1, routes.Cell{X: 20, Y: 0}) },
		"cancel":  func(w *World) error { return w.Cancel(1) },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := held(t, 1, RushAt+70, nil)
				c := w.people.bySpawn(1)
				way := c.current().leg
				before := w.Stats()
				if err := order(w); err != nil {
					t.Fatal(err)
				}
				step(t, w, way.End-1-w.coord.Global())
				leg, stale := c.current().leg, w.Stats().Stale
				if leg == way || leg.End == way.End || leg.Generation < 2 {
					t.Fatalf("leg %d of plan %d, until %d, at the end of the old way at %d", leg.Number, leg.Generation, leg.End, way.End)
				}
				step(t, w, 1)
				if n := w.Stats().Stale - stale; n != 1 {
					t.Errorf("%d stale at the end of the old way", n)
				}
				if now := c.current().leg; now != leg {
					t.Errorf("at the end of the old way it goes over to leg %d from %d", now.Number, now.Start)
				}
				step(t, w, leg.End-1-w.coord.Global())
				if now := c.current().leg; now != leg {
					t.Errorf("before its end at %d it is on leg %d from %d", leg.End, now.Number, now.Start)
				}
				step(t, w, 1)
				if now := c.current().leg; now.Start != leg.End || now.Number != leg.Number+1 {
					t.Errorf("at %d it is on leg %d from %d", leg.End, now.Number, now.Start)
				}
				if s := w.Stats(); s.Scheduler.Registered == before.Scheduler.Registered || s.OpenDues != 0 {
					t.Errorf("%d registered, %d dues open", s.Scheduler.Registered-before.Scheduler.Registered, s.OpenDues)
				}
				shut(t, w)
			})
		})
	}
}

// comb is a map on which the only way from A to B is in A's and B's zone (side
// 8) three times.
func comb() *routes.Map {
	m := &routes.Map{Name: "comb", Width: 24, Height: 8, Cost: routes.DefaultCosts()}
	m.Terrain = slices.Repeat([]routes.Terrain{routes.Field}, 24*8)
	for row, gap := range map[int]int{1: 20, 3: 2, 5: 20} {
		for x := range 24 {
			if x != gap {
				m.Terrain[row*24+x] = routes.Wall
			}
		}
	}
	m.Places = []routes.Place{
		{Name: "A", Kind: routes.Home, Cell: routes.Cell{X: 1, Y: 0}},
		{Name: "B", Kind: routes.Work, Cell: routes.Cell{X: 1, Y: 6}},
	}
	return m
}

// TestZoneVisitedThreeTimes goes through one zone three times on a route that
// ends with a stay in it: three passages and one stay, which no visit adds to,
// and it is woken for each visit.
func TestZoneVisitedThreeTimes(t *testing.T) {
	o := bendOptions(morning)
	o.Map = comb()
	plain, _ := lived(t, o)
	way := firstRoute(t, plain)
	stay := plain[slices.Index(plain, way)+1]
	passages := way.Passages(nil)
	var visits []routes.ZonePassage
	at := way.Start
	for _, p := range passages {
		if p.Enter != at {
			t.Errorf("a passage enters at %d, the one before exits at %d", p.Enter, at)
		}
		at = p.Exit
		if p.Zone == (routes.ZoneKey{}) && p.Enter < p.Exit {
			visits = append(visits, p)
		}
		for tick := p.Enter; tick < p.Exit; tick++ {
			if z := routes.ZoneAt(way.At(tick), o.ZoneSide); z != p.Zone {
				t.Fatalf("at tick %d it is in %v, in a passage of %v", tick, z, p.Zone)
			}
		}
	}
	if at != way.End || len(visits) != 3 {
		t.Fatalf("%d visits until %d of a way until %d", len(visits), at, way.End)
	}
	// The way takes its own time, and the stay begins where it ends.
	if want := way.Path().Ticks(); way.End-way.Start != want || stay.Kind != routes.Stay || stay.Start != way.End {
		t.Errorf("the way takes %d ticks, its path %d; the next leg is a %v from %d", way.End-way.Start, want, stay.Kind, stay.Start)
	}
	if own := stay.Passages(nil); len(own) != 1 || own[0] != (routes.ZonePassage{Zone: routes.ZoneKey{}, Enter: stay.Start, Exit: stay.End}) {
		t.Errorf("passages of the stay: %v", own)
	}
	for _, tc := range []struct {
		last      loop.Tick
		active    int64
		activated uint64
	}{
		{visits[0].Exit - 1, 1, 1},
		{visits[1].Enter - 1, 0, 1},
		{visits[1].Enter, 1, 2},
		{visits[2].Enter - 1, 0, 2},
		{visits[2].Enter, 1, 3},
		{stay.Start, 1, 3},
		{stay.Start + (stay.End-stay.Start)/2, 1, 3},
	} {
		watched := o
		watched.Coordinator.LastTick = tc.last
		watched.Pins = []routes.ZoneKey{{}}
		ls, s := lived(t, watched)
		if s.Active != tc.active || s.Activated != tc.activated {
			t.Errorf("tick %d: %d active, woken %d times, want %d, %d", tc.last, s.Active, s.Activated, tc.active, tc.activated)
		}
		compareLegs(t, plain[:len(ls)], ls)
	}
}
