package world

import (
	"sync/atomic"
	"time"

	"chronoscope/loop"
	"chronoscope/routes"
)

// zones is the published set of active zones: written by the zone keeper,
// read by everyone at any time.
type zones struct {
	index *routes.Index
	// state of each zone of the map: 0 is inactive, else the number of its
	// activation.
	state []atomic.Uint32
	// count of active zones: 0 lets everyone skip the rest.
	count atomic.Int32
}

func newZones(index *routes.Index) *zones {
	return &zones{index: index, state: make([]atomic.Uint32, index.ZoneCount())}
}

// on says whether a zone is active. One outside the map never is.
func (z *zones) on(k routes.ZoneKey) bool {
	id, ok := z.index.ZoneID(k)
	return ok && z.state[id].Load() != 0
}

// set makes a zone active, as its activation of that number, or inactive (0).
func (z *zones) set(k routes.ZoneKey, activation uint32) {
	id, ok := z.index.ZoneID(k)
	if !ok {
		return
	}
	switch old := z.state[id].Swap(activation); {
	case old == 0 && activation != 0:
		z.count.Add(1)
	case old != 0 && activation == 0:
		z.count.Add(-1)
	}
}

// anyOn says whether one of the zones that a leg touches is active.
func (z *zones) anyOn(leg *routes.Leg) bool {
	if z.count.Load() == 0 {
		return false
	}
	for k := range leg.ForEachZone {
		if z.on(k) {
			return true
		}
	}
	return false
}

// refine works out the passages of a route, once for all who share its path,
// and says where now falls among them: inside an active zone, or else before
// the entry into the next one (MaxTick: none to come).
func (w *World) refine(leg *routes.Leg, now loop.Tick) (inside bool, enter loop.Tick) {
	start := time.Now()
	if leg.Refine() {
		w.counts.refinements.Add(1)
		w.refineTimes.record(time.Since(start))
	}
	if p, ok := leg.Inside(now); ok && w.zones.on(p.Zone) {
		return true, loop.MaxTick
	}
	if p, ok := leg.FirstEnter(now, w.zones.on); ok {
		return false, p.Enter
	}
	return false, loop.MaxTick
}

// near says whether p is within r cells of a zone's square. Distances are
// compared in squared position units, exactly.
func near(p routes.Point, k routes.ZoneKey, side, r int32) bool {
	s := int64(side) * routes.CellUnits
	gap := func(v int32, k int32) int64 {
		lo := int64(k) * s
		return max(lo-int64(v), int64(v)-(lo+s), 0)
	}
	dx, dy, d := gap(p.X, k.X), gap(p.Y, k.Y), int64(r)*routes.CellUnits
	return dx*dx+dy*dy <= d*d
}
