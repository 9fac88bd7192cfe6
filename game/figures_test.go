package game

import (
	"cmp"
	"image"
	"math"
	"slices"
	"testing"
	"time"

	"chronoscope/overlay"
	"chronoscope/routes"
)

// pixel is a pixel of a rendered figure, (x, y) from its middle.
func pixel(pix []byte, n int, s shape, x, y int) (value, alpha byte) {
	i := ((n/2+y)*n*int(shapeCount) + int(s)*n + n/2 + x) * 4
	return pix[i], pix[i+3]
}

func TestFigures(t *testing.T) {
	g := glyphsFor(32, 1)
	n := g.side()
	pix := make([]byte, 4*n*n*int(shapeCount))
	renderFigures(pix, g, n)
	r := func(s shape) int { return int(g.radius[s]) }
	tests := []struct {
		name string
		s    shape
		x, y int
		want string
	}{
		{"dot's middle", dotShape, 0, 0, "fill"},
		{"dot's rim", dotShape, r(dotShape) + 1, 0, "rim"},
		{"ring is hollow", ringShape, 0, 0, "nothing"},
		{"ring itself", ringShape, r(ringShape) - 2, 0, "fill"},
		{"arrowhead's tip", arrowShape, r(arrowShape) - 3, 0, "fill"},
		{"arrowhead has no tail", arrowShape, -r(arrowShape) + 1, 0, "nothing"},
		{"arrowhead's wing", arrowShape, -r(arrowShape) * 6 / 10, r(arrowShape) / 2, "fill"},
		{"diamond's corner", diamondShape, 0, -r(diamondShape) + 2, "fill"},
		{"not a square", diamondShape, r(diamondShape) - 2, r(diamondShape) - 2, "nothing"},
		{"halo is hollow", haloShape, 0, 0, "nothing"},
		{"halo itself", haloShape, 0, r(haloShape) - 1, "fill"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v, a := pixel(pix, n, tt.s, tt.x, tt.y)
			got := "fill"
			switch {
			case a < 40:
				got = "nothing"
			case v < 60:
				got = "rim"
			}
			if got != tt.want {
				t.Errorf("value %d, alpha %d: %s, want %s", v, a, got, tt.want)
			}
		})
	}
	t.Run("the border is free", func(t *testing.T) {
		// A figure that reached its square's border would bleed into its
		// neighbour when it is filtered.
		for i := range n * int(shapeCount) {
			if pix[i*4+3] != 0 || pix[((n-1)*n*int(shapeCount)+i)*4+3] != 0 {
				t.Fatalf("column %d is drawn on at the border", i)
			}
		}
	})
}

// What is cut off a figure's square is transparent, as far in as filtering looks;
// what is drawn isn't much more than the figure.
func TestReach(t *testing.T) {
	for _, unit := range []float64{1, 1.5, 2} {
		for scale := 1.0; scale <= 64; scale *= 1.4 {
			g := glyphsFor(scale*unit, unit)
			n := g.side()
			pix := make([]byte, 4*n*n*int(shapeCount))
			renderFigures(pix, g, n)
			for s := range shapeCount {
				reach := int(g.reach(s))
				for y := -n / 2; y <= n/2; y++ {
					for x := -n / 2; x <= n/2; x++ {
						if _, a := pixel(pix, n, s, x, y); a != 0 && max(x, -x, y, -y) >= reach {
							t.Fatalf("shape %d at scale %v, unit %v: (%d, %d) isn't transparent, and %d are drawn", s, scale, unit, x, y, reach)
						}
					}
				}
				if most := g.radius[s] + 3*unit + 1; float64(reach) > most {
					t.Errorf("shape %d at scale %v, unit %v: reaches %d, want at most %.1f", s, scale, unit, reach, most)
				}
			}
		}
	}
}

// At every zoom the modes differ in shape, or at least clearly in size.
func TestModesAreToldApart(t *testing.T) {
	for scale := 1.0; scale <= 256; scale *= 1.1 {
		for _, unit := range []float64{1, 1.5, 2} {
			g := glyphsFor(scale*unit, unit)
			if g.of[Active] == g.of[Walking] || g.of[Walking] == g.of[Resting] || g.of[Active] == g.of[Resting] {
				t.Errorf("scale %v: shapes %v", scale, g.of)
			}
			if g.size[Active] < 1.5*g.size[Resting] {
				t.Errorf("scale %v: active %v, resting %v pixels", scale, g.size[Active], g.size[Resting])
			}
			if g.size[Resting] < 1.2*unit {
				t.Errorf("scale %v: one at rest is %v pixels: invisible", scale, g.size[Resting])
			}
		}
	}
}

func TestScatter(t *testing.T) {
	seen := map[[2]float32]bool{}
	var sx, sy float64
	const n = 10000
	for spawn := range uint64(n) {
		x, y := scatter(spawn)
		if math.Abs(float64(x)) > 0.4 || math.Abs(float64(y)) > 0.4 {
			t.Fatalf("character %d is drawn outside its cell: (%v, %v)", spawn, x, y)
		}
		seen[[2]float32{x, y}] = true
		sx, sy = sx+float64(x), sy+float64(y)
	}
	if len(seen) < n*99/100 {
		t.Errorf("only %d places for %d characters", len(seen), n)
	}
	if math.Abs(sx/n) > 0.01 || math.Abs(sy/n) > 0.01 {
		t.Errorf("they lean towards (%v, %v)", sx/n, sy/n)
	}
}

func testDots(n int) []Dot {
	dots := make([]Dot, n)
	for i := range dots {
		h := mix64(uint64(i) + 77)
		dots[i] = Dot{
			X: float32(h%65536) / 256, Y: float32(h>>16%65536) / 256, DX: 1, DY: float32(h >> 40 % 3),
			Spawn: uint64(i), Mode: Mode(h >> 50 % uint64(modeCount)),
		}
	}
	return dots
}

func testGround() *routes.Map {
	m := &routes.Map{Name: "test", Width: 256, Height: 256, Terrain: make([]routes.Terrain, 256*256)}
	for i := range m.Terrain {
		m.Terrain[i] = routes.Field
	}
	m.Cost = routes.DefaultCosts()
	return m
}

func TestBuildCharacters(t *testing.T) {
	cam := NewCamera(256, 256)
	cam.SetView(image.Rect(0, 0, 800, 800), 1)
	cam.X, cam.Y, cam.Scale = 100, 100, 20
	g := glyphsFor(cam.Scale, 1)
	side := g.side()
	none := newCrowd(testGround(), 16)

	t.Run("order and colour", func(t *testing.T) {
		dots := []Dot{
			{X: 99, Y: 99, Spawn: 1, Mode: Active, DX: 1, Lag: 12},
			{X: 101, Y: 101, Spawn: 2, Mode: Resting},
			{X: 100, Y: 100, Spawn: 3, Mode: Walking},
		}
		var b batch
		buildCharacters(&b, dots, cam, &g, side, none, true)
		want := []struct {
			src shape
			c   [3]uint8
		}{
			{dotShape, [3]uint8{overlay.Resting.R, overlay.Resting.G, overlay.Resting.B}},
			{ringShape, [3]uint8{overlay.Walking.R, overlay.Walking.G, overlay.Walking.B}},
			{arrowShape, [3]uint8{overlay.Awake.R, overlay.Awake.G, overlay.Awake.B}},
			{haloShape, [3]uint8{overlay.Laggard.R, overlay.Laggard.G, overlay.Laggard.B}},
		}
		if len(b.mesh.Vertices) != 4*len(want) || len(b.mesh.Indices) != 6*len(want) {
			t.Fatalf("%d vertices, %d indices for %d figures", len(b.mesh.Vertices), len(b.mesh.Indices), len(want))
		}
		for i, w := range want {
			v := b.mesh.Vertices[4*i]
			if int(v.SrcX)/side != int(w.src) || v.ColorR != float32(w.c[0])/255 || v.ColorG != float32(w.c[1])/255 || v.ColorB != float32(w.c[2])/255 {
				t.Errorf("figure %d: source %v, colour %v %v %v; want %+v", i, v.SrcX, v.ColorR, v.ColorG, v.ColorB, w)
			}
		}
	})
	t.Run("place and heading", func(t *testing.T) {
		d := Dot{X: 105, Y: 95, Spawn: 9, Mode: Active, DX: 0, DY: 2}
		var b batch
		buildCharacters(&b, []Dot{d}, cam, &g, side, none, true)
		var x, y float64
		for _, v := range b.mesh.Vertices {
			x, y = x+float64(v.DstX)/4, y+float64(v.DstY)/4
		}
		ox, oy := scatter(9)
		if wx, wy := cam.ToScreen(105+float64(ox), 95+float64(oy)); !near(x, wx, 0.01) || !near(y, wy, 0.01) {
			t.Errorf("drawn at (%v, %v), want (%v, %v)", x, y, wx, wy)
		}
		// Heading down: the right side of the figure (corner 1 to 2) lies
		// below the left one (corner 0 to 3).
		if v := b.mesh.Vertices; v[1].DstY <= v[0].DstY || v[2].DstY <= v[3].DstY {
			t.Errorf("the arrowhead does not point down: %v", v)
		}
	})
	t.Run("a tile hides its characters, not a laggard's ring", func(t *testing.T) {
		c := newCrowd(testGround(), 16)
		for i := range c.tile {
			c.tile[i] = true
		}
		var b batch
		buildCharacters(&b, []Dot{{X: 99, Y: 99, Mode: Active}, {X: 98, Y: 99, Mode: Active, Lag: 3}}, cam, &g, side, c, true)
		if n := len(b.mesh.Vertices) / 4; n != 1 {
			t.Errorf("%d figures, want the ring alone", n)
		}
	})
	t.Run("no allocation", func(t *testing.T) {
		dots := testDots(2000)
		var b batch
		run := func() {
			b.mesh.Reset()
			none.sort(dots, routes.Cell{}, routes.Cell{X: 255, Y: 255}, &g, cam.Scale)
			buildCharacters(&b, dots, cam, &g, side, none, true)
		}
		run()
		if n := allocs(run); n != 0 {
			t.Errorf("%v allocations a frame, want 0", n)
		}
	})
}

func TestCrowd(t *testing.T) {
	g := glyphsFor(5, 1)
	all := struct{ lo, hi routes.Cell }{routes.Cell{}, routes.Cell{X: 255, Y: 255}}
	at := func(n int, x float32) []Dot {
		dots := make([]Dot, n)
		for i := range dots {
			dots[i] = Dot{X: x, Y: 5, Spawn: uint64(i), Mode: Active}
		}
		return dots
	}
	// A zone is 80 x 80 pixels and an active one covers some 18 of the 6400.
	few, between, many := 100, 190, 240

	t.Run("few are drawn, many are a tile", func(t *testing.T) {
		c := newCrowd(testGround(), 16)
		c.sort(append(at(few, 5), at(many, 40)...), all.lo, all.hi, &g, 5)
		if c.hides(&Dot{X: 5, Y: 5}) || !c.hides(&Dot{X: 40, Y: 5}) || c.hides(&Dot{X: 60, Y: 5}) {
			t.Errorf("tiles: %v", c.tile[:4])
		}
		if n := c.counts[2].total(); n != many || c.counts[2][Active] != int32(many) {
			t.Errorf("%d counted in the tile, want %d", n, many)
		}
	})
	t.Run("no flicker at the limit", func(t *testing.T) {
		c := newCrowd(testGround(), 16)
		var got []bool
		for _, n := range []int{between, many, between, few, between} {
			c.sort(at(n, 5), all.lo, all.hi, &g, 5)
			got = append(got, c.tile[0])
		}
		want := []bool{false, true, true, false, false}
		for i := range want {
			if got[i] != want[i] {
				t.Errorf("step %d: tile %v, want %v", i, got[i], want[i])
			}
		}
	})
	t.Run("close up the same crowd is drawn", func(t *testing.T) {
		c := newCrowd(testGround(), 16)
		near := glyphsFor(24, 1)
		c.sort(at(many, 5), all.lo, all.hi, &near, 24)
		if c.tile[0] {
			t.Errorf("%d characters are a tile at 24 pixels a cell", many)
		}
	})
	t.Run("outside the map", func(t *testing.T) {
		c := newCrowd(testGround(), 16)
		for _, d := range []Dot{{X: -1, Y: 5}, {X: 5, Y: -0.5}, {X: 256, Y: 0}, {X: 0, Y: 300}} {
			if i := c.index(&d); i != -1 {
				t.Errorf("(%v, %v) is in tile %d", d.X, d.Y, i)
			}
		}
	})
	t.Run("tiles are bounded", func(t *testing.T) {
		m := &routes.Map{Width: 4096, Height: 4096}
		if c := newCrowd(m, 2); len(c.tile) > tileLimit || c.side%2 != 0 {
			t.Errorf("%d tiles of side %d", len(c.tile), c.side)
		}
	})
}

// What a frame builds of the map comes out of buffers that are kept: with every
// layer, something selected or not, at every scale.
func TestFrameAllocatesNothing(t *testing.T) {
	f := newFakeTown(smallTown(t), 400)
	for x := range int32(4) {
		f.pinned[routes.ZoneKey{X: x, Y: 3}] = x > 1
	}
	f.lag[5] = 120
	f.visitors = []Visitor{{X: 40, Y: 40, Radius: 24}}
	g := testGame(t, f)
	for l := range g.layers {
		g.layers[l] = true
	}
	walker := uint64(0)
	for i, l := range f.legs {
		if l.Kind == routes.Route && f.moment.Tick+60 < l.End {
			walker = uint64(i)
		}
	}
	selections := []overlay.Selection{
		{}, {Kind: overlay.OneCharacter, Spawn: walker}, {Kind: overlay.OneZone, Zone: routes.ZoneKey{X: 3, Y: 3}},
	}
	for _, s := range selections {
		g.choose(s)
		for _, scale := range []float64{1, 3, 8, 20, 60} {
			g.cam.Scale = scale
			run := func() { build(g) }
			run()
			if len(g.batch.mesh.Vertices)+len(g.mesh.Vertices) == 0 || len(g.labels) == 0 {
				t.Errorf("nothing to draw at scale %v", scale)
			}
			if n := allocs(run); n != 0 {
				t.Errorf("%v allocations a frame at %v pixels a cell with %+v selected, want 0", n, scale, s)
			}
		}
	}
}

// sameDots is a Source that always sees the same characters, and finds those in
// view as fast as it can.
type sameDots struct {
	*fakeTown
	dots []Dot // by Y
}

func (s *sameDots) Dots(_ Moment, lo, hi routes.Cell, dst []Dot) []Dot {
	byY := func(d Dot, y float32) int { return cmp.Compare(d.Y, y) }
	from, _ := slices.BinarySearchFunc(s.dots, float32(lo.Y), byY)
	to, _ := slices.BinarySearchFunc(s.dots, float32(hi.Y+1), byY)
	for _, d := range s.dots[from:max(from, to)] {
		if d.X >= float32(lo.X) && d.X < float32(hi.X+1) {
			dst = append(dst, d)
		}
	}
	return dst
}

// BenchmarkFrame builds all that a frame shows of the map. Its cost goes by who
// is in view: among 100,000 of whom a fiftieth are, it costs little more than
// among 2,000 who all are, beside what this source needs to find them.
func BenchmarkFrame(b *testing.B) {
	for _, bb := range []struct {
		name  string
		n     int
		scale float64
	}{
		{"2000 in view", 2000, 5},
		{"2000 in view, from afar", 2000, 2.6},
		{"100000 in view", 100_000, 2.6},
		{"some 2000 of 100000 in view", 100_000, 36},
	} {
		b.Run(bb.name, func(b *testing.B) {
			f := newFakeTown(namedGround(), 0)
			f.values.Characters.Sleeping = bb.n
			dots := testDots(bb.n)
			for i := range dots { // in the middle, so that all fit
				dots[i].X, dots[i].Y = 64+dots[i].X/2, 64+dots[i].Y/2
			}
			slices.SortFunc(dots, func(a, b Dot) int { return cmp.Compare(a.Y, b.Y) })
			g := testGame(b, &sameDots{f, dots})
			g.place(DefaultWidth, DefaultHeight, 1)
			g.now = time.Now
			g.cam.Scale = bb.scale
			build(g)
			for g.many() && g.census.whole < 3 { // until buffers have their size
				build(g)
			}
			b.ReportAllocs()
			for b.Loop() {
				build(g)
			}
			b.ReportMetric(float64(len(g.batch.mesh.Vertices)), "vertices")
			b.ReportMetric(float64(len(g.dots)), "in-view")
		})
	}
}

func BenchmarkCharacters(b *testing.B) {
	dots := testDots(2000)
	cam := NewCamera(256, 256)
	cam.SetView(image.Rect(0, 0, 1100, 700), 1)
	cam.Fit()
	g := glyphsFor(cam.Scale, 1)
	c := newCrowd(testGround(), 16)
	var out batch
	b.ReportAllocs()
	for b.Loop() {
		out.mesh.Reset()
		c.sort(dots, routes.Cell{}, routes.Cell{X: 255, Y: 255}, &g, cam.Scale)
		buildCharacters(&out, dots, cam, &g, g.side(), c, true)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(dots)), "ns/character")
}

func TestPiles(t *testing.T) {
	c := newCrowd(testGround(), 16)
	cam := testCamera()
	var dots []Dot
	add := func(n int, x, y float32) {
		for range n {
			dots = append(dots, Dot{X: x, Y: y})
		}
	}
	add(12, 20.5, 20.5)
	add(pileFrom-1, 21.5, 20.5)
	add(150, 30.5, 20.5)
	add(40, 100.5, 20.5)
	c.tile[6+16] = true // zone (6, 1) is a tile: it has its count
	var p piles
	cam.Scale = 16
	var got []string
	for _, l := range p.label(dots, c, cam, 1, nil, &words{}) {
		got = append(got, l.s)
	}
	if len(got) != 2 || got[0] != "12" || got[1] != "150" {
		t.Errorf("labels %q, want 12 and 150", got)
	}
	cam.Scale = 4
	if l := p.label(dots, c, cam, 1, nil, &words{}); len(l) != 0 {
		t.Errorf("%d labels from afar", len(l))
	}
}

func TestCensus(t *testing.T) {
	f := newFakeTown(smallTown(t), 300)
	f.pinned[routes.ZoneKey{X: 3, Y: 3}] = true
	c := newCensus(f.world, f.side)
	shown := newCrowd(f.world, f.side)
	// A clock that moves a millisecond each time it is read: a frame counts a
	// row or two, and the map takes several frames.
	now := frozenClock()
	clock := func() time.Time { now = now.Add(time.Millisecond); return now }
	sum := func() (all tally) {
		for _, n := range c.counts {
			for m := range all {
				all[m] += n[m]
			}
		}
		return all
	}
	frames, part := 0, 0
	for sum().total() == 0 {
		c.sweep(f, f.moment, censusLeast, 0, clock)
		// The first sweep is shown as far as it is.
		shown.take(c)
		n := 0
		for _, t := range shown.counts {
			n += t.total()
		}
		if n < part {
			t.Fatalf("%d shown in frame %d after %d", n, frames, part)
		}
		if frames == 2 && (n == 0 || n >= 300) {
			t.Errorf("%d of 300 shown after three frames", n)
		}
		part = n
		if frames++; frames > 100 {
			t.Fatal("never finished")
		}
	}
	if frames < 3 {
		t.Errorf("everything counted in %d frames: nothing is spread", frames)
	}
	var want tally
	for _, d := range f.Dots(f.moment, routes.Cell{}, routes.Cell{X: 127, Y: 127}, nil) {
		want[d.Mode]++
	}
	if got := sum(); got != want || want.total() != 300 {
		t.Errorf("counted %v, want %v", got, want)
	}
	shown.take(c)
	if !shown.hides(&Dot{X: 5, Y: 5}) {
		t.Errorf("characters are drawn beside the count")
	}
	// Close up again: what was a tile for the count's sake is none any more.
	g := glyphsFor(20, 1)
	shown.sort(nil, routes.Cell{}, routes.Cell{X: 127, Y: 127}, &g, 20)
	if shown.hides(&Dot{X: 5, Y: 5}) {
		t.Errorf("a tile is left over from the count")
	}
}

// allocs is the number of allocations of one run. The window's own goroutines
// allocate beside the test, so the least of several tries is taken.
func allocs(run func()) float64 {
	least := math.Inf(1)
	for range 20 {
		least = min(least, testing.AllocsPerRun(5, run))
	}
	return least
}
