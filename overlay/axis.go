package overlay

import (
	"image"

	"chronoscope/loop"
)

// axis maps ticks to the width of a place.
type axis struct {
	left, right, now float32 // pixels
	perTick          float64 // pixels
	tick             loop.Tick
	alpha            float64
}

func (t *Timeline) axis(r image.Rectangle, at Instant) axis {
	ticks := 1.0
	if at.Rate.Valid() {
		ticks = max(t.Span().Seconds()*at.Rate.Float(), 1)
	}
	x0, _, x1, _ := edges(r)
	return axis{left: x0, right: x1, now: x0 + nowAt*(x1-x0), perTick: float64(x1-x0) / ticks, tick: at.Tick, alpha: at.Alpha}
}

// until is how many ticks there are from the present to t, below 0 for the past.
func (a *axis) until(t loop.Tick) float64 {
	if t >= a.tick {
		return float64(t-a.tick) - a.alpha
	}
	return -float64(a.tick-t) - a.alpha
}

// x is where t stands, not further than a width outside.
func (a *axis) x(t loop.Tick) float32 {
	w := a.right - a.left
	return min(max(a.now+float32(a.until(t)*a.perTick), a.left-w), a.right+w)
}

// gridSteps are the distances of the axis' lines in ticks, whole town minutes.
var gridSteps = [...]loop.Tick{60, 120, 300, 600, 1200, 1800, 3600, 7200, 18000, 36000}

// step is the distance of the axis' lines, at least apart pixels.
func (a *axis) step(apart float32) loop.Tick {
	for _, s := range gridSteps {
		if float64(s)*a.perTick >= float64(apart) {
			return s
		}
	}
	return gridSteps[len(gridSteps)-1]
}

// each calls yield for each line of the axis in view, with its tick and place.
func (a *axis) each(apart float32, yield func(t loop.Tick, x float32)) {
	s := a.step(apart)
	back := loop.Tick(float64(a.now-a.left)/a.perTick) + 1
	first := a.tick - min(a.tick, back)
	first += (s - first%s) % s
	for t := first; ; t += s {
		x := a.x(t)
		if x >= a.right || t > loop.MaxTick-s {
			return
		}
		if x >= a.left {
			yield(t, x)
		}
	}
}
