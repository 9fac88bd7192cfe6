package world

import (
	"cmp"
	"slices"
	"time"

	"chronoscope/coordinator"
	"chronoscope/loop"
	"chronoscope/routes"
)

// ZoneDetail is what there is to know of one zone.
type ZoneDetail struct {
	ZoneMark
	Active bool
	// Activation numbers the activations of all zones; Since is the tick at
	// which this one began. Both are 0 for a sleeping zone.
	Activation uint32
	Since      loop.Tick
	// Legs is the number of registered legs that touch the zone, Refined of
	// those whose passages some zone has needed (a stay has one at once).
	Legs, Refined int
	// Rows are the legs with their passages here: first those that are on the
	// way through, then those to come, by their next Enter, those that stay here,
	// and last those that have passed, the last to leave first. They may be fewer
	// than Legs.
	Rows []ZoneLeg
	// What refining has cost, in the whole world.
	Refinements           uint64
	RefineMean, RefineP99 time.Duration
}

// ZoneLeg is a leg that touches a zone.
type ZoneLeg struct {
	Mark
	// Passages of its leg through this zone, in order: several when it comes
	// back. One with Enter == Exit only touches it.
	Passages []routes.ZonePassage
	Refined  bool
}

// viewRefines is how many paths one look at a zone works out the passages of,
// for each row asked for.
const viewRefines = 4

// place in the order of a zone's rows.
type zoneRow struct {
	mark  Mark
	class uint8
	key   loop.Tick // within the class
}

const (
	rowMoving uint8 = iota // inside, on the way
	rowToCome
	rowStaying // inside
	rowPassed
	rowUnknown // its passages aren't there yet
)

// InspectZone gives a zone's details with at most limit rows, false for a zone
// outside the map. Passages that nobody has needed yet are worked out for the
// viewer; that changes nothing. In a zone with very many such legs that is done
// for some of them at a time, so the first looks may have fewer rows to come
// than there are.
func (w *World) InspectZone(z routes.ZoneKey, limit int) (ZoneDetail, bool) {
	if _, ok := w.index.ZoneID(z); !ok {
		return ZoneDetail{}, false
	}
	d := ZoneDetail{ZoneMark: ZoneMark{Zone: z}, Refinements: w.counts.refinements.Load(),
		RefineMean: w.refineTimes.mean(), RefineP99: w.refineTimes.quantile(0.99)}
	if s, ok := w.keeper.shown(z); ok {
		d.ZoneMark, d.Active, d.Activation, d.Since = s.ZoneMark, true, s.activation, s.since
	}
	legs := w.index.Lookup(z, nil)
	d.Legs = len(legs)
	for _, leg := range legs {
		if leg.Refined() {
			d.Refined++
		}
	}
	if limit > 0 {
		d.Rows = w.zoneRows(z, legs, limit)
	}
	return d, true
}

// zoneRows sorts legs by what they have to do with a zone now. First it looks
// at what costs little; the rest only as far as rows are wanted.
func (w *World) zoneRows(z routes.ZoneKey, legs []*routes.Leg, limit int) []ZoneLeg {
	global := w.coord.Global()
	rows := make([]zoneRow, 0, len(legs))
	moving, unknown := 0, 0
	for _, leg := range legs {
		c := w.people.find(coordinator.ObjectID(leg.Owner))
		if c == nil {
			continue
		}
		r := zoneRow{mark: c.mark(global)}
		if r.mark.Leg != leg {
			continue // replaced meanwhile
		}
		now := r.mark.now(global)
		switch {
		case routes.ZoneAt(leg.At(now), w.params.ZoneSide) == z:
			r.class, r.key = rowStaying, leg.Start
			if leg.Kind == routes.Route {
				r.class = rowMoving
				moving++
			}
		case leg.Path().Refined():
			r.place(z, now)
		default:
			r.class, r.key = rowUnknown, leg.Start
			unknown++
		}
		rows = append(rows, r)
	}
	if moving < limit && unknown > 0 {
		// Those that set out first are the likelier ones to be here soon.
		slices.SortFunc(rows, zoneRow.compare)
		from := len(rows) - unknown
		for i := range rows[from:min(len(rows), from+viewRefines*limit)] {
			r := &rows[from+i]
			r.place(z, r.mark.now(global))
		}
	}
	slices.SortFunc(rows, zoneRow.compare)
	var out []ZoneLeg
	var scratch []routes.ZonePassage
	for _, r := range rows {
		if r.class == rowUnknown || len(out) == limit {
			break
		}
		l := ZoneLeg{Mark: r.mark, Refined: r.mark.Leg.Refined()}
		scratch = r.mark.Leg.View(scratch[:0])
		for _, p := range scratch {
			if p.Zone == z {
				l.Passages = append(l.Passages, p)
			}
		}
		out = append(out, l)
	}
	return out
}

// place finds the row's place from its leg's passages, for one that isn't
// inside.
func (r *zoneRow) place(z routes.ZoneKey, now loop.Tick) {
	leg := r.mark.Leg
	r.class, r.key = rowPassed, 0
	for _, p := range leg.Path().Passages() {
		if p.Zone != z {
			continue
		}
		if enter := leg.Start + p.Enter; enter > now {
			r.class, r.key = rowToCome, enter
			return
		}
		r.key = loop.MaxTick - (leg.Start + p.Exit) // the last to leave first
	}
}

func (r zoneRow) compare(o zoneRow) int {
	return cmp.Or(cmp.Compare(r.class, o.class), cmp.Compare(r.key, o.key), cmp.Compare(r.mark.Spawn, o.mark.Spawn))
}

// Heat appends the numbers of registered legs of the zones between two, both
// included, row by row: a value for each of them, also for those outside the
// map, which have none. It costs a short lock a zone.
func (w *World) Heat(lo, hi routes.ZoneKey, dst []int32) []int32 {
	for y := lo.Y; y <= hi.Y; y++ {
		for x := lo.X; x <= hi.X; x++ {
			n := 0
			if _, ok := w.index.ZoneID(routes.ZoneKey{X: x, Y: y}); ok {
				n = w.index.Count(routes.ZoneKey{X: x, Y: y})
			}
			dst = append(dst, int32(n))
		}
	}
	return dst
}

// LegsIn appends up to limit of the current legs that touch the zones between
// two, both included, each once. Apart from dst it allocates nothing.
func (w *World) LegsIn(lo, hi routes.ZoneKey, limit int, dst []*routes.Leg) []*routes.Leg {
	zs := w.clip(span{lo, hi})
	end := len(dst) + max(limit, 0)
	for i := range zs.size() {
		z, n := zs.at(i), len(dst)
		if n >= end {
			break
		}
		all := w.index.Lookup(z, dst)
		dst = all[:n] // those kept move up
		for _, leg := range all[n:] {
			if len(dst) == end {
				break
			}
			if zs.first(leg) != z {
				continue // its turn was in an earlier zone
			}
			c := w.people.find(coordinator.ObjectID(leg.Owner))
			if c != nil && c.current().leg == leg {
				dst = append(dst, leg)
			}
		}
		clear(all[len(dst):])
	}
	return dst
}

// first is the first zone of a span, row by row, that a leg touches.
func (s span) first(leg *routes.Leg) routes.ZoneKey {
	var found routes.ZoneKey
	seen := false
	for z := range leg.ForEachZone {
		if s.has(z) && (!seen || z.Y < found.Y || z.Y == found.Y && z.X < found.X) {
			found, seen = z, true
		}
	}
	return found
}
