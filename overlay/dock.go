package overlay

import (
	"fmt"
	"image"
	"time"

	"github.com/hajimehoshi/ebiten/v2"
)

// The dock's height in device-independent pixels, and the time it shows.
const (
	DockHeight = 168
	DockSpan   = 10 * time.Second
)

// Dock draws the frame-time strip at the bottom of the window.
type Dock struct {
	Strip Strip

	mesh    Mesh
	summary Summary
	texts   dockTexts
	top     time.Duration
	most    int
	stale   bool // since the texts were renewed
	paused  bool // when the texts were drawn
}

// dockTexts are the numbers of the dock as written, renewed five times a
// second: text that changes every frame can't be read.
type dockTexts struct {
	guides  [2]string
	most    string
	average string
	p99     string
	longest string
	used    string
	leftOut string
}

// Refresh renews the figures and their texts; the window calls it five times
// a second. While the world is paused the figures go blank, never stale.
func (d *Dock) Refresh(paused bool) {
	sum := d.Strip.Summary(DockSpan)
	d.summary = sum
	d.top = max(sum.Refresh*22/10, sum.P99*11/10)
	if sum.P99 == 0 {
		d.top = max(d.top, sum.Longest*11/10, 40*time.Millisecond)
	}
	d.most = max(2, d.Strip.MostTicks(DockSpan))
	t := dockTexts{most: Count(d.most), average: "-", p99: "-", longest: "-"}
	if sum.Refresh > 0 {
		for i := range t.guides {
			r := time.Duration(i+1) * sum.Refresh
			t.guides[i] = Millis(r) + " ms"
		}
	}
	if !paused && sum.Average > 0 {
		t.average = fmt.Sprintf("%.1f per s", sum.Average)
		t.longest = Millis(sum.Longest) + " ms"
		if sum.P99 > 0 {
			t.p99 = Millis(sum.P99) + " ms"
		}
	}
	t.used = Count(sum.Used) + " frames used,"
	t.leftOut = Count(sum.LeftOut) + " left out"
	d.texts = t
	d.stale = true
}

// Summary is the figures as of the last Refresh.
func (d *Dock) Summary() Summary { return d.summary }

// Draw draws the dock into r, in device pixels. kept says that what the last
// Draw left is still there: then only what has changed is drawn over it.
func (d *Dock) Draw(dst, white *ebiten.Image, let *Lettering, r image.Rectangle, paused, kept bool) {
	u := let.Scale()
	px := func(v float64) int { return int(v*u + 0.5) }
	gutter, figures := px(66), px(196)
	lane := image.Rect(r.Min.X+gutter, r.Min.Y+px(28), r.Max.X-figures, r.Max.Y-px(58))
	bars := image.Rect(lane.Min.X, lane.Max.Y+px(26), lane.Max.X, r.Max.Y-px(8))
	if !kept || d.stale || paused != d.paused {
		d.stale, d.paused = false, paused
		unit := float32(u)
		x0, y0, x1, y1 := edges(r)
		d.mesh.Reset()
		d.mesh.Rect(x0, y0, x1, y1, Surface)
		d.mesh.Rect(x0, y0, x1, y0+unit, Line)
		d.mesh.Draw(dst, white)
		d.drawTexts(dst, let, r, lane, bars, paused)
	}
	d.drawLanes(dst, white, lane, bars, u)
}

// laneMargin is how far marks reach beyond a lane's sides, in
// device-independent pixels.
const laneMargin = 5

// drawLanes draws the lanes over those of the frame before.
func (d *Dock) drawLanes(dst, white *ebiten.Image, lane, bars image.Rectangle, u float64) {
	unit := float32(u)
	d.mesh.Reset()
	for _, b := range [...]image.Rectangle{lane, bars} {
		x0, y0, x1, y1 := edges(b)
		d.mesh.Rect(x0-laneMargin*unit, y0-unit, x0, y1+unit, Surface)
		d.mesh.Rect(x1, y0-unit, x1+laneMargin*unit, y1+unit, Surface)
		d.mesh.Rect(x0, y0-unit, x1, y0, Surface)
		d.mesh.Rect(x0, y1, x1, y1+unit, Surface)
		d.mesh.Rect(x0, y0, x1, y1, Backdrop)
	}
	d.Strip.IntervalLane(&d.mesh, lane, DockSpan, d.summary.Refresh, d.top, unit)
	d.Strip.TicksLane(&d.mesh, bars, DockSpan, d.most, unit)
	d.mesh.Draw(dst, white)
}

// drawTexts draws all that is written. Captions stand above their lanes, values
// of guide lines beside them.
func (d *Dock) drawTexts(dst *ebiten.Image, let *Lettering, r, lane, bars image.Rectangle, paused bool) {
	u := let.Scale()

	fx := func(v int) float64 { return float64(v) }
	caption := func(lane image.Rectangle, title, note string) {
		x := let.Draw(dst, title, fx(lane.Min.X), fx(lane.Min.Y)-20*u, Strong, Ink) + 10*u
		if x+let.Width(note, Small) <= fx(lane.Max.X) {
			let.Draw(dst, note, x, fx(lane.Min.Y)-18*u, Small, Faint)
		}
	}
	caption(lane, "Frame interval", "last 10 s; bar: a missed refresh, with a cap: more; shaded: the world braked")
	caption(bars, "Ticks per frame", "how far the world went in each frame")
	half := let.Height(Small) / 2
	free := fx(lane.Max.Y) + half // above it nothing is written yet
	for i, g := range d.texts.guides {
		at := time.Duration(i+1) * d.summary.Refresh
		y := fx(lane.Max.Y) - fx(lane.Dy())*float64(at)/float64(d.top)
		if g == "" || at >= d.top || y+half > free {
			continue
		}
		let.DrawRight(dst, g, fx(lane.Min.X)-6*u, y-half, Small, Faint)
		free = y - half
	}
	let.DrawRight(dst, d.texts.most, fx(bars.Min.X)-6*u, fx(bars.Min.Y)-half+2*u, Small, Faint)
	let.DrawRight(dst, "0", fx(bars.Min.X)-6*u, fx(bars.Max.Y)-2*half, Small, Faint)

	left, right := fx(lane.Max.X)+16*u, fx(r.Max.X)-14*u
	y := fx(r.Min.Y) + 9*u
	row := func(name, value string) {
		let.Draw(dst, name, left, y, Body, Faint)
		let.DrawRight(dst, value, right, y, Strong, Ink)
		y += 21 * u
	}
	row("frames", d.texts.average)
	row("P99 interval", d.texts.p99)
	row("longest", d.texts.longest)
	y += 4 * u
	if paused {
		let.Draw(dst, "paused: no figures", left, y, Small, Faint)
		return
	}
	let.Draw(dst, d.texts.used, left, y, Small, Faint)
	let.Draw(dst, d.texts.leftOut, left, y+15*u, Small, Faint)
}
