package frametime

import "time"

// Histogram counts intervals in bins of a width: bin i has [i width, (i+1)
// width), the last one also everything above. What is negative counts in the
// first. nil for no bins or a width that isn't one.
func Histogram(f []time.Duration, width time.Duration, bins int) []int {
	if width <= 0 || bins <= 0 {
		return nil
	}
	n := make([]int, bins)
	for _, d := range f {
		n[min(max(d/width, 0), time.Duration(bins-1))]++
	}
	return n
}

// PercentileCurve gives the quantiles 0, 1/(n-1), ... 1 of the intervals,
// interpolated as Percentile does. Its ends are the shortest and the longest, so
// from few frames it is coarse, not untrue. nil for no intervals or n < 2.
func PercentileCurve(f []time.Duration, n int) []time.Duration {
	if len(f) == 0 || n < 2 {
		return nil
	}
	s := sorted(f)
	curve := make([]time.Duration, n)
	for i := range curve {
		curve[i] = Quantile(s, float64(i)/float64(n-1))
	}
	return curve
}
