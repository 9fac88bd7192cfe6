package game

import (
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"
	"testing"
	"time"

	"chronoscope/coordinator"
	"chronoscope/overlay"
	"chronoscope/routes"
	"chronoscope/world"
)

// A pixel differs when a channel does by more than pixelTolerance: drivers
// round differently. A picture differs when more than pictureTolerance of its
// pixels do.
const (
	pixelTolerance   = 24
	pictureTolerance = 0.004
)

// golden compares a picture with the one in testdata. On a difference it
// leaves what it got, and where it differs, beside it.
func golden(t *testing.T, name string, got *image.RGBA) {
	t.Helper()
	path := filepath.Join("testdata", name+".png")
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		writePNG(t, path, got)
		return
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatalf("%v (go test ./game -update writes it)", err)
	}
	defer f.Close()
	decoded, err := png.Decode(f)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	want := image.NewRGBA(decoded.Bounds())
	draw.Draw(want, want.Bounds(), decoded, decoded.Bounds().Min, draw.Src)
	share, diff := difference(got, want)
	t.Logf("%s: %.4f %% differ", name, 100*share)
	if share > pictureTolerance {
		a, b := filepath.Join("testdata", name+".got.png"), filepath.Join("testdata", name+".diff.png")
		writePNG(t, a, got)
		writePNG(t, b, diff)
		t.Errorf("%.2f %% of the picture differ, up to %.2f %% are accepted: see %s and %s", 100*share, 100*pictureTolerance, a, b)
	}
}

func writePNG(t testing.TB, path string, img image.Image) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := png.Encode(f, img); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// difference is the share of pixels that differ, and a picture of them: white
// where they do, else the wanted one darkened.
func difference(got, want *image.RGBA) (float64, *image.RGBA) {
	diff := image.NewRGBA(want.Bounds())
	if got.Bounds() != want.Bounds() {
		return 1, diff
	}
	n := 0
	for i := 0; i < len(want.Pix); i += 4 {
		c := color.RGBA{want.Pix[i] / 4, want.Pix[i+1] / 4, want.Pix[i+2] / 4, 0xFF}
		for k := range 3 {
			if d := int(got.Pix[i+k]) - int(want.Pix[i+k]); d > pixelTolerance || d < -pixelTolerance {
				c = color.RGBA{0xFF, 0xFF, 0xFF, 0xFF}
			}
		}
		if c.R == 0xFF && c.G == 0xFF && c.B == 0xFF {
			n++
		}
		diff.Pix[i], diff.Pix[i+1], diff.Pix[i+2], diff.Pix[i+3] = c.R, c.G, c.B, c.A
	}
	return float64(n) / float64(len(want.Pix)/4), diff
}

// smallTown is a town of 128 x 128 cells with every kind of ground. It is drawn
// here and not by the town generator, so that a change of that leaves the
// pictures alone.
func smallTown(t testing.TB) *routes.Map {
	t.Helper()
	const n = 128
	m := &routes.Map{Name: "Testhaven", Width: n, Height: n, Terrain: make([]routes.Terrain, n*n), Cost: routes.DefaultCosts()}
	paint := func(x0, y0, x1, y1 int, k routes.Terrain) {
		for y := y0; y < y1; y++ {
			for x := x0; x < x1; x++ {
				m.Terrain[y*n+x] = k
			}
		}
	}
	paint(0, 0, n, n, routes.Field)
	paint(4, 4, 30, 28, routes.Forest)
	paint(100, 90, 124, 110, routes.Swamp)
	for i := range 90 {
		h := int(mix64(uint64(i)) % (n * n))
		m.Terrain[h] = routes.Tree
	}
	for x := range n { // a river with a bend
		y := 34 + 6*x/n
		paint(x, y, x+1, y+6, routes.Water)
	}
	paint(40, 46, 92, 98, routes.Wall)
	paint(42, 48, 90, 96, routes.Field)
	paint(62, 0, 66, n, routes.Road)
	paint(62, 34, 66, 46, routes.Bridge)
	paint(0, 70, n, 74, routes.Road)
	for _, g := range [][4]int{{62, 46, 66, 48}, {62, 96, 66, 98}, {40, 70, 42, 74}, {90, 70, 92, 74}} {
		paint(g[0], g[1], g[2], g[3], routes.Gate)
	}
	paint(58, 66, 70, 78, routes.Square)
	for by := range 9 {
		for bx := range 9 {
			h := mix64(uint64(by*9 + bx))
			x, y := 22+bx*10+int(h%3), 46+by*8+int(h>>8%2)
			w, d := 4+int(h>>16%3), 3+int(h>>24%2)
			free := true
			for yy := y - 1; yy <= y+d; yy++ {
				for xx := x - 1; xx <= x+w; xx++ {
					free = free && m.At(routes.Cell{X: int32(xx), Y: int32(yy)}) == routes.Field
				}
			}
			if free {
				paint(x, y, x+w, y+d, routes.House)
				paint(x+1, y+d, x+2, y+d+1, routes.Floor)
			}
		}
	}
	if err := m.EnsurePlaces(5); err != nil {
		t.Fatal(err)
	}
	return m
}

// frozenClock is a clock for pictures: nothing moves by real time.
func frozenClock() time.Time { return time.Unix(1_700_000_000, 0) }

// A real world, run to a tick and come to rest there: who is where, and awake
// or asleep, is the same in every run.
func TestGoldenTown(t *testing.T) {
	const last = 900
	w, err := world.New(world.Options{
		Map: smallTown(t),
		Params: world.Params{
			Seed: 7, NPCs: 260, Pins: []routes.ZoneKey{{X: 3, Y: 3}, {X: 4, Y: 3}, {X: 4, Y: 4}},
			Visitors: []world.Visitor{{Track: []routes.Cell{{X: 88, Y: 28}}}}, WakeRadius: 12,
		},
		Coordinator: coordinator.Options{MaxSpeed: true, LastTick: last},
	})
	if err != nil {
		t.Fatal(err)
	}
	w.Start()
	defer w.Stop()
	<-w.Done()
	if err := w.Err(); err != nil {
		t.Fatal(err)
	}
	g := show(t, Options{World: World{Source: Watch(w, overlay.Setup{}, 0, nil)}, Now: frozenClock}, MinWidth, MinHeight)
	inLoop(t, func() { g.showSidebar, g.showDock = false, false })
	until(t, "the map over the whole window", func() bool { return g.at.view.Dx() == MinWidth })
	inLoop(t, func() { g.cam.Fit(); g.cam.GoTo(70, 54) })
	still(t, g)
	golden(t, "town", capture(t))
}

// The instruments over made-up values: a brake with everything it shows.
func TestGoldenBrake(t *testing.T) {
	f := newFakeTown(smallTown(t), 400)
	f.moment = Moment{Tick: 123_456, Braking: true}
	f.pinned[routes.ZoneKey{X: 3, Y: 3}] = true
	f.lag[5], f.lag[6] = 17, 12
	f.values.Paused = false
	f.values.Braking, f.values.BrakeShare, f.values.Episodes = true, 0.125, 42
	f.values.Laggards = []overlay.LaggardRow{
		{Name: "#5", Spawn: 5, Placed: true, Lag: 17, For: 800 * time.Millisecond},
		{Name: "#6", Spawn: 6, Placed: true, Lag: 12, For: 300 * time.Millisecond},
	}
	f.values.LaggardCount = 2
	f.values.Characters = overlay.Characters{Active: 40, Sleeping: 360}
	f.values.Pacing = coordinator.DefaultPacing()
	g := show(t, Options{World: World{Source: f}, Now: frozenClock}, MinWidth, MinHeight)
	inLoop(t, func() { g.showDock = false })
	until(t, "no dock", func() bool { return g.at.dock.Empty() })
	inLoop(t, func() { g.cam.Fit() })
	still(t, g)
	golden(t, "brake", capture(t))
}
