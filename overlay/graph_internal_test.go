package overlay

import (
	"image"
	"math"
	"testing"
	"time"

	"chronoscope/loop"
	"chronoscope/loop/frametime"

	"github.com/hajimehoshi/ebiten/v2"
	"pgregory.net/rapid"
)

// Every frame in view lies in a column that is as wide as its time, at least a
// pixel, and whose band has it.
func TestColumnsHoldEveryFrame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rec := &Recording{Frames: frametime.NewFrameRing(4096), Rules: frametime.Rules{Warmup: -1}, Refresh: 16 * time.Millisecond}
		at, tick := int64(0), loop.Tick(0)
		for i := range rapid.IntRange(1, 400).Draw(t, "frames") {
			f := frametime.Frame{Seq: uint64(i), Layout: at, TickBefore: tick, Flags: frametime.Focused | frametime.VSyncAsked}
			at += rapid.Int64Range(int64(time.Microsecond), int64(80*time.Millisecond)).Draw(t, "interval")
			tick += loop.Tick(rapid.IntRange(0, 3).Draw(t, "ticks"))
			f.Next, f.TickAfter = at, tick
			rec.Frames.Push(&f)
		}
		rec.Now = at
		var g Graph
		g.Span = rapid.SampledFrom(GraphSpans[:]).Draw(t, "span")
		lane := image.Rect(100, 0, 100+rapid.IntRange(50, 900).Draw(t, "width"), 80)
		axis := g.time(rec, lane)
		g.build(rec, &axis)
		frames := 0
		for i := range g.shown {
			c := &g.shown[i]
			frames += c.frames
			if c.x0 < axis.left || c.x1 > axis.right+1 || c.x1 < c.x0 {
				t.Fatalf("column %d from %v to %v, in a lane from %v to %v", i, c.x0, c.x1, axis.left, axis.right)
			}
		}
		want := 0
		for i := range rec.Frames.Len() {
			f := rec.Frames.At(i)
			if f.Next <= axis.from {
				continue
			}
			want++
			found := false
			for k := range g.shown {
				c := &g.shown[k]
				if x := axis.x(f.Layout); c.x0 <= x+1 && x <= c.x1+1 && c.lo <= f.Interval() && f.Interval() <= c.hi && c.least <= f.Ticks() && f.Ticks() <= c.most {
					found = true
				}
			}
			if !found {
				t.Fatalf("no column has frame %d of %v", f.Seq, f.Interval())
			}
		}
		if frames != want {
			t.Fatalf("the columns have %d frames, %d are in view", frames, want)
		}
	})
}

// A frame is marked by its outcome: on time a line, one refresh missed a bar, more
// a bar with a cap, left out a thin line alone.
func TestOutcomesHaveShapes(t *testing.T) {
	const r = 10 * time.Millisecond
	build := func(interval time.Duration, flags frametime.Flags) (bars, caps int) {
		rec := &Recording{Frames: frametime.NewFrameRing(8), Rules: frametime.Rules{Warmup: -1}, Refresh: r}
		f := frametime.Frame{Layout: 0, Next: int64(interval), Flags: flags}
		rec.Frames.Push(&f)
		rec.Now = f.Next
		g := Graph{Span: GraphSpans[0]}
		lane := image.Rect(0, 0, 1000, 100)
		axis := g.time(rec, lane)
		g.build(rec, &axis)
		var m Mesh
		g.intervalLane(&m, lane, scale{top: 50 * time.Millisecond}, 1)
		for i := 0; i+2 < len(m.Indices); {
			a := m.Vertices[m.Indices[i]]
			quad := i+5 < len(m.Indices) && m.Indices[i+3] == m.Indices[i]
			if !quad {
				caps++
				i += 3
				continue
			}
			c := m.Vertices[m.Indices[i+2]]
			if high := c.DstY - a.DstY; high > 10 && a.ColorA > 0.5 {
				bars++
			}
			i += 6
		}
		return bars, caps
	}
	shown := frametime.Focused | frametime.VSyncAsked
	for _, c := range []struct {
		name       string
		interval   time.Duration
		flags      frametime.Flags
		bars, caps int
	}{
		{"on time", r, shown, 0, 0},
		{"one missed", 2 * r, shown, 1, 0},
		{"two missed", 3 * r, shown, 1, 1},
		{"left out", 3 * r, frametime.VSyncAsked, 0, 0},
		{"without VSync nothing is missed", 3 * r, frametime.Focused, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			if bars, caps := build(c.interval, c.flags); bars != c.bars || caps != c.caps {
				t.Errorf("%d bars and %d caps, want %d and %d", bars, caps, c.bars, c.caps)
			}
		})
	}
}

func TestGraphScale(t *testing.T) {
	const ms = time.Millisecond
	rec := sampleRecording(frametime.VirtualDisplay{Rate: loop.Hz(60)}, 300)
	var g Graph
	if s := g.newScale(rec); s.log || s.top != loop.Hz(60).Period()*22/10 {
		t.Errorf("auto: %+v", s)
	}
	g.Axis, g.Top = FixedAxis, 20*ms
	if s := g.newScale(rec); s.at(10*ms) != 0.5 || s.at(time.Hour) != 1 || s.at(0) != 0 {
		t.Errorf("fixed: %+v", s)
	}
	g.Axis = LogAxis
	s := g.newScale(rec)
	// Each doubling goes as far up.
	if a, b := s.at(2*ms)-s.at(ms), s.at(64*ms)-s.at(32*ms); math.Abs(float64(a-b)) > 1e-6 || a <= 0 || s.at(ms/2) != 0 || s.at(time.Hour) != 1 {
		t.Errorf("log2: %v and %v for a doubling", a, b)
	}
}

// drawnDock is a dock that has been drawn with a recording.
func drawnDock(t testing.TB, rec *Recording, w, h int) (*Dock, func(kept bool)) {
	t.Helper()
	let, err := NewLettering()
	if err != nil {
		t.Fatal(err)
	}
	d := &Dock{Recording: rec}
	dst, white := ebiten.NewImage(w, h), White()
	d.mesh.Count = &let.Count
	draw := func(kept bool) {
		d.Draw(dst, white, let, image.Rect(0, 0, w, h), Instant{Rate: loop.Hz(60)}, kept)
	}
	d.Refresh()
	draw(false)
	return d, draw
}

// A click pins the frame under it, which stays pinned while the graph moves on; a
// second one, or another way out, lets it go.
func TestPin(t *testing.T) {
	rec := sampleRecording(frametime.VirtualDisplay{Rate: loop.Hz(60)}, 900)
	d, draw := drawnDock(t, rec, 1100, DockHeight)
	lane := d.layFrames().lanes[0]
	at := image.Pt((lane.Min.X+lane.Max.X)/2, lane.Min.Y+20)
	d.Click(at)
	f, ok := d.Graph.Pinned()
	if want := rec.Now - int64(5*time.Second); !ok || f.Layout > want || f.Next <= want {
		t.Fatalf("pinned %v, from %d to %d, want the one at %d", ok, f.Layout, f.Next, want)
	}
	more := f
	for range 60 {
		more.Seq, more.Layout, more.Next = rec.Frames.Pushed(), rec.Now, rec.Now+int64(16*time.Millisecond)
		rec.Frames.Push(&more)
		rec.Now = more.Next
	}
	draw(true)
	if again, _ := d.Graph.Pinned(); again != f {
		t.Error("the pin has moved")
	}
	d.Graph.PinNext(rec, -1)
	if b, _ := d.Graph.Pinned(); b.Seq != f.Seq-1 {
		t.Errorf("the one before is %d, not %d", b.Seq, f.Seq-1)
	}
	if !d.Graph.Unpin() || d.Graph.Unpin() {
		t.Error("it can't be let go once")
	}
	d.Graph.PinNext(rec, 0)
	if b, ok := d.Graph.Pinned(); !ok || b.Seq != rec.Frames.Pushed()-1 {
		t.Errorf("without a pin the newest is pinned: %d", b.Seq)
	}
}

// What the box of values says is the frame's.
func TestFrameLines(t *testing.T) {
	rec := sampleRecording(frametime.VirtualDisplay{Rate: loop.Hz(60), MissEvery: 90}, 200)
	for i := range rec.Frames.Len() {
		f := rec.Frames.At(i)
		if f.Interval() < 30*time.Millisecond || f.Layout < int64(time.Second) {
			continue
		}
		lines := frameLines(f, rec)
		if lines[0] != "frame "+Thousands(f.Seq)+": 33.333 ms, 1 missed" {
			t.Errorf("%q", lines)
		}
		return
	}
	t.Fatal("no frame was late")
}

// The buttons of the tab do what they say.
func TestFrameChoices(t *testing.T) {
	d, draw := drawnDock(t, sampleRecording(frametime.VirtualDisplay{Rate: loop.Hz(60)}, 300), 1100, DockHeight)
	press := func(label string) {
		t.Helper()
		for _, c := range d.choices {
			if c.label == label {
				d.Click(c.box.Min.Add(image.Pt(3, 3)))
				draw(false)
				return
			}
		}
		t.Fatalf("no button %q", label)
	}
	press("2 s")
	if d.Graph.span() != 2*time.Second {
		t.Errorf("span %v", d.Graph.span())
	}
	press("60 s")
	press("axis auto")
	press("axis log2")
	press("to 50.0 ms")
	if d.Graph.span() != time.Minute || d.Graph.Axis != AutoAxis {
		t.Errorf("%+v", d.Graph)
	}
	press("curves")
	press("curves")
	if d.Graph.Curves {
		t.Error("the curves stay")
	}
}

// A lane takes one call to draw, whatever is in it, and nothing is allocated while
// nothing is renewed.
func TestLaneCalls(t *testing.T) {
	d, draw := drawnDock(t, sampleRecording(frametime.VirtualDisplay{Rate: loop.Hz(120)}, 10000), 1100, DockHeight)
	d.SetSpan(time.Minute)
	draw(true)
	*d.mesh.Count = Counter{}
	draw(true)
	if n := d.mesh.Count.Calls; n != 3 {
		t.Errorf("%d draw calls for three lanes", n)
	}
}

// BenchmarkGraph draws the lanes of 10,000 frames: what each frame costs, and what
// is renewed five times a second.
func BenchmarkGraph(b *testing.B) {
	rec := sampleRecording(frametime.VirtualDisplay{Rate: loop.Hz(144), Jitter: 300 * time.Microsecond}, 10000)
	d, draw := drawnDock(b, rec, 1100, DockHeight)
	d.SetSpan(time.Minute)
	b.Run("build", func(b *testing.B) {
		b.ReportAllocs()
		l := d.layFrames()
		for b.Loop() {
			g, f := &d.Graph, &d.frames
			t := g.time(rec, l.lanes[0])
			g.build(rec, &t)
			d.mesh.Reset()
			g.intervalLane(&d.mesh, l.lanes[0], f.scale, 1)
			g.errorLane(&d.mesh, rec, &t, l.lanes[1], f.errorTop, 1)
			g.ticksLane(&d.mesh, rec, l.lanes[2], f.most, f.lagTop, 1)
		}
	})
	b.Run("frame", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			draw(true)
		}
	})
	b.Run("renew", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			d.frames.renew(&d.Graph, rec)
		}
	})
}

// When a setting changes, what was measured before stays as it was: only the
// first second after it is left out.
func TestEarlierSegmentsStay(t *testing.T) {
	rec := sampleRecording(frametime.VirtualDisplay{Rate: loop.Hz(60)}, 600)
	rec.Rules.Begin = rec.Now - int64(3*time.Second)
	g := Graph{Span: 10 * time.Second}
	lane := image.Rect(0, 0, 2000, 80)
	axis := g.time(rec, lane)
	g.build(rec, &axis)
	for i := range g.shown {
		c := &g.shown[i]
		within := c.from >= rec.Rules.Begin && c.from < rec.Rules.Begin+int64(frametime.DefaultWarmup)
		if (c.worst == frametime.Excluded) != within {
			t.Fatalf("the frame at %v counts as %v", time.Duration(c.from-rec.Rules.Begin), c.worst)
		}
	}
}
