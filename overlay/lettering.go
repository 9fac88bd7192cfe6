package overlay

import (
	"bytes"
	"fmt"
	"image/color"
	"math"

	"github.com/hajimehoshi/ebiten/v2"
	"github.com/hajimehoshi/ebiten/v2/text/v2"
	"golang.org/x/image/font/gofont/gomedium"
	"golang.org/x/image/font/gofont/goregular"
)

// Style is how a line of text looks. The Go fonts' digits all have the same
// width, so numbers that change stand still in every style.
type Style struct {
	Size   float64 // in device-independent pixels; at least MinSize is used
	Medium bool    // the heavier weight, for what is read first
}

// MinSize is the smallest text there is, in device-independent pixels.
const MinSize = 11

// The styles of the window.
var (
	Small  = Style{Size: 11}
	Body   = Style{Size: 13}
	Strong = Style{Size: 13, Medium: true}
	Large  = Style{Size: 15, Medium: true}
)

// labelLimit bounds the cache of laid-out lines: a window shows some hundred
// at a time, and numbers bring a few new ones five times a second.
const labelLimit = 2048

// Lettering draws lines of text in device pixels, crisp at any device scale.
// Laid-out lines are kept, so a line that doesn't change costs no allocation.
type Lettering struct {
	// Count counts the lines drawn.
	Count Counter

	scale  float64
	fonts  [2]*text.GoTextFaceSource
	faces  map[Style]*text.GoTextFace
	labels map[labelKey]label
}

type labelKey struct {
	s     string
	style Style
}

type label struct {
	glyphs []text.Glyph
	width  float64
}

// NewLettering parses the Go fonts. It fails only if they don't parse.
func NewLettering() (*Lettering, error) {
	l := &Lettering{scale: 1, faces: map[Style]*text.GoTextFace{}, labels: map[labelKey]label{}}
	for i, ttf := range [][]byte{goregular.TTF, gomedium.TTF} {
		src, err := text.NewGoTextFaceSource(bytes.NewReader(ttf))
		if err != nil {
			return nil, fmt.Errorf("overlay: font %d: %w", i, err)
		}
		l.fonts[i] = src
	}
	return l, nil
}

// SetScale sets the device scale, above 0. A change drops what was laid out.
func (l *Lettering) SetScale(s float64) {
	if s == l.scale || s <= 0 {
		return
	}
	l.scale = s
	clear(l.faces)
	clear(l.labels)
}

// Scale is the device scale: device pixels in one device-independent pixel.
func (l *Lettering) Scale() float64 { return l.scale }

func (l *Lettering) face(st Style) *text.GoTextFace {
	f, ok := l.faces[st]
	if !ok {
		i := 0
		if st.Medium {
			i = 1
		}
		f = &text.GoTextFace{Source: l.fonts[i], Size: max(st.Size, MinSize) * l.scale}
		l.faces[st] = f
	}
	return f
}

func (l *Lettering) lay(s string, st Style) label {
	k := labelKey{s, st}
	if b, ok := l.labels[k]; ok {
		return b
	}
	if len(l.labels) >= labelLimit {
		clear(l.labels)
	}
	f := l.face(st)
	b := label{glyphs: text.AppendGlyphs(nil, s, f, nil), width: text.Advance(s, f)}
	l.labels[k] = b
	return b
}

// Width is the width of s in device pixels.
func (l *Lettering) Width(s string, st Style) float64 { return l.lay(s, st).width }

// Height is the height of a line of style st in device pixels.
func (l *Lettering) Height(st Style) float64 {
	m := l.face(st).Metrics()
	return math.Ceil(m.HAscent + m.HDescent)
}

// Draw draws s with its upper left corner at (x, y), rounded to whole device
// pixels, and returns the x at which it ends.
func (l *Lettering) Draw(dst *ebiten.Image, s string, x, y float64, st Style, c color.RGBA) float64 {
	b := l.lay(s, st)
	x, y = math.Round(x), math.Round(y)
	var o ebiten.DrawImageOptions
	o.ColorScale.ScaleWithColor(c)
	for _, g := range b.glyphs {
		if g.Image == nil {
			continue
		}
		o.GeoM.Reset()
		o.GeoM.Translate(x+g.X, y+g.Y)
		dst.DrawImage(g.Image, &o)
	}
	l.Count.Add(4 * len(b.glyphs))
	return x + b.width
}

// DrawCentered draws s in the middle of (x, y).
func (l *Lettering) DrawCentered(dst *ebiten.Image, s string, x, y float64, st Style, c color.RGBA) {
	l.Draw(dst, s, x-l.Width(s, st)/2, y-l.Height(st)/2, st, c)
}

// DrawRight draws s so that it ends at x.
func (l *Lettering) DrawRight(dst *ebiten.Image, s string, x, y float64, st Style, c color.RGBA) {
	l.Draw(dst, s, x-l.Width(s, st), y, st, c)
}
