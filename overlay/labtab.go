package overlay

import (
	"image"
	"image/color"
	"math"
	"time"

	"chronoscope/loop"

	"github.com/hajimehoshi/ebiten/v2"
)

// labText is a piece of writing and where it is.
type labText struct {
	s   string
	box image.Rectangle
}

// labPen writes on the lab's pages.
type labPen struct {
	dst *ebiten.Image
	let *Lettering
	log *[]labText
}

func (p labPen) left(s string, x, y float64, st Style, c color.RGBA) float64 {
	if p.log != nil && s != "" {
		w, h := p.let.Width(s, st), p.let.Height(st)
		// The space above capitals and below the line belongs to nobody.
		*p.log = append(*p.log, labText{s, image.Rect(int(x), int(y+h*0.2), int(math.Ceil(x+w)), int(y+h*0.8))})
	}
	return p.let.Draw(p.dst, s, x, y, st, c)
}

func (p labPen) right(s string, x, y float64, st Style, c color.RGBA) {
	p.left(s, x-p.let.Width(s, st), y, st, c)
}

func (p labPen) middle(s string, x, y float64, st Style, c color.RGBA) {
	p.left(s, x-p.let.Width(s, st)/2, y, st, c)
}

// best writes the first of some ways to say a thing that fits between x0 and x1;
// none if none does.
func (p labPen) best(x0, x1, y float64, st Style, c color.RGBA, ways ...string) {
	for _, s := range ways {
		if p.let.Width(s, st) <= x1-x0 {
			p.left(s, x0, y, st, c)
			return
		}
	}
}

// labBar is the height of the line of buttons, in device-independent pixels.
const labBar = 30

// labBody is the place below the lab's buttons.
func (d *Dock) labBody() image.Rectangle {
	r := d.body()
	r.Min.Y = min(r.Min.Y+d.px(labBar), r.Max.Y)
	r.Min.X, r.Max.X = r.Min.X+d.px(12), r.Max.X-d.px(12)
	r.Max.Y -= d.px(4)
	return r
}

// labButtons are the lab's buttons, and what they were made for.
type labButtons struct {
	place          image.Rectangle
	unit           float64
	settings       LabSettings
	pacers, waited bool
	list           []choice
}

// arrangeLab puts the lab's buttons. They are kept from frame to frame.
func (d *Dock) arrangeLab(let *Lettering) {
	l := &d.Lab
	b := labButtons{d.place, d.unit, l.v.Settings, l.v.PacersOn, l.v.Waiting.Running, nil}
	if k := &l.buttons; k.list == nil || k.place != b.place || k.unit != b.unit || k.settings != b.settings || k.pacers != b.pacers || k.waited != b.waited {
		d.makeLabButtons(let)
		b.list = append(b.list, d.choices...)
		l.buttons = b
		return
	}
	d.choices = append(d.choices, l.buttons.list...)
}

// makeLabButtons puts the pages at the left, and what can be done on the one that
// is shown at the right.
func (d *Dock) makeLabButtons(let *Lettering) {
	l := &d.Lab
	y0, y1 := d.body().Min.Y+d.px(4), d.body().Min.Y+d.px(labBar-4)
	left := d.place.Min.X + d.px(8)
	wide := func(label string) int { return int(let.Width(label, Body)) + d.px(16) }
	for p := range LabPageCount {
		w := wide(labPageTitles[p])
		d.choices = append(d.choices, choice{image.Rect(left, y0, left+w, y1), labPageTitles[p], l.v.Settings.Page == p, func(d *Dock) {
			d.Lab.order.Wish(&d.Lab.v).Page = p
		}})
		left += w + d.px(4)
	}
	right := d.place.Max.X - d.px(10)
	add := func(label string, on bool, act func(d *Dock)) {
		x := right - wide(label)
		if x < left+d.px(8) {
			return // a narrow window: panel and command line have them all
		}
		d.choices = append(d.choices, choice{image.Rect(x, y0, right, y1), label, on, act})
		right = x - d.px(4)
	}
	wish := func(d *Dock) *LabSettings { return d.Lab.order.Wish(&d.Lab.v) }
	v := &l.v
	switch v.Settings.Page {
	case PacerPage:
		if v.PacersOn {
			add("stop", true, func(d *Dock) { d.Lab.order.Pacers = TurnOff })
		} else {
			add("start", false, func(d *Dock) { d.Lab.order.Pacers = TurnOn })
		}
	case LoopPage:
		add("again", false, func(d *Dock) { wish(d).Again++ })
		right -= d.px(8)
		for i := len(SlowMotions) - 1; i >= 0; i-- {
			n := SlowMotions[i]
			add(slowText(n), v.Settings.Slow == n, func(d *Dock) { wish(d).Slow = n })
		}
	case OverloadPage:
		for _, c := range [...]int{1000, 8} {
			add("cap "+Count(c), v.Settings.Overload.Cap == c, func(d *Dock) { wish(d).Overload.Cap = c })
		}
		right -= d.px(8)
		for _, w := range [...]time.Duration{25, 15} {
			add("work "+Count(int(w))+" ms", v.Settings.Overload.Work == w*time.Millisecond, func(d *Dock) { wish(d).Overload.Work = w * time.Millisecond })
		}
	case WaitingPage:
		if v.Waiting.Running {
			add("stop", true, func(d *Dock) { d.Lab.order.Waiting = TurnOff })
		} else {
			add("start", false, func(d *Dock) { d.Lab.order.Waiting = TurnOn })
		}
	case DisplayPage:
		add("matrix", v.Settings.Matrix, func(d *Dock) { w := wish(d); w.Matrix = !w.Matrix })
		if !v.Settings.Matrix {
			right -= d.px(8)
			add(">", false, func(d *Dock) { w := wish(d); w.Display = NextDisplay(w.Display, +1) })
			add("<", false, func(d *Dock) { w := wish(d); w.Display = NextDisplay(w.Display, -1) })
		}
	}
}

// Button is where a button of the tab that is shown was drawn, by its label, in
// device pixels; empty while there is none.
func (d *Dock) Button(label string) image.Rectangle {
	for _, c := range d.choices {
		if c.label == label {
			return c.box
		}
	}
	return image.Rectangle{}
}

// clickLab presses the button at p.
func (d *Dock) clickLab(p image.Point) {
	for _, c := range d.choices {
		if p.In(c.box) {
			c.act(d)
			return
		}
	}
}

// slowText is a slow motion: "1:10".
func slowText(n int) string { return "1:" + Count(max(n, 1)) }

// drawLab draws the lab's page: the loops, whose time passes, in any case, the
// others when all is drawn.
func (d *Dock) drawLab(dst, white *ebiten.Image, let *Lettering, all bool) {
	pen := labPen{dst, let, d.Lab.log}
	if d.Lab.v.Settings.Page == LoopPage {
		d.drawLoops(pen, white, all)
		return
	}
	if !all {
		return
	}
	switch d.Lab.v.Settings.Page {
	case OverloadPage:
		d.drawOverload(pen, white)
	case WaitingPage:
		d.drawWaiting(pen, white)
	case DisplayPage:
		if d.Lab.v.Settings.Matrix {
			d.drawMatrix(pen, white)
		} else {
			d.drawDisplays(pen, white)
		}
	default:
		d.drawPacers(pen, white)
	}
}

// empty writes in the middle of the page what would fill it.
func (d *Dock) empty(pen labPen, lines ...string) {
	r := d.labBody()
	h := pen.let.Height(Body) + 3*d.unit
	y := float64(r.Min.Y+r.Max.Y)/2 - h*float64(len(lines))/2
	for i, s := range lines {
		c := Faint
		if i == 0 {
			c = Ink
		}
		pen.middle(s, float64(r.Min.X+r.Max.X)/2, y, Body, c)
		y += h
	}
}

// ground adds a lane's ground.
func (d *Dock) ground(b image.Rectangle) {
	x0, y0, x1, y1 := edges(b)
	d.mesh.Rect(x0, y0, x1, y1, Backdrop)
}

// perSecond is a rate with its unit: "60 a second".
func perSecond(r loop.Rate) string { return RateText(r) + " a second" }

// logAxis maps durations to a lane, equal factors to equal widths.
type logAxis struct {
	lane     image.Rectangle
	from, to time.Duration
}

// x is where a duration is, at an end of the lane if beyond it.
func (a logAxis) x(d time.Duration) float32 {
	at := math.Log(float64(max(d, 1))/float64(a.from)) / math.Log(float64(a.to)/float64(a.from))
	return float32(a.lane.Min.X) + float32(min(max(at, 0), 1))*float32(a.lane.Dx())
}

// lines adds a faint line at each factor of ten, through lanes from y0 to y1.
func (a logAxis) lines(m *Mesh, y0, y1 float32) {
	for d := a.from * 10; d < a.to; d *= 10 {
		x := float32(math.Round(float64(a.x(d))))
		m.Rect(x, y0, x+1, y1, Line)
	}
}

// write writes the values of the lines below the lanes, as far as there is room.
func (a logAxis) write(pen labPen, y float64) {
	free := math.Inf(-1)
	for d := a.from; d <= a.to; d *= 10 {
		s := Precise(d)
		w := pen.let.Width(s, Small)
		x := min(max(float64(a.x(d))-w/2, float64(a.lane.Min.X)), float64(a.lane.Max.X)-w)
		if x < free {
			continue
		}
		free = pen.left(s, x, y, Small, Faint) + pen.let.Width("0", Small)
	}
}
