package overlay

import (
	"image"
	"math"

	"chronoscope/loop"

	"github.com/ebitengine/debugui"
	"github.com/hajimehoshi/ebiten/v2"
	"github.com/hajimehoshi/ebiten/v2/inpututil"
)

// rateControl is the tick-rate slider.
//
// debugui's sliders turn into a number field on a click with Shift, and read
// text that isn't a number as 0, which the slider then clamps to its lowest
// value. So a change to the lowest value that comes from typing is taken for
// a slip, and the last good value stays.
type rateControl struct {
	bounds image.Rectangle // device pixels
	value  float64
	typing bool
}

// show draws the slider at the current rate and returns the rate asked for, if
// the user moved it.
func (rc *rateControl) show(ctx *debugui.Context, now loop.Rate, scale int) (want loop.Rate) {
	rc.value = now.Float()
	last := rc.value
	ctx.GridCell(func(b image.Rectangle) {
		rc.bounds = image.Rectangle{Min: b.Min.Mul(scale), Max: b.Max.Mul(scale)}
		if inpututil.IsMouseButtonJustPressed(ebiten.MouseButtonLeft) {
			if image.Pt(ebiten.CursorPosition()).In(rc.bounds) {
				rc.typing = ebiten.IsKeyPressed(ebiten.KeyShift)
			}
		}
		ctx.SliderF(&rc.value, MinRate, MaxRate, 1, 2).On(func() {
			want = rateOf(rc.value)
			if rc.typing && rc.value == MinRate {
				rc.value, want = last, loop.Rate{}
			}
			rc.typing = false
		})
	})
	return want
}

// rateOf is the exact rate of a typed or dragged number: whole, or to a
// thousandth. Values outside MinRate..MaxRate give no valid rate.
func rateOf(v float64) loop.Rate {
	if math.IsNaN(v) || v < MinRate || v > MaxRate {
		return loop.Rate{}
	}
	n := uint64(math.Round(v * 1000))
	if n%1000 == 0 {
		return loop.Hz(n / 1000)
	}
	return loop.Rate{Num: n, Den: 1000}
}

// NTSC is the rate of 59.94 ticks per second.
func NTSC() loop.Rate { return loop.Rate{Num: 60000, Den: 1001} }
