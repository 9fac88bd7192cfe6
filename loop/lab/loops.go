package lab

import (
	"time"

	"chronoscope/loop"
)

// The ranges of LoopOptions.
const (
	MinStep, MaxStep   = time.Millisecond, time.Second
	MaxWork            = time.Second
	MinFrame, MaxFrame = time.Millisecond, time.Second
)

// LoopOptions is what three loops are shown with. A field that is out of range,
// also the zero Step and Frame, means its default.
type LoopOptions struct {
	// Step is the length of a step, MinStep to MaxStep; by default a 60th of a
	// second.
	Step time.Duration
	// Work is what a step costs, 0 to MaxWork. More than Step is an overload.
	Work time.Duration
	// Frame is how often a loop that is told the time looks at it, MinFrame to
	// MaxFrame; 25 ms by default, which is no multiple of a 60th. Steps that take
	// longer make the next look later.
	Frame time.Duration
}

func (o LoopOptions) complete() LoopOptions {
	if o.Step < MinStep || o.Step > MaxStep {
		o.Step = loop.Hz(60).Period()
	}
	if o.Work < 0 || o.Work > MaxWork {
		o.Work = 0
	}
	if o.Frame < MinFrame || o.Frame > MaxFrame {
		o.Frame = 25 * time.Millisecond
	}
	return o
}

// LoopKind is one of the loops that are shown.
type LoopKind uint8

// The loops, the right one first.
const (
	FixedStep LoopKind = iota // loop.Loop
	SleepsAfterWork
	ForgetsRest
	LoopCount
)

// String is the loop's name.
func (k LoopKind) String() string {
	switch k {
	case FixedStep:
		return "fixed step"
	case SleepsAfterWork:
		return "sleeps after work"
	case ForgetsRest:
		return "forgets the rest"
	}
	return "no loop"
}

// StepRun is a step that was run.
type StepRun struct {
	N        uint64 // from 1
	From, To time.Duration
}

// runsKept bounds how many steps are remembered.
const runsKept = 256

// LoopLane is one loop, as far as it has come.
type LoopLane struct {
	Steps   uint64 // done or begun
	Dropped uint64 // steps given up for good
	runs    [runsKept]StepRun
	next    time.Duration // its next look, or its next step
}

// Runs are up to 256 of the last steps, the newest first, while yield is true.
func (l *LoopLane) Runs(yield func(StepRun) bool) {
	for i := range min(l.Steps, runsKept) {
		if !yield(l.runs[(l.Steps-1-i)%runsKept]) {
			return
		}
	}
}

// run notes a step from an instant on, and gives its end.
func (l *LoopLane) run(at, work time.Duration) time.Duration {
	l.runs[l.Steps%runsKept] = StepRun{l.Steps + 1, at, at + work}
	l.Steps++
	return at + work
}

// Loops is a loop.Loop beside the two wrong ones, at the same instant of a time
// that is worked out: no step is run, and nothing is waited for.
type Loops struct {
	o     LoopOptions
	now   time.Duration
	lanes [LoopCount]LoopLane

	fixed *loop.Loop
	after loop.AfterWork
	rest  loop.NoCarry
}

// epoch is where the time begins; any instant would do.
var epoch = time.Unix(0, 0)

// NewLoops begins at 0. The first step is due after one step's length.
func NewLoops(o LoopOptions) *Loops {
	o = o.complete()
	l := &Loops{
		o: o, fixed: loop.New(o.Step, loop.DefaultMaxSteps, 0),
		after: loop.AfterWork{Interval: o.Step}, rest: loop.NoCarry{Interval: o.Step},
	}
	l.fixed.Start(epoch)
	l.rest.Advance(epoch)
	l.lanes[FixedStep].next, l.lanes[ForgetsRest].next = o.Frame, o.Frame
	l.lanes[SleepsAfterWork].next = o.Step
	return l
}

// Options are those in force.
func (l *Loops) Options() LoopOptions { return l.o }

// Now is how much time has passed.
func (l *Loops) Now() time.Duration { return l.now }

// Advance lets time pass, up to ten seconds at once.
func (l *Loops) Advance(by time.Duration) {
	l.now += min(max(by, 0), 10*time.Second)
	for k := range LoopCount {
		for l.lanes[k].next <= l.now {
			l.look(k)
		}
	}
}

// look lets one loop do what it does at its next instant.
func (l *Loops) look(k LoopKind) {
	lane := &l.lanes[k]
	at := lane.next
	if k == SleepsAfterWork {
		done := lane.run(at, l.o.Work)
		lane.next = l.after.Next(epoch.Add(done)).Sub(epoch)
		return
	}
	steps := 0
	if k == FixedStep {
		run, lost := l.fixed.Advance(epoch.Add(at))
		steps = run
		lane.Dropped += uint64(lost)
	} else {
		steps = l.rest.Advance(epoch.Add(at))
	}
	end := at
	for range steps {
		end = lane.run(end, l.o.Work)
	}
	lane.next = max(at+l.o.Frame, end)
}

// Lane is one of the loops.
func (l *Loops) Lane(k LoopKind) *LoopLane { return &l.lanes[min(k, LoopCount-1)] }

// Due is how many steps should have been begun by now.
func (l *Loops) Due() uint64 { return uint64(l.now / l.o.Step) }

// Behind is how many of them a loop hasn't begun, those it dropped among them.
func (l *Loops) Behind(k LoopKind) uint64 {
	due := l.Due()
	return due - min(l.Lane(k).Steps, due)
}

// Drift is by how much a loop's game time, a step's length for each step, is
// behind the wall clock.
func (l *Loops) Drift(k LoopKind) time.Duration {
	return l.now - time.Duration(l.Lane(k).Steps)*l.o.Step
}

// Rate is how many steps a second a loop has made so far; 0 at first.
func (l *Loops) Rate(k LoopKind) float64 {
	if l.now <= 0 {
		return 0
	}
	return float64(l.Lane(k).Steps) / l.now.Seconds()
}
