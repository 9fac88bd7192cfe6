// Package waiting measures the strategies by which participants wait for the
// next tick: how long after a release the last member has completed it, and what
// that costs.
//
// # Model
//
// Start runs a small coordinator of its own for each strategy, one after the
// other, with members that do nothing in a tick but complete it. So what is
// measured is the waiting alone.
//
// # Concurrency
//
// A Bench may be used from any goroutine. Once Wait has returned, after the end or
// after Cancel, none of its goroutines is left.
//
// # Errors
//
// Options out of range are refused in one line.
package waiting

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"chronoscope/coordinator"
	"chronoscope/loop"
)

// The defaults and ranges of Options.
const (
	DefaultMembers = 1000
	MaxMembers     = 10_000
	DefaultFor     = 2 * time.Second
	MinFor, MaxFor = 100 * time.Millisecond, 30 * time.Second
)

// Options are constant for the life of a Bench. The zero value runs.
type Options struct {
	// Members is how many wait at once, up to MaxMembers; 0: DefaultMembers.
	Members int
	// Rate is ticks a second, 1 to 240; not valid: 60.
	Rate loop.Rate
	// For is how long each strategy is measured, MinFor to MaxFor; 0: DefaultFor.
	// A quarter of it goes before, to settle, and a quarter before that and one
	// after it to see what the process uses anyway.
	For time.Duration
}

// Validate names the field, its value and its range.
func (o Options) Validate() error {
	o = o.complete()
	switch {
	case o.Members < 1 || o.Members > MaxMembers:
		return fmt.Errorf("waiting: %d members: want 1 to %d", o.Members, MaxMembers)
	case o.Rate.Num < coordinator.MinTickRate*o.Rate.Den || o.Rate.Num > coordinator.MaxTickRate*o.Rate.Den:
		return fmt.Errorf("waiting: tick rate %v: want %d to %d a second", o.Rate, coordinator.MinTickRate, coordinator.MaxTickRate)
	case o.For < MinFor || o.For > MaxFor:
		return fmt.Errorf("waiting: for %v: want %v to %v", o.For, MinFor, MaxFor)
	}
	return nil
}

func (o Options) complete() Options {
	if o.Members == 0 {
		o.Members = DefaultMembers
	}
	if !o.Rate.Valid() {
		o.Rate = loop.Hz(coordinator.DefaultTickRate)
	}
	if o.For == 0 {
		o.For = DefaultFor
	}
	return o
}

// Strategies are those that are measured, in order.
func Strategies() []coordinator.Strategy {
	return []coordinator.Strategy{coordinator.Poll, coordinator.Gate}
}

// Result is what one strategy came to.
type Result struct {
	Strategy coordinator.Strategy
	Ticks    int
	// From the release of a tick to its completion by the last member.
	P50, P99, Max time.Duration
	// CPU is the processor time that the process used beyond what it used just
	// before and just after, for each member and tick. Share is the same as a
	// share of one core.
	CPU   time.Duration
	Share float64
	// Told says that this is more than before and after differ by: else it is
	// lost in what the rest of the process does, or the system doesn't say.
	Told bool
}

// Progress is how far a Bench has come.
type Progress struct {
	Running   bool
	Cancelled bool
	Now       coordinator.Strategy // being measured, while Running
	Part      float64              // of everything, 0..1
	Results   []Result             // so far; not to be written to
	Options   Options              // with defaults filled in
}

// Bench is a run through all strategies.
type Bench struct {
	o      Options
	cancel context.CancelFunc
	gone   chan struct{} // closed at the end

	mu       sync.Mutex
	progress Progress
	step     time.Time // since when it is in this part
	base     float64   // of Part, at step
	length   time.Duration
}

// parts: the share of a strategy's time that each phase has.
const (
	idlePart, settlePart, measuredPart = 0.25, 0.25, 1.0
	allParts                           = idlePart + settlePart + measuredPart + idlePart
)

// Start begins to measure.
func Start(o Options) (*Bench, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	b := &Bench{o: o.complete(), cancel: cancel, gone: make(chan struct{})}
	b.progress = Progress{Running: true, Options: b.o}
	go func() {
		defer close(b.gone)
		defer cancel()
		b.run(ctx)
	}()
	return b, nil
}

// Cancel ends it early and returns at once.
func (b *Bench) Cancel() { b.cancel() }

// Wait returns when no goroutine of it is left.
func (b *Bench) Wait() { <-b.gone }

// Progress is how far it has come.
func (b *Bench) Progress() Progress {
	b.mu.Lock()
	defer b.mu.Unlock()
	p := b.progress
	if p.Running && b.length > 0 {
		p.Part = min(b.base+float64(time.Since(b.step))/float64(b.length), 1)
	}
	return p
}

// run measures one strategy after the other.
func (b *Bench) run(ctx context.Context) {
	list := Strategies()
	each := time.Duration(float64(b.o.For) * allParts)
	for i, s := range list {
		b.mu.Lock()
		b.progress.Now = s
		b.step, b.base, b.length = time.Now(), float64(i)/float64(len(list)), each*time.Duration(len(list))
		b.mu.Unlock()
		r, ok := measure(ctx, b.o, s)
		if !ok {
			break
		}
		b.mu.Lock()
		// A slice that was handed out stays as it is.
		b.progress.Results = append(slices.Clone(b.progress.Results), r)
		b.mu.Unlock()
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.progress.Running, b.progress.Cancelled = false, len(b.progress.Results) < len(list)
	if !b.progress.Cancelled {
		b.progress.Part = 1
	}
}

// pause sleeps, or until ctx ends, which is false.
func pause(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// crowd is a coordinator with members that only wait.
type crowd struct {
	c       *coordinator.Coordinator
	members []member
	ended   atomic.Bool
	wg      sync.WaitGroup

	begun    time.Time
	released []int64        // by tick, since begun; the coordinator's until the end
	arrived  []atomic.Int32 // members that have completed a tick
	done     []atomic.Int64 // when the last of them had
}

// member is one of them.
type member struct {
	progress coordinator.Progress
	bell     chan struct{}
}

// measure runs one strategy; false when ctx ended before it was through.
func measure(ctx context.Context, o Options, s coordinator.Strategy) (Result, bool) {
	part := func(share float64) time.Duration { return time.Duration(float64(o.For) * share) }
	// idle is the share of a core that the process uses without the members.
	idle := func() (share float64, ok bool) {
		used, from := loop.CPUTime(), time.Now()
		if !pause(ctx, part(idlePart)) {
			return 0, false
		}
		return float64(loop.CPUTime()-used) / float64(max(time.Since(from), 1)), true
	}
	before, ok := idle()
	if !ok {
		return Result{}, false
	}
	ticks := max(int(o.Rate.TickAt(part(settlePart+measuredPart))), 2)
	first := max(int(o.Rate.TickAt(part(settlePart))), 1)
	w, err := gather(o, s, ticks)
	if err != nil {
		return Result{}, false // Validate has passed: can't be
	}
	w.c.Start()
	ok = pause(ctx, part(settlePart))
	used, from := loop.CPUTime(), time.Now()
	ok = ok && pause(ctx, part(measuredPart))
	used = loop.CPUTime() - used
	took := time.Since(from)
	w.disband()
	if !ok {
		return Result{}, false
	}
	after, ok := idle()
	if !ok {
		return Result{}, false
	}
	r := w.result(s, first)
	r.Share = max(0, float64(used)/float64(max(took, 1))-(before+after)/2)
	r.Told = r.Share > math.Abs(after-before)
	r.CPU = time.Duration(r.Share / o.Rate.Float() / float64(o.Members) * float64(time.Second))
	return r, true
}

// gather makes the coordinator, with members that have joined.
func gather(o Options, s coordinator.Strategy, ticks int) (*crowd, error) {
	w := &crowd{
		begun: time.Now(), members: make([]member, o.Members),
		released: make([]int64, ticks+1), arrived: make([]atomic.Int32, ticks+1), done: make([]atomic.Int64, ticks+1),
	}
	pacing := coordinator.DefaultPacing()
	pacing.TickRate, pacing.Wait = o.Rate, s
	var err error
	w.c, err = coordinator.New(coordinator.Options{Pacing: pacing, LastTick: loop.Tick(ticks), OnRelease: func(r coordinator.Release) {
		if r.Tick < loop.Tick(len(w.released)) {
			w.released[r.Tick] = int64(r.Actual.Sub(w.begun))
		}
	}})
	if err != nil {
		return nil, err
	}
	var joined sync.WaitGroup
	for i := range w.members {
		m := &w.members[i]
		m.bell = make(chan struct{}, 1)
		m.progress.Init(coordinator.ParticipantID{Object: coordinator.MakeObjectID(uint32(i), 1)}, m.bell)
		joined.Add(1)
		w.wg.Go(func() { w.follow(m, joined.Done) })
	}
	joined.Wait()
	return w, nil
}

// follow completes each tick as soon as it sees it.
func (w *crowd) follow(m *member, joined func()) {
	waiter := coordinator.NewWaiter()
	defer waiter.Close()
	m.progress.Publish(w.c.Global())
	w.c.Join(&m.progress)
	joined()
	for local := m.progress.Completed(); !w.ended.Load(); {
		if local == w.c.Global() {
			w.c.Await(&m.progress, waiter)
			continue
		}
		local++
		w.c.Complete(&m.progress, local)
		if int(w.arrived[local].Add(1)) == len(w.members) {
			w.done[local].Store(int64(time.Since(w.begun)))
		}
	}
	// After a stop there is nobody to leave; the member set is left in any case.
	_ = w.c.Leave(&m.progress)
}

// disband ends everything and returns when no goroutine is left.
func (w *crowd) disband() {
	w.ended.Store(true)
	w.c.Stop()
	w.c.Wait()
	for i := range w.members {
		select {
		case w.members[i].bell <- struct{}{}:
		default: // it is rung already
		}
	}
	w.wg.Wait()
}

// result sums up the ticks from first on that everyone has completed.
func (w *crowd) result(s coordinator.Strategy, first int) Result {
	r := Result{Strategy: s}
	var late []time.Duration
	for t := first; t < len(w.done); t++ {
		if at := w.done[t].Load(); at > 0 {
			late = append(late, time.Duration(max(at-w.released[t], 0)))
		}
	}
	r.Ticks = len(late)
	if r.Ticks == 0 {
		return r
	}
	slices.Sort(late)
	at := func(q float64) time.Duration { return late[min(int(q*float64(len(late))), len(late)-1)] }
	r.P50, r.P99, r.Max = at(0.50), at(0.99), late[len(late)-1]
	return r
}
