package routes

import (
	"math/bits"

	"chronoscope/loop"
)

// PlainCost is the cost of a plain cell: 1 with CostBits fractional bits.
const PlainCost uint64 = 1 << CostBits

// The range of a walkable kind's cost. The upper end keeps the time along the
// longest path that fits a map of MaxCells cells (a serpentine through half of
// them) below 64 bits; the lower end keeps a walker below one and a half cells
// a tick, so that no route runs faster than its drawing can show.
const (
	MinCost = PlainCost / 16
	MaxCost = PlainCost * 16
)

// TicksPerCell is how many ticks a walker needs for a plain cell.
const TicksPerCell = 12

// sqrt2 is sqrt(2) rounded to CostBits fractional bits. At a coarser scale
// long paths are compared wrongly: with 10 bits, 239 straight and 169 diagonal
// steps change places.
const sqrt2 uint64 = 6074001000

// DefaultCosts is the cost model of the simulation: roads and bridges are fast,
// forest and swamp slow.
func DefaultCosts() [TerrainCount]uint64 {
	return [TerrainCount]uint64{
		Field:  PlainCost,
		Road:   PlainCost * 5 / 8,
		Bridge: PlainCost * 5 / 8,
		Gate:   PlainCost * 3 / 4,
		Square: PlainCost * 3 / 4,
		Floor:  PlainCost,
		Forest: PlainCost * 7 / 4,
		Swamp:  PlainCost * 5 / 2,
	}
}

// UniformCosts lets every walkable kind cost 1: the rule by which the published
// lengths of the Moving AI benchmark were computed.
func UniformCosts() [TerrainCount]uint64 {
	costs := DefaultCosts()
	for i, c := range costs {
		if c != 0 {
			costs[i] = PlainCost
		}
	}
	return costs
}

// halfSteps is what a step spends in one of its two cells, by kind of ground:
// [0] in a straight step, [1] in a diagonal one. A step costs the half of each
// of its cells, so it costs the same in both directions.
type halfSteps [2][TerrainCount]uint64

func newHalfSteps(cost [TerrainCount]uint64) (h halfSteps) {
	for i, c := range cost {
		h[0][i] = c / 2
		h[1][i] = mulDiv(c, sqrt2, 2*PlainCost, true)
	}
	return h
}

// mulDiv is a*b/c rounded down, or to the nearest where round is set. The
// quotient must fit 64 bits; the product needn't.
func mulDiv(a, b, c uint64, round bool) uint64 {
	hi, lo := bits.Mul64(a, b)
	if round {
		var carry uint64
		lo, carry = bits.Add64(lo, c/2, 0)
		hi += carry
	}
	q, _ := bits.Div64(hi, lo, c)
	return q
}

// ticksFor is how many ticks a route takes whose exact time is total ticks with
// CostBits fractional bits: rounded up, at least 1.
func ticksFor(total uint64) loop.Tick {
	whole := total >> CostBits
	if total&(PlainCost-1) != 0 {
		whole++
	}
	return loop.Tick(max(whole, 1))
}

// mulHigh is the upper half of a*b.
func mulHigh(a, b uint64) uint64 {
	hi, _ := bits.Mul64(a, b)
	return hi
}

// mulDivRest is a*b/c rounded down, and the rest of the division.
func mulDivRest(a, b, c uint64) (q, r uint64) {
	hi, lo := bits.Mul64(a, b)
	return bits.Div64(hi, lo, c)
}
