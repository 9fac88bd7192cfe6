package loop

import (
	"runtime"
	"time"
)

// CompensatedPacer waits with a ticker that is set anew in each wait, so that its
// next tick comes before the target by as much as ticks have always been late
// of late: the least of the last 256 latenesses. That takes the steady part of
// the lateness away and leaves the part that changes from tick to tick, which is
// the larger one on Linux.
//
// A tick that still comes too early, since one was faster than the 256 before it,
// is made up for by up to 50 us of spinning, or by a second tick.
//
// The zero CompensatedPacer is ready for use. In a synctest bubble nothing is
// late, so it waits in virtual time and never spins, if it was made there.
type CompensatedPacer struct {
	ticker *time.Ticker
	late   lead
}

var _ Pacer = (*CompensatedPacer)(nil)

// compensatedSpin is what is worth spinning for: a second tick would be a
// millisecond late on Linux.
const compensatedSpin = 50 * time.Microsecond

// NewCompensatedPacer returns a pacer whose ticker is kept to the schedule.
func NewCompensatedPacer() *CompensatedPacer { return &CompensatedPacer{} }

// Now is time.Now, with its monotonic reading.
func (p *CompensatedPacer) Now() time.Time { return time.Now() }

// Wait implements [Pacer].
func (p *CompensatedPacer) Wait(target time.Time, wake <-chan struct{}) bool {
	for {
		left := time.Until(target)
		if left <= 0 {
			return true
		}
		early := p.late.least()
		if left <= early || left <= compensatedSpin && early > 0 {
			// Too near for a tick that is aimed before the target.
			if left > compensatedSpin {
				early = 0
			} else {
				return p.spin(target, wake)
			}
		}
		aim := left - early
		if p.ticker == nil {
			p.ticker = time.NewTicker(aim)
		} else {
			p.ticker.Reset(aim)
		}
		select {
		case <-wake:
			return false
		case <-p.ticker.C:
			p.late.learn(early - time.Until(target))
		}
	}
}

func (p *CompensatedPacer) spin(target time.Time, wake <-chan struct{}) bool {
	s := spinner{now: time.Now, yield: runtime.Gosched}
	return s.spin(target, wake)
}

// Close stops the ticker. Waiting again afterwards makes a new one.
func (p *CompensatedPacer) Close() {
	if p.ticker != nil {
		p.ticker.Stop()
		p.ticker = nil
	}
}

// lead remembers by how much the last ticks were late, to know the least.
type lead struct {
	window [marginWindow]time.Duration
	n      int
}

func (l *lead) learn(late time.Duration) {
	l.window[l.n%marginWindow] = max(late, 0)
	l.n++
}

// least is the shortest remembered lateness; 0 until the window is a quarter
// full.
func (l *lead) least() time.Duration {
	if l.n < marginWindow/4 {
		return 0
	}
	least := l.window[0]
	for _, late := range l.window[1:min(l.n, marginWindow)] {
		least = min(least, late)
	}
	return least
}
