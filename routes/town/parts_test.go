package town

import (
	"errors"
	"math"
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
