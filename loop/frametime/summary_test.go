package frametime_test

import (
	"testing"
	"time"

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
