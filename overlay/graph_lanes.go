package overlay

import (
	"image"
	"image/color"
	"slices"
	"time"

	"chronoscope/loop/frametime"
)

// The colours of frames by outcome; each has a shape as well.
var (
	lateInk    = Awake   // one refresh missed: a bar
	latestInk  = Laggard // two or more: a bar with a cap
	excludedBy = Faint   // left out: a thin line, nothing below it
)

// eventInk is the colour of a mark; the shape at its foot tells the kind, too.
func eventInk(k EventKind) color.RGBA {
	switch k {
	case SettingEvent:
		return ToCome
	case FaultEvent, BrakeEvent:
		return Laggard
	case PauseEvent:
		return ZoneEdge
	}
	return Resting
}

// run collects rectangles that continue each other, so that an even graph is a few
// large ones.
type run struct {
	m              *Mesh
	x0, y0, x1, y1 float32
	c              color.RGBA
}

func (r *run) add(x0, y0, x1, y1 float32, c color.RGBA) {
	if x0 <= r.x1+0.01 && r.x1 > r.x0 && y0 == r.y0 && y1 == r.y1 && c == r.c {
		r.x1 = max(r.x1, x1)
		return
	}
	r.end()
	r.x0, r.y0, r.x1, r.y1, r.c = x0, y0, x1, y1, c
}

func (r *run) end() {
	if r.x1 > r.x0 && r.y1 > r.y0 {
		r.m.Rect(r.x0, r.y0, r.x1, r.y1, r.c)
	}
	r.x0, r.x1 = 0, 0
}

// intervalLane adds the lane of frame intervals: below the line the work of the
// frame, strong, then the cap's wait, then the display's, weak; bars where
// refreshes were missed.
func (g *Graph) intervalLane(m *Mesh, r image.Rectangle, s scale, unit float32) {
	_, y0, _, y1 := edges(r)
	y := func(c *graphColumn, d time.Duration) float32 {
		v := y1 - (y1-y0)*s.at(d)
		if c.pixel != 0 {
			v = float32(int(v + 0.5)) // so that neighbours can be one rectangle
		}
		return v
	}
	gap := func(c *graphColumn) float32 {
		if c.x1-c.x0 >= 4*unit {
			return unit
		}
		return 0
	}
	g.areas(m, y, gap, y1, unit)
	h := max(0.75*unit, 0.5)
	line := run{m: m}
	var before *graphColumn
	for i := range g.shown {
		c := &g.shown[i]
		if c.flags&frametime.Gap != 0 {
			before = nil
			continue
		}
		hi, lo := y(c, c.hi), y(c, c.lo)
		ink := Signal
		switch c.worst {
		case frametime.Excluded:
			line.add(c.x0, hi-h/2, c.x1-gap(c), lo+h/2, Alpha(excludedBy, 0.6))
			before = nil
			continue
		case frametime.MissedOne:
			ink = lateInk
		case frametime.MissedMore:
			ink = latestInk
			mid := (c.x0 + c.x1) / 2
			m.Triangle(mid-4*unit, hi, mid+4*unit, hi, mid, hi+6*unit, ink)
		}
		line.add(c.x0, hi-h, c.x1, lo+h, ink)
		// A thin upright joins it to the one before, so that the line is one line.
		if b := before; b != nil && c.worst == frametime.OnTime && b.worst == frametime.OnTime {
			if top := y(b, b.lo); c.hi < b.lo && hi-top > h {
				m.Rect(c.x0-h/2, top, c.x0+h/2, hi, ink)
			} else if foot := y(b, b.hi); b.hi < c.lo && foot-lo > h {
				m.Rect(c.x0-h/2, lo, c.x0+h/2, foot, ink)
			}
		}
		before = c
	}
	line.end()
}

// areas adds what lies below the line of intervals.
func (g *Graph) areas(m *Mesh, y func(*graphColumn, time.Duration) float32, gap func(*graphColumn) float32, y1, unit float32) {
	inks := [...]color.RGBA{Alpha(Signal, 0.5), Alpha(Visitor, 0.4), Alpha(Signal, 0.14)}
	late, latest := Alpha(lateInk, 0.55), Alpha(latestInk, 0.55)
	parts := [...]run{{m: m}, {m: m}, {m: m}}
	bars := run{m: m}
	for i := range g.shown {
		c := &g.shown[i]
		right := c.x1 - gap(c)
		switch {
		case c.flags&frametime.Gap != 0 || c.worst == frametime.Excluded:
		case c.worst == frametime.MissedOne:
			bars.add(c.x0, y(c, c.hi), max(right, c.x0+1.5*unit), y1, late)
		case c.worst == frametime.MissedMore:
			bars.add(c.x0, y(c, c.hi), max(right, c.x0+1.5*unit), y1, latest)
		default:
			foot := y1
			for k, d := range [...]time.Duration{c.busy, max(c.free, c.busy), c.hi} {
				if top := y(c, d); top < foot {
					parts[k].add(c.x0, top, right, foot, inks[k])
					foot = top
				}
			}
		}
	}
	for k := range parts {
		parts[k].end()
	}
	bars.end()
}

// errorLane adds the lane of tick errors: for each release, or for the latest
// in each pixel, how late it was; a cap on those beyond top.
func (g *Graph) errorLane(m *Mesh, rec *Recording, t *graphTime, r image.Rectangle, top time.Duration, unit float32) {
	x0, y0, x1, y1 := edges(r)
	m.Rect(x0, (y0+y1)/2, x1, (y0+y1)/2+1, Alpha(Line, 0.6))
	var x float32
	var worst time.Duration
	open := false
	low := 2 * unit
	put := func() {
		if !open {
			return
		}
		wide := min(x+max(unit, 1), t.right)
		if worst > top {
			m.Rect(x, y0, wide, y1, lateInk)
			mid := min(max((x+wide)/2, t.left+4*unit), t.right-4*unit)
			m.Triangle(mid-3*unit, y0+5*unit, mid+3*unit, y0+5*unit, mid, y0, lateInk)
			return
		}
		m.Rect(x, y1-low-(y1-y0-low)*float32(worst)/float32(top), wide, y1, Signal)
	}
	i, _ := slices.BinarySearchFunc(rec.Releases, t.from, func(a frametime.Release, at int64) int {
		if a.Released < at {
			return -1
		}
		return 1
	})
	for ; i < len(rec.Releases); i++ {
		a := &rec.Releases[i]
		if a.Released > t.to {
			break
		}
		at := min(float32(int(t.x(a.Released))), t.right-1)
		if !open || at != x {
			put()
			x, worst, open = at, 0, true
		}
		worst = max(worst, a.Error().Abs())
	}
	put()
}

// ticksLane adds the lane of ticks per frame: a bar for each, as high as it
// advanced the world, brighter where that is neither the floor nor the ceiling of
// the ratio of the rates; the lag as a line from above.
func (g *Graph) ticksLane(m *Mesh, rec *Recording, r image.Rectangle, most, lagTop int, unit float32) {
	x0, y0, x1, y1 := edges(r)
	m.Rect(x0, y1-1, x1, y1, Line)
	h := (y1 - y0) / float32(max(most, 1))
	floor, ceiling := ideal(rec)
	whole, some, lags := run{m: m}, run{m: m}, run{m: m}
	full, dim, odd := Alpha(Signal, 0.85), Alpha(Faint, 0.45), lateInk
	for i := range g.shown {
		c := &g.shown[i]
		gap := float32(0)
		if c.x1-c.x0 >= 3*unit {
			gap = unit
		}
		ink := full
		switch {
		case c.worst == frametime.Excluded:
			ink = dim
		case ceiling > 0 && c.from >= rec.Rules.Begin && (c.most > ceiling || c.least < floor):
			ink = odd // an earlier segment may have had other rates
		}
		if c.most > 0 {
			hi, lo := y1-h*float32(min(c.most, most)), y1-h*float32(min(max(c.least, 0), most))
			some.add(c.x0, hi, c.x1-gap, lo, Alpha(ink, 0.5))
			whole.add(c.x0, lo, c.x1-gap, y1, ink)
		}
		if c.lag > 0 && lagTop > 0 {
			lags.add(c.x0, y0, c.x1, y0+(y1-y0)*min(float32(c.lag)/float32(lagTop), 1), Alpha(Laggard, 0.55))
		}
	}
	whole.end()
	some.end()
	lags.end()
}

// ideal are the floor and the ceiling of the ticks a frame; 0, 0 while they are
// unknown.
func ideal(rec *Recording) (floor, ceiling int) {
	if rec.Refresh <= 0 || !rec.Rate.Valid() {
		return 0, 0
	}
	per := rec.Rate.Float() * rec.Refresh.Seconds()
	// A measured refresh is never exactly a multiple.
	floor, ceiling = int(per+0.001), int(per+0.999)
	return floor, max(ceiling, 1)
}

// mostTicks is the greatest number of ticks in a column in view, at least 2.
func (g *Graph) mostTicks() int {
	most := 2
	for i := range g.shown {
		most = max(most, g.shown[i].most)
	}
	return min(most, 64)
}

// marks adds the events in view to a lane: brakes and pauses as shades, the
// others as lines, all across.
func (g *Graph) marks(m *Mesh, rec *Recording, t *graphTime, r image.Rectangle, foot bool, unit float32) {
	_, y0, _, y1 := edges(r)
	for i := range rec.Events {
		e := &rec.Events[i]
		end := e.End
		if end == 0 {
			end = t.to
		}
		if end < t.from || e.At > t.to {
			continue
		}
		x, c := t.x(e.At), eventInk(e.Kind)
		switch e.Kind {
		case BrakeEvent, PauseEvent:
			right := max(t.x(end), x+max(unit, 1))
			m.Rect(x, y0, right, y1, Alpha(c, 0.16))
			m.Rect(x, y0, right, y0+2*unit, Alpha(c, 0.9))
			continue
		case CollectEvent:
			if foot { // there are many: a dot at the foot will do
				m.Quad(x, y1-5*unit, x+2.5*unit, y1-2.5*unit, x, y1, x-2.5*unit, y1-2.5*unit, c)
			}
			continue
		}
		if e.At < t.from {
			continue
		}
		w := max(unit, 1)
		m.Rect(x-w/2, y0, x+w/2, y1, Alpha(c, 0.9))
		if foot {
			m.Triangle(x-5*unit, y1, x+5*unit, y1, x, y1-7*unit, c)
		}
	}
}
