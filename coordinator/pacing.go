package coordinator

import (
	"fmt"
	"time"

	"chronoscope/loop"
)

// Defaults and ranges of Pacing and Options, as plain values.
const (
	// DefaultTickRate is in ticks per second; 1 to 240, fractions allowed.
	DefaultTickRate = 60
	MinTickRate     = 1
	MaxTickRate     = 240

	DefaultTimeScale = 1.0
	MinTimeScale     = 0.1
	MaxTimeScale     = 16.0

	// DefaultLagThreshold is in ticks. Less than that is everyday scheduling
	// noise when thousands of goroutines share a few cores.
	DefaultLagThreshold = 10
	MinLagThreshold     = 1
	MaxLagThreshold     = 1000

	DefaultMaxCatchUp = 8
	MinMaxCatchUp     = 1
	MaxMaxCatchUp     = 1000

	// DefaultChecksPerTick keeps the brake's delay to about a tenth of a tick.
	DefaultChecksPerTick = 10
	MinChecksPerTick     = 1
	MaxChecksPerTick     = 100

	// DefaultSleepFloor leaves a core to the characters even when the checks
	// are hopelessly late.
	DefaultSleepFloor = 100 * time.Microsecond
	MinSleepFloor     = time.Microsecond
	MaxSleepFloor     = 100 * time.Millisecond

	// DefaultRequestQueue bounds the requests under way; beyond it, senders wait.
	DefaultRequestQueue = 1024
	MinRequestQueue     = 1
	MaxRequestQueue     = 1 << 20

	// DefaultRequestsPerCheck bounds what one check takes out of the queue.
	DefaultRequestsPerCheck = 256
	MinRequestsPerCheck     = 1
	MaxRequestsPerCheck     = 1 << 20

	// MaxStep bounds the steps that wait: more than four hours of ticks.
	MaxStep = 1_000_000

	// DefaultBrakeNamed is how long a participant may hold the brake unnamed.
	DefaultBrakeNamed = time.Second
)

// Pacing is how fast ticks pass and how closely they are watched. It is live
// (one atomic snapshot) and never part of a world's result.
type Pacing struct {
	// TickRate is the nominal number of ticks a second at TimeScale 1.
	TickRate loop.Rate
	// TimeScale multiplies the rate: 0.1 to 16. Pausing is a command, not a
	// scale of 0.
	TimeScale float64
	// LagThreshold: a participant further behind than that, in ticks, brakes
	// the world. More of it hides hitches of single participants, less of it
	// keeps everyone together. 1 to 1000.
	LagThreshold int
	// Policy is what becomes of ticks that came due while the coordinator
	// itself could not run. CatchUp releases them one a check, up to MaxCatchUp;
	// Drop forgets and counts them; SlowDown does so too, and makes ticks longer
	// by as much as the checks are late, smoothed, beyond half a tick: up to 4
	// nominal ticks within about half a second of steady lateness, and back to
	// one as fast (below 10 ticks a second both take some ten ticks).
	Policy loop.Policy
	// MaxCatchUp is the backlog, in ticks, that CatchUp works off; what is
	// beyond it is dropped and counted. 1 to 1000.
	MaxCatchUp int
	// ChecksPerTick is how often the coordinator looks, per nominal tick: a
	// target, 1 to 100. More of it engages and lifts the brake sooner and
	// costs that many more wake-ups.
	ChecksPerTick int
	// SleepFloor is the shortest sleep between two checks, 1us to 100ms.
	SleepFloor time.Duration
	// Wait is how caught-up participants wait for the next tick.
	Wait Strategy
	// Pacer is how the coordinator waits for its next check. Closer to the instant
	// costs processor time; Hybrid and Precise read the real clock, so they are not
	// for a synctest bubble.
	Pacer loop.PacerKind
	// Driver says whose clock makes ticks due. At max speed none does.
	Driver Driver
}

// Driver is whose clock makes ticks due.
type Driver uint8

// The drivers.
const (
	// ByCoordinator: the coordinator's own clock.
	ByCoordinator Driver = iota
	// ByFrame: whoever draws frames says at each how many ticks are due (Feed),
	// the classic way of engines. While nobody draws, because the window is
	// minimised for instance, the world stands still, as it does there.
	ByFrame
)

// String reads "coordinator" or "frame".
func (d Driver) String() string {
	switch d {
	case ByCoordinator:
		return "coordinator"
	case ByFrame:
		return "frame"
	}
	return fmt.Sprintf("driver(%d)", uint8(d))
}

// DefaultPacing is 60 ticks a second at scale 1, catching up, polling.
func DefaultPacing() Pacing {
	return Pacing{
		TickRate:      loop.Hz(DefaultTickRate),
		TimeScale:     DefaultTimeScale,
		LagThreshold:  DefaultLagThreshold,
		Policy:        loop.CatchUp,
		MaxCatchUp:    DefaultMaxCatchUp,
		ChecksPerTick: DefaultChecksPerTick,
		SleepFloor:    DefaultSleepFloor,
		Wait:          Poll,
	}
}

// Validate names the first field that is out of range, its value and the range.
func (p Pacing) Validate() error {
	// The rate is compared as a fraction: 240 is in, 240.0001 is not.
	if r := p.TickRate; !r.Valid() || r.Num < MinTickRate*r.Den || r.Num > MaxTickRate*r.Den {
		return fmt.Errorf("coordinator: tick rate %d/%d: want %d to %d ticks a second", r.Num, r.Den, MinTickRate, MaxTickRate)
	}
	// Written so that NaN fails.
	if !(p.TimeScale >= MinTimeScale && p.TimeScale <= MaxTimeScale) {
		return fmt.Errorf("coordinator: time scale %v: want %v to %v", p.TimeScale, MinTimeScale, MaxTimeScale)
	}
	if !p.Policy.Valid() {
		return fmt.Errorf("coordinator: policy %v: want %v, %v or %v", p.Policy, loop.CatchUp, loop.Drop, loop.SlowDown)
	}
	if p.SleepFloor < MinSleepFloor || p.SleepFloor > MaxSleepFloor {
		return fmt.Errorf("coordinator: sleep floor %v: want %v to %v", p.SleepFloor, MinSleepFloor, MaxSleepFloor)
	}
	if p.Wait != Poll && p.Wait != Gate {
		return fmt.Errorf("coordinator: wait %v: want %v or %v", p.Wait, Poll, Gate)
	}
	if !p.Pacer.Valid() {
		return fmt.Errorf("coordinator: pacer %v: want one of %v", p.Pacer, loop.PacerKinds())
	}
	if p.Driver != ByCoordinator && p.Driver != ByFrame {
		return fmt.Errorf("coordinator: driver %v: want %v or %v", p.Driver, ByCoordinator, ByFrame)
	}
	for _, f := range []struct {
		name          string
		got, low, top int
	}{
		{"lag threshold", p.LagThreshold, MinLagThreshold, MaxLagThreshold},
		{"max catch-up", p.MaxCatchUp, MinMaxCatchUp, MaxMaxCatchUp},
		{"checks per tick", p.ChecksPerTick, MinChecksPerTick, MaxChecksPerTick},
	} {
		if err := inRange(f.name, f.got, f.low, f.top); err != nil {
			return err
		}
	}
	return nil
}

func inRange(name string, got, low, top int) error {
	if got < low || got > top {
		return fmt.Errorf("coordinator: %s %d: want %d to %d", name, got, low, top)
	}
	return nil
}

// keep is how many of the ticks that frames made due are kept, the one to be
// released included.
func (p *Pacing) keep() loop.Tick {
	if p.Policy == loop.CatchUp {
		return loop.Tick(p.MaxCatchUp)
	}
	return 1
}

// nominalTick is the real length of one tick, for estimates; never added up.
func (p *Pacing) nominalTick() time.Duration {
	return max(1, time.Duration(float64(p.TickRate.Period())/p.TimeScale))
}

// checkInterval is the target from one check to the next.
func (p *Pacing) checkInterval() time.Duration {
	return max(1, p.nominalTick()/time.Duration(p.ChecksPerTick))
}
