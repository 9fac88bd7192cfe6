package frametime

import (
	"math"
	"time"
)

// AverageFPS is frames a second over the whole series: N / T, the harmonic mean
// of the instantaneous rates and never their mean, in which 1 ms and 4 ms would
// be 625 and not 400. 0 for no time.
func AverageFPS(f []time.Duration) float64 {
	t := sum(f)
	if t <= 0 {
		return 0
	}
	return float64(len(f)) / t.Seconds()
}

func sum(f []time.Duration) (t time.Duration) {
	for _, d := range f {
		t += d
	}
	return t
}

// Percentile is the q-quantile of the intervals, 0 <= q <= 1, by linear
// interpolation between the order statistics around q (N-1) (Hyndman and Fan
// 1996, type 7). It is false when fewer than one sample lies beyond q: P99 needs
// 100 frames, P99.9 a thousand.
func Percentile(f []time.Duration, q float64) (time.Duration, bool) {
	if !told(len(f), q) {
		return 0, false
	}
	return Quantile(sorted(f), q), true
}

// told says whether the q-quantile of n samples means something.
func told(n int, q float64) bool {
	if !(q >= 0 && q <= 1) || n == 0 {
		return false
	}
	// Rounded, so that (1-0.99) 100 is 1.
	beyond := math.Round((1-q)*float64(n)*1e6) / 1e6
	return q <= 0.5 || q == 1 || beyond >= 1
}

// percentile is Percentile of a series that is sorted.
func percentile(sorted []time.Duration, q float64) (time.Duration, bool) {
	if !told(len(sorted), q) {
		return 0, false
	}
	return Quantile(sorted, q), true
}

// Quantile interpolates in a sorted series as Percentile does, however short it
// is; 0 for an empty one.
func Quantile(sorted []time.Duration, q float64) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	at := q * float64(len(sorted)-1)
	i := min(int(at), len(sorted)-1)
	j := min(i+1, len(sorted)-1)
	return sorted[i] + time.Duration(math.Round((at-float64(i))*float64(sorted[j]-sorted[i])))
}

// The three figures that are all called "1 % low" are different things; each is
// in frames a second and false below 100 frames.

// P1Low is the rate at the 99th percentile of the intervals: 99 % of the frames
// are faster (as CapFrameX calls P1).
func P1Low(f []time.Duration) (float64, bool) { return p1Low(sorted(f)) }

func p1Low(sorted []time.Duration) (float64, bool) {
	p, ok := percentile(sorted, 0.99)
	if !ok || p <= 0 {
		return 0, false
	}
	return 1 / p.Seconds(), true
}

// LowAverage is the rate of the mean of the longest 1 % of the frames,
// ceil(0.01 N) of them (the "1 % low average" of CapFrameX and others).
func LowAverage(f []time.Duration) (float64, bool) { return lowAverage(sorted(f)) }

func lowAverage(sorted []time.Duration) (float64, bool) {
	if len(sorted) < 100 {
		return 0, false
	}
	n := (len(sorted) + 99) / 100
	t := sum(sorted[len(sorted)-n:])
	if t <= 0 {
		return 0, false
	}
	return float64(n) / t.Seconds(), true
}

// LowIntegral is the rate of that frame at which, going from the longest frame
// down, 1 % of the time has gone by: 99 % of the time frames are faster (the
// "1 % low integral" of CapFrameX, what MSI Afterburner shows as 1 % low).
func LowIntegral(f []time.Duration) (float64, bool) { return lowIntegral(sorted(f)) }

func lowIntegral(sorted []time.Duration) (float64, bool) {
	if len(sorted) < 100 {
		return 0, false
	}
	total := sum(sorted)
	for i, t := len(sorted)-1, time.Duration(0); i >= 0; i-- {
		if t += sorted[i]; t >= total/100+min(total%100, 1) && sorted[i] > 0 {
			return 1 / sorted[i].Seconds(), true
		}
	}
	return 0, false
}

// Stutter is the share of the time, 0..1, that is spent in frames longer than
// 2.5 times the moving average before and with them. The average trails over
// round(10 sqrt(mean interval in ms)) frames; one that is more than three times
// its predecessor enters it as the predecessor, so that a spike doesn't hide
// itself. (After CapFrameX's stuttering time.)
func Stutter(f []time.Duration) float64 {
	total := sum(f)
	if total <= 0 {
		return 0
	}
	mean := float64(total) / float64(len(f)) / float64(time.Millisecond)
	window := max(int(math.Round(10*math.Sqrt(mean))), 1)
	entered := make([]time.Duration, len(f))
	var within, stutter time.Duration
	for i, d := range f {
		entered[i] = d
		if i > 0 && d > 3*f[i-1] {
			entered[i] = f[i-1]
		}
		within += entered[i]
		n := i + 1
		if n > window {
			within -= entered[i-window]
			n = window
		}
		if float64(d) > 2.5*float64(within)/float64(n) {
			stutter += d
		}
	}
	return float64(stutter) / float64(total)
}

// Missed estimates how many refreshes of the display passed without a new frame
// during one interval: max(0, round(f / refresh) - 1), after the skipped
// frames of Android's Choreographer. 0 for an unknown refresh.
func Missed(f, refresh time.Duration) int {
	if refresh <= 0 || f <= 0 {
		return 0
	}
	whole := f / refresh
	if rest := f - whole*refresh; rest >= refresh-rest { // half and more rounds up
		whole++
	}
	return max(0, int(whole)-1)
}

// Sigma is the standard deviation of the intervals, of the whole series and not
// of a sample (divided by N).
func Sigma(f []time.Duration) time.Duration {
	if len(f) == 0 {
		return 0
	}
	mean := float64(sum(f)) / float64(len(f))
	squares := 0.0
	for _, d := range f {
		squares += (float64(d) - mean) * (float64(d) - mean)
	}
	return time.Duration(math.Round(math.Sqrt(squares / float64(len(f)))))
}
