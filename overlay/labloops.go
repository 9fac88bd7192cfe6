package overlay

import (
	"image"
	"math"
	"strconv"
	"time"

	"chronoscope/loop/lab"

	"github.com/hajimehoshi/ebiten/v2"
)

// How many ticks of the axis lie before the needle and after it.
const ticksPast, ticksAhead = 16, 4

// tickEvery is how many ticks lie between two numbers.
const tickEvery = 4

// loopNotes say how each loop goes.
var loopNotes = [lab.LoopCount]string{"all that is due; carries the rest", "one step, then sleep(step)", "elapsed / step, rest forgotten"}

// loopOptions are what the loops are to be shown with.
func (l *Lab) loopOptions() lab.LoopOptions {
	o := lab.LoopOptions{Work: l.v.Settings.Work, Frame: l.v.Settings.Frame}
	if l.v.Rate.Valid() {
		o.Step = l.v.Rate.Period()
	}
	return o
}

// passLoops lets the loops' time pass until an instant. They begin anew when they
// are to be shown with something else, and stand still while nobody looks.
func (l *Lab) passLoops(now time.Time) {
	s := l.v.Settings
	if l.loops == nil || l.loopsRate != l.v.Rate || l.loopsOf.Work != s.Work || l.loopsOf.Frame != s.Frame || l.loopsOf.Again != s.Again {
		l.loops, l.loopsAt = lab.NewLoops(l.loopOptions()), now
		clear(l.numbers)
	}
	l.loopsOf, l.loopsRate = s, l.v.Rate
	by := now.Sub(l.loopsAt)
	l.loopsAt = now
	const hidden = 500 * time.Millisecond
	if by <= 0 || by > hidden {
		return
	}
	l.loops.Advance(by / time.Duration(max(s.Slow, 1)))
}

// renewLoops writes the loops' figures.
func (l *Lab) renewLoops() {
	if l.loops == nil {
		l.loops = lab.NewLoops(l.loopOptions())
		l.loopsOf, l.loopsRate = l.v.Settings, l.v.Rate
	}
	o := l.loops.Options()
	for k := range lab.LoopCount {
		behind := plural(int(l.loops.Behind(k)), "tick")
		if n := l.loops.Lane(k).Dropped; n > 0 {
			behind += ", " + Thousands(n) + " lost"
		}
		drift := l.loops.Drift(k)
		text := Millis(drift) + " ms"
		if drift >= 10*time.Second {
			text = Span(drift)
		}
		l.loopRows[k] = [3][2]string{
			{"behind", behind}, {"drift", text},
			{"steps per s", PerSecond(l.loops.Rate(k)) + " of " + PerSecond(float64(time.Second)/float64(o.Step))},
		}
	}
	l.loopHead = "step " + Precise(o.Step) + ", work " + Precise(o.Work) + ", looked at every " + Precise(o.Frame) + "; wall clock " +
		strconv.FormatFloat(l.loops.Now().Seconds(), 'f', 1, 64) + " s"
}

// number is a tick's number.
func (l *Lab) number(n uint64) string {
	if s, ok := l.numbers[n]; ok {
		return s
	}
	if l.numbers == nil {
		l.numbers = map[uint64]string{}
	}
	if len(l.numbers) > 64 {
		clear(l.numbers)
	}
	s := Thousands(n)
	l.numbers[n] = s
	return s
}

// layLoops is where the lanes are, and the strip of numbers below them.
func (d *Dock) layLoops(pen labPen) (lanes [lab.LoopCount]image.Rectangle, strip image.Rectangle) {
	r := d.labBody()
	line := int(pen.let.Height(Small)) + d.px(3)
	left, right := d.px(196), d.px(190)
	if r.Dx() < d.px(760) {
		left, right = d.px(164), d.px(164)
	}
	gap := d.px(8)
	top, bottom := r.Min.Y+line, r.Max.Y-line
	high := (bottom - top - gap*(len(lanes)-1)) / len(lanes)
	for i := range lanes {
		y := top + i*(high+gap)
		lanes[i] = image.Rect(r.Min.X+left, y, r.Max.X-right, y+high)
	}
	strip = image.Rect(lanes[0].Min.X-d.px(20), lanes[len(lanes)-1].Max.Y+d.px(1), lanes[0].Max.X+d.px(20), r.Max.Y)
	return lanes, strip
}

// drawLoops draws the time axis of each loop: above, when its steps were run; below,
// the cells of the ticks, filled as far as it has come; the needle is the wall clock.
func (d *Dock) drawLoops(pen labPen, white *ebiten.Image, all bool) {
	l := &d.Lab
	l.passLoops(d.instant.Now)
	lanes, strip := d.layLoops(pen)
	if all {
		d.writeLoops(pen, lanes)
	}
	a := tickAxis{lanes[0], l.loops.Now(), l.loops.Options().Step}
	d.mesh.Reset()
	x0, y0, x1, y1 := edges(strip)
	d.mesh.Rect(x0, y0, x1, y1, Surface)
	for k, lane := range lanes {
		d.loopLane(lab.LoopKind(k), lane, a)
	}
	unit := max(float32(d.unit), 1)
	needle := a.x(a.now)
	d.mesh.Rect(needle-unit, float32(lanes[0].Min.Y), needle+unit, float32(lanes[len(lanes)-1].Max.Y), Now)
	d.mesh.Draw(pen.dst, white)

	y := float64(strip.Min.Y)
	for n := a.first(); n <= a.last(); n++ {
		if n < 1 || n%tickEvery != 0 {
			continue
		}
		s := l.number(uint64(n))
		x := float64(a.x(time.Duration(n) * a.step))
		if w := pen.let.Width(s, Small); x+w < float64(strip.Max.X) && x >= float64(lanes[0].Min.X) {
			pen.left(s, x, y, Small, Faint)
		}
	}
}

// tickAxis maps the loops' time to a lane.
type tickAxis struct {
	lane image.Rectangle
	now  time.Duration
	step time.Duration
}

func (a tickAxis) perTick() float64 { return float64(a.lane.Dx()) / (ticksPast + ticksAhead) }

// x is where an instant is; it may lie beside the lane.
func (a tickAxis) x(at time.Duration) float32 {
	return float32(float64(a.lane.Min.X) + (float64(at-a.now)/float64(a.step)+ticksPast)*a.perTick())
}

// first and last are the ticks at the lane's ends.
func (a tickAxis) first() int { return int(math.Floor(float64(a.now)/float64(a.step))) - ticksPast }

func (a tickAxis) last() int { return a.first() + ticksPast + ticksAhead + 1 }

// loopLane adds one loop's lane.
func (d *Dock) loopLane(k lab.LoopKind, lane image.Rectangle, a tickAxis) {
	m, unit, loops := &d.mesh, max(float32(d.unit), 1), d.Lab.loops
	d.clear(lane)
	x0, y0, x1, y1 := edges(lane)
	// The upper half: steps, when they ran.
	middle := y0 + (y1-y0)*0.42
	for r := range loops.Lane(k).Runs {
		from, to := a.x(r.From), a.x(min(r.To, a.now))
		if to < x0 {
			break
		}
		from, to = max(from, x0), min(max(to, from+2*unit), x1)
		if to > from {
			m.Rect(from, y0+4*unit, max(to-unit, from+unit), middle-3*unit, Walking)
		}
	}
	// The lower half: cells.
	done, due := int(loops.Lane(k).Steps), int(loops.Due())
	lost := done + int(loops.Lane(k).Dropped)
	for n := max(a.first(), 1); n <= a.last(); n++ {
		from, to := max(a.x(time.Duration(n)*a.step)+unit, x0), min(a.x(time.Duration(n+1)*a.step)-unit, x1)
		if to <= from {
			continue
		}
		switch {
		case n <= done:
			m.Rect(from, middle, to, y1-4*unit, Resting)
		case n <= due && n <= lost:
			m.Frame(from, middle, to, y1-4*unit, unit, Faint)
			m.Line(from, middle, to, y1-4*unit, unit, Faint, Faint)
		case n <= due:
			m.Frame(from, middle, to, y1-4*unit, 2*unit, Laggard)
		default:
			m.Frame(from, middle, to, y1-4*unit, unit, Line)
		}
	}
	// Where it has come to lies before the lane: an arrow says so.
	if due > 0 && a.x(time.Duration(done+1)*a.step) < x0 {
		y := (middle + y1 - 4*unit) / 2
		m.Triangle(x0+2*unit, y, x0+12*unit, y-7*unit, x0+12*unit, y+7*unit, Laggard)
	}
}

// writeLoops writes names and figures beside the lanes.
func (d *Dock) writeLoops(pen labPen, lanes [lab.LoopCount]image.Rectangle) {
	l, r, u := &d.Lab, d.labBody(), d.unit
	pen.best(float64(r.Min.X), float64(r.Max.X), float64(r.Min.Y)-u, Small, Faint,
		l.loopHead+";  above: steps as they ran;  below: filled, done; vermilion, due; line: the wall clock",
		l.loopHead+";  vermilion: due", l.loopHead)
	line := pen.let.Height(Small) + 2*u
	for k, lane := range lanes {
		middle := float64(lane.Min.Y+lane.Max.Y) / 2
		pen.left(lab.LoopKind(k).String(), float64(r.Min.X), middle-line, Strong, Ink)
		pen.left(loopNotes[k], float64(r.Min.X), middle+2*u, Small, Faint)
		y := middle - 1.5*line
		for _, row := range l.loopRows[k] {
			pen.left(row[0], float64(lane.Max.X)+14*u, y, Small, Faint)
			pen.right(row[1], float64(r.Max.X), y, Small, Ink)
			y += line
		}
	}
}
