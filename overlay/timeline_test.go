package overlay_test

import (
	"image"
	"image/color"
	"strings"
	"testing"
	"time"

	"chronoscope/loop"
	"chronoscope/overlay"
	"chronoscope/routes"
	"chronoscope/world"
)

// lane is 1000 pixels wide: at the default span of 30 s and 10 ticks a second,
// 300 ticks, the present stands at pixel 400 of the screen.
var lane = image.Rect(100, 50, 1100, 50+18*4)

func at(t loop.Tick) overlay.Instant {
	return overlay.Instant{Tick: t, Rate: loop.Hz(10)}
}

// zoneValues selects zone 3, 4 with one leg for each list of passages.
func zoneValues(rows ...[]routes.ZonePassage) *overlay.Values {
	z := routes.ZoneKey{X: 3, Y: 4}
	v := &overlay.Values{Selection: overlay.Selection{Kind: overlay.OneZone, Zone: z}}
	v.Zone.Zone, v.Zone.Legs = z, len(rows)
	for i, ps := range rows {
		for k := range ps {
			ps[k].Zone = z
		}
		l := world.ZoneLeg{Mark: world.Mark{Spawn: uint64(i + 1)}, Passages: ps, Refined: true}
		v.Zone.Rows = append(v.Zone.Rows, l)
	}
	return v
}

func passage(enter, exit loop.Tick) routes.ZonePassage {
	return routes.ZonePassage{Enter: enter, Exit: exit}
}

// piece is a rectangle of a mesh.
type piece struct{ x0, y0, x1, y1 float32 }

// pieces are the rectangles of exactly this colour, premultiplied.
func pieces(m *overlay.Mesh, c color.RGBA) []piece {
	var list []piece
	near := func(a float32, b uint8) bool { d := a*255 - float32(b); return d > -1 && d < 1 }
	for i := 0; i+3 < len(m.Vertices); {
		v, w := m.Vertices[i], m.Vertices[i+2]
		if m.Vertices[i+1].DstY != v.DstY || m.Vertices[i+3].DstX != v.DstX {
			i++ // a triangle or a slanting line
			continue
		}
		if near(v.ColorR, c.R) && near(v.ColorG, c.G) && near(v.ColorB, c.B) && near(v.ColorA, c.A) {
			list = append(list, piece{v.DstX, v.DstY, w.DstX, w.DstY})
		}
		i += 4
	}
	return list
}

// span is what the pieces of a colour cover from left to right; ok is false when
// there are none.
func span(m *overlay.Mesh, c color.RGBA) (x0, x1 float32, ok bool) {
	for i, p := range pieces(m, c) {
		if i == 0 {
			x0, x1 = p.x0, p.x1
		}
		x0, x1, ok = min(x0, p.x0), max(x1, p.x1), true
	}
	return
}

func build(v *overlay.Values, i overlay.Instant) *overlay.Mesh {
	var t overlay.Timeline
	var m overlay.Mesh
	t.Show(v)
	t.Build(&m, lane, i, 1)
	return &m
}

// Borders are half-open: a passage is now from its Enter to the tick before its
// Exit.
func TestPhaseOf(t *testing.T) {
	tests := []struct {
		name        string
		enter, exit loop.Tick
		now         loop.Tick
		want        overlay.Phase
	}{
		{"before", 100, 200, 99, overlay.IsToCome},
		{"at Enter", 100, 200, 100, overlay.IsNow},
		{"the last tick", 100, 200, 199, overlay.IsNow},
		{"at Exit", 100, 200, 200, overlay.IsPast},
		{"one tick", 100, 101, 100, overlay.IsNow},
		{"no tick, before", 100, 100, 99, overlay.IsToCome},
		{"no tick, at its border", 100, 100, 100, overlay.IsPast},
		{"no end", 0, loop.MaxTick, loop.MaxTick - 1, overlay.IsNow},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := overlay.PhaseOf(passage(tt.enter, tt.exit), tt.now); got != tt.want {
				t.Errorf("[%d, %d) at %d: phase %d, want %d", tt.enter, tt.exit, tt.now, got, tt.want)
			}
		})
	}
}

func TestTimelinePlaces(t *testing.T) {
	const perTick = 1000.0 / 300
	tests := []struct {
		name  string
		p     routes.ZonePassage
		i     overlay.Instant
		color color.RGBA
		x0    float32
		x1    float32
	}{
		{"to come", passage(1060, 1120), at(1000), overlay.ToCome, 600, 800},
		{"now", passage(970, 1030), at(1000), overlay.Now, 300, 500},
		{"past", passage(940, 970), at(1000), overlay.Past, 200, 300},
		{"begins with this tick", passage(1000, 1030), at(1000), overlay.Now, 400, 500},
		{"ends with this tick", passage(970, 1000), at(1000), overlay.Past, 300, 400},
		{"half a tick further", passage(1060, 1120), overlay.Instant{Tick: 1000, Alpha: 0.5, Rate: loop.Hz(10)}, overlay.ToCome, 600 - perTick/2, 800 - perTick/2},
		{"cut at the left", passage(0, 1030), at(1000), overlay.Now, 100, 500},
		{"cut at the right", passage(1060, loop.MaxTick), at(1000), overlay.ToCome, 600, 1100},
		{"cut at both", passage(0, loop.MaxTick), at(1000), overlay.Now, 100, 1100},
		{"a very short one can be seen", passage(1060, 1061), overlay.Instant{Tick: 1000, Rate: loop.Hz(240)}, overlay.ToCome, 400 + 60*1000.0/7200, 402 + 60*1000.0/7200},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			x0, x1, ok := span(build(zoneValues([]routes.ZonePassage{tt.p}), tt.i), tt.color)
			if d := max(x0-tt.x0, tt.x0-x0, x1-tt.x1, tt.x1-x1); !ok || d > 0.01 {
				t.Errorf("from %v to %v (%v), want %v to %v", x0, x1, ok, tt.x0, tt.x1)
			}
		})
	}
	for _, tt := range []struct {
		name string
		p    routes.ZonePassage
	}{{"long over", passage(100, 200)}, {"far off", passage(9000, 9100)}} {
		t.Run(tt.name, func(t *testing.T) {
			m := build(zoneValues([]routes.ZonePassage{tt.p}), at(1000))
			for _, c := range []color.RGBA{overlay.Past, overlay.Now, overlay.ToCome} {
				if p := pieces(m, c); len(p) > 0 {
					t.Errorf("%v is drawn", p)
				}
			}
		})
	}
}

// What is now is filled, what is past hollow, what is to come hatched, and a
// passage without a tick is a line higher than the bars.
func TestTimelineShapes(t *testing.T) {
	tests := []struct {
		name    string
		p       routes.ZonePassage
		color   color.RGBA
		fill    float64 // opacity of the fill; 0: hollow
		hatched bool
	}{
		{"past", passage(940, 970), overlay.Past, 0, false},
		{"now", passage(970, 1030), overlay.Now, 0.8, false},
		{"to come", passage(1060, 1120), overlay.ToCome, 0.16, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := build(zoneValues([]routes.ZonePassage{tt.p}), at(1000))
			if n := len(pieces(m, tt.color)); n != 4 {
				t.Errorf("%d edges, want 4", n)
			}
			if tt.fill > 0 && len(pieces(m, overlay.Alpha(tt.color, tt.fill))) != 1 {
				t.Errorf("not filled")
			}
			slants := 0
			for i := 0; i+3 < len(m.Vertices); i += 4 {
				if m.Vertices[i+1].DstY != m.Vertices[i].DstY && m.Vertices[i].ColorR == m.Vertices[i+3].ColorR && m.Vertices[i].DstY == m.Vertices[i+3].DstY {
					slants++
				}
			}
			if (slants > 3) != tt.hatched {
				t.Errorf("%d slanting lines", slants)
			}
		})
	}
	t.Run("no tick", func(t *testing.T) {
		p := pieces(build(zoneValues([]routes.ZonePassage{passage(1030, 1030)}), at(1000)), overlay.ToCome)
		if len(p) != 1 || p[0].x1-p[0].x0 > 2 || p[0].y1-p[0].y0 <= 10 {
			t.Errorf("drawn as %v", p)
		}
	})
	t.Run("a cut has no edge", func(t *testing.T) {
		if n := len(pieces(build(zoneValues([]routes.ZonePassage{passage(0, loop.MaxTick)}), at(1000)), overlay.Now)); n != 2 {
			t.Errorf("%d edges, want those above and below", n)
		}
	})
}

func TestTimelineRevisits(t *testing.T) {
	ps := []routes.ZonePassage{passage(940, 970), passage(990, 1020), passage(1060, 1090)}
	m := build(zoneValues(ps), at(1000))
	for _, c := range []color.RGBA{overlay.Past, overlay.Now, overlay.ToCome} {
		if len(pieces(m, c)) != 4 {
			t.Errorf("%v: %v, want a bar", c, pieces(m, c))
		}
	}
	// The thin line from the first to the last joins them.
	join := pieces(m, overlay.Alpha(overlay.Faint, 0.8))
	if len(join) != 1 || join[0].x0 != 300 || join[0].x1 != 600 {
		t.Errorf("joined by %v, want from 300 to 600", join)
	}
}

// A character's zones stand in the order of its first visits, those it comes
// back to in one row.
func TestTimelineOfCharacter(t *testing.T) {
	z := func(x int32, from, to loop.Tick) routes.ZonePassage {
		return routes.ZonePassage{Zone: routes.ZoneKey{X: x}, Enter: from, Exit: to}
	}
	v := &overlay.Values{Selection: overlay.Selection{Kind: overlay.OneCharacter, Spawn: 9}}
	v.Character.Spawn = 9
	v.Character.Leg = routes.NewStay(9, 1, routes.Point{}, 900, 1300, 16)
	v.Character.Passages = []routes.ZonePassage{z(5, 900, 1000), z(6, 1000, 1100), z(5, 1100, 1200), z(4, 1200, 1300)}
	var tl overlay.Timeline
	tl.Show(v)
	if tl.Rows() != 3 {
		t.Fatalf("%d rows, want 3", tl.Rows())
	}
	for i, want := range []int32{5, 6, 4} {
		if got := tl.Picked(i); got != (overlay.Selection{Kind: overlay.OneZone, Zone: routes.ZoneKey{X: want}}) {
			t.Errorf("row %d selects %+v, want zone %d", i, got, want)
		}
	}
	if got := tl.Tell(0, 1, at(1000)); got != "#9 in zone 5, 0: [1 100, 1 200), time 2 of 2, 100 ticks, in 10 s" {
		t.Errorf("says %q", got)
	}
	// Two rows fit: the one of now is kept in view until somebody scrolls.
	tl.KeepNow(1250, 2)
	if row, _ := tl.Over(image.Pt(50, lane.Min.Y+1), lane, at(1250), 1); row != 1 {
		t.Errorf("the first row shown is %d, want 1, with the last one in view", row)
	}
	tl.Scroll(-1, 2)
	tl.KeepNow(1250, 2)
	if row, _ := tl.Over(image.Pt(50, lane.Min.Y+1), lane, at(1250), 1); row != 0 {
		t.Errorf("the first row shown is %d after scrolling up", row)
	}
}

func TestTimelineScroll(t *testing.T) {
	var rows [][]routes.ZonePassage
	for range 10 {
		rows = append(rows, []routes.ZonePassage{passage(990, 1030)})
	}
	var tl overlay.Timeline
	tl.Show(zoneValues(rows...))
	first := func() int {
		row, _ := tl.Over(image.Pt(lane.Min.X-20, lane.Min.Y+2), lane, at(1000), 1)
		return row
	}
	for _, tt := range []struct{ by, want int }{{0, 0}, {3, 3}, {-1, 2}, {100, 6}, {-100, 0}} {
		if tl.Scroll(tt.by, 4); first() != tt.want {
			t.Errorf("after %d the first row is %d, want %d", tt.by, first(), tt.want)
		}
	}
	var m overlay.Mesh
	tl.Build(&m, lane, at(1000), 1)
	if n := len(pieces(&m, overlay.Now)); n != 4*4 {
		t.Errorf("%d edges are drawn, want those of the 4 rows that fit", n)
	}
	tl.Scroll(6, 4)
	tl.Show(zoneValues(rows[:3]...)) // most of them are gone
	tl.KeepNow(1000, 4)
	if first() != 0 {
		t.Errorf("the first row is %d of 3", first())
	}
}

func TestTimelineHit(t *testing.T) {
	var tl overlay.Timeline
	tl.Show(zoneValues(
		[]routes.ZonePassage{passage(970, 1030), passage(1060, 1090)},
		[]routes.ZonePassage{passage(1030, 1030)},
	))
	tests := []struct {
		name         string
		p            image.Point
		row, passage int
	}{
		{"on a bar", image.Pt(450, 55), 0, 0},
		{"on the second", image.Pt(650, 55), 0, 1},
		{"between them", image.Pt(550, 55), 0, -1},
		{"its first pixel", image.Pt(600, 55), 0, 1},
		{"on the label", image.Pt(20, 55), 0, -1},
		{"beside a tick", image.Pt(502, 50+20), 1, 0},
		{"away from it", image.Pt(506, 50+20), 1, -1},
		{"below the rows", image.Pt(450, 50+40), -1, -1},
		{"above them", image.Pt(450, 49), -1, -1},
		{"beside them", image.Pt(1100, 55), -1, -1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if row, p := tl.Over(tt.p, lane, at(1000), 1); row != tt.row || p != tt.passage {
				t.Errorf("row %d, passage %d, want %d and %d", row, p, tt.row, tt.passage)
			}
		})
	}
	if got := tl.Picked(1); got != (overlay.Selection{Kind: overlay.OneCharacter, Spawn: 2}) {
		t.Errorf("row 1 selects %+v", got)
	}
	if got := tl.Picked(-1); got.Kind != overlay.Nothing {
		t.Errorf("no row selects %+v", got)
	}
}

func TestTimelineTell(t *testing.T) {
	ps := []routes.ZonePassage{passage(900, 950), passage(990, 1030), passage(1100, 1100), passage(1200, loop.MaxTick)}
	var tl overlay.Timeline
	tl.Show(zoneValues(ps))
	for i, want := range []string{
		"#1 in zone 3, 4: [900, 950), time 1 of 4, 50 ticks, 5.0 s ago",
		"#1 in zone 3, 4: [990, 1 030), time 2 of 4, 40 ticks, now, for another 3.0 s",
		"#1 in zone 3, 4: [1 100, 1 100), time 3 of 4, 0 ticks, in 10 s",
		"#1 in zone 3, 4: [1 200, no end), time 4 of 4, in 20 s",
		"",
	} {
		if got := tl.Tell(0, i, at(1000)); got != want {
			t.Errorf("passage %d: %q, want %q", i, got, want)
		}
	}
}

func TestTimelineHeader(t *testing.T) {
	zone := zoneValues([]routes.ZonePassage{passage(990, 1030)})
	zone.Zone.Active, zone.Zone.Since, zone.Zone.Pinned, zone.Zone.Near = true, 1234, true, true
	zone.Zone.Legs, zone.Zone.Refined, zone.Zone.Refinements = 41, 12, 345
	zone.Zone.RefineMean, zone.Zone.RefineP99 = 12300, 40*time.Microsecond
	asleep := zoneValues([]routes.ZonePassage{passage(990, 1030)})
	stay := routes.NewStay(9, 1, routes.Point{}, 900, 1300, 16)
	tests := []struct {
		name string
		v    *overlay.Values
		want string
	}{
		{"nothing", &overlay.Values{}, "click a zone to see who passes it when, or a character to see where it will be when"},
		{"an active zone", zone, "zone 3, 4: active since tick 1 234, pinned, a visitor is near|41 legs registered, 12 refined|345 refinements in all, mean 12.3 us, P99 40 us"},
		{"a sleeping zone", asleep, "zone 3, 4: asleep|1 leg registered, 0 refined|nobody needed these passages: they are worked out for you alone"},
		{"an empty zone", zoneValues(), "zone 3, 4: asleep|no leg touches it"},
		{"a character that is gone", &overlay.Values{Gone: true, Selection: overlay.Selection{Kind: overlay.OneCharacter, Spawn: 1234}}, "#1 234 has ended"},
		{"a character that stays", &overlay.Values{
			Selection: overlay.Selection{Kind: overlay.OneCharacter},
			Character: world.Detail{Mark: world.Mark{Leg: stay}, Place: "market 3", Passages: stay.View(nil), Refined: true},
		}, "#0: staying at market 3|1 passage through 1 zone"},
		{"passages that nobody worked out", &overlay.Values{
			Selection: overlay.Selection{Kind: overlay.OneCharacter}, Character: world.Detail{Mark: world.Mark{Leg: stay}},
		}, "#0: staying|its passages aren't worked out: nobody needed them yet"},
		{"details of another one", &overlay.Values{
			Selection: overlay.Selection{Kind: overlay.OneCharacter, Spawn: 5}, Character: world.Detail{Mark: world.Mark{Leg: stay}},
		}, "no details yet"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var tl overlay.Timeline
			tl.Show(tt.v)
			if got := strings.TrimRight(strings.Join(tl.Header(), "|"), "|"); got != tt.want {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}

func TestTimelineSpan(t *testing.T) {
	var tl overlay.Timeline
	if tl.Span() != 30*time.Second {
		t.Errorf("starts with %v", tl.Span())
	}
	for range 20 {
		tl.Zoom(-1)
	}
	if tl.Span() != 10*time.Second {
		t.Errorf("the shortest is %v", tl.Span())
	}
	for range 20 {
		tl.Zoom(+1)
	}
	if tl.Span() != 10*time.Minute {
		t.Errorf("the longest is %v", tl.Span())
	}
}

// manyRows are n legs with three passages each around tick 100 000.
func manyRows(n int) *overlay.Values {
	var rows [][]routes.ZonePassage
	for i := range n {
		o := loop.Tick(100_000 + i%50*7)
		rows = append(rows, []routes.ZonePassage{passage(o-900, o-400), passage(o-100, o+200), passage(o+400, o+900)})
	}
	return zoneValues(rows...)
}

func TestTimelineAllocatesNothing(t *testing.T) {
	var tl overlay.Timeline
	var m overlay.Mesh
	tl.Show(manyRows(200))
	r := image.Rect(0, 0, 1400, 200*18)
	i := overlay.Instant{Tick: 100_000, Rate: loop.Hz(60)}
	run := func() {
		i.Tick++
		m.Reset()
		tl.Build(&m, r, i, 1)
		tl.Over(image.Pt(500, 300), r, i, 1)
	}
	for range 300 {
		run()
	}
	if n := testing.AllocsPerRun(50, run); n != 0 {
		t.Errorf("%v allocations a frame, want 0", n)
	}
}

func BenchmarkTimeline200(b *testing.B) {
	var tl overlay.Timeline
	var m overlay.Mesh
	tl.Show(manyRows(200))
	r := image.Rect(0, 0, 1400, 200*18)
	i := overlay.Instant{Tick: 100_000, Rate: loop.Hz(60)}
	b.ReportAllocs()
	for b.Loop() {
		m.Reset()
		tl.Build(&m, r, i, 1)
	}
	b.ReportMetric(float64(len(m.Vertices)), "vertices")
}
