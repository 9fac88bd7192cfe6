package frametime

import (
	"math"
	"time"

	"chronoscope/loop"
)

// A Model is a way to turn frames into ticks that some engine has, or that
// everybody writes. It is told of each frame's instant, counted from the start,
// and says how many ticks to run before it is drawn.
type Model interface {
	Name() string
	Frame(at time.Duration) int
	// Alpha is how far towards the next tick the last frame is drawn, [0, 1); 0
	// where the model draws ticks as they are.
	Alpha() float64
}

// Models are all of them, made anew, for a tick rate on a display of a refresh
// period (0: unknown).
func Models(rate loop.Rate, refresh time.Duration) []Model {
	return []Model{NewAccumulator(rate), NewHalfTick(rate), NewClamped(), NewSnapped(rate, refresh)}
}

// accumulator is the plain accumulator.
type accumulator struct {
	name  string
	clock *loop.WorldClock
	clamp time.Duration
	last  time.Duration
	begun bool
}

// NewAccumulator is the plain accumulator that most tutorials end with: the
// frame's time, at most 0.25 s of it, is added up, and whole steps are taken
// out. On a display of the tick rate its boundaries lie on the frames, so jitter
// makes 0 and 2 of 1 and 1.
func NewAccumulator(rate loop.Rate) Model {
	c := loop.NewWorldClock(rate.Period(), loop.CatchUp)
	c.SetMaxSteps(math.MaxInt)
	return &accumulator{name: "plain accumulator", clock: c, clamp: 250 * time.Millisecond}
}

// NewClamped is the fixed timestep of Bevy as it comes: 64 steps a second
// whatever rate one asks of others, frames counted as 250 ms at most, any number
// of steps in one.
func NewClamped() Model {
	m := NewAccumulator(loop.Hz(64)).(*accumulator)
	m.name = "clamp 250 ms, 64 Hz"
	return m
}

func (a *accumulator) Name() string { return a.name }

func (a *accumulator) Frame(at time.Duration) int {
	d := at - a.last
	a.last = at
	if !a.begun {
		a.begun = true
		return 0
	}
	return a.clock.Advance(min(d, a.clamp))
}

func (a *accumulator) Alpha() float64 {
	return float64(a.clock.Remainder()) / float64(a.clock.Step())
}

// halfTick is the clock of Ebitengine 2.9.9.
type halfTick struct {
	tick  time.Duration
	last  time.Duration // what has been accounted for
	begun bool
}

// NewHalfTick behaves as Ebitengine 2.9.9's clock does: a frame that comes half
// a tick after the last one accounted for has a tick already, one that comes
// less than one and a half has one and not two, and a backlog of more than five
// ticks, or 83 ms, is dropped for one tick. So 60 on 60 Hz is even in spite of
// jitter, and at 12.5 frames a second it gives 31 of 60 ticks.
func NewHalfTick(rate loop.Rate) Model { return &halfTick{tick: max(rate.Period(), 1)} }

func (h *halfTick) Name() string { return "half-tick early step" }

func (h *halfTick) Frame(at time.Duration) int {
	if !h.begun {
		h.begun, h.last = true, at
		return 0
	}
	behind := at - h.last
	if behind < 0 {
		return 0
	}
	if behind > max(5*h.tick, 5*time.Second/60) {
		h.last = at
		return 1
	}
	n := int(behind / h.tick)
	switch {
	case n == 0 && behind > h.tick/2:
		n = 1
	case n == 2 && behind < h.tick*3/2:
		n = 1
	}
	h.last += time.Duration(n) * h.tick
	return n
}

// Alpha is 0: Ebitengine tells Draw of no remainder.
func (h *halfTick) Alpha() float64 { return 0 }

// snapped is this module's own frame-driven loop.
type snapped struct {
	loop    *loop.Loop
	snap    loop.Snapper
	refresh time.Duration
	tick    time.Duration
	at      time.Duration // snapped
	last    time.Duration
	begun   bool
}

// epoch is where the pure models' time begins; any instant would do.
var epoch = time.Unix(0, 0)

// NewSnapped is the loop of this program's driver "frame": frame times are
// snapped to the display's refresh with the sum kept exact, and the boundaries
// lie between frames. At most eight ticks are run in a frame, the rest is
// dropped.
func NewSnapped(rate loop.Rate, refresh time.Duration) Model {
	return &snapped{loop: loop.NewAtRate(rate, loop.DefaultMaxSteps, 0), refresh: refresh, tick: max(rate.Period(), 1)}
}

func (s *snapped) Name() string { return "snapped, off the boundary" }

func (s *snapped) Frame(at time.Duration) int {
	d := at - s.last
	s.last = at
	if !s.begun {
		s.begun = true
		// The first boundary lies half a frame, or half a tick, before a frame.
		half := s.tick / 2
		if s.refresh > 0 {
			half = min(half, s.refresh/2)
		}
		s.loop.Start(epoch.Add(-half))
		return 0
	}
	s.at += s.snap.Snap(d, s.refresh)
	n, _ := s.loop.Advance(epoch.Add(s.at))
	return n
}

func (s *snapped) Alpha() float64 {
	if !s.begun {
		return 0
	}
	return float64(s.loop.Drift(epoch.Add(s.at))) / float64(s.loop.Interval())
}

// Run tells a model of frames and gives the ticks of each.
func Run(m Model, stamps []time.Duration) []int {
	ticks := make([]int, len(stamps))
	for i, at := range stamps {
		ticks[i] = m.Frame(at)
	}
	return ticks
}
