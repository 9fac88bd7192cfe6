package world

import (
	"sync/atomic"

	"chronoscope/loop"
	"chronoscope/routes"
)

// budget counts the places of active characters. One is taken before a
// character joins and given back after it has left, so there are never more
// active ones than places.
type budget struct {
	taken atomic.Int64
	// yielding are those that are about to leave because more are taken than
	// there are.
	yielding atomic.Int64
	// detailed are the characters on a detailed schedule.
	detailed atomic.Int64
}

// take takes a place where there is one among limit (0: any number).
func (b *budget) take(limit int) bool {
	for {
		n := b.taken.Load()
		if limit > 0 && n >= int64(limit) {
			return false
		}
		if b.taken.CompareAndSwap(n, n+1) {
			return true
		}
	}
}

// giveBack gives a place back, as one that yields or not.
func (b *budget) giveBack(yields bool) {
	b.taken.Add(-1)
	if yields {
		b.yielding.Add(-1)
	}
}

// yield says whether someone who asks has to leave because more than limit
// places are taken. Of several who ask at once no more are told so than have to.
func (b *budget) yield(limit int) bool {
	if limit <= 0 {
		return false
	}
	for {
		n := b.yielding.Load()
		if b.taken.Load()-n <= int64(limit) {
			return false
		}
		if b.yielding.CompareAndSwap(n, n+1) {
			return true
		}
	}
}

// room is how many places are free, at most most.
func (b *budget) room(limit, most int) int {
	if limit <= 0 {
		return most
	}
	return int(min(max(int64(limit)-b.taken.Load(), 0), int64(most)))
}

// detail puts the character on a detailed schedule at tick now, or on to its
// next border. Each border it passes brings a new, immutable word.
func (c *character) detail(now loop.Tick) {
	leg := c.current().leg
	b := &Border{Tick: leg.Start, Next: loop.MaxTick}
	if p, ok := leg.Inside(now); ok {
		b.Tick = p.Enter
	}
	b.Pos = leg.At(b.Tick)
	if p, ok := leg.FirstEnter(now, anyZone); ok {
		b.Next = p.Enter
	}
	old := c.schedule.Swap(b)
	if old == nil {
		c.w.budget.detailed.Add(1)
		c.note(NoteDetailed, now, 0)
	}
	if b.Next != loop.MaxTick && (old == nil || old.Next != b.Next) {
		c.w.scheduler.Register(b.Next, c.id)
	}
}

func anyZone(routes.ZoneKey) bool { return true }

// undetail ends the detailed schedule, where there is one. A wake that is
// registered for its next border is stale from then on.
func (c *character) undetail() {
	if c.schedule.Load() != nil && c.schedule.Swap(nil) != nil {
		c.w.budget.detailed.Add(-1)
	}
}

// passes says whether one on a detailed schedule is to look at a border by tick
// now.
func (c *character) passes(now loop.Tick) bool {
	b := c.schedule.Load()
	return b != nil && b.Next <= now
}

// admitted takes a place among the active ones. Where there is none the
// character follows a detailed schedule.
func (c *character) admitted(now loop.Tick) bool {
	b := &c.w.budget
	if b.take(c.w.tuning.Load().ActiveBudget) {
		return true
	}
	c.detail(now)
	// Once it is seen to be waiting it looks again, and whoever makes room looks
	// for those who wait: neither can miss the other.
	return b.take(c.w.tuning.Load().ActiveBudget)
}
