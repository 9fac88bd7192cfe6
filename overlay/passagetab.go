package overlay

import (
	"image"
	"strconv"

	"chronoscope/loop"

	"github.com/hajimehoshi/ebiten/v2"
)

// The parts of the tab of passages, in device-independent pixels.
const (
	labelWidth = 112 // of a row's label
	headHeight = 20  // of the line over the rows
	axisHeight = 17  // of the line of ticks below them
	leastHead  = 110 // of a part of the line over the rows: less says nothing
)

// timelineLane is the place of the rows' bars.
func (d *Dock) timelineLane() image.Rectangle {
	r := d.body()
	return image.Rect(r.Min.X+d.px(labelWidth), r.Min.Y+d.px(headHeight), r.Max.X-d.px(12), r.Max.Y-d.px(axisHeight+5))
}

// meshRows adds the figures before the rows' labels, and marks the row that the
// pointer is over.
func (d *Dock) meshRows() {
	t, lane, u := &d.Timeline, d.timelineLane(), float32(d.unit)
	for i := range d.rowsShown() {
		row := &t.rows[t.scroll+i]
		y0 := float32(lane.Min.Y) + float32(i)*rowHeight*u
		if d.over.row == t.scroll+i {
			d.mesh.Rect(float32(d.place.Min.X)+4*u, y0, float32(lane.Min.X), y0+rowHeight*u, Line)
		}
		x, y := float32(d.place.Min.X)+16*u, y0+rowHeight*u/2
		switch row.mode {
		case activeRow:
			d.mesh.Triangle(x-4*u, y-5*u, x+6*u, y, x-4*u, y+5*u, Awake)
		case walkingRow:
			d.mesh.Circle(x+0.5, y+0.5, 3.75*u, 1.5*u, Walking)
		case restingRow:
			d.mesh.Circle(x+0.5, y+0.5, 1.25*u, 2.5*u, Resting)
		case zoneRow:
			d.mesh.Frame(x-4*u, y-4*u, x+4*u, y+4*u, max(u, 1), Faint)
		}
	}
}

// rowsShown is how many rows there are to be seen.
func (d *Dock) rowsShown() int {
	t := &d.Timeline
	return max(min(fit(d.timelineLane(), float32(d.unit)), len(t.rows)-t.scroll), 0)
}

// drawTimeline draws the passages: bars and axis in any case, what is written
// when all is drawn.
func (d *Dock) drawTimeline(dst, white *ebiten.Image, let *Lettering, all bool) {
	lane := d.timelineLane()
	if all {
		d.writeTimeline(dst, let, lane)
	}
	if len(d.Timeline.rows) == 0 {
		return
	}
	u := d.unit
	strip := lane
	strip.Max.Y += d.px(axisHeight)
	d.mesh.Reset()
	d.clear(strip)
	d.Timeline.Build(&d.mesh, lane, d.instant, float32(u))
	d.mesh.Draw(dst, white)
	// The axis moves with the bars.
	a := d.Timeline.axis(lane, d.instant)
	y := float64(lane.Max.Y) + (axisHeight*u-let.Height(Small))/2
	now := let.Width("now", Small)/2 + 8*u
	let.Draw(dst, "now", float64(a.now)-now+8*u, y, Small, Ink)
	a.each(gridApart*float32(u), func(t loop.Tick, x float32) {
		s := d.axisLabel(t)
		w := let.Width(s, Small)
		l := float64(x) - w/2
		if l < float64(lane.Min.X) || l+w > float64(lane.Max.X) || l < float64(a.now)+now && l+w > float64(a.now)-now {
			return
		}
		let.Draw(dst, s, l, y, Small, Faint)
	})
}

// axisLabels are as many labels of an axis as are kept: more than fit a screen.
const axisLabels = 64

// axisLabel is a tick and its time of day. Labels are kept, since they are
// wanted in every frame.
func (d *Dock) axisLabel(t loop.Tick) string {
	if s, ok := d.axisTexts[t]; ok {
		return s
	}
	if d.axisTexts == nil || len(d.axisTexts) >= axisLabels {
		d.axisTexts = make(map[loop.Tick]string, axisLabels)
	}
	at := loop.TownTimeAt(t)
	two := func(n int) string { return strconv.Itoa(n/10%10) + strconv.Itoa(n%10) }
	s := Thousands(uint64(t)) + "   " + two(at.Hour) + ":" + two(at.Minute)
	d.axisTexts[t] = s
	return s
}

// writeTimeline draws all that is written. While the pointer is over a passage,
// its exact values stand in the line over the rows.
func (d *Dock) writeTimeline(dst *ebiten.Image, let *Lettering, lane image.Rectangle) {
	t, u := &d.Timeline, d.unit
	x, y := float64(d.place.Min.X)+14*u, float64(lane.Min.Y)-(headHeight-2)*u
	right := float64(lane.Max.X)
	if told := t.Tell(d.over.row, d.over.passage, d.instant); told != "" {
		let.Draw(dst, let.Fit(told, Body, right-x), x, y, Body, Ink)
	} else {
		ink := Ink
		for i, s := range t.lines {
			if s == "" || i > 0 && right-x < leastHead*u {
				continue // the less important goes
			}
			x = let.Draw(dst, let.Fit(s, Body, right-x), x, y, Body, ink) + 22*u
			ink = Faint
		}
	}
	h := (rowHeight*u - let.Height(Body)) / 2
	for i := range d.rowsShown() {
		row := &t.rows[t.scroll+i]
		c := Ink
		if row.dim {
			c = Faint
		}
		let.Draw(dst, row.label, float64(d.place.Min.X)+28*u, float64(lane.Min.Y)+float64(i)*rowHeight*u+h, Body, c)
	}
	if more := t.total - t.scroll - d.rowsShown(); more > 0 && len(t.rows) > 0 {
		let.Draw(dst, "and "+Count(more)+" more", float64(d.place.Min.X)+14*u, float64(lane.Max.Y)+u, Small, Faint)
	}
}
