package physics_test

import (
	"math"
	"slices"
	"testing"
	"time"

	"chronoscope/loop"
	"chronoscope/loop/frametime"
	"chronoscope/loop/physics"

	"go.uber.org/goleak"
	"pgregory.net/rapid"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// On every display, however its frames come, the same step leaves the same
// state, bit for bit.
func TestFixedHasNoSpread(t *testing.T) {
	var firsts []*physics.Run
	for _, p := range frametime.Presets() {
		t.Run(p.Name, func(t *testing.T) {
			var list []*physics.Run
			for i := range runs {
				list = append(list, physics.Fixed(physics.On(p.Display, 1, i), physics.Frames))
			}
			if n := len(list[0].Path); n != physics.Frames+1 {
				t.Fatalf("%d states", n)
			}
			if s := physics.SpreadOf(list); !s.Identical || !s.Zero() || s.Runs != runs {
				t.Errorf("spread %+v", s)
			}
			firsts = append(firsts, list[0])
		})
	}
	if s := physics.SpreadOf(firsts); !s.Identical || !s.Zero() {
		t.Errorf("from display to display: %+v", s)
	}
}

// Frame times as steps make each run its own, even where every display's frames
// are as even as they come.
func TestVariableHasSpread(t *testing.T) {
	last := 0.0
	for _, p := range physics.Shaken() {
		t.Run(p.Name, func(t *testing.T) {
			var at, until []*physics.Run
			for i := range 30 {
				d := physics.On(p.Display, 1, i)
				at = append(at, physics.Variable(d, physics.Frames))
				until = append(until, physics.VariableUntil(d, 2*time.Second))
			}
			for _, list := range [][]*physics.Run{at, until} {
				s := physics.SpreadOf(list)
				if s.Identical || s.Zero() || s.ContactVariance == 0 {
					t.Errorf("no spread: %+v", s)
				}
				for i := range physics.Bodies {
					if s.X[i] <= 0 || s.Y[i] <= 0 {
						t.Errorf("body %d: sigma %v, %v", i, s.X[i], s.Y[i])
					}
				}
			}
			// More uneven frames, more spread.
			if s := physics.SpreadOf(until); s.X[physics.Box] <= last {
				t.Errorf("sigma %v, and %v before", s.X[physics.Box], last)
			} else {
				last = s.X[physics.Box]
			}
			for _, r := range until {
				if r.Last().At != 2*time.Second {
					t.Fatalf("ends at %v", r.Last().At)
				}
			}
		})
	}
	var each []*physics.Run
	for _, p := range frametime.Presets() {
		each = append(each, physics.VariableUntil(p.Display, 2*time.Second))
	}
	if s := physics.SpreadOf(each); s.X[physics.Box] < 1 || s.X[physics.Ball] < 1 {
		t.Errorf("from display to display: %+v", s)
	}
}

// What the steps of a variable run are made of.
func TestVariableSteps(t *testing.T) {
	for _, tt := range []struct {
		name    string
		display frametime.VirtualDisplay
		want    time.Duration // of all steps
	}{
		{"even", frametime.VirtualDisplay{Rate: loop.Hz(100)}, 10 * time.Millisecond},
		{"clamped", frametime.VirtualDisplay{Rate: loop.Hz(10)}, physics.MaxFrame},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := physics.Variable(tt.display, 20)
			if len(r.Path) != 21 || r.Path[0].At != 0 {
				t.Fatalf("%d states from %v on", len(r.Path), r.Path[0].At)
			}
			for i := range 20 {
				if d := r.Path[i+1].At - r.Path[i].At; d != tt.want {
					t.Errorf("step %d is %v", i, d)
				}
			}
		})
	}
	// A display that stands still has no frames.
	if r := physics.Variable(frametime.VirtualDisplay{}, 20); len(r.Path) != 1 {
		t.Errorf("%d states", len(r.Path))
	}
	if r := physics.Fixed(frametime.VirtualDisplay{}, 3); len(r.Path) > 4 {
		t.Errorf("%d states", len(r.Path))
	}
}

// The scene does what bodies do: falls as it should, comes to rest on the floor,
// touches it in the end.
func TestScene(t *testing.T) {
	r := physics.Fixed(frametime.VirtualDisplay{Rate: loop.Hz(60)}, physics.Frames)
	start := r.Path[0].Bodies[physics.Ball].Y
	// Semi-implicit steps of h fall g h² k (k-1) / 2 in k of them.
	const k, h = 15, 1.0 / physics.Rate
	if got, want := start-r.Path[k].Bodies[physics.Ball].Y, physics.Gravity*h*h*k*(k-1)/2; math.Abs(got-want) > 1e-9 {
		t.Errorf("fell %v, want %v", got, want)
	}
	last := r.Last()
	if box := last.Bodies[physics.Box].Y; math.Abs(box-15) > 0.3 {
		t.Errorf("the box is at %v, not on the floor", box)
	}
	if ball := last.Bodies[physics.Ball].Y; math.Abs(ball-12) > 0.3 {
		t.Errorf("the ball is at %v, not on the floor", ball)
	}
	if last.At != 2*time.Second || r.Contacts < 20 || r.Contacts >= physics.Frames {
		t.Errorf("%d contacts until %v", r.Contacts, last.At)
	}
}

// Fixed steps add no energy: nothing comes as high again as it was.
func TestEnergyFalls(t *testing.T) {
	r := physics.Fixed(frametime.VirtualDisplay{Rate: loop.Hz(60)}, physics.Frames)
	highest := func(from int) (y float64) {
		for _, s := range r.Path[from:] {
			y = max(y, s.Bodies[physics.Box].Y, s.Bodies[physics.Ball].Y)
		}
		return y
	}
	for from := 20; from < 110; from += 10 {
		if a, b := highest(from-20), highest(from); b > a {
			t.Errorf("higher after step %d: %v, then %v", from, a, b)
		}
	}
}

func TestSpreadOf(t *testing.T) {
	run := func(x, y float64, contacts int) *physics.Run {
		var b [physics.Bodies]physics.Place
		b[0], b[1] = physics.Place{X: x, Y: y}, physics.Place{X: 2 * x, Y: 7}
		return &physics.Run{Path: []physics.Sample{{Bodies: b}}, Contacts: contacts}
	}
	s := physics.SpreadOf([]*physics.Run{run(1, 10, 4), run(3, 10, 8)})
	want := physics.Spread{Runs: 2, X: [2]float64{1, 2}, Contacts: 6, ContactVariance: 4}
	if s != want {
		t.Errorf("%+v, want %+v", s, want)
	}
	if s := physics.SpreadOf(nil); s != (physics.Spread{Identical: true}) {
		t.Errorf("of none: %+v", s)
	}
	// Equal figures have no spread, not even a float's dust; and one that is
	// off by the least is seen.
	rapid.Check(t, func(t *rapid.T) {
		x, y := rapid.Float64Range(-1e6, 1e6).Draw(t, "x"), rapid.Float64Range(-1e6, 1e6).Draw(t, "y")
		same := slices.Repeat([]*physics.Run{run(x, y, 3)}, rapid.IntRange(1, 100).Draw(t, "runs"))
		if s := physics.SpreadOf(same); !s.Zero() || !s.Identical {
			t.Fatalf("%+v", s)
		}
		if s := physics.SpreadOf(append(same, run(math.Nextafter(x, 1e9), y, 3))); s.Identical {
			t.Fatalf("%+v", s)
		}
	})
}

func TestOn(t *testing.T) {
	d := frametime.VirtualDisplay{Rate: loop.Hz(60), Jitter: time.Millisecond}
	a, b := physics.On(d, 1, 1), physics.On(d, 1, 2)
	if a.Seed == b.Seed || a.Phase == b.Phase || a.Phase < 0 || a.Phase >= d.Rate.Period() {
		t.Errorf("%+v and %+v", a, b)
	}
	if again := physics.On(d, 1, 1); again.Seed != a.Seed || again.Phase != a.Phase {
		t.Errorf("%+v, then %+v", a, again)
	}
	if a.Jitter != time.Millisecond || physics.On(frametime.VirtualDisplay{}, 1, 1).Jitter != physics.SmallestJitter {
		t.Errorf("off by %v", a.Jitter)
	}
}

func BenchmarkFixed(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		physics.Fixed(frametime.VirtualDisplay{Rate: loop.Hz(60)}, physics.Frames)
	}
}
