package coordinator

import (
	"fmt"
	"time"
)

// Strategy is how a participant that has caught up waits for the next tick.
type Strategy uint8

const (
	// Poll looks again after a quarter of the nominal tick: the reference.
	Poll Strategy = iota
	// Gate waits for the participant's own bell, which 16 wakers, one a shard,
	// ring at each release. They never wait for anyone, so a participant that
	// stalls delays nobody.
	Gate
)

// String reads "poll" or "gate".
func (s Strategy) String() string {
	switch s {
	case Poll:
		return "poll"
	case Gate:
		return "gate"
	}
	return fmt.Sprintf("strategy(%d)", uint8(s))
}

// waiting is what a strategy has to do.
type waiting interface {
	// await returns after the next release or a ring of p's bell. It may
	// return early; it is called with the tick in question not yet released.
	await(c *Coordinator, pace *Pacing, p *Progress, w *Waiter)
	// released is called by the coordinator after each release. It must not
	// wait for anyone.
	released(c *Coordinator)
}

func (s Strategy) waiting() waiting {
	if s == Gate {
		return gate{}
	}
	return poll{}
}

// At max speed no nominal tick says how long to wait: pollMaxSpeed is about
// what the runtime's timers can do on Linux. A look costs 1 to 2 us of CPU, so
// from 500 members on they wait pollShare each, lest those who have finished
// take the cores from those who haven't; never more than a quarter of the
// nominal tick.
//
// While no tick can come (paused, or the last one is out) they share a small
// part of a core, restShare each: everything else would starve otherwise. A
// resume rings them.
const (
	pollMaxSpeed = time.Millisecond
	pollShare    = 2 * time.Microsecond
	restShare    = 10 * time.Microsecond
)

type poll struct{}

func (poll) await(c *Coordinator, pace *Pacing, p *Progress, w *Waiter) {
	d, members := pace.nominalTick()/4, time.Duration(c.members.count.Load())
	if c.maxSpeed {
		d = min(d, max(pollMaxSpeed, members*pollShare))
	}
	if c.resting.Load() || c.Global() >= c.lastTick {
		d = max(d, members*restShare)
	}
	w.wait(d, p.bell)
}

func (poll) released(*Coordinator) {}

type gate struct{}

// A ring that comes between the look at the global tick and the wait stays in
// the bell's slot, so it isn't missed.
func (gate) await(_ *Coordinator, _ *Pacing, p *Progress, _ *Waiter) { <-p.bell }

func (gate) released(c *Coordinator) { c.members.ring() }

// A Waiter holds the timer that a participant waits with, made at the first
// wait that needs one and used again. It belongs to one goroutine.
type Waiter struct{ timer *time.Timer }

// NewWaiter returns a waiter without a timer yet.
func NewWaiter() *Waiter { return &Waiter{} }

// Close stops the timer.
func (w *Waiter) Close() {
	if w.timer != nil {
		w.timer.Stop()
		w.timer = nil
	}
}

func (w *Waiter) wait(d time.Duration, bell <-chan struct{}) {
	if w.timer == nil {
		w.timer = time.NewTimer(d)
	} else {
		w.timer.Reset(d)
	}
	select {
	case <-bell:
		w.timer.Stop()
	case <-w.timer.C:
	}
}
