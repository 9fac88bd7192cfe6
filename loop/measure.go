package loop

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

const (
	// MaxMeasuredRate is the highest rate that a pacer is measured at: beyond
	// it frames are shorter than what a measurement costs.
	MaxMeasuredRate = 10_000
	// MaxMeasuredFrames takes 80 MB.
	MaxMeasuredFrames = 10_000_000
	// warmUpMost is how many frames at most go before the first that is
	// measured: as many as a margin remembers.
	warmUpMost = marginWindow
	// deafMost is the longest frame that the end of the context doesn't cut
	// short: a pacer that needs to hear nobody may wait more cheaply.
	deafMost = 100 * time.Millisecond
)

// Report is how a pacer kept to a schedule. A deviation is the instant at which a
// wait ended minus the frame's boundary on the ideal schedule; a positive one is
// late.
type Report struct {
	Rate   Rate
	Frames int  // boundaries of the schedule that were waited for or passed by
	Load   Load // asked for
	// Busy is the share of the processors that the load's threads really had.
	Busy float64

	Woken   int // frames waited for: Frames - Skipped
	Skipped int // frames whose boundary had passed when the wait before ended

	Signed   Spread // deviations with their sign
	Absolute Spread // the same without
	// Interval is how far, without a sign, the time from one woken frame to the
	// next is from the distance of their boundaries.
	Interval Spread
	// Accumulated is the deviation of the last frame minus that of the first, or
	// the sum of all interval deviations with their sign: what a pacer drifts by.
	Accumulated time.Duration

	Elapsed time.Duration // of the measured frames
	// CPU is the processor time that the process used in a second, without what
	// the busy threads did for Load.Busy: 1 is a whole core. The collector's part
	// is in it. 0 where the system doesn't say.
	CPU      float64
	Platform Platform

	h *hdrhistogram.Histogram
}

// Spread is the distribution of one kind of deviation. Quantiles of Absolute and
// Interval are those of a histogram with three significant digits; those of
// Signed, and every mean, sigma, maximum and sum, are exact.
type Spread struct {
	Mean, Sigma     time.Duration
	P50, P99, P9999 time.Duration
	Max             time.Duration
	Sum             time.Duration
}

// Platform is where a report was measured.
type Platform struct {
	GOOS, GOARCH string
	Kernel       string // "Linux 6.1.0"; "" where it has no name
	GOMAXPROCS   int
}

// ThisPlatform is where this process runs.
func ThisPlatform() Platform {
	return Platform{runtime.GOOS, runtime.GOARCH, kernel(), runtime.GOMAXPROCS(0)}
}

// Measure waits for the boundaries of a schedule of so many frames (10 to
// 10,000,000) at a rate (up to 10,000 a second) with the pacer, and says how close
// it came, while the load runs. A frame whose boundary has passed already is
// skipped. WarmUp frames before the first, a tenth of them up to 256, are not
// measured, so that a pacer that learns has learned.
//
// The pacer remains the caller's to close, on the goroutine that called Measure.
// When ctx ends, Measure gives back what was measured until then and ctx's error;
// no goroutine of the load is left in any case. Other errors name an argument, its
// value and its range.
func Measure(ctx context.Context, p Pacer, r Rate, frames int, load Load) (Report, error) {
	if !r.Valid() || r.Num > MaxMeasuredRate*r.Den {
		return Report{}, fmt.Errorf("loop: rate %d/%d: want more than 0 and at most %d a second", r.Num, r.Den, MaxMeasuredRate)
	}
	if err := checkFrames(frames); err != nil {
		return Report{}, err
	}
	if err := load.Validate(); err != nil {
		return Report{}, err
	}
	warm := WarmUp(frames)
	m := newMeter(frames)
	b := load.begin(ctx)
	defer b.end()
	// Nobody rings a frame that is short enough to be waited for.
	var bell <-chan struct{}
	if r.Period() > deafMost {
		bell = ctx.Done()
	}
	// The measured schedule begins anew, so that no lateness of before is in it.
	if pace(ctx, p, r, anchor(p, r), warm, bell, nil) {
		start := anchor(p, r)
		m.begin(b, start)
		pace(ctx, p, r, start, frames, bell, m)
	}
	report := m.report(b, p.Now())
	report.Rate, report.Load = r, load
	return report, ctx.Err()
}

// pace waits for the first so many boundaries of a schedule and has m, unless it is
// nil, take down how. It says whether ctx let it.
func pace(ctx context.Context, p Pacer, r Rate, start time.Time, frames int, bell <-chan struct{}, m *meter) bool {
	last := Tick(frames)
	for n := Tick(1); n <= last; {
		target := start.Add(r.Boundary(n))
		if !p.Wait(target, bell) || ctx.Err() != nil {
			return false
		}
		now := p.Now()
		next := max(n+1, r.TickAt(now.Sub(start))+1)
		if m != nil {
			m.add(now.Sub(target), int(min(next, last+1)-n)-1)
		}
		n = next
	}
	return true
}

// WarmUp is how many frames Measure waits for before the first that counts, of so
// many.
func WarmUp(frames int) int { return min(frames/10, warmUpMost) }

// anchorWithin is how long the start of a ticker may take, for the schedule that
// begins at the same instant to be called the same.
const anchorWithin = 20 * time.Microsecond

// anchor is the instant that a schedule begins at; a pacer that runs by itself
// begins there too, or just after it. Under load, the processor can be lost between
// the reading of the clock and the start: then there is another try. Begun before
// the reading, each tick would come a little before its frame, for which the whole
// next one would be waited then.
func anchor(p Pacer, r Rate) time.Time {
	t, ok := p.(interface{ Begin(Rate) })
	start := p.Now()
	if !ok {
		return start
	}
	for range 100 {
		t.Begin(r)
		now := p.Now()
		if now.Sub(start) <= anchorWithin {
			break
		}
		start = now
	}
	return start
}

// MeasureTimer says by how much later than its length a timer of that length (1 us
// to a minute) fires, for so many (10 to 10,000,000) one after the other, while the
// load runs. Of the report, Absolute and Signed have the lateness; there is no
// schedule to skip frames of or to drift from, and Rate and Interval are zero. It
// ends as Measure does.
func MeasureTimer(ctx context.Context, length time.Duration, count int, load Load) (Report, error) {
	if length < time.Microsecond || length > time.Minute {
		return Report{}, fmt.Errorf("loop: timer of %v: want %v to %v", length, time.Microsecond, time.Minute)
	}
	if err := checkFrames(count); err != nil {
		return Report{}, err
	}
	if err := load.Validate(); err != nil {
		return Report{}, err
	}
	m := newMeter(count)
	b := load.begin(ctx)
	defer b.end()
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	m.begin(b, time.Now())
	for range count {
		from := time.Now()
		timer.Reset(length)
		select {
		case <-timer.C:
		case <-ctx.Done():
		}
		if ctx.Err() != nil {
			break
		}
		m.add(time.Since(from)-length, 0)
	}
	report := m.report(b, time.Now())
	report.Load, report.Interval, report.Accumulated = load, Spread{}, 0
	return report, ctx.Err()
}

func checkFrames(frames int) error {
	if frames < 10 || frames > MaxMeasuredFrames {
		return fmt.Errorf("loop: %d frames: want 10 to %d", frames, MaxMeasuredFrames)
	}
	return nil
}

// meter takes down deviations; it allocates nothing while it does.
type meter struct {
	late    []time.Duration
	skipped int

	start     time.Time
	cpu, busy time.Duration
}

func newMeter(frames int) *meter { return &meter{late: make([]time.Duration, 0, frames)} }

func (m *meter) begin(b *burden, start time.Time) {
	m.start = start
	m.cpu, m.busy = CPUTime(), time.Duration(b.used.Load())
}

func (m *meter) add(late time.Duration, skipped int) {
	m.late = append(m.late, late)
	m.skipped += skipped
}

func (m *meter) report(b *burden, end time.Time) Report {
	r := Report{Woken: len(m.late), Skipped: m.skipped, Frames: len(m.late) + m.skipped, Platform: ThisPlatform(), h: newHistogram()}
	if len(m.late) == 0 {
		return r
	}
	cpu, busy := CPUTime()-m.cpu, time.Duration(b.used.Load())-m.busy
	r.Elapsed = end.Sub(m.start)
	if s := r.Elapsed.Seconds(); s > 0 {
		r.CPU = max(0, (cpu-busy).Seconds()/s)
		r.Busy = busy.Seconds() / s / float64(r.Platform.GOMAXPROCS)
	}
	r.Accumulated = m.late[len(m.late)-1] - m.late[0]

	intervals := newHistogram()
	var gaps, all sums
	for i, late := range m.late {
		all.add(late.Abs())
		record(r.h, late.Abs())
		if i > 0 {
			gap := (late - m.late[i-1]).Abs()
			gaps.add(gap)
			record(intervals, gap)
		}
	}
	r.Absolute, r.Interval = all.spread(r.h), gaps.spread(intervals)

	var signed sums
	slices.Sort(m.late)
	for _, late := range m.late {
		signed.add(late)
	}
	r.Signed = signed.spread(nil)
	at := func(q float64) time.Duration { return m.late[max(0, int(math.Ceil(q*float64(len(m.late))))-1)] }
	r.Signed.P50, r.Signed.P99, r.Signed.P9999 = at(0.50), at(0.99), at(0.9999)
	return r
}

// sums are enough for a mean and a sigma. They are kept as floats: the squares of
// nanoseconds outgrow an int64.
type sums struct {
	n               int
	sum             time.Duration
	mean, deviation float64 // by Welford's method
	most            time.Duration
}

func (s *sums) add(d time.Duration) {
	if s.n == 0 || d > s.most {
		s.most = d
	}
	s.n++
	s.sum += d
	delta := float64(d) - s.mean
	s.mean += delta / float64(s.n)
	s.deviation += delta * (float64(d) - s.mean)
}

// spread has no quantiles without a histogram.
func (s *sums) spread(h *hdrhistogram.Histogram) Spread {
	if s.n == 0 {
		return Spread{}
	}
	p := Spread{
		Mean: time.Duration(math.Round(s.mean)), Sigma: time.Duration(math.Round(math.Sqrt(s.deviation / float64(s.n)))),
		Max: s.most, Sum: s.sum,
	}
	if h != nil {
		// A bar of a histogram ends beyond what is in it.
		p.P50, p.P99, p.P9999 = min(quantile(h, 0.50), p.Max), min(quantile(h, 0.99), p.Max), min(quantile(h, 0.9999), p.Max)
	}
	return p
}

// histogramTop is the longest deviation that a histogram tells apart.
const histogramTop = int64(time.Minute)

func newHistogram() *hdrhistogram.Histogram { return hdrhistogram.New(1, histogramTop, 3) }

func record(h *hdrhistogram.Histogram, d time.Duration) {
	_ = h.RecordValue(min(int64(d), histogramTop)) // in range by the line itself
}

func quantile(h *hdrhistogram.Histogram, q float64) time.Duration {
	return time.Duration(h.ValueAtQuantile(100 * q))
}

// Quantile is the absolute deviation that a share q, 0 to 1, of the woken frames
// kept within, to three digits.
func (r *Report) Quantile(q float64) time.Duration {
	if r.h == nil {
		return 0
	}
	return min(quantile(r.h, q), r.Absolute.Max)
}

// A Bar counts the absolute deviations from From to To, both included.
type Bar struct {
	From, To time.Duration
	Count    int64
}

// Bars is the histogram of the absolute deviations: what isn't empty, from the
// shortest on, with three significant digits.
func (r *Report) Bars() []Bar {
	var bars []Bar
	if r.h == nil {
		return nil
	}
	for _, b := range r.h.Distribution() {
		if b.Count > 0 {
			bars = append(bars, Bar{time.Duration(b.From), time.Duration(b.To), b.Count})
		}
	}
	return bars
}
