package world

import (
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

// Inspect gives a character's details, false when there is none with that
// spawn number.
func (w *World) Inspect(spawn uint64) (Detail, bool) {
	c := w.people.bySpawn(spawn)
	if c == nil || c.ended.Load() != uint64(loop.MaxTick) {
		return Detail{}, false
	}
	d := Detail{Mark: c.mark(w.coord.Global()), Born: c.born, Pending: c.inbox.Pending(), OldestDue: loop.MaxTick}
	if l := c.chain.Load(); l != nil {
		d.Health = l.health
	}
	if a := c.active.Load(); a != nil {
		d.Neighbors = int(a.neighbors.Load())
	}
	if b := c.schedule.Load(); b != nil {
		d.Border = *b
	}
	if t, ok := c.inbox.Oldest(); ok {
		d.OldestDue = t
	}
	d.Lagging = d.Lag > loop.Tick(w.coord.Pacing().LagThreshold)
	return d, true
}

// Trace keeps notes of what happens to one character from now on, and drops
// those of the one traced before; 0 traces nobody. It changes nothing else.
func (w *World) Trace(spawn uint64) {}
