package coordinator

import (
	"time"

	"chronoscope/loop"
)

// run is the coordinator's goroutine.
func (c *Coordinator) run() {
	c.metro.reanchor(c.now())
	c.meter.start(c.last)
	var next wakeup
	timed := false
	for !c.stopping() {
		next = c.check(next, timed)
		timed = c.sleep(next)
	}
	c.end()
}

// sleep waits for the next check, and says whether it was waited for to the
// end. Before the sleep floor only a stop ends it, or a tick that can be
// released at max speed: commands that come thick and fast don't make the
// coordinator busy.
func (c *Coordinator) sleep(next wakeup) bool {
	floor := c.last.Add(c.pace.SleepFloor)
	if c.pacer.Wait(next.at.Add(-c.skew), c.bell) {
		return true
	}
	for !c.stopping() && !c.mayRush() && c.now().Before(floor) {
		c.pacer.Wait(floor.Add(-c.skew), c.bell)
	}
	return false
}

// mayRush says whether a tick can be released at max speed.
func (c *Coordinator) mayRush() bool {
	return c.maxSpeed && !c.wasHeld && c.Global() < c.lastTick && c.members.allDone(c.Global())
}

func (c *Coordinator) stopping() bool {
	select {
	case <-c.stop:
		return true
	default:
		return false
	}
}

// A wakeup is when the next check is wanted; slept says that there was time to
// sleep until then, so that its lateness tells something about the pacer.
type wakeup struct {
	at    time.Time
	slept bool
}

// check is one iteration. It was asked for by the last one, and came because
// it was time, or else because of the bell. It says when the next is wanted.
func (c *Coordinator) check(asked wakeup, timed bool) wakeup {
	began := c.now()
	interval := c.pace.checkInterval()
	gap := c.meter.check(began, interval, asked, timed)
	if c.slows() {
		c.metro.observe(gap-interval, gap)
	}
	c.retune(began)
	c.takeRequests(began)
	c.brake.look(c, began)
	more := c.decide(began)
	end := c.now()
	if c.meter.publishDue(end) {
		c.publish(end)
	}
	if more {
		return wakeup{at: end}
	}
	floor := c.pace.SleepFloor
	sleep := checkSleep(c.pace.checkInterval(), end.Sub(began), c.meter.lateness, floor)
	var due time.Time
	if !c.wasHeld && !c.maxSpeed && !c.framed() && c.Global() < c.lastTick {
		due = c.metro.next()
		if due.After(began) && !due.After(end) {
			// It came during this check, which looked too early: no backlog, but
			// a tick to be released as soon as can be.
			due = end.Add(1)
		}
	}
	return wakeup{at: wakeAt(end, sleep, due, floor), slept: true}
}

// slows says that ticks are stretched by lateness.
func (c *Coordinator) slows() bool {
	return c.pace.Policy == loop.SlowDown && c.pace.Driver == ByCoordinator && !c.maxSpeed
}

// retune puts a new pacing into force.
func (c *Coordinator) retune(now time.Time) {
	p := c.pacing.Load()
	if p == c.pace {
		return
	}
	if p.TickRate != c.pace.TickRate || p.TimeScale != c.pace.TimeScale || p.Driver != c.pace.Driver {
		c.forget()
		c.metro.retune(now, p.TickRate, p.TimeScale)
		c.frames = frames{}
	}
	switch {
	case p.Driver == c.pace.Driver:
	case p.Driver == ByFrame:
		// What has been fed already counts, but not what an earlier life of the
		// feeder left behind.
		c.frames.from = c.metro.anchor.Add(1)
	default:
		c.fed.take()
	}
	if p.Pacer != c.pace.Pacer {
		c.pacer.Close()
		c.pacer = p.Pacer.New()
	}
	c.pace, c.wait = p, p.Wait.waiting()
	if !c.slows() {
		c.metro.relax()
	}
	// Whoever waits by a strategy that was in force between two checks is
	// woken to look again.
	c.members.ring()
	c.announce(c.meter.scheduled, c.meter.actual) // the period is another
}

// forget drops the backlog: what comes now leaves no debt.
func (c *Coordinator) forget() {
	c.meter.dropped += uint64(c.backlog)
	c.backlog = 0
}

// renew makes the next tick due a whole tick from now.
func (c *Coordinator) renew(now time.Time) {
	c.forget()
	c.metro.renew(now)
	c.frames.renew(now, c.metro.tick())
}

// held says that the global tick stands still.
func (c *Coordinator) held() bool {
	return c.brake.on || c.paused && c.steps == 0
}

// decide engages and lifts, and releases at most one tick. It says whether the
// next tick can be released at once too (at max speed).
func (c *Coordinator) decide(now time.Time) (more bool) {
	if c.brake.turn(c, now) {
		c.atOnce = true
	}
	if held := c.held(); held != c.wasHeld {
		c.wasHeld = held
		// Time held is no debt: a resume counts from now, and so does what
		// follows the tick that a lifted brake or a step has at once.
		c.renew(now)
	}
	if resting := c.paused && c.steps == 0; resting != c.resting.Load() {
		c.resting.Store(resting)
		if !resting {
			// Pollers wait longer at rest: they are woken before a tick comes.
			c.members.ring()
		}
	}
	if c.wasHeld {
		c.atOnce = false
	} else if c.Global() < c.lastTick {
		c.releaseDue(now)
	} else {
		c.steps = 0
	}
	if c.wasHeld != c.shownHeld {
		c.announce(c.meter.scheduled, c.meter.actual)
	}
	return c.mayRush()
}

// releaseDue releases one tick if one is due.
func (c *Coordinator) releaseDue(now time.Time) {
	switch {
	case c.maxSpeed:
		if c.members.allDone(c.Global()) {
			c.atOnce = false
			c.release(now, now)
		}
	case !c.requestsOnly && c.brake.watch(c):
		// Somebody is stuck in a tick and can't say so.
		c.brake.turn(c, now)
		c.wasHeld, c.atOnce = true, false
		c.forget()
	case c.atOnce:
		c.atOnce = false
		c.release(now, now)
	default:
		var b beat
		if c.framed() {
			b = c.checkFrames()
		} else {
			b = c.metro.check(now, c.pace.Policy, c.pace.MaxCatchUp)
		}
		c.meter.dropped += uint64(b.dropped)
		c.backlog = b.backlog
		if b.release {
			c.meter.late(now.Sub(b.scheduled))
			c.release(b.scheduled, now)
		}
	}
}

// release makes the next tick the global one. The member set opens it first,
// so that nobody completes it uncounted.
func (c *Coordinator) release(scheduled, actual time.Time) {
	t := c.Global() + 1
	c.members.open(t)
	c.global.Store(uint64(t))
	if c.steps > 0 {
		c.steps--
	}
	r := Release{Tick: t, Scheduled: scheduled, Actual: actual, Braked: c.brake.total - c.braked}
	c.braked = c.brake.total
	c.meter.release(r)
	c.wasHeld = c.held() // the last step holds again
	c.announce(scheduled, actual)
	c.wait.released(c)
	if c.onRelease != nil {
		r.Scheduled, r.Actual = scheduled.Add(-c.skew), actual.Add(-c.skew)
		c.onRelease(r)
	}
}

// announce publishes what Released reads.
func (c *Coordinator) announce(scheduled, actual time.Time) {
	c.shownHeld = c.wasHeld
	c.released.post(releaseNote{
		tick:      uint64(c.Global()),
		scheduled: scheduled.Sub(c.epoch) - c.skew,
		actual:    actual.Sub(c.epoch) - c.skew,
		period:    c.metro.tick(),
		frozen:    c.wasHeld,
	})
}

// end is the way out: nothing that waits for the coordinator is left waiting.
func (c *Coordinator) end() {
	now := c.now()
	if c.brake.on {
		c.brake.finish(now)
	}
	c.publish(now)
	c.wakersEnd.Store(true)
	c.members.ring()
	c.wakers.Wait()
	c.pacer.Close()
	// Calls that are still queued end with ErrStopped: nobody runs them now.
	close(c.ended)
}

// runWaker rings a shard's members when asked to, and once more at the end.
func (c *Coordinator) runWaker(s *shard) {
	for {
		<-s.wake
		end := c.wakersEnd.Load()
		s.ringMembers()
		if end {
			return
		}
	}
}

// ReleaseInfo is the newest release, for drawing between two ticks: alpha =
// clamp((now - Scheduled) / Period, 0, 1).
type ReleaseInfo struct {
	Tick      loop.Tick
	Scheduled time.Time     // when it was due, by the pacer's clock
	Actual    time.Time     // when it was released
	Period    time.Duration // length of a tick now, real time, stretched if it is
	Frozen    bool          // paused or braking: no tick follows for now
}

// Released is a consistent snapshot of the newest release. Tick 0 counts as
// released when the coordinator was made.
func (c *Coordinator) Released() ReleaseInfo {
	n := c.released.read()
	return ReleaseInfo{
		Tick:      loop.Tick(n.tick),
		Scheduled: c.epoch.Add(n.scheduled),
		Actual:    c.epoch.Add(n.actual),
		Period:    n.period,
		Frozen:    n.frozen,
	}
}
