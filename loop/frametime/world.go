package frametime

import (
	"slices"
	"time"

	"chronoscope/loop"
)

// AnimationErrors are, for each pair of neighbours, how far the world moved on
// from the first frame to the second less how far apart the two were shown:
//
//	(drawn in i - drawn in i-1) - (shown i - shown i-1)
//
// with the next Layout as the instant a frame is shown (the definition of
// PresentMon's MsAnimationError, with the world's clock in place of the
// processor's). Pairs with a hole between them, an unknown world, or a change of
// settings are passed over. With VSync off it is an estimate; see Frame.Busy.
func AnimationErrors(frames []Frame, rate loop.Rate) []time.Duration {
	var e []time.Duration
	for i := 1; i < len(frames); i++ {
		a, b := &frames[i-1], &frames[i]
		if b.Seq != a.Seq+1 || (a.Flags|b.Flags)&NoWorld != 0 || b.Flags&SettingsChanged != 0 {
			continue
		}
		e = append(e, b.Drawn(rate)-a.Drawn(rate)-time.Duration(b.Next-a.Next))
	}
	return e
}

// MeanAbs is the mean of the absolute values, 0 of none.
func MeanAbs(e []time.Duration) time.Duration {
	if len(e) == 0 {
		return 0
	}
	return sum(abs(e)) / time.Duration(len(e))
}

// PercentileAbs is Percentile of the absolute values.
func PercentileAbs(e []time.Duration, q float64) (time.Duration, bool) { return Percentile(abs(e), q) }

func abs(e []time.Duration) []time.Duration {
	a := slices.Clone(e)
	for i, v := range a {
		a[i] = max(v, -v)
	}
	return a
}

// ShareAbs is the sum of absolute errors as a share of a time, 0 of no time.
func ShareAbs(e []time.Duration, of time.Duration) float64 {
	if of <= 0 {
		return 0
	}
	return float64(sum(abs(e))) / float64(of)
}

// TickErrors are how late the releases came, each against the exact grid: a grid
// in absolute time, since the differences from tick to tick hide a drift. (The
// time error of a clock in ITU-T G.810.)
func TickErrors(r []Release) []time.Duration {
	e := make([]time.Duration, len(r))
	for i := range r {
		e[i] = r[i].Error()
	}
	return e
}

// OnGrid gives releases the schedule of a rate, tick for tick from the first
// one, whose schedule stands: for stamps from somewhere that keeps no grid.
func OnGrid(r []Release, rate loop.Rate) []Release {
	out := slices.Clone(r)
	if len(out) == 0 {
		return out
	}
	first := out[0]
	for i := range out {
		out[i].Scheduled = first.Scheduled + int64(rate.Boundary(out[i].Tick)-rate.Boundary(first.Tick))
	}
	return out
}

// EffectiveSpeed is how much of its time the world made: delta world / delta
// wall, 1 when it keeps up. False for no time.
func EffectiveSpeed(world, wall time.Duration) (float64, bool) {
	if wall <= 0 {
		return 0, false
	}
	return float64(world) / float64(wall), true
}

// DriftPPM is how much the world gained on the wall clock over a window, in
// millionths of it: negative when it fell behind. False for no time. (The
// fractional frequency deviation of ITU-T G.810.)
func DriftPPM(world, wall time.Duration) (float64, bool) {
	if wall <= 0 {
		return 0, false
	}
	return 1e6 * float64(world-wall) / float64(wall), true
}

// Progress is how far the drawn world and the clock got from a series' first
// frame to its last, when both know the world.
func Progress(frames []Frame, rate loop.Rate) (world, wall time.Duration) {
	if len(frames) < 2 {
		return 0, 0
	}
	a, b := &frames[0], &frames[len(frames)-1]
	if (a.Flags|b.Flags)&NoWorld != 0 {
		return 0, 0
	}
	return b.Drawn(rate) - a.Drawn(rate), time.Duration(b.Next - a.Next)
}
