package coordinator

import (
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"chronoscope/loop"
)

// Options are constant for the life of a coordinator, but for Pacing, which is
// what it starts with. The zero value runs at 60 ticks a second by the wall
// clock.
type Options struct {
	// Pacing to begin with; the zero Pacing means DefaultPacing.
	Pacing Pacing
	// Pacer waits for the next check, until Pacing.Pacer changes; nil means one of
	// that kind from the beginning. The coordinator closes it.
	Pacer loop.Pacer
	// MaxSpeed releases a tick as soon as every member has completed the last
	// one, whatever the clock says. While there is no member nothing is released.
	MaxSpeed bool
	// LastTick is the last tick to release, up to MaxLastTick; 0 means none.
	LastTick loop.Tick
	// RequestQueue bounds the requests under way (0 means
	// DefaultRequestQueue), RequestsPerCheck what one check takes of them (0
	// means DefaultRequestsPerCheck). A small number delays requests in a
	// flood, a large one delays releases.
	RequestQueue, RequestsPerCheck int
	// Paused starts with no tick being released until Resume or Step.
	Paused bool
	// RequestsOnly leaves it to participants to notice that they lag, as the
	// bare contract has it: one that is stuck inside a tick holds nobody then.
	// Otherwise the coordinator looks itself before each release.
	RequestsOnly bool
	// BrakeNamed: whoever holds the brake for longer is named in Stats, and
	// logged once per episode. 0 means DefaultBrakeNamed.
	BrakeNamed time.Duration
	// OnRelease, when set, is told of every release, in order. It runs on the
	// coordinator's goroutine: what it takes long for makes the next tick late,
	// and nothing of the coordinator may be called from it.
	OnRelease func(Release)
	// Logger for trouble; nil discards.
	Logger *slog.Logger
}

// Validate names the field, its value and its range.
func (o Options) Validate() error {
	_, err := o.complete()
	return err
}

// complete fills in defaults.
func (o Options) complete() (Options, error) {
	if o.Pacing == (Pacing{}) {
		o.Pacing = DefaultPacing()
	}
	if o.LastTick == 0 {
		o.LastTick = MaxLastTick
	}
	if o.RequestQueue == 0 {
		o.RequestQueue = DefaultRequestQueue
	}
	if o.RequestsPerCheck == 0 {
		o.RequestsPerCheck = DefaultRequestsPerCheck
	}
	if o.BrakeNamed == 0 {
		o.BrakeNamed = DefaultBrakeNamed
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if err := o.Pacing.Validate(); err != nil {
		return o, err
	}
	if o.LastTick > MaxLastTick {
		return o, fmt.Errorf("coordinator: last tick %d: want at most %d", o.LastTick, MaxLastTick)
	}
	if o.BrakeNamed < 0 {
		return o, fmt.Errorf("coordinator: brake named after %v: want more than 0", o.BrakeNamed)
	}
	if err := inRange("request queue", o.RequestQueue, MinRequestQueue, MaxRequestQueue); err != nil {
		return o, err
	}
	return o, inRange("requests per check", o.RequestsPerCheck, MinRequestsPerCheck, MaxRequestsPerCheck)
}

// Coordinator releases ticks and holds them back. See the package's comment.
type Coordinator struct {
	// Constant after New.
	log              *slog.Logger
	maxSpeed         bool
	lastTick         loop.Tick
	requestsPerCheck int
	brakeNamed       time.Duration
	requestsOnly     bool
	onRelease        func(Release)
	epoch            time.Time // of the pacer's clock: released instants are kept relative to it
	born             time.Time // of the wall clock: requests are stamped relative to it
	requests         chan request
	bell             chan struct{} // 1 slot: look at once
	stop             chan struct{} // closed by Stop
	ended            chan struct{} // closed when every goroutine is gone

	life struct {
		sync.Mutex
		started, stopped bool
	}
	wakers sync.WaitGroup
	// wakersEnd is set before the last ring of the wakers.
	wakersEnd atomic.Bool

	// Written by the coordinator's goroutine alone, read by everyone.
	_        [64]byte
	global   atomic.Uint64
	_        [56]byte
	resting  atomic.Bool            // paused with no step to make
	pacing   atomic.Pointer[Pacing] // written by SetPacing
	released releaseBoard
	stats    atomic.Pointer[Stats]
	laggards atomic.Pointer[[]laggard]

	fed feed // written by Feed, emptied by run

	// Written by participants, now and then.
	lagMax       atomic.Uint64 // highest lag seen at a Complete
	requestsHigh atomic.Int64
	lastCaughtUp atomic.Int64 // when a braking participant last caught up, since born

	members memberSet

	// Owned by run.
	pacer  loop.Pacer
	skew   time.Duration // added to the pacer's clock, so that it never goes back
	last   time.Time     // the newest reading, skew included
	pace   *Pacing       // the snapshot in force
	wait   waiting       // pace.Wait's
	metro  metronome
	paused bool
	steps  int  // ticks to release though paused
	atOnce bool // the next tick is due at once: a brake was lifted, a step asked for
	brake  brake
	meter  meter
	braked time.Duration // brake.total as of the last release
	// backlog is what CatchUp left at the last check.
	backlog loop.Tick
	frames  frames
	// wasHeld is held() as of the last check, shownHeld as of the last note.
	wasHeld, shownHeld bool
}

// New makes a coordinator that stands at tick 0. The error names a field of o.
func New(o Options) (*Coordinator, error) {
	o, err := o.complete()
	if err != nil {
		return nil, err
	}
	if o.Pacer == nil {
		o.Pacer = o.Pacing.Pacer.New()
	}
	c := &Coordinator{
		log:              o.Logger,
		maxSpeed:         o.MaxSpeed,
		lastTick:         o.LastTick,
		requestsPerCheck: o.RequestsPerCheck,
		brakeNamed:       o.BrakeNamed,
		requestsOnly:     o.RequestsOnly,
		onRelease:        o.OnRelease,
		epoch:            o.Pacer.Now(),
		born:             time.Now(),
		requests:         make(chan request, o.RequestQueue),
		bell:             make(chan struct{}, 1),
		stop:             make(chan struct{}),
		ended:            make(chan struct{}),
		pacer:            o.Pacer,
		paused:           o.Paused,
		wasHeld:          o.Paused,
	}
	c.last = c.epoch
	c.members.init()
	c.brake.init()
	c.meter.init(c.epoch)
	pace := o.Pacing
	c.pacing.Store(&pace)
	c.pace, c.wait = &pace, pace.Wait.waiting()
	c.metro = metronome{rate: pace.TickRate, scale: pace.TimeScale, anchor: c.epoch}
	c.resting.Store(c.paused)
	c.announce(c.epoch, c.epoch)
	c.publish(c.epoch)
	return c, nil
}

// Start starts the coordinator's goroutine and the gate's wakers. The first
// tick is due a whole tick later. Only the first call counts, and none after Stop.
func (c *Coordinator) Start() {
	c.life.Lock()
	defer c.life.Unlock()
	if c.life.started || c.life.stopped {
		return
	}
	c.life.started = true
	for i := range c.members.shards {
		c.wakers.Go(func() { c.runWaker(&c.members.shards[i]) })
	}
	go c.run()
}

// Stop asks the coordinator to end and returns at once. From then on nothing
// is sent to it: Do and its like, Leave and brake requests end with
// ErrStopped, also those that are waiting. Calling it again does nothing.
func (c *Coordinator) Stop() {
	c.life.Lock()
	defer c.life.Unlock()
	if c.life.stopped {
		return
	}
	c.life.stopped = true
	close(c.stop)
	ring(c.bell)
	if !c.life.started {
		c.pacer.Close()
		close(c.ended)
	}
}

// Wait returns when every goroutine of the coordinator is gone, after Stop.
func (c *Coordinator) Wait() { <-c.ended }

// Global is the last released tick.
func (c *Coordinator) Global() loop.Tick { return loop.Tick(c.global.Load()) }

// Pacing is the pacing in force, or about to be.
func (c *Coordinator) Pacing() Pacing { return *c.pacing.Load() }

// SetPacing changes the pace from the next check on, which comes at once. The
// error names the field; nothing is changed then. A change of rate, scale or
// driver renews the anchor: the next tick is due one new tick after the last
// one, or at once if that has passed; a backlog is dropped and counted. A change
// of the pacer closes the one in force, also one that was handed to New.
func (c *Coordinator) SetPacing(p Pacing) error {
	if err := p.Validate(); err != nil {
		return err
	}
	c.pacing.Store(&p)
	ring(c.bell)
	return nil
}

// Pause holds the global tick. When it has returned nothing more is released
// until Resume or Step. Steps not yet made are forgotten. ErrStopped.
func (c *Coordinator) Pause() error {
	return c.command(func() error {
		c.paused, c.steps, c.atOnce = true, 0, false
		return nil
	})
}

// Resume lets ticks pass again, the next one a whole tick from now: the time
// paused leaves no debt. ErrStopped.
func (c *Coordinator) Resume() error {
	return c.command(func() error {
		if c.paused {
			// Between two steps nothing is held, so that nothing else says
			// that time begins anew.
			c.renew(c.last)
		}
		c.paused, c.steps, c.atOnce = false, 0, false
		return nil
	})
}

// Step releases n more ticks while paused, the first at once and the others a
// nominal tick apart, and leaves the coordinator paused. Steps add up. A brake
// holds them too. It returns when they have been asked for, not made. Errors:
// n not in 1 to MaxStep, ErrNotPaused, ErrStopped.
func (c *Coordinator) Step(n int) error {
	if err := inRange("step", n, 1, MaxStep); err != nil {
		return err
	}
	return c.command(func() error {
		if !c.paused {
			return ErrNotPaused
		}
		if c.steps == 0 {
			c.atOnce = true
			c.renew(c.last)
		}
		c.steps = min(c.steps+n, MaxStep)
		return nil
	})
}

// Do runs f on the coordinator's goroutine between two releases and returns
// when it has run. What f hands over is dated due, the global tick plus one,
// and is there before that tick is released. f must not block, and must not
// call Do or any other method that waits for the coordinator. Before Start, Do
// waits for it. With ErrStopped f has not run and will not.
func (c *Coordinator) Do(f func(due loop.Tick)) error {
	return c.command(func() error {
		f(c.Global() + 1)
		return nil
	})
}

// now is the pacer's clock, made to stand still where it goes back: nothing is
// released twice, and the phase of the tick survives. Owned by run.
func (c *Coordinator) now() time.Time {
	now := c.pacer.Now().Add(c.skew)
	if back := c.last.Sub(now); back > 0 {
		c.skew += back
		c.meter.rollbacks++
		now = c.last
	}
	c.last = now
	return now
}

// stamp is the time on requests: its clock may be read by any goroutine.
func (c *Coordinator) stamp() time.Duration { return time.Since(c.born) }
