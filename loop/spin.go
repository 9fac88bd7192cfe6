package loop

import (
	"runtime"
	"time"
)

// spinner is what the pacers that spin have in common: a coarse sleep that can be
// woken, perhaps a finer one that can't, and the last bit on the processor.
type spinner struct {
	now    func() time.Time
	sleep  func(until time.Time, wake <-chan struct{}) bool // as Pacer.Wait
	nap    func(end time.Time)                              // nil: none
	napMax time.Duration                                    // the longest nap that somebody may want to end
	yield  func()

	sleepMargin margin // of sleep; of nap too where there is none
	napMargin   margin
	last        time.Time // target
}

// wait is Pacer.Wait.
func (s *spinner) wait(target time.Time, wake <-chan struct{}) bool {
	if period := target.Sub(s.last); !s.last.IsZero() && period > 0 {
		s.sleepMargin.period, s.napMargin.period = period, period
	}
	s.last = target
	for {
		left := target.Sub(s.now())
		if left <= 0 {
			return true
		}
		// The coarse sleep leaves room for the finer one.
		fine := time.Duration(0)
		if s.nap != nil {
			fine = s.napMargin.length()
		}
		early := s.sleepMargin.length() + fine
		// Nobody rings: one nap will do, which costs less than a sleep before it.
		deaf := s.nap != nil && wake == nil
		switch {
		case !deaf && left > early+s.sleepMargin.most/4:
			end := target.Add(-early)
			if !s.sleep(end, wake) {
				return false
			}
			s.sleepMargin.learn(s.now().Sub(end))
		case s.nap != nil && left > fine && (deaf || left-fine <= s.napMax):
			end := target.Add(-fine)
			s.nap(end)
			s.napMargin.learn(s.now().Sub(end))
			if woken(wake) {
				return false
			}
		case s.nap != nil && left > fine:
			s.nap(s.now().Add(s.napMax))
			if woken(wake) {
				return false
			}
		default:
			return s.spin(target, wake)
		}
	}
}

// woken receives from wake if it can.
func woken(wake <-chan struct{}) bool {
	select {
	case <-wake:
		return true
	default:
		return false
	}
}

// spin waits on the processor. It lets others have it in between, if they want
// it.
func (s *spinner) spin(target time.Time, wake <-chan struct{}) bool {
	for s.now().Before(target) {
		if woken(wake) {
			return false
		}
		s.yield()
	}
	return true
}

// hybridMost bounds the hybrid's margin: timers of the runtime are late by a
// millisecond and a little on Linux, whose poller waits in whole ones.
const hybridMost = 1500 * time.Microsecond

// HybridPacer sleeps with a timer until a learned margin before the target, at
// most 1.5 ms, and spins for the rest: it hits the target within microseconds
// on a machine that has a processor to spare, and costs the margin of one each
// time. It reads the real clock while it spins, so it is not for a synctest
// bubble. Make one with NewHybridPacer.
type HybridPacer struct {
	timer SleepPacer
	spinner
}

var _ Pacer = (*HybridPacer)(nil)

// NewHybridPacer returns a pacer that sleeps and then spins.
func NewHybridPacer() *HybridPacer {
	p := &HybridPacer{}
	p.spinner = spinner{now: time.Now, sleep: p.timer.Wait, yield: runtime.Gosched, sleepMargin: margin{most: hybridMost}}
	return p
}

// Now is time.Now, with its monotonic reading.
func (p *HybridPacer) Now() time.Time { return time.Now() }

// Wait implements [Pacer].
func (p *HybridPacer) Wait(target time.Time, wake <-chan struct{}) bool { return p.wait(target, wake) }

// Close lets go of the timer.
func (p *HybridPacer) Close() { p.timer.Close() }
