package world

import (
	"fmt"
	"runtime/debug"
	"sync/atomic"
	"time"

	"chronoscope/coordinator"
	"chronoscope/loop"
	"chronoscope/routes"
)

// Mode says how closely a character is simulated at the moment.
type Mode uint8

const (
	// Sleeping: waits for its inbox, moved by its leg, not ticked.
	Sleeping Mode = iota
	// Waking: a notice is taken; not yet back asleep or joined.
	Waking
	// Active: follows the global tick one by one and can brake the world.
	Active
	// Ended: no more.
	Ended
)

var modeNames = [...]string{"sleeping", "waking", "active", "ended"}

func (m Mode) String() string {
	if int(m) < len(modeNames) {
		return modeNames[m]
	}
	return fmt.Sprintf("mode(%d)", uint8(m))
}

// What a character's notices tell it to look at, beside stop.
const (
	noticeWake coordinator.Notice = 1 << (iota + 2) // a due of its schedule or of a zone on its way
	noticeZone                                      // a zone that its leg touches became active
)

// fullHealth is what a character is born with.
const fullHealth = 100

// event is what others ask a character to do, dated by the inbox.
type event struct {
	kind  eventKind
	wait  time.Duration // eventStall
	ticks loop.Tick     // eventHold
	to    routes.Cell   // eventReroute
}

type eventKind uint8

const (
	eventStall eventKind = iota + 1
	eventHold
	eventReroute
	eventCancel
)

// link is one leg in the chain of a character's life, newest first. Older ones
// are kept until the digests that fall into them are taken.
type link struct {
	leg    *routes.Leg
	health int32
	prev   atomic.Pointer[link]
}

// character is one inhabitant. One goroutine at a time lives it, from spawn to
// end; see rest for why that is not always the same one.
type character struct {
	// Constant once it lives.
	w     *World
	spawn uint64
	born  loop.Tick
	id    coordinator.ObjectID

	inbox    coordinator.Inbox[event]
	progress coordinator.Progress

	// Published for everyone to read.
	chain    atomic.Pointer[link]
	active   atomic.Pointer[active] // nil while it isn't
	schedule atomic.Pointer[Border] // what its detailed schedule says; nil while it follows none
	endAt    atomic.Uint64          // the tick at which it is to end; MaxTick for none
	ended    atomic.Uint64          // the tick at which it is no more; MaxTick until then
	wake     moment                 // registered for the end of its leg
	zoneWake moment                 // registered for entering an active zone; MaxTick for none
	mode     atomic.Uint32          // last, since it fills a word with at

	// Owned by the goroutine that lives it.
	at      routes.PlaceID // where its leg stays or leads; nowhere: see orders
	plan    plan
	stallIn uint32  // activities until the next stall, 0 = none to come
	stalled uint32  // stalls so far
	orders  *orders // nil for one that was never told anything

	// The coverage ledger: every tick of a life is asleep or active.
	since         loop.Tick // the last tick before the asleep interval under way
	asleep, awake loop.Tick
}

// moment is a tick that one goroutine writes and others may read.
type moment struct{ tick atomic.Uint64 }

func (m *moment) load() loop.Tick   { return loop.Tick(m.tick.Load()) }
func (m *moment) store(t loop.Tick) { m.tick.Store(uint64(t)) }

// newCharacter makes the character of a spawn number, at home from born on.
func (w *World) newCharacter(spawn uint64, born loop.Tick) *character {
	c := &character{w: w, spawn: spawn, born: born, since: before(born), at: w.lives.home(spawn)}
	c.zoneWake.store(loop.MaxTick)
	c.endAt.Store(uint64(loop.MaxTick))
	c.ended.Store(uint64(loop.MaxTick))
	c.inbox.Init(w.params.InboxSize, w.dues, &w.inboxes)
	c.id = w.people.claim()
	c.progress.Init(coordinator.ParticipantID{Kind: coordinator.KindCharacter, Object: c.id}, c.inbox.Bell())
	// A newcomer looks at what comes after its birth.
	for w.lives.peek(spawn, &c.plan) <= born {
		c.plan.next++
	}
	c.stallIn = w.stalls.first(spawn)
	// It can be found, whole, before its first leg can.
	w.people.add(c)
	c.begin(routes.NewStay(uint64(c.id), 1, w.place(c.at), born, w.lives.peek(spawn, &c.plan), w.params.ZoneSide))
	return c
}

// before is the last tick before a life that begins at born. Tick 0 is nobody's
// to live: it is how the world begins.
func before(born loop.Tick) loop.Tick { return max(born, 1) - 1 }

// place is the point where a place is.
func (w *World) place(id routes.PlaceID) routes.Point { return w.m.Places[id].Cell.Center() }

func (c *character) current() *link { return c.chain.Load() }

// rest is where a sleeper spends its time: parked on its bell in a frame so
// shallow that the smallest stack holds it. Living grows the stack, and a
// parked stack doesn't shrink back below twice the smallest, so a character
// that falls asleep hands itself over to a new goroutine and ends the old one:
// at any time there is exactly one, and it is its own.
func (c *character) rest() {
	// A ring may come late, for what was taken before, or for a tick that it
	// saw as an active one: that wakes nobody.
	for !c.inbox.Pending() {
		<-c.inbox.Bell()
	}
	c.live()
}

// live handles what a character was woken for until it sleeps again, is
// active, stops or ends.
func (c *character) live() {
	defer c.guard()
	for {
		switch c.attend() {
		case asleep:
			c.become(Sleeping)
			if !c.inbox.Pending() {
				go c.rest()
				return
			}
		case awake:
			go c.rise()
			return
		case gone:
			c.over()
			return
		}
	}
}

// rise is the active part of a life, on a stack of its own for the same
// reason as rest.
func (c *character) rise() {
	defer c.guard()
	if c.liveActive(c.active.Load()) {
		c.live()
		return
	}
	c.over()
}

// over takes one that has stopped or ended out of the population.
func (c *character) over() {
	c.w.population[c.mode.Load()].Add(-1)
	c.mode.Store(uint32(Ended))
	c.w.living.Done()
}

// guard turns a panic into the end of the run: nobody would wait for this
// character's dues in vain.
func (c *character) guard() {
	if r := recover(); r != nil {
		now := c.w.coord.Global()
		if a := c.active.Load(); a != nil {
			now = c.progress.Completed() + 1
		}
		c.w.fail(&PanicError{Spawn: c.spawn, Tick: now, Value: r, Stack: string(debug.Stack())})
		c.w.living.Done()
	}
}

// restsAt says whether the character has nothing to do before the tick after t.
// It looks in this order: one that falls asleep is Waking before it completes its
// last tick, and one that has taken something is Waking until that is done.
func (c *character) restsAt(t loop.Tick) bool {
	completed := c.progress.Completed()
	if c.inbox.Pending() {
		return false
	}
	switch Mode(c.mode.Load()) {
	case Waking:
		return false
	case Active:
		return completed >= t
	}
	return true
}

// become changes the mode and the population ledger.
func (c *character) become(m Mode) {
	old := Mode(c.mode.Swap(uint32(m)))
	if old != m {
		c.w.population[old].Add(-1)
		c.w.population[m].Add(1)
	}
}

// outcome is how attending to an inbox leaves a character.
type outcome uint8

const (
	asleep outcome = iota // may sleep
	awake                 // has joined the active ones
	gone                  // stopped or ended
)

// attend takes what is in the inbox and brings the character up to now.
func (c *character) attend() outcome {
	c.become(Waking)
	notices, now := c.take()
	if notices&coordinator.NoticeStop != 0 {
		return c.stop()
	}
	if notices != 0 {
		c.note(NoteWoke, now, 0)
	}
	if notices&noticeWake != 0 {
		c.w.counts.wakes.Add(1)
		if c.w.stalls.in&StallWakes != 0 && !c.stallByChance() {
			return c.stop()
		}
		if c.current().leg.End > now && c.zoneWake.load() > now && c.orders.next() > now && !c.passes(now) {
			c.w.counts.stale.Add(1)
			c.note(NoteStale, now, 0)
		}
	}
	if c.zoneWake.load() <= now {
		c.zoneWake.store(loop.MaxTick)
	}
	end := loop.Tick(c.endAt.Load())
	// At the tick at which it ends nothing begins any more. It can't have lived
	// that one yet: whoever sees the tick released sees endAt.
	if !c.obey(now, end) || !c.follow(min(now, end-1)) {
		return c.stop()
	}
	if end != loop.MaxTick {
		c.finish(end)
		return gone
	}
	inside, enter := c.look(now)
	switch {
	case inside && c.admitted(now):
		c.join(now)
		return awake
	case inside:
		// Its next border comes before it enters another zone.
	case enter != loop.MaxTick && c.schedule.Load() != nil:
		c.detail(now)
		enter = loop.MaxTick
	default:
		c.undetail()
	}
	c.register(enter)
	c.settle()
	return asleep
}

// take takes all that is in a sleeper's inbox and reads the global tick. What
// is dated by then was handed over before, so nothing of it is left behind: a
// command takes effect at its tick however busy the machine is.
func (c *character) take() (notices coordinator.Notice, now loop.Tick) {
	for {
		n, events := c.inbox.Take(nil)
		notices |= n
		c.lay(events)
		now = c.w.coord.Global()
		if notices&coordinator.NoticeStop != 0 || !c.inbox.Pending() {
			return notices, now
		}
	}
}

// follow performs everything of the schedule due by now, each entry at the
// tick it is due. It returns false when a stop came while it waited for a path.
func (c *character) follow(now loop.Tick) bool {
	for {
		end := c.current().leg.End
		if end > now {
			return true
		}
		if !c.next(end, c.current().leg.Number+1, now, false) {
			return false
		}
	}
}

// next makes the leg that begins at t, with a number: as the one after the
// current leg, or in its stead. Of the entries due by then the last one counts:
// those before it were due while a route was under way and are skipped. It
// returns false when a stop came while it waited for a path.
func (c *character) next(t loop.Tick, number uint32, now loop.Tick, instead bool) bool {
	if hold := c.orders.holds(); hold > 0 {
		c.start(routes.NewStay(uint64(c.id), number, c.here().Center(), t, t+hold, c.w.params.ZoneSide), now, instead)
		return true
	}
	lives, here := c.w.lives, c.here()
	to, cell, sent := c.sent(t)
	due := loop.MaxTick
	if !sent {
		due = lives.peek(c.spawn, &c.plan)
		for due <= t {
			day, i := c.plan.day, int(c.plan.next)
			c.plan.next++
			if due = lives.peek(c.spawn, &c.plan); due > t {
				to = lives.destination(c.spawn, day, i, number, c.at)
				cell = c.w.m.Places[to].Cell
			}
		}
	}
	if to == c.at && cell == here {
		c.start(routes.NewStay(uint64(c.id), number, here.Center(), t, due, c.w.params.ZoneSide), now, instead)
		return true
	}
	p := c.path(here, cell)
	if p == nil {
		return false
	}
	c.goesTo(to, cell)
	c.start(routes.NewRoute(uint64(c.id), number, p, t), now, instead)
	return true
}

// start begins a leg.
func (c *character) start(leg *routes.Leg, now loop.Tick, instead bool) {
	leg.Generation = c.orders.plans()
	c.w.counts.legs.Add(1)
	c.publish(leg, now, instead)
	c.note(NoteLeg, leg.Start, int64(leg.End-leg.Start))
}

// begin publishes a character's first leg, before its goroutine starts.
func (c *character) begin(leg *routes.Leg) {
	leg.Generation = c.orders.plans()
	c.chain.Store(&link{leg: leg, health: fullHealth})
	c.w.index.Insert(leg)
	c.w.counts.legs.Add(1)
	c.register(loop.MaxTick)
	if c.w.zones.anyOn(leg) {
		c.w.dues.Open(c.born, 1)
		// The inbox is new: it can't have ended.
		_ = c.inbox.Notify(noticeZone, c.born)
	}
}

// publish makes leg the current one, after the one that was, or in its stead:
// into the index first, so that whoever activates a zone after we have looked
// at the active ones finds it there. A leg that is over already is of interest
// to digests alone.
func (c *character) publish(leg *routes.Leg, now loop.Tick, instead bool) {
	if leg.End > now {
		c.w.index.Insert(leg)
	}
	old := c.chain.Load()
	l := &link{leg: leg, health: old.health}
	if instead {
		c.keep(l, old.prev.Load())
	} else {
		c.keep(l, old)
	}
	c.chain.Store(l)
	c.w.index.Remove(old.leg) // one that was over when it was made isn't there
}

// keep hangs old behind l as far as digests still to be taken fall into it.
func (c *character) keep(l, old *link) {
	floor := loop.Tick(c.w.digestFloor.Load())
	for old != nil && old.leg.End > floor {
		l.prev.Store(old)
		l, old = old, old.prev.Load()
	}
	l.prev.Store(nil)
}

// path gives the path between two cells that reach each other from the cache,
// waiting for a search where it must; nil when a stop came first.
func (c *character) path(from, to routes.Cell) *routes.Path {
	if p, ok := c.w.cache.Lookup(from, to); ok {
		return p
	}
	s := c.w.cache.Request(from, to, c.active.Load() != nil)
	for {
		select {
		case <-s.Done():
			p, err := s.Result()
			if err != nil {
				if c.inbox.Stopping() {
					return nil
				}
				panic(fmt.Errorf("a path that there must be: %w", err))
			}
			return p
		case <-c.inbox.Bell():
			// Whatever rang is looked at when the tick or the wake is done;
			// only a stop can't wait.
			if c.inbox.Stopping() {
				s.Abandon()
				return nil
			}
		}
	}
}

// look decides from the active zones what a character at tick now has to do:
// be active because it is inside one, or else wake when it enters one (MaxTick:
// none on its way).
func (c *character) look(now loop.Tick) (inside bool, enter loop.Tick) {
	leg := c.current().leg
	if !c.w.zones.anyOn(leg) {
		return false, loop.MaxTick
	}
	if leg.Kind == routes.Stay {
		return true, loop.MaxTick
	}
	return c.w.refine(leg, now)
}

// register asks the scheduler for what a sleeper must be woken for: the end of
// its leg, its entry into an active zone and what it is told for a later tick. One that is replaced stays behind
// as a stale notice.
func (c *character) register(enter loop.Tick) {
	end := c.current().leg.End
	if c.wake.load() != end {
		c.wake.store(end)
		c.w.scheduler.Register(end, c.id)
	}
	if enter != loop.MaxTick && enter < end && enter != c.zoneWake.load() {
		c.zoneWake.store(enter)
		c.w.scheduler.Register(enter, c.id)
		c.note(NoteZoneWake, c.w.coord.Global(), int64(enter))
	}
	// MaxTick, for nothing told, is never.
	c.w.scheduler.Register(c.orders.next(), c.id)
}

// finish ends a life at a tick, the first one that it doesn't live. What follows
// is the registry's.
func (c *character) finish(at loop.Tick) {
	c.note(NoteEnd, at, 0)
	c.ended.Store(uint64(at))
	c.undetail()
	var last loop.Tick
	if a := c.active.Load(); a != nil {
		last = c.progress.Completed()
		c.leaveActive(a)
	} else {
		last = at - 1
		c.asleep += last - c.since
	}
	c.w.index.Remove(c.current().leg)
	c.w.coverage.add(c, last)
	c.w.counts.ended.Add(1)
	c.inbox.Close()
	past := loop.Tick(0)
	if c.w.digestFloor.Load() == uint64(loop.MaxTick) {
		// No digests: a world at rest may still be asked for its present tick.
		past = c.w.coord.Global()
	}
	c.w.people.end(c, past)
}

// stop ends the goroutine, not the life: the run is over.
func (c *character) stop() outcome {
	c.undetail()
	last := c.w.coord.Global()
	if a := c.active.Load(); a != nil {
		last = c.progress.Completed()
		c.leaveActive(a)
	} else {
		c.asleep += max(last, c.since) - c.since
		last = max(last, c.since)
	}
	c.w.coverage.add(c, last)
	c.inbox.Close()
	return gone
}
