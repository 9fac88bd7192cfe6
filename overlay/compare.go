package overlay

import (
	"image"
	"image/color"
	"strconv"
	"sync"
	"time"

	"chronoscope/loop/frametime"
)

// CompareView is what the tab of comparison shows beside its table.
type CompareView uint8

// The views.
const (
	LaneView  CompareView = iota // frame intervals over one another, from t = 0
	CurveView                    // histograms and percentiles over one another
	TableView                    // the table across the whole width
	compareViews
)

// String is the view's name: "lanes", "curves", "table".
func (v CompareView) String() string {
	switch v {
	case CurveView:
		return "curves"
	case TableView:
		return "table"
	}
	return "lanes"
}

// CompareViews are the names of the views, in their order.
func CompareViews() []string {
	return []string{LaneView.String(), CurveView.String(), TableView.String()}
}

// MaxOffset bounds how far a capture can be shifted against the others, either
// way.
const MaxOffset = time.Hour

// leastSpan is the least time that the width of the lane can stand for.
const leastSpan = 50 * time.Millisecond

// Compare draws captures over one another. What is held in the slots is worked
// out on first need and once for each change of it, on a goroutine of its own;
// Close waits for that. The zero Compare is empty and ready.
type Compare struct {
	View CompareView
	Log  bool // intervals on an axis on which each line is twice the one below

	held    [frametime.MaxSlots]*frametime.Capture
	filling [frametime.MaxSlots]bool
	offset  [frametime.MaxSlots]time.Duration
	at      compareSpan // what is in view; no length: all of it
	scroll  int         // rows of the table above the first one shown
	fits    int         // rows that were shown

	result  *comparison      // the newest; it may be of what was held before
	working chan *comparison // nil: nobody works
	workers sync.WaitGroup

	grip    compareGrip
	pointer image.Point // of the last look
	bands   [frametime.MaxSlots][]frametime.Band
	banded  bandKey
}

// compareSpan is a stretch of the common axis of time.
type compareSpan struct{ from, length time.Duration }

// compareGrip is what the mouse holds: a capture, to shift it, or the axis.
type compareGrip struct {
	on   bool
	slot int // -1: the axis
	x    int // where it was taken
	off  time.Duration
	span compareSpan // in view, which stands still meanwhile
	last int         // where the pointer was
}

// show takes over what the slots hold; true when that is something else.
func (c *Compare) show(s *Slots) (changed bool) {
	for i := range s {
		if s[i].Capture != c.held[i] {
			c.held[i], c.offset[i] = s[i].Capture, 0
			changed = true
		}
		if s[i].Filling != c.filling[i] {
			c.filling[i] = s[i].Filling
			changed = true
		}
	}
	if changed {
		c.at = compareSpan{}
	}
	return changed
}

// holds says whether any slot holds a capture.
func (c *Compare) holds() bool { return c.held != [frametime.MaxSlots]*frametime.Capture{} }

// work begins what has to be worked out, and takes what is ready; true when
// there is something new to draw. It never waits.
func (c *Compare) work() (fresh bool) {
	if c.working != nil {
		select {
		case r := <-c.working:
			c.working = nil
			c.result, c.scroll, fresh = r, 0, true
		default:
			return false
		}
	}
	if !c.holds() {
		fresh = fresh || c.result != nil
		c.result = nil
		return fresh
	}
	if c.result == nil || c.result.of != c.held {
		held, done := c.held, make(chan *comparison, 1)
		c.working = done
		c.workers.Go(func() { done <- compareCaptures(held) })
	}
	return fresh
}

// ready is the comparison of what is held, nil while it is worked out.
func (c *Compare) ready() *comparison {
	if c.result != nil && c.result.of == c.held {
		return c.result
	}
	return nil
}

// Close waits until nothing is worked out any more. The window calls it when it
// closes.
func (c *Compare) Close() { c.workers.Wait() }

// Offset is how far a slot's capture is shifted to the right.
func (c *Compare) Offset(slot int) time.Duration {
	if slot < 0 || slot >= frametime.MaxSlots {
		return 0
	}
	return c.offset[slot]
}

// all is the axis with everything on it.
func (c *Compare) all() compareSpan {
	var from, to time.Duration
	for i, h := range c.held {
		if n := len(lengthOf(h)); n > 0 {
			from = min(from, c.offset[i])
			to = max(to, c.offset[i]+lasted(h))
		}
	}
	return compareSpan{from, max(to-from, leastSpan)}
}

// lengthOf is a capture's frames, nil for none.
func lengthOf(h *frametime.Capture) []frametime.Frame {
	if h == nil {
		return nil
	}
	return h.Frames
}

// lasted is how long a capture is.
func lasted(h *frametime.Capture) time.Duration {
	f := lengthOf(h)
	if len(f) == 0 {
		return 0
	}
	return time.Duration(max(f[len(f)-1].Next-f[0].Layout, 0))
}

// view is the stretch in view.
func (c *Compare) view() compareSpan {
	switch {
	case c.grip.on && c.grip.slot >= 0:
		return c.grip.span
	case c.at.length > 0:
		return c.at
	}
	return c.all()
}

// look shows a stretch; one that is as long as everything is everything.
func (c *Compare) look(s compareSpan) {
	all := c.all()
	s.length = max(s.length, leastSpan)
	if s.length >= all.length {
		c.at = compareSpan{}
		return
	}
	s.from = min(max(s.from, all.from), all.from+all.length-s.length)
	c.at = s
}

// SetOffset shifts a slot's capture by so much to the right, within MaxOffset.
func (d *Dock) SetOffset(slot int, by time.Duration) {
	if slot < 0 || slot >= frametime.MaxSlots {
		return
	}
	d.Compare.offset[slot] = min(max(by, -MaxOffset), MaxOffset)
	d.stale = true
}

// CompareSpan shows a stretch of the common axis, from an instant on; 0 for its
// length shows everything.
func (d *Dock) CompareSpan(from, length time.Duration) {
	if length <= 0 {
		d.Compare.at = compareSpan{}
	} else {
		d.Compare.look(compareSpan{from, length})
	}
	d.stale = true
}

// SetCompareView shows lanes, curves or the table.
func (d *Dock) SetCompareView(v CompareView) {
	if v < compareViews {
		d.Compare.View = v
		d.stale = true
	}
}

// SetCompareLog measures intervals on a logarithmic axis, or on an even one.
func (d *Dock) SetCompareLog(on bool) { d.Compare.Log, d.stale = on, true }

// slotInk is the colour of a slot, slotShapes its shape, slotPatterns its line:
// so many pixels drawn, so many left out, and so on. No pair can be told apart
// by its colour alone.
var slotInk = [frametime.MaxSlots]color.RGBA{Awake, Walking, Visitor, Laggard}

var slotPatterns = [frametime.MaxSlots][4]float32{{1, 0, 0, 0}, {9, 4, 9, 4}, {3, 3, 3, 3}, {14, 4, 2, 4}}

// drawnAt says whether a slot's line is drawn at a place along it.
func drawnAt(slot int, x, unit float32) bool {
	p := slotPatterns[slot]
	x /= unit
	x -= float32(int(x/(p[0]+p[1]+p[2]+p[3]))) * (p[0] + p[1] + p[2] + p[3])
	for i, w := range p {
		if x < w {
			return i%2 == 0
		}
		x -= w
	}
	return false
}

// slotShape adds a slot's shape, r from its middle: a disc, a diamond, a
// triangle, a square.
func slotShape(m *Mesh, slot int, x, y, r float32) {
	c := slotInk[slot]
	for _, s := range [...]struct {
		r float32
		c color.RGBA
	}{{r + r/3, Backdrop}, {r, c}} {
		r, c := s.r, s.c
		switch slot {
		case 0:
			k := r * 0.42
			m.Rect(x-k, y-r, x+k, y+r, c)
			m.Quad(x-k, y-r, x-k, y+r, x-r, y+k, x-r, y-k, c)
			m.Quad(x+k, y-r, x+r, y-k, x+r, y+k, x+k, y+r, c)
		case 1:
			m.Quad(x, y-1.25*r, x+1.25*r, y, x, y+1.25*r, x-1.25*r, y, c)
		case 2:
			m.Triangle(x, y-1.2*r, x+1.2*r, y+r, x-1.2*r, y+r, c)
		default:
			m.Rect(x-0.9*r, y-0.9*r, x+0.9*r, y+0.9*r, c)
		}
	}
}

// signedSeconds writes an offset: "+0.350 s".
func signedSeconds(d time.Duration) string {
	s := strconv.FormatFloat(d.Seconds(), 'f', 3, 64) + " s"
	if d > 0 {
		s = "+" + s
	}
	return s
}
