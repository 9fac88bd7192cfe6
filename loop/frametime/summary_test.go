package frametime_test

import (
	"testing"
	"time"

	"chronoscope/loop"
	"chronoscope/loop/frametime"
)

// A panel asks for every figure of some ten thousand frames five times a second,
// between two frames.
func BenchmarkSummarize(b *testing.B) {
	c := sample(120, 10_000)
	b.ReportAllocs()
	for b.Loop() {
		frametime.Summarize(c)
	}
}

func BenchmarkAutoTop(b *testing.B) {
	f := frametime.Intervals(sample(120, 10_000).Frames)
	b.ReportAllocs()
	for b.Loop() {
		frametime.AutoTop(f, 8*ms)
	}
}

// A summary's figures are those that the functions give one by one.
func TestSummaryIsTheFunctions(t *testing.T) {
	c := sample(120, 1500)
	c.Frames[900].Flags &^= frametime.Focused // a hole in the middle
	c.Meta.Changes = []frametime.Change{{At: c.Frames[700].Layout, Setting: frametime.Setting{Name: "vsync", Value: "on"}}}
	s := frametime.Summarize(c)
	sel := c.Meta.Rules.Select(c.Frames)
	f := frametime.Intervals(sel.Used)
	if s.Used != len(f) || s.LeftOut != sel.LeftOut {
		t.Errorf("%s, want %s", s.Counts(), sel.String())
	}
	var busy, wait, capped []time.Duration
	for i := range sel.Used {
		busy, wait, capped = append(busy, sel.Used[i].Busy()), append(wait, sel.Used[i].Wait()), append(capped, sel.Used[i].CapWait())
	}
	// Neighbours of which the second begins the new segment have no error.
	var errs []time.Duration
	for _, seg := range c.Segments() {
		errs = append(errs, frametime.AnimationErrors(c.Meta.Rules.Select(seg.Frames).Used, seg.Rate)...)
	}
	millis := func(d time.Duration, ok bool) (float64, bool) { return float64(d) / 1e6, ok }
	mean := func(f []time.Duration) func() (float64, bool) {
		return func() (float64, bool) { return millis(frametime.MeanAbs(f), true) }
	}
	quantile := func(f []time.Duration, q float64) func() (float64, bool) {
		return func() (float64, bool) { return millis(frametime.Percentile(f, q)) }
	}
	total := time.Duration(0)
	for _, d := range f {
		total += d
	}
	for name, want := range map[string]func() (float64, bool){
		"average": func() (float64, bool) { return frametime.AverageFPS(f), true },
		"P50":     quantile(f, 0.5), "P95": quantile(f, 0.95), "P99": quantile(f, 0.99), "P99.9": quantile(f, 0.999), "longest": quantile(f, 1),
		"sigma":             func() (float64, bool) { return millis(frametime.Sigma(f), true) },
		"P1 low":            func() (float64, bool) { return frametime.P1Low(f) },
		"1 % low, average":  func() (float64, bool) { return frametime.LowAverage(f) },
		"1 % low, integral": func() (float64, bool) { return frametime.LowIntegral(f) },
		"stutter time":      func() (float64, bool) { return 100 * frametime.Stutter(f), true },
		"busy, mean":        mean(busy), "wait, mean": mean(wait), "cap wait, mean": mean(capped), "busy, P99": quantile(busy, 0.99),
		"animation error, mean":  mean(errs),
		"animation error, P99":   func() (float64, bool) { return millis(frametime.PercentileAbs(errs, 0.99)) },
		"animation error, share": func() (float64, bool) { return 100 * frametime.ShareAbs(errs, total), true },
		"tick error, P99": func() (float64, bool) {
			d, ok := frametime.Percentile(frametime.TickErrors(c.Releases), 0.99)
			return float64(d) / 1e3, ok
		},
		"input to shown, P95": quantile(frametime.InputTimes(c.Inputs, frametime.SeenToShown), 0.95),
	} {
		got, found := s.Figure(name)
		if v, ok := want(); !found || got.Value != v || got.OK != ok {
			t.Errorf("%s: %v %v, want %v %v", name, got.Value, got.OK, v, ok)
		}
	}
}

// What a summary says of a series depends on which frames it asks.
func TestSummaryAsksTheRightFrames(t *testing.T) {
	split := func(s frametime.Summary) bool {
		f, _ := s.Figure("busy, mean")
		return f.Estimate
	}
	known := func(s frametime.Summary, name string) bool {
		f, _ := s.Figure(name)
		return f.OK
	}
	c := sample(60, 400)
	if s := frametime.Summarize(c); split(s) || !known(s, "cadence, odd frames") || !known(s, "drift") {
		t.Errorf("VSync on, a world: %+v", s.Figures)
	}
	c.Frames[200].Flags &^= frametime.VSyncAsked
	if s := frametime.Summarize(c); !split(s) {
		t.Error("with VSync off for one frame the split into busy and wait is sold as measured")
	}
	// Frames of which no world is known have no cadence, though the rates are.
	c = sample(60, 400)
	for i := range c.Frames {
		c.Frames[i].Flags |= frametime.NoWorld
	}
	if s := frametime.Summarize(c); known(s, "cadence, odd frames") || known(s, "drift") || known(s, "animation error, mean") || s.Cadence != "" {
		t.Errorf("of no world: %+v", s.Figures)
	}
	// VSync that did nothing at first, then what it should.
	free := frametime.Schedule{Display: frametime.VirtualDisplay{Rate: loop.Hz(60)}}.Frames(200)
	for i := range free {
		free[i].Flags |= frametime.VSyncAsked
	}
	c = sample(60, 200)
	at := free[199].Next
	for i, f := range c.Frames {
		f.Seq, f.Layout, f.Next, f.Flags = uint64(200+i), f.Layout+at, f.Next+at, f.Flags|frametime.NoStamps
		free = append(free, f)
	}
	c.Frames, c.Meta.Rules.Warmup = free, -1
	c.Meta.Changes = []frametime.Change{{At: c.Frames[200].Layout, Setting: frametime.Setting{Name: "vsync", Value: "true"}}}
	if s := frametime.Summarize(c); !s.Ineffective {
		t.Error("the segment in which VSync did nothing is forgotten")
	}
	// The refresh is that of frames that waited for it.
	c = sample(60, 600)
	for i := 300; i < 600; i++ {
		c.Frames[i].Flags &^= frametime.VSyncAsked
		c.Frames[i].Layout = c.Frames[i-1].Next
		c.Frames[i].Next = c.Frames[i].Layout + int64(3*ms)
	}
	if s := frametime.Summarize(c); frametime.RefreshLabel(s.Refresh.Round(10*time.Microsecond)) == "333.33 Hz" || s.Refresh < 16*ms || s.Refresh > 17*ms {
		t.Errorf("a refresh of %v", s.Refresh)
	}
	// The last 60 frames' ticks, whatever was before.
	c = sample(60, 400)
	if s := frametime.Summarize(c); s.Cadence != frametime.Cadence(frametime.TicksPerFrame(c.Frames[340:])) {
		t.Errorf("cadence %s", s.Cadence)
	}
}
