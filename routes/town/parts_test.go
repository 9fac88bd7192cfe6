package town

import (
	"errors"
	"math"
	"slices"
	"testing"

	"chronoscope/routes"
)

func TestSine(t *testing.T) {
	for deg := -720; deg <= 720; deg++ {
		if want := math.Sin(float64(deg)*math.Pi/180) * 1024; math.Abs(float64(sine(deg))-want) > 3 {
			t.Errorf("sine(%d) = %d, want %.1f", deg, sine(deg), want)
		}
		if want := math.Cos(float64(deg)*math.Pi/180) * 1024; math.Abs(float64(cosine(deg))-want) > 3 {
			t.Errorf("cosine(%d) = %d, want %.1f", deg, cosine(deg), want)
		}
	}
}

func TestIsqrt(t *testing.T) {
	for n := range 5000 {
		if r := isqrt(n); r*r > n || (r+1)*(r+1) <= n {
			t.Fatalf("isqrt(%d) = %d", n, r)
		}
	}
}

func TestNoise(t *testing.T) {
	low, high, step := 1024, 0, 0
	for y := -60; y < 60; y++ {
		for x := -60; x < 60; x++ {
			v := noise(5, x, y, 16)
			low, high = min(low, v), max(high, v)
			step = max(step, abs(v-noise(5, x+1, y, 16)), abs(v-noise(5, x, y+1, 16)))
		}
	}
	if low < 0 || high > 1023 || high-low < 700 {
		t.Errorf("noise is from %d to %d", low, high)
	}
	if step > 110 { // 1.5 / 16 of the whole range
		t.Errorf("noise jumps by %d from cell to cell", step)
	}
}

func TestRng(t *testing.T) {
	r := rng{1}
	var seen [10]int
	for range 10000 {
		seen[r.below(10)]++
	}
	for i, n := range seen {
		if n < 850 || n > 1150 {
			t.Errorf("%d came %d times in 10000", i, n)
		}
	}
	for range 1000 {
		if v := r.between(-3, 4); v < -3 || v > 4 {
			t.Fatalf("%d is not between -3 and 4", v)
		}
	}
	// The first numbers of splitmix64 from 0, as published with it.
	first := rng{}
	if a, b := first.next(), first.next(); a != 0xe220a8397b1dcdaf || b != 0x6e789e6aa1b965f4 {
		t.Errorf("stream begins with %#x, %#x", a, b)
	}
}

func TestNamesNeverRepeat(t *testing.T) {
	m := newNamer(&rng{3})
	seen := map[string]bool{}
	// Far more than there are words for.
	for range 4000 {
		for _, s := range []string{m.settlement(), m.tavern(), m.street("Oakham"), m.square("Oakham"), m.work("Mill"), m.farm(), m.district(true)} {
			if seen[s] {
				t.Fatalf("second %q", s)
			}
			seen[s] = true
		}
	}
}

func TestOrdinal(t *testing.T) {
	for i, want := range map[int]string{1: "1st", 2: "2nd", 3: "3rd", 4: "4th", 11: "11th", 12: "12th", 13: "13th", 21: "21st", 102: "102nd", 111: "111th"} {
		if got := ordinal(i); got != want {
			t.Errorf("%d is %s, want %s", i, got, want)
		}
	}
}

func TestPseudoAngleGrows(t *testing.T) {
	last := -1
	for deg := range 360 {
		a := pseudoAngle(cosine(deg), sine(deg))
		if a < last || a >= 4096 {
			t.Errorf("%d degrees: %d after %d", deg, a, last)
		}
		last = a
	}
}

// The last count finds what must not be.
func TestCheck(t *testing.T) {
	fresh := func() (*builder, *routes.Map) {
		m, err := Generate(Options{Seed: 2, Size: 64})
		if err != nil {
			t.Fatal(err)
		}
		return &builder{n: 64, t: m.Terrain}, m
	}
	for name, spoil := range map[string]func(m *routes.Map){
		"not walkable": func(m *routes.Map) { m.Terrain[m.Places[3].Cell.Y*64+m.Places[3].Cell.X] = routes.Wall },
		"not alone":    func(m *routes.Map) { m.Places[3].Cell = m.Places[4].Cell },
		"walled in": func(m *routes.Map) {
			c := m.Places[3].Cell
			for _, o := range around4 {
				m.Terrain[(int(c.Y)+o.y)*64+int(c.X)+o.x] = routes.Wall
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			b, m := fresh()
			if err := b.check(m); err != nil {
				t.Fatal(err)
			}
			spoil(m)
			if err := b.check(m); !errors.Is(err, errPlaces) {
				t.Errorf("error %v", err)
			}
		})
	}
}

func TestMergeDistricts(t *testing.T) {
	whole := func(b *builder, d int) {
		for range 5 {
			b.addPlace("", routes.Home, point{}, d)
		}
		b.addPlace("", routes.Work, point{}, d)
		b.addPlace("", routes.Market, point{}, d)
	}
	b := &builder{districts: []district{
		{name: "far whole", x: 100},
		{name: "homes only", x: 10},
		{name: "empty", x: 5},
		{name: "near whole", x: 0},
		{name: "nearer, of another settlement", x: 14, settlement: 1},
		{name: "too few homes", x: 60},
	}}
	whole(b, 0)
	whole(b, 3)
	whole(b, 4)
	for _, k := range []routes.PlaceKind{routes.Home, routes.Home, routes.Work, routes.Market} {
		b.addPlace("", k, point{}, 5)
	}
	b.addPlace("lonely", routes.Home, point{}, 1)
	b.mergeDistricts()
	var names []string
	for _, d := range b.districts {
		names = append(names, d.name)
	}
	if want := []string{"far whole", "near whole", "nearer, of another settlement"}; !slices.Equal(names, want) {
		t.Fatalf("districts %q, want %q", names, want)
	}
	last := b.places[len(b.places)-1]
	if last.District != 1 || last.Name != "lonely" {
		t.Errorf("the lonely home went to district %d, want 1", last.District)
	}
	for i, p := range b.places {
		if want := int32(i / 7); i < 21 && p.District != want {
			t.Errorf("place %d is in district %d, want %d", i, p.District, want)
		}
	}

	// Where no district can do on its own there is one.
	b = &builder{districts: []district{{name: "a"}, {name: "b"}}}
	b.addPlace("", routes.Home, point{}, 0)
	b.addPlace("", routes.Home, point{}, 1)
	b.mergeDistricts()
	if len(b.districts) != 1 || b.places[0].District != 0 || b.places[1].District != 0 {
		t.Errorf("districts %v, places %v", b.districts, b.places)
	}
}
