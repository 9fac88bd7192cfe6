package world

import (
	"cmp"
	"slices"

	"chronoscope/coordinator"
	"chronoscope/loop"
	"chronoscope/routes"
)

// Detail is what there is to know of one character.
type Detail struct {
	Mark
	Born      loop.Tick
	Health    int32
	Neighbors int // within reach at its last look, while active
	// Pending: something is in its inbox that it hasn't taken.
	Pending   bool
	OldestDue loop.Tick // of what is in the inbox or not settled; MaxTick for none
	Events    int       // in the event lane
	EventsMax int       // that fit it
	Notices   coordinator.Notice
	Lagging   bool

	// Place is what its leg leads to or stays at, "" for no place with a name.
	Place string
	// Generation of its plan: how often it was changed by a command, plus one.
	Generation uint32
	// Border is the last thing its detailed schedule said; the zero value
	// without one.
	Border Border
	// Wakes are registered with the scheduler, in order.
	Wakes []Wake
	// Ahead are the next entries of its schedule.
	Ahead []Entry
	// Passages of its leg; nil while nobody needed them and the viewer didn't
	// ask.
	Passages []routes.ZonePassage
	// Refined: some zone that woke had the leg's passages worked out.
	Refined bool
	// Notes are the last things that happened to it, oldest first, since it is
	// traced (see World.Trace).
	Notes []Note
}

// Border is what a character on a detailed schedule publishes at each zone
// border it passes.
type Border struct {
	// Tick is that of the border, or of its leg's start, Pos where it was then.
	Tick loop.Tick
	Pos  routes.Point
	// Next is the tick of the next border, at which it is woken; MaxTick when
	// none comes before its leg ends.
	Next loop.Tick
}

// Wake is a registration with the scheduler.
type Wake struct {
	Tick loop.Tick
	For  WakeFor
}

// WakeFor is what a character asked to be woken for.
type WakeFor uint8

// What wakes are for.
const (
	WakeLegEnd WakeFor = iota // its leg ends
	WakeZone                  // it enters an active zone
	WakeBorder                // it passes a zone's border, on a detailed schedule
)

// Entry is something that a character means to do.
type Entry struct {
	Due loop.Tick
	// What is the purpose: "work", "market", "tavern", "visit", "home".
	What string
	// Place is where it leads, "" when that isn't settled yet.
	Place string
}

// Note is one thing that happened to a character.
type Note struct {
	Tick    loop.Tick // the tick it is dated
	Handled loop.Tick // the global tick at which it was handled
	Kind    NoteKind
	Leg     uint32 // number of the leg it was on
	N       int64  // see NoteKind
}

// NoteKind says what happened.
type NoteKind uint8

// The kinds of notes; N is the ticks, milliseconds or number named, if any.
const (
	NoteWoke     NoteKind = iota // took a notice
	NoteStale                    // took a notice that told nothing new
	NoteLeg                      // a leg began; N: ticks it takes
	NoteActive                   // became active
	NoteAsleep                   // fell asleep after being active; N: ticks it was active
	NoteDetailed                 // the budget was spent: a detailed schedule
	NoteZoneWake                 // registered for entering an active zone; N: the tick
	NoteStall                    // stalled; N: milliseconds
	NoteHold                     // was told to stay; N: ticks
	NoteReroute                  // was told to go elsewhere
	NoteNoWay                    // no way leads where it was told to go
	NoteCancel                   // was told to drop its plan
	NoteEnd                      // was told to end
)

// aheadLimit is how many entries of the schedule Detail shows.
const aheadLimit = 6

// Inspect gives a character's details, false when there is none with that
// spawn number, or no more. The character isn't asked: what it has published is
// read, and its schedule is derived anew.
func (w *World) Inspect(spawn uint64) (Detail, bool) {
	c := w.people.bySpawn(spawn)
	if c == nil || c.ended.Load() != uint64(loop.MaxTick) {
		return Detail{}, false
	}
	now := w.coord.Global()
	d := Detail{Mark: c.mark(now), Born: c.born, Pending: c.inbox.Pending(), OldestDue: loop.MaxTick}
	d.Notices, d.Events, d.EventsMax = c.inbox.Lanes()
	if t, ok := c.inbox.Oldest(); ok {
		d.OldestDue = t
	}
	if a := c.active.Load(); a != nil {
		d.Neighbors = int(a.neighbors.Load())
	}
	if b := c.schedule.Load(); b != nil {
		d.Border = *b
	}
	d.Lagging = d.Lag > loop.Tick(w.coord.Pacing().LagThreshold)
	d.Notes = w.notes(spawn)
	if l := c.chain.Load(); l != nil {
		d.Leg, d.Health = l.leg, l.health
		w.inspectLeg(&d, now)
	}
	d.Wakes = c.wakes(now)
	return d, true
}

// inspectLeg fills in what follows from the leg.
func (w *World) inspectLeg(d *Detail, now loop.Tick) {
	leg := d.Leg
	d.Generation = leg.Generation
	d.Refined = leg.Refined()
	if d.Refined {
		d.Passages = leg.View(nil)
	}
	at := w.placeAt(routes.CellOf(leg.Place()))
	if at != nowhere {
		d.Place = w.m.Places[at].Name
	}
	d.Ahead = w.lives.ahead(d.Spawn, leg, at, max(now, d.Born), aheadLimit)
}

// wakes are the character's registrations that are still to come, in order, or
// that a sleeper hasn't answered yet. An active character has need of none.
func (c *character) wakes(now loop.Tick) (list []Wake) {
	answered := loop.Tick(0)
	if Mode(c.mode.Load()) == Active {
		answered = now
	}
	end, enter := c.wake.load(), c.zoneWake.load()
	if enter != loop.MaxTick && enter > answered {
		list = append(list, Wake{enter, WakeZone})
	}
	if b := c.schedule.Load(); b != nil && b.Next != loop.MaxTick {
		list = append(list, Wake{b.Next, WakeBorder})
	}
	if end > answered {
		list = append(list, Wake{end, WakeLegEnd})
	}
	slices.SortStableFunc(list, func(a, b Wake) int { return cmp.Compare(a.Tick, b.Tick) })
	return list
}
