package world_test

import (
	"cmp"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"chronoscope/loop"
	"chronoscope/routes"
	"chronoscope/world"
)

// TestInspectZone compares what is told of each zone with what everybody's legs
// say.
func TestInspectZone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const npcs = 300
		o := shortMemory(npcs, 2, 2)
		o.Life, o.ActiveBudget = world.LifeRush, 40
		b := halted(t, o)
		b.pass(t, world.RushAt-30)
		pins := []routes.ZoneKey{{X: 3, Y: 3}, {X: 4, Y: 3}}
		b.pin(t, true, pins...)
		b.settle(t)
		since := b.Coordinator().Global()
		b.pass(t, 200)
		now := b.Coordinator().Global()
		alive := b.living()
		classes := map[uint8]int{}
		for _, z := range everyZone(o) {
			d, ok := b.InspectZone(z, npcs)
			if !ok {
				t.Fatalf("zone %v is not there", z)
			}
			if pinned := slices.Contains(pins, z); d.Zone != z || d.Active != pinned || d.Pinned != pinned || d.Near || d.Camera ||
				(d.Since == since) != pinned || (d.Activation != 0) != pinned {
				t.Fatalf("zone %v: %+v", z, d.ZoneMark)
			}
			type want struct {
				class uint8
				key   loop.Tick
				spawn uint64
			}
			var wants []want
			refined := 0
			for spawn, m := range alive {
				if !m.Leg.Touches(z) {
					continue
				}
				if m.Leg.Refined() {
					refined++
				}
				inside := false
				w := want{3, 0, spawn}
				for _, p := range m.Leg.View(nil) {
					switch {
					case p.Zone != z:
					case p.Enter <= now && now < p.Exit:
						w = want{2, m.Leg.Start, spawn}
						if m.Leg.Kind == routes.Route {
							w.class = 0
						}
						inside = true
					case inside:
					case p.Enter > now && w.class == 3:
						w = want{1, p.Enter, spawn}
					case w.class == 3:
						w.key = loop.MaxTick - p.Exit
					}
				}
				wants = append(wants, w)
				classes[w.class]++
			}
			slices.SortFunc(wants, func(a, b want) int {
				return cmp.Or(cmp.Compare(a.class, b.class), cmp.Compare(a.key, b.key), cmp.Compare(a.spawn, b.spawn))
			})
			if d.Legs != len(wants) || d.Refined != refined || len(d.Rows) != len(wants) {
				t.Fatalf("zone %v: %d legs, %d refined, %d rows; want %d and %d", z, d.Legs, d.Refined, len(d.Rows), len(wants), refined)
			}
			for i, r := range d.Rows {
				if r.Spawn != wants[i].spawn || r.Mode != alive[r.Spawn].Mode || r.Detailed != alive[r.Spawn].Detailed || r.Refined != r.Leg.Refined() {
					t.Fatalf("zone %v row %d: character %d, want %+v", z, i, r.Spawn, wants[i])
				}
				var there []routes.ZonePassage
				for _, p := range r.Leg.View(nil) {
					if p.Zone == z {
						there = append(there, p)
					}
				}
				if !slices.Equal(r.Passages, there) {
					t.Fatalf("zone %v row %d: %v, want %v", z, i, r.Passages, there)
				}
			}
			for _, limit := range []int{0, 1, 5} {
				d, _ := b.InspectZone(z, limit)
				if len(d.Rows) != min(limit, len(wants)) || limit > 0 && len(d.Rows) > 0 && d.Rows[0].Spawn != wants[0].spawn {
					t.Fatalf("zone %v: %d rows of at most %d", z, len(d.Rows), limit)
				}
			}
		}
		if classes[0]+classes[2] < npcs || classes[0] < 50 || classes[1] < 50 || classes[3] < 50 {
			t.Errorf("too few to tell: %v", classes)
		}
		d, _ := b.InspectZone(pins[0], 1)
		if s := b.Stats(); d.Refinements != s.Refinements || d.RefineMean != s.RefineMean || d.RefineP99 != s.RefineP99 || d.Refinements == 0 {
			t.Errorf("%d refinements, %v and %v", d.Refinements, d.RefineMean, d.RefineP99)
		}
		if _, ok := b.InspectZone(routes.ZoneKey{X: -1}, 5); ok {
			t.Error("a zone outside the map")
		}
		b.close().sound(t)
	})
}

// TestLegsAndHeat counts legs zone by zone, and lists them for rectangles.
func TestLegsAndHeat(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := shortMemory(200, 2, 2)
		o.Life = world.LifeRush
		b := halted(t, o)
		b.pass(t, world.RushAt+300)
		alive := b.living()
		for _, r := range []struct{ lo, hi routes.ZoneKey }{
			{routes.ZoneKey{}, routes.ZoneKey{X: 7, Y: 7}},
			{routes.ZoneKey{X: 2, Y: 3}, routes.ZoneKey{X: 4, Y: 3}},
			{routes.ZoneKey{X: 5, Y: 5}, routes.ZoneKey{X: 5, Y: 5}},
			{routes.ZoneKey{X: -3, Y: -2}, routes.ZoneKey{X: 1, Y: 12}},
			{routes.ZoneKey{X: 20, Y: 20}, routes.ZoneKey{X: 22, Y: 21}},
			{routes.ZoneKey{X: 3, Y: 3}, routes.ZoneKey{X: 2, Y: 2}},
		} {
			var heat []int32
			var want []uint64
			seen := map[uint64]bool{}
			for y := r.lo.Y; y <= r.hi.Y; y++ {
				for x := r.lo.X; x <= r.hi.X; x++ {
					n := int32(0)
					for spawn, m := range alive {
						if m.Leg.Touches(routes.ZoneKey{X: x, Y: y}) {
							n++
							if !seen[spawn] {
								want = append(want, spawn)
							}
							seen[spawn] = true
						}
					}
					heat = append(heat, n)
				}
			}
			if got := b.Heat(r.lo, r.hi, []int32{7}); !slices.Equal(got, append([]int32{7}, heat...)) {
				t.Errorf("%v: heat %v, want %v", r, got, heat)
			}
			first := routes.NewStay(1, 1, routes.Point{}, 0, 1, 8)
			for _, limit := range []int{-1, 0, 3, 1000} {
				got := b.LegsIn(r.lo, r.hi, limit, []*routes.Leg{first})
				if got[0] != first {
					t.Fatal("what was there before is gone")
				}
				listed := map[*routes.Leg]bool{}
				for _, leg := range got[1:] {
					listed[leg] = true
				}
				n := min(max(limit, 0), len(want))
				if len(got) != n+1 || len(listed) != n {
					t.Errorf("%v: %d legs of at most %d, %d different; there are %d", r, len(got)-1, limit, len(listed), len(want))
				}
				for spawn, m := range alive {
					if listed[m.Leg] && !seen[spawn] || limit == 1000 && listed[m.Leg] != seen[spawn] {
						t.Errorf("%v: character %d", r, spawn)
					}
				}
			}
		}
		b.close().sound(t)
	})
}

// TestLooksAllocateNothing has all that a window reads for each frame.
func TestLooksAllocateNothing(t *testing.T) {
	o := shortMemory(300, 2, 2)
	o.Pins = everyZone(o)[:20]
	b := open(t, o)
	defer b.close()
	for len(b.Zones(nil)) < len(o.Pins) {
		time.Sleep(time.Millisecond) // the keeper is on its way
	}
	v := b.Viewer()
	marks := make([]world.Mark, 0, 1000)
	legs := make([]*routes.Leg, 0, 5000)
	zones := make([]world.ZoneMark, 0, 100)
	heat := make([]int32, 0, 100)
	for name, look := range map[string]func(){
		"a part of the map": func() { marks = v.Visible(routes.Cell{X: 20, Y: 20}, routes.Cell{X: 40, Y: 40}, marks[:0]) },
		"the whole map":     func() { marks = v.Visible(routes.Cell{}, routes.Cell{X: 63, Y: 63}, marks[:0]) },
		"zones":             func() { zones = b.Zones(zones[:0]) },
		"heat":              func() { heat = b.Heat(routes.ZoneKey{}, routes.ZoneKey{X: 7, Y: 7}, heat[:0]) },
		"legs":              func() { legs = b.LegsIn(routes.ZoneKey{}, routes.ZoneKey{X: 7, Y: 7}, 200, legs[:0]) },
	} {
		if n := testing.AllocsPerRun(20, look); n >= 1 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
	if len(marks) == 0 || len(zones) == 0 || len(heat) != 64 || len(legs) != 200 {
		t.Errorf("%d marks, %d zones, %d heats, %d legs", len(marks), len(zones), len(heat), len(legs))
	}
}
