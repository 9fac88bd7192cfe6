package world

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"chronoscope/coordinator"
	"chronoscope/loop"
	"chronoscope/routes"
)

// counts are the world's counters.
type counts struct {
	spawned, ended         atomic.Uint64
	legs, wakes, stale     atomic.Uint64
	activated, deactivated atomic.Uint64 // characters
	activations            atomic.Uint64 // zones
	deactivations          atomic.Uint64
	refinements, stalls    atomic.Uint64
}

// durations is a histogram of what something cost, up to ten seconds with two
// significant digits: about 20 KB.
type durations struct {
	mu sync.Mutex
	h  *hdrhistogram.Histogram
}

func (d *durations) record(v time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.h == nil {
		d.h = hdrhistogram.New(1, int64(10*time.Second), 2)
	}
	// A value out of range can only be a stall of the whole machine.
	_ = d.h.RecordValue(min(max(int64(v), 1), int64(10*time.Second)))
}

func (d *durations) mean() time.Duration {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.h == nil {
		return 0
	}
	return time.Duration(d.h.Mean())
}

func (d *durations) quantile(q float64) time.Duration {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.h == nil {
		return 0
	}
	return time.Duration(d.h.ValueAtQuantile(100 * q))
}

// coverage checks that lives are exact partitions of ticks into asleep and
// active: each adds its own when its goroutine ends.
type coverage struct {
	mu            sync.Mutex
	lives         uint64
	asleep, awake loop.Tick
	wrong         uint64
	first         string
}

// add checks the ledger of a life whose last tick was last.
func (v *coverage) add(c *character, last loop.Tick) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.lives++
	v.asleep += c.asleep
	v.awake += c.awake
	if want := last - before(c.born); c.asleep+c.awake != want {
		v.wrong++
		if v.first == "" {
			v.first = fmt.Sprintf("character %d: %d ticks asleep and %d active of %d lived", c.spawn, c.asleep, c.awake, want)
		}
	}
}

// Coverage is what the lives that are over add up to.
type Coverage struct {
	Lives         uint64
	Asleep, Awake loop.Tick
	// Wrong counts lives whose ticks don't add up; First tells of the first.
	Wrong uint64
	First string
}

// Coverage gives the coverage ledger: complete once the world has stopped.
func (w *World) Coverage() Coverage {
	v := &w.coverage
	v.mu.Lock()
	defer v.mu.Unlock()
	return Coverage{v.lives, v.asleep, v.awake, v.wrong, v.first}
}

// Stats is a world's state in numbers.
type Stats struct {
	Tick loop.Tick
	// Spawned - Ended = Active + Sleeping + Waking whenever the world rests.
	Spawned, Ended            uint64
	Active, Sleeping, Waking  int64
	Detailed                  int64  // of Sleeping, those on a detailed schedule
	Activated, Deactivated    uint64 // characters
	LegsStarted, Wakes, Stale uint64
	Stalls                    uint64
	Refinements               uint64
	RefineMean, RefineP99     time.Duration
	ZonesActive               int
	Activations               uint64 // of zones
	Deactivations             uint64
	Inbox                     coordinator.InboxStats // of all characters and the keeper
	OpenDues                  int
	Coordinator               coordinator.Stats
	Scheduler                 coordinator.SchedulerStats
	Cache                     routes.CacheStats
	Index                     routes.IndexStats
}

// Stats reads the counters; nobody waits for it.
func (w *World) Stats() Stats {
	n := &w.counts
	s := Stats{
		Tick:        w.coord.Global(),
		Spawned:     n.spawned.Load(),
		Ended:       n.ended.Load(),
		Active:      w.population[Active].Load(),
		Sleeping:    w.population[Sleeping].Load(),
		Waking:      w.population[Waking].Load(),
		Detailed:    w.budget.detailed.Load(),
		Activated:   n.activated.Load(),
		Deactivated: n.deactivated.Load(),
		LegsStarted: n.legs.Load(),
		Wakes:       n.wakes.Load(),
		Stale:       n.stale.Load(),
		Stalls:      n.stalls.Load(),
		Refinements: n.refinements.Load(),
		RefineMean:  w.refineTimes.mean(),
		RefineP99:   w.refineTimes.quantile(0.99),

		ZonesActive:   int(w.zones.count.Load()),
		Activations:   n.activations.Load(),
		Deactivations: n.deactivations.Load(),
		Inbox:         w.inboxes.Stats().Plus(w.systemInboxes.Stats()),
		OpenDues:      w.dues.Len(),
		Coordinator:   *w.coord.Stats(),
		Scheduler:     w.scheduler.Stats(),
		Cache:         w.cache.Stats(),
		Index:         w.index.Stats(),
	}
	return s
}

// Digest is the newest one: gathered, or of a tick at which the world came to
// rest. The zero Digest when there is none.
func (w *World) Digest() Digest {
	var newest Digest
	if d := w.final.Load(); d != nil {
		newest = *d
	}
	if w.gatherer != nil {
		if d := w.gatherer.last.Load(); d != nil && d.Tick >= newest.Tick {
			newest = *d
		}
	}
	return newest
}
