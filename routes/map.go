package routes

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"sync/atomic"
)

// MaxCells is the largest number of cells a map may have: 4096 x 8192. Cell
// indexes fit 32 bits, positions 32 bits, and times along any path 64 bits.
const MaxCells = 1 << 25

// ErrNoGround says that no cell of a map can be walked on.
var ErrNoGround = errors.New("routes: no walkable cell")

// Terrain is the kind of ground of a cell.
type Terrain uint8

// The kinds of ground. Void, Water, Wall, House and Tree can't be walked on.
const (
	Void   Terrain = iota // outside the map, or nothing there
	Field                 // plain ground, the unit of cost
	Road                  // fast
	Bridge                // fast, over water
	Gate                  // an opening in a wall
	Square                // paved town ground
	Floor                 // a doorstep or yard
	Forest                // slow
	Swamp                 // slower
	Water
	Wall
	House
	Tree
	TerrainCount int = iota
)

// CostBits is the number of fractional bits of a cost.
const CostBits = 32

// PlaceKind says what a place is for.
type PlaceKind uint8

// The kinds of places.
const (
	Home PlaceKind = iota
	Work
	Market
	Tavern
	PublicSquare
	Spot // a place drawn from the seed on a map that has none of its own
)

// PlaceID is an index into Map.Places.
type PlaceID int32

// Place is somewhere characters go: a door, a work site, a square.
type Place struct {
	Name     string
	Kind     PlaceKind
	Cell     Cell
	District int32 // index into Map.Districts, -1 where a map has none
}

// District is a named part of a map, for labels.
type District struct {
	Name   string
	Center Cell
}

// Map is a grid of terrain with a movement cost for each kind, and its places.
// A Map is constant once it is in use: searches keep what they derived from it.
type Map struct {
	Name          string
	Width, Height int32
	Terrain       []Terrain // row by row
	// Cost is the cost of walking the length of one cell of each kind, in
	// units of a plain cell with CostBits fractional bits; 0 is blocked.
	Cost      [TerrainCount]uint64
	Places    []Place
	Districts []District
	// DroppedPlaces counts the places that EnsurePlaces took away because
	// they can't be reached from the others.
	DroppedPlaces int

	derived atomic.Pointer[ground]
}

// In says whether c lies on the map.
func (m *Map) In(c Cell) bool { return c.X >= 0 && c.Y >= 0 && c.X < m.Width && c.Y < m.Height }

// At is the terrain of c, Void outside the map.
func (m *Map) At(c Cell) Terrain {
	if !m.In(c) {
		return Void
	}
	return m.Terrain[int(c.Y)*int(m.Width)+int(c.X)]
}

// Walkable says whether c lies on the map and can be walked on.
func (m *Map) Walkable(c Cell) bool { return m.In(c) && m.Cost[m.At(c)] != 0 }

// index is the number of a cell on the map, row by row.
func (m *Map) index(c Cell) int32 { return c.Y*m.Width + c.X }

// cell is the cell with a number.
func (m *Map) cell(i int32) Cell { return Cell{i % m.Width, i / m.Width} }

// Validate says whether m can be used: sizes, kinds and costs within their
// ranges, places on the map, and at least one walkable cell (ErrNoGround).
func (m *Map) Validate() error {
	if m.Width < 1 || m.Height < 1 || int64(m.Width)*int64(m.Height) > MaxCells {
		return fmt.Errorf("routes: map size %d x %d: each side must be at least 1 and the product at most %d cells", m.Width, m.Height, MaxCells)
	}
	if n := int(m.Width) * int(m.Height); len(m.Terrain) != n {
		return fmt.Errorf("routes: map of %d x %d has terrain for %d cells: must be %d", m.Width, m.Height, len(m.Terrain), n)
	}
	if m.Cost[Void] != 0 {
		return fmt.Errorf("routes: cost of void %d: must be 0", m.Cost[Void])
	}
	for t, c := range m.Cost {
		if c != 0 && (c < MinCost || c > MaxCost) {
			return fmt.Errorf("routes: cost of terrain %d is %d: must be 0 or %d..%d", t, c, MinCost, MaxCost)
		}
	}
	walkable := false
	for i, t := range m.Terrain {
		if int(t) >= TerrainCount {
			c := m.cell(int32(i))
			return fmt.Errorf("routes: terrain of cell %d,%d is %d: must be below %d", c.X, c.Y, t, TerrainCount)
		}
		walkable = walkable || m.Cost[t] != 0
	}
	if !walkable {
		return fmt.Errorf("%w: map of %d x %d", ErrNoGround, m.Width, m.Height)
	}
	for i, p := range m.Places {
		if !m.In(p.Cell) {
			return fmt.Errorf("routes: place %d %q at %d,%d: not on the map of %d x %d", i, p.Name, p.Cell.X, p.Cell.Y, m.Width, m.Height)
		}
	}
	return nil
}

// Hash is a 64-bit fold of the size, the terrain, the costs and the places: of
// all that a world's result can depend on. Names of map and districts don't
// enter.
func (m *Map) Hash() uint64 {
	h := fnv.New64a()
	var word [8]byte
	put := func(v uint64) {
		binary.LittleEndian.PutUint64(word[:], v)
		h.Write(word[:]) // a hash's Write never fails
	}
	put(uint64(uint32(m.Width)))
	put(uint64(uint32(m.Height)))
	row := make([]byte, 0, 4096)
	for i, t := range m.Terrain {
		if row = append(row, byte(t)); len(row) == cap(row) || i == len(m.Terrain)-1 {
			h.Write(row)
			row = row[:0]
		}
	}
	for _, c := range m.Cost {
		put(c)
	}
	put(uint64(len(m.Places)))
	for _, p := range m.Places {
		put(uint64(len(p.Name)))
		h.Write([]byte(p.Name))
		put(uint64(p.Kind))
		put(uint64(uint32(p.Cell.X))<<32 | uint64(uint32(p.Cell.Y)))
		put(uint64(uint32(p.District)))
	}
	return h.Sum64()
}
