package main

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"
	"time"

	"chronoscope/loop/frametime"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A lane is a capture as it is drawn: its stroke is its place among the others.
type lane struct {
	*frametime.Capture
	stroke int
	used   []time.Duration // sorted intervals of the frames that count
	shift  time.Duration
}

// start is the stamp that is 0 on the time axis of a lane without a shift.
func (l *lane) start() int64 {
	if len(l.Frames) == 0 {
		return 0
	}
	return l.Frames[0].Layout
}

// at is where a stamp lies on the time axis, in seconds.
func (l *lane) at(stamp int64) float64 {
	return (time.Duration(stamp-l.start()) + l.shift).Seconds()
}

// stamp is the inverse of at.
func (l *lane) stamp(at float64) int64 {
	return l.start() + int64(at*1e9) - int64(l.shift)
}

// end is where the lane ends.
func (l *lane) end() float64 {
	if len(l.Frames) == 0 {
		return 0
	}
	return l.at(l.Frames[len(l.Frames)-1].Next)
}

// letter names a capture: A to D.
func letter(i int) string { return string(rune('A' + i)) }

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// plot draws the captures over one another.
func (c *comparing) plot(cmp *frametime.Comparison) *picture {
	var lanes []*lane
	for i, capture := range c.captures {
		used := frametime.Intervals(capture.Meta.Rules.Select(capture.Frames).Used)
		slices.Sort(used)
		lanes = append(lanes, &lane{Capture: capture, stroke: i, used: used, shift: c.shifts[i]})
	}
	p := &picture{title: "Frame times of " + letters(len(lanes)) + verdict(cmp.Proofs)}
	for i, proof := range cmp.Proofs {
		p.lines = append(p.lines, fmt.Sprintf("%s and %s: %v", letter(0), letter(i+1), proof))
	}
	for i, l := range lanes {
		text := fmt.Sprintf("%s   %s: %s", letter(i), cmp.Titles[i], cmp.Summaries[i].Counts())
		if cmp.Summaries[i].Ineffective {
			text += "; VSync not effective"
		}
		if l.shift != 0 {
			text += fmt.Sprintf("; moved by %v", l.shift)
		}
		p.keys = append(p.keys, key{i, text})
	}
	top := topOf(lanes)
	p.rows = []pictureRow{
		{height: 400, panels: []panel{intervalPlot(lanes, top)}},
		{height: vg.Length(120 + 62*len(lanes)), panels: []panel{cadencePlot(lanes)}},
		{height: 440, panels: []panel{histogramPlot(lanes, top), percentilePlot(lanes), figureTable(cmp)}, shares: []float64{1, 1, 1.12}},
	}
	p.notes = []string{
		"Intervals: from the shortest to the longest in each column of pixels; faint what is left out of the figures; a triangle where one is longer than the axis.",
	}
	return p
}

// verdict is what a title says of all proofs together; nothing when they don't
// say the same.
func verdict(proofs []frametime.Proof) string {
	all := func(is func(frametime.Proof) bool) bool {
		return !slices.ContainsFunc(proofs, func(p frametime.Proof) bool { return !is(p) })
	}
	switch {
	case !all(func(p frametime.Proof) bool { return p.Verdict != frametime.Differ }):
		return ": the simulation differs"
	case all(func(p frametime.Proof) bool { return p.Verdict == frametime.Identical && !p.Alike }):
		return ": simulation identical, presentation differs"
	}
	return ""
}

// letters reads "A and B", "A, B and C".
func letters(n int) string {
	var list []string
	for i := range n {
		list = append(list, letter(i))
	}
	return strings.Join(list[:n-1], ", ") + " and " + list[n-1]
}

// topOf is the upper end of the axes of intervals, for all lanes.
func topOf(lanes []*lane) time.Duration {
	top := time.Duration(0)
	for _, l := range lanes {
		top = max(top, frametime.AutoTop(l.used, l.Refresh()))
	}
	if top == 0 {
		top = 50 * time.Millisecond
	}
	return top
}

// intervalPlot has the intervals of all lanes over the same time, with a guide
// at each refresh.
func intervalPlot(lanes []*lane, top time.Duration) panel {
	p := newPlot("Frame intervals", "time, s", "interval, ms")
	p.X.Min, p.X.Max = math.Inf(1), math.Inf(-1)
	p.Y.Min, p.Y.Max = 0, milliseconds(top)*1.04
	g := &guided{Plot: p}
	for _, l := range lanes {
		if len(l.Frames) > 0 {
			p.X.Min, p.X.Max = min(p.X.Min, l.at(l.start())), max(p.X.Max, l.end())
		}
		if r := l.Refresh(); r > 0 {
			g.add(milliseconds(r), fmt.Sprintf("%.1f ms, %s", milliseconds(r), frametime.RefreshLabel(r)), l.stroke)
		}
	}
	for _, l := range lanes {
		p.Add(&bands{l})
	}
	return g
}

// A guided plot has lines at some heights, named at its right.
type guided struct {
	*plot.Plot
	guides []guide
}

type guide struct {
	y      float64
	text   string
	stroke int
}

// add adds a line, once at each height.
func (g *guided) add(y float64, text string, stroke int) {
	if !slices.ContainsFunc(g.guides, func(x guide) bool { return x.text == text }) {
		g.guides = append(g.guides, guide{y, text, stroke})
	}
}

// guideRoom is what the names take at the right.
const guideRoom = 150

func (g *guided) inner(c draw.Canvas) draw.Canvas { return draw.Crop(c, 0, -guideRoom, 0, 0) }

// DataCanvas is where the data of the plot within c is drawn.
func (g *guided) DataCanvas(c draw.Canvas) draw.Canvas { return g.Plot.DataCanvas(g.inner(c)) }

// Draw draws the plot and then the guides, which stay visible on the data.
func (g *guided) Draw(c draw.Canvas) {
	g.Plot.Draw(g.inner(c))
	data := g.DataCanvas(c)
	slices.SortFunc(g.guides, func(a, b guide) int { return int(math.Copysign(1, a.y-b.y)) })
	lowest := data.Min.Y // for the next name
	for _, x := range g.guides {
		y := data.Y(g.Y.Norm(x.y))
		if y > data.Max.Y {
			continue
		}
		s := strokeOf(x.stroke)
		line := draw.LineStyle{Color: s.wash(0.75), Width: 1, Dashes: []vg.Length{2, 4}}
		data.StrokeLine2(line, data.Min.X, y, data.Max.X, y)
		style := textStyle(tickSize, s.color, false)
		style.YAlign = draw.YCenter
		name := max(y, lowest)
		data.FillText(style, vg.Point{X: data.Max.X + 10, Y: name}, x.text)
		lowest = name + tickSize + 4
	}
}

// bands draws a lane's intervals, a column of pixels at a time. Where the band is
// flat it has the dashes of the lane's stroke, so that lanes over one another can
// both be seen.
type bands struct{ *lane }

// thinnest is how high a band is drawn at least.
const thinnest = 2.5

func (b *bands) Plot(c draw.Canvas, p *plot.Plot) {
	columns := make([]frametime.Band, max(1, int(c.Max.X-c.Min.X)))
	frametime.Bands(columns, frametime.FrameSlice(b.Frames), b.stamp(p.X.Min), b.stamp(p.X.Max), &b.Meta.Rules, b.Refresh())
	s := strokeOf(b.stroke)
	height := func(d time.Duration) vg.Length { return c.Y(p.Y.Norm(milliseconds(d))) }
	var last frametime.Band
	over := 0 // columns in a row that are longer than the axis
	for i, band := range columns {
		before := last
		last = band
		if band.Frames == 0 {
			continue
		}
		strength := 0.9
		if band.Worst == frametime.Excluded {
			strength = 0.3
		}
		x := c.Min.X + vg.Length(i)
		lo, hi := height(band.Lo), height(band.Hi)
		if hi > c.Max.Y {
			hi = c.Max.Y
			over++
		}
		if over > 0 && (hi < c.Max.Y || i == len(columns)-1) {
			// One for all that are too long in a row; lanes have theirs below each other.
			triangle(c, s.wash(1), vg.Point{X: x - vg.Length(over)/2, Y: c.Max.Y - vg.Length(12*b.stroke)})
			over = 0
		}
		lo = min(lo, c.Max.Y)
		if hi-lo < thinnest {
			if !dashed(s.dashes, vg.Length(i)) {
				continue
			}
			lo, hi = (lo+hi-thinnest)/2, (lo+hi+thinnest)/2
		}
		bar(c, s.wash(strength), x, lo, hi)
		// A thin line joins what belongs together.
		if before.Frames > 0 && before.Lo > band.Hi {
			bar(c, s.wash(strength/2), x, hi, min(height(before.Lo), c.Max.Y))
		} else if before.Frames > 0 && before.Hi < band.Lo {
			bar(c, s.wash(strength/2), x, height(before.Hi), lo)
		}
	}
}

// bar fills a column of pixels.
func bar(c draw.Canvas, clr color.Color, x, lo, hi vg.Length) {
	c.FillPolygon(clr, []vg.Point{{X: x, Y: lo}, {X: x + 1, Y: lo}, {X: x + 1, Y: hi}, {X: x, Y: hi}})
}

// triangle points at what lies above.
func triangle(c draw.Canvas, clr color.Color, tip vg.Point) {
	c.FillPolygon(clr, []vg.Point{tip, {X: tip.X - 6, Y: tip.Y - 10}, {X: tip.X + 6, Y: tip.Y - 10}})
}

// dashed says whether a dashed line is drawn at a distance from its beginning.
func dashed(dashes []vg.Length, at vg.Length) bool {
	sum := vg.Length(0)
	for _, d := range dashes {
		sum += d
	}
	if sum == 0 {
		return true
	}
	at = vg.Length(math.Mod(float64(at), float64(sum)))
	for i, d := range dashes {
		if at < d {
			return i%2 == 0
		}
		at -= d
	}
	return true
}

// histogramPlot has the shares of the frames by their intervals.
func histogramPlot(lanes []*lane, top time.Duration) panel {
	const bins = 80
	width := max(top/bins, 1)
	p := newPlot("Frames by interval", "interval, ms (the last: longer ones too)", "share of frames, %")
	logarithmic(&p.Y)
	most := 0
	for _, l := range lanes {
		most = max(most, len(l.used))
		var points plotter.XYs
		for i, n := range frametime.Histogram(l.used, width, bins) {
			share := 0.0
			if len(l.used) > 0 {
				share = 100 * float64(n) / float64(len(l.used))
			}
			points = append(points, plotter.XY{X: milliseconds(time.Duration(i) * width), Y: share})
		}
		points = append(points, plotter.XY{X: milliseconds(bins * width), Y: points[len(points)-1].Y})
		line := addLine(p, "", points, l.stroke)
		line.StepStyle = plotter.PostStep
		line.FillColor = strokeOf(l.stroke).wash(0.25)
	}
	// The smallest share that one frame can be lies just above the axis.
	p.Y.Min, p.Y.Max = 100/float64(max(most, 100))/2, 120
	p.X.Min, p.X.Max = 0, milliseconds(bins*width)
	p.X.Tick.Marker = evenTicks{6}
	return p
}

// percentilePlot has the percentile curves, with as much room for each tenth of
// what is left: the median, 90 %, 99 % and so on are as far apart.
func percentilePlot(lanes []*lane) panel {
	p := newPlot("Percentiles", "frames that are no longer, %", "interval, ms")
	shortest, longest, most := time.Duration(math.MaxInt64), time.Duration(0), 10
	for _, l := range lanes {
		n := len(l.used)
		if n == 0 {
			continue
		}
		most, shortest, longest = max(most, n), min(shortest, l.used[0]), max(longest, l.used[n-1])
		var points plotter.XYs
		const steps = 400
		last := math.Log10(float64(max(n, 2)))
		for i := range steps + 1 {
			tail := last * float64(i) / steps
			points = append(points, plotter.XY{X: tail, Y: milliseconds(frametime.Quantile(l.used, 1-math.Pow(10, -tail)))})
		}
		points = append(points, plotter.XY{X: last, Y: milliseconds(l.used[n-1])})
		addLine(p, "", points, l.stroke)
	}
	p.X.Min, p.X.Max = 0, math.Log10(float64(most))
	logarithmic(&p.Y)
	p.Y.Max = max(milliseconds(longest), 1) * 1.15
	p.Y.Min = max(milliseconds(min(shortest, longest)), p.Y.Max/1e5) / 1.15
	p.X.Tick.Marker = tailTicks{}
	return p
}

// tailTicks are the ticks of an axis of -log10 of what lies beyond a percentile.
type tailTicks struct{}

func (tailTicks) Ticks(_, hi float64) []plot.Tick {
	ticks := []plot.Tick{{Value: 0, Label: "0"}, {Value: -math.Log10(0.5), Label: "50"}, {Value: 1, Label: "90"}, {Value: 2, Label: "99"}}
	for e := 3; float64(e) <= hi+0.5; e++ {
		ticks = append(ticks, plot.Tick{Value: float64(e), Label: "99." + strings.Repeat("9", e-2)})
	}
	return ticks
}
