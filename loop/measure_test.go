package loop_test

import (
	"context"
	"errors"
	"math"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"chronoscope/loop"
)

// latePacer sleeps in virtual time and ends the n-th wait late by what late says.
type latePacer struct {
	loop.SleepPacer
	n    int
	late func(n int) time.Duration
}

func (p *latePacer) Wait(target time.Time, wake <-chan struct{}) bool {
	p.n++
	return p.SleepPacer.Wait(target.Add(p.late(p.n)), wake)
}

// measure runs a measurement in virtual time.
func measure(t *testing.T, r loop.Rate, frames int, late func(n int) time.Duration) loop.Report {
	t.Helper()
	var report loop.Report
	synctest.Test(t, func(t *testing.T) {
		p := &latePacer{late: late}
		defer p.Close()
		var err error
		if report, err = loop.Measure(t.Context(), p, r, frames, loop.Load{}); err != nil {
			t.Fatal(err)
		}
	})
	return report
}

func near(t *testing.T, what string, got, want time.Duration) {
	t.Helper()
	if d := (got - want).Abs(); float64(d) > 0.001*float64(want.Abs())+1 {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

func TestMeasureExact(t *testing.T) {
	r := measure(t, loop.Hz(120), 1000, func(int) time.Duration { return 0 })
	if r.Frames != 1000 || r.Woken != 1000 || r.Skipped != 0 {
		t.Errorf("%d frames, %d woken, %d skipped", r.Frames, r.Woken, r.Skipped)
	}
	if r.Signed != (loop.Spread{}) || r.Absolute != (loop.Spread{}) || r.Interval != (loop.Spread{}) || r.Accumulated != 0 {
		t.Errorf("a pacer that is never late: %+v", r)
	}
	near(t, "elapsed", r.Elapsed, 1000*time.Second/120)
}

// The figures of a known pattern: by turns 100 us and 300 us late, with one frame
// of 5 ms.
func TestMeasureFigures(t *testing.T) {
	const warm, frames = 100, 1000
	r := measure(t, loop.Hz(100), frames, func(n int) time.Duration {
		switch {
		case n <= warm:
			return 9 * time.Millisecond // not measured
		case n == warm+500:
			return 5 * time.Millisecond // it would have been 300 us
		case n%2 == 1:
			return 100 * time.Microsecond
		}
		return 300 * time.Microsecond
	})
	const us = time.Microsecond
	near(t, "mean", r.Signed.Mean, 200*us+4700*us/frames)
	near(t, "sum", r.Absolute.Sum, 500*100*us+499*300*us+5000*us)
	near(t, "P50", r.Absolute.P50, 100*us)
	near(t, "P99", r.Absolute.P99, 300*us)
	near(t, "P99.99", r.Absolute.P9999, 5000*us)
	near(t, "max", r.Absolute.Max, 5000*us)
	near(t, "signed P50", r.Signed.P50, 100*us)
	near(t, "signed P99", r.Signed.P99, 300*us)
	near(t, "interval P50", r.Interval.P50, 200*us)
	near(t, "interval max", r.Interval.Max, 4900*us)
	near(t, "accumulated", r.Accumulated, 200*us)
	// Sigma by its definition.
	mean, sum := 204.7, 0.0
	for _, g := range []struct{ n, late float64 }{{500, 100}, {499, 300}, {1, 5000}} {
		sum += g.n * (g.late - mean) * (g.late - mean)
	}
	near(t, "sigma", r.Signed.Sigma, time.Duration(math.Sqrt(sum/frames)*float64(us)))
	near(t, "quantile", r.Quantile(0.25), 100*us)
	bars, n := r.Bars(), int64(0)
	for _, b := range bars {
		n += b.Count
		if b.From > b.To {
			t.Errorf("bar from %v to %v", b.From, b.To)
		}
	}
	if len(bars) != 3 || n != frames {
		t.Errorf("%d bars with %d frames: %v", len(bars), n, bars)
	}
	for _, p := range []string{r.Platform.GOOS, r.Platform.GOARCH} {
		if p != runtime.GOOS && p != runtime.GOARCH {
			t.Errorf("platform %+v", r.Platform)
		}
	}
}

// A frame that is late by more than a frame costs the frames in between, and no
// burst follows.
func TestMeasureSkips(t *testing.T) {
	for _, tt := range []struct {
		name    string
		late    time.Duration
		skipped int
	}{
		{"within the frame", 9 * time.Millisecond, 0},
		{"exactly a frame", 10 * time.Millisecond, 1},
		{"three frames and a half", 35 * time.Millisecond, 3},
		{"beyond the end", time.Hour, 50},
	} {
		t.Run(tt.name, func(t *testing.T) {
			waits := 0
			r := measure(t, loop.Hz(100), 100, func(n int) time.Duration {
				waits = n
				if n == 10+50 { // 10 warm up
					return tt.late
				}
				return 0
			})
			if r.Skipped != tt.skipped || r.Frames != 100 || r.Woken != 100-tt.skipped {
				t.Errorf("%d skipped, %d woken of %d", r.Skipped, r.Woken, r.Frames)
			}
			if waits != 10+r.Woken {
				t.Errorf("%d waits", waits)
			}
			if r.Absolute.Max != tt.late || r.Absolute.Sum != tt.late {
				t.Errorf("max %v, sum %v: the frames after it are late too", r.Absolute.Max, r.Absolute.Sum)
			}
		})
	}
}

// An early pacer is told by the sign.
func TestMeasureSign(t *testing.T) {
	r := measure(t, loop.Hz(50), 100, func(int) time.Duration { return -time.Millisecond })
	near(t, "signed", r.Signed.Mean, -time.Millisecond)
	near(t, "absolute", r.Absolute.Mean, time.Millisecond)
	near(t, "signed max", r.Signed.Max, -time.Millisecond)
}

// Sigma is that of all frames that were measured, not of a sample of them: of so
// few the two are 5 % apart.
func TestMeasureSigmaOfFew(t *testing.T) {
	r := measure(t, loop.Hz(100), 10, func(n int) time.Duration {
		if n%2 == 1 {
			return time.Millisecond
		}
		return 3 * time.Millisecond
	})
	near(t, "sigma", r.Signed.Sigma, time.Millisecond)
	near(t, "mean", r.Signed.Mean, 2*time.Millisecond)
}

func TestMeasureTimer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, err := loop.MeasureTimer(t.Context(), time.Millisecond, 100, loop.Load{})
		if err != nil || r.Woken != 100 || r.Absolute != (loop.Spread{}) {
			t.Errorf("%v, %+v", err, r)
		}
		near(t, "elapsed", r.Elapsed, 100*time.Millisecond)
	})
}

func TestMeasureCancelled(t *testing.T) {
	for _, r := range []loop.Rate{loop.Hz(100), loop.Hz(1)} {
		t.Run(r.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				p := loop.NewSleepPacer()
				defer p.Close()
				start := time.Now()
				time.AfterFunc(5500*time.Millisecond, cancel)
				report, err := loop.Measure(ctx, p, r, 1000, loop.Load{Garbage: 1})
				if !errors.Is(err, context.Canceled) {
					t.Errorf("got %v", err)
				}
				if d := time.Since(start); d < 5500*time.Millisecond || d > 5600*time.Millisecond {
					t.Errorf("ended after %v", d)
				}
				if report.Woken > 0 && (report.Absolute.Max != 0 || report.Woken > 550) {
					t.Errorf("%+v", report)
				}
			})
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if r, err := loop.MeasureTimer(ctx, time.Millisecond, 100, loop.Load{Busy: 0.5}); !errors.Is(err, context.Canceled) || r.Woken != 0 {
		t.Errorf("got %v, %+v", err, r)
	}
}

func TestMeasureRefuses(t *testing.T) {
	p := loop.NewSleepPacer()
	defer p.Close()
	for _, tt := range []struct {
		rate   loop.Rate
		frames int
		load   loop.Load
		want   string
	}{
		{loop.Rate{}, 100, loop.Load{}, "loop: rate 0/0: want more than 0 and at most 10000 a second"},
		{loop.Hz(10_001), 100, loop.Load{}, "loop: rate 10001/1: want more than 0 and at most 10000 a second"},
		{loop.Hz(60), 9, loop.Load{}, "loop: 9 frames: want 10 to 10000000"},
		{loop.Hz(60), 1e7 + 1, loop.Load{}, "loop: 10000001 frames: want 10 to 10000000"},
		{loop.Hz(60), 100, loop.Load{Busy: 0.96}, "loop: busy share 0.96: want 0 to 0.95"},
		{loop.Hz(60), 100, loop.Load{Busy: math.NaN()}, "loop: busy share NaN: want 0 to 0.95"},
		{loop.Hz(60), 100, loop.Load{Garbage: -1}, "loop: garbage -1: want 0 to 1073741824 bytes a second"},
	} {
		if _, err := loop.Measure(t.Context(), p, tt.rate, tt.frames, tt.load); err == nil || err.Error() != tt.want {
			t.Errorf("got %v, want %s", err, tt.want)
		}
		if tt.rate == loop.Hz(60) {
			if _, err := loop.MeasureTimer(t.Context(), time.Millisecond, tt.frames, tt.load); err == nil || err.Error() != tt.want {
				t.Errorf("timer: got %v, want %s", err, tt.want)
			}
		}
	}
	for _, d := range []time.Duration{0, time.Hour} {
		if _, err := loop.MeasureTimer(t.Context(), d, 100, loop.Load{}); err == nil || !strings.HasPrefix(err.Error(), "loop: timer of "+d.String()+": want 1µs to 1m0s") {
			t.Errorf("got %v", err)
		}
	}
}

// In real time, briefly: the loads do what they are asked for, and what the busy
// threads use is not put down to the pacer.
func TestMeasureLoad(t *testing.T) {
	if loop.CPUTime() == 0 {
		t.Skip("this system doesn't say how much processor time is used")
	}
	p := loop.NewSleepPacer()
	defer p.Close()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	r, err := loop.Measure(t.Context(), p, loop.Hz(100), 40, loop.Load{Busy: 0.3, Garbage: 32 << 20})
	runtime.ReadMemStats(&after)
	if err != nil {
		t.Fatal(err)
	}
	// A machine that is busy otherwise gives less than asked for.
	if r.Busy <= 0 || r.Busy > 0.5 {
		t.Errorf("busy for %.2f of the time, asked for 0.30", r.Busy)
	}
	if r.CPU > 0.5*float64(runtime.GOMAXPROCS(0)) {
		t.Errorf("CPU %.2f", r.CPU)
	}
	// Threads that the machine gave little time are seen too coarsely.
	if r, err = loop.Measure(t.Context(), p, loop.Hz(100), 40, loop.Load{Busy: 0.4}); err != nil {
		t.Fatal(err)
	}
	if threads := r.Busy * float64(runtime.GOMAXPROCS(0)); r.Busy > 0.2 && r.CPU > 0.6*threads {
		t.Errorf("CPU %.2f with busy threads of %.2f: they are put down to the pacer", r.CPU, threads)
	}
	if made := after.TotalAlloc - before.TotalAlloc; made < 4<<20 {
		t.Errorf("%d bytes of garbage", made)
	}
	if live := after.HeapAlloc; live > 1<<30 {
		t.Errorf("%d bytes live", live)
	}
}

// slowTicker is a ticker of a clock of its own that loses the processor while it
// begins: its first starts take long.
type slowTicker struct {
	now, first time.Time
	begun      int
}

func (p *slowTicker) Now() time.Time { return p.now }
func (p *slowTicker) Close()         {}
func (p *slowTicker) Begin(loop.Rate) {
	p.begun++
	if p.begun < 4 {
		p.now = p.now.Add(7 * time.Millisecond)
	}
	p.now = p.now.Add(time.Microsecond)
	p.first = p.now
	if p.begun < 4 {
		p.now = p.now.Add(time.Millisecond)
	}
}

// Wait ends with the first tick at or after the target.
func (p *slowTicker) Wait(target time.Time, _ <-chan struct{}) bool {
	for tick := p.first; ; tick = tick.Add(10 * time.Millisecond) {
		if !tick.Before(target) {
			p.now = tick
			return true
		}
	}
}

// A ticker begins with its schedule, whatever happens meanwhile: neither before
// it, which would cost a whole period each time, nor long after it.
func TestMeasureBegins(t *testing.T) {
	p := &slowTicker{now: time.Unix(1000, 0)}
	r, err := loop.Measure(t.Context(), p, loop.Hz(100), 100, loop.Load{})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "P50", r.Signed.P50, time.Microsecond)
	near(t, "max", r.Absolute.Max, time.Microsecond)
	if p.begun != 5 || r.Skipped != 0 {
		t.Errorf("begun %d times, %d frames skipped", p.begun, r.Skipped)
	}
}

// No quantile lies beyond the longest deviation, which ends within a bar of the
// histogram.
func TestMeasureQuantilesEnd(t *testing.T) {
	const most = 4711 * time.Microsecond
	r := measure(t, loop.Hz(100), 100, func(n int) time.Duration { return time.Duration(n%2) * most })
	if r.Absolute.Max != most || r.Interval.Max != most {
		t.Fatalf("at most %v and %v", r.Absolute.Max, r.Interval.Max)
	}
	for name, got := range map[string]time.Duration{
		"P99": r.Absolute.P99, "P99.99": r.Absolute.P9999, "interval P99": r.Interval.P99, "quantile 0.99": r.Quantile(0.99), "quantile 1": r.Quantile(1),
	} {
		if got != most {
			t.Errorf("%s: %v of at most %v", name, got, most)
		}
	}
}

// What goes before is not measured, however late it is: the frames that count are
// all there.
func TestMeasureLateWarmUp(t *testing.T) {
	r := measure(t, loop.Hz(100), 20, func(n int) time.Duration {
		if n == 1 { // the other frame of the warm-up is skipped
			return time.Second
		}
		return time.Millisecond
	})
	if r.Frames != 20 || r.Woken != 20 || r.Absolute.Max != time.Millisecond {
		t.Errorf("%d frames, %d woken, at most %v late", r.Frames, r.Woken, r.Absolute.Max)
	}
}
