package world

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"chronoscope/coordinator"
	"chronoscope/loop"
	"chronoscope/routes"
)

// DigestEvery is the number of ticks between two digests.
const DigestEvery loop.Tick = 60

// maxOpenDigests is how many digest ticks may wait for being gathered before
// the gatherer holds the world: it bounds the legs that are kept for them.
const maxOpenDigests = 8

// Digest is the state of the world at a tick in one number: a wrapping sum
// over the characters, so that it can be gathered in any order and a duplicate
// doesn't cancel out, with the parts it is the sum of.
type Digest struct {
	Tick   loop.Tick
	Sum    uint64
	Count  uint64               // characters alive at Tick
	Shards [peopleShards]uint64 // by spawn number modulo their number
}

// Record is one character's part in a digest.
type Record struct {
	Spawn  uint64
	Tick   loop.Tick
	Leg    uint32 // leg number
	Pos    routes.Point
	Health int32
}

// Mix is what a record adds to the sum.
func (r Record) Mix() uint64 {
	x := mix64(r.Spawn + golden)
	x = mix64(x ^ uint64(r.Tick) + golden)
	x = mix64(x ^ (uint64(r.Leg)<<32 | uint64(uint32(r.Health))) + golden)
	return mix64(x ^ pack(r.Pos) + golden)
}

// gatherer takes digests of ticks that everyone has passed, while the world
// goes on. It is a participant so that it can hold the world when it falls too
// far behind.
type gatherer struct {
	w        *World
	progress coordinator.Progress
	bell     chan struct{}
	stop     chan struct{}
	next     atomic.Uint64 // the oldest digest tick not gathered
	last     atomic.Pointer[Digest]
	took     func(Digest)
	busy     sync.WaitGroup
}

func newGatherer(w *World, took func(Digest)) *gatherer {
	g := &gatherer{w: w, bell: make(chan struct{}, 1), stop: make(chan struct{}), took: took}
	g.progress.Init(coordinator.ParticipantID{Kind: coordinator.KindGatherer, Object: coordinator.MakeObjectID(0, 1)}, g.bell)
	g.next.Store(uint64(DigestEvery))
	return g
}

func (g *gatherer) ring() {
	select {
	case g.bell <- struct{}{}:
	default:
	}
}

// follow is the participant: it completes ticks as long as not too many
// digests are open, and asks for the brake when there are.
func (g *gatherer) follow() {
	w := g.w
	waiter := coordinator.NewWaiter()
	defer waiter.Close()
	local := w.coord.Global()
	g.progress.Publish(local)
	w.coord.Join(&g.progress)
	// Only a coordinator that has stopped refuses, and then nobody waits.
	defer func() { _ = w.coord.Leave(&g.progress) }()
	asked := false
	for {
		select {
		case <-g.stop:
			return
		default:
		}
		now := w.coord.Global()
		open := loop.Tick(0)
		if next := loop.Tick(g.next.Load()); now >= next {
			open = (now-next)/DigestEvery + 1
		}
		switch {
		case open > maxOpenDigests:
			if !asked {
				asked = true
				w.coord.RequestBrake(&g.progress)
			}
			select {
			case <-g.stop:
				return
			case <-g.bell:
			}
		case now > local:
			local = now
			asked = false
			w.coord.Complete(&g.progress, now)
		default:
			w.coord.Await(&g.progress, waiter)
		}
	}
}

// gather takes one digest after the other.
func (g *gatherer) gather() {
	for {
		t := loop.Tick(g.next.Load())
		d, ok := g.w.digestAt(t, g.stop)
		if !ok {
			return
		}
		g.publish(d)
		g.next.Store(uint64(t + DigestEvery))
		g.w.digestFloor.Store(uint64(t + DigestEvery))
		g.w.people.forget(t)
		g.ring()
	}
}

func (g *gatherer) publish(d Digest) {
	g.last.Store(&d)
	if g.took != nil {
		g.took(d)
	}
}

// digestAt waits until everyone has passed t and sums up. It returns false
// when stop came first.
func (w *World) digestAt(t loop.Tick, stop <-chan struct{}) (Digest, bool) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	<-timer.C
	pause := func() bool {
		timer.Reset(max(w.coord.Pacing().TickRate.Period()/4, time.Millisecond))
		select {
		case <-timer.C:
			return true
		case <-stop:
			return false
		}
	}
	// In this order: once the scheduler has handed out every due up to t and
	// none of them is open, no leg that covers t changes any more.
	for w.scheduler.Processed() < t {
		if !pause() {
			return Digest{}, false
		}
	}
	for {
		if !w.dues.WaitPast(t, stop) {
			return Digest{}, false
		}
		if d, ok := w.sum(t); ok {
			// Once they are told to stop, characters leave undone what was due.
			return d, !w.stopped()
		}
		if !pause() {
			return Digest{}, false
		}
	}
}

// sum adds up the records of tick t, false when somebody hasn't passed it.
func (w *World) sum(t loop.Tick) (Digest, bool) {
	d := Digest{Tick: t}
	passed := true
	for i := range d.Shards {
		w.people.eachIn(i, func(c *character) {
			if !passed {
				return
			}
			r, in, ok := c.record(t)
			switch {
			case !ok:
				passed = false
			case in:
				d.Shards[i] += r.Mix()
				d.Count++
			}
		})
		if !passed {
			return Digest{}, false
		}
		d.Sum += d.Shards[i]
	}
	d.Sum += d.Count
	return d, true
}

// record is a character's state at tick t: in says whether it lived then, ok
// whether it has passed t at all.
func (c *character) record(t loop.Tick) (r Record, in, ok bool) {
	if c.born > t {
		return Record{}, false, true
	}
	// The mode is read before the chain: one that is active has to complete t,
	// whatever its leg covers.
	if c.active.Load() != nil && c.progress.Completed() < t {
		return Record{}, false, c.endedBy(t)
	}
	if c.endedBy(t) {
		return Record{}, false, true
	}
	for l := c.chain.Load(); l != nil; l = l.prev.Load() {
		if l.leg.Start <= t && t < l.leg.End {
			return Record{Spawn: c.spawn, Tick: t, Leg: l.leg.Number, Pos: l.leg.At(t), Health: l.health}, true, true
		}
	}
	return Record{}, false, false
}

func (c *character) endedBy(t loop.Tick) bool { return loop.Tick(c.ended.Load()) <= t }

// Records gives every living character's part in the digest of a tick that all
// have passed and whose legs are still kept, such as the last of a run that has
// come to rest, in the order of spawn numbers; false for any other tick. Two
// runs whose digests differ are told apart by the first record that differs.
func (w *World) Records(t loop.Tick) ([]Record, bool) {
	var rs []Record
	all := true
	w.people.each(func(c *character) {
		switch r, in, ok := c.record(t); {
		case !ok:
			all = false
		case in:
			rs = append(rs, r)
		}
	})
	slices.SortFunc(rs, func(a, b Record) int {
		if a.Spawn < b.Spawn {
			return -1
		}
		return 1
	})
	return rs, all
}
