package routes_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"chronoscope/routes"
)

func TestMapValidate(t *testing.T) {
	good := func() *routes.Map {
		return &routes.Map{Width: 2, Height: 1, Terrain: []routes.Terrain{routes.Wall, routes.Field}, Cost: routes.DefaultCosts(),
			Places: []routes.Place{{Name: "door", Cell: routes.Cell{X: 1}}}}
	}
	if err := good().Validate(); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name  string
		spoil func(*routes.Map)
		want  string
	}{
		{"no width", func(m *routes.Map) { m.Width = 0 }, "routes: map size 0 x 1: each side must be at least 1 and the product at most 33554432 cells"},
		{"negative height", func(m *routes.Map) { m.Height = -1 }, "routes: map size 2 x -1: each side must be at least 1 and the product at most 33554432 cells"},
		{"too large", func(m *routes.Map) { m.Width, m.Height = math.MaxInt32, math.MaxInt32 }, "routes: map size 2147483647 x 2147483647: each side must be at least 1 and the product at most 33554432 cells"},
		{"terrain missing", func(m *routes.Map) { m.Terrain = m.Terrain[:1] }, "routes: map of 2 x 1 has terrain for 1 cells: must be 2"},
		{"unknown terrain", func(m *routes.Map) { m.Terrain[1] = 13 }, "routes: terrain of cell 1,0 is 13: must be below 13"},
		{"void walkable", func(m *routes.Map) { m.Cost[routes.Void] = routes.PlainCost }, "routes: cost of void 4294967296: must be 0"},
		{"too cheap", func(m *routes.Map) { m.Cost[routes.Road] = 1 }, "routes: cost of terrain 2 is 1: must be 0 or 268435456..68719476736"},
		{"too dear", func(m *routes.Map) { m.Cost[routes.Road] = routes.MaxCost + 1 }, "routes: cost of terrain 2 is 68719476737: must be 0 or 268435456..68719476736"},
		{"nowhere to walk", func(m *routes.Map) { m.Terrain[1] = routes.Water }, "routes: no walkable cell: map of 2 x 1"},
		{"place off the map", func(m *routes.Map) { m.Places[0].Cell.X = 2 }, `routes: place 0 "door" at 2,0: not on the map of 2 x 1`},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := good()
			test.spoil(m)
			if err := m.Validate(); err == nil || err.Error() != test.want {
				t.Errorf("got %v, want %s", err, test.want)
			}
		})
	}
	m := good()
	m.Terrain[1] = routes.House
	if err := m.Validate(); !errors.Is(err, routes.ErrNoGround) {
		t.Errorf("%v isn't ErrNoGround", err)
	}
}

// Everything a result can depend on changes the hash; names of the map and of
// districts don't.
func TestMapHash(t *testing.T) {
	base := func() *routes.Map {
		m := townLike(80) // more cells than one block of the hash's writing
		m.Places = []routes.Place{{Name: "ab", Kind: routes.Home, Cell: routes.Cell{X: 1}}, {Name: "c", Kind: routes.Work, District: 1}}
		return m
	}
	want := base().Hash()
	for name, change := range map[string]func(*routes.Map){
		"terrain":      func(m *routes.Map) { m.Terrain[0] ^= 1 },
		"last terrain": func(m *routes.Map) { m.Terrain[80*80-1] ^= 1 },
		"shape":        func(m *routes.Map) { m.Width, m.Height = 40, 160 },
		"cost":         func(m *routes.Map) { m.Cost[routes.Swamp]++ },
		"place gone":   func(m *routes.Map) { m.Places = m.Places[:1] },
		"name":         func(m *routes.Map) { m.Places[0].Name = "x" },
		"name's end":   func(m *routes.Map) { m.Places[0].Name, m.Places[1].Name = "a", "bc" },
		"kind":         func(m *routes.Map) { m.Places[0].Kind = routes.Tavern },
		"cell":         func(m *routes.Map) { m.Places[0].Cell.Y++ },
		"district":     func(m *routes.Map) { m.Places[0].District = -1 },
		"order":        func(m *routes.Map) { slices.Reverse(m.Places) },
	} {
		m := base()
		change(m)
		if m.Hash() == want {
			t.Errorf("%s: the same hash", name)
		}
	}
	m := base()
	m.Name = "renamed"
	m.Districts = append(m.Districts, routes.District{Name: "new"})
	if m.Hash() != want {
		t.Error("labels change the hash")
	}
	small := draw(t, ".#")
	const golden = 0xb93ac3d88b11204e
	if got := small.Hash(); got != golden {
		t.Errorf("hash of a small map %#x, want %#x: recordings name it", got, uint64(golden))
	}
}

// Two cells are in one part exactly when brute force finds a way.
func TestParts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := mixedGrounds(7).Draw(t, "map")
		sizes := map[int]int{}
		for y := range m.Height {
			for x := range m.Width {
				c := routes.Cell{X: x, Y: y}
				if part := m.PartOf(c); (part >= 0) != m.Walkable(c) {
					t.Fatalf("%v is in part %d", c, part)
				} else if part >= 0 {
					sizes[part]++
				}
			}
		}
		walkable, largest := 0, 0
		for _, n := range sizes {
			walkable += n
			largest = max(largest, n)
		}
		if m.Parts() != len(sizes) || m.WalkableCells() != walkable || m.LargestPart() != largest {
			t.Fatalf("%d parts, %d cells, largest %d; counted %v", m.Parts(), m.WalkableCells(), m.LargestPart(), sizes)
		}
		from, to := cells(m).Draw(t, "from"), cells(m).Draw(t, "to")
		if _, ok := cheapest(m, from, to); ok != (m.PartOf(from) >= 0 && m.PartOf(from) == m.PartOf(to)) {
			t.Fatalf("a way from %v to %v: %v; parts %d and %d", from, to, ok, m.PartOf(from), m.PartOf(to))
		}
	})
	m := draw(t, "..")
	if m.PartOf(routes.Cell{X: 2}) != -1 {
		t.Error("a cell off the map is in a part")
	}
	if empty := (&routes.Map{Width: 1, Height: 1, Terrain: []routes.Terrain{routes.Wall}}); empty.LargestPart() != 0 || empty.Parts() != 0 {
		t.Error("a wall is a part")
	}
}

// A map whose costs are changed before it is used is searched with the new ones.
func TestChangedCostsCount(t *testing.T) {
	m := draw(t, ".s.", "...", "...")
	a, b := routes.Cell{X: 0}, routes.Cell{X: 2}
	around, err := routes.NewSearcher(m).Find(a, b)
	if err != nil {
		t.Fatal(err)
	}
	m.Cost = routes.UniformCosts()
	straight, err := routes.NewSearcher(m).Find(a, b)
	if err != nil {
		t.Fatal(err)
	}
	if around.Diagonal != 2 || straight.Straight != 2 || straight.Cost != 2*routes.PlainCost {
		t.Errorf("around %+v, straight %+v", around.Points(), straight.Points())
	}
	m.Cost[routes.Swamp] = 0
	if m.WalkableCells() != 8 || m.Walkable(routes.Cell{X: 1}) {
		t.Error("swamp is still walkable")
	}
}

func TestEnsurePlacesDraws(t *testing.T) {
	for _, test := range []struct {
		name string
		m    *routes.Map
		want int
	}{
		{"few cells: all of them", draw(t, "...", "###", "..#"), 3},
		{"at least 16", townLike(32), 16},
		{"one in 200", townLike(256), -1},
		{"at most 4096", open(1024), 4096},
	} {
		t.Run(test.name, func(t *testing.T) {
			if test.want < 0 {
				test.want = test.m.WalkableCells() / 200
			}
			if err := test.m.EnsurePlaces(1); err != nil {
				t.Fatal(err)
			}
			places := test.m.Places
			if len(places) != test.want || test.m.DroppedPlaces != 0 {
				t.Fatalf("%d places, %d dropped; want %d", len(places), test.m.DroppedPlaces, test.want)
			}
			cells := map[routes.Cell]bool{}
			for _, p := range places {
				if cells[p.Cell] || test.m.PartOf(p.Cell) != test.m.PartOf(places[0].Cell) || p.Kind != routes.Spot || p.District != -1 || p.Name == "" {
					t.Fatalf("place %+v", p)
				}
				cells[p.Cell] = true
			}
			if err := test.m.Validate(); err != nil {
				t.Error(err)
			}
			again := slices.Clone(places)
			if err := test.m.EnsurePlaces(2); err != nil || !slices.Equal(again, test.m.Places) {
				t.Errorf("a second call changed the places: %v", err)
			}
		})
	}
	seeds := map[uint64]bool{}
	for _, seed := range []uint64{1, 1, 2, 3} {
		m := townLike(64)
		if err := m.EnsurePlaces(seed); err != nil {
			t.Fatal(err)
		}
		seeds[m.Hash()] = true
	}
	if len(seeds) != 3 {
		t.Errorf("%d different draws from 3 seeds", len(seeds))
	}
}

// open is a field without end, but for its borders.
func open(size int32) *routes.Map {
	m := &routes.Map{Width: size, Height: size, Cost: routes.DefaultCosts(), Terrain: make([]routes.Terrain, size*size)}
	for i := range m.Terrain {
		m.Terrain[i] = routes.Field
	}
	return m
}

// The places drawn lie all over: every quarter of a square has its share.
func TestEnsurePlacesSpreads(t *testing.T) {
	m := open(400)
	if err := m.EnsurePlaces(77); err != nil {
		t.Fatal(err)
	}
	var quarters [4]int
	for _, p := range m.Places {
		quarters[p.Cell.X/200+2*(p.Cell.Y/200)]++
	}
	for _, n := range quarters {
		if n < 160 || n > 240 {
			t.Errorf("of %d places the quarters have %v", len(m.Places), quarters)
		}
	}
}

func TestEnsurePlacesDrops(t *testing.T) {
	place := func(x, y int32) routes.Place { return routes.Place{Name: "p", Cell: routes.Cell{X: x, Y: y}} }
	rows := []string{
		"....#..",
		"....#..",
		"....#..",
	}
	for _, test := range []struct {
		name    string
		places  []routes.Place
		want    []routes.Place
		dropped int
		err     bool
	}{
		{"all together", []routes.Place{place(0, 0), place(3, 2)}, []routes.Place{place(0, 0), place(3, 2)}, 0, false},
		{"one in a wall, some elsewhere", []routes.Place{place(4, 0), place(0, 0), place(5, 0), place(6, 0), place(5, 1), place(1, 1)},
			[]routes.Place{place(0, 0), place(1, 1)}, 4, false},
		{"all but one in the smaller part", []routes.Place{place(0, 0), place(5, 0), place(6, 2)}, []routes.Place{place(5, 0), place(6, 2)}, 1, false},
		{"two on one cell", []routes.Place{place(0, 0), place(0, 0), place(5, 0)}, nil, 0, true},
		{"one", []routes.Place{place(2, 0)}, nil, 0, true},
		{"all in walls", []routes.Place{place(4, 0), place(4, 1)}, nil, 0, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := draw(t, rows...)
			m.Places = test.places
			err := m.EnsurePlaces(1)
			if test.err {
				if !errors.Is(err, routes.ErrNoPlaces) {
					t.Errorf("%v, want ErrNoPlaces", err)
				}
				return
			}
			if err != nil || !slices.Equal(m.Places, test.want) || m.DroppedPlaces != test.dropped {
				t.Errorf("%v: places %v, %d dropped; want %v, %d", err, m.Places, m.DroppedPlaces, test.want, test.dropped)
			}
		})
	}
	m := draw(t, ".#.")
	if err := m.EnsurePlaces(1); err == nil || err.Error() != "routes: fewer than two mutually reachable places: 1 in a map with 2 walkable cells in 2 connected parts" {
		t.Errorf("islands of one cell: %v", err)
	}
	wall := &routes.Map{Width: 1, Height: 1, Terrain: []routes.Terrain{routes.Wall}}
	if err := wall.EnsurePlaces(1); !errors.Is(err, routes.ErrNoPlaces) {
		t.Errorf("a wall: %v", err)
	}
}
