package overlay

import (
	"image"
	"slices"
	"strings"
	"testing"
	"time"

	"chronoscope/loop/frametime"

	"github.com/hajimehoshi/ebiten/v2"
)

// comparing is a dock that shows the tab of comparison.
type comparing struct {
	*Dock
	let  *Lettering
	draw func(kept bool)
}

// drawnCompare is a dock that has drawn what slots hold.
func drawnCompare(t testing.TB, s Slots, w, h int) *comparing {
	t.Helper()
	let, err := NewLettering()
	if err != nil {
		t.Fatal(err)
	}
	d := &Dock{Tab: CompareTab}
	dst, white := ebiten.NewImage(w, h), White()
	d.mesh.Count = &let.Count
	x := &comparing{Dock: d, let: let}
	x.draw = func(kept bool) {
		d.Draw(dst, white, let, image.Rect(0, 0, w, h), Instant{}, kept)
	}
	d.Show(&Values{Slots: s}, time.Time{})
	d.Point(image.Pt(-1, -1))
	x.draw(false)
	d.Compare.Close()
	x.draw(true)
	t.Cleanup(d.Compare.Close)
	return x
}

// What is held is worked out once, on a goroutine that is waited for, and again
// when it changes; an answer about what was held before isn't shown.
func TestCompareWorksOnce(t *testing.T) {
	s := sampleSlots(300)
	x := drawnCompare(t, s, 1100, TallDockHeight)
	c := &x.Compare
	first := c.ready()
	if first == nil || len(first.slots) != 4 || len(first.rows) < 20 {
		t.Fatalf("%+v", first)
	}
	for range 5 {
		x.Show(&Values{Slots: s}, time.Time{})
		x.draw(true)
	}
	if c.ready() != first || c.working != nil {
		t.Error("it is worked out again without a change")
	}
	s[1] = Slot{}
	x.Show(&Values{Slots: s}, time.Time{})
	if c.ready() != nil {
		t.Error("what was held before is still shown")
	}
	x.draw(true) // begins
	s[2] = Slot{}
	x.Show(&Values{Slots: s}, time.Time{})
	c.Close()
	x.draw(true) // the answer is of the past
	if r := c.ready(); r != nil {
		t.Errorf("slots %v, of the past", r.slots)
	}
	c.Close()
	x.draw(true)
	if r := c.ready(); r == nil || !slices.Equal(r.slots, []int{0, 3}) {
		t.Errorf("not worked out anew: %+v", r)
	}
	x.Show(&Values{}, time.Time{})
	x.draw(true)
	if c.result != nil || c.holds() {
		t.Error("it isn't empty")
	}
}

// Nothing is drawn, and nothing allocated, while nothing changes; all captures
// are one call.
func TestCompareRests(t *testing.T) {
	s := sampleSlots(1000)
	x := drawnCompare(t, s, 1100, TallDockHeight)
	v := &Values{Slots: s}
	now := time.Now()
	x.let.Count = Counter{}
	if n := testing.AllocsPerRun(100, func() { x.draw(true) }); n != 0 || x.let.Count.Calls != 0 {
		t.Errorf("%v allocations and %d calls a frame", n, x.let.Count.Calls)
	}
	x.Refresh()
	x.Show(v, now)
	if x.draw(true); x.let.Count.Calls != 0 {
		t.Errorf("%d calls after the values were renewed", x.let.Count.Calls)
	}
	l := x.layCompare()
	c, res := &x.Compare, x.Compare.ready()
	before := x.let.Count.Calls
	x.mesh.Reset()
	for _, i := range res.slots {
		c.meshBands(&x.mesh, i, l.lane, scale{top: res.top}, 1)
	}
	x.mesh.Draw(ebiten.NewImage(10, 10), White())
	if n := x.let.Count.Calls - before; n != 1 {
		t.Errorf("%d calls for a lane", n)
	}
}

// A capture's bar is dragged with the mouse; the others stay, and so does the
// axis while it is held.
func TestCompareDrag(t *testing.T) {
	x := drawnCompare(t, sampleSlots(600), 1100, TallDockHeight)
	l := x.layCompare()
	c := &x.Compare
	all := c.view()
	perPixel := all.length / time.Duration(l.lane.Dx())
	at := l.rails[1].Min.Add(image.Pt(4, 4))
	x.Click(at)
	x.dragCompare(at.Add(image.Pt(30, 99)), true)
	if got := c.Offset(1); (got-30*perPixel).Abs() > perPixel || c.Offset(0) != 0 || c.view() != all {
		t.Errorf("30 pixels shift by %v, want %v", got, 30*perPixel)
	}
	x.dragCompare(at.Add(image.Pt(-50, 0)), true)
	x.dragCompare(at.Add(image.Pt(-50, 0)), false)
	x.dragCompare(at.Add(image.Pt(400, 0)), false)
	if got := c.Offset(1); (got + 50*perPixel).Abs() > perPixel {
		t.Errorf("50 pixels back shift by %v", got)
	}
	if v := c.view(); v.from != c.Offset(1) {
		t.Errorf("once let go the axis begins at %v, not with the first capture", v.from)
	}
	x.SetOffset(2, 2*MaxOffset)
	x.SetOffset(9, time.Second)
	if c.Offset(2) != MaxOffset || c.Offset(9) != 0 {
		t.Error("an offset out of range is taken")
	}
	// Zoomed in, the lane itself is dragged; a shift moves what is under it.
	x.SetOffset(2, 0)
	x.SetOffset(1, 0)
	x.CompareSpan(time.Second, time.Second)
	mid := image.Pt((l.lane.Min.X+l.lane.Max.X)/2, l.lane.Min.Y+5)
	x.Click(mid)
	x.dragCompare(mid.Sub(image.Pt(l.lane.Dx()/4, 0)), true)
	x.dragCompare(mid.Sub(image.Pt(l.lane.Dx()/4, 0)), false)
	if v := c.view(); (v.from-1250*time.Millisecond).Abs() > 5*time.Millisecond || v.length != time.Second {
		t.Errorf("the axis shows %+v", v)
	}
	// The wheel zooms around the pointer, and out again to everything.
	x.Point(mid)
	before := c.view()
	under := before.from + before.length/2
	x.Wheel(1, false)
	v := c.view()
	if v.length != 800*time.Millisecond || (v.from+v.length/2-under).Abs() > 5*time.Millisecond {
		t.Errorf("the wheel shows %+v, around %v", v, under)
	}
	for range 40 {
		x.Wheel(-1, false)
	}
	if c.at != (compareSpan{}) {
		t.Errorf("all the way out shows %+v", c.at)
	}
}

// Each bar's band is what its own frames were at its own offset.
func TestCompareBandsShift(t *testing.T) {
	p, _ := frametime.FindPreset("60 Hz")
	c := sampleCapture(p.Display, 300)
	long := &c.Frames[150]
	long.Next += int64(40 * time.Millisecond) // stands out
	for i := 151; i < len(c.Frames); i++ {
		c.Frames[i].Layout += int64(40 * time.Millisecond)
		c.Frames[i].Next += int64(40 * time.Millisecond)
	}
	var s Slots
	s[0].Capture = c
	x := drawnCompare(t, s, 1100, TallDockHeight)
	longest := func() time.Duration {
		v := x.Compare.view()
		x.Compare.band(x.Compare.ready(), v, 500)
		best := 0
		for k, b := range x.Compare.bands[0] {
			if b.Hi > x.Compare.bands[0][best].Hi {
				best = k
			}
		}
		return v.from + v.length*time.Duration(2*best+1)/1000
	}
	at := time.Duration(long.Layout - c.Frames[0].Layout)
	for _, by := range []time.Duration{0, 700 * time.Millisecond, -1300 * time.Millisecond} {
		x.SetOffset(0, by)
		if got := longest(); got < at+by-20*time.Millisecond || got > at+by+70*time.Millisecond {
			t.Errorf("shifted by %v the long frame stands at %v, want about %v", by, got, at+by)
		}
	}
}

func TestCompareProofs(t *testing.T) {
	p, _ := frametime.FindPreset("60 Hz")
	fast, _ := frametime.FindPreset("120 Hz")
	runs := func(change ...func(c *frametime.Capture)) [frametime.MaxSlots]*frametime.Capture {
		held := [frametime.MaxSlots]*frametime.Capture{sampleCapture(p.Display, 300)}
		for i, f := range change {
			c := sampleCapture(fast.Display, 600)
			f(c)
			held[i+1] = c
		}
		return held
	}
	same := func(*frametime.Capture) {}
	seed := func(c *frametime.Capture) { c.Meta.Seed = 2 }
	parts := func(c *frametime.Capture) { c.Digests[1].Sum++ }
	for _, tt := range []struct {
		name string
		held [frametime.MaxSlots]*frametime.Capture
		want []string
	}{
		{"alone", runs(), []string{"A alone: another capture is needed to compare it with|"}},
		{"identical", runs(same, same), []string{"A, B and C: simulation identical, presentation differs|5 digests compared, to tick 300"}},
		{"one of another seed", runs(same, seed), []string{
			"A and B: simulation identical, presentation differs|5 digests compared, to tick 300",
			"A and C: not comparable as simulations|the seeds are 1 and 2",
		}},
		{"they part", runs(parts), []string{"A and B: simulation differs from tick 120 on|5 digests compared, to tick 300"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, p := range compareCaptures(tt.held).proofs {
				got = append(got, p.text+"|"+p.detail)
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("%q", got)
			}
		})
	}
}

// Differences are written beside the figures, and grey when runs of the same
// differ as much.
func TestCompareRows(t *testing.T) {
	p, _ := frametime.FindPreset("60 Hz")
	again := p.Display
	again.Jitter = 45 * time.Microsecond
	fast, _ := frametime.FindPreset("120 Hz")
	row := func(r *comparison, label string) compareRow {
		t.Helper()
		i := slices.IndexFunc(r.rows, func(x compareRow) bool { return x.label == label })
		if i < 0 {
			t.Fatalf("no row %q", label)
		}
		return r.rows[i]
	}
	r := compareCaptures([frametime.MaxSlots]*frametime.Capture{sampleCapture(p.Display, 600), nil, sampleCapture(again, 600), sampleCapture(fast.Display, 1200)})
	a := row(r, "P50, ms")
	if a.cells[0].value[:4] != "16.6" || a.cells[3].value[:3] != "8.3" || a.cells[3].abs[:4] != "-8.3" || a.cells[3].rel != "-50.0 %" || a.cells[3].noise {
		t.Errorf("%+v", a)
	}
	if s := row(r, "sigma, ms"); !s.cells[2].noise || s.cells[2].abs == "0.000" {
		t.Errorf("what runs of the same differ by isn't noise: %+v", s)
	}
	if !strings.Contains(r.noise, "A and C, runs of the same") {
		t.Errorf("%q", r.noise)
	}
	if s := row(r, "stated refresh"); !s.setting || s.cells[0].value != "60" || s.cells[3].value != "120" {
		t.Errorf("%+v", s)
	}
	if !strings.HasPrefix(r.labels[3], "virtual 120 Hz: ") {
		t.Errorf("%q", r.labels)
	}
}

// Lines differ by pattern, and a swing is drawn in a gap of it.
func TestComparePatterns(t *testing.T) {
	seen := map[string]bool{}
	for i := range frametime.MaxSlots {
		var b strings.Builder
		for x := range 60 {
			if drawnAt(i, float32(x), 1) {
				b.WriteByte('#')
			} else {
				b.WriteByte('.')
			}
		}
		if seen[b.String()] {
			t.Errorf("%s has the pattern of another", SlotName(i))
		}
		seen[b.String()] = true
	}
	var m Mesh
	tr := newTrace(&m, 1, 1)
	for x := range 13 {
		tr.add(float32(x), 1, 50, 50, float32(x))
	}
	tr.end()
	if n := len(m.Indices) / 6; n != 1 || m.Vertices[1].DstX != 9 {
		t.Errorf("%d dashes in 13 pixels, to %v", n, m.Vertices[1].DstX)
	}
	m.Reset()
	tr = newTrace(&m, 1, 1)
	tr.add(10, 1, 20, 80, 10)
	tr.end()
	if len(m.Indices) == 0 {
		t.Error("a swing vanishes in a gap")
	}
}

// The whole table can be reached by the wheel, and no number of it is cut or
// written over another, at either size of the window.
func TestCompareTable(t *testing.T) {
	for _, w := range []int{1100, 620} {
		x := drawnCompare(t, sampleSlots(1200), w, TallDockHeight)
		x.SetCompareView(TableView)
		x.draw(true)
		res, c := x.Compare.ready(), &x.Compare
		room := float64(w) - 24 - 10
		col := x.columns(x.let, res, room)
		if col.whole > room {
			t.Errorf("%d: the table is %v wide, there is room for %v", w, col.whole, room)
		}
		for i := range res.rows {
			row := &res.rows[i]
			if row.heading || row.setting {
				continue
			}
			if x.let.Width(row.label, Small) > col.label {
				t.Errorf("%d: %q is cut", w, row.label)
			}
			for _, s := range res.slots {
				if x.let.Width(row.cells[s].value, Small) > col.value[s] || x.let.Width(row.cells[s].rel, Small) > col.rel[s] {
					t.Errorf("%d: %q: a number is wider than its column", w, row.label)
				}
			}
		}
		x.Point(image.Pt(w/2, 200))
		for range 40 {
			x.Wheel(-1, false)
		}
		if c.scroll+c.fits < len(res.rows) {
			t.Errorf("%d: scrolled to row %d of %d", w, c.scroll+c.fits, len(res.rows))
		}
	}
}

// The tab's buttons are pressed where they are drawn.
func TestCompareChoices(t *testing.T) {
	x := drawnCompare(t, sampleSlots(300), 1100, TallDockHeight)
	press := func(label string) {
		t.Helper()
		for _, c := range x.choices {
			if c.label == label {
				x.Click(c.box.Min.Add(image.Pt(3, 3)))
				x.draw(true)
				return
			}
		}
		t.Fatalf("no button %q", label)
	}
	press("axis even")
	press("axis log2")
	press("axis even")
	if !x.Compare.Log {
		t.Error("the axis is still even")
	}
	x.CompareSpan(time.Second, time.Second)
	x.draw(true)
	press("all")
	if x.Compare.at != (compareSpan{}) {
		t.Error("not all is shown")
	}
	press("curves")
	press("table")
	if x.Compare.View != TableView {
		t.Errorf("view %v", x.Compare.View)
	}
	press("lanes")
}

// BenchmarkCompare is what four captures of 10,000 frames cost: to work them out,
// to draw everything anew, and a frame in which nothing changes.
func BenchmarkCompare(b *testing.B) {
	s := sampleSlots(10000)
	x := drawnCompare(b, s, 1100, TallDockHeight)
	b.Run("work", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			compareCaptures(x.Compare.held)
		}
	})
	b.Run("lane", func(b *testing.B) {
		b.ReportAllocs()
		l, c, res := x.layCompare(), &x.Compare, x.Compare.ready()
		for b.Loop() {
			c.banded = bandKey{}
			c.band(res, c.view(), l.lane.Dx())
			x.mesh.Reset()
			for _, i := range res.slots {
				c.meshBands(&x.mesh, i, l.lane, scale{top: res.top}, 1)
			}
		}
	})
	b.Run("all", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			x.draw(false)
		}
	})
	b.Run("frame", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			x.draw(true)
		}
	})
}

// The axis holds what is common and one miss, and isn't flattened by a hitch.
func TestCompareTop(t *testing.T) {
	const ms = time.Millisecond
	even := func(d time.Duration, more ...time.Duration) []time.Duration {
		return append(slices.Repeat([]time.Duration{d}, 1000), more...)
	}
	at := func(periods ...time.Duration) (g []compareGuide) {
		for _, d := range periods {
			g = append(g, compareGuide{at: d})
		}
		return g
	}
	for _, tt := range []struct {
		name   string
		used   [][]time.Duration
		guides []compareGuide
		want   time.Duration
	}{
		{"nothing", nil, nil, DefaultGraphTop},
		{"one", [][]time.Duration{even(10 * ms)}, at(10 * ms), 22 * ms},
		{"fast and slow", [][]time.Duration{even(8 * ms), even(16 * ms)}, at(8*ms, 16*ms), 19200 * time.Microsecond},
		{"one miss", [][]time.Duration{even(8 * ms), even(16*ms, 32*ms)}, at(8*ms, 16*ms), 35200 * time.Microsecond},
		{"a hitch", [][]time.Duration{even(8 * ms), even(16*ms, 500*ms)}, at(8*ms, 16*ms), 35200 * time.Microsecond},
		{"no refresh known", [][]time.Duration{even(5 * ms)}, nil, 6 * ms},
	} {
		if got := laneTop(tt.used, tt.guides); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}
