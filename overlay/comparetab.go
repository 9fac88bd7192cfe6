package overlay

import (
	"image"
	"math"

	"chronoscope/loop/frametime"

	"github.com/hajimehoshi/ebiten/v2"
)

// compareLayout is where everything of the tab is.
type compareLayout struct {
	proofs image.Rectangle
	lane   image.Rectangle // of intervals, or of both curves
	rails  [frametime.MaxSlots]image.Rectangle
	table  image.Rectangle
}

// proofHeight is the height of a line that says whether simulations are
// identical, railHeight that of a capture's bar, axisRoom what labels at a
// lane's left take, in device-independent pixels.
const (
	proofHeight = 20
	railHeight  = 16
	axisRoom    = 118
)

// compareWide is from what width on the table has a place beside the lane, in
// device-independent pixels.
const compareWide = 820

func (d *Dock) layCompare() compareLayout {
	r := d.body()
	r.Min.X, r.Max.X = r.Min.X+d.px(12), r.Max.X-d.px(12)
	var l compareLayout
	res := d.Compare.ready()
	lines := 1
	if res != nil {
		lines = max(len(res.proofs), 1)
	}
	l.proofs = image.Rect(r.Min.X, r.Min.Y+d.px(3), r.Max.X, r.Min.Y+d.px(float64(3+lines*proofHeight)))
	top, bottom := l.proofs.Max.Y+d.px(4), r.Max.Y-d.px(4)
	if d.Compare.View == TableView {
		l.table = image.Rect(r.Min.X, top, r.Max.X, bottom)
		return l
	}
	right := r.Max.X
	if r.Dx() >= d.px(compareWide) {
		share := 0.34
		if res != nil && len(res.slots) > 2 {
			share = 0.46
		}
		wide := max(int(share*float64(r.Dx())), d.px(390))
		l.table = image.Rect(r.Max.X-wide, top, r.Max.X, bottom)
		right = l.table.Min.X - d.px(18)
	}
	rails := 0
	for _, h := range d.Compare.held {
		if h != nil {
			rails++
		}
	}
	y := bottom - rails*d.px(railHeight)
	l.lane = image.Rect(r.Min.X+d.px(axisRoom-12), top+d.px(4), right, max(y-d.px(18), top+d.px(24)))
	for i, h := range d.Compare.held {
		if h != nil {
			l.rails[i] = image.Rect(l.lane.Min.X, y, right, y+d.px(railHeight-2))
			y += d.px(railHeight)
		}
	}
	return l
}

// viewActs show the views; closures made anew would be garbage in each frame.
var viewActs = [compareViews]func(d *Dock){
	func(d *Dock) { d.SetCompareView(LaneView) },
	func(d *Dock) { d.SetCompareView(CurveView) },
	func(d *Dock) { d.SetCompareView(TableView) },
}

// arrangeCompare puts the tab's buttons at the right of the titles, the most
// important first; a narrow window leaves out what the command line has.
func (d *Dock) arrangeCompare(let *Lettering, y0, y1 int) {
	c := &d.Compare
	if !c.holds() {
		return
	}
	right := d.place.Max.X - d.px(10)
	left := d.tabs[TabCount-1].Max.X + d.px(8)
	add := func(label string, on bool, act func(d *Dock)) {
		x := right - int(let.Width(label, Body)) - d.px(14)
		if x >= left {
			d.choices = append(d.choices, choice{image.Rect(x, y0, right, y1), label, on, act})
			right = x - d.px(4)
		}
	}
	for v := range compareViews {
		v := compareViews - 1 - v
		add(v.String(), c.View == v, viewActs[v])
	}
	if c.View != LaneView {
		return
	}
	right -= d.px(6)
	if c.at.length > 0 {
		add("all", false, func(d *Dock) { d.CompareSpan(0, 0) })
	}
	axis := "axis even"
	if c.Log {
		axis = "axis log2"
	}
	add(axis, c.Log, func(d *Dock) { d.SetCompareLog(!d.Compare.Log) })
}

// clickCompare is a press of the mouse on the tab: on a button, on a capture's
// bar, which it takes to shift it, or on the lane, whose axis it takes.
func (d *Dock) clickCompare(p image.Point) {
	for _, c := range d.choices {
		if p.In(c.box) {
			c.act(d)
			return
		}
	}
	c := &d.Compare
	if c.View != LaneView || c.ready() == nil {
		return
	}
	l := d.layCompare()
	for i, b := range l.rails {
		if p.In(b) {
			c.grip = compareGrip{on: true, slot: i, x: p.X, last: p.X, off: c.offset[i], span: c.view()}
			d.stale = true
			return
		}
	}
	if p.In(l.lane) {
		c.grip = compareGrip{on: true, slot: -1, x: p.X, last: p.X, span: c.view()}
	}
}

// CompareBar is where a slot's bar can be taken, in device pixels; empty while
// it isn't shown.
func (d *Dock) CompareBar(slot int) image.Rectangle {
	c := &d.Compare
	if d.Tab != CompareTab || c.View != LaneView || c.ready() == nil || slot < 0 || slot >= len(c.held) {
		return image.Rectangle{}
	}
	return d.layCompare().rails[slot]
}

// dragCompare follows the mouse that holds something; down says that its button
// still is.
func (d *Dock) dragCompare(p image.Point, down bool) {
	g := &d.Compare.grip
	if !g.on {
		return
	}
	if p.X != g.last {
		g.last = p.X
		lane := d.layCompare().lane
		by := g.span.scaled(float64(p.X-g.x) / float64(max(lane.Dx(), 1)))
		if g.slot >= 0 {
			d.SetOffset(g.slot, g.off+by)
		} else {
			d.Compare.look(compareSpan{g.span.from - by, g.span.length})
			d.stale = true
		}
	}
	if !down {
		g.on = false
		d.stale = true
	}
}

// wheelCompare scrolls the table, or zooms into the lane around the pointer.
func (d *Dock) wheelCompare(notches float64) {
	c, l := &d.Compare, d.layCompare()
	res := c.ready()
	switch {
	case res == nil || notches == 0:
	case d.pointer.In(l.table):
		by := -1
		if notches < 0 {
			by = 1
		}
		d.ScrollCompare(3 * by)
	case c.View == LaneView && d.pointer.In(l.lane):
		v := c.view()
		share := float64(d.pointer.X-l.lane.Min.X) / float64(max(l.lane.Dx(), 1))
		f := math.Pow(1.25, -min(max(notches, -4), 4))
		at := v.from + v.scaled(share)
		n := compareSpan{length: max(v.scaled(f), leastSpan)}
		n.from = at - n.scaled(share)
		c.look(n)
		d.stale = true
	}
}

// ScrollCompare scrolls the table by so many rows.
func (d *Dock) ScrollCompare(by int) {
	c := &d.Compare
	if res := c.ready(); res != nil {
		c.scroll = min(max(c.scroll+by, 0), max(len(res.rows)-c.fits, 0))
		d.stale = true
	}
}

// watchCompare finds out whether there is something new to draw.
func (d *Dock) watchCompare() {
	c := &d.Compare
	if c.work() {
		d.stale = true
	}
	d.dragCompare(d.pointer, c.grip.on && ebiten.IsMouseButtonPressed(ebiten.MouseButtonLeft))
	if p := d.pointer; p != c.pointer {
		lane := d.layCompare().lane
		if p.In(lane) || c.pointer.In(lane) {
			d.stale = true
		}
		c.pointer = p
	}
}

// drawCompare draws the tab, all of it or nothing: nothing moves by itself.
func (d *Dock) drawCompare(dst, white *ebiten.Image, let *Lettering, all bool) {
	if !all {
		return
	}
	c := &d.Compare
	if !c.holds() {
		d.explainCompare(dst, let)
		return
	}
	res := c.ready()
	l := d.layCompare()
	if res == nil {
		let.DrawCentered(dst, "working it out", float64(d.place.Min.X+d.place.Max.X)/2, float64(d.place.Min.Y+d.place.Max.Y)/2, Body, Faint)
		return
	}
	d.writeProofs(dst, let, res, l.proofs)
	switch c.View {
	case LaneView:
		d.drawOverlaid(dst, white, let, res, &l)
	case CurveView:
		d.drawCompareCurves(dst, white, let, res, &l)
	}
	if !l.table.Empty() {
		d.drawTable(dst, white, let, res, l.table)
	}
}

// writeProofs writes whether the simulations are identical, large and plain.
func (d *Dock) writeProofs(dst *ebiten.Image, let *Lettering, res *comparison, r image.Rectangle) {
	y := float64(r.Min.Y)
	for _, p := range res.proofs {
		x := let.Draw(dst, let.Fit(p.text, Large, float64(r.Dx())), float64(r.Min.X), y, Large, p.ink) + 12*d.unit
		if room := float64(r.Max.X) - x; p.detail != "" && room > 60*d.unit {
			let.Draw(dst, let.Fit(p.detail, Body, room), x, y+let.Height(Large)-let.Height(Body), Body, Faint)
		}
		y += proofHeight * d.unit
	}
}

// compareHelp says how slots are filled.
var compareHelp = [...]string{
	"Nothing is held to be compared: there are four slots, A to D.",
	"Panel Display: begin and end a capture, or hold what the graph of frame times shows.",
	"Then change the display, the frame cap or VSync, and fill the next slot.",
	"Command line ( / ): capture begin A, capture end A, capture load B and a file.",
	"Or drop captures, MangoHud or PresentMon files on the window.",
}

// explainCompare says what would fill the tab, and what is under way.
func (d *Dock) explainCompare(dst *ebiten.Image, let *Lettering) {
	lines := compareHelp[:]
	for i, on := range d.Compare.filling {
		if on {
			lines = []string{"A capture into slot " + SlotName(i) + " is under way.", "End it in the panel Display, or with: capture end " + SlotName(i)}
			break
		}
	}
	r := d.body()
	line := let.Height(Body) + 5*d.unit
	y := float64(r.Min.Y+r.Max.Y)/2 - line*float64(len(lines))/2
	for i, s := range lines {
		st, ink := Body, Faint
		if i == 0 {
			st, ink = Strong, Ink
		}
		s = let.Fit(s, st, float64(r.Dx())-24*d.unit)
		let.DrawCentered(dst, s, float64(r.Min.X+r.Max.X)/2, y+line/2, st, ink)
		y += line
	}
}
