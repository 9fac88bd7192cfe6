package physics

import (
	"time"

	"chronoscope/loop"
	"chronoscope/loop/frametime"
)

// Rate is the steps a second of a fixed run.
const Rate = 60

// MaxFrame is the longest step of a variable run; what a frame takes beyond it
// is lost.
const MaxFrame = 33 * time.Millisecond

// Frames is the frame, and the step, at which states are compared unless one
// says otherwise: 2 s at 60 a second.
const Frames = 120

// Sample is the state of a scene.
type Sample struct {
	At     time.Duration // of the scene's own time
	Bodies [Bodies]Place
}

// Run is one way that the scene went.
type Run struct {
	Path []Sample // from the beginning, and after each step
	// Contacts counts the steps after which something touched.
	Contacts int
}

// Last is the state at the end.
func (r *Run) Last() Sample { return r.Path[len(r.Path)-1] }

func begin() (*scene, *Run) {
	s := newScene()
	return s, &Run{Path: []Sample{{Bodies: s.places()}}}
}

// add goes on by a step and notes where everything is.
func (r *Run) add(s *scene, dt float64, at time.Duration) {
	if s.step(dt) {
		r.Contacts++
	}
	r.Path = append(r.Path, Sample{at, s.places()})
}

// patience is how many frames a run may take for a step, on the average; no
// display that shows anything needs as many.
const patience = 100

// Fixed runs n steps of a 60th of a second each, with as many in a frame of the
// display as the module's frame-driven loop says.
func Fixed(d frametime.VirtualDisplay, n int) *Run {
	s, run := begin()
	rate := loop.Hz(Rate)
	steps := frametime.NewSnapped(rate, d.Rate.Period())
	screen := d.Series()
	done := 0
	for range patience * n {
		for range min(steps.Frame(screen.Next().At), n-done) {
			done++
			run.add(s, 1.0/Rate, rate.Boundary(loop.Tick(done)))
		}
		if done == n {
			break
		}
	}
	return run
}

// Variable runs n frames of the display, each a step as long as the frame before
// it took.
func Variable(d frametime.VirtualDisplay, n int) *Run {
	s, run := begin()
	at := time.Duration(0)
	for frame := range frameTimes(d) {
		if len(run.Path) > n {
			break
		}
		at += frame
		run.add(s, frame.Seconds(), at)
	}
	return run
}

// VariableUntil is Variable to an instant of the scene's own time, with a last
// step that ends there: what differs then isn't how far the runs got.
func VariableUntil(d frametime.VirtualDisplay, end time.Duration) *Run {
	s, run := begin()
	at := time.Duration(0)
	for frame := range frameTimes(d) {
		frame = min(frame, end-at)
		at += frame
		run.add(s, frame.Seconds(), at)
		if at >= end {
			break
		}
	}
	return run
}

// frameTimes are the times from frame to frame of a display, without an end
// except for a display that stands still.
func frameTimes(d frametime.VirtualDisplay) func(yield func(time.Duration) bool) {
	return func(yield func(time.Duration) bool) {
		screen := d.Series()
		last, idle := screen.Next().At, 0
		for idle < patience {
			now := screen.Next().At
			frame := min(now-last, MaxFrame)
			last = now
			if frame <= 0 { // a clock that was set back
				idle++
				continue
			}
			idle = 0
			if !yield(frame) {
				return
			}
		}
	}
}
