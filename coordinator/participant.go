package coordinator

import (
	"fmt"
	"sync/atomic"

	"chronoscope/loop"
)

// Join makes p a member, standing at its completed tick, which it must have
// published before: joining first would make a false laggard. Its first tick
// is the one after. Standing beyond the global tick is a fault and panics.
func (c *Coordinator) Join(p *Progress) {
	if p.bell == nil {
		panic("coordinator: Join before Init")
	}
	if t, g := p.Completed(), c.Global(); t > g {
		panic(fmt.Sprintf("coordinator: %v joins at tick %d, beyond the released tick %d", p.ID(), t, g))
	}
	p.joins()
	c.members.join(p)
}

// Complete publishes that tick t is wholly done. A participant that runs ticks
// completes them one by one; one that only follows may jump. A tick that was
// completed before changes nothing, one that was not released panics.
//
// Further behind than the lag threshold, it asks for the brake: once until the
// coordinator has let go of it. That may wait for room in the request channel,
// not longer than until Stop.
func (c *Coordinator) Complete(p *Progress, t loop.Tick) {
	if !p.Joined() {
		panic(fmt.Sprintf("coordinator: Complete(%d) by %v, which is not joined", t, p.ID()))
	}
	g := c.Global()
	if t > g {
		panic(fmt.Sprintf("coordinator: %v completes tick %d, beyond the released tick %d", p.ID(), t, g))
	}
	before := p.Completed()
	if t <= before {
		return
	}
	p.completed.Store(uint64(t))
	if t == g && p.state.Load()&askedFlag != 0 {
		raise(&c.lastCaughtUp, int64(c.stamp()))
	}
	if c.members.complete(p, before, t) {
		c.finished()
	}
	if lag := g - t; lag > 1 {
		raiseTick(&c.lagMax, lag)
		if lag > loop.Tick(c.pacing.Load().LagThreshold) {
			c.RequestBrake(p)
		}
	}
}

// Leave ends p's membership. Its unregister travels behind its own requests,
// so nothing of it is left in the brake. The member set is left in any case;
// ErrStopped says that there was nobody to unregister with any more.
func (c *Coordinator) Leave(p *Progress) error {
	generation, asked := p.leaves()
	if c.members.leave(p) {
		c.finished()
	}
	if !asked {
		// Nothing of this generation is under way or registered.
		return nil
	}
	return c.send(request{kind: requestLeave, generation: generation, participant: participant{p, p.ID()}, at: c.stamp()})
}

// RequestBrake asks for the brake at once, whatever the threshold. It holds
// while p's completed tick is behind the global one; a participant that has
// caught up when the coordinator looks is not registered and may ask again.
// For a participant that has asked already, or is no member, it does nothing.
func (c *Coordinator) RequestBrake(p *Progress) {
	generation, ok := p.ask()
	if !ok {
		return
	}
	// A coordinator that has stopped releases nothing: no brake is needed.
	_ = c.send(request{kind: requestBrake, generation: generation, participant: participant{p, p.ID()}, at: c.stamp()})
}

// Await returns at once if a tick after p's completed one has been released.
// Else it waits, as the strategy in force says, until about then or until p's
// bell rings, whichever is first. It may return early: look again.
func (c *Coordinator) Await(p *Progress, w *Waiter) {
	// The strategy is read before the tick: a change of it rings every bell
	// after it can be read, so a wait by the old one ends.
	pace := c.pacing.Load()
	if c.Global() > p.Completed() {
		return
	}
	pace.Wait.waiting().await(c, pace, p, w)
}

// finished is called by the last finisher of a shard.
func (c *Coordinator) finished() {
	if c.maxSpeed && c.members.allDone(c.Global()) {
		ring(c.bell)
	}
}

// raise lifts a to at least v.
func raise(a *atomic.Int64, v int64) {
	for {
		old := a.Load()
		if old >= v || a.CompareAndSwap(old, v) {
			return
		}
	}
}

func raiseTick(a *atomic.Uint64, v loop.Tick) {
	for {
		old := a.Load()
		if old >= uint64(v) || a.CompareAndSwap(old, uint64(v)) {
			return
		}
	}
}
