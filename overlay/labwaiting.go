package overlay

import (
	"image"

	"chronoscope/coordinator"
	"chronoscope/coordinator/waiting"

	"github.com/hajimehoshi/ebiten/v2"
)

// strategyNote says what a strategy does.
func strategyNote(s coordinator.Strategy) string {
	if s == coordinator.Gate {
		return "waits for a bell of its own"
	}
	return "looks again each quarter tick"
}

// drawWaiting draws what the wait strategies came to.
func (d *Dock) drawWaiting(pen labPen, white *ebiten.Image) {
	v, r, u := &d.Lab.v, d.labBody(), d.unit
	p := &v.Waiting
	if !p.Running && len(p.Results) == 0 {
		s := v.Settings
		first := "no wait strategy has been measured"
		if p.Cancelled {
			first = "stopped before the first strategy was measured"
		}
		d.empty(pen, first,
			"start lets "+plural(s.Members, "member")+" wait for ticks, "+perSecond(v.Rate)+", "+Brief(s.For)+" with each strategy:",
			"how long after a release has the last one completed the tick?")
		return
	}
	line := pen.let.Height(Small) + 3*u
	list := waiting.Strategies()
	names := d.px(180)
	top, bottom := r.Min.Y+int(line), r.Max.Y-int(line)-d.px(20)
	axis := logAxis{image.Rect(r.Min.X+names, top, r.Max.X, bottom), latenessFrom, latenessTo}
	gap := d.px(8)
	figures := d.px(18)
	high := min((bottom-top-int(line)-gap*(len(list)-1))/len(list), d.px(104))
	lane := func(i int) image.Rectangle {
		y := top + i*(high+gap)
		return image.Rect(axis.lane.Min.X, y, axis.lane.Max.X, y+high-figures)
	}
	found := func(s coordinator.Strategy) *waiting.Result {
		for i := range p.Results {
			if p.Results[i].Strategy == s {
				return &p.Results[i]
			}
		}
		return nil
	}
	d.mesh.Reset()
	for i := range list {
		d.ground(lane(i))
		axis.lines(&d.mesh, float32(lane(i).Min.Y), float32(lane(i).Max.Y))
		if res := found(list[i]); res != nil {
			d.spread(res, axis, lane(i))
		}
	}
	progress := image.Rect(r.Min.X, r.Max.Y-d.px(16), r.Max.X, r.Max.Y-d.px(10))
	if p.Running {
		x0, y0, x1, y1 := edges(progress)
		d.mesh.Rect(x0, y0, x1, y1, Backdrop)
		d.mesh.Rect(x0, y0, x0+(x1-x0)*float32(p.Part), y1, Walking)
	}
	d.mesh.Draw(pen.dst, white)

	o := p.Options
	note := plural(o.Members, "member") + ", " + perSecond(o.Rate) + ", " + Brief(o.For) + " each"
	pen.best(float64(r.Min.X), float64(r.Max.X), float64(r.Min.Y)-u, Small, Faint,
		note+";  from the release of a tick to the last member that has completed it: dark, up to P50; bar, to P99; triangle, max",
		note+";  from a release to the last completion: bar P50 to P99, triangle max", note)
	for i, s := range list {
		b := lane(i)
		middle := float64(b.Min.Y+b.Max.Y) / 2
		h := pen.let.Height(Strong)
		pen.left(s.String(), float64(r.Min.X), middle-h+u, Strong, Ink)
		pen.left(strategyNote(s), float64(r.Min.X), middle+u, Small, Faint)
		res := found(s)
		under := float64(b.Max.Y) + 2*u
		if res == nil {
			text := "comes next"
			switch {
			case p.Running && p.Now == s:
				text = "being measured"
			case !p.Running:
				text = "not measured: stopped before"
			}
			pen.left(text, float64(b.Min.X), under, Small, Faint)
			continue
		}
		each, cpu := "each: n/a", "CPU: n/a"
		if res.Told {
			each, cpu = Precise(res.CPU)+" each", "CPU "+Percent(res.Share)
		}
		x := float64(b.Min.X)
		room := float64(b.Dx()) / 5
		for k, c := range [...]string{"P50 " + Precise(res.P50), "P99 " + Precise(res.P99), "max " + Precise(res.Max), each, cpu} {
			pen.left(c, x+room*float64(k), under, Small, Ink)
		}
	}
	y := float64(lane(len(list)-1).Max.Y+figures) + 2*u
	axis.write(pen, y)
	if !p.Running {
		pen.best(float64(r.Min.X), float64(r.Max.X), float64(r.Max.Y)-line, Small, Faint,
			"each: the processor's time a member and tick; CPU: of one core. What the process uses before and after is taken off; n/a: it changes by more than that.",
			"each: processor's time a member and tick, an estimate; n/a: lost in the rest of the program's")
	}
}

// spread adds the range of a strategy's times.
func (d *Dock) spread(res *waiting.Result, axis logAxis, lane image.Rectangle) {
	m, unit := &d.mesh, max(float32(d.unit), 1)
	x0, y0, _, y1 := edges(lane)
	inset := (y1 - y0) * 0.25
	p50, p99, most := axis.x(res.P50), axis.x(res.P99), axis.x(res.Max)
	m.Rect(x0, y0+inset, p50, y1-inset, Line)
	m.Rect(p50, y0+inset, max(p99, p50+2*unit), y1-inset, Walking)
	m.Rect(p50-unit, y0+inset/2, p50+unit, y1-inset/2, Ink)
	m.Rect(p99-unit, y0+inset/2, p99+unit, y1-inset/2, Awake)
	most = max(most, x0+4*unit)
	m.Triangle(most-4*unit, y1, most+4*unit, y1, most, y1-8*unit, Laggard)
}
