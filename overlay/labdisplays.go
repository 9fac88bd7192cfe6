package overlay

import (
	"image"
	"strconv"

	"chronoscope/loop/frametime"
	"chronoscope/loop/lab"

	"github.com/hajimehoshi/ebiten/v2"
)

// drawDisplays draws what each loop model makes of the display: a column for each
// frame, as high as it has ticks.
func (d *Dock) drawDisplays(pen labPen, white *ebiten.Image) {
	v, r, u := &d.Lab.v, d.labBody(), d.unit
	if len(v.Runs) == 0 {
		d.empty(pen, "being worked out")
		return
	}
	line := pen.let.Height(Small) + 2*u
	left, right := d.px(160), d.px(150)
	if r.Dx() < d.px(760) {
		left, right = d.px(148), d.px(92)
	}
	top, gap := r.Min.Y+int(line)+d.px(2), d.px(6)
	n := len(v.Runs)
	high := (r.Max.Y - top - gap*(n-1)) / n
	lane := func(i int) image.Rectangle {
		y := top + i*(high+gap)
		return image.Rect(r.Min.X+left, y, r.Max.X-right, y+high-int(line))
	}
	d.mesh.Reset()
	for i := range v.Runs {
		d.cadence(&v.Runs[i], lane(i))
	}
	d.mesh.Draw(pen.dst, white)

	note := v.Settings.Display + ", " + perSecond(v.Rate)
	pen.best(float64(r.Min.X), float64(r.Max.X), float64(r.Min.Y)-u, Small, Faint,
		"display "+note+";  each column is a frame, as high as the ticks in it;  vermilion, with a cap: neither the floor nor the ceiling of the ratio",
		note+";  columns: ticks of a frame;  vermilion: uneven", note)
	for i := range v.Runs {
		run, b := &v.Runs[i], lane(i)
		y := float64(b.Min.Y)
		pen.left(run.Model, float64(r.Min.X), y, Small, Ink)
		if run.Rate != v.Rate {
			pen.left("makes "+perSecond(run.Rate), float64(r.Min.X), y+line, Small, Faint)
		}
		x := float64(b.Max.X) + 10*u
		pen.left(PerSecond(run.PerSec)+" ticks/s", x, y, Small, Ink)
		under := float64(b.Max.Y) + u
		text, c := "no cadence is right", Faint
		if run.Judged {
			text = Count(run.Defects.Odd) + " odd, " + plural(run.Defects.Swaps, "swap")
			if run.Defects != (frametime.Defects{}) {
				c = Awake
			}
		}
		if pen.let.Width(text, Small) > float64(r.Max.X)-x {
			if run.Judged {
				text = strconv.Itoa(run.Defects.Odd) + "/" + strconv.Itoa(run.Defects.Swaps) + " odd"
			} else {
				text = "not judged"
			}
		}
		pen.left(text, x, y+line, Small, c)
		d.writeCadence(pen, run, b, under)
	}
}

// writeCadence writes the ticks of the frames below their columns, or, where those
// are too narrow, as one word.
func (d *Dock) writeCadence(pen labPen, run *lab.DisplayRun, lane image.Rectangle, y float64) {
	each := float64(lane.Dx()) / float64(len(run.Cadence))
	if each < 7.5*d.unit {
		pen.left(run.Cadence, float64(lane.Min.X), y, Small, Ink)
		return
	}
	for i := range run.Cadence {
		pen.middle(run.Cadence[i:i+1], float64(lane.Min.X)+each*(float64(i)+0.5), y, Small, Ink)
	}
}

// cadence adds a model's columns.
func (d *Dock) cadence(run *lab.DisplayRun, lane image.Rectangle) {
	d.ground(lane)
	x0, y0, x1, y1 := edges(lane)
	unit := max(float32(d.unit), 1)
	most := 2
	for _, n := range run.Ticks {
		most = max(most, n)
	}
	for i, n := range run.Ticks {
		a := x0 + (x1-x0)*float32(i)/float32(len(run.Ticks))
		b := x0 + (x1-x0)*float32(i+1)/float32(len(run.Ticks)) - unit
		odd := n < run.Least || n > run.Most
		ink := Walking
		if odd {
			ink = Laggard
		}
		high := max((y1-y0-4*unit)*float32(n)/float32(most), 2*unit)
		if n == 0 && !odd {
			ink = Resting
		}
		d.mesh.Rect(a, y1-high, b, y1, ink)
		if odd {
			d.mesh.Rect(a, y0, b, y0+2*unit, Laggard)
		}
	}
}

// The columns of the matrix: what they are, and where they end, in shares of its
// width.
var matrixColumns = [...]struct {
	title string
	end   float64
}{{"display", 0.10}, {"VSync", 0.19}, {"cap", 0.27}, {"frames/s", 0.38}, {"sigma", 0.50}, {"missed", 0.60}, {"", 0}, {"odd", 0.93}, {"swaps", 1}}

// cadenceFrom is where the matrix's cadences begin, in shares of its width.
const cadenceFrom = 0.63

// drawMatrix writes the frame-rate matrix.
func (d *Dock) drawMatrix(pen labPen, white *ebiten.Image) {
	v, r, u := &d.Lab.v, d.labBody(), d.unit
	if len(v.Matrix) == 0 {
		d.empty(pen, "being worked out")
		return
	}
	note := perSecond(v.Rate)
	line := pen.let.Height(Small) + 2*u
	pen.best(float64(r.Min.X), float64(r.Max.X), float64(r.Min.Y)-u, Small, Faint,
		note+" by this program's own frame loop, frames of 2 ms;  odd and swaps: against the display with VSync, else against the cap;  a cap below the refresh looks like missed refreshes",
		note+" by this program's frame loop;  a cap below the refresh counts as missed", note)
	wide := min(float64(r.Dx()), 860*u)
	top := float64(r.Min.Y) + line
	row := min((float64(r.Max.Y)-top)/float64(len(v.Matrix)+1), 20*u)
	at := func(k int) float64 { return float64(r.Min.X) + matrixColumns[k].end*wide }
	for k, c := range matrixColumns {
		if c.title != "" {
			pen.right(c.title, at(k), top, Small, Faint)
		}
	}
	pen.left("ticks per frame", float64(r.Min.X)+cadenceFrom*wide, top, Small, Faint)
	d.mesh.Reset()
	for i := range v.Matrix {
		y := float32(top + row*float64(i+1))
		if i%2 == 0 {
			d.mesh.Rect(float32(r.Min.X), y, float32(r.Min.X)+float32(wide)+4*float32(u), y+float32(row), Backdrop)
		}
		if i > 0 && v.Matrix[i].Refresh != v.Matrix[i-1].Refresh {
			d.mesh.Rect(float32(r.Min.X), y, float32(r.Min.X)+float32(wide)+4*float32(u), y+max(float32(u), 1), Faint)
		}
	}
	d.mesh.Draw(pen.dst, white)
	h := pen.let.Height(Small)
	for i := range v.Matrix {
		c := &v.Matrix[i]
		y := top + row*float64(i+1) + (row-h)/2
		vsync, limit := "off", "off"
		if c.VSync {
			vsync = "on"
		}
		if c.Cap.Valid() {
			limit = RateText(c.Cap)
		}
		cells := [...]string{RateText(c.Refresh) + " Hz", vsync, limit, strconv.FormatFloat(c.FPS, 'f', 2, 64), strconv.FormatFloat(float64(c.Sigma)/1e6, 'f', 3, 64) + " ms",
			Count(c.Missed), "", Count(c.Defects.Odd), Count(c.Defects.Swaps)}
		for k, s := range cells {
			ink := Ink
			if k >= 7 && s != "0" || k == 5 && c.Missed > 0 {
				ink = Awake
			}
			pen.right(s, at(k), y, Small, ink)
		}
		pen.left(c.Cadence, float64(r.Min.X)+cadenceFrom*wide, y, Small, Ink)
	}
}
