package routes

import (
	"sort"

	"chronoscope/loop"
)

// ZonePassage is a stay in a zone on the half-open [Enter, Exit). Enter == Exit
// means that the zone is touched between two ticks, so that no tick falls in it.
type ZonePassage struct {
	Zone        ZoneKey
	Enter, Exit loop.Tick
}

// Passages are the path's passages relative to its start: for every tick t in
// [0, Ticks()) exactly one contains t, and its zone is the zone of the position
// at t. They are worked out once; concurrent callers share the work and the
// result: don't change it.
func (p *Path) Passages() []ZonePassage {
	p.once.Do(func() {
		list := make([]ZonePassage, 0, p.visits)
		p.eachZone(true, func(z ZoneKey, enter loop.Tick) {
			if n := len(list); n > 0 {
				list[n-1].Exit = enter
			}
			list = append(list, ZonePassage{Zone: z, Enter: enter})
		})
		list[len(list)-1].Exit = p.Ticks()
		p.passages = list
		p.refined.Store(true)
	})
	return p.passages
}

// Refined says whether the passages have been worked out.
func (p *Path) Refined() bool { return p.refined.Load() }

// touch lists the zones.
func (p *Path) touch() {
	var list []ZoneKey
	var seen map[ZoneKey]struct{} // only for long lists
	p.eachZone(false, func(z ZoneKey, _ loop.Tick) {
		p.visits++
		if len(list) < linearZones {
			for _, old := range list {
				if old == z {
					return
				}
			}
			list = append(list, z)
			return
		}
		if seen == nil {
			seen = make(map[ZoneKey]struct{}, 4*linearZones)
			for _, old := range list {
				seen[old] = struct{}{}
			}
		}
		if _, old := seen[z]; !old {
			seen[z] = struct{}{}
			list = append(list, z)
		}
	})
	p.zones = append(make([]ZoneKey, 0, len(list)), list...)
}

// linearZones is the number of zones up to which looking through the list is
// cheaper than a map.
const linearZones = 32

// eachZone calls visit for every zone in the order in which the polyline comes
// into it, again when it comes back, with the first tick at which the position
// is there or already beyond. Without timed the ticks are 0.
func (p *Path) eachZone(timed bool, visit func(z ZoneKey, enter loop.Tick)) {
	z := ZoneAt(p.points[0], p.side)
	visit(z, 0)
	for i := 1; i < len(p.points); i++ {
		a, b := p.points[i-1], p.points[i]
		last := ZoneAt(b, p.side)
		if last == z {
			continue // a square is convex
		}
		x := newBorders(a.X, b.X, z.X, last.X, p.side)
		y := newBorders(a.Y, b.Y, z.Y, last.Y, p.side)
		for x.left > 0 || y.left > 0 {
			order := x.compare(&y)
			at := &x
			if order > 0 {
				at = &y
			}
			var enter loop.Tick
			if timed {
				enter = at.tick(p.times[i-1], p.times[i])
			}
			if order <= 0 {
				z.X += x.pass()
			}
			if order >= 0 {
				z.Y += y.pass()
			}
			visit(z, enter)
		}
	}
}

// borders are the zone borders that one coordinate of a segment crosses, the
// next one first. Going up, the zone changes at the border, which belongs to
// the upper zone; going down, it changes just after the border.
type borders struct {
	down   bool
	left   int64  // borders still to cross
	num    uint64 // from the segment's start to the next border, in units
	length uint64 // of the segment in this coordinate, in units
	side   uint64 // between borders, in units
}

func newBorders(from, to, zoneFrom, zoneTo, side int32) borders {
	s := int64(side) * CellUnits
	if to >= from {
		return borders{
			left:   int64(zoneTo) - int64(zoneFrom),
			num:    uint64((int64(zoneFrom)+1)*s - int64(from)),
			length: uint64(int64(to) - int64(from)),
			side:   uint64(s),
		}
	}
	return borders{
		down:   true,
		left:   int64(zoneFrom) - int64(zoneTo),
		num:    uint64(int64(from) - int64(zoneFrom)*s),
		length: uint64(int64(from) - int64(to)),
		side:   uint64(s),
	}
}

// compare says which coordinate changes its zone first: -1 b, 1 o, 0 both at
// once. At the same point of the segment a change at the border comes before one
// just after it, which is how a mere corner is touched.
func (b *borders) compare(o *borders) int {
	switch {
	case o.left == 0:
		return -1
	case b.left == 0:
		return 1
	}
	// num <= length < 2^32 for both, so the products fit.
	mine, other := b.num*o.length, o.num*b.length
	switch {
	case mine != other:
		if mine < other {
			return -1
		}
		return 1
	case b.down == o.down:
		return 0
	case o.down:
		return -1
	}
	return 1
}

// tick is the first tick at which the next border has been crossed, on a segment
// that takes from one time to another.
func (b *borders) tick(from, to uint64) loop.Tick {
	q, rest := mulDivRest(b.num, to-from, b.length)
	time := from + q
	if b.down {
		return loop.Tick(time>>CostBits) + 1
	}
	if rest != 0 {
		time++
	}
	return loop.Tick(time>>CostBits) + loop.Tick((time&(PlainCost-1)+PlainCost-1)>>CostBits)
}

// pass goes on to the next border and returns the change of the zone.
func (b *borders) pass() int32 {
	b.left--
	b.num += b.side
	if b.down {
		return -1
	}
	return 1
}

// FirstEnter is the passage with the earliest Enter after now among those that
// hold a tick and whose zone is active; false when there is none. passages are in
// order.
func FirstEnter(passages []ZonePassage, active func(ZoneKey) bool, now loop.Tick) (ZonePassage, bool) {
	i := sort.Search(len(passages), func(i int) bool { return passages[i].Enter > now })
	for _, p := range passages[i:] {
		if p.Enter < p.Exit && active(p.Zone) {
			return p, true
		}
	}
	return ZonePassage{}, false
}

// Inside is the passage that holds now; false before the first and from the
// last's Exit on. passages are in order.
func Inside(passages []ZonePassage, now loop.Tick) (ZonePassage, bool) {
	i := sort.Search(len(passages), func(i int) bool { return passages[i].Exit > now })
	if i == len(passages) || passages[i].Enter > now {
		return ZonePassage{}, false
	}
	return passages[i], true
}
