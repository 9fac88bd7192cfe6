package loop

import (
	"math"
	"time"
)

// DefaultInterval is the step of a Loop that was given none: 30 a second, in
// the whole milliseconds that frame budgets are written in.
const DefaultInterval = 33 * time.Millisecond

// Loop is a fixed-step loop: told the time, it says how many whole steps to
// run. It starts nothing and reads no clock.
//
//	for {
//		run, _ := l.Advance(time.Now())
//		for range run {
//			step()
//		}
//		draw(float64(l.Drift(time.Now())) / float64(l.Interval()))
//		...
//	}
//
// The remainder below one step, the drift, is carried from call to call. Both
// classic faults come from losing it: steps = elapsed/interval without the
// remainder loses up to a step per call, and sleeping a whole interval after
// the work makes the period interval + work.
//
// After an overload at most the cap of steps runs per Advance and the rest is
// dropped, so that a step which costs more than its length can't make the
// backlog snowball. The phase survives: the next boundary is where it would
// have been without the overload.
//
// A Loop belongs to one goroutine.
type Loop struct {
	// Constant after New.
	rate     Rate          // exact boundaries, or the zero Rate:
	interval time.Duration // boundaries at whole multiples
	maxSteps int
	maxFrame time.Duration

	anchored bool
	origin   time.Time // boundary 0
	passed   Tick      // boundaries since origin that are accounted for: run or dropped

	step      Tick
	dropped   uint64
	rollbacks uint64
	frames    frameRing
}

// New returns a loop with a step of interval, which runs at most maxCatchUp
// steps per Advance, and whose steps should never take longer than maxFrame.
// A non-positive interval means DefaultInterval, a cap below 1 means 1, a
// non-positive ceiling means twice the interval.
func New(interval time.Duration, maxCatchUp int, maxFrame time.Duration) *Loop {
	if interval <= 0 {
		interval = DefaultInterval
	}
	if maxFrame <= 0 {
		maxFrame = interval
		if interval <= math.MaxInt64/2 {
			maxFrame = 2 * interval
		}
	}
	return &Loop{interval: interval, maxSteps: max(maxCatchUp, 1), maxFrame: maxFrame}
}

// NewAtRate is New with the exact boundaries of a rate, of which an interval
// in whole nanoseconds falls short: at 60 Hz, 16.666666 ms gain 40 ns a second
// and 16 ms gain five steps in two. A rate that isn't valid,
// or of more than a step per nanosecond, means DefaultInterval.
func NewAtRate(rate Rate, maxCatchUp int, maxFrame time.Duration) *Loop {
	if !rate.Valid() || rate.Period() == 0 {
		return New(0, maxCatchUp, maxFrame)
	}
	l := New(rate.Period(), maxCatchUp, maxFrame)
	l.rate = rate
	return l
}

// Start anchors the loop at an instant, which becomes boundary 0, and resets
// every counter.
func (l *Loop) Start(at time.Time) {
	l.anchor(at)
	l.step, l.dropped, l.rollbacks = 0, 0, 0
	l.frames = frameRing{}
}

// Advance tells the loop the time. It returns the steps to run now and those
// that are lost because they exceed the cap; both leave the backlog, and the
// second is added to Dropped too (and is capped at the largest int). The first
// call on a loop that wasn't started anchors it and gives 0, 0.
//
// A clock that went back behind the last boundary counts as one rollback: the
// loop anchors anew at now and gives 0, 0. The step count never falls.
func (l *Loop) Advance(now time.Time) (executed, dropped int) {
	if !l.anchored {
		l.anchor(now)
		return 0, 0
	}
	elapsed := now.Sub(l.origin)
	if elapsed < l.boundary(l.passed) {
		l.rollbacks++
		l.anchor(now)
		return 0, 0
	}
	reached := l.count(elapsed)
	due := uint64(reached - l.passed)
	l.passed = reached
	executed = int(min(due, uint64(l.maxSteps)))
	lost := due - uint64(executed)
	l.step += Tick(executed)
	l.dropped += lost
	return executed, int(min(lost, math.MaxInt))
}

// Drift is the time from the last boundary to now, 0 if now lies before it or
// the loop isn't anchored. Right after Advance(now) it is in [0, Interval()),
// and Drift/Interval is a renderer's interpolation alpha.
func (l *Loop) Drift(now time.Time) time.Duration {
	if !l.anchored {
		return 0
	}
	return max(now.Sub(l.origin)-l.boundary(l.passed), 0)
}

// CatchUp says how many steps an elapsed time is worth, capped; 0 for
// elapsed <= 0. It changes nothing.
func (l *Loop) CatchUp(elapsed time.Duration) int {
	return int(min(l.count(elapsed), Tick(l.maxSteps)))
}

// Interval is the length of the step that is under way. At a rate that doesn't
// divide a second into whole nanoseconds neighbouring steps differ by one.
func (l *Loop) Interval() time.Duration {
	if l.rate == (Rate{}) {
		return l.interval
	}
	return l.boundary(l.passed+1) - l.boundary(l.passed)
}

// MaxFrame is the ceiling given to New: what one step may cost.
func (l *Loop) MaxFrame() time.Duration { return l.maxFrame }

// MaxCatchUp is the cap given to New: the most steps one Advance runs.
func (l *Loop) MaxCatchUp() int { return l.maxSteps }

// Step is the number of steps executed since Start. It never falls.
func (l *Loop) Step() Tick { return l.step }

// Dropped is the number of steps lost to the cap since Start.
func (l *Loop) Dropped() uint64 { return l.dropped }

// Rollbacks counts how often the clock went back since Start.
func (l *Loop) Rollbacks() uint64 { return l.rollbacks }

// anchor makes an instant boundary 0.
func (l *Loop) anchor(at time.Time) {
	l.anchored, l.origin, l.passed = true, at, 0
}

// boundary is the time from origin to boundary n.
func (l *Loop) boundary(n Tick) time.Duration {
	if l.rate == (Rate{}) {
		// n never exceeds count(longest Duration), so this doesn't overflow.
		return time.Duration(n) * l.interval
	}
	return l.rate.Boundary(n)
}

// count is the number of boundaries in (0, elapsed].
func (l *Loop) count(elapsed time.Duration) Tick {
	if elapsed <= 0 {
		return 0
	}
	if l.rate == (Rate{}) {
		return Tick(elapsed / l.interval)
	}
	return l.rate.TickAt(elapsed)
}
