package main

import (
	"fmt"
	"slices"

	"chronoscope/loop/frametime"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// cadenceFrames is how many frames of the fastest display the strips of ticks
// have room for, with a digit each; cadenceSpan is the longest they are.
const (
	cadenceFrames = 120
	cadenceSpan   = 1.0 // s
)

// cadencePlot has a strip for each lane with the ticks of each frame, from the
// first frame that counts in every lane.
func cadencePlot(lanes []*lane) panel {
	from, span := 0.0, cadenceSpan
	for _, l := range lanes {
		if begin, ok := l.counting(); ok {
			from = max(from, begin)
		}
		if len(l.used) > 0 {
			if d := frametime.Quantile(l.used, 0.5).Seconds(); d > 0 {
				span = min(span, cadenceFrames*d)
			}
		}
	}
	p := newPlot("World ticks per frame, from the first moment that counts in all", "time, s", "")
	// A lane that ends sooner is better seen than empty strips.
	p.X.Min, p.X.Max = from, from+span
	p.Y.Min, p.Y.Max = 0, float64(len(lanes))
	top := leastTicks
	for _, l := range lanes {
		for i := range l.Frames {
			if f := &l.Frames[i]; l.at(f.Next) > from && l.at(f.Layout) < from+span {
				top = min(max(top, f.Ticks()), mostTicks)
			}
		}
	}
	names := plot.ConstantTicks{}
	for i, l := range lanes {
		floor := float64(len(lanes) - 1 - i)
		names = append(names, plot.Tick{Value: floor + 0.4, Label: letter(i)})
		p.Add(&strip{l, floor, top})
	}
	p.Y.Tick.Marker, p.Y.Tick.Length = names, 0
	p.Y.Tick.Label = textStyle(textSize, inkColor, true)
	p.Y.Tick.Label.XAlign, p.Y.Tick.Label.YAlign = draw.XRight, draw.YCenter
	return p
}

// counting is where the first frame that counts begins; false when none does.
func (l *lane) counting() (float64, bool) {
	i := slices.IndexFunc(l.Frames, func(f frametime.Frame) bool {
		_, out := l.Meta.Rules.LeaveOut(&f)
		return !out
	})
	if i < 0 {
		return 0, false
	}
	return l.at(l.Frames[i].Layout), true
}

// A strip is a lane's ticks per frame as steps, from floor to almost floor + 1.
type strip struct {
	*lane
	floor float64
	top   int // ticks that fill its height
}

// A strip has room for at least so many ticks in a frame, and at most; more are
// cut off, and their digit says so.
const leastTicks, mostTicks = 2, 8

func (s *strip) Plot(c draw.Canvas, p *plot.Plot) {
	trX, trY := p.Transforms(&c)
	look := strokeOf(s.stroke)
	digit := textStyle(13, inkColor, false)
	digit.XAlign, digit.YAlign = draw.XCenter, draw.YBottom
	base := trY(s.floor + 0.08)
	unit := (trY(s.floor+0.68) - base) / vg.Length(s.top)
	c.StrokeLine2(draw.LineStyle{Color: axisColor, Width: 1}, c.Min.X, base, c.Max.X, base)
	drawn := 0
	for i := range s.Frames {
		f := &s.Frames[i]
		x0, x1 := trX(s.at(f.Layout)), trX(s.at(f.Next))
		if x1 <= c.Min.X || x0 >= c.Max.X || f.Flags.Has(frametime.NoWorld) {
			continue
		}
		drawn++
		x0, x1 = max(x0, c.Min.X), min(x1, c.Max.X)
		n := f.Ticks()
		height := base + unit*vg.Length(min(max(n, 0), s.top))
		if n > 0 {
			// A gap of a pixel tells one frame from the next.
			c.FillPolygon(look.wash(0.75), []vg.Point{{X: x0, Y: base}, {X: x0, Y: height}, {X: max(x0, x1-1), Y: height}, {X: max(x0, x1-1), Y: base}})
		}
		if text := fmt.Sprint(n); x1-x0 >= digit.Width(text)+2 {
			c.FillText(digit, vg.Point{X: (x0 + x1) / 2, Y: height + 2}, text)
		}
	}
	if drawn == 0 {
		note := textStyle(textSize, faintColor, false)
		note.YAlign = draw.YBottom
		text := "no frames here"
		if !slices.ContainsFunc(s.Frames, func(f frametime.Frame) bool { return !f.Flags.Has(frametime.NoWorld) }) {
			text = "its ticks are unknown"
		}
		c.FillText(note, vg.Point{X: c.Min.X + 12, Y: base + 6}, text)
	}
}
