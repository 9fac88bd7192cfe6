package routes_test

import (
	"cmp"
	"hash/fnv"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"chronoscope/routes"
)

// reference is the search as it is specified, word by word and as slow as that: a
// sorted list of visits by (estimate, larger cost so far, cell), a fixed order of
// neighbours, the goal tested on removal, from the lower to the higher cell. It
// gives the cells from the lower to the higher one.
func reference(m *routes.Map, from, to routes.Cell) []routes.Cell {
	number := func(c routes.Cell) int32 { return c.Y*m.Width + c.X }
	if number(from) > number(to) {
		from, to = to, from
	}
	half := func(c routes.Cell, diagonal bool) uint64 {
		if diagonal {
			return (m.Cost[m.At(c)]>>29*6074001000 + 8) >> 4
		}
		return m.Cost[m.At(c)] / 2
	}
	var least [2]uint64
	for y := range m.Height {
		for x := range m.Width {
			if c := (routes.Cell{X: x, Y: y}); m.Walkable(c) {
				for i := range least {
					if cost := 2 * half(c, i == 1); least[i] == 0 || cost < least[i] {
						least[i] = cost
					}
				}
			}
		}
	}
	type visit struct {
		f, g uint64
		c    routes.Cell
	}
	rest := func(c routes.Cell) uint64 {
		dx, dy := uint64(abs(c.X-to.X)), uint64(abs(c.Y-to.Y))
		return min(dx, dy)*least[1] + (max(dx, dy)-min(dx, dy))*least[0]
	}
	cost := map[routes.Cell]uint64{from: 0}
	before := map[routes.Cell]routes.Cell{}
	waiting := []visit{{rest(from), 0, from}}
	for len(waiting) > 0 {
		slices.SortFunc(waiting, func(a, b visit) int {
			return cmp.Or(cmp.Compare(a.f, b.f), cmp.Compare(b.g, a.g), cmp.Compare(number(a.c), number(b.c)))
		})
		v := waiting[0]
		waiting = waiting[1:]
		if v.g != cost[v.c] {
			continue
		}
		if v.c == to {
			way := []routes.Cell{to}
			for c := to; c != from; {
				c = before[c]
				way = append(way, c)
			}
			slices.Reverse(way)
			return way
		}
		for _, d := range [8]routes.Cell{{X: 1}, {X: 1, Y: 1}, {Y: 1}, {X: -1, Y: 1}, {X: -1}, {X: -1, Y: -1}, {Y: -1}, {X: 1, Y: -1}} {
			n := routes.Cell{X: v.c.X + d.X, Y: v.c.Y + d.Y}
			if !m.Walkable(n) || !m.Walkable(routes.Cell{X: n.X, Y: v.c.Y}) || !m.Walkable(routes.Cell{X: v.c.X, Y: n.Y}) {
				continue
			}
			diagonal := d.X != 0 && d.Y != 0
			g := v.g + half(v.c, diagonal) + half(n, diagonal)
			if old, seen := cost[n]; seen && old <= g {
				continue
			}
			cost[n], before[n] = g, v.c
			waiting = append(waiting, visit{g + rest(n), g, n})
		}
	}
	return nil
}

// Between equally cheap ways the search takes the one that is specified, however
// its queue works inside.
func TestSearchTakesTheSpecifiedWay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := mixedGrounds(10).Draw(t, "map")
		from, to := cells(m).Draw(t, "from"), cells(m).Draw(t, "to")
		p, err := routes.NewSearcher(m).Find(from, to)
		if err != nil {
			t.Skip("no way")
		}
		want := reference(m, from, to)
		if want[0] != from {
			slices.Reverse(want)
		}
		got := []routes.Cell{from}
		w := full(m, p)
		for i := 2; i < len(w.points); i += 2 {
			got = append(got, routes.CellOf(w.points[i]))
		}
		if !slices.Equal(got, want) {
			t.Fatalf("got %v\nwant %v", got, want)
		}
	})
}

// Golden value: recorded worlds depend on every path staying as it is.
func TestPathsStayAsTheyAre(t *testing.T) {
	m := townLike(96)
	s := routes.NewSearcher(m)
	h := fnv.New64a()
	for _, trip := range sampleTrips(m, 100, 12345) {
		p, err := s.Find(trip[0], trip[1])
		if err != nil {
			t.Fatal(err)
		}
		for i, point := range p.Points() {
			for _, v := range [4]uint64{uint64(uint32(point.X)), uint64(uint32(point.Y)), p.Times()[i], uint64(p.Ticks())} {
				for b := 0; b < 64; b += 8 {
					h.Write([]byte{byte(v >> b)})
				}
			}
		}
	}
	const golden = 0x35e4e1a09469d65b
	if got := h.Sum64(); got != golden {
		t.Errorf("paths fold to %#x, were %#x", got, uint64(golden))
	}
}
