package overlay

import (
	"image"
	"math"
	"strings"
	"time"

	"chronoscope/loop"
	"chronoscope/loop/lab"

	"github.com/hajimehoshi/ebiten/v2"
)

// policyTitle names a policy on the page.
func policyTitle(p loop.Policy, cap int) string {
	switch p {
	case loop.CatchUp:
		return "catch up, at most " + plural(cap, "step")
	case loop.Drop:
		return "drop, at most 1 step"
	}
	return "slow down"
}

// long writes a time of any length: "25 ms", "1.2 s", "29 min 40 s".
func long(t time.Duration) string {
	if t < time.Minute {
		return Precise(t)
	}
	return Span(t)
}

// drawOverload draws the three policies side by side: how long each frame takes,
// and how many steps are run in it.
func (d *Dock) drawOverload(pen labPen, white *ebiten.Image) {
	v, r, u := &d.Lab.v, d.labBody(), d.unit
	if len(v.Overload) == 0 {
		d.empty(pen, "no load has been worked out")
		return
	}
	o := v.Settings.Overload
	line := pen.let.Height(Small) + u
	head := line + 2*u
	axisWide, gap := d.px(46), d.px(16)
	n := len(v.Overload)
	wide := (r.Dx() - axisWide - gap*(n-1)) / n
	const rows = 6
	top := r.Min.Y + int(2*head)
	bottom := r.Max.Y - int(rows*line) - d.px(4)
	frames := bottom - top
	longest := o.Step
	steps := 1
	for _, run := range v.Overload {
		for _, f := range run.Frames {
			longest, steps = max(longest, f.Wall), max(steps, f.Steps)
		}
	}
	s := loadScale{from: o.Step / 2, to: longest * 3 / 2, steps: steps}
	d.mesh.Reset()
	var lanes [3]image.Rectangle
	for i := range v.Overload {
		x := r.Min.X + axisWide + i*(wide+gap)
		lanes[i] = image.Rect(x, top, x+wide, top+frames*70/100)
		below := image.Rect(x, lanes[i].Max.Y+d.px(4), x+wide, bottom)
		d.ground(lanes[i])
		d.ground(below)
		d.loadLane(&v.Overload[i], o, s, lanes[i], below)
	}
	d.mesh.Draw(pen.dst, white)

	note := "steps of " + Precise(o.Step) + " that cost " + Precise(o.Work) + " each, for " + Count(o.Loaded) + " frames"
	pen.best(float64(r.Min.X), float64(r.Max.X), float64(r.Min.Y)-u, Small, Faint,
		note+", and a quarter of a step for "+Count(o.Light)+" more (lighter ground). Worked out: nothing is run.", note+", then little. Worked out, not run.", note)
	h := pen.let.Height(Small)
	last := math.Inf(1)
	for t := s.label(); t < s.to; t *= 10 {
		y := float64(s.y(t, lanes[0])) - h/2
		if y+h > last || y < float64(top)-h/2 {
			continue
		}
		pen.right(Precise(t), float64(r.Min.X+axisWide)-5*u, y, Small, Faint)
		last = y
	}
	below := float64(lanes[0].Max.Y+bottom) / 2
	pen.right("steps", float64(r.Min.X+axisWide)-5*u, below-h/2+2*u, Small, Faint)
	for i := range v.Overload {
		run, b := &v.Overload[i], lanes[i]
		title := policyTitle(run.Policy, o.Cap)
		pen.best(float64(b.Min.X), float64(b.Max.X), float64(r.Min.Y)+head-u, Strong, Ink, title, strings.Replace(title, ", at most ", ": ", 1), run.Policy.String())
		y := float64(bottom) + 4*u
		for _, row := range loadRows(run, o) {
			name, value := row[0], row[1]
			if row[2] != "" && pen.let.Width(name+" ", Small)+pen.let.Width(value, Small) > float64(b.Dx()) {
				value = row[2]
			}
			pen.left(name, float64(b.Min.X), y, Small, Faint)
			pen.right(value, float64(b.Max.X), y, Small, Ink)
			y += line
		}
	}
}

// loadRows are a policy's figures: names, values, and shorter values for where
// there is little room.
func loadRows(run *lab.OverloadRun, o lab.OverloadOptions) [6][3]string {
	share := 0.0
	if run.Wall > 0 {
		share = float64(run.Logic) / float64(run.Wall)
	}
	step := Precise(o.Step)
	if run.Step != o.Step {
		step = "up to " + Precise(run.Step)
	}
	normal := "after " + plural(run.Recovered, "frame")
	if run.Recovered < 0 {
		normal = "not in " + plural(o.Light, "frame")
	}
	return [...][3]string{
		{"steps run", Thousands(run.Steps), ""},
		{"longest frame", long(run.Longest), ""},
		{"game / wall time", long(run.Logic) + " / " + long(run.Wall) + " = " + Percent(share), Percent(share)},
		{"dropped", long(run.Dropped), ""},
		{"effective step", step, ""},
		{"normal again", normal, ""},
	}
}

// loadScale maps frame times and steps to heights, equal factors to equal ones.
type loadScale struct {
	from, to time.Duration
	steps    int
}

// label is the first power of ten on the scale.
func (s loadScale) label() time.Duration {
	t := time.Microsecond
	for t < s.from {
		t *= 10
	}
	return t
}

func (s loadScale) y(t time.Duration, lane image.Rectangle) float32 {
	at := math.Log(float64(max(t, 1))/float64(s.from)) / math.Log(float64(s.to)/float64(s.from))
	return float32(lane.Max.Y) - float32(min(max(at, 0), 1))*float32(lane.Dy())
}

// high is the height of so many steps.
func (s loadScale) high(steps int, lane image.Rectangle) float32 {
	if steps <= 0 {
		return 0
	}
	return max(float32(math.Log1p(float64(steps))/math.Log1p(float64(max(s.steps, 3))))*float32(lane.Dy()), 2)
}

// loadLane adds one policy's frames, and the steps in them below.
func (d *Dock) loadLane(run *lab.OverloadRun, o lab.OverloadOptions, s loadScale, lane, below image.Rectangle) {
	m := &d.mesh
	x0, y0, x1, y1 := edges(lane)
	_, by0, _, by1 := edges(below)
	n := len(run.Frames)
	if n == 0 {
		return
	}
	x := func(i int) float32 { return x0 + (x1-x0)*float32(i)/float32(n) }
	if o.Light > 0 {
		m.Rect(x(o.Loaded), y0, x1, y1, Line)
		m.Rect(x(o.Loaded), by0, x1, by1, Line)
	}
	for t := s.label(); t < s.to; t *= 10 {
		y := float32(math.Round(float64(s.y(t, lane))))
		m.Rect(x0, y, x1, y+1, Line)
	}
	space := float32(0) // between columns, where there is room
	if x(1)-x(0) >= 4 {
		space = 1
	}
	for i, f := range run.Frames {
		ink := Walking
		switch {
		case f.Wall > 4*o.Step:
			ink = Laggard
		case f.Wall > o.Step:
			ink = Awake
		}
		right := x(i+1) - space
		m.Rect(x(i), s.y(f.Wall, lane), right, y1, ink)
		if high := s.high(f.Steps, below); high > 0 {
			m.Rect(x(i), by1-high, right, by1, Signal)
		}
	}
	// The effective step, where it is longer.
	for i, f := range run.Frames {
		if f.Step > o.Step {
			y := s.y(f.Step, lane)
			m.Rect(x(i), y, x(i+1), y+max(2*float32(d.unit), 1), ZoneEdge)
		}
	}
	y := s.y(o.Step, lane)
	m.Rect(x0, y, x1, y+1, Ink)
}
