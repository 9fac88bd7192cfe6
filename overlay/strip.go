package overlay

import (
	"image"
	"slices"
	"time"

	"chronoscope/loop/frametime"
)

// Frame is one drawn frame as the strip keeps it.
type Frame struct {
	// Interval is from the start of the frame to the start of the next.
	Interval time.Duration
	// Ticks is how many ticks the world advanced since the frame before.
	Ticks int
	// Braking: the world released nothing because someone lagged.
	Braking bool
	// Paused: the user holds the world.
	Paused bool
	// LeftOut frames are drawn dimly and enter no figure: the first second,
	// frames of an unfocused or resized window, frames that were read back.
	LeftOut bool
	// Free: it waited for no refresh of the display, so its interval says
	// nothing of one, and it can't have missed any.
	Free bool
}

// stripFrames is how many frames a strip remembers: 10 s at 400 a second. More
// frames a second shorten what is shown, never what a frame costs.
const stripFrames = 4096

// Strip remembers the last frames and turns them into triangles. Pushing
// allocates nothing. The zero Strip is empty and ready.
type Strip struct {
	ring   [stripFrames]Frame
	pushed uint64
	used   []time.Duration // scratch of Summary, the newest first
	waited []time.Duration // and of those that weren't free
}

// Push adds the frame that has just ended.
func (s *Strip) Push(f Frame) {
	s.ring[s.pushed%stripFrames] = f
	s.pushed++
}

// Len is how many frames are remembered.
func (s *Strip) Len() int { return int(min(s.pushed, stripFrames)) }

// back is the frame i before the newest, 0 <= i < Len.
func (s *Strip) back(i int) *Frame { return &s.ring[(s.pushed-1-uint64(i))%stripFrames] }

// Summary holds the figures of the frames within a span that weren't left out.
// Figures that too few frames can't support are 0.
type Summary struct {
	Used, LeftOut int
	// Average is the frames per second over the whole span, 1000 N / T; not
	// the mean of each frame's own rate.
	Average float64
	// Refresh estimates the display's period: the median interval of the last
	// 120 frames used that waited for it, without those above 1.5 times the
	// median. 0 below 10 frames.
	Refresh time.Duration
	// P99 is the interval that 99 % of the frames don't exceed, interpolated
	// linearly between order statistics; 0 below 100 frames.
	P99 time.Duration
	// Longest is the longest interval.
	Longest time.Duration
}

// refreshLeast is from how many frames on the refresh is guessed.
const refreshLeast = 10

// Summary computes the figures over the last span.
func (s *Strip) Summary(span time.Duration) Summary {
	var sum Summary
	var age time.Duration
	s.used, s.waited = s.used[:0], s.waited[:0]
	for i := range s.Len() {
		f := s.back(i)
		if age += f.Interval; age > span {
			break
		}
		if f.LeftOut {
			sum.LeftOut++
			continue
		}
		s.used = append(s.used, f.Interval)
		if !f.Free && len(s.waited) < frametime.EstimateFrames {
			s.waited = append(s.waited, f.Interval)
		}
	}
	sum.Used = len(s.used)
	if sum.Used == 0 {
		return sum
	}
	sum.Average = frametime.AverageFPS(s.used)
	if len(s.waited) >= refreshLeast {
		slices.Sort(s.waited)
		sum.Refresh = frametime.RefreshOf(s.waited)
	}
	slices.Sort(s.used)
	if sum.Used >= 100 {
		sum.P99 = frametime.Quantile(s.used, 0.99)
	}
	sum.Longest = s.used[sum.Used-1]
	return sum
}

// column is what falls into one pixel column, or one frame where a frame is
// wider than a pixel.
type column struct {
	x0, x1   float32
	lo, hi   time.Duration
	ticks    int // the most of any frame in it
	least    int
	late     int // missed refreshes of the worst frame, 0..2
	braking  bool
	leftOut  bool
	anything bool
}

// columns calls emit for each column of the last span, from the newest
// backwards. The time axis is time, not frame numbers: x is the frame's end,
// with the newest at the right edge of r.
func (s *Strip) columns(r image.Rectangle, span, refresh time.Duration, emit func(column)) {
	if r.Dx() <= 0 || span <= 0 {
		return
	}
	perNano := float32(r.Dx()) / float32(span)
	left := float32(r.Min.X)
	x := float32(r.Max.X)
	var c column
	for i := range s.Len() {
		f := s.back(i)
		next := x - float32(f.Interval)*perNano
		if !c.anything {
			c = column{x1: x, lo: f.Interval, hi: f.Interval, least: f.Ticks, leftOut: true, anything: true}
		}
		c.x0 = max(next, left)
		c.lo, c.hi = min(c.lo, f.Interval), max(c.hi, f.Interval)
		c.ticks, c.least = max(c.ticks, f.Ticks), min(c.least, f.Ticks)
		c.braking = c.braking || f.Braking
		c.leftOut = c.leftOut && f.LeftOut
		if refresh > 0 && !f.LeftOut && !f.Free {
			missed := int((f.Interval+refresh/2)/refresh) - 1
			c.late = max(c.late, min(missed, 2))
		}
		if c.x1-c.x0 >= 1 {
			emit(c)
			c.anything = false
		}
		if x = next; x <= left {
			break
		}
	}
	if c.anything {
		emit(c)
	}
}

// IntervalLane adds the lane of frame intervals: a line for frames that were
// on time, a bar for one missed refresh, a bar with a cap for more, guide
// lines at the refresh period and twice it, and the time braked as a shade.
// top is the interval at the upper edge of r; unit is one device-independent
// pixel.
func (s *Strip) IntervalLane(m *Mesh, r image.Rectangle, span, refresh, top time.Duration, unit float32) {
	if top <= 0 {
		return
	}
	x0, y0, x1, y1 := edges(r)
	y := func(d time.Duration) float32 {
		return y1 - (y1-y0)*min(float32(d)/float32(top), 1)
	}
	if refresh > 0 {
		for k := time.Duration(1); k <= 2; k++ {
			if g := y(k * refresh); k*refresh < top {
				m.Rect(x0, g, x1, g+1, Line)
			}
		}
	}
	var before column
	s.columns(r, span, refresh, func(c column) {
		if c.braking {
			m.Rect(c.x0, y0, c.x1, y1, Alpha(Laggard, 0.3))
		}
		switch {
		case c.late >= 2:
			m.Rect(c.x0, y(c.hi), max(c.x1, c.x0+2*unit), y1, Alpha(Ink, 0.75))
			mid, h := (c.x0+c.x1)/2, y(c.hi)
			m.Triangle(mid-4*unit, h, mid+4*unit, h, mid, h+6*unit, Ink)
		case c.late == 1:
			m.Rect(c.x0, y(c.hi), max(c.x1, c.x0+2*unit), y1, Alpha(Signal, 0.6))
		}
		ink := Signal
		if c.leftOut {
			ink = Alpha(Faint, 0.45)
		}
		h := 0.75 * unit
		m.Rect(c.x0, y(c.hi)-h, c.x1, y(c.lo)+h, ink)
		// A thin upright joins it to the newer neighbour, so that the line is
		// one line; bars need none.
		if n := before; n.anything && c.late == 0 && n.late == 0 {
			if c.hi < n.lo {
				m.Rect(c.x1-h, y(n.lo), c.x1+h, y(c.hi), ink)
			} else if n.hi < c.lo {
				m.Rect(c.x1-h, y(c.lo), c.x1+h, y(n.hi), ink)
			}
		}
		before = c
	})
}

// TicksLane adds the lane of ticks per frame: a bar for each frame, as high as
// it advanced the world. most is the number at the upper edge of r.
func (s *Strip) TicksLane(m *Mesh, r image.Rectangle, span time.Duration, most int, unit float32) {
	x0, y0, x1, y1 := edges(r)
	m.Rect(x0, y1-1, x1, y1, Line)
	h := (y1 - y0) / float32(max(most, 1))
	s.columns(r, span, 0, func(c column) {
		if c.braking {
			m.Rect(c.x0, y0, c.x1, y1, Alpha(Laggard, 0.3))
		}
		gap := float32(0)
		if c.x1-c.x0 >= 3*unit {
			gap = unit
		}
		full := Alpha(Signal, 0.85)
		if c.leftOut {
			full = Alpha(Faint, 0.45)
		}
		hi, lo := y1-h*float32(min(c.ticks, most)), y1-h*float32(min(c.least, most))
		if c.ticks > 0 {
			m.Rect(c.x0, hi, c.x1-gap, lo, Alpha(full, 0.5))
			m.Rect(c.x0, lo, c.x1-gap, y1, full)
		}
	})
}

// MostTicks is the greatest number of ticks in a frame within the last span.
func (s *Strip) MostTicks(span time.Duration) int {
	var age time.Duration
	most := 0
	for i := range s.Len() {
		f := s.back(i)
		most = max(most, f.Ticks)
		if age += f.Interval; age > span {
			break
		}
	}
	return most
}

func edges(r image.Rectangle) (x0, y0, x1, y1 float32) {
	return float32(r.Min.X), float32(r.Min.Y), float32(r.Max.X), float32(r.Max.Y)
}
