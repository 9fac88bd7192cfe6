package overlay

import (
	"image"
	"math"
	"time"

	"chronoscope/loop/lab"

	"github.com/hajimehoshi/ebiten/v2"
)

// The axis of latenesses.
const (
	latenessFrom = time.Microsecond
	latenessTo   = 100 * time.Millisecond
	// barBins is how many bins of a histogram one bar is made of.
	barBins = 4
)

// pacerNotes say what each kind does, in the order of loop.PacerKinds.
var pacerNotes = [...]string{"one timer, to the target", "a ticker as it comes", "a ticker, kept to the grid", "sleeps, then spins", "a kernel nap, then spins"}

// drawPacers draws the pacers' histograms, one lane each.
func (d *Dock) drawPacers(pen labPen, white *ebiten.Image) {
	v, r, u := &d.Lab.v, d.labBody(), d.unit
	if len(v.Pacers) == 0 {
		d.empty(pen, "no pacer is running",
			"start runs all five beside the world, "+perSecond(v.Rate)+" each;",
			"a row each shows how late their wake-ups are, and what that costs")
		return
	}
	head := pen.let.Height(Small) + 3*u
	columns := [...]string{"P50", "P99", "max", "CPU", "skipped"}
	wide := 66.0 * u
	names := d.px(150)
	if r.Dx() < d.px(760) {
		wide, names = 56*u, d.px(92)
	}
	top, bottom := r.Min.Y+int(head), r.Max.Y-int(head)
	x1 := r.Max.X - int(wide*float64(len(columns))) - d.px(6)
	axis := logAxis{image.Rect(r.Min.X+names, top, x1, bottom), latenessFrom, latenessTo}
	gap := d.px(4)
	n := len(v.Pacers)
	high := (bottom - top - gap*(n-1)) / n

	d.mesh.Reset()
	lane := func(i int) image.Rectangle {
		y := top + i*(high+gap)
		return image.Rect(axis.lane.Min.X, y, axis.lane.Max.X, y+high)
	}
	for i := range v.Pacers {
		d.ground(lane(i))
	}
	axis.lines(&d.mesh, float32(top), float32(lane(n-1).Max.Y))
	for i := range v.Pacers {
		d.histogram(&v.Pacers[i], axis, lane(i))
	}
	d.mesh.Draw(pen.dst, white)

	y := float64(r.Min.Y)
	state := "last 30 s, " + perSecond(v.PacerRate)
	if !v.PacersOn {
		state = "stopped; " + state
	}
	pen.best(float64(r.Min.X), float64(x1), y, Small, Faint,
		state+";  how late: root of the count;  white: P50, cap: P99, triangle: max", state+";  white: P50, cap: P99, triangle: max", state)
	for i, c := range columns {
		pen.right(c, float64(r.Max.X)-wide*float64(len(columns)-1-i), y, Small, Faint)
	}
	for i := range v.Pacers {
		p, b := &v.Pacers[i], lane(i)
		middle := float64(b.Min.Y+b.Max.Y) / 2
		h := pen.let.Height(Strong)
		notes := names >= d.px(140) && b.Dy() >= d.px(30)
		nameY := middle - h/2
		if notes {
			nameY = middle - h + u
			pen.left(pacerNotes[i], float64(r.Min.X), middle+u, Small, Faint)
		}
		pen.left(p.Kind.String(), float64(r.Min.X), nameY, Strong, Ink)
		if p.Histogram.Count() == 0 {
			pen.left("learning: the first second isn't counted", float64(b.Min.X)+6*u, middle-pen.let.Height(Small)/2, Small, Faint)
			continue
		}
		cpu := "n/a"
		if p.Told {
			cpu = Percent(p.CPU)
		}
		for k, s := range [...]string{Precise(p.P50), Precise(p.P99), Precise(p.Max), cpu, skippedText(p.Skipped)} {
			pen.right(s, float64(r.Max.X)-wide*float64(len(columns)-1-k), middle-h/2, Strong, Ink)
		}
	}
	axis.write(pen, float64(lane(n-1).Max.Y)+2*u)
	pen.right("CPU of its thread", float64(r.Max.X), float64(lane(n-1).Max.Y)+2*u, Small, Faint)
}

// skippedText is a number of skipped points: after a suspend there are many.
func skippedText(n uint64) string {
	if n < 100_000 {
		return Thousands(n)
	}
	return Short(int(min(n, math.MaxInt32)))
}

// histogram adds a pacer's bars and its marks.
func (d *Dock) histogram(p *lab.PacerReading, axis logAxis, lane image.Rectangle) {
	h := &p.Histogram
	if h.Count() == 0 {
		return
	}
	// What is below the axis is in its first bar, what is beyond in its last.
	first := 1 + 1*lab.PerDecade // of latenessFrom, a decade above lab.Least
	last := first + 5*lab.PerDecade
	count := func(bin int) uint64 {
		from, to := bin, bin+barBins
		if bin == first {
			from = 0
		}
		if to >= last {
			to = lab.Bins + 2
		}
		return h.Between(from, to)
	}
	most := uint64(1)
	for bin := first; bin < last; bin += barBins {
		most = max(most, count(bin))
	}
	x0, y0, x1, y1 := edges(lane)
	bars := float32(last-first) / barBins
	top := y0 + 3*float32(d.unit)
	for i, bin := 0, first; bin < last; i, bin = i+1, bin+barBins {
		n := count(bin)
		if n == 0 {
			continue
		}
		high := max(float32(math.Sqrt(float64(n)/float64(most)))*(y1-top), 2)
		d.mesh.Rect(x0+(x1-x0)*float32(i)/bars, y1-high, x0+(x1-x0)*float32(i+1)/bars-1, y1, Walking)
	}
	unit := max(float32(d.unit), 1)
	mark := func(x float32) float32 { return min(max(x, x0+4*unit), x1-4*unit) }
	x := mark(axis.x(p.P50))
	d.mesh.Rect(x-unit, y0, x+unit, y1, Ink)
	x = mark(axis.x(p.P99))
	d.mesh.Rect(x-unit, y0, x+unit, y1, Awake)
	d.mesh.Rect(x-4*unit, y0, x+4*unit, y0+2*unit, Awake)
	x = mark(axis.x(p.Max))
	d.mesh.Triangle(x-4*unit, y1, x+4*unit, y1, x, y1-8*unit, Laggard)
}
