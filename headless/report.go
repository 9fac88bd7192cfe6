package main

import (
	"encoding/json"
	"io"
	"runtime"
	"time"

	"chronoscope/coordinator"
	"chronoscope/routes"
	"chronoscope/world"
)

// reportVersion changes when a key changes its meaning or goes; keys may be
// added within a version.
const reportVersion = 1

// report is the account of a run. Times are in the unit that a key's name ends
// with, sizes in bytes, everything else counts.
type report struct {
	Version  int    `json:"version"`
	Scenario string `json:"scenario"`
	// End says why the run ended: ticks, time, interrupt, or failure.
	End     string `json:"end"`
	Failure string `json:"failure,omitempty"` // what failed, in one line

	TicksReleased uint64  `json:"ticks_released"`
	TicksDropped  uint64  `json:"ticks_dropped"`
	WallSeconds   float64 `json:"wall_seconds"`
	CPUSeconds    float64 `json:"cpu_seconds"` // from the first release to the last

	// Digest is the last one, in 16 hexadecimal digits; empty when the run
	// never came to rest.
	Digest     string `json:"digest"`
	DigestTick uint64 `json:"digest_tick"`

	Characters characters `json:"characters"`
	Brake      brake      `json:"brake"`
	Checks     checks     `json:"checks"`
	Release    deviation  `json:"release_error_us"`
	Lag        lag        `json:"lag"`
	Scheduler  scheduler  `json:"scheduler"`
	Inbox      inbox      `json:"inbox"`
	Queues     queues     `json:"queues"`
	Routes     routeStats `json:"routes"`
	Zones      zones      `json:"zones"`
	Wakes      uint64     `json:"wakes"`
	Stalls     uint64     `json:"stalls"`
	Memory     memory     `json:"memory"`
	Coverage   coverage   `json:"coverage"`

	Map        mapFacts       `json:"map"`
	Machine    machine        `json:"machine"`
	Parameters map[string]any `json:"parameters"`
}

// characters is the population ledger, at rest: spawned - ended = active +
// sleeping + waking.
type characters struct {
	Spawned     uint64 `json:"spawned"`
	Ended       uint64 `json:"ended"`
	Active      int64  `json:"active"`
	Sleeping    int64  `json:"sleeping"`
	Waking      int64  `json:"waking"`
	Detailed    int64  `json:"detailed"`    // of sleeping: the budget of active ones is spent
	Activated   uint64 `json:"activated"`   // times that one became active
	Deactivated uint64 `json:"deactivated"` // times that one fell asleep again
}

type brake struct {
	Episodes       uint64  `json:"episodes"`
	Seconds        float64 `json:"seconds"`
	Share          float64 `json:"share"` // of wall_seconds
	LongestSeconds float64 `json:"longest_seconds"`
	EngageP99us    float64 `json:"engage_p99_us"` // from request to standstill
	LiftP99us      float64 `json:"lift_p99_us"`   // from the last one catching up to the release
}

type checks struct {
	Count         uint64  `json:"count"`
	IntervalP50us float64 `json:"interval_p50_us"`
	IntervalP99us float64 `json:"interval_p99_us"`
}

// deviation is how late ticks were released.
type deviation struct {
	P50 float64 `json:"p50"`
	P99 float64 `json:"p99"`
	Max float64 `json:"max"`
}

type lag struct {
	Max         uint64 `json:"max"` // ticks
	LaggardsMax int    `json:"laggards_max"`
}

type scheduler struct {
	LagMax       uint64 `json:"lag_max"` // ticks
	Pending      int    `json:"pending"` // registrations to come
	StaleNotices uint64 `json:"stale_notices"`
}

// inbox is the ledger of events: sent = handled + rejected + discarded +
// pending.
type inbox struct {
	Sent      uint64 `json:"sent"`
	Handled   uint64 `json:"handled"`
	Rejected  uint64 `json:"rejected"`
	Discarded uint64 `json:"discarded"`
	Pending   uint64 `json:"pending"`
}

type queues struct {
	RequestsHigh  int    `json:"requests_high"`
	InboxHigh     int    `json:"inbox_high"`
	NoticesMerged uint64 `json:"notices_merged"`
}

type routeStats struct {
	Legs           uint64  `json:"legs"` // living
	LegsStarted    uint64  `json:"legs_started"`
	IndexEntries   int     `json:"index_entries"`
	DeadEntries    int     `json:"dead_entries"`
	Refinements    uint64  `json:"refinements"`
	RefineP99us    float64 `json:"refine_p99_us"`
	CacheHits      uint64  `json:"cache_hits"`
	CacheMisses    uint64  `json:"cache_misses"`
	CacheEvictions uint64  `json:"cache_evictions"`
	CacheBytes     int64   `json:"cache_bytes"`
}

type zones struct {
	Active        int    `json:"active"`
	Activations   uint64 `json:"activations"`
	Deactivations uint64 `json:"deactivations"`
}

// memory at rest, after two collections.
type memory struct {
	RSSBytes int64 `json:"rss_bytes"`
	// PerCharacterBytes = (populated_bytes - empty_world_bytes -
	// shared_path_bytes) / characters_measured.
	PerCharacterBytes  float64      `json:"per_character_bytes"`
	PerCharacter       perCharacter `json:"per_character"`
	PopulatedBytes     int64        `json:"populated_bytes"`
	EmptyWorldBytes    int64        `json:"empty_world_bytes"`
	SharedPathBytes    int64        `json:"shared_path_bytes"`
	HeadroomBytes      int64        `json:"headroom_bytes"` // the collector's
	CharactersMeasured int64        `json:"characters_measured"`
}

// perCharacter is what per_character_bytes is made of.
type perCharacter struct {
	StackBytes float64 `json:"stack_bytes"`
	HeapBytes  float64 `json:"heap_bytes"`
}

// coverage says whether every life was an exact partition of its ticks into
// asleep and active ones.
type coverage struct {
	Lives       uint64 `json:"lives"`
	AsleepTicks uint64 `json:"asleep_ticks"`
	ActiveTicks uint64 `json:"active_ticks"`
	Wrong       uint64 `json:"wrong"`
}

type mapFacts struct {
	Name   string `json:"name"`
	Width  int32  `json:"width"`
	Height int32  `json:"height"`
	Places int    `json:"places"`
	Hash   string `json:"hash"`
}

type machine struct {
	Go         string `json:"go"`
	OS         string `json:"os"`
	Arch       string `json:"arch"`
	CPUs       int    `json:"cpus"`
	GOMAXPROCS int    `json:"gomaxprocs"`
}

func thisMachine() machine {
	return machine{runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runtime.GOMAXPROCS(0)}
}

func factsOf(m *routes.Map) mapFacts {
	return mapFacts{m.Name, m.Width, m.Height, len(m.Places), hexDigest(m.Hash())}
}

func micros(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }

func coverageOf(c world.Coverage) coverage {
	return coverage{c.Lives, uint64(c.Asleep), uint64(c.Awake), c.Wrong}
}

// fill takes over what the world counted.
func (r *report) fill(s world.Stats) {
	r.TicksReleased = uint64(s.Tick)
	r.Characters = characters{s.Spawned, s.Ended, s.Active, s.Sleeping, s.Waking, s.Detailed, s.Activated, s.Deactivated}
	r.Routes = routeStats{
		Legs:           uint64(s.Active + s.Sleeping + s.Waking),
		LegsStarted:    s.LegsStarted,
		IndexEntries:   s.Index.Entries,
		DeadEntries:    s.Index.Dead,
		Refinements:    s.Refinements,
		RefineP99us:    micros(s.RefineP99),
		CacheHits:      s.Cache.Hits,
		CacheMisses:    s.Cache.Misses,
		CacheEvictions: s.Cache.Evictions,
		CacheBytes:     s.Cache.Bytes,
	}
	r.Zones = zones{s.ZonesActive, s.Activations, s.Deactivations}
	r.Wakes = s.Wakes
	r.Stalls = s.Stalls
	r.Inbox = inbox{s.Inbox.Sent, s.Inbox.Handled, s.Inbox.Rejected, s.Inbox.Discarded, s.Inbox.Pending}
	r.Queues.InboxHigh, r.Queues.NoticesMerged = s.Inbox.High, s.Inbox.Merged
	r.Scheduler = scheduler{uint64(s.Scheduler.LagMax), s.Scheduler.Pending, s.Stale}
}

// imbalance names the first ledger that does not add up, "" when all do. It
// is asked only of a world at rest.
func (r *report) imbalance() string {
	c, i := r.Characters, r.Inbox
	switch {
	case int64(c.Spawned)-int64(c.Ended) != c.Active+c.Sleeping+c.Waking:
		return "the population ledger is wrong: spawned - ended is not active + sleeping + waking"
	case c.Waking != 0:
		return "the population ledger is wrong: somebody is waking while the world rests"
	case i.Sent != i.Handled+i.Rejected+i.Discarded+i.Pending:
		return "the inbox ledger is wrong: sent is not handled + rejected + discarded + pending"
	case r.Coverage.Wrong != 0:
		return "the coverage ledger is wrong: a life is not an exact partition of its ticks"
	}
	return ""
}

// write encodes the report as indented JSON.
func (r *report) write(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(r)
}

// timing takes over what the coordinator measured. wall is from the first tick
// to the last.
func (r *report) timing(s *coordinator.Stats, wall time.Duration) {
	r.WallSeconds = wall.Seconds()
	r.TicksDropped = s.Dropped
	r.Brake = brake{
		Episodes:       s.Brake.Episodes,
		Seconds:        s.Brake.Total.Seconds(),
		LongestSeconds: s.Brake.Longest.Seconds(),
		EngageP99us:    micros(s.Brake.Engage.P99),
		LiftP99us:      micros(s.Brake.Lift.P99),
	}
	if wall > 0 {
		r.Brake.Share = r.Brake.Seconds / wall.Seconds()
	}
	r.Checks = checks{s.Checks.Count, micros(s.Checks.Interval.P50), micros(s.Checks.Interval.P99)}
	r.Release = deviation{micros(s.ReleaseError.P50), micros(s.ReleaseError.P99), micros(s.ReleaseError.Max)}
	r.Lag = lag{uint64(s.Lag.Max), s.Lag.LaggardsMax}
	r.Queues.RequestsHigh = s.Requests.High
}
