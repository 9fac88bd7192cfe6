package loop

import "time"

// SpinPacer does nothing but look at the clock until its target has come: the
// floor that other pacers are measured against, for a whole core. It is no kind
// to run a world with. It must not be used in a synctest bubble, whose time
// stands still meanwhile.
type SpinPacer struct{}

var _ Pacer = SpinPacer{}

// Now is time.Now, with its monotonic reading.
func (SpinPacer) Now() time.Time { return time.Now() }

// Wait implements [Pacer].
func (SpinPacer) Wait(target time.Time, wake <-chan struct{}) bool {
	s := spinner{now: time.Now, yield: func() {}}
	return s.spin(target, wake)
}

// Close has nothing to free.
func (SpinPacer) Close() {}
