package world

import (
	"context"
	"runtime/pprof"
	"strconv"
	"sync/atomic"

	"chronoscope/coordinator"
	"chronoscope/loop"
	"chronoscope/routes"
)

// perceiveEvery is how many ticks an active character lets pass between two
// looks at its neighbours, at a phase of its own: what stands around one
// changes over many ticks (a cell takes twelve).
const perceiveEvery = 8

// active is what a character has only while it is active.
type active struct {
	// Published.
	pos       atomic.Uint64 // packed Point
	neighbors atomic.Int32  // within reach at the last look

	// Owned by the character's goroutine.
	waiter coordinator.Waiter
	spot   spot      // its entry in the exact grid
	joined loop.Tick // the tick it woke at
	inside loop.Tick // its last tick inside an active zone
	sink   uint64
	yields bool // leaves because the budget was lowered
}

func pack(p routes.Point) uint64 { return uint64(uint32(p.X))<<32 | uint64(uint32(p.Y)) }

func unpack(v uint64) routes.Point { return routes.Point{X: int32(v >> 32), Y: int32(v)} }

// join makes a character that has a place active at tick now, up to which
// everything has been done: its first active tick is the next one.
func (c *character) join(now loop.Tick) {
	a := &active{joined: now, inside: now}
	pos := c.current().leg.At(now)
	a.pos.Store(pack(pos))
	c.asleep += now - c.since
	c.since = now
	c.undetail()

	// First say where we stand, then take part: the other way round we would
	// lag by the whole past.
	c.progress.Publish(now)
	c.active.Store(a)
	c.become(Active)
	c.w.coord.Join(&c.progress)
	c.w.grid.enter(c, a, pos)
	c.settle()
	c.w.counts.activated.Add(1)
	c.note(NoteActive, now, 0)
}

// liveActive follows the ticks one by one until the character has been outside
// every active zone for long enough. It returns false when it stopped or ended.
func (c *character) liveActive(a *active) bool {
	pprof.SetGoroutineLabels(pprof.WithLabels(context.Background(),
		pprof.Labels(labelKey, strconv.FormatUint(c.spawn, 10))))
	local := a.joined
	for {
		// Read before the inbox is looked into: what is dated the next tick was
		// handed over before that was released.
		ahead := c.w.coord.Global() > local
		if c.inbox.Pending() {
			notices, events := c.inbox.Take(nil)
			if notices&coordinator.NoticeStop != 0 {
				c.stop()
				return false
			}
			if notices&noticeWake != 0 {
				// Its legs end under its own eyes now.
				c.w.counts.stale.Add(1)
			}
			c.lay(events)
			c.settle()
		}
		if !ahead {
			c.w.coord.Await(&c.progress, &a.waiter)
			continue
		}
		local++
		if !c.tick(a, local) {
			if c.ended.Load() == uint64(loop.MaxTick) {
				c.stop()
			}
			return false
		}
		tired := c.tired(a, local)
		if tired {
			// Before the tick is seen to be completed: see restsAt.
			c.become(Waking)
		}
		c.w.coord.Complete(&c.progress, local)
		if tired {
			c.leaveActive(a)
			return true
		}
	}
}

// tired says whether an active character that has run tick t falls asleep.
func (c *character) tired(a *active, t loop.Tick) bool {
	tuning := c.w.tuning.Load()
	if t-a.joined < tuning.MinResidence || len(c.orders.pending()) > 0 {
		return false
	}
	if t > a.inside && t-a.inside >= tuning.WakeHysteresis {
		return true
	}
	a.yields = c.w.budget.yield(tuning.ActiveBudget)
	return a.yields
}

// tick runs one tick of an active character: first what is due, then its
// position, its neighbours and its thoughts. It returns false when its life or
// the run ended in it.
func (c *character) tick(a *active, t loop.Tick) bool {
	if loop.Tick(c.endAt.Load()) <= t {
		c.finish(t)
		return false
	}
	if !c.follow(t) {
		return false
	}
	if len(c.orders.pending()) > 0 {
		// What it is told at t may begin a leg at t.
		if !c.obey(t, loop.MaxTick) || !c.follow(t) {
			return false
		}
		c.settle()
	}
	pos := c.current().leg.At(t)
	a.pos.Store(pack(pos))
	c.w.grid.move(c, a, pos)
	if c.w.zones.on(routes.ZoneAt(pos, c.w.params.ZoneSide)) {
		a.inside = t
	}
	if (uint64(t)+c.spawn)%perceiveEvery == 0 {
		a.neighbors.Store(int32(c.w.grid.around(c, pos)))
	}
	a.sink = simulate(c.w.tuning.Load().AIWork, a.sink)
	if c.w.stalls.in&StallActive != 0 && !c.stallByChance() {
		return false
	}
	c.awake++
	return true
}

// leaveActive takes the character out of the grid and of the coordinator's
// members, at the tick it has completed.
func (c *character) leaveActive(a *active) {
	c.w.grid.leave(a)
	// Only a coordinator that has stopped refuses, and then nobody waits.
	_ = c.w.coord.Leave(&c.progress)
	a.waiter.Close()
	c.become(Waking)
	c.active.Store(nil)
	c.w.budget.giveBack(a.yields)
	c.since = c.progress.Completed()
	c.note(NoteAsleep, c.since, int64(c.since-a.joined))
	c.w.counts.deactivated.Add(1)
	pprof.SetGoroutineLabels(context.Background())
}
