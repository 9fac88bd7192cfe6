package routes

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
// A Map is constant once it is in use.
type Map struct {
	Name          string
	Width, Height int32
	Terrain       []Terrain // row by row
	// Cost is the cost of walking the length of one cell of each kind, in
	// units of a plain cell with CostBits fractional bits; 0 is blocked.
	Cost      [TerrainCount]uint64
	Places    []Place
	Districts []District
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
