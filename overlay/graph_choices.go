package overlay

import (
	"image"
	"slices"
	"strconv"
	"time"
)

// choice is a button in the line of the dock's titles.
type choice struct {
	box   image.Rectangle
	label string
	on    bool
	act   func(d *Dock)
}

// arrangeChoices puts the buttons of the frames' tab at the right: how much time,
// which axis, and the distribution.
func (d *Dock) arrangeChoices(let *Lettering, y0, y1 int) {
	right := d.place.Max.X - d.px(10)
	left := d.tabs[TabCount-1].Max.X + d.px(8)
	add := func(label string, on bool, act func(d *Dock)) {
		x := right - int(let.Width(label, Body)) - d.px(16)
		if x < left {
			return // a narrow window: the command line has them all
		}
		d.choices = append(d.choices, choice{image.Rect(x, y0, right, y1), label, on, act})
		right = x - d.px(4)
	}
	g := &d.Graph
	add("curves", g.Curves, func(d *Dock) { d.Graph.Curves = !d.Graph.Curves })
	if g.Curves {
		return
	}
	right -= d.px(8)
	axis := "axis " + g.Axis.String()
	if g.Axis == FixedAxis {
		axis = "to " + Millis(g.fixedTop()) + " ms"
	}
	add(axis, g.Axis != AutoAxis, func(d *Dock) { d.NextAxis() })
	right -= d.px(8)
	for _, span := range slices.Backward(GraphSpans[:]) {
		add(strconv.Itoa(int(span/time.Second))+" s", g.span() == span, func(d *Dock) { d.SetSpan(span) })
	}
}

// NextAxis measures frame intervals in the next way.
func (d *Dock) NextAxis() { d.SetAxis((d.Graph.Axis+1)%graphAxes, d.Graph.Top) }

// SetAxis measures them in a given way; top is the upper end of FixedAxis.
func (d *Dock) SetAxis(a GraphAxis, top time.Duration) {
	d.Graph.Axis, d.Graph.Top = a, min(max(top, 0), MaxGraphTop)
	d.Refresh()
}

// SetSpan shows so much time, one of GraphSpans.
func (d *Dock) SetSpan(span time.Duration) {
	if slices.Contains(GraphSpans[:], span) {
		d.Graph.Span = span
		d.Refresh()
	}
}

// clickFrames is a click on the frames' tab: on a button, or on a frame, which it
// pins or lets go.
func (d *Dock) clickFrames(p image.Point) {
	for _, c := range d.choices {
		if p.In(c.box) {
			c.act(d)
			d.Refresh()
			return
		}
	}
	d.pointer = p
	if !d.overLanes() || d.Recording == nil || d.Recording.Frames == nil {
		return
	}
	t := d.Graph.time(d.Recording, d.layFrames().lanes[0])
	f, ok := frameAt(d.Recording, t.stamp(float32(p.X)))
	g := &d.Graph
	if ok && (!g.pin || g.pinned.Seq != f.Seq) {
		g.pinned, g.pin = f, true
	} else {
		g.pin = false
	}
}

// Find is where a title of the dock, or a button beside them, stands, in device
// pixels; empty when there is none of that name.
func (d *Dock) Find(label string) image.Rectangle {
	for i, b := range d.tabs {
		if Tab(i).String() == label {
			return b
		}
	}
	for _, c := range d.choices {
		if c.label == label {
			return c.box
		}
	}
	return image.Rectangle{}
}

// Lanes is where the graph of frame times stands, in device pixels.
func (d *Dock) Lanes() image.Rectangle {
	l := d.layFrames()
	return l.lanes[0].Union(l.lanes[2])
}
