package frametime_test

import (
	"testing"
	"time"

	"chronoscope/loop"
	"chronoscope/loop/frametime"
)

// The troubles that programs really had with frames and rates, each as the
// smallest check that would have shown it. What a trouble needs in more depth
// stands in tests of its own.
func TestTroubles(t *testing.T) {
	for name, check := range map[string]func(t *testing.T){
		"an average that is the mean of frame rates":        averageOfRates,
		"1 % low meaning three things":                      threeLows,
		"an axis that hides swings of 7 to 12 ms":           hiddenSwings,
		"stale numbers while paused":                        staleFigures,
		"figures that stutter every time they are renewed":  costlyFigures,
		"the wait for the display sold as work":             waitAsWork,
		"0 or 2 updates around a frame at 240 Hz":           updatesAt240,
		"smoothing that makes time negative":                negativeTime,
		"interpolation from when a tick ran":                fromWhenItRan,
		"a clock that loses time on slow frames":            lostTime,
		"16 ms sold as 60 Hz, 17 ms as 16.667":              wrongPeriods,
		"59.94 on 60 Hz repeats a frame every 16.7 s":       repeatedFrame,
		"steps that cost more than they buy":                deathSpiral,
		"a suspended machine taken for one very slow frame": suspended,
	} {
		t.Run(name, check)
	}
}

// 1 ms and 4 ms are 400 frames a second, not (1000 + 250) / 2.
func averageOfRates(t *testing.T) {
	if got := frametime.AverageFPS([]time.Duration{ms, 4 * ms}); !near(got, 400, 1e-9) {
		t.Errorf("%v frames a second", got)
	}
}

// Of one series they are far apart, and each is labelled with its method.
func threeLows(t *testing.T) {
	c := &frametime.Capture{Meta: frametime.Meta{Rules: frametime.Rules{Warmup: -1}}, Frames: series(frames(999, 8*ms, 200*ms)...)}
	s := frametime.Summarize(c)
	for name, want := range map[string]string{"P1 low": "125.00", "1 % low, average": "36.76", "1 % low, integral": "5.00"} {
		if f, ok := s.Figure(name); !ok || f.String() != want {
			t.Errorf("%s: %s, want %s", name, f, want)
		}
	}
}

// One hitch of half a second must not squeeze the rest into a line, and where
// many frames share a column both ends of the swing are to be seen.
func hiddenSwings(t *testing.T) {
	var f []time.Duration
	for range 1000 {
		f = append(f, 7*ms, 12*ms)
	}
	f = append(f, 500*ms)
	if top := frametime.AutoTop(f, time.Second/120); top > 20*ms {
		t.Errorf("an axis to %v: the swing has %v of it", top, 5*ms)
	}
	fs := series(f[:2000]...)
	bands := make([]frametime.Band, 100)
	rules := frametime.Rules{Warmup: -1}
	frametime.Bands(bands, frametime.FrameSlice(fs), 0, fs[len(fs)-1].Next, &rules, time.Second/120)
	for i, b := range bands {
		if b.Lo != 7*ms || b.Hi != 12*ms {
			t.Fatalf("column %d shows %v to %v", i, b.Lo, b.Hi)
		}
	}
}

// The newest frame is of a paused world: there is nothing to show.
func staleFigures(t *testing.T) {
	c := &frametime.Capture{Frames: series(frames(400, 8*ms)...)}
	if s := frametime.Summarize(c); s.Blank {
		t.Error("blank while the world runs")
	}
	c.Frames[399].Flags |= frametime.Paused
	if s := frametime.Summarize(c); !s.Blank {
		t.Error("figures of before the pause are shown")
	}
}

// All figures are renewed between two frames. What that costs is proportional
// to the frames: memory grows with them, the number of allocations doesn't.
func costlyFigures(t *testing.T) {
	few, many := sample(120, 1000), sample(120, 10_000)
	a := testing.AllocsPerRun(2, func() { frametime.Summarize(few) })
	b := testing.AllocsPerRun(2, func() { frametime.Summarize(many) })
	if b > 2*a || b > 200 {
		t.Errorf("%v allocations of 1,000 frames, %v of 10,000", a, b)
	}
}

// On 60 Hz a frame of 2 ms of work is 2 ms of work.
func waitAsWork(t *testing.T) {
	for _, f := range (frametime.Schedule{Display: frametime.VirtualDisplay{Rate: loop.Hz(60)}, VSync: true, Work: 2 * ms}).Frames(10) {
		if f.Busy() != 2*ms || f.Wait() < 14*ms {
			t.Fatalf("busy %v, wait %v", f.Busy(), f.Wait())
		}
	}
}

func updatesAt240(t *testing.T) {
	d := frametime.VirtualDisplay{Rate: loop.Hz(240), Jitter: 90 * time.Microsecond, Seed: 3}
	ours := frametime.Run(frametime.NewSnapped(loop.Hz(240), loop.Hz(240).Period()), d.Stamps(2401))[1:]
	if count(ours, 1) != 2400 {
		t.Errorf("%d frames without a tick, %d with two", count(ours, 0), count(ours, 2))
	}
}

// Stamps that go back and forth around the refresh, and once by 5 ms.
func negativeTime(t *testing.T) {
	for _, m := range frametime.Models(loop.Hz(60), loop.Hz(60).Period()) {
		at := time.Duration(0)
		for i := range 200 {
			at += time.Second/60 + time.Duration(i%3-1)*150*time.Microsecond
			if i == 100 {
				at -= 22 * ms
			}
			if n, alpha := m.Frame(at), m.Alpha(); n < 0 || !(alpha >= 0 && alpha < 1) {
				t.Fatalf("%s, frame %d: %d ticks, alpha %v", m.Name(), i, n, alpha)
			}
		}
	}
}

// Ticks that run up to 8 ms late on 120 Hz: what is drawn by when they were due
// moves evenly, by when they ran it doesn't.
func fromWhenItRan(t *testing.T) {
	rate := loop.Hz(60)
	draw := func(late func(loop.Tick) time.Duration) time.Duration {
		fs := series(frames(240, time.Second/120)...)
		for i := range fs {
			at := time.Duration(fs[i].Next) + 3*ms
			f := &fs[i]
			f.Flags &^= frametime.NoWorld
			f.TickAfter = rate.TickAt(at)
			since := max(0, at-rate.Boundary(f.TickAfter)-late(f.TickAfter))
			f.Alpha = float64(since) / float64(rate.Period()+1)
		}
		return frametime.MeanAbs(frametime.AnimationErrors(fs, rate))
	}
	if e := draw(func(loop.Tick) time.Duration { return 0 }); e > 5 {
		t.Errorf("from when they were due: off by %v", e)
	}
	if e := draw(func(k loop.Tick) time.Duration { return time.Duration(k%2) * 8 * ms }); e < ms {
		t.Errorf("from when they ran: off by only %v", e)
	}
}

// At 12.5 frames a second a clock that drops its backlog runs at half speed, and
// the figures say so; ours doesn't.
func lostTime(t *testing.T) {
	for _, tt := range []struct {
		model frametime.Model
		want  float64
	}{{frametime.NewHalfTick(loop.Hz(60)), 31.25 / 60}, {frametime.NewSnapped(loop.Hz(60), 80*ms), 1}} {
		fs := frametime.Schedule{Display: frametime.VirtualDisplay{Rate: loop.Rate{Num: 25, Den: 2}}, VSync: true}.Frames(501)
		frametime.Drive(fs, tt.model)
		c := &frametime.Capture{Meta: frametime.Meta{TickRate: loop.Hz(60)}, Frames: fs}
		s := frametime.Summarize(c)
		if f, _ := s.Figure("effective speed"); !f.OK || !near(f.Value, tt.want, 0.01) {
			t.Errorf("%s: %s of its speed, want %.3f", tt.model.Name(), f, tt.want)
		}
	}
}

// Ten minutes of loops whose period is a whole number of milliseconds, and of the
// exact one.
func wrongPeriods(t *testing.T) {
	const minutes = 10
	for name, tt := range map[string]struct {
		loop *loop.Loop
		want loop.Tick
	}{
		"16 ms": {loop.New(16*ms, 8, 0), 62.5 * 60 * minutes},
		"17 ms": {loop.New(17*ms, 8, 0), 35_294},
		"exact": {loop.NewAtRate(loop.Hz(60), 8, 0), 60 * 60 * minutes},
	} {
		start := time.Unix(0, 0)
		tt.loop.Start(start)
		for at := time.Duration(0); at < minutes*time.Minute; {
			at += 50 * ms
			tt.loop.Advance(start.Add(at))
		}
		if got := tt.loop.Step(); got != tt.want {
			t.Errorf("%s: %d steps, want %d", name, got, tt.want)
		}
	}
}

func repeatedFrame(t *testing.T) {
	ticks := frametime.Ideal(loop.Rate{Num: 60000, Den: 1001}, loop.Hz(60), 5005)
	var at []int
	for i, n := range ticks {
		if n == 0 {
			at = append(at, i)
		}
	}
	if len(at) != 5 || at[1]-at[0] != 1001 {
		t.Errorf("repeated at frames %v, want every 1001, or 16.7 s", at)
	}
}

// Steps of 20 ms that take 25: with a cap a frame's time stays bounded under every
// policy, and only without one it grows without end.
func deathSpiral(t *testing.T) {
	const step, work = 20 * ms, 25 * ms
	longest := func(p loop.Policy, most int) (d time.Duration) {
		c := loop.NewWorldClock(step, p)
		c.SetMaxSteps(most)
		wall := time.Duration(step)
		for range 60 {
			wall = max(step, time.Duration(c.Advance(wall))*work)
			d = max(d, wall)
		}
		return d
	}
	for _, p := range []loop.Policy{loop.CatchUp, loop.Drop, loop.SlowDown} {
		if d := longest(p, 8); d > 8*work {
			t.Errorf("%v: a frame takes %v", p, d)
		}
	}
	if d := longest(loop.CatchUp, 1_000_000); d < time.Second {
		t.Errorf("without a cap a frame takes %v at most: it doesn't spiral", d)
	}
}

// An hour of sleep is no frame of an hour: it is kept, marked and not counted.
func suspended(t *testing.T) {
	fs := series(frames(300, 8*ms)...)
	for i := range fs {
		fs[i].Wall, fs[i].NextWall = int64(time.Hour)+fs[i].Layout, int64(time.Hour)+fs[i].Next
	}
	fs[200].NextWall += int64(time.Hour)
	for i := range fs {
		fs[i].MarkGap()
	}
	c := &frametime.Capture{Meta: frametime.Meta{Rules: frametime.Rules{Warmup: -1}}, Frames: fs}
	s := frametime.Summarize(c)
	if f, _ := s.Figure("longest"); s.LeftOut[frametime.OfGap] != 1 || f.String() != "8.000" {
		t.Errorf("%s, the longest %s ms", s.Counts(), f)
	}
}

// series are focused frames of these intervals, one after the other, that know
// neither their work nor the world.
func series(f ...time.Duration) []frametime.Frame {
	var s []frametime.Frame
	at := int64(0)
	for i, d := range f {
		s = append(s, frametime.Frame{Seq: uint64(i), Layout: at, Next: at + int64(d), Flags: frametime.Focused | frametime.NoStamps | frametime.NoWorld})
		at += int64(d)
	}
	return s
}
