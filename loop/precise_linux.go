package loop

import (
	"runtime"
	"syscall"
	"time"
)

const (
	// preciseMost bounds the margin that is spun: naps of a thread whose timer
	// slack is a nanosecond end some tens of microseconds late.
	preciseMost = 300 * time.Microsecond
	// napMost is the longest nap: so long a wake-up may have to wait.
	napMost = 2 * time.Millisecond
	// prSetTimerslack is PR_SET_TIMERSLACK of prctl(2): nanoseconds by which the
	// kernel may put off a thread's timers; 0 is the default again.
	prSetTimerslack = 29
)

// PrecisePacer sleeps with a timer until some 2 ms before the target, naps with
// nanosleep(2) on a thread of its own whose timer slack is a nanosecond, and
// spins for the learned rest, at most 0.3 ms. It is as close to the target as
// HybridPacer for a fraction of the processor's time. While it naps, up to 2 ms,
// a wake-up waits. The runtime can use the processor meanwhile: a nap is a
// system call that it knows of.
//
// The goroutine that waits is bound to its thread from the first Wait to Close,
// which must be called by the same one. It is not for a synctest bubble. On
// other systems than Linux it is a HybridPacer. Make one with NewPrecisePacer.
type PrecisePacer struct {
	timer  SleepPacer
	locked bool
	spinner
}

var _ Pacer = (*PrecisePacer)(nil)

// NewPrecisePacer returns a pacer that naps close to its target.
func NewPrecisePacer() *PrecisePacer {
	p := &PrecisePacer{}
	p.spinner = spinner{
		now: time.Now, sleep: p.timer.Wait, nap: nanosleep, napMax: napMost, yield: runtime.Gosched,
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
	}
	return p.wait(target, wake)
}

// Close gives the thread back as it was.
func (p *PrecisePacer) Close() {
	if p.locked {
		p.locked = false
		timerSlack(0)
		runtime.UnlockOSThread()
	}
	p.timer.Close()
}

// timerSlack sets the slack of the calling thread, in nanoseconds. Where that
// isn't allowed naps end later, and the margin learns it.
func timerSlack(ns uintptr) {
	_, _, _ = syscall.Syscall(syscall.SYS_PRCTL, prSetTimerslack, ns, 0)
}

// nanosleep sleeps for d, or until a signal comes.
func nanosleep(d time.Duration) {
	ts := syscall.NsecToTimespec(int64(d))
	// Interrupted, it was shorter: the caller looks at the clock anyway.
	_ = syscall.Nanosleep(&ts, nil)
}
