package routes_test

import (
	"testing"

	"pgregory.net/rapid"

	"chronoscope/routes"
)

// random is a small generator for tests (xorshift): the same numbers everywhere.
type random uint64

func (r *random) next() uint64 {
	*r ^= *r << 13
	*r ^= *r >> 7
	*r ^= *r << 17
	return uint64(*r)
}

func (r *random) below(n int) int { return int((r.next() >> 11) % uint64(n)) }

// letters are the kinds of ground in drawings of maps.
var letters = map[byte]routes.Terrain{
	'.': routes.Field, '-': routes.Road, 'f': routes.Forest, 's': routes.Swamp, '#': routes.Wall, '~': routes.Water,
}

// draw makes a map from rows of letters.
func draw(t testing.TB, rows ...string) *routes.Map {
	t.Helper()
	m := &routes.Map{Width: int32(len(rows[0])), Height: int32(len(rows)), Cost: routes.DefaultCosts()}
	for _, row := range rows {
		for i := range len(row) {
			kind, ok := letters[row[i]]
			if !ok {
				t.Fatalf("no ground %q", row[i])
			}
			m.Terrain = append(m.Terrain, kind)
		}
	}
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	return m
}

// mixedGrounds draws small maps of mixed ground with at least one walkable cell.
func mixedGrounds(most int32) *rapid.Generator[*routes.Map] {
	return rapid.Custom(func(t *rapid.T) *routes.Map {
		w, h := rapid.Int32Range(1, most).Draw(t, "width"), rapid.Int32Range(1, most).Draw(t, "height")
		kinds := []routes.Terrain{routes.Field, routes.Field, routes.Road, routes.Forest, routes.Swamp, routes.Wall, routes.Water}
		m := &routes.Map{Width: w, Height: h, Cost: routes.DefaultCosts()}
		m.Terrain = rapid.SliceOfN(rapid.SampledFrom(kinds), int(w*h), int(w*h)).Draw(t, "terrain")
		m.Terrain[rapid.IntRange(0, int(w*h)-1).Draw(t, "open")] = routes.Field
		if rapid.Bool().Draw(t, "uniform") {
			m.Cost = routes.UniformCosts()
		}
		return m
	})
}

// cells draws cells of m.
func cells(m *routes.Map) *rapid.Generator[routes.Cell] {
	return rapid.Custom(func(t *rapid.T) routes.Cell {
		return routes.Cell{X: rapid.Int32Range(0, m.Width-1).Draw(t, "x"), Y: rapid.Int32Range(0, m.Height-1).Draw(t, "y")}
	})
}

// townLike is a map with the features that matter to a search: a grid of roads,
// blocks of houses, a wood, a swamp, and a river with three bridges.
func townLike(size int32) *routes.Map {
	m := &routes.Map{Name: "town-like", Width: size, Height: size, Cost: routes.DefaultCosts(), Terrain: make([]routes.Terrain, size*size)}
	r := random(88172645463325252)
	for y := range size {
		for x := range size {
			kind := routes.Field
			switch {
			case y >= size/2-3 && y <= size/2+3:
				kind = routes.Water
				if x%(size/3) < 3 {
					kind = routes.Bridge
				}
			case x%32 < 2 || y%32 < 2:
				kind = routes.Road
			case x > size/4 && x < 3*size/4 && x%8 < 5 && y%8 < 5:
				kind = routes.House
			case x <= size/4 && y < size/2:
				kind = routes.Forest
				if r.below(5) == 0 {
					kind = routes.Tree
				}
			case x >= 3*size/4 && y > size/2:
				kind = routes.Swamp
			}
			m.Terrain[y*size+x] = kind
		}
	}
	return m
}
