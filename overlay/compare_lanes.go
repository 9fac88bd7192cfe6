package overlay

import (
	"image"
	"image/color"
	"strconv"
	"time"

	"chronoscope/loop/frametime"

	"github.com/hajimehoshi/ebiten/v2"
)

// scaled is a share of a stretch's length.
func (s compareSpan) scaled(by float64) time.Duration { return time.Duration(by * float64(s.length)) }

// x is where an instant stands in a place as wide as the stretch is long.
func (s compareSpan) x(t time.Duration, r image.Rectangle) float32 {
	return float32(float64(r.Min.X) + float64(r.Dx())*float64(t-s.from)/float64(max(s.length, 1)))
}

// bandKey says what bands are of.
type bandKey struct {
	of     *comparison
	span   compareSpan
	offset [frametime.MaxSlots]time.Duration
	wide   int
}

// band sorts the frames in view into the lane's columns, unless that was done.
func (c *Compare) band(res *comparison, span compareSpan, wide int) {
	k := bandKey{res, span, c.offset, wide}
	if k == c.banded {
		return
	}
	c.banded = k
	for _, i := range res.slots {
		h := res.of[i]
		if cap(c.bands[i]) < wide {
			c.bands[i] = make([]frametime.Band, wide)
		}
		c.bands[i] = c.bands[i][:wide]
		if len(h.Frames) == 0 {
			clear(c.bands[i])
			continue
		}
		from := h.Frames[0].Layout + int64(span.from-c.offset[i])
		frametime.Bands(c.bands[i], frametime.FrameSlice(h.Frames), from, from+int64(span.length), &h.Meta.Rules, h.Refresh())
	}
}

// trace draws a slot's line, a column after the other, with the pattern of the
// slot. What swings is drawn whatever the pattern says: a gap must hide nothing.
type trace struct {
	run    run
	slot   int
	unit   float32
	ink    color.RGBA
	hi, lo float32 // of the column before
	open   bool
}

func newTrace(m *Mesh, slot int, unit float32) trace {
	return trace{run: run{m: m}, slot: slot, unit: unit, ink: Alpha(slotInk[slot], 0.9)}
}

// add adds a column of width w whose line reaches from hi down to lo.
func (t *trace) add(x, w, hi, lo float32, along float32) {
	h := max(0.75*t.unit, 0.5)
	if t.open {
		// An upright joins it to the one before, so that the line is one line.
		if t.lo < hi-1 {
			t.run.m.Rect(x-h, t.lo-h, x+h, hi+h, t.ink)
		} else if lo < t.hi-1 {
			t.run.m.Rect(x-h, lo-h, x+h, t.hi+h, t.ink)
		}
	}
	if lo-hi > 2*t.unit || drawnAt(t.slot, along, t.unit) {
		t.run.add(x, hi-h, x+w, lo+h, t.ink)
	}
	t.hi, t.lo, t.open = hi, lo, true
}

// gap says that there is nothing for a while.
func (t *trace) gap() { t.open = false }

func (t *trace) end() { t.run.end() }

// shapeApart is how far apart a line's shapes are, in device-independent pixels.
const shapeApart = 132

// meshBands adds a slot's intervals to the lane.
func (c *Compare) meshBands(m *Mesh, slot int, lane image.Rectangle, s scale, unit float32) {
	x0, y0, _, y1 := edges(lane)
	y := func(d time.Duration) float32 { return float32(int(y1 - (y1-y0)*s.at(d) + 0.5)) }
	t, out := newTrace(m, slot, unit), run{m: m}
	capped := float32(-1e9)
	for k := range c.bands[slot] {
		b, x := &c.bands[slot][k], x0+float32(k)
		if b.Frames == 0 {
			t.gap()
			continue
		}
		hi, lo := y(b.Hi), y(b.Lo)
		if b.Worst == frametime.Excluded {
			t.gap()
			out.add(x, hi-0.5, x+1, lo+0.5, Alpha(slotInk[slot], 0.35))
			continue
		}
		t.add(x, 1, hi, lo, float32(k))
		if !s.log && b.Hi > s.top && x-capped > 7*unit { // more than the axis holds
			m.Triangle(x-3.5*unit, y0+6*unit, x+3.5*unit, y0+6*unit, x, y0, slotInk[slot])
			capped = x
		}
	}
	t.end()
	out.end()
}

// meshShapes puts a slot's shape on its line, now and then, each slot elsewhere.
func (c *Compare) meshShapes(m *Mesh, slot int, lane image.Rectangle, s scale, unit float32) {
	x0, y0, _, y1 := edges(lane)
	apart := max(int(shapeApart*unit), 1)
	for k := apart*(2*slot+1)/(2*frametime.MaxSlots) + 1; k < len(c.bands[slot]); k += apart {
		if b := &c.bands[slot][k]; b.Frames > 0 && b.Worst != frametime.Excluded {
			slotShape(m, slot, x0+float32(k), y1-(y1-y0)*s.at(b.Hi), 3.5*unit)
		}
	}
}

// meshRails adds the bars that say where each capture lies; they can be dragged.
func (d *Dock) meshRails(m *Mesh, res *comparison, l *compareLayout, span compareSpan) {
	u := float32(d.unit)
	for _, i := range res.slots {
		b := l.rails[i]
		x0, y0, x1, y1 := edges(b)
		m.Rect(x0, y0, x1, y1, Backdrop)
		from := max(span.x(d.Compare.offset[i], b), x0)
		to := min(span.x(d.Compare.offset[i]+lasted(res.of[i]), b), x1)
		if from < to {
			m.Rect(from, y0, to, y1, Alpha(slotInk[i], 0.22))
			m.Frame(from, y0, to, y1, max(u, 1), Alpha(slotInk[i], 0.8))
		}
		slotShape(m, i, x0-36*u, (y0+y1)/2, 4*u)
		t := newTrace(m, i, u)
		for k := float32(0); k < 26*u; k++ {
			t.add(x0-28*u+k, 1, (y0+y1)/2, (y0+y1)/2, k)
		}
		t.end()
	}
}

// drawOverlaid draws the captures' intervals over one another, and their bars: in
// one call.
func (d *Dock) drawOverlaid(dst, white *ebiten.Image, let *Lettering, res *comparison, l *compareLayout) {
	c, u := &d.Compare, float32(d.unit)
	span, lane := c.view(), l.lane
	s := scale{top: max(res.top, time.Millisecond)}
	if c.Log {
		s = scale{log: true, top: logTop}
	}
	c.band(res, span, lane.Dx())
	x0, y0, x1, y1 := edges(lane)
	m := &d.mesh
	m.Reset()
	m.Rect(x0, y0, x1, y1, Backdrop)
	step := niceStep(span.length, max(int(float64(lane.Dx())/(70*d.unit)), 1))
	for t := ceilTo(span.from, step); t <= span.from+span.length; t += step {
		x := span.x(t, lane)
		m.Rect(x, y0, min(x+1, x1), y1, Alpha(Line, 0.7))
	}
	for _, g := range res.guides {
		if at := s.at(g.at); at > 0 && at < 1 {
			y := float32(int(y1 - (y1-y0)*at + 0.5))
			m.Rect(x0, y, x1, y+1, Alpha(guideColor(&g), 0.45))
		}
	}
	for k := len(res.slots) - 1; k >= 0; k-- { // the first one lies on top
		c.meshBands(m, res.slots[k], lane, s, u)
	}
	for k := len(res.slots) - 1; k >= 0; k-- {
		c.meshShapes(m, res.slots[k], lane, s, u)
	}
	d.meshRails(m, res, l, span)
	m.Draw(dst, white)
	d.writeOverlaid(dst, let, res, l, span, s, step)
	d.writeUnder(dst, white, let, res, lane, span)
}

// guideColor is a refresh line's: its slot's, or grey when several have it.
func guideColor(g *compareGuide) color.RGBA {
	if len(g.slots) == 1 {
		return slotInk[g.slots[0]]
	}
	return Faint
}

// writeOverlaid writes what lines and bars are.
func (d *Dock) writeOverlaid(dst *ebiten.Image, let *Lettering, res *comparison, l *compareLayout, span compareSpan, s scale, step time.Duration) {
	u, h, lane := d.unit, let.Height(Small), l.lane
	right := float64(lane.Min.X) - 6*u
	// A refresh is named by its slots; one that would lie on another is left out.
	top := Millis(s.top) + " ms"
	let.DrawRight(dst, top, right, float64(lane.Min.Y)-3*u, Small, Faint)
	taken := [][2]float64{{float64(lane.Min.Y) - 3*u, float64(lane.Min.Y) - 3*u + h}}
	for i := range res.guides {
		g := &res.guides[i]
		at := s.at(g.at)
		if at >= 1 {
			continue
		}
		y := min(float64(lane.Max.Y)-float64(lane.Dy())*float64(at)-h/2, float64(lane.Max.Y)-h+2*u)
		free := true
		for _, t := range taken {
			free = free && (y >= t[1] || y+h <= t[0])
		}
		if free {
			let.DrawRight(dst, g.text, right, y, Small, guideColor(g))
			taken = append(taken, [2]float64{y, y + h})
		}
	}
	foot := float64(lane.Max.Y) + u
	end := float64(lane.Min.X)
	for t := ceilTo(span.from, step); t <= span.from+span.length; t += step {
		label := strconv.FormatFloat(t.Seconds(), 'f', -1, 64) + " s"
		w := let.Width(label, Small)
		x := min(max(float64(span.x(t, lane))-w/2, float64(lane.Min.X)), float64(lane.Max.X)-w)
		if x >= end {
			let.Draw(dst, label, x, foot, Small, Faint)
			end = x + w + 8*u
		}
	}
	for _, i := range res.slots {
		b := l.rails[i]
		y := float64(b.Min.Y+b.Max.Y)/2 - h/2
		let.Draw(dst, SlotName(i), float64(b.Min.X)-54*u, y, Small, Ink)
		label := res.labels[i]
		if o := d.Compare.offset[i]; o != 0 {
			label = signedSeconds(o) + ", " + label
		}
		// In the bar, or else beside it where there is more room.
		from := max(float64(span.x(d.Compare.offset[i], b)), float64(b.Min.X))
		to := min(float64(span.x(d.Compare.offset[i]+lasted(res.of[i]), b)), float64(b.Max.X))
		x, room, w := from+5*u, to-from-10*u, let.Width(label, Small)
		if w > room {
			switch after, before := float64(b.Max.X)-to-10*u, from-float64(b.Min.X)-10*u; {
			case to < from, after >= w:
				x, room = max(to, float64(b.Min.X))+5*u, after
			case before >= w:
				x, room = from-5*u-w, before
			default: // over the bar's end
				x = float64(b.Min.X) + 5*u
				room = float64(b.Dx()) - 10*u
			}
		}
		let.Draw(dst, let.Fit(label, Small, room), x, y, Small, Ink)
	}
}

// writeUnder writes every capture's frame under the pointer.
func (d *Dock) writeUnder(dst, white *ebiten.Image, let *Lettering, res *comparison, lane image.Rectangle, span compareSpan) {
	if !d.pointer.In(lane) {
		return
	}
	u, h := d.unit, let.Height(Small)+d.unit
	at := span.from + span.scaled(float64(d.pointer.X-lane.Min.X)/float64(max(lane.Dx(), 1)))
	lines := []string{strconv.FormatFloat(at.Seconds(), 'f', 3, 64) + " s"}
	for _, i := range res.slots {
		lines = append(lines, SlotName(i)+"  "+frameText(res.of[i], at-d.Compare.offset[i]))
	}
	lines = append(lines, "wheel: zoom; drag a bar below: shift it")
	wide := 0.0
	for _, s := range lines {
		wide = max(wide, let.Width(s, Small))
	}
	wide += 12 * u
	high := h*float64(len(lines)) + 6*u
	x := float64(d.pointer.X) + 12*u
	if x+wide > float64(lane.Max.X) {
		x = float64(d.pointer.X) - 12*u - wide
	}
	y := float64(lane.Min.Y) + 3*u
	px, _, _, _ := edges(image.Rectangle{Min: d.pointer})
	d.mesh.Reset()
	d.mesh.Rect(px, float32(lane.Min.Y), px+1, float32(lane.Max.Y), Alpha(Ink, 0.6))
	d.mesh.Rect(float32(x), float32(y), float32(x+wide), float32(y+high), Alpha(Surface, 0.96))
	d.mesh.Frame(float32(x), float32(y), float32(x+wide), float32(y+high), max(float32(u), 1), Line)
	d.mesh.Draw(dst, white)
	for i, s := range lines {
		ink := Faint
		if i > 0 && i <= len(res.slots) {
			ink = slotInk[res.slots[i-1]]
		}
		let.Draw(dst, s, x+6*u, y+3*u+float64(i)*h, Small, ink)
	}
}

// frameText is a capture's frame at a time after its first.
func frameText(c *frametime.Capture, at time.Duration) string {
	f := c.Frames
	if len(f) == 0 {
		return "no frames"
	}
	stamp := f[0].Layout + int64(at)
	lo, hi := 0, len(f) // the first frame that ends after it
	for lo < hi {
		if mid := (lo + hi) / 2; f[mid].Next <= stamp {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	switch {
	case at < 0:
		return "not begun"
	case lo == len(f):
		return "over"
	}
	x := &f[lo]
	s := strconv.FormatFloat(x.Interval().Seconds()*1e3, 'f', 2, 64) + " ms, " + plural(max(x.Ticks(), 0), "tick")
	if reason, out := c.Meta.Rules.LeaveOut(x); out {
		return s + ", left out: " + reason.String()
	}
	if n := frametime.Missed(x.Interval(), c.Refresh()); n > 0 && x.Flags.Has(frametime.VSyncAsked) {
		s += ", " + Count(n) + " missed"
	}
	return s
}

// niceStep is a distance of lines, 1, 2 or 5 times a power of ten, at most n of
// which fit into a length.
func niceStep(length time.Duration, n int) time.Duration {
	for unit := time.Millisecond; ; unit *= 10 {
		for _, k := range [...]time.Duration{1, 2, 5} {
			if k*unit*time.Duration(n) >= length {
				return k * unit
			}
		}
	}
}

// ceilTo is the first multiple of a step that isn't below t.
func ceilTo(t, step time.Duration) time.Duration {
	down := t / step * step
	if down < t {
		down += step
	}
	return down
}
