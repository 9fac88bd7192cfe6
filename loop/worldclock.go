package loop

import (
	"math"
	"time"
)

// DefaultMaxSteps is the most steps that one WorldClock.Advance gives unless
// SetMaxSteps says otherwise: enough to make up for a hitch of a tenth of a
// second at 60 Hz within a frame, few enough that a long stall costs no second
// one.
const DefaultMaxSteps = 8

// maxStretch bounds the step under SlowDown, in base steps.
const maxStretch = 4

// WorldClock turns the wall time of frames into whole steps of a world whose
// time is scaled, and says what becomes of the time that can't be worked off.
// It starts nothing and reads no clock.
//
// Time never goes missing unsaid: what went in, scaled, is LogicTime + Dropped +
// the remainder below a step. With a step of 50 ms, frames of 45, 10, 60 and
// 50 ms give 0, 1, 1, 1 steps, the remainders 45, 5, 15 and 15 ms and a logic
// time of 150 ms. (A table that one meets says 0, 1, 2, 1 and 200 ms: more than
// the 165 ms that went in.)
//
// # The death spiral
//
// A step that costs more than its length makes each frame longer, which makes
// more steps due in the next. With steps of 20 ms that cost 25 ms each, CatchUp
// with a cap of 1,000 runs 100 frames with 71,237 steps where Drop with a cap of
// 1 runs 100 steps and drops the rest: time jumps, but the spiral is broken.
// SlowDown runs 100 steps too, each 25 ms long: nothing jumps, game time is
// slower.
//
// A WorldClock belongs to one goroutine.
type WorldClock struct {
	base   time.Duration
	policy Policy

	maxSteps int
	scale    float64

	step    time.Duration // effective
	rest    time.Duration // scaled time that went in and isn't a step yet
	ticks   Tick
	dropped time.Duration
	logic   time.Duration
}

// NewWorldClock makes a clock with steps of that length, at scale 1. A
// non-positive step means DefaultInterval, a policy that isn't one CatchUp.
func NewWorldClock(step time.Duration, policy Policy) *WorldClock {
	if step <= 0 {
		step = DefaultInterval
	}
	// Four of them, and a backlog, must fit a Duration.
	step = min(step, math.MaxInt64/16)
	if !policy.Valid() {
		policy = CatchUp
	}
	return &WorldClock{base: step, step: step, policy: policy, maxSteps: DefaultMaxSteps, scale: 1}
}

// SetMaxSteps sets the most steps that one Advance gives. A large cap makes up
// for longer stalls, a small one keeps a slow frame from causing the next.
// Values below 1 are ignored. Under SlowDown there is never more than one.
func (c *WorldClock) SetMaxSteps(n int) {
	if n >= 1 {
		c.maxSteps = n
	}
}

// SetScale multiplies the wall time of the frames to come. What isn't positive
// and finite is ignored: pausing is not calling Advance.
func (c *WorldClock) SetScale(s float64) {
	if s > 0 && !math.IsInf(s, 0) {
		c.scale = s
	}
}

// Advance takes one frame's wall time and gives the steps to run; negative time
// counts as 0.
func (c *WorldClock) Advance(wall time.Duration) int {
	c.rest += min(c.scaled(max(wall, 0)), math.MaxInt64-c.rest)
	if c.policy == SlowDown {
		return c.slow()
	}
	due := int64(c.rest / c.step)
	run := min(due, int64(c.maxSteps))
	lost := time.Duration(due-run) * c.step
	c.rest -= time.Duration(due) * c.step
	c.dropped = saturate(c.dropped, lost)
	c.count(run)
	return int(run)
}

// slow gives at most one step, as long as the time that has come together, up
// to four base steps. What is more is dropped.
func (c *WorldClock) slow() int {
	c.step = min(max(c.rest, c.base), maxStretch*c.base)
	if c.rest < c.step {
		return 0
	}
	c.dropped = saturate(c.dropped, c.rest-c.step)
	c.rest = 0
	c.count(1)
	return 1
}

func (c *WorldClock) count(run int64) {
	c.ticks += Tick(run)
	c.logic = saturate(c.logic, time.Duration(run)*c.step)
}

// scaled is a wall time in game time.
func (c *WorldClock) scaled(wall time.Duration) time.Duration {
	if c.scale == 1 {
		return wall
	}
	if f := float64(wall) * c.scale; f < math.MaxInt64/2 {
		return time.Duration(f)
	}
	return math.MaxInt64 / 2
}

// saturate adds two durations that aren't negative, up to the longest.
func saturate(a, b time.Duration) time.Duration { return a + min(b, math.MaxInt64-a) }

// Step is the length of the step that is run now: the base step, longer only
// under SlowDown while frames are slow.
func (c *WorldClock) Step() time.Duration { return c.step }

// Ticks is the number of steps given so far.
func (c *WorldClock) Ticks() Tick { return c.ticks }

// Dropped is the game time that was given up.
func (c *WorldClock) Dropped() time.Duration { return c.dropped }

// LogicTime is the sum of all steps, each as long as it was when it was run: it
// never jumps when the effective step changes.
func (c *WorldClock) LogicTime() time.Duration { return c.logic }

// Remainder is the game time that has gone in and is less than a step; over the
// step it is a renderer's alpha.
func (c *WorldClock) Remainder() time.Duration { return c.rest }
