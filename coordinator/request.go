package coordinator

import "time"

// A request is what travels to the coordinator: one bounded channel for
// everything, so what one sender sends stays in order.
type request struct {
	kind       requestKind
	generation uint32
	participant
	at   time.Duration // when it was sent, by Coordinator.stamp
	call *call
}

type requestKind uint8

const (
	requestBrake requestKind = iota
	requestLeave
	requestCall
)

// participant is a Progress with its name as it was when the request was made:
// the Progress may belong to somebody else when the request is looked at.
type participant struct {
	progress *Progress
	id       ParticipantID
}

// call is a function to run on the coordinator's goroutine.
type call struct {
	f    func() error
	err  error
	done chan struct{}
}

// command has f run by the coordinator and waits for its result.
func (c *Coordinator) command(f func() error) error {
	k := &call{f: f, done: make(chan struct{})}
	if err := c.send(request{kind: requestCall, at: c.stamp(), call: k}); err != nil {
		return err
	}
	ring(c.bell)
	select {
	case <-k.done:
		return k.err
	case <-c.ended:
	}
	// Both may be there; what has run has run.
	select {
	case <-k.done:
		return k.err
	default:
		return ErrStopped
	}
}

// send waits for room in the channel: the coordinator always drains it, and
// when it has been asked to stop the wait ends.
func (c *Coordinator) send(r request) error {
	select {
	case <-c.stop:
		return ErrStopped
	default:
	}
	select {
	case c.requests <- r:
	default:
		// A shared channel in a select is a contended lock: only when full.
		select {
		case c.requests <- r:
		case <-c.stop:
			return ErrStopped
		}
	}
	raise(&c.requestsHigh, int64(len(c.requests)))
	return nil
}

// drainCheck is after how many brake requests the clock is looked at: they
// take some tens of nanoseconds each.
const drainCheck = 64

// takeRequests carries out the requests that wait, at most requestsPerCheck of
// them and for at most half a check interval (or the sleep floor, if that is
// longer), so that a flood leaves time for the rest. One at least is taken.
func (c *Coordinator) takeRequests(began time.Time) {
	limit := max(c.pace.checkInterval()/2, c.pace.SleepFloor)
	for n := range c.requestsPerCheck {
		select {
		case r := <-c.requests:
			if c.stopping() {
				return // whoever sent it ends with ErrStopped
			}
			c.meter.requests++
			c.take(r)
			if (r.kind == requestCall || n%drainCheck == drainCheck-1) && c.now().Sub(began) >= limit {
				return
			}
		default:
			return
		}
	}
}

func (c *Coordinator) take(r request) {
	switch r.kind {
	case requestBrake:
		c.brake.request(c, r)
	case requestLeave:
		c.brake.withdraw(c, r)
	case requestCall:
		r.call.err = r.call.f()
		close(r.call.done)
	}
}
