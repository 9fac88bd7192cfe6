package loop

import "time"

// The two wrong loops that everybody writes once. They are here to be watched
// beside a Loop: none of the program's clocks uses them.

// AfterWork is the loop that simulates and then sleeps a whole interval. Its
// period is the interval and the work together, so it is too slow by as much as
// a step costs: with steps of 5 ms, 60 Hz become 46.
type AfterWork struct {
	// Interval is slept after each step.
	Interval time.Duration

	steps Tick
}

// Next notes that a step was done at an instant, and says when the next begins.
func (l *AfterWork) Next(done time.Time) time.Time {
	l.steps++
	return done.Add(l.Interval)
}

// Steps is the number of steps done.
func (l *AfterWork) Steps() Tick { return l.steps }

// NoCarry is the loop that runs elapsed / interval steps and forgets the
// remainder. It loses up to a step at each look: looked at every 25 ms, steps of
// 20 ms come 40 times a second and not 50; looked at more often than every
// interval, never.
type NoCarry struct {
	// Interval is the length of a step, above 0.
	Interval time.Duration

	last     time.Time
	anchored bool
	steps    Tick
}

// Advance says how many steps to run at now; the first call gives 0.
func (l *NoCarry) Advance(now time.Time) int {
	if !l.anchored {
		l.last, l.anchored = now, true
		return 0
	}
	n := max(now.Sub(l.last)/l.Interval, 0)
	l.last = now
	l.steps += Tick(n)
	return int(n)
}

// Steps is the number of steps given.
func (l *NoCarry) Steps() Tick { return l.steps }
