package town_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"chronoscope/routes"
	"chronoscope/routes/town"
)

func generate(t testing.TB, seed uint64, size int32) *routes.Map {
	t.Helper()
	m, err := town.Generate(town.Options{Seed: seed, Size: size})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// golden is the hash of the town of seed 1 at the default size. It changes only
// when the town is meant to change.
const golden = 0xd53f006ea187426a

func TestGolden(t *testing.T) {
	m := generate(t, 1, 0)
	if m.Width != town.DefaultSize || m.Height != town.DefaultSize {
		t.Errorf("size %d x %d, want the default", m.Width, m.Height)
	}
	if h := m.Hash(); h != golden {
		t.Errorf("hash %#x, want %#x", h, uint64(golden))
	}
}

func TestSameSeedSameTown(t *testing.T) {
	var maps [4]*routes.Map
	var wg sync.WaitGroup
	for i := range maps {
		wg.Go(func() { maps[i], _ = town.Generate(town.Options{Seed: uint64(7 + i/2), Size: 96}) })
	}
	wg.Wait()
	if maps[0].Hash() != maps[1].Hash() || maps[2].Hash() != maps[3].Hash() {
		t.Error("two towns of the same seed differ")
	}
	if maps[0].Hash() == maps[2].Hash() {
		t.Error("the towns of two seeds are the same")
	}
	if small := generate(t, 7, 97); small.Hash() == maps[0].Hash() {
		t.Error("the towns of two sizes are the same")
	}
}

// sample is towns of all kinds of sizes.
var sample = []struct {
	size  int32
	seeds uint64
}{{64, 20}, {65, 3}, {99, 5}, {128, 4}, {161, 3}, {256, 4}, {300, 1}, {512, 1}}

// seeds is how many seeds to try where n are wanted: one when time is short.
func seeds(n uint64) uint64 {
	if testing.Short() || raceEnabled {
		return 1
	}
	return n
}

// eachTown runs f on the sample, less of it under -short or with the race
// detector.
func eachTown(t *testing.T, f func(t *testing.T, m *routes.Map)) {
	for _, c := range sample {
		for seed := range c.seeds {
			if (testing.Short() || raceEnabled) && (seed > 0 || c.size > 256) {
				break
			}
			t.Run(fmt.Sprintf("size %d seed %d", c.size, seed), func(t *testing.T) {
				f(t, generate(t, seed, c.size))
			})
		}
	}
}

// All that a character relies on when it goes somewhere.
func TestPlaces(t *testing.T) {
	eachTown(t, func(t *testing.T, m *routes.Map) {
		if err := m.Validate(); err != nil {
			t.Fatal(err)
		}
		if m.Cost != routes.DefaultCosts() {
			t.Error("costs are not the default ones")
		}
		cells, names := map[routes.Cell]bool{}, map[string]bool{}
		part := m.PartOf(m.Places[0].Cell)
		inPart := 0
		for y := range m.Height {
			for x := range m.Width {
				if m.PartOf(routes.Cell{X: x, Y: y}) == part {
					inPart++
				}
			}
		}
		if inPart != m.LargestPart() {
			t.Errorf("places are in a part of %d cells, the largest has %d", inPart, m.LargestPart())
		}
		for _, p := range m.Places {
			if m.PartOf(p.Cell) != part {
				t.Errorf("%s at %v can't be reached from %s", p.Name, p.Cell, m.Places[0].Name)
			}
			if cells[p.Cell] {
				t.Errorf("%s at %v is not alone there", p.Name, p.Cell)
			}
			if names[p.Name] || p.Name == "" {
				t.Errorf("second place called %q", p.Name)
			}
			cells[p.Cell], names[p.Name] = true, true
			if p.District < 0 || int(p.District) >= len(m.Districts) {
				t.Fatalf("%s has district %d of %d", p.Name, p.District, len(m.Districts))
			}
			if p.Kind == routes.Home || p.Kind == routes.Tavern {
				checkDoor(t, m, p)
			}
		}
		n := len(m.Places)
		if err := m.EnsurePlaces(1); err != nil || len(m.Places) != n || m.DroppedPlaces != 0 {
			t.Errorf("%d of %d places are left: %v", len(m.Places), n, err)
		}
	})
}

// checkDoor wants a house around a door and something to step out on.
func checkDoor(t *testing.T, m *routes.Map, p routes.Place) {
	t.Helper()
	if m.At(p.Cell) != routes.Floor {
		t.Errorf("door of %s at %v is of kind %d, want floor", p.Name, p.Cell, m.At(p.Cell))
	}
	house, open := 0, 0
	for _, c := range [4]routes.Cell{{X: 0, Y: 1}, {X: 0, Y: -1}, {X: 1, Y: 0}, {X: -1, Y: 0}} {
		c.X += p.Cell.X
		c.Y += p.Cell.Y
		if m.At(c) == routes.House {
			house++
		} else if m.Walkable(c) {
			open++
		}
	}
	if house == 0 || open == 0 {
		t.Errorf("door of %s at %v has %d cells of a house and %d open ones beside it", p.Name, p.Cell, house, open)
	}
}

func TestDistricts(t *testing.T) {
	eachTown(t, func(t *testing.T, m *routes.Map) {
		counts := make([][routes.Spot + 1]int, len(m.Districts))
		for _, p := range m.Places {
			counts[p.District][p.Kind]++
		}
		names := map[string]bool{}
		for i, d := range m.Districts {
			c := counts[i]
			if c[routes.Home] < 5 || c[routes.Work] < 1 || c[routes.Market] < 1 {
				t.Errorf("district %s has %d homes, %d works, %d markets: one can't live there", d.Name, c[routes.Home], c[routes.Work], c[routes.Market])
			}
			if names[d.Name] || d.Name == "" {
				t.Errorf("second district called %q", d.Name)
			}
			names[d.Name] = true
			if !m.In(d.Center) {
				t.Errorf("the middle of %s is off the map", d.Name)
			}
		}
	})
}

// Homes and work places grow with the area; at the default size they suit
// 2,000 characters.
func TestCounts(t *testing.T) {
	kinds := func(m *routes.Map) (n [routes.Spot + 1]int) {
		for _, p := range m.Places {
			n[p.Kind]++
		}
		return n
	}
	for seed := range seeds(5) {
		n := kinds(generate(t, seed, 256))
		for _, c := range []struct {
			kind    routes.PlaceKind
			name    string
			low, up int
		}{
			{routes.Home, "homes", 400, 700}, {routes.Work, "works", 60, 125}, {routes.Market, "markets", 8, 24},
			{routes.Tavern, "taverns", 6, 20}, {routes.PublicSquare, "squares", 6, 20}, {routes.Spot, "spots", 0, 0},
		} {
			if got := n[c.kind]; got < c.low || got > c.up {
				t.Errorf("seed %d: %d %s, want %d to %d", seed, got, c.name, c.low, c.up)
			}
		}
		if small := kinds(generate(t, seed, 64)); small[routes.Home] < 30 {
			t.Errorf("seed %d: %d homes at size 64, want 30 at least", seed, small[routes.Home])
		}
		if large := kinds(generate(t, seed, 128)); large[routes.Home] < 100 || large[routes.Home] >= n[routes.Home] {
			t.Errorf("seed %d: %d homes at size 128", seed, large[routes.Home])
		}
	}
}

// market is a cell of the great market, inside the capital's wall.
func market(t *testing.T, m *routes.Map) routes.Cell {
	t.Helper()
	capital, _, _ := strings.Cut(m.Name, ",")
	for _, p := range m.Places {
		if strings.HasPrefix(p.Name, capital+" Market, ") {
			return p.Cell
		}
	}
	t.Fatalf("%s has no great market", m.Name)
	return routes.Cell{}
}

// escapes says whether one can get from a cell to the border of the map
// without entering cells of a kind, squeezing past corners as well.
func escapes(m *routes.Map, from routes.Cell, without routes.Terrain) bool {
	seen := map[routes.Cell]bool{from: true}
	queue := []routes.Cell{from}
	for len(queue) > 0 {
		c := queue[0]
		queue = queue[1:]
		if c.X == 0 || c.Y == 0 || c.X == m.Width-1 || c.Y == m.Height-1 {
			return true
		}
		for y := c.Y - 1; y <= c.Y+1; y++ {
			for x := c.X - 1; x <= c.X+1; x++ {
				n := routes.Cell{X: x, Y: y}
				if !seen[n] && m.At(n) != without && m.At(n) != routes.Wall {
					seen[n] = true
					queue = append(queue, n)
				}
			}
		}
	}
	return false
}

func TestWallIsClosedExceptAtGates(t *testing.T) {
	for _, size := range []int32{160, 256} {
		for seed := range seeds(4) {
			m := generate(t, seed, size)
			from := market(t, m)
			if escapes(m, from, routes.Gate) {
				t.Errorf("size %d seed %d: there is a way around the gates", size, seed)
			}
			if !escapes(m, from, routes.Void) {
				t.Errorf("size %d seed %d: the gates lead nowhere", size, seed)
			}
		}
	}
}

// Without bridges the map falls apart, and more than one holds it together.
func TestBridges(t *testing.T) {
	for seed := range seeds(5) {
		m, cut := generate(t, seed, 256), generate(t, seed, 256)
		cut.Cost[routes.Bridge] = 0
		parts := map[int]bool{}
		for _, p := range m.Places {
			if k := cut.PartOf(p.Cell); k >= 0 {
				parts[k] = true
			}
		}
		if len(parts) < 2 {
			t.Errorf("seed %d: nobody needs the bridges", seed)
		}
		seen := map[routes.Cell]bool{}
		bridges := 0
		for y := range m.Height {
			for x := range m.Width {
				if ends := bankParts(cut, routes.Cell{X: x, Y: y}, seen); len(ends) > 1 {
					bridges++
				}
			}
		}
		if bridges < 2 || bridges > 12 {
			t.Errorf("seed %d: %d bridges, want 2 to 12", seed, bridges)
		}
	}
}

// bankParts is the parts of a map without bridges that the bridge at a cell
// touches; none if it was seen before.
func bankParts(cut *routes.Map, c routes.Cell, seen map[routes.Cell]bool) map[int]bool {
	if cut.At(c) != routes.Bridge || seen[c] {
		return nil
	}
	ends := map[int]bool{}
	queue := []routes.Cell{c}
	seen[c] = true
	for len(queue) > 0 {
		c := queue[0]
		queue = queue[1:]
		for _, o := range [4]routes.Cell{{X: 0, Y: 1}, {X: 0, Y: -1}, {X: 1, Y: 0}, {X: -1, Y: 0}} {
			n := routes.Cell{X: c.X + o.X, Y: c.Y + o.Y}
			if k := cut.PartOf(n); k >= 0 {
				ends[k] = true
			}
			if cut.At(n) == routes.Bridge && !seen[n] {
				seen[n] = true
				queue = append(queue, n)
			}
		}
	}
	return ends
}

// A town has all kinds of ground.
func TestTerrain(t *testing.T) {
	for seed := range seeds(4) {
		var n [routes.TerrainCount]int
		m := generate(t, seed, 256)
		for _, k := range m.Terrain {
			n[k]++
		}
		for k, low := range map[routes.Terrain]int{
			routes.Field: 15000, routes.Road: 4000, routes.Bridge: 20, routes.Gate: 12, routes.Square: 200, routes.Floor: 2000,
			routes.Forest: 3000, routes.Swamp: 40, routes.Water: 1500, routes.Wall: 300, routes.House: 3500, routes.Tree: 1500,
		} {
			if n[k] < low {
				t.Errorf("seed %d: %d cells of kind %d, want %d at least", seed, n[k], k, low)
			}
		}
		if n[routes.Void] != 0 {
			t.Errorf("seed %d: %d void cells", seed, n[routes.Void])
		}
	}
}

func TestPathsBetweenPlaces(t *testing.T) {
	m := generate(t, 1, 256)
	s := routes.NewSearcher(m)
	for i := 0; i < len(m.Places); i += 37 {
		from, to := m.Places[i], m.Places[(i*5+11)%len(m.Places)]
		if _, err := s.Find(from.Cell, to.Cell); err != nil {
			t.Errorf("%s to %s: %v", from.Name, to.Name, err)
		}
	}
}

func TestRange(t *testing.T) {
	for _, size := range []int32{-1, 1, town.MinSize - 1, town.MaxSize + 1} {
		m, err := town.Generate(town.Options{Size: size})
		if err == nil || m != nil {
			t.Fatalf("size %d: %v, %v", size, m, err)
		}
		if want := fmt.Sprintf("town: Size %d is outside 64 to 4096 cells", size); err.Error() != want {
			t.Errorf("size %d: %q, want %q", size, err, want)
		}
	}
	if err := (town.Options{}).Validate(); err != nil {
		t.Error(err)
	}
}

func TestParseName(t *testing.T) {
	for name, size := range map[string]int32{"town": 256, "town:64": 64, "town:1024": 1024, "town:4096": 4096} {
		if o, err := town.ParseName(name); err != nil || o != (town.Options{Size: size}) {
			t.Errorf("%s: %+v, %v", name, o, err)
		}
	}
	for name, want := range map[string]string{
		"town:":       `side "" in "town:" is not a whole number from 64 to 4096`,
		"town:x":      `side "x" in "town:x" is not a whole number`,
		"town:63":     `side 63 in "town:63" is outside 64 to 4096 cells`,
		"town:4097":   `side 4097 in "town:4097" is outside`,
		"town:-256":   `side -256`,
		"town:1e3":    `side "1e3"`,
		"town:999999": `side 999999`,
	} {
		_, err := town.ParseName(name)
		if err == nil || !strings.Contains(err.Error(), want) || errors.Is(err, town.ErrName) {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
	for _, name := range []string{"", "city", "Town", "town.map", "towns:256"} {
		if _, err := town.ParseName(name); !errors.Is(err, town.ErrName) {
			t.Errorf("%q: %v, want ErrName", name, err)
		}
	}
}

func ExampleGenerate() {
	m, err := town.Generate(town.Options{Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.Name)
	fmt.Println(m.Places[0].Name, "in", m.Districts[m.Places[0].District].Name)
	// Output:
	// Kesreach, a town of 256 x 256 cells
	// Lamb Lane 1 in Upper Thornham
}
