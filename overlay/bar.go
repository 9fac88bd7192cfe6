package overlay

import "image/color"

// bar is a passage as a timeline draws it, in pixels. What lies outside the
// axis is cut off, and the cut has no edge: a bar that goes on looks so.
type bar struct {
	x0, x1, y0, y1 float32
	phase          Phase
}

// hatchApart is the distance of the lines of a bar that is to come, in
// device-independent pixels.
const hatchApart = 7

// build adds a bar that holds ticks.
func (b *bar) build(m *Mesh, a *axis, unit float32) {
	c := b.phase.Color()
	from := b.x0
	// However short, it can be seen; however near the edge, it stays inside.
	b.x1 = max(b.x1, b.x0+2*unit)
	x0, x1 := max(b.x0, a.left), min(b.x1, a.right)
	if x0 >= x1 {
		return
	}
	w := max(unit, 1)
	switch b.phase {
	case IsNow:
		// What is left of it is fainter than what is over.
		m.Rect(x0, b.y0, x1, b.y1, Alpha(c, 0.4))
		m.Rect(x0, b.y0, min(max(a.now, x0), x1), b.y1, Alpha(c, 0.8))
		w = max(1.5*unit, 1)
	case IsToCome:
		m.Rect(x0, b.y0, x1, b.y1, Alpha(c, 0.16))
		h := b.y1 - b.y0
		for x := from + hatchApart*unit/2 - h; x < x1; x += hatchApart * unit {
			hatch(m, x, h, w, x0, x1, b.y1, Alpha(c, 0.75))
		}
	}
	m.Rect(x0, b.y0, x1, b.y0+w, c)
	m.Rect(x0, b.y1-w, x1, b.y1, c)
	if b.x0 >= a.left {
		m.Rect(x0, b.y0, min(x0+w, x1), b.y1, c)
	}
	if b.x1 <= a.right {
		m.Rect(max(x1-w, x0), b.y0, x1, b.y1, c)
	}
}

// hatch adds a slanting line from (x, y) up to the right, h wide and high, cut
// off at left and right.
func hatch(m *Mesh, x, h, w, left, right, y float32, c color.RGBA) {
	from, to := max(x, left), min(x+h, right-w)
	if from < to {
		m.Quad(from, y-(from-x), to, y-(to-x), to+w, y-(to-x), from+w, y-(from-x), c)
	}
}

// tick adds a passage that holds no tick: a line higher than the bars.
func (b *bar) tick(m *Mesh, a *axis, unit float32) {
	x0, x1 := max(b.x0-0.75*unit, a.left), min(b.x0+0.75*unit, a.right)
	if x0 < x1 {
		m.Rect(x0, b.y0-2*unit, x1, b.y1+2*unit, b.phase.Color())
	}
}
