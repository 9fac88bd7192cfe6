package game

import (
	"math"
	"testing"

	"chronoscope/loop"
	"chronoscope/overlay"
	"chronoscope/routes"

	"pgregory.net/rapid"
)

// What is left of a line lies inside, and nothing inside is lost.
func TestClipLine(t *testing.T) {
	v := box{0, 0, 100, 50}
	inside := func(x, y, slack float64) bool {
		return x >= v.x0-slack && x <= v.x1+slack && y >= v.y0-slack && y <= v.y1+slack
	}
	rapid.Check(t, func(t *rapid.T) {
		c := rapid.Float64Range(-200, 300)
		x0, y0, x1, y1 := c.Draw(t, "x0"), c.Draw(t, "y0"), c.Draw(t, "x1"), c.Draw(t, "y1")
		a, b, ok := clipLine(x0, y0, x1, y1, v)
		if ok && (a < 0 || b > 1) {
			t.Fatalf("%v to %v of the line is kept", a, b)
		}
		for i := range 101 {
			f := float64(i) / 100
			x, y := x0+(x1-x0)*f, y0+(y1-y0)*f
			kept := ok && f >= a && f <= b
			if kept && !inside(x, y, 1e-6) || !kept && inside(x, y, -1e-6) {
				t.Fatalf("at %v (%v, %v): kept %v", f, x, y, kept)
			}
		}
	})
}

func TestShare(t *testing.T) {
	for _, tt := range []struct {
		a, b, t uint64
		want    float64
	}{{10, 20, 5, 0}, {10, 20, 10, 0}, {10, 20, 15, 0.5}, {10, 20, 20, 1}, {10, 20, math.MaxUint64, 1}, {10, 10, 10, 0}, {10, 10, 11, 1}} {
		if got := share(tt.a, tt.b, tt.t); got != tt.want {
			t.Errorf("share(%d, %d, %d) = %v, want %v", tt.a, tt.b, tt.t, got, tt.want)
		}
	}
}

// The route is split where its walker is drawn, at every tick and in between.
func TestTimeOnAgreesWithTheLeg(t *testing.T) {
	m := smallTown(t)
	p, err := routes.NewSearcher(m).Find(m.Places[0].Cell, m.Places[7].Cell)
	if err != nil {
		t.Fatal(err)
	}
	l := routes.NewRoute(1, 1, p, 100)
	points, times := p.Points(), p.Times()
	for tick := l.Start; tick < l.End; tick++ {
		for _, alpha := range []float64{0, 0.5} {
			now := timeOn(l, Moment{Tick: tick, Alpha: alpha})
			for i := 1; i < len(points); i++ {
				s := share(times[i-1], times[i], now)
				if s == 1 {
					continue
				}
				a, b := points[i-1], points[i]
				x := (float64(a.X) + float64(b.X-a.X)*s) / routes.CellUnits
				y := (float64(a.Y) + float64(b.Y-a.Y)*s) / routes.CellUnits
				wx, wy := l.AtFraction(tick, alpha)
				if !near(x, wx, 0.01) || !near(y, wy, 0.01) {
					t.Fatalf("tick %d + %v: split at (%v, %v), drawn at (%v, %v)", tick, alpha, x, y, wx, wy)
				}
				break
			}
		}
	}
	if got := timeOn(l, Moment{Tick: 50}); got != 0 {
		t.Errorf("before the start: %d", got)
	}
	if got := timeOn(routes.NewStay(1, 1, routes.Point{}, 0, loop.MaxTick, 16), Moment{Tick: loop.MaxTick}); got != math.MaxUint64 {
		t.Errorf("at the end of time: %d", got)
	}
}

// Where everybody goes is drawn for a selected zone's legs and for those in
// view, and not from afar.
func TestFlow(t *testing.T) {
	f := newFakeTown(smallTown(t), 200)
	g := testGame(t, f)
	vertices := func() int {
		g.mesh.Reset()
		g.drawFlow()
		return len(g.mesh.Vertices)
	}
	g.cam.Center(64, 64)
	g.cam.Scale = 6
	all := vertices()
	if all == 0 {
		t.Fatal("nothing is drawn")
	}
	k := routes.ZoneKey{X: 7, Y: 0}
	g.selection = overlay.Selection{Kind: overlay.OneZone, Zone: k}
	one := vertices()
	if len(g.flow.legs) == 0 || one >= all {
		t.Errorf("%d vertices for a zone's %d legs, %d for all", one, len(g.flow.legs), all)
	}
	for _, l := range g.flow.legs {
		if !l.Touches(k) {
			t.Errorf("a leg that doesn't touch the selected zone is drawn")
		}
	}
	g.cam.Scale = 2
	if n := vertices(); n != 0 {
		t.Errorf("%d vertices from afar", n)
	}
}
