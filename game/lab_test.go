package game

import (
	"image"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"chronoscope/coordinator"
	"chronoscope/coordinator/waiting"
	"chronoscope/loop"
	"chronoscope/loop/frametime"
	"chronoscope/overlay"
	"chronoscope/world"
)

// Every line of the lab becomes one order, shows the page that it is about, and
// brings the lab into view; what isn't accepted changes nothing.
func TestLabCommand(t *testing.T) {
	want := func(p overlay.LabPage, change func(*overlay.LabOrder)) overlay.Intents {
		o := overlay.LabOrder{Settings: overlay.DefaultLab(), HasSettings: true}
		o.Settings.Page = p
		if change != nil {
			change(&o)
		}
		return overlay.Intents{Lab: o}
	}
	for _, c := range []struct {
		line string
		want overlay.Intents
	}{
		{"lab page overload", want(overlay.OverloadPage, nil)},
		{"lab pacers start", want(overlay.PacerPage, func(o *overlay.LabOrder) { o.Pacers = overlay.TurnOn })},
		{"lab pacers stop", want(overlay.PacerPage, func(o *overlay.LabOrder) { o.Pacers = overlay.TurnOff })},
		{"lab waiting start", want(overlay.WaitingPage, func(o *overlay.LabOrder) { o.Waiting = overlay.TurnOn })},
		{"lab waiting stop", want(overlay.WaitingPage, func(o *overlay.LabOrder) { o.Waiting = overlay.TurnOff })},
		{"lab rate 120", want(overlay.PacerPage, func(o *overlay.LabOrder) { o.Settings.Rate = loop.Hz(120) })},
		{"lab rate 59.94", want(overlay.PacerPage, func(o *overlay.LabOrder) { o.Settings.Rate = overlay.NTSC() })},
		{"lab rate world", want(overlay.PacerPage, nil)},
		{"lab work 25ms", want(overlay.LoopPage, func(o *overlay.LabOrder) { o.Settings.Work = 25 * time.Millisecond })},
		{"lab frame 10ms", want(overlay.LoopPage, func(o *overlay.LabOrder) { o.Settings.Frame = 10 * time.Millisecond })},
		{"lab slow 40", want(overlay.LoopPage, func(o *overlay.LabOrder) { o.Settings.Slow = 40 })},
		{"lab again", want(overlay.LoopPage, func(o *overlay.LabOrder) { o.Settings.Again = 1 })},
		{"lab step 50ms", want(overlay.OverloadPage, func(o *overlay.LabOrder) { o.Settings.Overload.Step = 50 * time.Millisecond })},
		{"lab cap 8", want(overlay.OverloadPage, func(o *overlay.LabOrder) { o.Settings.Overload.Cap = 8 })},
		{"lab loaded 50", want(overlay.OverloadPage, func(o *overlay.LabOrder) { o.Settings.Overload.Loaded = 50 })},
		{"lab members 200", want(overlay.WaitingPage, func(o *overlay.LabOrder) { o.Settings.Members = 200 })},
		{"lab for 5s", want(overlay.WaitingPage, func(o *overlay.LabOrder) { o.Settings.For = 5 * time.Second })},
		{"lab display 75", want(overlay.DisplayPage, func(o *overlay.LabOrder) { o.Settings.Display = "75 Hz" })},
		{"lab display hitch of 200 ms", want(overlay.DisplayPage, func(o *overlay.LabOrder) { o.Settings.Display = "hitch of 200 ms" })},
		{"lab matrix on", want(overlay.DisplayPage, func(o *overlay.LabOrder) { o.Settings.Matrix = true })},
	} {
		t.Run(c.line, func(t *testing.T) {
			g, _ := lineGame(t)
			g.showDock = false
			in, fault := typed(g, c.line)
			if fault != "" || in != c.want {
				t.Errorf("%q\ngot  %+v\nwant %+v", fault, in.Lab, c.want.Lab)
			}
			if !g.showDock || g.dock.Tab != overlay.LabTab {
				t.Error("the lab isn't shown")
			}
		})
	}
	for line, says := range map[string]string{
		"lab":               "",
		"lab dance":         "accepted are page NAME",
		"lab page nine":     "accepted are pacers, loops, overload, waiting, displays",
		"lab pacers":        "accepted are start or stop",
		"lab waiting maybe": "accepted are start or stop",
		"lab rate 241":      "accepted are 1 to 240 a second",
		"lab work 2s":       "accepted are 0",
		"lab work fast":     "accepted are 0",
		"lab frame 0":       "accepted are 1ms to 1s",
		"lab slow 3":        "accepted are 1, 4, 10 or 40",
		"lab slow x":        "accepted are 1, 4, 10 or 40",
		"lab step 0":        "accepted are 1ms to 1s",
		"lab cap 0":         "accepted are 1 to 1000 steps",
		"lab loaded 201":    "accepted are 1 to 200 frames",
		"lab members 0":     "accepted are 1 to 10000 members",
		"lab for 1ms":       "accepted are 100ms to 30s",
		"lab display 61":    "accepted are 50 Hz, 59.94 Hz",
		"lab matrix 3":      "accepted are on or off",
	} {
		g, _ := lineGame(t)
		in, fault := typed(g, line)
		if in != (overlay.Intents{}) || !strings.Contains(fault, says) || fault == "" || strings.Contains(fault, "\n") {
			t.Errorf("%s: %q, want %q in it; asks for %+v", line, fault, says, in.Lab)
		}
		if g.dock.Tab == overlay.LabTab {
			t.Errorf("%s shows the lab", line)
		}
	}
	// Work is the page's: on Overload it is that of the load.
	g, _ := lineGame(t)
	g.lab.settings.Page = overlay.OverloadPage
	if in, _ := typed(g, "lab work 30ms"); in.Lab.Settings.Overload.Work != 30*time.Millisecond || in.Lab.Settings.Work != overlay.DefaultLab().Work {
		t.Errorf("%+v", in.Lab)
	}
}

// labBench is a laboratory in virtual time.
func labBench() *laboratory {
	l := newLaboratory()
	l.makePacer = func(loop.PacerKind) loop.Pacer { return loop.NewSleepPacer() }
	return &l
}

// Pacers run from start to stop, at the rate in force, and nothing is left of them.
func TestLabPacers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, world := labBench(), loop.Hz(60)
		var v overlay.LabValues
		look := func() {
			synctest.Wait()
			l.values(&v, world, true, time.Now())
		}
		order := func(o overlay.LabOrder) {
			if err := l.order(o, world, time.Now()); err != nil {
				t.Fatal(err)
			}
		}
		look()
		if v.PacersOn || v.Pacers != nil || v.Rate != world {
			t.Fatalf("at first %+v", v)
		}
		order(overlay.LabOrder{Pacers: overlay.TurnOn})
		order(overlay.LabOrder{Pacers: overlay.TurnOn}) // they run already
		time.Sleep(11 * time.Second)
		look()
		if !v.PacersOn || len(v.Pacers) != 5 || v.PacersSpan != 11*time.Second {
			t.Fatalf("after 11 s %v, %d pacers, %v", v.PacersOn, len(v.Pacers), v.PacersSpan)
		}
		for _, p := range v.Pacers {
			if n := p.Histogram.Count(); n < 590 || n > 605 {
				t.Errorf("%v: %d waits in ten seconds", p.Kind, n)
			}
		}
		// Another rate begins them anew; so does the world's, which they follow.
		world = loop.Hz(30)
		look()
		time.Sleep(3 * time.Second)
		look()
		if n := v.Pacers[0].Histogram.Count(); v.PacerRate != world || n < 58 || n > 62 {
			t.Errorf("at %v a second %d waits in two seconds", v.PacerRate, n)
		}
		s := v.Settings
		s.Rate = loop.Hz(100)
		order(overlay.LabOrder{Settings: s, HasSettings: true})
		world = loop.Hz(10)
		look()
		if v.PacerRate != loop.Hz(100) || v.Rate != loop.Hz(100) {
			t.Errorf("at %v a second", v.PacerRate)
		}
		time.Sleep(3 * time.Second)
		order(overlay.LabOrder{Pacers: overlay.TurnOff})
		time.Sleep(time.Hour)
		look()
		if v.PacersOn || v.PacersSpan != 3*time.Second || v.Pacers[0].Histogram.Count() < 190 {
			t.Errorf("stopped: %v, %v, %d waits", v.PacersOn, v.PacersSpan, v.Pacers[0].Histogram.Count())
		}
		order(overlay.LabOrder{Pacers: overlay.TurnOn})
		time.Sleep(time.Second)
		l.close(time.Now()) // the bubble fails if any is left
	})
}

func TestLabWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, world := labBench(), loop.Hz(60)
		l.settings.Members, l.settings.For = 20, time.Second
		var v overlay.LabValues
		look := func() { l.values(&v, world, true, time.Now()) }
		look()
		if v.Waiting.Running || len(v.Waiting.Results) > 0 {
			t.Fatalf("at first %+v", v.Waiting)
		}
		on := overlay.LabOrder{Waiting: overlay.TurnOn}
		for _, o := range []overlay.LabOrder{{Waiting: overlay.TurnOff}, on, on} {
			if err := l.order(o, world, time.Now()); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(4 * time.Second)
		look()
		if p := v.Waiting; p.Running || p.Cancelled || len(p.Results) != len(waiting.Strategies()) || p.Options.Members != 20 {
			t.Fatalf("%+v", p)
		}
		_ = l.order(on, world, time.Now())
		time.Sleep(time.Second)
		look()
		if !v.Waiting.Running {
			t.Error("it doesn't run again")
		}
		_ = l.order(overlay.LabOrder{Waiting: overlay.TurnOff}, world, time.Now())
		time.Sleep(time.Second)
		look()
		if p := v.Waiting; p.Running || !p.Cancelled {
			t.Errorf("%+v", p)
		}
		_ = l.order(on, world, time.Now())
		l.close(time.Now())
	})
}

// The displays are worked out on a goroutine of their own, for what was asked for
// last, and only while they are seen.
func TestLabDisplays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, world := labBench(), loop.Hz(60)
		var v overlay.LabValues
		look := func(shown bool) {
			l.values(&v, world, shown, time.Now())
			synctest.Wait()
			l.values(&v, world, shown, time.Now())
		}
		l.settings.Page = overlay.DisplayPage
		look(false)
		if v.Runs != nil || v.Overload != nil {
			t.Error("it is worked out for nobody")
		}
		look(true)
		if len(v.Runs) != 4 || len(v.Matrix) != 12 || v.Refresh != loop.Hz(120) || !strings.Contains(v.Runs[3].Cadence, "010101") {
			t.Fatalf("%d runs, %d cells, %v", len(v.Runs), len(v.Matrix), v.Refresh)
		}
		matrix := v.Matrix
		look(true)
		if !slices.Equal(matrix, v.Matrix) || &matrix[0] != &v.Matrix[0] {
			t.Error("it is worked out twice")
		}
		l.settings.Display = "75 Hz"
		look(true)
		if v.Refresh != loop.Hz(75) || !strings.Contains(v.Runs[3].Cadence, "01111011110") {
			t.Errorf("%v, %s", v.Refresh, v.Runs[3].Cadence)
		}
		world = loop.Hz(30)
		look(true)
		if v.Runs[0].Rate != world {
			t.Errorf("of %v", v.Runs[0].Rate)
		}
		l.settings.Display = "50 Hz"
		l.values(&v, world, true, time.Now())
		l.close(time.Now())
	})
}

// A world with the whole lab running beside it has the digests of one without.
func TestLabLeavesTheWorldAlone(t *testing.T) {
	town := smallTown(t)
	run := func(t *testing.T, beside bool) (digests []frametime.Digest) {
		synctest.Test(t, func(t *testing.T) {
			track := NewTrack(time.Now())
			w, err := world.New(world.Options{
				Map: town, Params: world.Params{Seed: 7, NPCs: 60, WanderingVisitors: 1},
				Coordinator: coordinator.Options{LastTick: 180}, OnDigest: track.Digest,
			})
			if err != nil {
				t.Fatal(err)
			}
			l := labBench()
			if beside {
				l.settings.Members, l.settings.For, l.settings.Page = 20, time.Second, overlay.DisplayPage
				if err := l.order(overlay.LabOrder{Pacers: overlay.TurnOn, Waiting: overlay.TurnOn}, loop.Hz(60), time.Now()); err != nil {
					t.Fatal(err)
				}
			}
			w.Start()
			var v overlay.LabValues
			for beside && w.Coordinator().Global() < 180 {
				time.Sleep(200 * time.Millisecond)
				l.values(&v, loop.Hz(60), true, time.Now())
			}
			<-w.Done()
			if beside && (len(v.Pacers) == 0 || v.Pacers[0].Histogram.Count() < 60 || len(v.Runs) == 0 || len(v.Waiting.Results) == 0) {
				t.Error("the lab didn't run")
			}
			l.close(time.Now())
			w.Stop()
			digests = track.Digests()
		})
		return digests
	}
	if without, with := run(t, false), run(t, true); len(without) != 3 || !slices.Equal(without, with) {
		t.Errorf("%v without the lab, %v with it", without, with)
	}
}

// What is refused is said and changes nothing.
func TestLabRefuses(t *testing.T) {
	l := labBench()
	s := overlay.DefaultLab()
	s.Overload.Cap = 0
	if err := l.order(overlay.LabOrder{Settings: s, HasSettings: true}, loop.Hz(60), time.Now()); err == nil {
		t.Error("a cap of 0 is taken")
	}
	s = overlay.DefaultLab()
	s.Members = -1
	if err := l.order(overlay.LabOrder{Settings: s, HasSettings: true, Waiting: overlay.TurnOn}, loop.Hz(60), time.Now()); err == nil {
		t.Error("-1 members wait")
	}
	var v overlay.LabValues
	l.values(&v, loop.Hz(60), true, time.Now())
	if v.Refused != "waiting: -1 members: want 1 to 10000" || v.Waiting.Running {
		t.Errorf("%q", v.Refused)
	}
	if err := l.order(overlay.LabOrder{Pacers: overlay.TurnOff}, loop.Hz(60), time.Now()); err != nil || l.refused != "" {
		t.Errorf("%v, %q", err, l.refused)
	}
	l.close(time.Now())
}

// By mouse: from the dock's title over a page to a running experiment, which ends
// with the window.
func TestLabByMouse(t *testing.T) {
	h := newHand(t)
	f := newFakeTown(smallTown(t), 50)
	g := show(t, Options{World: World{Source: f}}, MinWidth, MinHeight)
	click := func(label string) {
		t.Helper()
		var b image.Rectangle
		// Where it is drawn, once the dock has its height.
		frame := 0
		inLoop(t, func() { frame = theLoop.frames })
		until(t, "the button "+label, func() bool { b = g.dock.Button(label); return !b.Empty() && theLoop.frames > frame+2 })
		h.move(b.Min.Add(b.Size().Div(2)))
		h.press()
		h.release()
	}
	inLoop(t, func() { g.showDock = true; g.dock.Choose(overlay.LabTab) })
	click("Overload")
	until(t, "the load", func() bool { return g.lab.settings.Page == overlay.OverloadPage && len(g.values.Lab.Overload) == 3 })
	click("cap 8")
	until(t, "its cap", func() bool { return g.lab.settings.Overload.Cap == 8 })
	click("Pacers")
	click("start")
	until(t, "pacers", func() bool { return g.values.Lab.PacersOn && len(g.values.Lab.Pacers) == 5 })
	inLoop(t, func() { g.lab.close(g.now()) })
	if g.lab.pacersOn {
		t.Error("they go on")
	}
}
