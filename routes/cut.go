package routes

import "chronoscope/loop"

// Cut gives a leg as it becomes when its owner changes its plan at tick t: it
// ends at the first tick from t on at which its owner stands on a cell's centre,
// since a step that is under way is finished first. At that tick it is at the
// centre itself, where a walker who went on might be a part of a tick beyond.
// At every tick before, the cut leg is where l is.
//
// The cut leg has l's owner, number, generation and start; l stays as it is. It
// is nil where nothing would be left of l: what follows then replaces it, from
// end, which is l.Start. A tick outside the leg is taken for the nearest in
// [Start, End]. A way along points of one's own (NewPath) stops at those of its points
// that are centres, and at centres on stretches that are cut evenly by them, as
// all of a found path are; at the latest at its last point.
func (l *Leg) Cut(t loop.Tick) (cut *Leg, end loop.Tick, at Point) {
	t = min(max(t, l.Start), l.End)
	if l.Kind == Stay {
		if t == l.Start {
			return nil, t, l.at
		}
		cut = l.like(t)
		cut.at, cut.zone = l.at, l.zone
		return cut, t, l.at
	}
	p := l.path.until(t - l.Start)
	if p == nil {
		return nil, l.Start, l.path.First()
	}
	cut = l.like(l.Start + p.Ticks())
	cut.path = p
	return cut, cut.End, p.Last()
}

// like is a leg of the same owner, number, generation and start, not yet shared.
func (l *Leg) like(end loop.Tick) *Leg {
	return &Leg{
		Owner: l.Owner, Number: l.Number, Generation: l.Generation, Kind: l.Kind,
		Start: l.Start, End: end,
	}
}

// until is the first part of the path, to the first centre that is reached at
// tick t or later; nil when that is the start, p itself when it is the end.
func (p *Path) until(t loop.Tick) *Path {
	if t == 0 {
		return nil
	}
	// A centre that is reached within a tick is stood on at the next whole
	// one: whatever comes after t-1 is in time.
	from := min(uint64(t-1)<<CostBits+1, p.total())
	if from == p.total() {
		return p
	}
	for i := p.segment(from); i+1 < len(p.points); i++ {
		if at, time, ok := p.center(i, from); ok {
			return p.head(i, at, time)
		}
	}
	return p
}

// center is the first centre of a cell on segment i from a time on, and when it
// is passed. The segment's last point belongs to the next segment.
func (p *Path) center(i int, from uint64) (at Point, time uint64, ok bool) {
	const half = CellUnits / 2
	a, b := p.points[i], p.points[i+1]
	began, whole := p.times[i], p.times[i+1]-p.times[i]
	dx, dy := abs(b.X-a.X), abs(b.Y-a.Y)
	length := max(dx, dy)
	halves := uint64(length / half)
	even := length%half == 0 && (dx == dy || min(dx, dy) == 0) && halves > 0 && whole%halves == 0
	if !even {
		return a, began, began >= from && isCenter(a)
	}
	// Centres are two half cells apart, so one of two neighbouring steps is one.
	each := whole / halves
	first := uint64(0)
	if from > began {
		first = (from - began + each - 1) / each
	}
	for k := first; k < min(first+2, halves); k++ {
		at = Point{a.X + sign(a.X, b.X)*int32(k)*half, a.Y + sign(a.Y, b.Y)*int32(k)*half}
		if isCenter(at) {
			return at, began + k*each, true
		}
	}
	return Point{}, 0, false
}

func isCenter(p Point) bool { return p == CellOf(p).Center() }

// head is the path up to a point on segment i that is passed at a time below
// the total.
func (p *Path) head(i int, at Point, time uint64) *Path {
	h := &Path{From: p.From, To: CellOf(at), side: p.side, Cost: time / TicksPerCell}
	n := i + 1
	if at != p.points[i] {
		n++
	}
	h.points, h.times = make([]Point, n), make([]uint64, n)
	copy(h.points, p.points[:i+1])
	copy(h.times, p.times[:i+1])
	h.points[n-1], h.times[n-1] = at, time
	if p.Straight+p.Diagonal > 0 {
		h.countSteps()
	}
	h.touch()
	return h
}

// countSteps counts the steps of the first part of a found path.
func (p *Path) countSteps() {
	var straight, diagonal int32 // units
	for i := 1; i < len(p.points); i++ {
		a, b := p.points[i-1], p.points[i]
		dx, dy := abs(b.X-a.X), abs(b.Y-a.Y)
		if dx == dy {
			diagonal += dx
		} else {
			straight += max(dx, dy)
		}
	}
	p.Straight, p.Diagonal = int(straight/CellUnits), int(diagonal/CellUnits)
}
