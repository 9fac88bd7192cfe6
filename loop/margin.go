package loop

import (
	"slices"
	"time"
)

// A spinning pacer sleeps until a margin before its target and spins for the
// rest. The margin is learned from how far sleeps went beyond their ends.
const (
	// marginWindow is how many oversleeps are remembered: two seconds at 60 Hz.
	// A window forgets a stall after that; a margin that jumped to the worst
	// and came down slowly would burn a core meanwhile.
	marginWindow = 128
	// marginQuantile is the share of the sleeps that end in time.
	marginQuantile = 0.98
	// marginExtra is for what comes between the end of a sleep and the spin.
	marginExtra = 5 * time.Microsecond
)

// margin learns how long before a target to wake up.
type margin struct {
	// most bounds it: what a stalled machine teaches isn't worth spinning for.
	most time.Duration

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
}

// length is the margin; all of it as long as nothing has been learned.
func (m *margin) length() time.Duration {
	if m.n == 0 {
		return m.most
	}
	return m.now
}
