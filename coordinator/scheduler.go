package coordinator

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"chronoscope/loop"
)

// DefaultAhead is how far, in ticks, the scheduler runs ahead of the oldest
// open due at max speed: ten seconds at 60 a second.
const DefaultAhead loop.Tick = 600

// SchedulerOptions are constant for the life of a scheduler.
type SchedulerOptions struct {
	// Deliver hands over what is due: for each id a due has been opened at
	// that tick, which Deliver passes to an inbox (Notify) or settles. It runs
	// on the scheduler's goroutine, must not wait, and must not keep ids.
	Deliver func(due loop.Tick, ids []ObjectID)
	// Dues is the run's ledger.
	Dues *Dues
	// Ahead: at max speed, delivery of tick t + Ahead waits until all dues up
	// to t are settled, so that sleepers aren't left behind without bound. 0
	// means DefaultAhead.
	Ahead loop.Tick
}

// Scheduler wakes sleepers: it follows the global tick as a participant and
// delivers, tick by tick, who asked to be woken then. What a wake is for, only
// the sleeper knows.
type Scheduler struct {
	c       *Coordinator
	deliver func(loop.Tick, []ObjectID)
	dues    *Dues
	ahead   loop.Tick
	bell    chan struct{}
	quit    chan struct{}
	ended   chan struct{}
	life    struct {
		sync.Mutex
		started, stopped bool
	}

	progress Progress
	stall    atomic.Int64 // nanoseconds that the next tick takes longer

	mu      sync.Mutex
	wakes   *wakes // its floor is the tick taken out last
	overdue []overdueWake
	stopped bool
	counts  schedulerCounts

	// Owned by run.
	batch []ObjectID
	late  []overdueWake
}

type overdueWake struct {
	due loop.Tick
	id  ObjectID
}

type schedulerCounts struct {
	registered, overdue uint64
	pendingHigh         int
	delivered           atomic.Uint64
	lagMax              atomic.Uint64
	held                atomic.Uint64
}

// SchedulerStats is a snapshot of a scheduler.
type SchedulerStats struct {
	Processed   loop.Tick // everything up to here has been handed over
	Lag, LagMax loop.Tick // behind the global tick: now, and the most ever
	Pending     int       // registrations for ticks to come
	PendingHigh int
	Registered  uint64 // so far, overdue ones included
	Overdue     uint64 // of Registered, those whose tick had passed
	Delivered   uint64 // ids handed over
	Held        uint64 // times that it waited for dues, at max speed
}

// NewScheduler makes a scheduler that stands at c's global tick. Start it
// before c, or a world at max speed may run away from it.
func NewScheduler(c *Coordinator, o SchedulerOptions) *Scheduler {
	s := &Scheduler{
		c:       c,
		deliver: o.Deliver,
		dues:    o.Dues,
		ahead:   o.Ahead,
		bell:    make(chan struct{}, 1),
		quit:    make(chan struct{}),
		ended:   make(chan struct{}),
	}
	if s.ahead == 0 {
		s.ahead = DefaultAhead
	}
	s.progress.Init(ParticipantID{Kind: KindScheduler}, s.bell)
	s.progress.Publish(c.Global())
	s.wakes = newWakes(s.progress.Completed(), ringTicks)
	return s
}

// Start makes the scheduler a member and starts its goroutine. Only the first
// call counts, and none after Stop.
func (s *Scheduler) Start() {
	s.life.Lock()
	defer s.life.Unlock()
	if s.life.started || s.life.stopped {
		return
	}
	s.life.started = true
	s.c.Join(&s.progress)
	go s.run()
}

// Stop asks the scheduler to end and returns at once. Registrations from then
// on, and those that were not delivered, are forgotten.
func (s *Scheduler) Stop() {
	s.life.Lock()
	defer s.life.Unlock()
	if s.life.stopped {
		return
	}
	s.life.stopped = true
	close(s.quit)
	ring(s.bell)
	if !s.life.started {
		s.shut()
		close(s.ended)
	}
}

// Wait returns when the scheduler's goroutine is gone, after Stop.
func (s *Scheduler) Wait() { <-s.ended }

// Processed is the last tick whose wakes have all been handed over. Dues of
// ticks up to it are open or settled, not yet to be opened.
func (s *Scheduler) Processed() loop.Tick { return s.progress.Completed() }

// Register asks for a wake of id at tick t. If t has been taken out already
// the wake is overdue: its due is opened here, before Register returns, and it
// is delivered at once, also while the global tick stands. loop.MaxTick means
// never. Register again, rather than cancel: whoever is woken for nothing
// ignores it.
func (s *Scheduler) Register(t loop.Tick, id ObjectID) {
	if t == loop.MaxTick {
		return
	}
	s.mu.Lock()
	if s.stopped {
		s.mu.Unlock()
		return
	}
	s.counts.registered++
	if t > s.wakes.floor {
		s.wakes.add(t, id)
		s.counts.pendingHigh = max(s.counts.pendingHigh, s.wakes.len)
		s.mu.Unlock()
		return
	}
	s.counts.overdue++
	s.mu.Unlock()
	// What has been taken out stays so, so the due can be opened between two
	// critical sections; it must be before anyone can settle it.
	s.dues.Open(t, 1)
	s.mu.Lock()
	stopped := s.stopped
	if !stopped {
		s.overdue = append(s.overdue, overdueWake{t, id})
	}
	s.mu.Unlock()
	if stopped {
		s.dues.Settle(t)
		return
	}
	ring(s.bell)
}

// Stall makes the scheduler's next tick take d longer: a fault to look at.
func (s *Scheduler) Stall(d time.Duration) { s.stall.Add(int64(d)) }

// Stats is a snapshot.
func (s *Scheduler) Stats() SchedulerStats {
	processed := s.Processed()
	global := s.c.Global()
	s.mu.Lock()
	defer s.mu.Unlock()
	return SchedulerStats{
		Processed:   processed,
		Lag:         global - min(global, processed),
		LagMax:      loop.Tick(s.counts.lagMax.Load()),
		Pending:     s.wakes.len,
		PendingHigh: s.counts.pendingHigh,
		Registered:  s.counts.registered,
		Overdue:     s.counts.overdue,
		Delivered:   s.counts.delivered.Load(),
		Held:        s.counts.held.Load(),
	}
}

// run is the scheduler's goroutine.
func (s *Scheduler) run() {
	defer close(s.ended)
	w := NewWaiter()
	defer w.Close()
	for !s.quitting() {
		s.deliverOverdue()
		local, global := s.progress.Completed(), s.c.Global()
		if local == global {
			s.c.Await(&s.progress, w)
			continue
		}
		raiseTick(&s.counts.lagMax, global-local)
		if s.mayTake(local + 1) {
			s.tick(local + 1)
		}
	}
	// A coordinator that has stopped registers nobody.
	_ = s.c.Leave(&s.progress)
	s.shut()
}

func (s *Scheduler) quitting() bool {
	select {
	case <-s.quit:
		return true
	default:
		return false
	}
}

// mayTake waits, at max speed, until tick t may be delivered. It says no when
// the bell rang first: an overdue wake may be what the dues are waiting for.
func (s *Scheduler) mayTake(t loop.Tick) bool {
	if !s.c.maxSpeed || t <= s.ahead || s.dues.Past(t-s.ahead) {
		return true
	}
	s.counts.held.Add(1)
	return s.dues.WaitPast(t-s.ahead, s.bell)
}

// tick takes out tick t, opens its dues, hands them over, and only then
// publishes that t is processed.
func (s *Scheduler) tick(t loop.Tick) {
	if d := time.Duration(s.stall.Swap(0)); d > 0 {
		timer := time.NewTimer(d)
		select {
		case <-timer.C:
		case <-s.quit:
			timer.Stop()
		}
	}
	s.mu.Lock()
	s.batch = s.wakes.take(s.batch[:0])
	s.mu.Unlock()
	if len(s.batch) > 0 {
		// Nobody asks about t before it is processed.
		s.dues.Open(t, len(s.batch))
		s.hand(t, s.batch)
	}
	s.c.Complete(&s.progress, t)
}

func (s *Scheduler) hand(due loop.Tick, ids []ObjectID) {
	s.counts.delivered.Add(uint64(len(ids)))
	s.deliver(due, ids)
}

// deliverOverdue hands over what was registered too late, the oldest tick first.
func (s *Scheduler) deliverOverdue() {
	s.mu.Lock()
	s.late, s.overdue = s.overdue, s.late[:0]
	s.mu.Unlock()
	if len(s.late) == 0 {
		return
	}
	slices.SortStableFunc(s.late, func(a, b overdueWake) int {
		if a.due < b.due {
			return -1
		} else if a.due > b.due {
			return 1
		}
		return 0
	})
	for i := 0; i < len(s.late); {
		due := s.late[i].due
		s.batch = s.batch[:0]
		for ; i < len(s.late) && s.late[i].due == due; i++ {
			s.batch = append(s.batch, s.late[i].id)
		}
		s.hand(due, s.batch)
	}
}

// shut forgets what was not delivered.
func (s *Scheduler) shut() {
	s.mu.Lock()
	s.stopped = true
	left := s.overdue
	s.overdue = nil
	s.wakes = &wakes{floor: s.wakes.floor} // nothing is added to it
	s.mu.Unlock()
	for _, o := range left {
		s.dues.Settle(o.due)
	}
}
