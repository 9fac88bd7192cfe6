package world

import (
	"fmt"
	"iter"

	"chronoscope/loop"
	"chronoscope/routes"
)

// tour is a visitor's way as a function of the tick: round and round along
// its track.
type tour struct {
	start routes.Point
	legs  []*routes.Leg // one after the other from tick 0
	round loop.Tick     // length of one round, 0 for one that stands still
}

// newTour finds the paths of a track.
func newTour(s *routes.Searcher, track []routes.Cell) (tour, error) {
	t := tour{start: track[0].Center()}
	for i, from := range track {
		to := track[(i+1)%len(track)]
		if from == to {
			continue
		}
		p, err := s.Find(from, to)
		if err != nil {
			return tour{}, fmt.Errorf("world: a visitor's track from (%d, %d) to (%d, %d): %w", from.X, from.Y, to.X, to.Y, err)
		}
		leg := routes.NewRoute(0, 0, p, t.round)
		t.legs = append(t.legs, leg)
		t.round = leg.End
	}
	return t, nil
}

// at is where the visitor is at a tick.
func (t *tour) at(tick loop.Tick) routes.Point {
	x, leg := t.leg(tick)
	if leg == nil {
		return t.start
	}
	return leg.At(x)
}

// leg is the part of the tour under way at a tick, and the tick within it.
func (t *tour) leg(tick loop.Tick) (loop.Tick, *routes.Leg) {
	if t.round == 0 {
		return 0, nil
	}
	tick %= t.round
	for _, l := range t.legs {
		if tick < l.End {
			return tick, l
		}
	}
	return 0, t.legs[0]
}

// wander draws the track of the i-th wandering visitor: a round through a few
// places all over the map.
func wander(m *routes.Map, seed uint64, i int) []routes.Cell {
	const stops = 5
	track := make([]routes.Cell, 0, stops)
	for k := range stops {
		x := draw(seed, uint64(i), forTrack, uint64(k))
		track = append(track, m.Places[below(x, len(m.Places))].Cell)
	}
	return track
}

// around are the zones of the map within r cells of a point.
func (w *World) around(p routes.Point, r int32) iter.Seq[routes.ZoneKey] {
	side := w.params.ZoneSide
	reach := r * routes.CellUnits
	lo := routes.ZoneAt(routes.Point{X: p.X - reach, Y: p.Y - reach}, side)
	hi := routes.ZoneAt(routes.Point{X: p.X + reach, Y: p.Y + reach}, side)
	return func(yield func(routes.ZoneKey) bool) {
		for y := lo.Y; y <= hi.Y; y++ {
			for x := lo.X; x <= hi.X; x++ {
				k := routes.ZoneKey{X: x, Y: y}
				if _, ok := w.index.ZoneID(k); ok && near(p, k, side, r) && !yield(k) {
					return
				}
			}
		}
	}
}
