package frametime

import (
	"fmt"
	"math"
	"slices"
	"time"

	"chronoscope/loop"
)

// EstimateFrames is how many intervals an estimate of the refresh looks at: two
// seconds at 60 Hz.
const EstimateFrames = 120

// usualRates are those that displays have.
var usualRates = [...]loop.Rate{
	{Num: 24000, Den: 1001}, {Num: 24, Den: 1}, {Num: 25, Den: 1}, {Num: 30000, Den: 1001}, {Num: 30, Den: 1}, {Num: 48, Den: 1}, {Num: 50, Den: 1},
	{Num: 60000, Den: 1001}, {Num: 60, Den: 1}, {Num: 72, Den: 1}, {Num: 75, Den: 1}, {Num: 85, Den: 1}, {Num: 90, Den: 1}, {Num: 100, Den: 1},
	{Num: 120000, Den: 1001}, {Num: 120, Den: 1}, {Num: 144, Den: 1}, {Num: 165, Den: 1}, {Num: 175, Den: 1}, {Num: 180, Den: 1}, {Num: 200, Den: 1},
	{Num: 240, Den: 1}, {Num: 280, Den: 1}, {Num: 300, Den: 1}, {Num: 360, Den: 1}, {Num: 390, Den: 1}, {Num: 480, Den: 1}, {Num: 500, Den: 1}, {Num: 540, Den: 1},
}

// EstimateRefresh estimates a display's refresh period from the intervals of
// focused frames with VSync on: the median of the last 120 after those are
// removed that exceed 1.5 times the median of all, since they have missed a
// refresh. It is false for fewer than 120.
func EstimateRefresh(f []time.Duration) (time.Duration, bool) {
	if len(f) < EstimateFrames {
		return 0, false
	}
	return RefreshOf(sorted(f[len(f)-EstimateFrames:])), true
}

// RefreshOf is the estimate from a sorted series, however short it is; 0 for an
// empty one.
func RefreshOf(sorted []time.Duration) time.Duration {
	m := Quantile(sorted, 0.5)
	n, _ := slices.BinarySearch(sorted, m+m/2+1)
	return Quantile(sorted[:n], 0.5)
}

// snapWithin is how far a measured rate may be from a usual one and still carry
// its name: less than half the way from 59.94 to 60.
const snapWithin = 0.0004

// RefreshRate is the usual rate that a measured period belongs to, true, or else
// the rate of that very period, false. The zero Rate for a period that isn't one,
// or is longer than 4 s.
func RefreshRate(period time.Duration) (rate loop.Rate, usual bool) {
	if period <= 0 || period > math.MaxUint32 {
		return loop.Rate{}, false
	}
	hz := 1 / period.Seconds()
	off := math.Inf(1)
	for _, r := range usualRates {
		if d := math.Abs(hz/r.Float() - 1); d < off {
			rate, off = r, d
		}
	}
	if off > snapWithin {
		return loop.Rate{Num: uint64(time.Second), Den: uint64(period)}, false
	}
	return rate, true
}

// RefreshLabel names a period by the usual rate next to it, "59.94 Hz", or else
// by its own, "61.35 Hz". The name is snapped, never the value.
func RefreshLabel(period time.Duration) string {
	if period <= 0 {
		return "unknown"
	}
	rate, usual := RefreshRate(period)
	switch {
	case !usual:
		return fmt.Sprintf("%.2f Hz", 1/period.Seconds())
	case rate.Num%rate.Den == 0:
		return fmt.Sprintf("%d Hz", rate.Num/rate.Den)
	default:
		return fmt.Sprintf("%.2f Hz", rate.Float())
	}
}

// Ineffective says that VSync was asked for and does nothing: the median
// interval is below 0.75 of the refresh period.
func Ineffective(f []time.Duration, refresh time.Duration) bool {
	if len(f) == 0 || refresh <= 0 {
		return false
	}
	return Quantile(sorted(f), 0.5) < refresh*3/4
}
