package coordinator

import (
	"sync"
	"time"

	"chronoscope/loop"
)

// feed hands over the ticks that frames made due, from whoever draws to the
// coordinator.
type feed struct {
	sync.Mutex
	due  int       // not taken yet
	last time.Time // when the last of them was due
}

// maxFed bounds what waits to be taken: weeks of ticks.
const maxFed = 1 << 30

func (f *feed) add(due int, last time.Time) {
	f.Lock()
	f.due, f.last = min(f.due+min(due, maxFed), maxFed), last
	f.Unlock()
}

// take empties the feed.
func (f *feed) take() (due int, last time.Time) {
	f.Lock()
	due, last = f.due, f.last
	f.due = 0
	f.Unlock()
	return due, last
}

// Feed says, with Pacing.Driver ByFrame, that due more ticks are due, the last
// of them at an instant of the pacer's clock and the others a tick apart before
// it. The coordinator looks at once and releases one a check. With policy
// CatchUp up to MaxCatchUp of them are kept; with Drop the newest alone, and
// with SlowDown too: the world slows down with the frames then, and Stats.Stretch
// stays 1. What is over is dropped and counted. What is fed while the world
// is paused or braked is forgotten, and so is what was due less than a tick
// after that ended.
//
// Feed waits for nobody. With ByCoordinator, or due below 1, it does nothing.
func (c *Coordinator) Feed(due int, last time.Time) {
	if due < 1 || c.pacing.Load().Driver != ByFrame {
		return
	}
	c.fed.add(due, last)
	ring(c.bell)
}

// frames is what the coordinator makes of what it is fed. It reads no clock.
type frames struct {
	pending loop.Tick // due and not released
	last    time.Time // when the last of them was due
	from    time.Time // what was due earlier is forgotten
}

// renew forgets everything due before a tick from now has passed, or nearly:
// whoever feeds may round otherwise.
func (f *frames) renew(now time.Time, tick time.Duration) {
	*f = frames{from: now.Add(tick - tick/8)}
}

// add takes due more ticks, the last due at an instant and a tick long each.
func (f *frames) add(due loop.Tick, last time.Time, tick time.Duration) {
	if due == 0 {
		return
	}
	if !f.from.IsZero() {
		if last.Before(f.from) {
			return
		}
		due = min(due, loop.Tick(last.Sub(f.from)/tick)+1)
	}
	f.pending += due
	f.last = last
}

// check releases one tick of those that are due, the oldest of the newest keep.
func (f *frames) check(keep loop.Tick, tick time.Duration) beat {
	if f.pending == 0 {
		return beat{}
	}
	kept := min(f.pending, keep)
	b := beat{release: true, dropped: f.pending - kept, backlog: kept - 1}
	b.scheduled = f.last.Add(-time.Duration(b.backlog) * tick)
	f.pending = b.backlog
	return b
}

// framed says that frames make ticks due. The steps of a pause are the
// coordinator's own, whoever drives.
func (c *Coordinator) framed() bool { return c.pace.Driver == ByFrame && !c.paused }

// checkFrames takes what was fed and releases at most one tick of it. The
// metronome follows, for the coordinator to go on from there.
func (c *Coordinator) checkFrames() beat {
	tick := c.metro.tick()
	due, last := c.fed.take()
	c.frames.add(loop.Tick(due), last.Add(c.skew), tick)
	b := c.frames.check(c.pace.keep(), tick)
	if b.release {
		c.metro.reanchor(b.scheduled)
	}
	return b
}
