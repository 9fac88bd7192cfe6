package routes_test

import (
	"math"
	"testing"
	"unsafe"

	"pgregory.net/rapid"

	"chronoscope/loop"
	"chronoscope/routes"
)

// full is the found path's polyline with nothing left out: every cell's centre
// and every border between two cells. Its times are summed here, cell by cell.
func full(m *routes.Map, p *routes.Path) way {
	w := way{side: p.Side(), points: []routes.Point{p.From.Center()}, times: []uint64{0}}
	points := p.Points()
	here, time := p.From, uint64(0)
	half := func(c routes.Cell, diagonal bool) uint64 {
		if diagonal {
			return (m.Cost[m.At(c)]>>29*6074001000 + 8) >> 4 * routes.TicksPerCell
		}
		return m.Cost[m.At(c)] / 2 * routes.TicksPerCell
	}
	for i := 1; i < len(points); i++ {
		for here.Center() != points[i] {
			at := here.Center()
			dx, dy := int32(0), int32(0)
			if d := points[i].X - at.X; d != 0 {
				dx = d / max(d, -d)
			}
			if d := points[i].Y - at.Y; d != 0 {
				dy = d / max(d, -d)
			}
			border := routes.Point{X: at.X + dx*512, Y: at.Y + dy*512}
			next := routes.Cell{X: here.X + dx, Y: here.Y + dy}
			diagonal := dx != 0 && dy != 0
			leave, enter := half(here, diagonal), half(next, diagonal)
			w.points = append(w.points, border, next.Center())
			w.times = append(w.times, time+leave, time+leave+enter)
			time += leave + enter
			here = next
			if border == points[i] {
				break // a change of ground, half-way
			}
		}
	}
	return w
}

// A found path is exactly the walk from centre to centre, at the pace of the
// ground, though most of its points are left out; and nobody walks through a wall.
func TestFoundPathIsTheWalk(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := mixedGrounds(14).Draw(t, "map")
		s := routes.NewSearcher(m)
		s.Side = rapid.Int32Range(1, 4).Draw(t, "side")
		p, err := s.Find(cells(m).Draw(t, "from"), cells(m).Draw(t, "to"))
		if err != nil {
			t.Skip("no way")
		}
		w := full(m, p)
		if total := w.times[len(w.times)-1]; total != p.Times()[len(p.Times())-1] || total != p.Cost*routes.TicksPerCell {
			t.Fatalf("the walk takes %d, the path %d, its cost is %d", total, p.Times()[len(p.Times())-1], p.Cost)
		}
		if len(w.points) != 1+2*(p.Straight+p.Diagonal) {
			t.Fatalf("%d straight and %d diagonal steps, %d points", p.Straight, p.Diagonal, len(w.points))
		}
		l := routes.NewRoute(1, 1, p, 100)
		for now := l.Start; now < l.End; now++ {
			// Times differ by less than the rounding of the halves of diagonal
			// steps, positions by less than a unit.
			got, want := l.At(now), w.position(now-l.Start)
			if abs(got.X-want.X) > 1 || abs(got.Y-want.Y) > 1 {
				t.Fatalf("tick %d: at %v, the walk is at %v", now, got, want)
			}
			if !m.Walkable(routes.CellOf(got)) {
				t.Fatalf("tick %d: at %v, in %v", now, got, m.At(routes.CellOf(got)))
			}
			x, y := l.AtFraction(now, 0)
			if math.Abs(x-float64(got.X)/routes.CellUnits) > 1.0/routes.CellUnits || math.Abs(y-float64(got.Y)/routes.CellUnits) > 1.0/routes.CellUnits {
				t.Fatalf("tick %d: at %v, drawn at %v, %v", now, got, x, y)
			}
		}
		checkPassages(t, l, s.Side)
		for i := 1; i < len(p.Points())-1; i++ {
			a, b, c := p.Points()[i-1], p.Points()[i], p.Points()[i+1]
			first, second := max(abs(b.X-a.X), abs(b.Y-a.Y)), max(abs(c.X-b.X), abs(c.Y-b.Y))
			straightOn := int64(b.X-a.X)*int64(second) == int64(c.X-b.X)*int64(first) && int64(b.Y-a.Y)*int64(second) == int64(c.Y-b.Y)*int64(first)
			samePace := (p.Times()[i]-p.Times()[i-1])*uint64(second) == (p.Times()[i+1]-p.Times()[i])*uint64(first)
			if straightOn && samePace {
				t.Fatalf("point %d of %v is needless", i, p.Points())
			}
		}
	})
}

func abs(v int32) int32 { return max(v, -v) }

// 12 ticks for a plain cell, 20 for a forest cell and a half, and so on.
func TestPaceFollowsTheGround(t *testing.T) {
	for _, test := range []struct {
		row  string
		want loop.Tick
	}{
		{"..", 12}, {"...", 24}, {"--", 8}, {"---------", 60}, {"ff", 21}, {"ss", 30}, {".s", 21}, {".", 1}, {"s", 1},
	} {
		m := draw(t, test.row)
		p, err := routes.NewSearcher(m).Find(routes.Cell{}, routes.Cell{X: m.Width - 1})
		if err != nil {
			t.Fatal(err)
		}
		if p.Ticks() != test.want {
			t.Errorf("%q takes %d ticks, want %d", test.row, p.Ticks(), test.want)
		}
	}
	// Swamp takes four times as long as road on one and the same route.
	m := draw(t, "---sss")
	p, err := routes.NewSearcher(m).Find(routes.Cell{}, routes.Cell{X: 5})
	if err != nil {
		t.Fatal(err)
	}
	l := routes.NewRoute(1, 1, p, 0)
	road, swamp := 0, 0
	for now := range l.End {
		if l.At(now).X < 3*routes.CellUnits {
			road++
		} else {
			swamp++
		}
	}
	if road != 19 || swamp != 75 { // 2.5 cells of 7.5 ticks, of 30 ticks
		t.Errorf("%d ticks on the road, %d in the swamp; want 19 and 75", road, swamp)
	}
}

func TestStay(t *testing.T) {
	at := routes.Point{X: -1, Y: 70 * routes.CellUnits}
	l := routes.NewStay(9, 4, at, 10, 20, 16)
	zone := routes.ZoneKey{X: -1, Y: 4}
	if l.Kind != routes.Stay || l.Owner != 9 || l.Number != 4 || l.Start != 10 || l.End != 20 || l.Path() != nil || l.Place() != at {
		t.Errorf("leg %+v", l)
	}
	for _, now := range []loop.Tick{0, 10, 15, 20, loop.MaxTick} {
		if l.At(now) != at {
			t.Errorf("at %d: %v", now, l.At(now))
		}
		if dx, dy := l.Heading(now); dx != 0 || dy != 0 {
			t.Errorf("heads %d, %d", dx, dy)
		}
	}
	if x, y := l.AtFraction(12, 0.5); x != -1.0/1024 || y != 70 {
		t.Errorf("drawn at %v, %v", x, y)
	}
	whole := routes.ZonePassage{Zone: zone, Enter: 10, Exit: 20}
	if list := l.Passages(nil); len(list) != 1 || list[0] != whole {
		t.Errorf("passages %v", list)
	}
	if zones := l.AppendZones(nil); len(zones) != 1 || zones[0] != zone || !l.Touches(zone) || l.Touches(routes.ZoneKey{}) {
		t.Errorf("zones %v", zones)
	}
	if l.Refine() || !l.Refined() {
		t.Error("a stay was refined")
	}
	all := func(routes.ZoneKey) bool { return true }
	none := func(routes.ZoneKey) bool { return false }
	for _, test := range []struct {
		now           loop.Tick
		active        func(routes.ZoneKey) bool
		later, inside bool
	}{
		{9, all, true, false}, {9, none, false, false}, {10, all, false, true}, {19, all, false, true}, {20, all, false, false},
	} {
		if p, ok := l.FirstEnter(test.now, test.active); ok != test.later || ok && p != whole {
			t.Errorf("first enter after %d: %v, %v", test.now, p, ok)
		}
		if p, ok := l.Inside(test.now); ok != test.inside || ok && p != whole {
			t.Errorf("inside at %d: %v, %v", test.now, p, ok)
		}
	}
}

// A leg of no length is refused, loudly: its maker has lost count of ticks.
func TestStayOfNoLength(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("made a stay that ends when it starts")
		}
	}()
	routes.NewStay(1, 1, routes.Point{}, 5, 5, 16)
}

// FirstEnter and Inside against a plain look through the passages.
func TestFirstEnterAndInside(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := ways().Draw(t, "way")
		l := routes.NewRoute(1, 1, w.path(t), loop.Tick(rapid.Uint64Range(0, 30).Draw(t, "start")))
		mask := rapid.Uint64().Draw(t, "active")
		active := func(z routes.ZoneKey) bool { return mask>>(uint32(z.X*7+z.Y*3)%64)&1 == 1 }
		list := l.Passages(nil)
		for now := loop.Tick(0); now < l.End+3; now++ {
			var enter, inside routes.ZonePassage
			entered, in := false, false
			for _, p := range list {
				if !entered && p.Enter > now && p.Enter < p.Exit && active(p.Zone) {
					enter, entered = p, true
				}
				if p.Enter <= now && now < p.Exit {
					inside, in = p, true
				}
			}
			if p, ok := l.FirstEnter(now, active); ok != entered || p != enter {
				t.Fatalf("first enter after %d: %v, %v; want %v, %v", now, p, ok, enter, entered)
			}
			if p, ok := routes.FirstEnter(list, active, now); ok != entered || p != enter {
				t.Fatalf("first enter in the list after %d: %v, %v; want %v, %v", now, p, ok, enter, entered)
			}
			if p, ok := l.Inside(now); ok != in || p != inside {
				t.Fatalf("inside at %d: %v, %v; want %v, %v", now, p, ok, inside, in)
			}
			if p, ok := routes.Inside(list, now); ok != in || p != inside {
				t.Fatalf("inside the list at %d: %v, %v; want %v, %v", now, p, ok, inside, in)
			}
		}
	})
}

func TestHeadingAndFractions(t *testing.T) {
	m := draw(t,
		"....",
		"###.",
		"###.")
	p, err := routes.NewSearcher(m).Find(routes.Cell{}, routes.Cell{X: 3, Y: 2})
	if err != nil {
		t.Fatal(err)
	}
	l := routes.NewRoute(1, 1, p, 100) // 36 ticks east, 24 south
	for _, test := range []struct {
		now    loop.Tick
		dx, dy int32
	}{{0, 1, 0}, {100, 1, 0}, {135, 1, 0}, {136, 0, 1}, {159, 0, 1}, {160, 0, 1}, {loop.MaxTick, 0, 1}} {
		if dx, dy := l.Heading(test.now); dx != test.dx || dy != test.dy {
			t.Errorf("heads %d, %d at %d; want %d, %d", dx, dy, test.now, test.dx, test.dy)
		}
	}
	for _, test := range []struct {
		now      loop.Tick
		fraction float64
		x, y     float64
	}{
		{0, 0.9, 0.5, 0.5}, {100, 0, 0.5, 0.5}, {100, 0.5, 0.5 + 0.5/12, 0.5}, {100, 1, 0.5 + 1.0/12, 0.5}, {100, 7, 0.5 + 1.0/12, 0.5},
		{101, -3, 0.5 + 1.0/12, 0.5}, {135, 0.5, 3.5 - 0.5/12, 0.5}, {159, 1, 3.5, 2.5}, {160, 0, 3.5, 2.5}, {999, 0.5, 3.5, 2.5},
	} {
		x, y := l.AtFraction(test.now, test.fraction)
		if math.Abs(x-test.x) > 1e-6 || math.Abs(y-test.y) > 1e-6 {
			t.Errorf("at %d + %v: %v, %v; want %v, %v", test.now, test.fraction, x, y, test.x, test.y)
		}
	}
	west, err := routes.NewSearcher(m).Find(routes.Cell{X: 3, Y: 2}, routes.Cell{})
	if err != nil {
		t.Fatal(err)
	}
	back := routes.NewRoute(1, 2, west, 0)
	if dx, dy := back.Heading(1); dx != 0 || dy != -1 {
		t.Errorf("heads %d, %d on the way back", dx, dy)
	}
	if dx, dy := back.Heading(back.End); dx != -1 || dy != 0 {
		t.Errorf("heads %d, %d at the end of the way back", dx, dy)
	}
}

// A million characters have a leg each.
func TestLegIsSmall(t *testing.T) {
	if n := unsafe.Sizeof(routes.Leg{}); n > 64 {
		t.Errorf("a leg has %d bytes, want 64 at most", n)
	}
}

// What runs per tick or per notice makes no garbage.
func TestLegAllocatesNothing(t *testing.T) {
	m := townLike(128)
	p, err := routes.NewSearcher(m).Find(routes.Cell{}, routes.Cell{X: 127, Y: 127})
	if err != nil {
		t.Fatal(err)
	}
	route, stay := routes.NewRoute(1, 1, p, 50), routes.NewStay(2, 1, p.First(), 0, 1000, 16)
	route.Refine()
	buffer := make([]routes.ZonePassage, 0, 2*len(p.Passages()))
	zones := make([]routes.ZoneKey, 0, 2*len(p.Zones()))
	now, sum := loop.Tick(0), int32(0)
	n := testing.AllocsPerRun(200, func() {
		now += 7
		for _, l := range [2]*routes.Leg{route, stay} {
			at := l.At(now)
			dx, _ := l.Heading(now)
			x, _ := l.AtFraction(now, 0.5)
			for z := range l.ForEachZone {
				sum += z.X
			}
			p, _ := l.Inside(now)
			e, _ := l.FirstEnter(now, func(z routes.ZoneKey) bool { return z.X != sum })
			sum += at.X + dx + int32(x) + p.Zone.X + e.Zone.Y + int32(len(l.Passages(buffer[:0]))) + int32(len(l.AppendZones(zones[:0])))
			l.Refine()
		}
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}
