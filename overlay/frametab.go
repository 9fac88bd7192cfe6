package overlay

import (
	"fmt"
	"image"
	"time"

	"github.com/hajimehoshi/ebiten/v2"
)

// frameFigures are the numbers of the strip of frames as written, renewed five
// times a second: text that changes every frame can't be read.
type frameFigures struct {
	summary Summary
	top     time.Duration // at the upper edge of the lane
	bars    int           // ticks at the upper edge of the other one

	guides  [2]string
	most    string
	average string
	p99     string
	longest string
	used    string
	leftOut string
}

func (f *frameFigures) renew(s *Strip, paused bool) {
	sum := s.Summary(DockSpan)
	*f = frameFigures{summary: sum, average: "-", p99: "-", longest: "-"}
	f.top = max(sum.Refresh*22/10, sum.P99*11/10)
	if sum.P99 == 0 {
		f.top = max(f.top, sum.Longest*11/10, 40*time.Millisecond)
	}
	f.bars = max(2, s.MostTicks(DockSpan))
	f.most = Count(f.bars)
	if sum.Refresh > 0 {
		for i := range f.guides {
			r := time.Duration(i+1) * sum.Refresh
			f.guides[i] = Millis(r) + " ms"
		}
	}
	if !paused && sum.Average > 0 {
		f.average = fmt.Sprintf("%.1f per s", sum.Average)
		f.longest = Millis(sum.Longest) + " ms"
		if sum.P99 > 0 {
			f.p99 = Millis(sum.P99) + " ms"
		}
	}
	f.used = Count(sum.Used) + " frames used,"
	f.leftOut = Count(sum.LeftOut) + " left out"
}

// drawFrames draws the strip of frames: its lanes in any case, what is written
// when all is drawn.
func (d *Dock) drawFrames(dst, white *ebiten.Image, let *Lettering, all bool) {
	r := d.body()
	gutter, figures := d.px(66), d.px(196)
	lane := image.Rect(r.Min.X+gutter, r.Min.Y+d.px(24), r.Max.X-figures, r.Max.Y-d.px(56))
	bars := image.Rect(lane.Min.X, lane.Max.Y+d.px(24), lane.Max.X, r.Max.Y-d.px(8))
	if all {
		d.writeFrames(dst, let, r, lane, bars)
	}
	unit := float32(d.unit)
	d.mesh.Reset()
	d.clear(lane)
	d.clear(bars)
	d.Strip.IntervalLane(&d.mesh, lane, DockSpan, d.frames.summary.Refresh, d.frames.top, unit)
	d.Strip.TicksLane(&d.mesh, bars, DockSpan, d.frames.bars, unit)
	d.mesh.Draw(dst, white)
}

// writeFrames draws all that is written. Captions stand above their lanes, values
// of guide lines beside them.
func (d *Dock) writeFrames(dst *ebiten.Image, let *Lettering, r, lane, bars image.Rectangle) {
	u, f := d.unit, &d.frames
	d.caption(dst, let, lane, "Frame interval", "last 10 s; bar: a missed refresh, with a cap: more; shaded: the world braked")
	d.caption(dst, let, bars, "Ticks per frame", "how far the world went in each frame")
	half := let.Height(Small) / 2
	free := float64(lane.Max.Y) + half // above it nothing is written yet
	for i, g := range f.guides {
		at := time.Duration(i+1) * f.summary.Refresh
		y := float64(lane.Max.Y) - float64(lane.Dy())*float64(at)/float64(f.top)
		if g == "" || at >= f.top || y+half > free {
			continue
		}
		let.DrawRight(dst, g, float64(lane.Min.X)-6*u, y-half, Small, Faint)
		free = y - half
	}
	left := float64(bars.Min.X) - 6*u
	let.DrawRight(dst, f.most, left, float64(bars.Min.Y)-half+2*u, Small, Faint)
	let.DrawRight(dst, "0", left, float64(bars.Max.Y)-2*half, Small, Faint)

	y := d.figures(dst, let, r, lane, [][2]string{
		{"frames", f.average}, {"P99 interval", f.p99}, {"longest", f.longest},
	})
	x := float64(lane.Max.X) + 16*u
	if d.paused {
		let.Draw(dst, "paused: no figures", x, y+4*u, Small, Faint)
		return
	}
	let.Draw(dst, f.used, x, y+4*u, Small, Faint)
	let.Draw(dst, f.leftOut, x, y+19*u, Small, Faint)
}

// caption writes a lane's title above it, and a note after it where it fits.
func (d *Dock) caption(dst *ebiten.Image, let *Lettering, lane image.Rectangle, title, note string) {
	u := d.unit
	x := let.Draw(dst, title, float64(lane.Min.X), float64(lane.Min.Y)-20*u, Strong, Ink) + 10*u
	if x+let.Width(note, Small) <= float64(lane.Max.X) {
		let.Draw(dst, note, x, float64(lane.Min.Y)-18*u, Small, Faint)
	}
}

// figures writes names and values at the right of a lane, and returns where they
// end.
func (d *Dock) figures(dst *ebiten.Image, let *Lettering, r, lane image.Rectangle, list [][2]string) float64 {
	u := d.unit
	left, right := float64(lane.Max.X)+16*u, float64(r.Max.X)-14*u
	y := float64(r.Min.Y) + 6*u
	for _, f := range list {
		let.Draw(dst, f[0], left, y, Body, Faint)
		let.DrawRight(dst, f[1], right, y, Strong, Ink)
		y += 21 * u
	}
	return y
}
