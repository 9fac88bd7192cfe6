package routes

import (
	"sync/atomic"

	"chronoscope/loop"
)

// LegKind is the kind of a leg.
type LegKind uint8

// The kinds of legs.
const (
	Stay  LegKind = iota // at one place
	Route                // along a path
)

// Leg is a piece of a character's life: a function from tick to position on
// [Start, End). What it says never changes once it is shared; a changed plan is a
// new leg. Only two marks in it move: that it has been refined, and whether an
// index holds it.
type Leg struct {
	Owner      uint64 // whoever made it; opaque here
	Start, End loop.Tick
	Number     uint32 // of the owner's legs, one by one
	Generation uint32 // of the owner's plan; set by the owner before the leg is shared
	Kind       LegKind

	marks atomic.Uint32
	at    Point   // of a Stay
	zone  ZoneKey // of a Stay
	path  *Path   // of a Route
}

// What marks holds; above it, the leg's slot in the index.
const (
	markRefined uint32 = 1 << iota
	markIndexed        // an index holds it
	markRemoved        // and has let go of it again

	markBits = iota
)

// NewStay makes a leg that stays at a point on [start, end); end may be
// loop.MaxTick. side is the zones' side in cells, 0 for DefaultZoneSide. It panics unless start < end:
// a leg of length 0 is a mistake of the owner's.
func NewStay(owner uint64, number uint32, at Point, start, end loop.Tick, side int32) *Leg {
	if start >= end {
		panic("routes: a stay must start before it ends")
	}
	if side == 0 {
		side = DefaultZoneSide
	}
	return &Leg{Owner: owner, Number: number, Kind: Stay, Start: start, End: end, at: at, zone: ZoneAt(at, side)}
}

// NewRoute makes a leg along p from start on; it ends p.Ticks() later.
func NewRoute(owner uint64, number uint32, p *Path, start loop.Tick) *Leg {
	return &Leg{Owner: owner, Number: number, Kind: Route, Start: start, End: start + p.Ticks(), path: p}
}

// Path is the path of a Route, nil for a Stay.
func (l *Leg) Path() *Path { return l.path }

// Place is where a Stay stays, and where a Route ends.
func (l *Leg) Place() Point {
	if l.Kind == Stay {
		return l.at
	}
	return l.path.Last()
}

// At is the position at a tick: at Start the first point, from End on the last.
// Before Start it is the first.
func (l *Leg) At(t loop.Tick) Point {
	switch {
	case l.Kind == Stay:
		return l.at
	case t <= l.Start:
		return l.path.First()
	case t >= l.End:
		return l.path.Last()
	}
	return l.path.at(uint64(t-l.Start) << CostBits)
}

// AtFraction is the position in cells at a fraction in [0, 1] of a tick after t.
// It is for drawing: at fraction 0 it differs from At by rounding only.
func (l *Leg) AtFraction(t loop.Tick, fraction float64) (x, y float64) {
	at, next, part := l.span(t, fraction)
	x = float64(at.X) + (float64(next.X)-float64(at.X))*part
	y = float64(at.Y) + (float64(next.Y)-float64(at.Y))*part
	return x / CellUnits, y / CellUnits
}

// span is the segment under way at t + fraction and how far along it is, 0 to 1.
func (l *Leg) span(t loop.Tick, fraction float64) (at, next Point, part float64) {
	switch {
	case l.Kind == Stay:
		return l.at, l.at, 0
	case t < l.Start:
		return l.path.First(), l.path.First(), 0
	case t >= l.End:
		return l.path.Last(), l.path.Last(), 0
	}
	p := l.path
	time := uint64(t-l.Start)<<CostBits + uint64(min(max(fraction, 0), 1)*float64(PlainCost))
	if time >= p.total() {
		return p.Last(), p.Last(), 0
	}
	i := p.segment(time)
	return p.points[i], p.points[i+1], float64(time-p.times[i]) / float64(p.times[i+1]-p.times[i])
}

// Heading is the direction of the walk at a tick, each part -1, 0 or 1; 0, 0 when
// standing. Before Start it is the first direction, from End on the last.
func (l *Leg) Heading(t loop.Tick) (dx, dy int32) {
	if l.Kind == Stay || l.path.total() == 0 {
		return 0, 0
	}
	p := l.path
	last := p.total() - 1
	time := uint64(0)
	if t >= l.End {
		time = last
	} else if t > l.Start {
		time = min(uint64(t-l.Start)<<CostBits, last)
	}
	i := p.segment(time)
	return sign(p.points[i].X, p.points[i+1].X), sign(p.points[i].Y, p.points[i+1].Y)
}

// sign is the sign of b - a.
func sign(a, b int32) int32 {
	switch {
	case b > a:
		return 1
	case b < a:
		return -1
	}
	return 0
}

// ForEachZone calls yield for every zone the leg touches, each once, until yield
// returns false. It allocates nothing and can be ranged over.
func (l *Leg) ForEachZone(yield func(ZoneKey) bool) {
	if l.Kind == Stay {
		yield(l.zone)
		return
	}
	for _, z := range l.path.zones {
		if !yield(z) {
			return
		}
	}
}

// AppendZones appends the zones the leg touches to dst.
func (l *Leg) AppendZones(dst []ZoneKey) []ZoneKey {
	if l.Kind == Stay {
		return append(dst, l.zone)
	}
	return append(dst, l.path.zones...)
}

// Touches says whether some point of the leg lies in z.
func (l *Leg) Touches(z ZoneKey) bool {
	for own := range l.ForEachZone {
		if own == z {
			return true
		}
	}
	return false
}

// Refine works the passages out where a path hasn't got them yet. It is true for
// one caller per leg: the one that refined it. A Stay needs no refinement.
func (l *Leg) Refine() (first bool) {
	if l.Kind == Stay {
		return false
	}
	l.path.Passages()
	return l.marks.Load()&markRefined == 0 && l.marks.Or(markRefined)&markRefined == 0
}

// Refined says whether the passages are there: always for a Stay.
func (l *Leg) Refined() bool { return l.Kind == Stay || l.marks.Load()&markRefined != 0 }

// Passages appends the leg's passages, in ticks of the world, to dst: contiguous
// and in order, the first from Start, the last to End. It refines the leg if
// that hasn't been done.
func (l *Leg) Passages(dst []ZonePassage) []ZonePassage {
	if l.Kind == Stay {
		return append(dst, ZonePassage{l.zone, l.Start, l.End})
	}
	l.Refine()
	for _, p := range l.path.Passages() {
		dst = append(dst, l.absolute(p))
	}
	return dst
}

// View appends the leg's passages for someone who only looks: the leg doesn't
// count as refined by it.
func (l *Leg) View(dst []ZonePassage) []ZonePassage {
	if l.Kind == Stay {
		return append(dst, ZonePassage{l.zone, l.Start, l.End})
	}
	for _, p := range l.path.Passages() {
		dst = append(dst, l.absolute(p))
	}
	return dst
}

func (l *Leg) absolute(p ZonePassage) ZonePassage {
	return ZonePassage{p.Zone, l.Start + p.Enter, l.Start + p.Exit}
}

// FirstEnter is the leg's passage with the earliest Enter after now among those
// that hold a tick and whose zone is active. Apart from a first refinement it
// allocates nothing.
func (l *Leg) FirstEnter(now loop.Tick, active func(ZoneKey) bool) (ZonePassage, bool) {
	if l.Kind == Stay {
		if l.Start > now && active(l.zone) {
			return ZonePassage{l.zone, l.Start, l.End}, true
		}
		return ZonePassage{}, false
	}
	l.Refine()
	if now < l.Start { // the first passage enters at 0, which isn't after any relative now
		if p := l.path.passages[0]; p.Enter < p.Exit && active(p.Zone) {
			return l.absolute(p), true
		}
		now = l.Start
	}
	p, ok := FirstEnter(l.path.passages, active, now-l.Start)
	if !ok {
		return ZonePassage{}, false
	}
	return l.absolute(p), true
}

// Inside is the leg's passage that holds now; false outside [Start, End). Apart
// from a first refinement it allocates nothing.
func (l *Leg) Inside(now loop.Tick) (ZonePassage, bool) {
	if now < l.Start || now >= l.End {
		return ZonePassage{}, false
	}
	if l.Kind == Stay {
		return ZonePassage{l.zone, l.Start, l.End}, true
	}
	l.Refine()
	p, _ := Inside(l.path.passages, now-l.Start)
	return l.absolute(p), true
}
