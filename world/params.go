package world

import (
	"fmt"
	"time"

	"chronoscope/loop"
	"chronoscope/routes"
)

// Defaults and ranges of a world's parameters, as plain values from which the
// table of flags is built.
const (
	DefaultSeed uint64 = 1

	DefaultNPCs, MaxNPCs = 2000, 2_000_000

	// A zone's side in cells. Smaller zones wake fewer characters for a point
	// and cost more index entries a leg.
	DefaultZoneSide, MinZoneSide, MaxZoneSide int32 = 16, 2, 512

	// Distances in cells from a point to a zone's square: it wakes inside the
	// first and sleeps outside the second.
	DefaultWakeRadius, DefaultSleepRadius, MaxRadius int32 = 24, 32, 4096

	// DefaultWakeHysteresis is how many of its own ticks a character stays
	// awake outside every active zone: two seconds at 60 Hz, about ten cells'
	// walk, so that a zone's border doesn't make it flap.
	DefaultWakeHysteresis, MaxWakeHysteresis loop.Tick = 120, 1_000_000

	// DefaultMinResidence is the least number of ticks a character stays
	// active once it is.
	DefaultMinResidence, MaxMinResidence loop.Tick = 60, 1_000_000

	// MaxActiveBudget is as many as there can be. The default is 0, no limit.
	MaxActiveBudget = MaxNPCs

	// DefaultInboxSize bounds the events that wait for one character.
	DefaultInboxSize, MinInboxSize, MaxInboxSize = 32, 1, 4096

	DefaultAICost, MaxAICost = time.Microsecond, 100 * time.Millisecond

	DefaultPathCacheBytes int64 = 64 << 20
	MinPathCacheBytes     int64 = 64 << 10
	MaxPathCacheBytes     int64 = 64 << 30
	MaxPathCacheEntries         = 100_000_000

	MaxVisitors = 64

	// maxAIWork bounds the rounds of the work loop: minutes.
	maxAIWork = 1 << 40
)

// Life is the shape of the characters' days.
type Life uint8

const (
	// LifeTown is daily life: work, market, visits, home.
	LifeTown Life = iota
	// LifeNight drops every entry due in the first QuietTicks: everyone stays
	// at home and nothing is due for a long time.
	LifeNight
	// LifeRush sends everyone to work at once, at RushAt, spread over
	// RushWindow by spawn number; daily life follows.
	LifeRush
)

var lifeNames = [...]string{"town", "night", "rush"}

func (l Life) String() string {
	if int(l) < len(lifeNames) {
		return lifeNames[l]
	}
	return fmt.Sprintf("life(%d)", uint8(l))
}

const (
	// QuietTicks is how long LifeNight stays quiet: 16 hours, to 22:00.
	QuietTicks = 16 * loop.TicksPerHour
	// RushAt is 06:10 of the first day, RushWindow one second of 60 Hz.
	RushAt     = 10 * loop.TicksPerMinute
	RushWindow = 60
)

// StallsIn says which activities a stall can fall into.
type StallsIn uint8

const (
	StallActive StallsIn = 1 << iota
	StallWakes
	StallBoth = StallActive | StallWakes
)

func (s StallsIn) String() string {
	switch s {
	case StallActive:
		return "active"
	case StallWakes:
		return "wakes"
	case StallBoth:
		return "both"
	}
	return fmt.Sprintf("stalls(%d)", uint8(s))
}

// Stalls makes characters stop for a while in the middle of what they do, to
// show what one that falls behind does to the world.
type Stalls struct {
	// Every is the mean number of one character's activities (active ticks
	// run, wakes handled) between two stalls, geometrically distributed; 0 is
	// no stalls.
	Every int
	// For is how long one takes, in real time.
	For time.Duration
	// In says which activities; the zero value is both.
	In StallsIn
	// Seed of the stalls alone, so that they draw from no stream of the world.
	Seed uint64
	// Only, when not 0, is the spawn number of the one character that stalls.
	Only uint64
}

// Limits of Stalls.
const (
	MaxStallEvery = 1_000_000_000
	MaxStallFor   = 10 * time.Minute
)

// Visitor is a point that wanders over the map and wakes what is around it.
type Visitor struct {
	// Track are the cells it walks through and back to the first one, each
	// reached by the best path from the one before. One cell stands still.
	Track []routes.Cell
}

// Params are what a world is made from, constant after New; for what can be
// changed later they say how it begins, see Tuning. The zero value of a
// field is its default, but for NPCs, Visitors, Pins and Stalls, where it is
// none.
type Params struct {
	Seed uint64
	// NPCs is how many characters are spawned at tick 0.
	NPCs int
	// ZoneSide is a zone's side in cells.
	ZoneSide int32
	// WakeRadius and SleepRadius are distances in cells.
	WakeRadius, SleepRadius int32
	WakeHysteresis          loop.Tick
	MinResidence            loop.Tick
	// NoHysteresis and NoResidence ask for 0 ticks of them.
	NoHysteresis, NoResidence bool
	// ActiveBudget is the most characters that are active at a time; see
	// Tuning. 0: no limit.
	ActiveBudget int
	// PathCacheEntries, when not 0, bounds the path cache by entries instead
	// of by PathCacheBytes.
	PathCacheEntries int
	PathCacheBytes   int64
	InboxSize        int
	// AIWork is the number of rounds of the work loop that an active character
	// runs each tick; see Calibrate.
	AIWork int
	Life   Life
	// Crowd is how many characters, the first spawned, spend their days around
	// one market, whose zone is pinned.
	Crowd int
	Pins  []routes.ZoneKey
	// Visitors are given points; WanderingVisitors are added whose tracks are
	// drawn from the seed.
	Visitors          []Visitor
	WanderingVisitors int
	Stalls            Stalls
}

// withDefaults fills the zero values.
func (p Params) withDefaults() Params {
	def := func(v *int32, d int32) {
		if *v == 0 {
			*v = d
		}
	}
	if p.Seed == 0 {
		p.Seed = DefaultSeed
	}
	def(&p.ZoneSide, DefaultZoneSide)
	def(&p.WakeRadius, DefaultWakeRadius)
	def(&p.SleepRadius, max(DefaultSleepRadius, p.WakeRadius))
	if p.WakeHysteresis == 0 && !p.NoHysteresis {
		p.WakeHysteresis = DefaultWakeHysteresis
	}
	if p.MinResidence == 0 && !p.NoResidence {
		p.MinResidence = DefaultMinResidence
	}
	if p.PathCacheBytes == 0 {
		p.PathCacheBytes = DefaultPathCacheBytes
	}
	if p.InboxSize == 0 {
		p.InboxSize = DefaultInboxSize
	}
	if p.Stalls.In == 0 {
		p.Stalls.In = StallBoth
	}
	return p
}

// Validate names the first field that is out of its range.
func (p Params) Validate() error {
	p = p.withDefaults()
	check := func(name string, v, lo, hi int64) error {
		if v < lo || v > hi {
			return fmt.Errorf("world: %s %d: accepted are %d to %d", name, v, lo, hi)
		}
		return nil
	}
	for _, e := range []error{
		check("npcs", int64(p.NPCs), 0, MaxNPCs),
		check("zone side", int64(p.ZoneSide), int64(MinZoneSide), int64(MaxZoneSide)),
		check("wake radius", int64(p.WakeRadius), 0, int64(MaxRadius)),
		check("sleep radius", int64(p.SleepRadius), int64(p.WakeRadius), int64(MaxRadius)),
		check("wake hysteresis", int64(p.WakeHysteresis), 0, int64(MaxWakeHysteresis)),
		check("least residence", int64(p.MinResidence), 0, int64(MaxMinResidence)),
		check("path cache entries", int64(p.PathCacheEntries), 0, MaxPathCacheEntries),
		check("path cache bytes", p.PathCacheBytes, MinPathCacheBytes, MaxPathCacheBytes),
		check("inbox size", int64(p.InboxSize), MinInboxSize, MaxInboxSize),
		check("active budget", int64(p.ActiveBudget), 0, MaxActiveBudget),
		check("ai work", int64(p.AIWork), 0, maxAIWork),
		check("life", int64(p.Life), 0, int64(LifeRush)),
		check("crowd", int64(p.Crowd), 0, int64(p.NPCs)),
		check("visitors", int64(len(p.Visitors)+p.WanderingVisitors), 0, MaxVisitors),
		check("stalls every", int64(p.Stalls.Every), 0, MaxStallEvery),
		check("stalls for (ns)", int64(p.Stalls.For), 0, int64(MaxStallFor)),
		check("stalls in", int64(p.Stalls.In), 1, int64(StallBoth)),
	} {
		if e != nil {
			return e
		}
	}
	for i, v := range p.Visitors {
		if len(v.Track) == 0 {
			return fmt.Errorf("world: visitor %d has an empty track", i+1)
		}
	}
	return nil
}
