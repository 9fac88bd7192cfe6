package overlay

import (
	"image"
	"slices"
	"time"

	"chronoscope/coordinator"
	"chronoscope/loop"
	"chronoscope/loop/frametime"
)

// ReleaseSpan is the real time that a strip of releases shows.
const ReleaseSpan = 10 * time.Second

// Bounds of what a strip of releases remembers: 10 s at 240 ticks a second and
// speed x1, and a brake every 80 ms. Faster worlds are remembered for shorter.
const (
	releasesKept = 4096
	brakesKept   = 128
	pausesKept   = 128
)

// Releases is the strip chart of released ticks: each at its time, as high as it
// was late, with brakes and pauses between. It remembers more than the
// coordinator does, from what it is shown again and again. The zero Releases is
// empty and ready.
type Releases struct {
	ring   [releasesKept]coordinator.Release
	pushed uint64
	brakes []brakeMark
	pauses []pauseMark

	held   brakeMark // the brake that lasts
	isHeld bool

	lateness []time.Duration // scratch of top
}

// brakeMark is a brake that is over.
type brakeMark struct {
	tick       loop.Tick
	start, end time.Time
	label      string // who and how long
	guessed    bool   // the end is when it was first seen to be over
}

// pauseMark is a time that the user held the world.
type pauseMark struct {
	start, end time.Time
	lasts      bool
}

// sameBrake is how far two readings of one brake's beginning may be apart: it is
// told by how long ago it was.
const sameBrake = 50 * time.Millisecond

// back is the release i before the newest.
func (s *Releases) back(i int) *coordinator.Release {
	return &s.ring[(s.pushed-1-uint64(i))%releasesKept]
}

// Len is how many releases are remembered.
func (s *Releases) Len() int { return int(min(s.pushed, releasesKept)) }

// Show takes over the releases, brakes and pauses that are new. now is the
// instant at which v was read.
func (s *Releases) Show(v *Values, now time.Time) {
	for _, r := range v.Recent {
		if s.pushed > 0 && r.Tick <= s.back(0).Tick {
			if !r.Actual.After(s.back(0).Actual) {
				continue // known
			}
			s.forget() // another world
		}
		s.ring[s.pushed%releasesKept] = r
		s.pushed++
	}
	for _, e := range slices.Backward(v.Last) { // newest first, there
		s.addBrake(e, now)
	}
	was := s.isHeld
	s.isHeld = v.Braking && len(v.Laggards) > 0
	if was && !s.isHeld {
		// It is over, and is told of as an episode only with the next numbers.
		b := s.held
		b.end, b.guessed = now, true
		s.keepBrake(b)
	}
	if s.isHeld {
		l := v.Laggards[0]
		for _, o := range v.Laggards[1:] {
			if o.For > l.For {
				l = o
			}
		}
		s.held = brakeMark{tick: v.Tick, start: now.Add(-l.For), label: l.Name + "  " + Span(l.For)}
	}
	s.addPause(v.Paused, now)
}

// forget drops everything.
func (s *Releases) forget() {
	s.pushed, s.brakes, s.pauses, s.isHeld = 0, s.brakes[:0], s.pauses[:0], false
}

func (s *Releases) addBrake(e EpisodeRow, now time.Time) {
	end := now.Add(-e.Ago)
	b := brakeMark{tick: e.Tick, start: end.Add(-e.Length), end: end}
	if e.Ago > ReleaseSpan {
		return
	}
	b.label = e.Cause.Name + "  " + Brief(e.Length)
	s.keepBrake(b)
}

// keepBrake remembers a brake once. One whose end was guessed gives way to the
// one that is told of.
func (s *Releases) keepBrake(b brakeMark) {
	for i := range s.brakes {
		if k := &s.brakes[i]; k.tick == b.tick && k.start.Sub(b.start).Abs() < sameBrake {
			if k.guessed {
				*k = b
			}
			return
		}
	}
	if len(s.brakes) == brakesKept {
		s.brakes = s.brakes[:copy(s.brakes, s.brakes[1:])]
	}
	s.brakes = append(s.brakes, b)
}

// addPause follows the pauses. One begins at the last release, since nobody says
// when it was asked for, and lasts until it is seen to be over or a tick is
// released.
func (s *Releases) addPause(paused bool, now time.Time) {
	if n := len(s.pauses); n > 0 && s.pauses[n-1].lasts {
		p := &s.pauses[n-1]
		if p.end = now; s.pushed > 0 && s.back(0).Actual.After(p.start) {
			// Steps in a pause are released, too: a new one begins after them.
			p.end, p.lasts = s.firstAfter(p.start), false
		} else if !paused {
			p.lasts = false
		} else {
			return
		}
	}
	if !paused {
		return
	}
	p := pauseMark{start: now, end: now, lasts: true}
	if s.pushed > 0 {
		p.start = s.back(0).Actual
	}
	if len(s.pauses) == pausesKept {
		s.pauses = s.pauses[:copy(s.pauses, s.pauses[1:])]
	}
	s.pauses = append(s.pauses, p)
}

// firstAfter is when the first remembered release after an instant was.
func (s *Releases) firstAfter(from time.Time) time.Time {
	first := s.back(0).Actual
	for i := range s.Len() {
		r := s.back(i)
		if !r.Actual.After(from) {
			break
		}
		first = r.Actual
	}
	return first
}

// late is how late a release was; 0 for one without a due instant, as at
// greatest speed.
func late(r *coordinator.Release) time.Duration {
	if r.Scheduled.IsZero() {
		return 0
	}
	return max(r.Actual.Sub(r.Scheduled), 0)
}

// Top is the lateness at the upper edge: a round value that 99 of 100 releases
// of the span don't exceed, at least 1 ms.
func (s *Releases) Top(now time.Time) time.Duration {
	s.lateness = s.lateness[:0]
	for i := range s.Len() {
		r := s.back(i)
		if now.Sub(r.Actual) > ReleaseSpan {
			break
		}
		s.lateness = append(s.lateness, late(r))
	}
	slices.Sort(s.lateness)
	need := frametime.Quantile(s.lateness, 0.99) * 11 / 10
	for unit := time.Millisecond; ; unit *= 10 {
		for _, k := range [...]time.Duration{1, 2, 5} {
			if k*unit >= need {
				return k * unit
			}
		}
	}
}

// timeAxis maps real time to the width of a place, the present at its right.
type timeAxis struct {
	left, right float32
	perNano     float64
	now         time.Time
}

func newTimeAxis(r image.Rectangle, now time.Time) timeAxis {
	x0, _, x1, _ := edges(r)
	return timeAxis{left: x0, right: x1, perNano: float64(x1-x0) / float64(ReleaseSpan), now: now}
}

// x is where an instant stands, cut off at both ends.
func (a *timeAxis) x(t time.Time) float32 {
	return min(max(a.right-float32(float64(a.now.Sub(t))*a.perNano), a.left), a.right)
}

// Build adds the strip: a mark for each release, or, where they are denser than
// pixels, for the latest in each pixel; a cap on those beyond top; brakes
// vermilion between two posts, pauses under a yellow bar, and a dim foot where
// more ticks were released than were kept. unit is one device-independent pixel.
func (s *Releases) Build(m *Mesh, r image.Rectangle, now time.Time, top time.Duration, unit float32) {
	if r.Empty() || top <= 0 {
		return
	}
	a := newTimeAxis(r, now)
	_, y0, _, y1 := edges(r)
	mid := (y0 + y1) / 2
	m.Rect(a.left, mid, a.right, mid+1, Line)
	m.Rect(a.left, y1-1, a.right, y1, Line)
	for i := range s.pauses {
		p := &s.pauses[i]
		end := p.end
		if p.lasts {
			end = now
		}
		if x0, x1 := a.x(p.start), a.x(end); x0 < x1 {
			m.Rect(x0, y0, x1, y1, Alpha(ZoneEdge, 0.1))
			m.Rect(x0, y0, x1, min(y0+3*unit, y1), Alpha(ZoneEdge, 0.9))
		}
	}
	for i := range s.brakes {
		s.brakes[i].build(m, &a, y0, y1, s.brakes[i].end, unit)
	}
	if s.isHeld {
		s.held.build(m, &a, y0, y1, now, unit)
	}
	s.marks(m, &a, y0, y1, top, unit)
}

// build shades a brake and rules off its ends, so that it isn't colour alone.
func (b *brakeMark) build(m *Mesh, a *timeAxis, y0, y1 float32, end time.Time, unit float32) {
	x0, x1 := a.x(b.start), a.x(end)
	if x1 <= a.left || x0 >= a.right {
		return
	}
	x1 = min(max(x1, x0+unit), a.right)
	m.Rect(x0, y0, x1, y1, Alpha(Laggard, 0.35))
	m.Rect(x0, y0, x1, min(y0+3*unit, y1), Laggard)
	m.Rect(x0, y0, min(x0+max(unit, 1), x1), y1, Laggard)
	m.Rect(max(x1-max(unit, 1), x0), y0, x1, y1, Laggard)
}

// marks adds the releases, the newest first.
func (s *Releases) marks(m *Mesh, a *timeAxis, y0, y1 float32, top time.Duration, unit float32) {
	var x float32 // of the mark in the making
	var worst time.Duration
	open := false
	// One on time is a low mark: the rhythm of the ticks can be seen.
	low := 4 * unit
	put := func() {
		if !open {
			return
		}
		h := low + (y1-y0-low)*min(float32(worst)/float32(top), 1)
		x1 := min(x+max(unit, 1), a.right)
		if worst <= top {
			m.Rect(x, y1-h, x1, y1, Signal)
			return
		}
		m.Rect(x, y0, x1, y1, Ink)
		mid := min(max((x+x1)/2, a.left+4*unit), a.right-4*unit)
		m.Triangle(mid-4*unit, y0+6*unit, mid+4*unit, y0+6*unit, mid, y0, Ink)
	}
	for i := range s.Len() {
		r := s.back(i)
		if a.now.Sub(r.Actual) >= ReleaseSpan {
			break
		}
		at := float32(int(a.x(r.Actual)))
		at = min(at, a.right-1)
		if !open || at != x {
			put()
			x, worst, open = at, 0, true
		}
		worst = max(worst, late(r))
		if i+1 < s.Len() {
			if o := s.back(i + 1); o.Tick+1 < r.Tick {
				// More were released than anybody kept.
				m.Rect(a.x(o.Actual), y1-low, a.x(r.Actual), y1, Alpha(Faint, 0.35))
			}
		}
	}
	put()
}

// labels calls yield for each brake that is in view, the newest first, with what
// to write over it, where it begins, and whether it lasts.
func (s *Releases) labels(r image.Rectangle, now time.Time, yield func(label string, x0 float32, lasts bool)) {
	a := newTimeAxis(r, now)
	if s.isHeld {
		yield(s.held.label, a.x(s.held.start), true)
	}
	for i := len(s.brakes) - 1; i >= 0; i-- {
		if b := &s.brakes[i]; a.x(b.end) > a.left {
			yield(b.label, a.x(b.start), false)
		}
	}
}

// Beyond counts the brakes and pauses in view.
func (s *Releases) Beyond(now time.Time) (brakes, pauses int) {
	for i := range s.brakes {
		if now.Sub(s.brakes[i].end) < ReleaseSpan {
			brakes++
		}
	}
	if s.isHeld {
		brakes++
	}
	for i := range s.pauses {
		if s.pauses[i].lasts || now.Sub(s.pauses[i].end) < ReleaseSpan {
			pauses++
		}
	}
	return brakes, pauses
}
