package main

import (
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// The looks that all pictures of this program share. A length is in pixels.

// The ground and the writing, as in the window.
var (
	inkColor     = color.RGBA{0xE6, 0xE8, 0xEB, 0xFF} // what is read first
	faintColor   = color.RGBA{0x9A, 0xA4, 0xB0, 0xFF} // units, captions
	gridColor    = color.RGBA{0x30, 0x35, 0x3B, 0xFF}
	axisColor    = color.RGBA{0x5A, 0x62, 0x6B, 0xFF}
	surfaceColor = color.RGBA{0x1A, 0x1D, 0x21, 0xFF} // of a plot
	groundColor  = color.RGBA{0x10, 0x12, 0x15, 0xFF} // around plots
)

// Sizes of writing that can be read when a picture of 1600 pixels is shown at
// half its size.
const (
	titleSize   = 26
	headSize    = 19 // of a plot
	textSize    = 17
	tickSize    = 16
	lineWidth   = 2.2
	strongWidth = 3
)

// A stroke is a colour of Okabe and Ito, which can be told apart with the common
// colour blindnesses, and a dash that goes with it, so that nobody depends on
// colour alone.
type stroke struct {
	color  color.RGBA
	dashes []vg.Length
}

// strokeOf is what line i is drawn with. After six they begin anew.
func strokeOf(i int) stroke {
	strokes := [...]stroke{
		{color.RGBA{0xE6, 0x9F, 0x00, 0xFF}, nil},                            // orange
		{color.RGBA{0x56, 0xB4, 0xE9, 0xFF}, []vg.Length{9, 4}},              // sky blue
		{color.RGBA{0x00, 0x9E, 0x73, 0xFF}, []vg.Length{3, 3}},              // green
		{color.RGBA{0xD5, 0x5E, 0x00, 0xFF}, []vg.Length{14, 4, 2, 4}},       // vermilion
		{color.RGBA{0xCC, 0x79, 0xA7, 0xFF}, []vg.Length{5, 3}},              // purple
		{color.RGBA{0xF0, 0xE4, 0x42, 0xFF}, []vg.Length{14, 4, 2, 4, 2, 4}}, // yellow
	}
	return strokes[max(i, 0)%len(strokes)]
}

// line is the stroke's style at a width.
func (s stroke) line(width vg.Length) draw.LineStyle {
	return draw.LineStyle{Color: s.color, Width: width, Dashes: s.dashes}
}

// wash is the colour for an area: a in 0..1 of it over what is there.
func (s stroke) wash(a float64) color.NRGBA {
	return color.NRGBA{s.color.R, s.color.G, s.color.B, uint8(255*min(max(a, 0), 1) + 0.5)}
}

// textStyle is writing in the pictures' typeface. Its figures are all as wide.
func textStyle(size vg.Length, c color.Color, bold bool) text.Style {
	f := font.Font{Typeface: "Liberation", Variant: "Sans", Size: size}
	if bold {
		f.Weight = 3
	}
	return text.Style{Color: c, Font: f, Handler: plot.DefaultTextHandler}
}

// newPlot is an empty plot in the common style. Labels say their unit.
func newPlot(title, x, y string) *plot.Plot {
	p := plot.New()
	p.BackgroundColor = surfaceColor
	p.Title.Text = title
	p.Title.TextStyle = textStyle(headSize, inkColor, true)
	p.Title.TextStyle.XAlign, p.Title.TextStyle.YAlign = draw.XCenter, draw.YTop
	p.Title.Padding = 8
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Color, a.Width, a.Padding = axisColor, 1, 0
		aligned := a.Label.TextStyle
		a.Label.TextStyle = textStyle(textSize, faintColor, false)
		a.Label.TextStyle.XAlign, a.Label.TextStyle.YAlign = aligned.XAlign, aligned.YAlign
		a.Label.Padding = 4
		aligned = a.Tick.Label
		a.Tick.Label = textStyle(tickSize, faintColor, false)
		a.Tick.Label.XAlign, a.Tick.Label.YAlign = aligned.XAlign, aligned.YAlign
		a.Tick.Color, a.Tick.Width, a.Tick.Length = axisColor, 1, 6
		a.Tick.Marker = evenTicks{8}
	}
	p.Y.Tick.Marker = evenTicks{5}
	p.X.Label.Text, p.Y.Label.Text = x, y
	p.Legend.TextStyle = textStyle(textSize, inkColor, false)
	p.Legend.Top, p.Legend.ThumbnailWidth, p.Legend.Padding = true, 44, 5
	p.Legend.XOffs, p.Legend.YOffs = -10, -8
	thin := draw.LineStyle{Color: gridColor, Width: 1}
	p.Add(&plotter.Grid{Vertical: thin, Horizontal: thin})
	return p
}

// addLine draws points with stroke i, and lists it in the legend unless name is
// empty. What isn't finite is left out.
func addLine(p *plot.Plot, name string, points plotter.XYs, i int) *plotter.Line {
	points = slices.DeleteFunc(slices.Clone(points), func(p plotter.XY) bool {
		return math.IsNaN(p.X-p.X) || math.IsNaN(p.Y-p.Y)
	})
	l := &plotter.Line{XYs: points, LineStyle: strokeOf(i).line(lineWidth)}
	if len(points) > 0 {
		p.Add(l)
	}
	if name != "" {
		p.Legend.Add(name, l)
	}
	return l
}

// logarithmic makes an axis logarithmic, with ticks at the powers of ten and a
// figure for each.
func logarithmic(a *plot.Axis) {
	a.Scale, a.Tick.Marker = logScale{}, logTicks{}
}

// logScale takes what isn't positive for the smallest that is shown, where
// plot.LogScale panics.
type logScale struct{}

func (logScale) Normalize(lo, hi, x float64) float64 {
	lo = max(lo, math.SmallestNonzeroFloat64)
	hi = max(hi, lo)
	return math.Log(max(x, lo)/lo) / max(math.Log(hi/lo), 1e-9)
}

// logTicks are the powers of ten, written out, with 2 and 5 between them when
// there are few, and unwritten marks at the rest.
type logTicks struct{}

func (logTicks) Ticks(lo, hi float64) []plot.Tick {
	if lo <= 0 || hi <= lo || math.IsInf(hi, 0) {
		return nil
	}
	few := hi/lo < 500
	var ticks []plot.Tick
	for e := math.Floor(math.Log10(lo)); e <= math.Ceil(math.Log10(hi)); e++ {
		for k := range 9 {
			v := float64(k+1) * math.Pow(10, e)
			if v < lo*(1-1e-9) || v > hi*(1+1e-9) {
				continue
			}
			t := plot.Tick{Value: v}
			if k == 0 || few && (k == 1 || k == 4) {
				t.Label = number(v)
			}
			ticks = append(ticks, t)
		}
	}
	return ticks
}

// evenTicks are about so many, at even figures, with smaller marks between them.
type evenTicks struct{ about int }

func (t evenTicks) Ticks(lo, hi float64) []plot.Tick {
	step := (hi - lo) / float64(max(t.about, 1))
	if !(step > 0) || math.IsInf(step, 0) {
		return nil
	}
	unit := math.Pow(10, math.Floor(math.Log10(step)))
	parts := 5 // smaller marks to a step
	switch f := step / unit; {
	case f < 1.5:
		step = unit
	case f < 3.5:
		step, parts = 2*unit, 4
	case f < 7.5:
		step = 5 * unit
	default:
		step = 10 * unit
	}
	var ticks []plot.Tick
	small := step / float64(parts)
	for k := math.Ceil(lo/small - 1e-6); k <= math.Floor(hi/small+1e-6); k++ {
		tick := plot.Tick{Value: k * small}
		if math.Mod(k, float64(parts)) == 0 {
			tick.Label = number(tick.Value)
		}
		ticks = append(ticks, tick)
	}
	return ticks
}

// number writes a figure for a reader: 16.7, 12,500, 0.0001, and none of a
// float's dust.
func number(v float64) string {
	if v == 0 {
		return "0" // and not "-0"
	}
	if math.IsNaN(v) || math.IsInf(v, 0) || math.Abs(v) >= 1e15 || math.Abs(v) < 1e-9 {
		return strconv.FormatFloat(v, 'g', 4, 64)
	}
	s := strconv.FormatFloat(v, 'g', 10, 64)
	if r, err := strconv.ParseFloat(s, 64); err == nil {
		s = strconv.FormatFloat(r, 'f', -1, 64)
	}
	sign, whole := "", s
	if s[0] == '-' {
		sign, whole = "-", s[1:]
	}
	whole, rest, dot := strings.Cut(whole, ".")
	var b strings.Builder
	b.WriteString(sign)
	for i := range len(whole) {
		if i > 0 && (len(whole)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteByte(whole[i])
	}
	if dot {
		b.WriteString("." + rest)
	}
	return b.String()
}
