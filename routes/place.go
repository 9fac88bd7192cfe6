package routes

import (
	"errors"
	"fmt"
)

// The number of places that are drawn for a map without places: one for so many
// walkable cells, within bounds.
const (
	cellsPerPlace   = 200
	minDrawnPlaces  = 16
	maxDrawnPlaces  = 4096
	minUsefulPlaces = 2
)

// ErrNoPlaces says that a map has fewer than two places between which one can
// walk.
var ErrNoPlaces = errors.New("routes: fewer than two mutually reachable places")

// EnsurePlaces makes sure that everybody can walk between all places. A map
// without places draws clamp(walkable cells / 200, 16, 4096) spots (or as many
// as there are cells) from seed in its largest connected part. On a map that has
// places, those outside the largest part are dropped; if fewer than two would
// be left there, the part that holds most places is kept instead. DroppedPlaces
// counts. The error is ErrNoPlaces when no two places on different cells remain.
// It is called once, before the map is in use.
func (m *Map) EnsurePlaces(seed uint64) error {
	if len(m.Places) == 0 {
		m.drawPlaces(seed)
	} else {
		m.dropPlaces()
	}
	if n := distinctCells(m.Places); n < minUsefulPlaces {
		return fmt.Errorf("%w: %d in a map with %d walkable cells in %d connected parts", ErrNoPlaces, n, m.WalkableCells(), m.Parts())
	}
	return nil
}

// drawPlaces chooses cells of the largest part, each set of them with equal
// chance, in one walk over the map: a cell is taken with the chance of (still
// wanted) to (still to come).
func (m *Map) drawPlaces(seed uint64) {
	g := m.ground()
	if g.largest < 0 {
		return
	}
	left := uint64(g.size[g.largest])
	want := min(uint64(min(max(g.walkable/cellsPerPlace, minDrawnPlaces), maxDrawnPlaces)), left)
	random := splitMix(seed)
	for i, part := range g.part {
		if part != g.largest || want == 0 {
			continue
		}
		if random.below(left) < want {
			m.Places = append(m.Places, Place{
				Name:     fmt.Sprintf("Spot %d", len(m.Places)+1),
				Kind:     Spot,
				Cell:     m.cell(int32(i)),
				District: -1,
			})
			want--
		}
		left--
	}
}

// dropPlaces keeps the places of one connected part.
func (m *Map) dropPlaces() {
	g := m.ground()
	held := make(map[int][]Place)
	for _, p := range m.Places {
		if part := m.PartOf(p.Cell); part >= 0 {
			held[part] = append(held[part], p)
		}
	}
	best := int(g.largest)
	if distinctCells(held[best]) < minUsefulPlaces {
		for part := range g.size { // in order, so that a tie goes to the lower number
			if distinctCells(held[part]) > distinctCells(held[best]) {
				best = part
			}
		}
	}
	m.DroppedPlaces += len(m.Places) - len(held[best])
	m.Places = held[best]
}

// distinctCells counts the cells on which places lie.
func distinctCells(places []Place) int {
	cells := make(map[Cell]struct{}, len(places))
	for _, p := range places {
		cells[p.Cell] = struct{}{}
	}
	return len(cells)
}

// splitMix is the SplitMix64 generator (Steele, Lea, Flood 2014): a small one
// of our own, so that a seed gives the same places with every release of Go.
type splitMix uint64

func (s *splitMix) next() uint64 {
	*s += 0x9e3779b97f4a7c15
	z := uint64(*s)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// below is a number in [0, n). Its bias is below n / 2^64.
func (s *splitMix) below(n uint64) uint64 {
	return mulHigh(s.next(), n)
}
