package overlay

import (
	"image"
	"strconv"
	"time"

	"chronoscope/loop"

	"github.com/hajimehoshi/ebiten/v2"
)

// DockHeight is the dock's height in device-independent pixels; in a low window
// it is less, but not below MinDockHeight.
const DockHeight, MinDockHeight = 220, 176

// TallDockHeight is its height where more is shown than lanes.
const TallDockHeight = 340

// Height is how high the dock is in a window, both in device-independent pixels.
func (d *Dock) Height(window float64) float64 {
	if d.Tab == CompareTab || d.Tab == LabTab {
		return min(max(0.45*window, MinDockHeight), TallDockHeight)
	}
	return min(max(0.3*window, MinDockHeight), DockHeight)
}

// Tab is what the dock shows.
type Tab uint8

// The tabs, in order.
const (
	FrameTab   Tab = iota // frame times
	PassageTab            // when who is where
	TickTab               // released ticks
	CompareTab            // captures over one another
	LabTab                // loops and pacers
	TabCount
)

// String is the tab's title.
func (t Tab) String() string {
	switch t {
	case FrameTab:
		return "Frame times"
	case PassageTab:
		return "Passages"
	case TickTab:
		return "Ticks"
	case CompareTab:
		return "Compare"
	case LabTab:
		return "Lab"
	}
	return "tab " + strconv.Itoa(int(t))
}

// Dock draws the instruments at the bottom of the window, one at a time, with
// their titles at its upper edge.
type Dock struct {
	Tab Tab // what is shown; any other value is FrameTab
	// Recording is what the frames' tab draws; nil: nothing yet.
	Recording *Recording
	Compare   Compare
	Lab       Lab
	Graph     Graph
	Timeline  Timeline
	Releases  Releases

	mesh   Mesh
	frames frameFigures
	ticks  tickFigures
	stale  bool // since what is written was renewed
	paused bool // when it was drawn

	place   image.Rectangle // of the last Draw
	unit    float64
	tabs    [TabCount]image.Rectangle
	choices []choice        // of the frames' tab, in its titles' line
	minus   image.Rectangle // of the timeline's span
	plus    image.Rectangle
	pointer image.Point
	over    hover
	instant Instant

	axisTexts map[loop.Tick]string
}

// hover is what the pointer is over.
type hover struct {
	row, passage int
	tab          int // a title, or a button after them; -1: none
}

// Refresh renews the figures of frames and their texts; the window calls it five
// times a second. While the world is paused the figures go blank, never stale.
func (d *Dock) Refresh() {
	if d.Tab == FrameTab || d.Tab >= TabCount {
		d.frames.renew(&d.Graph, d.Recording)
	}
	d.stale = d.stale || d.Tab != CompareTab // there nothing changes by itself
}

// Show takes over the values for passages and ticks; the window calls it five
// times a second. now is the instant at which they were read.
func (d *Dock) Show(v *Values, now time.Time) {
	d.Timeline.Show(v)
	d.Releases.Show(v, now)
	d.ticks.renew(&d.Releases, v, now)
	d.Lab.show(&v.Lab)
	d.stale = d.Compare.show(&v.Slots) || d.stale || d.Tab != CompareTab
}

// Name is the tab's name in one lower-case word; the first one's for what is no
// tab.
func (t Tab) Name() string {
	if t >= TabCount {
		t = 0
	}
	return tabNames[t]
}

var tabNames = [TabCount]string{"frames", "passages", "ticks", "compare", "lab"}

// TabNames are the names of all tabs, in their order.
func TabNames() []string { return append([]string(nil), tabNames[:]...) }

// Cycle shows the next tab.
func (d *Dock) Cycle() { d.Choose((d.Tab + 1) % TabCount) }

// Choose shows a tab.
func (d *Dock) Choose(t Tab) {
	if t < TabCount {
		d.Tab, d.stale = t, true
	}
}

// Point says where the pointer is, in device pixels.
func (d *Dock) Point(p image.Point) { d.pointer = p }

// Click is a click at p: on a title or a button, which it follows, or on a row
// of the passages, whose subject it gives back to be selected.
func (d *Dock) Click(p image.Point) (Selection, bool) {
	for i, b := range d.tabs {
		if p.In(b) {
			d.Choose(Tab(i))
			return Selection{}, false
		}
	}
	if d.Tab == FrameTab {
		d.clickFrames(p)
	}
	if d.Tab == LabTab {
		d.clickLab(p)
	}
	if d.Tab == CompareTab {
		d.clickCompare(p)
	}
	if d.Tab != PassageTab {
		return Selection{}, false
	}
	switch {
	case p.In(d.minus):
		d.Zoom(-1)
	case p.In(d.plus):
		d.Zoom(+1)
	default:
		return d.Hit(p)
	}
	return Selection{}, false
}

// Hit is the subject of the row of passages at p; false where there is none.
func (d *Dock) Hit(p image.Point) (Selection, bool) {
	if d.Tab != PassageTab || !p.In(d.place) {
		return Selection{}, false
	}
	row, _ := d.Timeline.Over(p, d.timelineLane(), d.instant, float32(d.unit))
	s := d.Timeline.Picked(row)
	return s, s.Kind != Nothing
}

// Wheel scrolls the passages by notches of the wheel, upwards above 0; with
// control it zooms. In the tab of comparison it scrolls the table under the
// pointer, or zooms into the lane.
func (d *Dock) Wheel(notches float64, control bool) {
	if d.Tab == CompareTab {
		d.wheelCompare(notches)
	}
	if d.Tab != PassageTab || notches == 0 {
		return
	}
	by := 1
	if notches > 0 {
		by = -1
	}
	if control {
		d.Zoom(by)
		return
	}
	d.Timeline.Scroll(by, fit(d.timelineLane(), float32(d.unit)))
	d.stale = true
}

// Zoom shows less time of the passages (by < 0) or more.
func (d *Dock) Zoom(by int) {
	d.Timeline.Zoom(by)
	d.stale = true
}

// Draw draws the dock into r, in device pixels. kept says that what the last
// Draw left is still there: then only what has changed is drawn over it.
func (d *Dock) Draw(dst, white *ebiten.Image, let *Lettering, r image.Rectangle, at Instant, kept bool) {
	d.place, d.unit, d.instant = r, let.Scale(), at
	if d.Tab == CompareTab {
		d.watchCompare()
	}
	d.arrangeTabs(let)
	if d.Tab == PassageTab && (d.stale || !kept) {
		d.Timeline.KeepNow(at.Tick, fit(d.timelineLane(), float32(d.unit)))
	}
	if h := d.under(); h != d.over {
		d.over, d.stale = h, true
	}
	all := !kept || d.stale || at.Paused != d.paused
	if all {
		d.stale, d.paused = false, at.Paused
		unit := float32(d.unit)
		x0, y0, x1, y1 := edges(r)
		d.mesh.Reset()
		d.mesh.Rect(x0, y0, x1, y1, Surface)
		d.mesh.Rect(x0, y0, x1, y0+unit, Line)
		d.meshTabs()
		if d.Tab == PassageTab {
			d.meshRows()
		}
		d.mesh.Draw(dst, white)
		d.drawTabs(dst, let)
	}
	switch d.Tab {
	case PassageTab:
		d.drawTimeline(dst, white, let, all)
	case TickTab:
		d.drawReleases(dst, white, let, all)
	case CompareTab:
		d.drawCompare(dst, white, let, all)
	case LabTab:
		d.drawLab(dst, white, let, all)
	default:
		d.drawFrames(dst, white, let, all)
	}
}

// px is v device-independent pixels in device pixels.
func (d *Dock) px(v float64) int { return int(v*d.unit + 0.5) }

// tabHeight is the height of the titles, in device-independent pixels.
const tabHeight = 26

// body is the place below the titles.
func (d *Dock) body() image.Rectangle {
	r := d.place
	r.Min.Y = min(r.Min.Y+d.px(tabHeight), r.Max.Y)
	return r
}

// arrangeTabs puts the titles and, for passages, the buttons of the span.
func (d *Dock) arrangeTabs(let *Lettering) {
	x, y0, y1 := d.place.Min.X+d.px(8), d.place.Min.Y+d.px(3), d.place.Min.Y+d.px(tabHeight-2)
	for i := range d.tabs {
		w := int(let.Width(Tab(i).String(), Body)) + d.px(20)
		d.tabs[i] = image.Rect(x, y0, x+w, y1)
		x += w + d.px(4)
	}
	d.minus, d.plus = image.Rectangle{}, image.Rectangle{}
	d.choices = d.choices[:0]
	if d.Tab == FrameTab {
		d.arrangeChoices(let, y0, y1)
	}
	if d.Tab == LabTab {
		d.arrangeLab(let)
	}
	if d.Tab == CompareTab {
		d.arrangeCompare(let, y0, y1)
	}
	if d.Tab == PassageTab {
		right, side := d.place.Max.X-d.px(12), d.px(24)
		d.plus = image.Rect(right-side, y0, right, y1)
		d.minus = image.Rect(right-2*side-d.px(64), y0, right-side-d.px(64), y1)
	}
}

// under is what the pointer is over.
func (d *Dock) under() hover {
	h := hover{row: -1, passage: -1, tab: -1}
	if !d.pointer.In(d.place) {
		return h
	}
	for i, b := range d.tabs {
		if d.pointer.In(b) {
			h.tab = i
		}
	}
	for i, b := range [...]image.Rectangle{d.minus, d.plus} {
		if d.pointer.In(b) {
			h.tab = int(TabCount) + i
		}
	}
	for i, c := range d.choices {
		if d.pointer.In(c.box) {
			h.tab = int(TabCount) + 2 + i
		}
	}
	if d.Tab == PassageTab && h.tab < 0 {
		h.row, h.passage = d.Timeline.Over(d.pointer, d.timelineLane(), d.instant, float32(d.unit))
	}
	return h
}

// meshTabs adds the grounds of titles and buttons.
func (d *Dock) meshTabs() {
	fill := func(b image.Rectangle, lit bool) {
		x0, y0, x1, y1 := edges(b)
		if lit {
			d.mesh.Rect(x0, y0, x1, y1, Line)
		}
	}
	for i, b := range d.tabs {
		fill(b, d.over.tab == i)
		if Tab(i) == d.Tab {
			x0, _, x1, y1 := edges(b)
			d.mesh.Rect(x0, y1-max(2*float32(d.unit), 1), x1, y1, Signal)
		}
	}
	for i, c := range d.choices {
		x0, y0, x1, y1 := edges(c.box)
		ink := Line
		if c.on {
			ink = Signal
		}
		d.mesh.Frame(x0, y0, x1, y1, 1, ink)
		fill(c.box, d.over.tab == int(TabCount)+2+i)
	}
	for i, b := range [...]image.Rectangle{d.minus, d.plus} {
		if !b.Empty() {
			x0, y0, x1, y1 := edges(b)
			d.mesh.Frame(x0, y0, x1, y1, 1, Line)
			fill(b, d.over.tab == int(TabCount)+i)
		}
	}
}

func (d *Dock) drawTabs(dst *ebiten.Image, let *Lettering) {
	middle := func(s string, b image.Rectangle, c bool) {
		ink := Faint
		if c {
			ink = Ink
		}
		let.DrawCentered(dst, s, float64(b.Min.X+b.Max.X)/2, float64(b.Min.Y+b.Max.Y)/2, Body, ink)
	}
	for i, b := range d.tabs {
		middle(Tab(i).String(), b, Tab(i) == d.Tab)
	}
	for _, c := range d.choices {
		middle(c.label, c.box, c.on)
	}
	if d.Tab == PassageTab {
		middle("-", d.minus, true)
		middle("+", d.plus, true)
		between := image.Rect(d.minus.Max.X, d.minus.Min.Y, d.plus.Min.X, d.plus.Max.Y)
		middle(shortSpan(d.Timeline.Span()), between, true)
	}
}

// shortSpan writes a whole number of seconds or minutes: "30 s", "2 min".
func shortSpan(t time.Duration) string {
	if t < time.Minute {
		return strconv.Itoa(int(t/time.Second)) + " s"
	}
	return strconv.Itoa(int(t/time.Minute)) + " min"
}

// clear adds the ground of a lane and covers what marks may have left beside it.
func (d *Dock) clear(b image.Rectangle) {
	unit := float32(d.unit)
	x0, y0, x1, y1 := edges(b)
	d.mesh.Rect(x0-laneMargin*unit, y0-unit, x0, y1+unit, Surface)
	d.mesh.Rect(x1, y0-unit, x1+laneMargin*unit, y1+unit, Surface)
	d.mesh.Rect(x0, y0-unit, x1, y0, Surface)
	d.mesh.Rect(x0, y1, x1, y1+unit, Surface)
	d.mesh.Rect(x0, y0, x1, y1, Backdrop)
}

// laneMargin is how far marks reach beyond a lane's sides, in device-independent
// pixels.
const laneMargin = 5
