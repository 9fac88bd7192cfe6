package lab

import (
	"fmt"
	"time"

	"chronoscope/loop"
)

// The ranges of OverloadOptions.
const (
	MaxOverloadFrames = 200
	MaxOverloadCap    = 1000
)

// OverloadOptions is a load that the policies are put under: Loaded frames whose
// steps cost Work, and then Light ones whose steps cost a quarter of Step. The
// zero value is not usable: see DefaultOverload.
type OverloadOptions struct {
	Step   time.Duration // MinStep to MaxStep
	Work   time.Duration // 0 to MaxWork
	Loaded int           // 1 to MaxOverloadFrames
	Light  int           // 0 to MaxOverloadFrames
	// Cap is the most steps CatchUp runs in a frame, 1 to MaxOverloadCap. Drop
	// has 1 and SlowDown never runs more.
	Cap int
}

// DefaultOverload is the death spiral: steps of 20 ms that cost 25.
func DefaultOverload() OverloadOptions {
	const ms = time.Millisecond
	return OverloadOptions{Step: 20 * ms, Work: 25 * ms, Loaded: 100, Light: 50, Cap: MaxOverloadCap}
}

// Validate names the field, its value and its range.
func (o OverloadOptions) Validate() error {
	switch {
	case o.Step < MinStep || o.Step > MaxStep:
		return fmt.Errorf("lab: step %v: want %v to %v", o.Step, MinStep, MaxStep)
	case o.Work < 0 || o.Work > MaxWork:
		return fmt.Errorf("lab: work %v: want 0 to %v", o.Work, MaxWork)
	case o.Loaded < 1 || o.Loaded > MaxOverloadFrames:
		return fmt.Errorf("lab: loaded frames %d: want 1 to %d", o.Loaded, MaxOverloadFrames)
	case o.Light < 0 || o.Light > MaxOverloadFrames:
		return fmt.Errorf("lab: light frames %d: want 0 to %d", o.Light, MaxOverloadFrames)
	case o.Cap < 1 || o.Cap > MaxOverloadCap:
		return fmt.Errorf("lab: cap %d: want 1 to %d steps", o.Cap, MaxOverloadCap)
	}
	return nil
}

// OverloadFrame is one frame.
type OverloadFrame struct {
	Wall  time.Duration // that it was told of
	Steps int
	Step  time.Duration // effective
}

// OverloadRun is what came of one policy. The figures are those at the end of the
// loaded frames, so that they say what the load did.
type OverloadRun struct {
	Policy  loop.Policy
	Frames  []OverloadFrame // Loaded + Light of them
	Steps   uint64
	Wall    time.Duration // of all frames
	Logic   time.Duration // game time made
	Dropped time.Duration // game time given up
	Backlog time.Duration // game time still to be made
	Longest time.Duration // frame
	Step    time.Duration // effective, the longest
	// Recovered is how many light frames it takes until one is a single base
	// step again and none is owed; -1: more than there are.
	Recovered int
}

// Overload puts each policy under the load. Nothing is run: a frame takes as long
// as its steps would, and at least a step.
func Overload(o OverloadOptions) ([]OverloadRun, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	runs := make([]OverloadRun, 0, 3)
	for _, p := range loop.Policies() {
		runs = append(runs, overload(o, p))
	}
	return runs, nil
}

func overload(o OverloadOptions, p loop.Policy) OverloadRun {
	r := OverloadRun{Policy: p, Frames: make([]OverloadFrame, 0, o.Loaded+o.Light), Recovered: -1}
	c := loop.NewWorldClock(o.Step, p)
	c.SetMaxSteps(o.Cap)
	if p == loop.Drop {
		c.SetMaxSteps(1)
	}
	wall := o.Step
	for i := range o.Loaded + o.Light {
		f := OverloadFrame{Wall: wall, Steps: c.Advance(wall), Step: c.Step()}
		r.Frames = append(r.Frames, f)
		cost := o.Work
		if i >= o.Loaded {
			cost = o.Step / 4
			if r.Recovered < 0 && f.Steps == 1 && f.Step == o.Step && wall == o.Step {
				r.Recovered = i - o.Loaded + 1
			}
		} else {
			r.Wall += wall
			r.Longest, r.Step = max(r.Longest, wall), max(r.Step, f.Step)
		}
		if i == o.Loaded-1 {
			r.Steps, r.Logic, r.Dropped, r.Backlog = uint64(c.Ticks()), c.LogicTime(), c.Dropped(), c.Remainder()
		}
		wall = max(o.Step, time.Duration(f.Steps)*cost)
	}
	return r
}
