package routes

import "fmt"

// CellUnits is the length of a cell's side in position units.
const CellUnits = 1024

// Point is a position in units of 1/1024 cell. What a world's digest depends
// on is integer arithmetic, so it is the same on every processor.
type Point struct{ X, Y int32 }

// Cell is a column and a row of a map.
type Cell struct{ X, Y int32 }

// Center is the middle of the cell.
func (c Cell) Center() Point {
	return Point{c.X*CellUnits + CellUnits/2, c.Y*CellUnits + CellUnits/2}
}

// CellOf is the cell that holds p, by floor division.
func CellOf(p Point) Cell { return Cell{floorDiv(p.X, CellUnits), floorDiv(p.Y, CellUnits)} }

// ZoneKey names a square zone: column and row of the grid of zones.
type ZoneKey struct{ X, Y int32 }

// ZoneAt is the zone that holds p when zones have a side of side cells, by
// floor division, so negative coordinates belong to negative zones.
func ZoneAt(p Point, side int32) ZoneKey {
	s := side * CellUnits
	return ZoneKey{floorDiv(p.X, s), floorDiv(p.Y, s)}
}

// floorDiv rounds towards minus infinity; Go's / truncates towards zero.
func floorDiv(a, b int32) int32 {
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return q
}

// The range of a zone's side in cells, and what a zero Options means.
const (
	MinZoneSide     = 1
	MaxZoneSide     = 1 << 20
	DefaultZoneSide = 16
)

// checkSide says whether side is in its range.
func checkSide(side int32) error {
	if side < MinZoneSide || side > MaxZoneSide {
		return fmt.Errorf("routes: zone side %d: must be %d..%d cells", side, MinZoneSide, MaxZoneSide)
	}
	return nil
}
