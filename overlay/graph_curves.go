package overlay

import (
	"image"
	"math"
	"strconv"

	"github.com/hajimehoshi/ebiten/v2"
)

// drawCurves draws how the intervals of the segment are distributed: a histogram,
// and how long the longest are.
func (d *Dock) drawCurves(dst, white *ebiten.Image, let *Lettering, l frameLayout, all bool) {
	if !all {
		return // it changes five times a second
	}
	f, u := &d.frames, d.unit
	area := image.Rect(l.lanes[0].Min.X-d.px(40), l.lanes[0].Min.Y+d.px(14), l.lanes[0].Max.X, l.lanes[2].Max.Y)
	half := (area.Dx() - d.px(70)) / 2
	hist := image.Rect(area.Min.X, area.Min.Y, area.Min.X+half, area.Max.Y)
	tail := image.Rect(area.Max.X-half, area.Min.Y, area.Max.X, area.Max.Y)
	d.mesh.Reset()
	d.clear(hist)
	d.clear(tail)
	x0, y0, x1, y1 := edges(hist)
	for _, g := range f.guides {
		if f.width <= 0 {
			break
		}
		x := x0 + (x1-x0)*float32(g.at)/float32(int64(f.width)*int64(max(len(f.bins), 1)))
		if x > x0 && x < x1 {
			d.mesh.Rect(x, y0, x+1, y1, guideInk(g))
		}
	}
	// Counts go over decades: a single hitch among thousands must be seen.
	most := math.Log1p(float64(f.mostInBin))
	for i, n := range f.bins {
		if n == 0 {
			continue
		}
		a := x0 + (x1-x0)*float32(i)/float32(len(f.bins))
		b := x0 + (x1-x0)*float32(i+1)/float32(len(f.bins))
		h := (y1 - y0) * float32(math.Log1p(float64(n))/most)
		ink := Signal
		if i == len(f.bins)-1 {
			ink = latestInk // and everything above
		}
		d.mesh.Rect(a, y1-h, max(b-1, a+1), y1, ink)
	}
	tx0, ty0, tx1, ty1 := edges(tail)
	place := func(i int) (x, y float32) {
		q := float64(i) / float64(len(f.curve)-1)
		return tx0 + (tx1-tx0)*float32(tailPlace(q)), ty1 - (ty1-ty0)*float32(f.curve[i])/float32(f.curveTop)
	}
	for _, q := range tailMarks {
		x := tx0 + (tx1-tx0)*float32(tailPlace(q))
		d.mesh.Rect(x, ty0, x+1, ty1, Line)
	}
	for i := 1; i < len(f.curve); i++ {
		ax, ay := place(i - 1)
		bx, by := place(i)
		d.mesh.Line(ax, ay, bx, by, 1.5*float32(u), Signal, Signal)
	}
	d.mesh.Draw(dst, white)

	small := let.Height(Small)
	d.caption(dst, let, hist, "How many frames", "of which interval; counts on a logarithmic scale, the last column has all above")
	d.caption(dst, let, tail, "Percentiles", "how long the longest last")
	if len(f.bins) == 0 {
		let.Draw(dst, "no frame counts yet: the first second after a change is left out", float64(hist.Min.X)+8*u, float64(hist.Min.Y)+8*u, Small, Faint)
		return
	}
	let.DrawRight(dst, Count(f.mostInBin), float64(hist.Min.X)-6*u, float64(hist.Min.Y)-2*u, Small, Faint)
	for i := range 5 {
		v := float64(f.width) * float64(len(f.bins)) * float64(i) / 4 / 1e6
		label := strconv.FormatFloat(v, 'f', 1, 64)
		if i == 4 {
			label += " ms"
		}
		w := let.Width(label, Small)
		x := float64(hist.Min.X) + float64(hist.Dx())*float64(i)/4
		let.Draw(dst, label, min(max(x-w/2, float64(hist.Min.X)), float64(hist.Max.X)-w), float64(hist.Max.Y)+2*u, Small, Faint)
	}
	let.DrawRight(dst, Millis(f.curveTop)+" ms", float64(tail.Min.X)-6*u, float64(tail.Min.Y)-2*u, Small, Faint)
	let.DrawRight(dst, "0", float64(tail.Min.X)-6*u, float64(tail.Max.Y)-small+2*u, Small, Faint)
	free := math.Inf(-1)
	for _, q := range tailMarks {
		label := "P" + strconv.FormatFloat(100*q, 'g', 4, 64)
		w := let.Width(label, Small)
		x := float64(tail.Min.X) + float64(tail.Dx())*tailPlace(q)
		x = min(max(x-w/2, float64(tail.Min.X)), float64(tail.Max.X)-w)
		if x < free {
			continue
		}
		let.Draw(dst, label, x, float64(tail.Max.Y)+2*u, Small, Faint)
		free = x + w + 6*u
	}
}

// tailMarks are the quantiles that are marked.
var tailMarks = [...]float64{0, 0.5, 0.9, 0.99, 0.999}

// tailPlace is where a quantile stands, 0..1: the rarer, the more room, a third
// for each power of ten.
func tailPlace(q float64) float64 {
	return min(-math.Log10(max(1-q, 1e-3))/3, 1)
}
