package routes_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"chronoscope/routes"
)

// cheapest is the least cost between two cells by a method as plain as can be:
// relax every step until nothing improves. false: no way.
func cheapest(m *routes.Map, from, to routes.Cell) (uint64, bool) {
	const root = 6074001000 // sqrt(2) with 32 fractional bits
	if math.Abs(float64(root)/(1<<32)-math.Sqrt2) > 0.5/(1<<32) {
		panic("sqrt(2) isn't rounded to 32 bits")
	}
	costs := make(map[routes.Cell]uint64)
	if m.Walkable(from) {
		costs[from] = 0
	}
	for changed := true; changed; {
		changed = false
		for y := range m.Height {
			for x := range m.Width {
				c := routes.Cell{X: x, Y: y}
				g, known := costs[c]
				if !known {
					continue
				}
				for dy := int32(-1); dy <= 1; dy++ {
					for dx := int32(-1); dx <= 1; dx++ {
						n := routes.Cell{X: x + dx, Y: y + dy}
						if dx == 0 && dy == 0 || !m.Walkable(n) || !m.Walkable(routes.Cell{X: x + dx, Y: y}) || !m.Walkable(routes.Cell{X: x, Y: y + dy}) {
							continue
						}
						step := m.Cost[m.At(c)]/2 + m.Cost[m.At(n)]/2
						if dx != 0 && dy != 0 {
							// All costs here are multiples of 1/8, so this is exact up to
							// the last bit of each half.
							step = (m.Cost[m.At(c)]>>29*root + 8) >> 4
							step += (m.Cost[m.At(n)]>>29*root + 8) >> 4
						}
						if old, known := costs[n]; !known || g+step < old {
							costs[n] = g + step
							changed = true
						}
					}
				}
			}
		}
	}
	g, ok := costs[to]
	return g, ok
}

// Found paths are as cheap as can be, and there is none exactly where brute force
// finds none. One searcher serves all searches on its map.
func TestSearchAgainstBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := mixedGrounds(9).Draw(t, "map")
		s := routes.NewSearcher(m)
		for range 4 {
			from, to := cells(m).Draw(t, "from"), cells(m).Draw(t, "to")
			want, ok := cheapest(m, from, to)
			p, err := s.Find(from, to)
			if ok != (err == nil) {
				t.Fatalf("found: %v, brute force: %v", err, ok)
			}
			if err == nil && p.Cost != want {
				t.Fatalf("%v to %v costs %d, should cost %d", from, to, p.Cost, want)
			}
		}
	})
}

// A path is a function of (map, from, to) alone, and the way back is the way
// there.
func TestSearchIsPure(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := mixedGrounds(12).Draw(t, "map")
		used := routes.NewSearcher(m)
		for range 3 {
			used.Find(cells(m).Draw(t, "a"), cells(m).Draw(t, "b"))
		}
		from, to := cells(m).Draw(t, "from"), cells(m).Draw(t, "to")
		p, err := used.Find(from, to)
		if err != nil {
			t.Skip("no way")
		}
		fresh, err := routes.NewSearcher(m).Find(from, to)
		if err != nil || !slices.Equal(p.Points(), fresh.Points()) || !slices.Equal(p.Times(), fresh.Times()) {
			t.Fatalf("a used searcher found %v, a fresh one %v, %v", p.Points(), fresh.Points(), err)
		}
		back, err := used.Find(to, from)
		if err != nil {
			t.Fatal(err)
		}
		mirrored := slices.Clone(back.Points())
		slices.Reverse(mirrored)
		if !slices.Equal(p.Points(), mirrored) {
			t.Fatalf("there %v, back %v", p.Points(), mirrored)
		}
		if p.Cost != back.Cost || p.Ticks() != back.Ticks() || p.From != back.To || p.To != back.From {
			t.Fatal("there and back differ in cost, time or ends")
		}
	})
}

// What readers of grids have got wrong elsewhere, one map each.
func TestSearchPitfalls(t *testing.T) {
	type want struct{ straight, diagonal int }
	none := want{-1, -1}
	tests := []struct {
		name     string
		rows     []string
		from, to routes.Cell
		want     want
	}{
		{"a corner isn't cut", []string{
			"..",
			"#.",
		}, routes.Cell{X: 0, Y: 0}, routes.Cell{X: 1, Y: 1}, want{2, 0}},
		{"two corners aren't squeezed through", []string{
			".#",
			"#.",
		}, routes.Cell{X: 0, Y: 0}, routes.Cell{X: 1, Y: 1}, none},
		{"no wrap at the right border", []string{
			".#.",
			".#.",
			".#.",
		}, routes.Cell{X: 2, Y: 0}, routes.Cell{X: 0, Y: 1}, none},
		{"no wrap around, the long way is taken", []string{
			"..#..",
			"..#..",
			".....",
		}, routes.Cell{X: 0, Y: 0}, routes.Cell{X: 4, Y: 0}, want{4, 2}},
		{"x is the column", []string{
			".....",
			"####.",
		}, routes.Cell{X: 0, Y: 0}, routes.Cell{X: 4, Y: 1}, want{5, 0}},
		{"a single row", []string{"......"}, routes.Cell{X: 5, Y: 0}, routes.Cell{X: 0, Y: 0}, want{5, 0}},
		{"a single column", []string{".", ".", "."}, routes.Cell{X: 0, Y: 2}, routes.Cell{X: 0, Y: 0}, want{2, 0}},
		{"nowhere to go", []string{"."}, routes.Cell{}, routes.Cell{}, want{0, 0}},
		{"the goal counts when it is removed, not when it is first seen", []string{
			"...",
			"...",
			".f-",
		}, routes.Cell{X: 0, Y: 0}, routes.Cell{X: 1, Y: 2}, want{1, 1}},
		{"a cell first seen at a high cost is queued again at a lower one", []string{
			".....",
			".....",
			".-...",
			".....",
			".....",
			".....",
		}, routes.Cell{X: 0, Y: 0}, routes.Cell{X: 2, Y: 5}, want{3, 2}},
		{"round the swamp", []string{
			".ss.",
			"....",
		}, routes.Cell{X: 0, Y: 0}, routes.Cell{X: 3, Y: 0}, want{1, 2}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			m := draw(t, test.rows...)
			s := routes.NewSearcher(m)
			for try := range 2 { // a second search on the same grid as well
				p, err := s.Find(test.from, test.to)
				if test.want == none {
					if !errors.Is(err, routes.ErrUnreachable) {
						t.Fatalf("search %d: %v, %v; want ErrUnreachable", try+1, p, err)
					}
					continue
				}
				if err != nil {
					t.Fatalf("search %d: %v", try+1, err)
				}
				if cost, _ := cheapest(m, test.from, test.to); p.Cost != cost {
					t.Fatalf("search %d: cost %d along %v, brute force finds %d", try+1, p.Cost, p.Points(), cost)
				}
				if got := (want{p.Straight, p.Diagonal}); got != test.want {
					t.Fatalf("search %d: %+v steps along %v, want %+v", try+1, got, p.Points(), test.want)
				}
			}
		})
	}
}

func TestSearchErrors(t *testing.T) {
	m := draw(t,
		".#.",
		".#.")
	s := routes.NewSearcher(m)
	a, wall, b := routes.Cell{X: 0, Y: 0}, routes.Cell{X: 1, Y: 1}, routes.Cell{X: 2, Y: 1}
	for _, test := range []struct {
		name     string
		from, to routes.Cell
		want     error
		text     string
	}{
		{"from outside", routes.Cell{X: -1, Y: 0}, a, routes.ErrOutside, "routes: not on the map: cell -1,0 of 3 x 2"},
		{"to outside", a, routes.Cell{X: 0, Y: 2}, routes.ErrOutside, "routes: not on the map: cell 0,2 of 3 x 2"},
		{"from blocked", wall, a, routes.ErrBlocked, "routes: not walkable: cell 1,1"},
		{"to blocked", a, wall, routes.ErrBlocked, "routes: not walkable: cell 1,1"},
		{"no way", a, b, routes.ErrUnreachable, "routes: no way between cells 0,0 and 2,1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			p, err := s.Find(test.from, test.to)
			if !errors.Is(err, test.want) || err.Error() != test.text || p != nil {
				t.Errorf("got %v, %v; want %q", p, err, test.text)
			}
		})
	}
}

// 239 straight steps are longer than 169 diagonal ones by a 1/3000 of a step:
// with 10 fractional bits they compare the wrong way round.
func TestRootIsFineEnough(t *testing.T) {
	m := &routes.Map{Width: 240, Height: 170, Cost: routes.UniformCosts(), Terrain: make([]routes.Terrain, 240*170)}
	for i := range m.Terrain {
		m.Terrain[i] = routes.Field
	}
	s := routes.NewSearcher(m)
	straight, err := s.Find(routes.Cell{}, routes.Cell{X: 239})
	if err != nil {
		t.Fatal(err)
	}
	diagonal, err := s.Find(routes.Cell{}, routes.Cell{X: 169, Y: 169})
	if err != nil {
		t.Fatal(err)
	}
	if straight.Straight != 239 || diagonal.Diagonal != 169 {
		t.Fatalf("%d straight, %d diagonal steps", straight.Straight, diagonal.Diagonal)
	}
	if (straight.Cost < diagonal.Cost) != (straight.Length() < diagonal.Length()) {
		t.Errorf("costs %d and %d, lengths %v and %v", straight.Cost, diagonal.Cost, straight.Length(), diagonal.Length())
	}
}

// On mixed ground the cheaper way is taken, not the shorter one, and time follows
// the ground.
func TestSearchPrefersRoads(t *testing.T) {
	m := draw(t,
		"sssssss",
		"s#####s",
		"-------")
	p, err := routes.NewSearcher(m).Find(routes.Cell{X: 0, Y: 0}, routes.Cell{X: 6, Y: 0})
	if err != nil {
		t.Fatal(err)
	}
	// Half a swamp cell, one whole, half of it and half a road cell, 6 road
	// cells, and back up.
	want := 2*(2*2.5+0.5*0.625-0.5*2.5) + 6*0.625
	if got := float64(p.Cost) / float64(routes.PlainCost); got != want {
		t.Errorf("cost %v, want %v", got, want)
	}
	if p.Straight != 10 {
		t.Errorf("%d steps, want 10", p.Straight)
	}
}
