package coordinator

import (
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"chronoscope/loop"
)

// Stats is a snapshot of everything measured. The exact counters (Global,
// Members, Incomplete, Lag.Max, Requests.Waiting and High) are those of the
// moment Stats was called; the rest is up to 100 ms old. A snapshot takes some
// 20 KB, most of it Recent.
type Stats struct {
	At       time.Time // when it was taken, by the pacer's clock
	Uptime   time.Duration
	Global   loop.Tick
	Released uint64 // ticks
	Dropped  uint64 // ticks that were due and never released
	// Stretch is the length of a tick under policy SlowDown, in nominal
	// ticks: 1 when nothing is late, 4 at most.
	Stretch    float64
	Rollbacks  uint64 // times the clock went back
	Rate       float64
	Paused     bool
	Steps      int // steps not made yet
	Braking    bool
	MaxSpeed   bool
	LastTick   loop.Tick
	Pacing     Pacing // in force
	Members    int
	Incomplete int // members that have not completed the released tick

	Checks       CheckStats
	ReleaseError Quantiles // actual minus due, of ticks that had a due instant
	Brake        BrakeStats
	Lag          LagStats
	Requests     RequestStats
	Recent       []Release // the last releases, oldest first
}

// CheckStats is about the coordinator's iterations.
type CheckStats struct {
	Count    uint64
	Woken    uint64        // of Count: came early, because of the bell
	Target   time.Duration // nominal interval
	Interval Quantiles     // actual, of those that were not woken
	Lateness time.Duration // smoothed; the adaptive sleep takes it off
}

// BrakeStats is about braking.
type BrakeStats struct {
	Episodes uint64        // begun
	Total    time.Duration // braked, the current episode included
	Longest  time.Duration
	Share    float64   // Total / Uptime
	Engage   Quantiles // from a participant's request to its registration
	Lift     Quantiles // from the last laggard's catching up to the lift
	Last     []Episode // the last 32 that ended, oldest first
	Current  Episode   // zero Start when not braking
	// Stalled is for how long no laggard has completed a tick.
	Stalled time.Duration
	// Named are the first 16 that have held the brake for longer than
	// Options.BrakeNamed, the longest first.
	Named []Laggard
}

// LagStats is about global - completed, in ticks.
type LagStats struct {
	Max         loop.Tick // the most ever seen
	Laggards    int       // holding the brake now
	LaggardsMax int       // the most at once
}

// RequestStats is about the channel to the coordinator.
type RequestStats struct {
	Waiting, Cap int
	High         int    // the most that ever waited
	Taken        uint64 // so far
}

// Release is one tick's release.
type Release struct {
	Tick              loop.Tick
	Scheduled, Actual time.Time // by the pacer's clock
	// Braked is how long laggards held the world since the release before.
	Braked time.Duration
}

// Quantiles sums up a histogram of durations, 1 us to 60 s (longer counts as
// 60 s), with two significant digits; Max and Mean are of the recorded values
// so rounded.
type Quantiles struct {
	Count               uint64
	Mean, P50, P99, Max time.Duration
}

// histogram is an HDR histogram of durations: 22 KB, whatever it records.
type histogram struct{ h *hdrhistogram.Histogram }

const histogramTop = int64(time.Minute)

func newHistogram() histogram {
	return histogram{hdrhistogram.New(int64(time.Microsecond), histogramTop, 2)}
}

func (h histogram) record(d time.Duration) {
	// In range by construction, so there is no error to handle.
	_ = h.h.RecordValue(min(max(int64(d), 0), histogramTop))
}

func (h histogram) quantiles() Quantiles {
	return Quantiles{
		Count: uint64(h.h.TotalCount()),
		Mean:  time.Duration(h.h.Mean()),
		P50:   time.Duration(h.h.ValueAtPercentile(50)),
		P99:   time.Duration(h.h.ValueAtPercentile(99)),
		Max:   time.Duration(h.h.Max()),
	}
}

const (
	// statsEvery is how often a snapshot is published: ten times a second
	// suffices for panels, and keeps the cost of the quantiles (tens of
	// microseconds) below a thousandth of the time.
	statsEvery = 100 * time.Millisecond
	// recentKept bounds the ring of releases: four seconds at 60 a second.
	recentKept = 256
	// rateSpan is how many snapshots back the actual rate is measured from.
	rateSpan = 10
)

// meter counts and measures. It belongs to the coordinator's goroutine. Its
// memory is bounded: four histograms of 22 KB and two small rings.
type meter struct {
	started   time.Time
	lastCheck time.Time
	published time.Time

	checks, woken    uint64
	dropped          uint64
	requests         uint64
	rollbacks        uint64
	lateness         time.Duration
	interval, errors histogram
	engage, lift     histogram

	scheduled, actual time.Time // of the last release
	recent            [recentKept]Release
	releases          uint64
	marks             [rateSpan]rateMark
	snapshots         int
}

type rateMark struct {
	at   time.Time
	tick loop.Tick
}

func (m *meter) init(at time.Time) {
	m.interval, m.errors = newHistogram(), newHistogram()
	m.engage, m.lift = newHistogram(), newHistogram()
	m.scheduled, m.actual = at, at
	m.start(at)
}

func (m *meter) start(at time.Time) {
	m.started, m.lastCheck = at, at
	m.snapshots = 0
}

// check records the beginning of an iteration, and gives the time since the one
// before.
func (m *meter) check(now time.Time, interval time.Duration, asked wakeup, timed bool) time.Duration {
	m.checks++
	gap := now.Sub(m.lastCheck)
	switch {
	case m.checks == 1:
	case !timed:
		m.woken++
	default:
		m.interval.record(gap)
		if asked.slept {
			m.lateness = smoothLateness(m.lateness, now.Sub(asked.at), interval)
		}
	}
	m.lastCheck = now
	return gap
}

func (m *meter) late(d time.Duration) { m.errors.record(d) }

func (m *meter) release(r Release) {
	m.scheduled, m.actual = r.Scheduled, r.Actual
	m.recent[m.releases%recentKept] = r
	m.releases++
}

func (m *meter) publishDue(now time.Time) bool { return now.Sub(m.published) >= statsEvery }

// rate is the actual rate over the last second or so, and marks now.
func (m *meter) rate(now time.Time, global loop.Tick) float64 {
	slot := &m.marks[m.snapshots%rateSpan]
	from := *slot
	if m.snapshots < rateSpan {
		from = m.marks[0]
	}
	*slot = rateMark{now, global}
	m.snapshots++
	if d := now.Sub(from.at); !from.at.IsZero() && d > 0 {
		return float64(global-from.tick) / d.Seconds()
	}
	return 0
}

// publish makes a new snapshot.
func (c *Coordinator) publish(now time.Time) {
	m, b := &c.meter, &c.brake
	m.published = now
	s := &Stats{
		At:        now.Add(-c.skew),
		Uptime:    now.Sub(m.started),
		Released:  m.releases,
		Dropped:   m.dropped,
		Stretch:   c.metro.stretch(),
		Rollbacks: m.rollbacks,
		Rate:      m.rate(now, c.Global()),
		Paused:    c.paused,
		Steps:     c.steps,
		Braking:   b.on,
		MaxSpeed:  c.maxSpeed,
		LastTick:  c.lastTick,
		Pacing:    *c.pace,
		Checks: CheckStats{
			Count:    m.checks,
			Woken:    m.woken,
			Target:   c.pace.checkInterval(),
			Interval: m.interval.quantiles(),
			Lateness: m.lateness,
		},
		ReleaseError: m.errors.quantiles(),
		Brake: BrakeStats{
			Episodes: b.count,
			Total:    b.total,
			Longest:  b.longest,
			Engage:   m.engage.quantiles(),
			Lift:     m.lift.quantiles(),
			Last:     b.last(),
			Current:  b.current,
			Named:    b.named(c, now),
		},
		Lag:      LagStats{Laggards: len(b.set), LaggardsMax: b.most},
		Requests: RequestStats{Cap: cap(c.requests), Taken: m.requests},
	}
	if b.on {
		held := now.Sub(b.current.Start)
		s.Brake.Total += held
		s.Brake.Longest = max(s.Brake.Longest, held)
		s.Brake.Stalled = now.Sub(b.progress)
	}
	if s.Uptime > 0 {
		s.Brake.Share = s.Brake.Total.Seconds() / s.Uptime.Seconds()
	}
	kept := min(m.releases, recentKept)
	s.Recent = make([]Release, 0, kept)
	for i := m.releases - kept; i < m.releases; i++ {
		r := m.recent[i%recentKept]
		r.Scheduled, r.Actual = r.Scheduled.Add(-c.skew), r.Actual.Add(-c.skew)
		s.Recent = append(s.Recent, r)
	}
	c.stats.Store(s)
}

// Stats gives the newest snapshot; the caller may keep it but not change what
// its slices hold. It stops nobody.
func (c *Coordinator) Stats() *Stats {
	s := *c.stats.Load()
	s.Global = c.Global()
	s.Members = int(c.members.count.Load())
	s.Incomplete = c.members.incomplete()
	s.Lag.Max = loop.Tick(c.lagMax.Load())
	s.Requests.Waiting = len(c.requests)
	s.Requests.High = int(c.requestsHigh.Load())
	return &s
}
