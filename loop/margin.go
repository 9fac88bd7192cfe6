package loop

import (
	"slices"
	"time"
)

// A spinning pacer sleeps until a margin before its target and spins for the
// rest. The margin is learned from how far sleeps went beyond their ends.
const (
	// marginWindow is how many oversleeps are remembered: four seconds at 60 Hz.
	// A window forgets a stall after that; a margin that jumped to the worst
	// and came down slowly would burn a core meanwhile.
	marginWindow = 256
	// marginQuantile is the share of the sleeps that end in time, at whatever rate.
	marginQuantile = 0.98
	// marginSpare is the share of the time from target to target that may be spun
	// so that more of them do. With what a nap costs, that leaves a pacer at less
	// than 3 % of a core at 120 targets a second.
	marginSpare = 0.02
	// marginExtra is for what comes between the end of a sleep and the spin.
	marginExtra = 5 * time.Microsecond
)

// margin learns how long before a target to wake up.
type margin struct {
	// most bounds it: what a stalled machine teaches isn't worth spinning for.
	most time.Duration
	// rare bounds it where spinning is cheap, since targets are far apart; 0: that
	// is no reason to.
	rare time.Duration
	// period is from target to target; 0: not known.
	period time.Duration

	window [marginWindow]time.Duration
	n      int // sleeps seen
	now    time.Duration
	sorted [marginWindow]time.Duration // scratch
}

// learn takes one oversleep. The margin follows every sixteenth one.
func (m *margin) learn(over time.Duration) {
	m.window[m.n%marginWindow] = max(over, 0)
	m.n++
	if m.n%16 != 0 && m.n > 16 {
		return
	}
	kept := min(m.n, marginWindow)
	s := m.sorted[:kept]
	copy(s, m.window[:kept])
	slices.Sort(s)
	m.now = min(s[int(marginQuantile*float64(kept-1)+0.5)]+marginExtra, m.most)
	// Of the margin, what the sleep leaves is spun: mostly all but the median.
	cheap := s[kept/2] + time.Duration(marginSpare*float64(m.period))
	m.now = max(m.now, min(s[kept-1]+marginExtra, cheap, m.rare))
}

// length is the margin; all of it as long as nothing has been learned.
func (m *margin) length() time.Duration {
	if m.n == 0 {
		return m.most
	}
	return m.now
}
