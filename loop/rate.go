package loop

import (
	"fmt"
	"math"
	"math/bits"
	"time"
)

// Rate is an exact number of ticks per second, Num/Den: 60/1, 60000/1001 for
// 59.94. The zero Rate is not valid; see Valid, which every method but String
// and Float asks for.
type Rate struct{ Num, Den uint64 }

// Hz is the whole rate n per second.
func Hz(n uint64) Rate { return Rate{n, 1} }

// Valid says whether boundaries can be computed from r: both parts between 1
// and 2^32-1.
func (r Rate) Valid() bool {
	return r.Num > 0 && r.Den > 0 && r.Num <= math.MaxUint32 && r.Den <= math.MaxUint32
}

// Float gives the rate in ticks per second, for display and estimates only.
func (r Rate) Float() float64 { return float64(r.Num) / float64(r.Den) }

// Period is one tick rounded down to whole nanoseconds: for estimates such as
// "a quarter of a tick", never to be added up.
func (r Rate) Period() time.Duration { return r.Boundary(1) }

// Boundary is the instant at which tick n begins, since the anchor: n*Den/Num
// seconds, rounded down to a nanosecond and computed from n, so no rounding
// accumulates. It saturates at the longest time.Duration (292 years).
func (r Rate) Boundary(n Tick) time.Duration {
	ns := r.BoundaryNanos(n)
	if ns > math.MaxInt64 {
		return math.MaxInt64
	}
	return time.Duration(ns)
}

// BoundaryNanos is Boundary in unsigned nanoseconds, saturating at 2^64-1
// (584 years). The product n*1e9*Den takes up to 128 bits.
func (r Rate) BoundaryNanos(n Tick) uint64 {
	// 1e9*Den < 2^62 since Den < 2^32.
	hi, lo := bits.Mul64(uint64(n), 1_000_000_000*r.Den)
	if hi >= r.Num {
		return math.MaxUint64
	}
	q, _ := bits.Div64(hi, lo, r.Num)
	return q
}

// TickAt is the number of boundaries in (0, elapsed]: the largest n with
// Boundary(n) <= elapsed, 0 for elapsed <= 0. It saturates at MaxTick, which
// takes centuries at more than a tick per nanosecond.
func (r Rate) TickAt(elapsed time.Duration) Tick {
	if elapsed <= 0 {
		return 0
	}
	// Boundary(n) <= e  <=>  n*1e9*Den < (e+1)*Num  <=>  n <= ((e+1)*Num-1)/(1e9*Den).
	hi, lo := bits.Mul64(uint64(elapsed)+1, r.Num)
	lo, borrow := bits.Sub64(lo, 1, 0)
	hi -= borrow
	d := 1_000_000_000 * r.Den
	if hi >= d {
		return MaxTick
	}
	q, _ := bits.Div64(hi, lo, d)
	return Tick(q)
}

// String reads "60" or "60000/1001".
func (r Rate) String() string {
	if r.Den == 1 {
		return fmt.Sprint(r.Num)
	}
	return fmt.Sprintf("%d/%d", r.Num, r.Den)
}
