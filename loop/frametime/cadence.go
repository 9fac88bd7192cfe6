package frametime

import (
	"math/bits"

	"chronoscope/loop"
)

// Cadence writes how many ticks each frame advanced the world, a digit each;
// ten and more are "+".
func Cadence(ticks []int) string {
	b := make([]byte, len(ticks))
	for i, n := range ticks {
		switch {
		case n < 0:
			b[i] = '-'
		case n > 9:
			b[i] = '+'
		default:
			b[i] = byte('0' + n)
		}
	}
	return string(b)
}

// Ideal is the most even way to show a tick rate on a display: for each of n
// frames the ticks between two refreshes, by Bresenham's line algorithm, as the
// differences of floor((i + 1) rate / refresh). Both rates must be valid.
func Ideal(rate, refresh loop.Rate, n int) []int {
	// rate / refresh = num / den, exactly.
	num, den := rate.Num*refresh.Den, rate.Den*refresh.Num
	ticks := make([]int, max(n, 0))
	before := uint64(0)
	for i := range ticks {
		at := mulDiv(uint64(i+1), num, den)
		ticks[i] = int(at - before)
		before = at
	}
	return ticks
}

// mulDiv is a*b/c with a product of 128 bits.
func mulDiv(a, b, c uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	q, _ := bits.Div64(hi%c, lo, c)
	return q
}

// Defects is what is uneven in a cadence.
type Defects struct {
	// Odd counts frames whose ticks are neither the floor nor the ceiling of
	// the ratio of the rates.
	Odd int
	// Swaps counts neighbours of which one has more ticks than the ceiling
	// and the other fewer than the floor: a tick that was shown a frame late
	// or early, 0 and 2 where 1 and 1 were right.
	Swaps int
}

// Uneven looks for defects in the ticks per frame of a rate on a display.
func Uneven(ticks []int, rate, refresh loop.Rate) (d Defects) {
	num, den := rate.Num*refresh.Den, rate.Den*refresh.Num
	floor := int(num / den)
	ceil := floor
	if num%den != 0 {
		ceil++
	}
	for i, n := range ticks {
		if n < floor || n > ceil {
			d.Odd++
		}
		if i > 0 && (n > ceil && ticks[i-1] < floor || n < floor && ticks[i-1] > ceil) {
			d.Swaps++
		}
	}
	return d
}
