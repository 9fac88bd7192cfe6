package overlay

import (
	"fmt"
	"image"
	"strings"
	"testing"
	"time"

	"chronoscope/coordinator"
	"chronoscope/coordinator/waiting"
	"chronoscope/loop"
	"chronoscope/loop/frametime"
	"chronoscope/loop/lab"

	"github.com/hajimehoshi/ebiten/v2"
)

// sampleLab is a lab with large numbers everywhere.
func sampleLab(t testing.TB) LabValues {
	t.Helper()
	v := LabValues{Settings: DefaultLab(), Rate: loop.Rate{Num: 60000, Den: 1001}, PacersOn: true, PacerRate: loop.Rate{Num: 60000, Den: 1001}, PacersSpan: time.Hour}
	v.Settings.Overload.Work = 100 * time.Millisecond
	for i, k := range loop.PacerKinds() {
		var w lab.Window
		for n := range 3000 {
			late := time.Duration(n%97) * time.Duration(i+1) * 13 * time.Microsecond
			if n%500 == 0 {
				late = 123400 * time.Microsecond
			}
			w.Add(time.Duration(n)*10*time.Millisecond, late, 1234, time.Duration(n)*9*time.Millisecond)
		}
		v.Pacers = append(v.Pacers, lab.PacerReading{Kind: k, Summary: w.Read(30*time.Second, 27*time.Second), Told: i > 0})
	}
	var err error
	if v.Overload, err = lab.Overload(v.Settings.Overload); err != nil {
		t.Fatal(err)
	}
	v.Waiting = waiting.Progress{Options: waiting.Options{Members: 10_000, Rate: v.Rate, For: 30 * time.Second}}
	for _, s := range waiting.Strategies() {
		v.Waiting.Results = append(v.Waiting.Results, waiting.Result{Strategy: s, Ticks: 1800, P50: 12340 * time.Microsecond, P99: 123400 * time.Microsecond, Max: 234500 * time.Microsecond, CPU: 12340, Share: 1.234, Told: s == coordinator.Poll})
	}
	v.Settings.Display = "suspend, clock on"
	if v.Runs, err = lab.OnDisplay("jitter 0.3 ms", v.Rate); err != nil {
		t.Fatal(err)
	}
	v.Matrix = frametime.Matrix(v.Rate)
	return v
}

// labDock is a dock that shows the lab, and what draws it.
func labDock(t testing.TB, v LabValues, w, h int) (*Dock, *Lettering, func(now time.Time, kept bool)) {
	t.Helper()
	let, err := NewLettering()
	if err != nil {
		t.Fatal(err)
	}
	d := &Dock{Tab: LabTab}
	d.mesh.Count = &let.Count
	dst, white := ebiten.NewImage(w, h), White()
	d.Lab.show(&v)
	return d, let, func(now time.Time, kept bool) {
		d.Draw(dst, white, let, image.Rect(0, 0, w, h), Instant{Rate: loop.Hz(60), Now: now}, kept)
	}
}

// labCases are the states of the pages.
func labCases() map[string]func(*LabValues) {
	page := func(p LabPage, also ...func(*LabValues)) func(*LabValues) {
		return func(v *LabValues) {
			v.Settings.Page = p
			for _, f := range also {
				f(v)
			}
		}
	}
	return map[string]func(*LabValues){
		"pacers":           page(PacerPage),
		"pacers stopped":   page(PacerPage, func(v *LabValues) { v.PacersOn = false }),
		"pacers learning":  page(PacerPage, func(v *LabValues) { v.Pacers = []lab.PacerReading{{Kind: loop.Compensated}, {}, {}, {}, {}} }),
		"pacers never":     page(PacerPage, func(v *LabValues) { v.Pacers, v.PacersOn = nil, false }),
		"loops":            page(LoopPage),
		"loops overloaded": page(LoopPage, func(v *LabValues) { v.Settings.Work, v.Settings.Frame, v.Settings.Slow = time.Second, time.Second, 1 }),
		"loops slow":       page(LoopPage, func(v *LabValues) { v.Rate = loop.Hz(1) }),
		"overload":         page(OverloadPage),
		"overload light": page(OverloadPage, func(v *LabValues) {
			v.Settings.Overload = lab.OverloadOptions{Step: time.Second, Loaded: 200, Light: 200, Cap: 1000}
			v.Overload, _ = lab.Overload(v.Settings.Overload)
		}),
		"overload never": page(OverloadPage, func(v *LabValues) { v.Overload = nil }),
		"waiting":        page(WaitingPage),
		"waiting begun":  page(WaitingPage, func(v *LabValues) { v.Waiting.Results, v.Waiting.Running = nil, true }),
		"waiting half": page(WaitingPage, func(v *LabValues) {
			v.Waiting.Results, v.Waiting.Running, v.Waiting.Now, v.Waiting.Part = v.Waiting.Results[:1], true, coordinator.Gate, 0.6
		}),
		"waiting stopped":  page(WaitingPage, func(v *LabValues) { v.Waiting.Results, v.Waiting.Cancelled = v.Waiting.Results[:1], true }),
		"waiting never":    page(WaitingPage, func(v *LabValues) { v.Waiting = waiting.Progress{} }),
		"displays":         page(DisplayPage),
		"displays unknown": page(DisplayPage, func(v *LabValues) { v.Runs, _ = lab.OnDisplay("VRR 48-144", v.Rate) }),
		"displays never":   page(DisplayPage, func(v *LabValues) { v.Runs = nil }),
		"matrix":           page(DisplayPage, func(v *LabValues) { v.Settings.Matrix = true }),
		"matrix never":     page(DisplayPage, func(v *LabValues) { v.Settings.Matrix, v.Matrix = true, nil }),
	}
}

// On every page, in every state and size, nothing that is written overlaps
// anything else or reaches beyond the dock, and nothing is cut.
func TestLabLayout(t *testing.T) {
	base := sampleLab(t)
	for name, change := range labCases() {
		// The dock of a window of 960x600 and of 1440x900, with the sidebar and
		// without.
		for _, size := range []image.Point{{620, 270}, {960, 270}, {1100, 340}, {1440, 340}} {
			t.Run(fmt.Sprintf("%s %d", name, size.X), func(t *testing.T) {
				v := base
				change(&v)
				d, _, draw := labDock(t, v, size.X, size.Y)
				now := time.Unix(1000, 0)
				for range 300 { // the loops' time passes
					draw(now, true)
					now = now.Add(400 * time.Millisecond)
				}
				d.Lab.show(&v)
				var log []labText
				d.Lab.log = &log
				draw(now, false)
				if len(log) == 0 {
					t.Fatal("nothing is written")
				}
				for i, a := range log {
					if strings.HasSuffix(a.s, "...") {
						t.Errorf("%q is cut", a.s)
					}
					if !a.box.In(d.place) {
						t.Errorf("%q at %v reaches beyond the dock, %v", a.s, a.box, d.place)
					}
					for _, b := range log[i+1:] {
						if a.box.Overlaps(b.box) {
							t.Errorf("%q at %v and %q at %v overlap", a.s, a.box, b.s, b.box)
						}
					}
					for _, c := range d.choices {
						if a.box.Overlaps(c.box) {
							t.Errorf("%q at %v lies on the button %q", a.s, a.box, c.label)
						}
					}
				}
				for i, a := range d.choices {
					for _, b := range d.choices[i+1:] {
						if a.box.Overlaps(b.box) {
							t.Errorf("the buttons %q and %q overlap", a.label, b.label)
						}
					}
				}
			})
		}
	}
}

// In the sidebar, too.
func TestLabSection(t *testing.T) {
	base := sampleLab(t)
	for name, change := range labCases() {
		t.Run(name, func(t *testing.T) {
			h := &sheet{t: t, v: SampleValues(time.Second)}
			h.v.Lab = base
			change(&h.v.Lab)
			h.v.Lab.Refused = "lab: pacer rate 1001: want 1 to 1000 a second"
			h.p.letters = lettering()
			h.p.SetOpen(Sections{LabSection: true})
			for range 6 {
				h.p.Touch()
				if _, err := h.p.run(h.v, image.Rect(0, 0, SidebarWidth, 900), 1, false); err != nil {
					t.Fatal(err)
				}
			}
			for i, a := range h.p.marks {
				if a.s == "" || a.title {
					continue
				}
				if strings.HasSuffix(a.s, "…") {
					t.Errorf("%q is cut", a.s)
				}
				for _, b := range h.p.marks[i+1:] {
					if b.s != "" && !b.title && a.box.Overlaps(b.box) {
						t.Errorf("%q and %q overlap", a.s, b.s)
					}
				}
			}
		})
	}
}

// What is clicked in the dock becomes one order.
func TestLabClicks(t *testing.T) {
	base := sampleLab(t)
	settings := func(change func(*LabSettings)) func(LabValues) LabOrder {
		return func(v LabValues) LabOrder {
			change(&v.Settings)
			return LabOrder{Settings: v.Settings, HasSettings: true}
		}
	}
	is := func(o LabOrder) func(LabValues) LabOrder { return func(LabValues) LabOrder { return o } }
	for _, c := range []struct {
		state, label string
		want         func(LabValues) LabOrder
	}{
		{"pacers", "Loops", settings(func(s *LabSettings) { s.Page = LoopPage })},
		{"pacers", "Displays", settings(func(s *LabSettings) { s.Page = DisplayPage })},
		{"pacers", "stop", is(LabOrder{Pacers: TurnOff})},
		{"pacers never", "start", is(LabOrder{Pacers: TurnOn})},
		{"loops", "again", settings(func(s *LabSettings) { s.Again++ })},
		{"loops", "1:40", settings(func(s *LabSettings) { s.Slow = 40 })},
		{"overload", "cap 8", settings(func(s *LabSettings) { s.Overload.Cap = 8 })},
		{"overload", "work 15 ms", settings(func(s *LabSettings) { s.Overload.Work = 15 * time.Millisecond })},
		{"waiting", "start", is(LabOrder{Waiting: TurnOn})},
		{"waiting half", "stop", is(LabOrder{Waiting: TurnOff})},
		{"displays", ">", settings(func(s *LabSettings) { s.Display = "clock 5 ms back" })},
		{"displays", "<", settings(func(s *LabSettings) { s.Display = "suspend of 1 h" })},
		{"displays", "matrix", settings(func(s *LabSettings) { s.Matrix = true })},
		{"matrix", "matrix", settings(func(s *LabSettings) { s.Matrix = false })},
	} {
		t.Run(c.state+" "+c.label, func(t *testing.T) {
			v := base
			labCases()[c.state](&v)
			d, _, draw := labDock(t, v, 1100, TallDockHeight)
			draw(time.Unix(1000, 0), false)
			for _, b := range d.choices {
				if b.label == c.label {
					d.Click(b.box.Min.Add(image.Pt(3, 3)))
				}
			}
			if got, want := d.Lab.Take(), c.want(v); got != want {
				t.Errorf("got  %+v\nwant %+v", got, want)
			}
			if d.Lab.Take() != (LabOrder{}) {
				t.Error("it is ordered twice")
			}
		})
	}
}

func TestLabNames(t *testing.T) {
	for p := range LabPageCount {
		if got, ok := LabPageNamed(p.String()); !ok || got != p || LabPageNames()[p] != p.String() {
			t.Errorf("%v is found as %v", p, got)
		}
	}
	if _, ok := LabPageNamed("page 9"); ok || LabPage(9).String() != "page 9" {
		t.Error("a page that isn't there")
	}
	first := frametime.Presets()[0].Name
	at := first
	for range frametime.Presets() {
		at = NextDisplay(at, +1)
	}
	if at != first || NextDisplay(NextDisplay(first, -1), +1) != first {
		t.Errorf("around all displays one comes to %q", at)
	}
	if r, err := ParseLabRate("World"); err != nil || r.Valid() {
		t.Errorf("world is %v, %v", r, err)
	}
	if _, err := ParseLabRate("0"); err == nil || !strings.Contains(err.Error(), "accepted are") || !strings.HasSuffix(err.Error(), ", or world") {
		t.Errorf("0: %v", err)
	}
}

// The loops' time passes while they are seen, slowed; not while they aren't, and
// they begin anew with new settings.
func TestLoopsPass(t *testing.T) {
	v := sampleLab(t)
	v.Settings.Page = LoopPage
	var l Lab
	now := time.Unix(1000, 0)
	l.show(&v)
	l.passLoops(now)
	pass := func(d time.Duration) {
		now = now.Add(d)
		l.passLoops(now)
	}
	for range 10 {
		pass(100 * time.Millisecond)
	}
	if l.loops.Now() != 100*time.Millisecond {
		t.Errorf("a second slowed to a tenth is %v", l.loops.Now())
	}
	pass(time.Hour)
	if l.loops.Now() != 100*time.Millisecond {
		t.Errorf("while nobody looked it went on to %v", l.loops.Now())
	}
	v.Settings.Slow = 1
	l.show(&v)
	pass(100 * time.Millisecond)
	if l.loops.Now() != 200*time.Millisecond {
		t.Errorf("in real time it comes to %v", l.loops.Now())
	}
	for _, change := range []func(){
		func() { v.Settings.Work++ }, func() { v.Settings.Frame++ }, func() { v.Settings.Again++ }, func() { v.Rate = loop.Hz(30) },
	} {
		pass(100 * time.Millisecond)
		change()
		l.show(&v)
		pass(100 * time.Millisecond)
		if l.loops.Now() != 0 || l.loops.Options().Work != v.Settings.Work {
			t.Errorf("after a change it is at %v with %+v", l.loops.Now(), l.loops.Options())
		}
	}
}

// Between two renewals a page costs next to nothing: the loops one mesh, the others
// no draw at all, and none an allocation.
func TestLabIdle(t *testing.T) {
	base := sampleLab(t)
	for p := range LabPageCount {
		t.Run(p.String(), func(t *testing.T) {
			v := base
			v.Settings.Page = p
			d, let, draw := labDock(t, v, 1100, TallDockHeight)
			now := time.Unix(1000, 0)
			draw(now, false)
			draw(now, true)
			let.Count = Counter{}
			draw(now, true)
			if calls := let.Count.Calls; p != LoopPage && calls != 0 || p == LoopPage && calls > 1+7 {
				t.Errorf("%d draw calls", calls)
			}
			// Ebitengine's own allocations aside: what the dock does before.
			if n := testing.AllocsPerRun(50, func() {
				d.choices = d.choices[:0]
				d.arrangeLab(let)
				if p == LoopPage {
					now = now.Add(time.Millisecond)
					d.Lab.passLoops(now)
					lanes, _ := d.layLoops(labPen{let: let})
					a := tickAxis{lanes[0], d.Lab.loops.Now(), d.Lab.loops.Options().Step}
					d.mesh.Reset()
					for k, lane := range lanes {
						d.loopLane(lab.LoopKind(k), lane, a)
					}
				}
			}); n != 0 {
				t.Errorf("%v allocations", n)
			}
		})
	}
}

// A pacer's bars and marks stay in its lane, whatever it measured.
func TestHistogramStaysInItsLane(t *testing.T) {
	{
		for _, late := range []time.Duration{0, 50, time.Microsecond, 999 * time.Nanosecond, 100 * time.Millisecond, time.Minute} {
			var w lab.Window
			w.Add(0, late, 0, 0)
			p := lab.PacerReading{Summary: w.Read(0, 0)}
			d := &Dock{unit: 1}
			lane := image.Rect(100, 10, 400, 60)
			d.histogram(&p, logAxis{lane, latenessFrom, latenessTo}, lane)
			if len(d.mesh.Vertices) < 4+8+3 {
				t.Errorf("%v: nothing is drawn", late)
			}
			for _, x := range d.mesh.Vertices {
				if x.DstX < 100 || x.DstX > 400 || x.DstY < 10 || x.DstY > 60 {
					t.Fatalf("%v: a corner at %v, %v", late, x.DstX, x.DstY)
				}
			}
		}
	}
}

// BenchmarkLab draws each page: idle, as most frames do, and renewed, as five a
// second do.
func BenchmarkLab(b *testing.B) {
	base := sampleLab(b)
	for p := range LabPageCount {
		v := base
		v.Settings.Page = p
		d, _, draw := labDock(b, v, 1100, TallDockHeight)
		now := time.Unix(1000, 0)
		draw(now, false)
		b.Run(p.String()+"/idle", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				now = now.Add(time.Millisecond)
				draw(now, true)
			}
		})
		b.Run(p.String()+"/renewed", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				d.Lab.show(&v)
				draw(now, false)
			}
		})
	}
}

// BenchmarkLoopLanes is what the loops' page works out and builds in each frame.
func BenchmarkLoopLanes(b *testing.B) {
	v := sampleLab(b)
	v.Settings.Page, v.Settings.Slow, v.Rate = LoopPage, 1, loop.Hz(240)
	d, let, draw := labDock(b, v, 1100, TallDockHeight)
	now := time.Unix(1000, 0)
	draw(now, false)
	b.ReportAllocs()
	for b.Loop() {
		now = now.Add(16 * time.Millisecond)
		d.Lab.passLoops(now)
		lanes, _ := d.layLoops(labPen{let: let})
		a := tickAxis{lanes[0], d.Lab.loops.Now(), d.Lab.loops.Options().Step}
		d.mesh.Reset()
		for k, lane := range lanes {
			d.loopLane(lab.LoopKind(k), lane, a)
		}
	}
}
