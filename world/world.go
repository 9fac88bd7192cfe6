package world

import (
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"chronoscope/coordinator"
	"chronoscope/loop"
	"chronoscope/routes"
)

// Options say what world to build and how it is run. Params decide its
// results; the rest only when they come about.
type Options struct {
	Params
	// Map is where it plays, with at least two places that reach each other
	// (routes.Map.EnsurePlaces). The world keeps it and never changes it.
	Map *routes.Map
	// Coordinator has the pacing, the pacer, max speed and the last tick.
	Coordinator coordinator.Options
	// OnDigest, when set, is called with the digest of every DigestEvery-th
	// tick, in order, and with that of any other tick at which the world came
	// to rest, such as the last of a run (see Rest). It runs on a goroutine of
	// its own, or that of Rest; what it takes long for holds the world after
	// some digests. It must not call Rest or Stop.
	OnDigest func(Digest)
	Logger   *slog.Logger // nil discards
}

// World is one running town.
type World struct {
	params Params
	m      *routes.Map
	log    *slog.Logger

	coord     *coordinator.Coordinator
	scheduler *coordinator.Scheduler
	dues      *coordinator.Dues
	index     *routes.Index
	cache     *routes.Cache
	zones     *zones
	grid      *grid
	lives     *lives
	placeOn   map[routes.Cell]routes.PlaceID // the first of several on a cell
	traced    atomic.Pointer[trace]          // nil when nobody is
	stalls    stallPlan
	keeper    *keeper
	gatherer  *gatherer // nil when no digests are wanted
	took      func(Digest)
	lastTick  loop.Tick

	people        people
	inboxes       coordinator.InboxCounters
	systemInboxes coordinator.InboxCounters
	budget        budget
	tuning        atomic.Pointer[Tuning]
	population    [Ended + 1]atomic.Int64
	counts        counts
	refineTimes   durations
	coverage      coverage
	digestFloor   atomic.Uint64 // the oldest digest tick still to be gathered, MaxTick for none

	living sync.WaitGroup // one a character
	system sync.WaitGroup // keeper, gatherer, supervisor

	mu       sync.Mutex // spawning and the states below
	spawned  uint64
	started  bool
	stopping bool

	quit     chan struct{} // closed by Stop
	gone     chan struct{} // closed when Stop has ended everything
	done     chan struct{} // closed when a run is over by itself
	doneOnce sync.Once
	failed   chan struct{} // closed when a character has panicked
	err      atomic.Pointer[PanicError]
	final    atomic.Pointer[Digest]
}

// PanicError is the end of a run by a character that panicked.
type PanicError struct {
	Spawn uint64
	Tick  loop.Tick // the tick it was at
	Value any
	Stack string
}

func (e *PanicError) Error() string {
	return fmt.Sprintf("world: character %d panicked at tick %d: %v", e.Spawn, e.Tick, e.Value)
}

// ErrStopped is the answer to a command for a world that is stopping.
var ErrStopped = errors.New("world: stopped")

// New builds a world without inhabitants. Nothing runs yet but the searchers
// of the path cache, which Stop ends. With an error nothing is left behind, and
// the coordinator's pacer is still the caller's.
func New(o Options) (*World, error) {
	if err := o.Params.Validate(); err != nil {
		return nil, err
	}
	p := o.Params.withDefaults()
	if o.Map == nil || len(o.Map.Places) < 2 {
		return nil, errors.New("world: a map with at least two places is needed")
	}
	w := &World{
		params: p,
		m:      o.Map,
		log:    o.Logger,
		dues:   coordinator.NewDues(),
		index:  routes.NewIndex(o.Map, p.ZoneSide),
		grid:   newGrid(o.Map),
		lives:  newLives(o.Map, p.Seed, p.Life, p.Crowd),
		stalls: newStallPlan(p.Stalls),
		took:   o.OnDigest,
		quit:   make(chan struct{}),
		gone:   make(chan struct{}),
		done:   make(chan struct{}),
		failed: make(chan struct{}),
	}
	if w.log == nil {
		w.log = slog.New(slog.DiscardHandler)
	}
	w.tuning.Store(new(p.tuning()))
	w.placeOn = make(map[routes.Cell]routes.PlaceID, len(o.Map.Places))
	for i := len(o.Map.Places) - 1; i >= 0; i-- {
		w.placeOn[o.Map.Places[i].Cell] = routes.PlaceID(i)
	}
	w.lastTick = o.Coordinator.LastTick
	w.zones = newZones(w.index)
	w.digestFloor.Store(uint64(loop.MaxTick))
	tours, err := w.tours()
	if err != nil {
		return nil, err
	}
	if p.Crowd > 0 {
		w.params.Pins = append(append([]routes.ZoneKey(nil), p.Pins...), routes.ZoneAt(w.place(w.lives.forum[0]), p.ZoneSide))
	}
	for _, z := range w.params.Pins {
		if _, ok := w.index.ZoneID(z); !ok {
			return nil, fmt.Errorf("world: pinned zone (%d, %d) lies outside the map", z.X, z.Y)
		}
	}
	co := routes.CacheOptions{ZoneSide: p.ZoneSide}
	if p.PathCacheEntries > 0 {
		co.MaxEntries = p.PathCacheEntries
	} else {
		co.MaxBytes = p.PathCacheBytes
	}
	if w.cache, err = routes.NewCache(o.Map, co); err != nil {
		return nil, err
	}
	if w.coord, err = coordinator.New(o.Coordinator); err != nil {
		w.cache.Close()
		return nil, err
	}
	w.scheduler = coordinator.NewScheduler(w.coord, coordinator.SchedulerOptions{Deliver: w.deliver, Dues: w.dues})
	w.keeper = newKeeper(w, tours)
	if o.OnDigest != nil {
		w.gatherer = newGatherer(w, o.OnDigest)
		w.digestFloor.Store(uint64(DigestEvery))
	}
	return w, nil
}

// tours finds the ways of all visitors.
func (w *World) tours() ([]tour, error) {
	n := len(w.params.Visitors) + w.params.WanderingVisitors
	if n == 0 {
		return nil, nil
	}
	s := routes.NewSearcher(w.m)
	s.Side = w.params.ZoneSide
	tours := make([]tour, 0, n)
	add := func(track []routes.Cell) error {
		t, err := newTour(s, track)
		tours = append(tours, t)
		return err
	}
	for i, v := range w.params.Visitors {
		for _, at := range v.Track {
			if !w.m.Walkable(at) {
				return nil, fmt.Errorf("world: visitor %d: cell (%d, %d) can't be walked on", i+1, at.X, at.Y)
			}
		}
		if err := add(v.Track); err != nil {
			return nil, err
		}
	}
	for i := range w.params.WanderingVisitors {
		if err := add(wander(w.m, w.params.Seed, i)); err != nil {
			return nil, err
		}
	}
	return tours, nil
}

// Populate spawns the inhabitants at tick 0, asleep in their homes. Start does
// it when it hasn't been done. After Stop nobody is spawned.
func (w *World) Populate() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.stopping {
		w.populateLocked()
	}
}

func (w *World) populateLocked() {
	for w.spawned < uint64(w.params.NPCs) {
		w.spawnLocked(0)
	}
}

// spawnLocked makes the next character, to live from born on.
func (w *World) spawnLocked(born loop.Tick) {
	w.spawned++
	c := w.newCharacter(w.spawned, born)
	w.population[Sleeping].Add(1)
	w.counts.spawned.Add(1)
	w.living.Add(1)
	go c.rest()
}

// Start sets everything going.
func (w *World) Start() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.started || w.stopping {
		return
	}
	w.started = true
	w.populateLocked()
	w.scheduler.Start()
	w.system.Go(w.keeper.run)
	if w.gatherer != nil {
		w.system.Go(w.gatherer.follow)
		w.gatherer.busy.Go(w.gatherer.gather)
	}
	if w.lastTick > 0 {
		w.system.Go(w.supervise)
	}
	w.coord.Start()
}

// supervise waits for the end of a run with a last tick.
func (w *World) supervise() {
	for w.coord.Global() < w.lastTick {
		if !w.pause() {
			return
		}
	}
	if w.Rest(w.quit) {
		w.doneOnce.Do(func() { close(w.done) })
	}
}

// pause waits a quarter of a tick, at least a millisecond; false when the
// world is being stopped.
func (w *World) pause() bool {
	t := time.NewTimer(max(w.coord.Pacing().TickRate.Period()/4, time.Millisecond))
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-w.quit:
		return false
	}
}

// Rest waits until everyone has passed the global tick, which must stand still
// (paused, or at the last tick of a run), and takes the digest of that tick.
// Commands given meanwhile are for the next one. It returns false when stop was
// closed, or the run failed, first.
func (w *World) Rest(stop <-chan struct{}) bool {
	ended := make(chan struct{})
	defer close(ended)
	either := make(chan struct{})
	go func() {
		select {
		case <-stop:
		case <-w.quit:
		case <-w.failed:
		case <-ended:
		}
		close(either)
	}()
	for {
		t := w.coord.Global()
		d, ok := w.digestAt(t, either)
		if !ok {
			return false
		}
		if w.restsAt(t) {
			old := w.final.Swap(&d)
			if w.gatherer != nil && t%DigestEvery != 0 && (old == nil || old.Tick != t) {
				w.took(d)
			}
			return true
		}
		timer := time.NewTimer(time.Millisecond)
		select {
		case <-timer.C:
		case <-either:
			timer.Stop()
			return false
		}
	}
}

// restsAt says whether nothing is left to do up to tick t.
func (w *World) restsAt(t loop.Tick) bool {
	if w.coord.Global() != t || w.keeper.progress.Completed() < t || w.keeper.unsettled() {
		return false
	}
	if w.gatherer != nil && loop.Tick(w.gatherer.next.Load()) <= t {
		return false
	}
	// Dues of later ticks may be open: those of commands that active characters
	// have taken. Nobody else may be busy with one.
	if _, busy := w.keeper.inbox.Oldest(); busy || !w.dues.Past(t) {
		return false
	}
	rests := true
	w.people.each(func(c *character) { rests = rests && c.restsAt(t) })
	// Last, since one that ends may be forgotten before it is out of the population.
	return rests && w.population[Waking].Load() == 0
}

// fail ends the run because a character panicked.
func (w *World) fail(e *PanicError) {
	if w.err.CompareAndSwap(nil, e) {
		close(w.failed)
		w.doneOnce.Do(func() { close(w.done) })
	}
}

// Done is closed when the run is over by itself: its last tick is passed by
// all, or a character has panicked (see Err).
func (w *World) Done() <-chan struct{} { return w.done }

// Err is the *PanicError that ended the run, or nil.
func (w *World) Err() error {
	if e := w.err.Load(); e != nil {
		return e
	}
	return nil
}

// Stop ends everything from the outside in: characters, gatherer, keeper,
// scheduler, coordinator last. It returns when all goroutines are gone, also
// when it is called again, and so is not for OnDigest to call. A world that was
// never started can be stopped too.
func (w *World) Stop() {
	w.mu.Lock()
	if w.stopping {
		w.mu.Unlock()
		<-w.gone
		return
	}
	w.stopping = true
	started := w.started
	w.mu.Unlock()
	close(w.quit)
	w.people.each(func(c *character) { c.inbox.Signal(coordinator.NoticeStop) })
	w.living.Wait()
	if started {
		if g := w.gatherer; g != nil {
			close(g.stop)
			g.ring()
			g.busy.Wait()
		}
		w.keeper.inbox.Signal(coordinator.NoticeStop)
		w.system.Wait()
	}
	w.scheduler.Stop()
	w.scheduler.Wait()
	w.coord.Stop()
	w.coord.Wait()
	w.cache.Close()
	close(w.gone)
}

// deliver hands the scheduler's notices to the inboxes of those they are for.
func (w *World) deliver(due loop.Tick, ids []coordinator.ObjectID) {
	for _, id := range ids {
		c := w.people.find(id)
		if c == nil {
			w.dues.Settle(due)
			continue
		}
		// An inbox that has closed meanwhile settles the due itself.
		_ = c.inbox.Notify(noticeWake, due)
	}
}

// Map is where the world plays.
func (w *World) Map() *routes.Map { return w.m }

// Coordinator releases this world's ticks; pacing, pause and steps are asked
// of it.
func (w *World) Coordinator() *coordinator.Coordinator { return w.coord }

// Params are the parameters it was made from, defaults filled in.
func (w *World) Params() Params { return w.params }
