package world

import (
	"time"

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
	// Refined counts those of Legs whose passages some zone has needed.
	Refined int
	// Rows are the legs with their passages here, those that are inside or
	// come next first, those that have passed last. They may be fewer than
	// Legs.
	Rows []ZoneLeg
	// What refining has cost, in the whole world.
	Refinements           uint64
	RefineMean, RefineP99 time.Duration
}

// ZoneLeg is a leg that touches a zone.
type ZoneLeg struct {
	Mark
	// Passages of its leg through this zone, in order: several when it comes
	// back.
	Passages []routes.ZonePassage
	Refined  bool
}

// InspectZone gives a zone's details with at most limit rows, false for a zone
// outside the map. Passages that nobody has needed yet are worked out for the
// viewer; that changes nothing.
func (w *World) InspectZone(z routes.ZoneKey, limit int) (ZoneDetail, bool) {
	return ZoneDetail{}, false
}

// Heat appends the numbers of registered legs of the zones between two, both
// included, row by row. Zones outside the map have none.
func (w *World) Heat(lo, hi routes.ZoneKey, dst []int32) []int32 { return dst }

// LegsIn appends up to limit of the current legs that touch the zones between
// two, both included, each once.
func (w *World) LegsIn(lo, hi routes.ZoneKey, limit int, dst []*routes.Leg) []*routes.Leg { return dst }
