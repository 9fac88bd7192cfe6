package routes_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"chronoscope/loop"
	"chronoscope/routes"
)

// checkCut compares a leg that was cut at a tick with the whole one. stops are
// the times, since the start, at which the walk is on a centre, ascending.
func checkCut(t interface {
	Helper()
	Fatalf(string, ...any)
}, leg *routes.Leg, at loop.Tick, stops []uint64) {
	t.Helper()
	cut, end, stop := leg.Cut(at)
	// Ticks round up, so a centre reached within a tick is stood on at the next.
	i, _ := slices.BinarySearchFunc(stops, at, func(s uint64, at loop.Tick) int {
		if leg.Start+up(s) < at {
			return -1
		}
		return 1
	})
	if want := leg.Start + up(stops[i]); end != want {
		t.Fatalf("cut at %d of [%d, %d): ends at %d, want %d", at, leg.Start, leg.End, end, want)
	}
	if stop != routes.CellOf(stop).Center() {
		t.Fatalf("cut at %d: stops at %v, which is no centre", at, stop)
	}
	if end == leg.Start {
		if cut != nil || stop != leg.At(leg.Start) {
			t.Fatalf("cut at its start: %+v stops at %v", cut, stop)
		}
		return
	}
	if cut.Start != leg.Start || cut.End != end || cut.Place() != stop || cut.At(end) != stop ||
		cut.Number != leg.Number || cut.Owner != leg.Owner || cut.Generation != leg.Generation || cut.Kind != leg.Kind {
		t.Fatalf("cut at %d of %+v: %+v, stopping at %v", at, leg, cut, stop)
	}
	for u := leg.Start; u < end; u++ {
		if got, want := cut.At(u), leg.At(u); got != want {
			t.Fatalf("cut at %d: at %v at tick %d, uncut at %v", at, got, u, want)
		}
	}
	var zones []routes.ZoneKey
	for _, p := range checkPassages(t, cut, leg.Path().Side()) {
		if !slices.Contains(zones, p.Zone) {
			zones = append(zones, p.Zone)
		}
	}
	if got := cut.AppendZones(nil); !slices.Equal(got, zones) {
		t.Fatalf("cut at %d: touches %v, passes %v", at, got, zones)
	}
}

// up is a time in whole ticks, rounded up.
func up(time uint64) loop.Tick { return loop.Tick((time + 1<<32 - 1) >> 32) }

func TestCutRoute(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := mixedGrounds(12).Draw(t, "map")
		s := routes.NewSearcher(m)
		s.Side = rapid.Int32Range(1, 4).Draw(t, "side")
		p, err := s.Find(cells(m).Draw(t, "from"), cells(m).Draw(t, "to"))
		if err != nil {
			t.Skip(err)
		}
		var stops []uint64
		for i, time := range full(m, p).times {
			if i%2 == 0 {
				stops = append(stops, time)
			}
		}
		leg := routes.NewRoute(7, 3, p, loop.Tick(rapid.IntRange(0, 1000).Draw(t, "start")))
		leg.Generation = 5
		if p.Ticks() > up(stops[len(stops)-1]) {
			stops = append(stops, 1<<32) // the one tick of a way from a cell to itself
		}
		for at := leg.Start; at <= leg.End; at++ {
			checkCut(t, leg, at, stops)
		}
		// What was cut can be cut again, and counts its own steps.
		at := leg.Start + loop.Tick(rapid.IntRange(0, int(p.Ticks())).Draw(t, "cut"))
		cut, end, _ := leg.Cut(at)
		if cut == nil {
			return
		}
		i := slices.IndexFunc(stops, func(s uint64) bool { return leg.Start+up(s) == end })
		for again := leg.Start; again <= end; again++ {
			checkCut(t, cut, again, stops[:i+1])
		}
		if got := cut.Path(); p.Straight+p.Diagonal > 0 && (got.Straight+got.Diagonal != i || got.Cost != stops[i]/routes.TicksPerCell) {
			t.Fatalf("%d straight and %d diagonal steps of cost %d, want %d steps of cost %d", got.Straight, got.Diagonal, got.Cost, i, stops[i]/routes.TicksPerCell)
		}
		if got := cut.Path(); got.From != p.From || got.To != routes.CellOf(cut.Place()) || got.Side() != p.Side() {
			t.Fatalf("%+v", got)
		}
	})
}

// A way along any points is cut at one of its centres, or not at all.
func TestCutAnyPolyline(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := ways().Draw(t, "way").path(t)
		leg := routes.NewRoute(1, 1, p, 10)
		if leg.End-leg.Start > 5000 {
			t.Skip("too long to walk")
		}
		at := leg.Start + loop.Tick(rapid.IntRange(0, int(leg.End-leg.Start)).Draw(t, "at"))
		cut, end, stop := leg.Cut(at)
		if end < at || end > leg.End {
			t.Fatalf("cut at %d of [%d, %d): ends at %d", at, leg.Start, leg.End, end)
		}
		if end < leg.End && end > leg.Start && stop != routes.CellOf(stop).Center() {
			t.Fatalf("stops at %v", stop)
		}
		for u := leg.Start; cut != nil && u < end; u++ {
			a, b := cut.At(u), leg.At(u)
			if a != b {
				t.Fatalf("at %v at tick %d, uncut at %v", a, u, b)
			}
		}
	})
}

func TestCutStay(t *testing.T) {
	at := routes.Cell{X: 20, Y: -3}.Center()
	leg := routes.NewStay(7, 3, at, 100, loop.MaxTick, 16)
	leg.Generation = 2
	for _, tc := range []struct{ cut, end loop.Tick }{{0, 100}, {100, 100}, {101, 101}, {5000, 5000}} {
		got, end, stop := leg.Cut(tc.cut)
		if end != tc.end || stop != at {
			t.Errorf("cut at %d: ends at %d at %v", tc.cut, end, stop)
		}
		if end == leg.Start {
			if got != nil {
				t.Errorf("cut at %d: %+v is left of it", tc.cut, got)
			}
			continue
		}
		want := []routes.ZonePassage{{Zone: routes.ZoneKey{X: 1, Y: -1}, Enter: 100, Exit: tc.end}}
		if p := got.Passages(nil); !slices.Equal(p, want) || got.Number != 3 || got.Generation != 2 || got.Owner != 7 {
			t.Errorf("cut at %d: %+v with passages %v", tc.cut, got, p)
		}
	}
	if leg.End != loop.MaxTick {
		t.Error("the leg itself was changed")
	}
}
