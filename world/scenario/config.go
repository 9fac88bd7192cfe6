package scenario

import (
	"time"

	"chronoscope/coordinator"
	"chronoscope/loop"
	"chronoscope/world"
)

// Config is what the parameters and a scenario come to: plain values from
// which a program builds its world.
type Config struct {
	// Scenario is the name of a built-in scenario or of a scenario file.
	Scenario string
	// Title and About are the scenario's own words, for people.
	Title, About string
	// Map is "town", "town:SIZE" or the name of a map file.
	Map string
	// Params are the world's own parameters. AIWork is not set: see AICost.
	Params world.Params
	// AICost is the simulated work of an active character's tick. A program
	// turns it into Params.AIWork by world.Calibrate.
	AICost time.Duration
	// Pacing says how ticks are released.
	Pacing coordinator.Pacing
	// RequestQueue is how many requests can wait for the coordinator,
	// RequestsPerCheck how many it takes at most in one check.
	RequestQueue, RequestsPerCheck int
}

// DefaultScenario and DefaultMap are what runs when nothing else is asked for.
const (
	DefaultScenario = "town"
	DefaultMap      = "town"
)

// Groups of the common parameters, as headings of the help.
const (
	GroupWorld      = "World"
	GroupActivation = "Activation"
	GroupPacing     = "Pacing (of no influence on what happens in the world)"
	GroupLimits     = "Limits"
)

// Defaults is the configuration before any scenario or flag.
func Defaults() Config {
	return Config{
		Scenario: DefaultScenario,
		Map:      DefaultMap,
		Params: world.Params{
			Seed:           world.DefaultSeed,
			NPCs:           world.DefaultNPCs,
			ZoneSide:       world.DefaultZoneSide,
			WakeRadius:     world.DefaultWakeRadius,
			SleepRadius:    world.DefaultSleepRadius,
			WakeHysteresis: world.DefaultWakeHysteresis,
			MinResidence:   world.DefaultMinResidence,
			PathCacheBytes: world.DefaultPathCacheBytes,
			InboxSize:      world.DefaultInboxSize,
			Stalls:         world.Stalls{In: world.StallBoth},
		},
		AICost:           world.DefaultAICost,
		Pacing:           coordinator.DefaultPacing(),
		RequestQueue:     coordinator.DefaultRequestQueue,
		RequestsPerCheck: coordinator.DefaultRequestsPerCheck,
	}
}

// New is the table that every program starts from: the parameters of the
// world and of its pacing, bound to a configuration that holds their defaults.
func New() (*Table, *Config) {
	c := Defaults()
	t := &Table{config: &c}
	t.Add(worldRows(&c)...)
	t.Add(activationRows(&c)...)
	t.Add(pacingRows(&c)...)
	t.Add(limitRows(&c)...)
	return t, &c
}

func worldRows(c *Config) []Row {
	return []Row{
		{Name: "scenario", Group: GroupWorld, Kind: Program,
			Help:  "what happens: pinned zones, visitors, stalls, the shape of the days",
			Value: &Text{&c.Scenario, "a built-in scenario (" + builtinNames() + ") or a scenario file (.toml)"}},
		{Name: "map", Group: GroupWorld,
			Help:  "the ground: the built-in town, a larger or smaller one, or a map file",
			Value: &mapName{Text{&c.Map, "town, town:SIZE (64 to 4096 cells), or a map file (.map)"}}},
		{Name: "npcs", Group: GroupWorld,
			Help:  "characters, each a goroutine of its own",
			Value: &Int[int]{P: &c.Params.NPCs, Max: world.MaxNPCs}},
		{Name: "seed", Group: GroupWorld,
			Help:  "what every character's life is drawn from, and the places on a map that has none",
			Value: &Int[uint64]{P: &c.Params.Seed, Min: 1, Max: 1<<64 - 1}},
		{Name: "ai-cost", Group: GroupWorld,
			Help:  "simulated work of an active character in each tick, in processor time",
			Value: &Duration{P: &c.AICost, Max: world.MaxAICost, Zero: "none"}},
	}
}

func activationRows(c *Config) []Row {
	p := &c.Params
	return []Row{
		{Name: "zone-side", Group: GroupActivation,
			Help:  "side of a zone; smaller ones wake fewer characters and need more index entries",
			Value: &Int[int32]{P: &p.ZoneSide, Min: world.MinZoneSide, Max: world.MaxZoneSide, Unit: "cells"}},
		{Name: "wake-radius", Group: GroupActivation,
			Help:  "a zone this near to a visitor becomes active",
			Value: &Int[int32]{P: &p.WakeRadius, Min: 1, Max: world.MaxRadius, Unit: "cells"}},
		{Name: "sleep-radius", Group: GroupActivation,
			Help:  "an active zone stays so until every visitor is farther away than this; at least the wake radius",
			Value: &Int[int32]{P: &p.SleepRadius, Min: 1, Max: world.MaxRadius, Unit: "cells"}},
		{Name: "wake-hysteresis", Group: GroupActivation,
			Help:  "ticks that a character stays active after it has left every active zone",
			Value: &Int[loop.Tick]{P: &p.WakeHysteresis, Max: world.MaxWakeHysteresis, Unit: "ticks"}},
		{Name: "min-residence", Group: GroupActivation,
			Help:  "least ticks that a character stays active",
			Value: &Int[loop.Tick]{P: &p.MinResidence, Max: world.MaxMinResidence, Unit: "ticks"}},
		{Name: "active-budget", Group: GroupActivation,
			Help:  "most characters active at a time; one more sleeps on and says where it is at each zone border it passes",
			Value: &Int[int]{P: &p.ActiveBudget, Max: world.MaxActiveBudget, Unit: "characters", Zero: "no limit"}},
	}
}

func pacingRows(c *Config) []Row {
	p := &c.Pacing
	return []Row{
		{Name: "tick-rate", Group: GroupPacing, Kind: Pacing,
			Help:  "ticks released in a second",
			Value: &Rate{&p.TickRate}},
		{Name: "time-scale", Group: GroupPacing, Kind: Pacing,
			Help:  "multiplies the tick rate",
			Value: &Float{P: &p.TimeScale, Min: coordinator.MinTimeScale, Max: coordinator.MaxTimeScale}},
		{Name: "lag-threshold", Group: GroupPacing, Kind: Pacing,
			Help:  "an active character farther behind than this brakes the world",
			Value: &Int[int]{P: &p.LagThreshold, Min: coordinator.MinLagThreshold, Max: coordinator.MaxLagThreshold, Unit: "ticks"}},
		{Name: "policy", Group: GroupPacing, Kind: Pacing,
			Help:  "what becomes of ticks that the machine was too late for: catchup releases them one by one, drop forgets them, slowdown makes ticks longer meanwhile",
			Value: &Choice[loop.Policy]{&p.Policy, loop.Policies()}},
		{Name: "max-catch-up", Group: GroupPacing, Kind: Pacing,
			Help:  "with policy catchup, the most late ticks that are still released",
			Value: &Int[int]{P: &p.MaxCatchUp, Min: coordinator.MinMaxCatchUp, Max: coordinator.MaxMaxCatchUp, Unit: "ticks"}},
		{Name: "driver", Group: GroupPacing, Kind: Pacing,
			Help:  "whose clock makes ticks due: the coordinator's own, or each frame of the window as engines do it, which stands still while nothing is drawn",
			Value: &Choice[coordinator.Driver]{&p.Driver, []coordinator.Driver{coordinator.ByCoordinator, coordinator.ByFrame}}},
		{Name: "checks-per-tick", Group: GroupPacing, Kind: Pacing,
			Help:  "how often the coordinator looks, as a target; more reacts sooner and costs processor time",
			Value: &Int[int]{P: &p.ChecksPerTick, Min: coordinator.MinChecksPerTick, Max: coordinator.MaxChecksPerTick}},
		{Name: "sleep-floor", Group: GroupPacing, Kind: Pacing,
			Help:  "least sleep between two checks, so that a late coordinator never spins",
			Value: &Duration{P: &p.SleepFloor, Min: coordinator.MinSleepFloor, Max: coordinator.MaxSleepFloor}},
		{Name: "pacer", Group: GroupPacing, Kind: Pacing,
			Help:  "how the coordinator waits for its next check: sleep, ticker and compensated cost nothing and are up to a millisecond late, precise a seventh of that for some processor time, hybrid spins up to 1.5 ms a check",
			Value: &Choice[loop.PacerKind]{&p.Pacer, loop.PacerKinds()}},
		{Name: "wait", Group: GroupPacing, Kind: Pacing,
			Help:  "how a character that has caught up waits for the next tick: poll looks again after a quarter of a tick, gate is rung",
			Value: &Choice[coordinator.Strategy]{&p.Wait, []coordinator.Strategy{coordinator.Poll, coordinator.Gate}}},
	}
}

func limitRows(c *Config) []Row {
	p := &c.Params
	return []Row{
		{Name: "inbox-size", Group: GroupLimits,
			Help:  "events that can wait for one character; more are refused and counted",
			Value: &Int[int]{P: &p.InboxSize, Min: world.MinInboxSize, Max: world.MaxInboxSize, Unit: "events"}},
		{Name: "path-cache", Group: GroupLimits,
			Help: "memory for paths that characters share",
			Value: &Cache{Entries: &p.PathCacheEntries, Bytes: &p.PathCacheBytes,
				MinBytes: world.MinPathCacheBytes, MaxBytes: world.MaxPathCacheBytes, MaxEntries: world.MaxPathCacheEntries}},
		{Name: "request-queue", Group: GroupLimits, Kind: Program,
			Help:  "requests that can wait for the coordinator; a sender waits when it is full",
			Value: &Int[int]{P: &c.RequestQueue, Min: coordinator.MinRequestQueue, Max: coordinator.MaxRequestQueue, Unit: "requests"}},
		{Name: "requests-per-check", Group: GroupLimits, Kind: Program,
			Help:  "requests that the coordinator takes at most in one check",
			Value: &Int[int]{P: &c.RequestsPerCheck, Min: coordinator.MinRequestsPerCheck, Max: coordinator.MaxRequestsPerCheck, Unit: "requests"}},
	}
}

// widen gives a sleep radius that nobody named the usual distance from the wake
// radius that somebody did.
func (c *Config) widen() {
	const margin = world.DefaultSleepRadius - world.DefaultWakeRadius
	c.Params.SleepRadius = min(c.Params.WakeRadius+margin, world.MaxRadius)
}

// check looks at what one parameter's range can't say.
func (c *Config) check() error {
	if c.Params.SleepRadius < c.Params.WakeRadius {
		return usagef("-sleep-radius %d: accepted are %d (the wake radius) to %d cells",
			c.Params.SleepRadius, c.Params.WakeRadius, world.MaxRadius)
	}
	if c.Params.Crowd > c.Params.NPCs {
		return usagef("-npcs %d: scenario %s needs at least %d, its crowd", c.Params.NPCs, c.Scenario, c.Params.Crowd)
	}
	if s := c.Params.Stalls; s.Only > uint64(c.Params.NPCs) {
		return usagef("scenario %s: [stalls] only = %d: accepted are 0 (all) to %d, the number of characters (-npcs)",
			c.Scenario, s.Only, c.Params.NPCs)
	}
	return nil
}

// finish derives what the world wants said separately.
func (c *Config) finish() {
	c.Params.NoHysteresis = c.Params.WakeHysteresis == 0
	c.Params.NoResidence = c.Params.MinResidence == 0
}

// PacingTexts is a pacing as its rows write it, by their names: what a table's
// rows of that kind read back.
func PacingTexts(p coordinator.Pacing) map[string]string {
	c := Config{Pacing: p}
	texts := make(map[string]string)
	for _, r := range pacingRows(&c) {
		if r.Kind == Pacing {
			texts[r.Name] = r.Value.String()
		}
	}
	return texts
}
