package loop

import (
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

const (
	// preciseMost bounds the margin that is spun: naps of a thread whose timer
	// slack is a nanosecond end some tens of microseconds late.
	preciseMost = 300 * time.Microsecond
	// napMost is the longest nap of a wait that can be ended: so long a wake-up may
	// have to wait.
	napMost = 2 * time.Millisecond
)

// PrecisePacer naps with clock_nanosleep(2) to an absolute instant, on a thread of
// its own whose timer slack is a nanosecond, and spins for the learned rest, at
// most 0.3 ms. It is as close to the target as HybridPacer for a fraction of the
// processor's time. The runtime can use the processor meanwhile: a nap is a system
// call that it knows of.
//
// Nothing but the kernel ends a nap. A wait that can be ended therefore sleeps with
// a timer first, until some 2 ms before the target; from then on a wake-up waits up
// to 2 ms. Without a wake-up channel one nap does, which costs about half as much.
//
// The goroutine that waits is bound to its thread from the first Wait to Close,
// which must be called by the same one. It is not for a synctest bubble. On
// other systems than Linux it is a HybridPacer. Make one with NewPrecisePacer.
type PrecisePacer struct {
	timer  SleepPacer
	locked bool
	// An instant of the two clocks at once: time.Now's, and the kernel's
	// CLOCK_MONOTONIC in nanoseconds.
	from   time.Time
	kernel int64
	spinner
}

var _ Pacer = (*PrecisePacer)(nil)

// NewPrecisePacer returns a pacer that naps close to its target.
func NewPrecisePacer() *PrecisePacer {
	p := &PrecisePacer{}
	p.spinner = spinner{
		now: time.Now, sleep: p.timer.Wait, nap: p.nap, napMax: napMost,
		// To yield, a goroutine that is bound to its thread hands its processor
		// to another thread and waits for it: that takes longer than the spin.
		yield:       func() {},
		sleepMargin: margin{most: napMost}, napMargin: margin{most: preciseMost},
	}
	return p
}

// Now is time.Now, with its monotonic reading.
func (p *PrecisePacer) Now() time.Time { return time.Now() }

// Wait implements [Pacer].
func (p *PrecisePacer) Wait(target time.Time, wake <-chan struct{}) bool {
	if !p.locked {
		p.locked = true
		runtime.LockOSThread()
		timerSlack(1)
		var ts unix.Timespec
		// The monotonic clock can always be read.
		_ = unix.ClockGettime(unix.CLOCK_MONOTONIC, &ts)
		p.from, p.kernel = time.Now(), ts.Nano()
	}
	return p.wait(target, wake)
}

// Close gives the thread back as it was.
func (p *PrecisePacer) Close() {
	if p.locked {
		p.locked = false
		timerSlack(0) // the default of the thread
		runtime.UnlockOSThread()
	}
	p.timer.Close()
}

// timerSlack sets by how much the kernel may put off the timers of the calling
// thread, in nanoseconds. Where that isn't allowed naps end later, and the margin
// learns it.
func timerSlack(ns uintptr) { _ = unix.Prctl(unix.PR_SET_TIMERSLACK, ns, 0, 0, 0) }

// nap sleeps until end, or until a signal comes. A thread that loses its processor
// on the way into the kernel wakes no later for it, since end is an instant.
func (p *PrecisePacer) nap(end time.Time) {
	ts := unix.NsecToTimespec(p.kernel + int64(end.Sub(p.from)))
	// Interrupted, it was shorter: the caller looks at the clock anyway.
	_ = unix.ClockNanosleep(unix.CLOCK_MONOTONIC, unix.TIMER_ABSTIME, &ts, nil)
}
