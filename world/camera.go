package world

import (
	"fmt"

	"chronoscope/loop"
	"chronoscope/routes"
)

// Area is a rectangle of cells, both corners included.
type Area struct{ Lo, Hi routes.Cell }

// SetCamera makes a viewer's camera wake the zones that area touches, or, with
// nil, none. A zone stays active until the area is farther away than the
// difference of the two radii; with nil, all sleep again that nothing else
// holds. It takes effect at once, also while the world is paused, and changes
// no result.
//
// It never waits: the zone keeper is told, and of several areas the newest
// counts, so that it can be called for every frame. The error is one of an area
// whose corners are the wrong way round, or ErrStopped.
func (w *World) SetCamera(area *Area) error {
	if area != nil && (area.Lo.X > area.Hi.X || area.Lo.Y > area.Hi.Y) {
		return fmt.Errorf("world: camera (%d, %d) to (%d, %d): the first corner lies beyond the second",
			area.Lo.X, area.Lo.Y, area.Hi.X, area.Hi.Y)
	}
	if w.stopped() {
		return ErrStopped
	}
	old := w.keeper.area.Load()
	switch {
	case area == nil:
		if old == nil {
			return nil
		}
	case old != nil && *old == *area:
		return nil
	default:
		own := *area // the caller may go on to use his
		area = &own
	}
	w.keeper.area.Store(area)
	w.keeper.ask()
	return nil
}

// camera is what the keeper knows of the camera. When it moves, the keeper
// sweeps over all zones it may hold: it wakes and drops them in one go.
type camera struct {
	area   *Area // what the sweep is for
	margin int32 // cells that a zone may be away and stay
	over   span  // zones that area touches
	held   span  // no zone outside is active for the camera

	sweeping bool
	next     int // zone of held to look at next, row by row
}

func noCamera() camera { return camera{over: emptySpan(), held: emptySpan()} }

// A sweep is done in pieces of about a tenth of a millisecond: sweepWork, in
// looks at a zone that stays as it is. Waking or dropping a zone counts as
// changeWork of them, and so does each leg that is told.
const (
	sweepWork  = 1 << 16
	changeWork = 64
)

// aim begins a sweep if the camera, or the difference of the radii, is another.
func (k *keeper) aim() {
	c := &k.camera
	area, tuning := k.area.Load(), k.w.tuning.Load()
	margin := tuning.SleepRadius - tuning.WakeRadius
	if area == c.area && margin == c.margin {
		return
	}
	c.area, c.margin, c.over = area, margin, emptySpan()
	if area != nil {
		c.over = k.w.span(*area, 0)
	}
	c.held = c.held.join(c.over)
	c.next, c.sweeping = 0, true
}

// sweep does a piece of the sweep under way.
func (k *keeper) sweep(t loop.Tick) {
	c := &k.camera
	if !c.sweeping {
		return
	}
	side, work := k.w.params.ZoneSide, 0
	for n := c.held.size(); c.next < n; c.next++ {
		z := c.held.at(c.next)
		id, _ := k.w.index.ZoneID(z) // spans lie within the map
		switch held := k.why[id]&filmed != 0; {
		case c.over.has(z):
			if k.hold(z, filmed, t) {
				work += changeWork * (1 + len(k.legs))
			}
		case held && (c.area == nil || !c.area.within(z, side, c.margin)):
			k.drop(z, filmed, t)
			work += changeWork
		}
		if work++; work >= sweepWork {
			c.next++
			return
		}
	}
	c.sweeping = false
	c.held = emptySpan()
	if c.area != nil {
		// A cell more: a zone that lies exactly that far away stays.
		c.held = k.w.span(*c.area, c.margin+1)
	}
}

// within says whether a zone's square is no more than r cells from the area.
func (a Area) within(z routes.ZoneKey, side, r int32) bool {
	gap := func(lo, hi, k int32) int64 {
		from, to := int64(k)*int64(side), (int64(k)+1)*int64(side)
		return max(from-(int64(hi)+1), int64(lo)-to, 0)
	}
	dx, dy := gap(a.Lo.X, a.Hi.X, z.X), gap(a.Lo.Y, a.Hi.Y, z.Y)
	// Zones lie within the map, but areas are anywhere: no square overflows
	// once both are at most r.
	d := int64(r)
	return dx <= d && dy <= d && dx*dx+dy*dy <= d*d
}

// span is a rectangle of zones, both corners included.
type span struct{ lo, hi routes.ZoneKey }

func emptySpan() span { return span{hi: routes.ZoneKey{X: -1, Y: -1}} }

func (s span) empty() bool { return s.hi.X < s.lo.X || s.hi.Y < s.lo.Y }

func (s span) size() int {
	if s.empty() {
		return 0
	}
	return int(s.hi.X-s.lo.X+1) * int(s.hi.Y-s.lo.Y+1)
}

// at is the i-th zone, row by row.
func (s span) at(i int) routes.ZoneKey {
	width := int(s.hi.X - s.lo.X + 1)
	return routes.ZoneKey{X: s.lo.X + int32(i%width), Y: s.lo.Y + int32(i/width)}
}

func (s span) has(z routes.ZoneKey) bool {
	return z.X >= s.lo.X && z.X <= s.hi.X && z.Y >= s.lo.Y && z.Y <= s.hi.Y
}

// join is the smallest span that holds both.
func (s span) join(o span) span {
	switch {
	case s.empty():
		return o
	case o.empty():
		return s
	}
	return span{
		lo: routes.ZoneKey{X: min(s.lo.X, o.lo.X), Y: min(s.lo.Y, o.lo.Y)},
		hi: routes.ZoneKey{X: max(s.hi.X, o.hi.X), Y: max(s.hi.Y, o.hi.Y)},
	}
}

// clip is the part of a span that lies on the map.
func (w *World) clip(s span) span {
	first, last := w.index.Zones()
	s.lo = routes.ZoneKey{X: max(s.lo.X, first.X), Y: max(s.lo.Y, first.Y)}
	s.hi = routes.ZoneKey{X: min(s.hi.X, last.X), Y: min(s.hi.Y, last.Y)}
	if s.empty() {
		return emptySpan()
	}
	return s
}

// span are the map's zones that the cells of an area, and r cells around it,
// touch.
func (w *World) span(a Area, r int32) span {
	// Far outside the map one cell is like another, and none overflows.
	const far = 1 << 30
	cell := func(c routes.Cell, r int32) routes.ZoneKey {
		x, y := min(max(c.X, -far), far)+r, min(max(c.Y, -far), far)+r
		return routes.ZoneKey{X: floorDiv(x, w.params.ZoneSide), Y: floorDiv(y, w.params.ZoneSide)}
	}
	return w.clip(span{cell(a.Lo, -r), cell(a.Hi, r)})
}

// floorDiv is a / b rounded down, b > 0.
func floorDiv(a, b int32) int32 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}
