package routes_test

import (
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"

	"chronoscope/routes"
)

// The index holds exactly what brute force holds, whatever is put in and taken
// out: on the map and off it, with zones in an array and in maps.
func TestIndexAgainstBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := &routes.Map{Width: rapid.Int32Range(1, 12).Draw(t, "width"), Height: rapid.Int32Range(1, 12).Draw(t, "height")}
		if rapid.IntRange(0, 9).Draw(t, "large") == 0 {
			m.Width, m.Height = 1<<13, 1<<11 // too many zones for the array at sides below 4
		}
		var x *routes.Index
		var living []*routes.Leg
		var zones = map[routes.ZoneKey]map[*routes.Leg]bool{}
		side := rapid.Int32Range(1, 5).Draw(t, "side")
		x = routes.NewIndex(m, side)
		check := func() {
			entries := 0
			for z, legs := range zones {
				want := slices.Collect(maps.Keys(legs))
				got := x.Lookup(z, nil)
				if len(got) != len(want) || x.Count(z) != len(want) {
					t.Fatalf("zone %v: %d legs, counted %d, want %d", z, len(got), x.Count(z), len(want))
				}
				for _, l := range got {
					if !legs[l] {
						t.Fatalf("zone %v has leg %d of %d", z, l.Number, l.Owner)
					}
				}
				entries += len(want)
			}
			st := x.Stats()
			if st.Entries != entries || st.Dead > entries/3+6*len(zones) || entries > 0 && st.BytesPerEntry() < 8 {
				t.Fatalf("%d entries in %d zones: %+v", entries, len(zones), st)
			}
		}
		for range rapid.IntRange(1, 60).Draw(t, "changes") {
			if len(living) > 0 && rapid.IntRange(0, 2).Draw(t, "remove") == 0 {
				i := rapid.IntRange(0, len(living)-1).Draw(t, "which")
				l := living[i]
				living = slices.Delete(living, i, i+1)
				x.Remove(l)
				x.Remove(l) // once is enough
				x.Insert(l) // and for good
				for z := range l.ForEachZone {
					delete(zones[z], l)
				}
				continue
			}
			var l *routes.Leg
			if rapid.Bool().Draw(t, "stay") {
				at := routes.Point{X: rapid.Int32Range(-3000, 16000).Draw(t, "x"), Y: rapid.Int32Range(-3000, 16000).Draw(t, "y")}
				l = routes.NewStay(1, uint32(len(living)), at, 0, 10, side)
			} else {
				w := ways().Draw(t, "way")
				w.side = side
				l = routes.NewRoute(2, uint32(len(living)), w.path(t), 0)
			}
			x.Insert(l)
			x.Insert(l)
			living = append(living, l)
			for z := range l.ForEachZone {
				if zones[z] == nil {
					zones[z] = map[*routes.Leg]bool{}
				}
				zones[z][l] = true
			}
			if rapid.IntRange(0, 4).Draw(t, "look") == 0 {
				check()
			}
		}
		check()
		for _, l := range living {
			x.Remove(l)
			for z := range l.ForEachZone {
				delete(zones[z], l)
			}
		}
		check()
		if st := x.Stats(); st.Entries != 0 || st.Dead != 0 || st.BytesPerEntry() != 0 {
			t.Fatalf("emptied: %+v", st)
		}
	})
}

func TestIndexZones(t *testing.T) {
	m := &routes.Map{Width: 33, Height: 16}
	x := routes.NewIndex(m, 0)
	low, high := x.Zones()
	if low != (routes.ZoneKey{}) || high != (routes.ZoneKey{X: 2, Y: 0}) || x.Side() != routes.DefaultZoneSide || x.ZoneCount() != 3 {
		t.Errorf("zones %v to %v, %d of side %d", low, high, x.ZoneCount(), x.Side())
	}
	for _, test := range []struct {
		zone routes.ZoneKey
		id   int
		ok   bool
	}{
		{routes.ZoneKey{}, 0, true}, {routes.ZoneKey{X: 2}, 2, true},
		{routes.ZoneKey{X: 3}, 0, false}, {routes.ZoneKey{X: -1}, 0, false}, {routes.ZoneKey{Y: 1}, 0, false}, {routes.ZoneKey{Y: -1}, 0, false},
	} {
		if id, ok := x.ZoneID(test.zone); id != test.id || ok != test.ok {
			t.Errorf("zone %v: %d, %v", test.zone, id, ok)
		}
	}
	y := routes.NewIndex(&routes.Map{Width: 8, Height: 8}, 4)
	if id, ok := y.ZoneID(routes.ZoneKey{X: 1, Y: 1}); id != 3 || !ok {
		t.Errorf("the last of 2 x 2 zones: %d, %v", id, ok)
	}
}

// Legs come and go in several goroutines while others look: what was there
// before a look began and stays is found, what was taken out before is not.
func TestIndexConcurrently(t *testing.T) {
	m := &routes.Map{Width: 64, Height: 64}
	x := routes.NewIndex(m, 16)
	at := func(i int) routes.Point { return routes.Cell{X: int32(i*7%96) - 16, Y: int32(i * 3 % 64)}.Center() }
	var stays []*routes.Leg
	for i := range 50 {
		stays = append(stays, routes.NewStay(uint64(i), 1, at(i), 0, 10, 16))
		x.Insert(stays[i])
	}
	var writers, readers sync.WaitGroup
	var over atomic.Bool
	for g := range 3 {
		writers.Go(func() {
			r := random(g + 1)
			for i := range 3000 {
				a, b := at(r.below(500)), at(r.below(500))
				p, err := routes.NewPath([]routes.Point{a, b}, []uint64{0, 20 * routes.PlainCost}, 16)
				if err != nil {
					t.Error(err)
					return
				}
				l := routes.NewRoute(uint64(100+g), uint32(i), p, 0)
				x.Insert(l)
				zone := p.Zones()[r.below(len(p.Zones()))]
				if !slices.Contains(x.Lookup(zone, nil), l) {
					t.Errorf("leg %d of %d isn't where it was put", i, g)
				}
				x.Remove(l)
				if slices.Contains(x.Lookup(zone, nil), l) {
					t.Errorf("leg %d of %d is where it was taken out", i, g)
				}
			}
		})
	}
	for range 2 {
		readers.Go(func() {
			var found []*routes.Leg
			for i := 0; !over.Load(); i++ {
				l := stays[i%len(stays)]
				zone := routes.ZoneAt(l.Place(), 16)
				if found = x.Lookup(zone, found[:0]); !slices.Contains(found, l) {
					t.Errorf("stay %d is gone", i%len(stays))
				}
				x.Count(zone)
				x.Stats()
			}
		})
	}
	writers.Wait()
	over.Store(true)
	readers.Wait()
	st := x.Stats()
	if st.Entries != 50 || st.Dead > 50/3+6*24 || st.Cleaned == 0 {
		t.Errorf("%+v", st)
	}
}

// An emptied zone off the map leaves nothing behind: whoever wanders about there
// doesn't fill the memory.
func TestIndexForgetsZonesOffTheMap(t *testing.T) {
	x := routes.NewIndex(&routes.Map{Width: 16, Height: 16}, 16)
	first := routes.NewStay(1, 1, routes.Point{}, 0, 1, 16)
	x.Insert(first) // makes the first piece of the table of legs
	x.Remove(first)
	empty := x.Stats().Bytes
	for i := range int32(1000) {
		l := routes.NewStay(1, 1, routes.Cell{X: -16 * i, Y: 16 * i}.Center(), 0, 1, 16)
		x.Insert(l)
		x.Remove(l)
	}
	if st := x.Stats(); st.Bytes != empty {
		t.Errorf("%d bytes, empty it had %d", st.Bytes, empty)
	}
}

func TestIndexAllocatesNothingInALookup(t *testing.T) {
	x := routes.NewIndex(&routes.Map{Width: 16, Height: 16}, 16)
	for i := range 100 {
		x.Insert(routes.NewStay(uint64(i), 1, routes.Point{}, 0, 1, 16))
	}
	dst := make([]*routes.Leg, 0, 100)
	if n := testing.AllocsPerRun(100, func() { dst = x.Lookup(routes.ZoneKey{}, dst[:0]) }); n != 0 || len(dst) != 100 {
		t.Errorf("%v allocations, %d legs", n, len(dst))
	}
}
