package overlay

import (
	"image"
	"image/color"

	"github.com/hajimehoshi/ebiten/v2"
)

// The colours of the panels' controls.
var (
	well   = color.RGBA{0x0C, 0x0E, 0x10, 0xFF} // what can be typed or dragged
	grip0  = color.RGBA{0x5B, 0x66, 0x72, 0xFF} // the thumb of a slider
	chosen = color.RGBA{0x2B, 0x5D, 0x85, 0xFF} // the one of several that holds
	warned = color.RGBA{0xFF, 0x8A, 0x4C, 0xFF} // what was refused; vermilion that can be read on dark
)

// mark is one thing that is painted over the widgets: a filled rectangle, or a
// line of text in it. Boxes are in the panels' own pixels.
type mark struct {
	box   image.Rectangle
	s     string // "" for a rectangle
	style Style
	align align
	c     color.RGBA
	title bool // belongs to the title bar, which doesn't scroll
}

type align uint8

const (
	left align = iota
	middle
	right
)

// debugui's style can't be set. Its colours are greys: each pixel of the
// sidebar is taken times a factor, and then less an offset, which maps the
// grey of its ground to Surface, that of its writing to Ink, and the others
// between and below onto the same ramp.
var (
	rampFactor = [3]float32{0.091, 0.087, 0.084} // beyond 1
	rampOffset = [3]float32{20.9 / 255, 18.1 / 255, 14.4 / 255}
)

var (
	// timesBlend gives dst * (1 + src).
	timesBlend = ebiten.Blend{
		BlendFactorSourceRGB: ebiten.BlendFactorDestinationColor, BlendFactorSourceAlpha: ebiten.BlendFactorZero,
		BlendFactorDestinationRGB: ebiten.BlendFactorOne, BlendFactorDestinationAlpha: ebiten.BlendFactorOne,
		BlendOperationRGB: ebiten.BlendOperationAdd, BlendOperationAlpha: ebiten.BlendOperationAdd,
	}
	// lessBlend gives dst - src.
	lessBlend = ebiten.Blend{
		BlendFactorSourceRGB: ebiten.BlendFactorOne, BlendFactorSourceAlpha: ebiten.BlendFactorZero,
		BlendFactorDestinationRGB: ebiten.BlendFactorOne, BlendFactorDestinationAlpha: ebiten.BlendFactorOne,
		BlendOperationRGB: ebiten.BlendOperationReverseSubtract, BlendOperationAlpha: ebiten.BlendOperationAdd,
	}
)

// paint gives the sidebar its colours, and draws what belongs over the widgets.
func (p *Panels) paint(dst *ebiten.Image) {
	if p.place.Empty() || p.letters == nil {
		return
	}
	p.recolor(dst, p.place, rampFactor, timesBlend)
	p.recolor(dst, p.place, rampOffset, lessBlend)
	body := dst.SubImage(p.device(p.body)).(*ebiten.Image)
	p.mesh.Reset()
	for i := range p.marks {
		if m := &p.marks[i]; m.s == "" {
			b := p.device(m.box)
			p.mesh.Rect(float32(b.Min.X), float32(b.Min.Y), float32(b.Max.X), float32(b.Max.Y), m.c)
		}
	}
	p.mesh.Draw(body, p.white)
	for i := range p.marks {
		if m := &p.marks[i]; m.s != "" {
			on := body
			if m.title {
				on = dst
			}
			p.write(on, m)
		}
	}
}

func (p *Panels) recolor(dst *ebiten.Image, r image.Rectangle, c [3]float32, b ebiten.Blend) {
	o := ebiten.DrawImageOptions{Blend: b}
	w := p.white.Bounds()
	o.GeoM.Scale(float64(r.Dx())/float64(w.Dx()), float64(r.Dy())/float64(w.Dy()))
	o.GeoM.Translate(float64(r.Min.X), float64(r.Min.Y))
	o.ColorScale.Scale(c[0], c[1], c[2], 1)
	dst.DrawImage(p.white, &o)
}

// device is a rectangle in device pixels.
func (p *Panels) device(r image.Rectangle) image.Rectangle {
	return image.Rectangle{Min: r.Min.Mul(p.scale), Max: r.Max.Mul(p.scale)}
}

func (p *Panels) write(dst *ebiten.Image, m *mark) {
	b := p.device(m.box)
	if !b.Overlaps(dst.Bounds()) {
		return
	}
	x := float64(b.Min.X)
	y := float64(b.Min.Y) + (float64(b.Dy())-p.letters.Height(m.style))/2
	switch m.align {
	case middle:
		x += (float64(b.Dx()) - p.letters.Width(m.s, m.style)) / 2
	case right:
		x += float64(b.Dx()) - p.letters.Width(m.s, m.style)
	}
	p.letters.Draw(dst, m.s, x, y, m.style, m.c)
}

// width is how wide a text is, in the panels' own pixels.
func (p *Panels) width(s string, st Style) int {
	return int(p.letters.Width(s, st)/float64(p.scale) + 0.999)
}

// fit cuts a text so that it is at most w wide, with an ellipsis in place of
// what is left out.
func (p *Panels) fit(s string, st Style, w int) string {
	if p.width(s, st) <= w {
		return s
	}
	r := []rune(s)
	for n := len(r) - 1; n > 0; n-- {
		if c := string(r[:n]) + "…"; p.width(c, st) <= w {
			return c
		}
	}
	return "…"
}

// tail cuts the beginning of a text that is too wide.
func (p *Panels) tail(s string, st Style, w int) string {
	for p.width(s, st) > w && s != "" {
		s = string([]rune(s)[1:])
	}
	return s
}

// fold breaks a text into lines that are at most w wide, at spaces where it can.
func (p *Panels) fold(s string, st Style, w int) []string {
	if p.width(s, st) <= w {
		return []string{s}
	}
	var lines []string
	line, used, space := "", 0, max(p.width("i i", st)-p.width("ii", st), 1)
	for len(s) > 0 {
		word, rest, _ := cut(s)
		s = rest
		n := p.width(word, st)
		switch {
		case line != "" && used+space+n <= w:
			line, used = line+" "+word, used+space+n
			continue
		case line != "":
			lines = append(lines, line)
		}
		// A word that is too wide by itself is broken anywhere.
		for n > w {
			r := []rune(word)
			k := len(r) - 1
			for k > 1 && p.width(string(r[:k]), st) > w {
				k--
			}
			lines = append(lines, string(r[:k]))
			word = string(r[k:])
			n = p.width(word, st)
		}
		line, used = word, n
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

// cut takes the first word off. Spaces between digits separate thousands and
// break no line.
func cut(s string) (word, rest string, ok bool) {
	for i := 0; i < len(s); i++ {
		if s[i] == ' ' && !(i > 0 && i+1 < len(s) && digit(s[i-1]) && digit(s[i+1])) {
			return s[:i], s[i+1:], true
		}
	}
	return s, "", false
}

func digit(b byte) bool { return b >= '0' && b <= '9' }
