package overlay

import (
	"image"
	"math"
	"strconv"
	"time"

	"github.com/hajimehoshi/ebiten/v2"
)

// drawCompareCurves draws how the captures' intervals are distributed: their
// histograms over one another, and how long the longest are. One call each.
func (d *Dock) drawCompareCurves(dst, white *ebiten.Image, let *Lettering, res *comparison, l *compareLayout) {
	u := float32(d.unit)
	area := l.lane
	area.Min.X = l.lane.Min.X - d.px(66)
	area.Min.Y += d.px(16)
	half := (area.Dx() - d.px(62)) / 2
	hist := image.Rect(area.Min.X, area.Min.Y, area.Min.X+half, area.Max.Y)
	tail := image.Rect(area.Max.X-half, area.Min.Y, area.Max.X, area.Max.Y)
	d.meshHistograms(res, hist)
	d.mesh.Draw(dst, white)
	d.meshTails(res, tail)
	d.mesh.Draw(dst, white)
	d.writeHistograms(dst, let, res, hist)
	d.writeTails(dst, let, res, tail)
	// The key: each slot's shape, line and name.
	d.mesh.Reset()
	for _, i := range res.slots {
		b := l.rails[i]
		x, y := float32(hist.Min.X), float32(b.Min.Y+b.Max.Y)/2
		slotShape(&d.mesh, i, x+20*u, y, 4*u)
		t := newTrace(&d.mesh, i, u)
		for k := float32(0); k < 26*u; k++ {
			t.add(x+28*u+k, 1, y, y, k)
		}
		t.end()
	}
	d.mesh.Draw(dst, white)
	h := let.Height(Small)
	for _, i := range res.slots {
		b := l.rails[i]
		x, y := float64(hist.Min.X), float64(b.Min.Y+b.Max.Y)/2-h/2
		let.Draw(dst, SlotName(i), x+2*d.unit, y, Small, Ink)
		let.Draw(dst, let.Fit(res.labels[i], Small, float64(b.Max.X)-x-64*d.unit), x+60*d.unit, y, Small, Ink)
	}
}

// meshHistograms makes the histograms: outlines, and a little of their colour
// below.
func (d *Dock) meshHistograms(res *comparison, r image.Rectangle) {
	m, u := &d.mesh, float32(d.unit)
	x0, y0, x1, y1 := edges(r)
	m.Reset()
	m.Rect(x0, y0, x1, y1, Backdrop)
	for share := 0.1; share > leastShare*1.5; share /= 10 {
		y := y1 - (y1-y0)*shareHeight(share)
		m.Rect(x0, y, x1, y+1, Alpha(Line, 0.7))
	}
	for i := range res.guides {
		g := &res.guides[i]
		x := x0 + (x1-x0)*float32(g.at)/float32(res.width*compareBins)
		if x < x1 {
			m.Rect(x, y0, x+1, y1, Alpha(guideColor(g), 0.5))
		}
	}
	for k := len(res.slots) - 1; k >= 0; k-- {
		slot := res.slots[k]
		bins := res.bins[slot]
		if bins == nil {
			continue
		}
		fill, t := run{m: m}, newTrace(m, slot, u)
		for x := 0; x < r.Dx(); x++ {
			v := bins[min(x*compareBins/max(r.Dx(), 1), compareBins-1)]
			y := float32(int(y1 - (y1-y0)*v + 0.5))
			if v > 0 {
				fill.add(x0+float32(x), y, x0+float32(x)+1, y1, Alpha(slotInk[slot], 0.16))
			}
			switch {
			case v > 0 && !t.open: // up from nothing
				t.hi, t.lo, t.open = y1, y1, true
				t.add(x0+float32(x), 1, y, y, float32(x))
			case v > 0 || t.open && t.hi < y1: // or down to it
				t.add(x0+float32(x), 1, y, y, float32(x))
			default:
				t.gap()
			}
		}
		fill.end()
		t.end()
		most := 0
		for i, v := range bins {
			if v > bins[most] {
				most = i
			}
		}
		x := x0 + (x1-x0)*(float32(most)+0.5)/compareBins
		slotShape(m, slot, x, max(y1-(y1-y0)*bins[most], y0+6*u)+float32(8*slot)*u, 3.5*u)
	}
}

// meshTails makes the curves of percentiles.
func (d *Dock) meshTails(res *comparison, r image.Rectangle) {
	m, u := &d.mesh, float32(d.unit)
	x0, y0, x1, y1 := edges(r)
	m.Reset()
	m.Rect(x0, y0, x1, y1, Backdrop)
	for _, q := range tailMarks {
		x := x0 + (x1-x0)*float32(tailPlace(q))
		m.Rect(x, y0, min(x+1, x1), y1, Line)
	}
	for i := range res.guides {
		if g := &res.guides[i]; g.at < res.curveTop {
			y := y1 - (y1-y0)*float32(g.at)/float32(res.curveTop)
			m.Rect(x0, y, x1, y+1, Alpha(guideColor(g), 0.4))
		}
	}
	for k := len(res.slots) - 1; k >= 0; k-- {
		slot := res.slots[k]
		curve := res.curves[slot]
		if curve == nil {
			continue
		}
		t := newTrace(m, slot, u)
		apart := max(int(shapeApart*d.unit), 1)
		for x := range r.Dx() {
			at := curve[x*(len(curve)-1)/max(r.Dx()-1, 1)]
			y := y1 - (y1-y0)*float32(at)/float32(max(res.curveTop, 1))
			t.add(x0+float32(x), 1, y, y, float32(x))
		}
		t.end()
		for x := apart * (slot + 1) / 5; x < r.Dx(); x += apart {
			at := curve[x*(len(curve)-1)/max(r.Dx()-1, 1)]
			slotShape(m, slot, x0+float32(x), y1-(y1-y0)*float32(at)/float32(max(res.curveTop, 1)), 3.5*u)
		}
	}
}

func (d *Dock) writeHistograms(dst *ebiten.Image, let *Lettering, res *comparison, r image.Rectangle) {
	u, h := d.unit, let.Height(Small)
	d.caption(dst, let, r, "Share of frames", "by interval; the last column has all above")
	for share := 1.0; share > leastShare*1.5; share /= 10 {
		label := strconv.FormatFloat(100*share, 'g', -1, 64) + " %"
		y := float64(r.Max.Y) - float64(r.Dy())*float64(shareHeight(share)) - h/2
		let.DrawRight(dst, label, float64(r.Min.X)-5*u, y, Small, Faint)
	}
	free := math.Inf(1) // from the right, where the unit stands
	for i := 4; i >= 0; i-- {
		v := float64(res.width) * compareBins * float64(i) / 4
		label := Millis(time.Duration(v))
		if i == 4 {
			label += " ms"
		}
		w := let.Width(label, Small)
		x := float64(r.Min.X) + float64(r.Dx())*float64(i)/4
		x = min(max(x-w/2, float64(r.Min.X)), float64(r.Max.X)-w)
		if x+w <= free {
			let.Draw(dst, label, x, float64(r.Max.Y)+2*u, Small, Faint)
			free = x - 6*u
		}
	}
}

func (d *Dock) writeTails(dst *ebiten.Image, let *Lettering, res *comparison, r image.Rectangle) {
	u, h := d.unit, let.Height(Small)
	d.caption(dst, let, r, "Percentiles", "the longest at the right")
	left := float64(r.Min.X) - 5*u
	let.DrawRight(dst, Millis(res.curveTop)+" ms", left, float64(r.Min.Y)-2*u, Small, Faint)
	let.DrawRight(dst, "0", left, float64(r.Max.Y)-h+2*u, Small, Faint)
	free := math.Inf(-1)
	for _, q := range tailMarks {
		label := "P" + strconv.FormatFloat(100*q, 'g', 4, 64)
		w := let.Width(label, Small)
		x := float64(r.Min.X) + float64(r.Dx())*tailPlace(q)
		x = min(max(x-w/2, float64(r.Min.X)), float64(r.Max.X)-w)
		if x >= free {
			let.Draw(dst, label, x, float64(r.Max.Y)+2*u, Small, Faint)
			free = x + w + 6*u
		}
	}
}
