package overlay

import (
	"image"
	"image/color"

	"github.com/ebitengine/debugui"
)

// page is one Update's sheet of widgets: what they show, and what is asked for
// with them.
type page struct {
	p        *Panels
	ctx      *debugui.Context
	v        *Values
	in       *Intents
	section  Section
	scrolled int             // pixels
	last     image.Rectangle // of the control laid out last
}

// Heights of widgets and of lines of text, the width of the first column, and
// the space around writing, in the panels' own pixels.
const (
	widgetHeight = 20
	lineHeight   = 14
	nameWidth    = 112
	textPad      = 3
)

// grid starts rows of widgets with these column widths; a negative one is a
// share of what is left.
func (s *page) grid(widths ...int) { s.ctx.SetGridLayout(widths, []int{widgetHeight}) }

// lines starts rows of text.
func (s *page) lines(widths ...int) { s.ctx.SetGridLayout(widths, []int{lineHeight}) }

// gap leaves some room.
func (s *page) gap() {
	s.ctx.SetGridLayout([]int{-1}, []int{3})
	s.ctx.GridCell(func(image.Rectangle) {})
}

func (s *page) mark(m mark) { s.p.marks = append(s.p.marks, m) }

// text writes one line in the next cell, cut to its width.
func (s *page) text(str string, c color.RGBA) {
	s.ctx.GridCell(func(b image.Rectangle) { s.write(str, inset(b), Body, left, c) })
}

// write puts one line into a box, cut to its width.
func (s *page) write(str string, b image.Rectangle, st Style, a align, c color.RGBA) {
	if str != "" && b.Overlaps(s.p.body) {
		s.mark(mark{box: b, s: s.p.fit(str, st, b.Dx()), style: st, align: a, c: c})
	}
}

// fill paints a rectangle.
func (s *page) fill(b image.Rectangle, c color.RGBA) {
	if b.Overlaps(s.p.body) {
		s.mark(mark{box: b, c: c})
	}
}

// inset is a box less the space around writing at its sides.
func inset(b image.Rectangle) image.Rectangle {
	return image.Rect(b.Min.X+textPad, b.Min.Y, b.Max.X-textPad, b.Max.Y)
}

// wrapped writes a text into the next cell, on as many lines as it needs.
func (s *page) wrapped(str string, st Style, c color.RGBA) {
	s.ctx.GridCell(func(b image.Rectangle) {
		s.lines(-1)
		for _, line := range s.p.fold(str, st, b.Dx()-2*textPad) {
			s.ctx.GridCell(func(b image.Rectangle) { s.write(line, inset(b), st, left, c) })
		}
	})
}

// note is a text across the whole width, for reading.
func (s *page) note(str string) { s.paragraph(str, Faint) }

func (s *page) paragraph(str string, c color.RGBA) {
	s.lines(-1)
	s.wrapped(str, Body, c)
}

// title heads a part of a section.
func (s *page) title(str string) {
	s.grid(-1)
	s.ctx.GridCell(func(b image.Rectangle) {
		s.write(str, inset(b), Strong, left, Ink)
		x := inset(b).Min.X + s.p.width(str, Strong) + 8
		s.fill(image.Rect(x, b.Min.Y+b.Dy()/2, b.Max.X, b.Min.Y+b.Dy()/2+1), Line)
	})
}

// row is a line of a name and a value.
func (s *page) row(name, value string) { s.rowIn(name, value, Ink) }

func (s *page) rowIn(name, value string, c color.RGBA) {
	s.lines(nameWidth, -1)
	s.text(name, Faint)
	s.wrapped(value, Body, c)
}

// press lays out a pressable cell under a name, one of its own in the section,
// and says where it is and whether it was pressed, by mouse or keyboard.
func (s *page) press(name string) (b image.Rectangle, hit bool) {
	s.ctx.IDScope(name, func() {
		s.ctx.GridCell(func(cell image.Rectangle) {
			b = cell
			s.ctx.SetGridLayout([]int{-1}, []int{cell.Dy()})
			s.ctx.Button("").On(func() { hit = true })
		})
	})
	s.last = b
	return b, s.reach(controlKey{s.section, name}, b) || hit
}

// button is a button with a word on it.
func (s *page) button(name, label string) bool {
	b, hit := s.press(name)
	s.write(label, b.Inset(1), Body, middle, Ink)
	return hit
}

// option is one of several buttons of which one holds.
func (s *page) option(name, label string, holds bool) bool {
	b, hit := s.press(name)
	st := Body
	if holds {
		st = Strong
		s.fill(b, chosen)
		s.fill(image.Rect(b.Min.X, b.Max.Y-2, b.Max.X, b.Max.Y), Walking)
	}
	s.write(label, b.Inset(1), st, middle, Ink)
	return hit
}

// options is a row of options under a name; it gives the index of the one that
// was pressed, -1 for none.
func (s *page) options(name string, labels []string, holds int) int {
	widths := make([]int, 0, len(labels)+1)
	widths = append(widths, nameWidth)
	for range labels {
		widths = append(widths, -1)
	}
	s.grid(widths...)
	s.text(name, Faint)
	picked := -1
	for i, l := range labels {
		if s.option(name+" "+l, l, i == holds) {
			picked = i
		}
	}
	return picked
}

// check is a box to tick.
func (s *page) check(name, label string, on bool) bool {
	b, hit := s.press(name)
	s.fill(b, Surface)
	box := image.Rect(b.Min.X+3, b.Min.Y+3, b.Min.X+b.Dy()-3, b.Max.Y-3)
	s.fill(box, grip0)
	s.fill(box.Inset(1), well)
	if on {
		s.fill(box.Inset(3), Walking)
	}
	b.Min.X = box.Max.X + 4
	s.write(label, inset(b), Body, left, Ink)
	return hit
}

// heading is the line that folds and unfolds a section, with a question mark
// that unfolds its definition.
func (s *page) heading(label string, open bool) (toggled bool) {
	s.ctx.SetGridLayout([]int{-1, 24}, []int{22})
	b, hit := s.press("fold")
	if s.section == InspectorSection && s.p.reveal == 1 && open {
		s.p.scrollTo(b.Min.Y - s.p.body.Min.Y + s.scrolled)
	}
	// A triangle that points down or to the right, of rows two pixels apart.
	x, y := b.Min.X+8, b.Min.Y+b.Dy()/2
	for i := range 4 {
		if open {
			s.fill(image.Rect(x+i, y-2+i, x+8-i, y-1+i), Ink)
		} else {
			s.fill(image.Rect(x+2+i, y-4+i, x+3+i, y+4-i), Ink)
		}
	}
	b.Min.X += 20
	s.write(label, inset(b), Strong, left, Ink)
	q, help := s.press("what is this")
	c := Faint
	if s.p.help[s.section] {
		c = Walking
	}
	s.write("?", q, Strong, middle, c)
	if help {
		s.p.help[s.section] = !s.p.help[s.section] || !open
		if !open {
			return true // its definition is inside
		}
	}
	return hit
}

// scrollTo scrolls so that the line at y of the contents is the first one.
func (p *Panels) scrollTo(y int) {
	p.scroll = &image.Point{Y: max(y-4, 0)}
	p.redraw.Touch(settleUpdates)
}
