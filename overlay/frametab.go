package overlay

import (
	"fmt"
	"image"
	"image/color"
	"strconv"
	"strings"
	"time"

	"chronoscope/loop"
	"chronoscope/loop/frametime"

	"github.com/hajimehoshi/ebiten/v2"
)

// figureWindow is how far back the figures beside the graph reach, within the
// present segment.
const figureWindow = 10 * time.Second

// frameFigures are the numbers of frames as written, renewed five times a second:
// text that changes every frame can't be read.
type frameFigures struct {
	scale    scale
	errorTop time.Duration
	most     int // ticks at the upper edge
	lagTop   int

	guides  []guide
	upper   [2]string // of the tick errors
	mostTxt string
	rows    [][2]string
	notes   []string
	empty   bool
	badges  []Badge
	cost    string
	run     frametime.Capture // memory for what the figures are of

	bins      []int
	width     time.Duration // of a bin
	curve     []time.Duration
	curveTop  time.Duration
	mostInBin int
}

// guide is a line across the lane of intervals.
type guide struct {
	at   time.Duration
	text string
	tick bool // the tick period, not the display's
}

// rows of figures: what Summarize calls them, and what they are called here.
var figureRows = [...][2]string{
	{"average", "average"}, {"P50", "P50"}, {"P95", "P95"}, {"P99", "P99"}, {"P99.9", "P99.9"},
	{"P1 low", "1 % low, P1"}, {"1 % low, average", "1 % low, mean"}, {"1 % low, integral", "1 % low, integral"}, {"stutter time", "stutter"},
	{"missed refreshes", "missed, est."}, {"busy, mean", "busy, mean"}, {"wait, mean", "wait, mean"}, {"animation error, mean", "anim. error"},
	{"cadence, odd frames", "cadence, odd"}, {"tick error, P50", "tick err. P50"}, {"tick error, P99", "tick err. P99"},
	{"drift", "drift"}, {"effective speed", "speed"},
}

// renew works out the figures of the present segment.
func (f *frameFigures) renew(g *Graph, rec *Recording) {
	f.rows, f.notes, f.guides = f.rows[:0], f.notes[:0], f.guides[:0]
	f.empty = rec == nil || rec.Frames == nil || rec.Frames.Len() == 0
	if f.empty {
		return
	}
	f.badges = append(f.badges[:0], rec.Badges...)
	f.scale = g.newScale(rec)
	f.guide(rec)
	c := &f.run
	from := max(rec.Now-int64(figureWindow), rec.Rules.Begin)
	c.Frames, c.Releases = c.Frames[:0], c.Releases[:0]
	for i := first(rec.Frames, from); i < rec.Frames.Len(); i++ {
		c.Frames = append(c.Frames, *rec.Frames.At(i))
	}
	n := len(rec.Releases)
	for n > 0 && rec.Releases[n-1].Released >= from {
		n--
	}
	c.Releases = append(c.Releases, rec.Releases[n:]...)
	c.Meta = frametime.Meta{Rules: rec.Rules, TickRate: rec.Rate, Stated: rec.Stated, Measured: int64(rec.Measured)}
	if !rec.VSync {
		c.Meta.Stated, c.Meta.Measured = loop.Rate{}, 0 // nothing is missed that isn't waited for
	}
	s := frametime.Summarize(c)
	for _, r := range figureRows {
		fig, _ := s.Figure(r[0])
		text := "-"
		if fig.OK && !rec.Paused {
			text = fig.String()
			if fig.Unit != "" {
				text += " " + fig.Unit
			}
		}
		f.rows = append(f.rows, [2]string{r[1], text})
	}
	f.notes = append(f.notes, displayText(rec))
	if rec.Paused {
		f.notes = append(f.notes, "paused: no figures")
	} else {
		f.notes = append(f.notes, s.Counts())
	}
	f.cost = ""
	if rec.Cost > 0 {
		f.cost = "drawing this: " + Precise(rec.Cost)
	}
	e := frametime.TickErrors(c.Releases)
	f.errorTop = niceTop(e)
	f.upper = [2]string{microsText(f.errorTop), microsText(f.errorTop / 2)}
	f.most = g.mostTicks()
	f.mostTxt = Count(f.most)
	f.lagTop = 0
	for i := range c.Frames {
		f.lagTop = max(f.lagTop, int(min(c.Frames[i].Lag, 1<<30)))
	}
	f.lagTop *= 2
	f.distribution(c, rec)
}

// guide lists the lines at one and two refreshes and at the tick.
func (f *frameFigures) guide(rec *Recording) {
	add := func(d time.Duration, tick bool) {
		if d <= 0 || f.scale.at(d) >= 1 {
			return
		}
		for i := range f.guides {
			if o := f.guides[i].at; (o - d).Abs() < d/50 {
				return
			}
		}
		f.guides = append(f.guides, guide{d, Millis(d) + " ms, " + strconv.FormatFloat(1/d.Seconds(), 'g', 4, 64) + " Hz", tick})
	}
	if rec.Refresh > 0 {
		add(rec.Refresh, false)
		add(2*rec.Refresh, false)
	}
	if rec.Rate.Valid() {
		add(rec.Rate.Period(), true)
	}
	if f.scale.log {
		for d := 2 * logBottom; d < logTop; d *= 4 {
			add(d, false)
		}
	}
}

// distribution sorts the intervals of the segment into bins, and finds their
// quantiles.
func (f *frameFigures) distribution(c *frametime.Capture, rec *Recording) {
	used := c.Meta.Rules.Select(c.Frames).Used
	d := frametime.Intervals(used)
	f.bins, f.curve = nil, nil
	if len(d) == 0 || rec.Paused {
		return
	}
	const bins = 120
	f.width = max((f.scale.top+bins-1)/bins, time.Microsecond)
	f.bins = frametime.Histogram(d, f.width, bins)
	f.mostInBin = 1
	for _, n := range f.bins {
		f.mostInBin = max(f.mostInBin, n)
	}
	f.curve = frametime.PercentileCurve(d, 256)
	f.curveTop = f.curve[len(f.curve)-1] * 11 / 10
}

// displayText says what frames are shown on: the stated refresh, and the measured
// one.
func displayText(rec *Recording) string {
	stated, measured := "unknown", "not measured"
	if rec.Stated.Valid() {
		stated = frametime.RefreshLabel(rec.Stated.Period())
	}
	if rec.Measured > 0 {
		measured = PerSecond(1/rec.Measured.Seconds()) + " Hz"
	}
	kind := ""
	if rec.Kind == frametime.Virtual || rec.Kind == frametime.Emulated {
		kind = rec.Kind.String() + " "
	}
	if !rec.VSync {
		measured = "no VSync"
	}
	return kind + stated + " / " + measured
}

// niceTop is the upper end of an axis for errors: 1, 2 or 5 times a power of ten.
func niceTop(e []time.Duration) time.Duration {
	p, ok := frametime.PercentileAbs(e, 0.99)
	if !ok {
		for _, d := range e {
			p = max(p, d.Abs())
		}
	}
	need := max(p*11/10, 20*time.Microsecond)
	for unit := 10 * time.Microsecond; ; unit *= 10 {
		for _, k := range [...]time.Duration{1, 2, 5} {
			if k*unit >= need {
				return k * unit
			}
		}
	}
}

func microsText(d time.Duration) string {
	if d >= time.Millisecond {
		return strconv.FormatFloat(d.Seconds()*1e3, 'g', -1, 64) + " ms"
	}
	return strconv.Itoa(int(d/time.Microsecond)) + " us"
}

// frameLayout is where everything of the frames' tab is.
type frameLayout struct {
	lanes   [3]image.Rectangle
	figures image.Rectangle
	columns int // of figures
}

func (d *Dock) layFrames() frameLayout {
	r := d.body()
	var l frameLayout
	l.columns = 2
	wide := d.px(356)
	if r.Dx() < d.px(820) {
		l.columns, wide = 1, d.px(180)
	}
	l.figures = image.Rect(r.Max.X-wide, r.Min.Y+d.px(4), r.Max.X-d.px(10), r.Max.Y-d.px(2))
	x0, x1 := r.Min.X+d.px(134), l.figures.Min.X-d.px(14)
	top, bottom := r.Min.Y+d.px(6), r.Max.Y-d.px(18)
	room := bottom - top - 2*d.px(8)
	a, b := room*52/100, room*25/100
	l.lanes[0] = image.Rect(x0, top, x1, top+a)
	l.lanes[1] = image.Rect(x0, l.lanes[0].Max.Y+d.px(8), x1, l.lanes[0].Max.Y+d.px(8)+b)
	l.lanes[2] = image.Rect(x0, l.lanes[1].Max.Y+d.px(8), x1, bottom)
	return l
}

// drawFrames draws the tab of frames: its lanes in any case, what is written when
// all is drawn.
func (d *Dock) drawFrames(dst, white *ebiten.Image, let *Lettering, all bool) {
	l, f, rec := d.layFrames(), &d.frames, d.Recording
	if rec == nil || f.empty || rec.Frames == nil {
		if all {
			r := d.body()
			let.DrawCentered(dst, "no frame has been drawn yet: each one will be a column here", float64(r.Min.X+r.Max.X)/2, float64(r.Min.Y+r.Max.Y)/2, Body, Faint)
		}
		return
	}
	if d.Graph.Curves {
		d.drawCurves(dst, white, let, l, all)
	} else {
		d.drawLanes(dst, white, let, l, all)
	}
	if all {
		d.writeFigures(dst, let, l)
	}
}

// drawLanes draws the graph: one call a lane.
func (d *Dock) drawLanes(dst, white *ebiten.Image, let *Lettering, l frameLayout, all bool) {
	f, rec, g, unit := &d.frames, d.Recording, &d.Graph, float32(d.unit)
	t := g.time(rec, l.lanes[0])
	g.build(rec, &t)
	if all {
		d.writeLanes(dst, let, l)
	}
	for i, lane := range l.lanes {
		d.mesh.Reset()
		d.clear(lane)
		x0, y0, x1, y1 := edges(lane)
		switch i {
		case 0:
			for _, gd := range f.guides {
				y := y1 - (y1-y0)*f.scale.at(gd.at)
				d.mesh.Rect(x0, y, x1, y+1, guideInk(gd))
			}
			g.intervalLane(&d.mesh, lane, f.scale, unit)
		case 1:
			g.errorLane(&d.mesh, rec, &t, lane, f.errorTop, unit)
		case 2:
			g.ticksLane(&d.mesh, rec, lane, f.most, f.lagTop, unit)
		}
		g.marks(&d.mesh, rec, &t, lane, i == 2, unit)
		d.pointers(&d.mesh, rec, &t, lane)
		d.mesh.Draw(dst, white)
	}
	d.writeDigits(dst, let, l.lanes[2])
	d.writeEvents(dst, let, &t, l.lanes[0])
	d.writeFrame(dst, white, let, &t, l)
}

func guideInk(g guide) color.RGBA {
	if g.tick {
		return Alpha(Visitor, 0.7)
	}
	return Alpha(Faint, 0.5)
}

// pointers adds the hairline under the pointer and the pinned frame.
func (d *Dock) pointers(m *Mesh, rec *Recording, t *graphTime, lane image.Rectangle) {
	_, y0, _, y1 := edges(lane)
	if d.overLanes() {
		x := float32(d.pointer.X)
		m.Rect(x, y0, x+1, y1, Alpha(Ink, 0.7))
	}
	if p, ok := d.Graph.Pinned(); ok && p.Next > t.from {
		x0, x1 := t.x(p.Layout), t.x(p.Next)
		m.Frame(x0-1, y0, max(x1, x0+2)+1, y1, 1, Ink)
	}
}

// overLanes says that the pointer is in the graph's time.
func (d *Dock) overLanes() bool {
	if d.Tab != FrameTab || d.Graph.Curves || !d.pointer.In(d.place) {
		return false
	}
	l := d.layFrames()
	return d.pointer.In(image.Rect(l.lanes[0].Min.X, l.lanes[0].Min.Y, l.lanes[0].Max.X, l.lanes[2].Max.Y))
}

// writeLanes writes what each lane is, and the values of its lines, at its left.
func (d *Dock) writeLanes(dst *ebiten.Image, let *Lettering, l frameLayout) {
	f, u := &d.frames, d.unit
	right := float64(l.lanes[0].Min.X) - 7*u
	left := float64(d.place.Min.X) + 12*u
	h := let.Height(Small)
	title := func(i int, s string) {
		let.Draw(dst, s, left, float64(l.lanes[i].Min.Y)-2*u, Strong, Ink)
	}
	title(0, "Frame")
	title(1, "Tick error")
	title(2, "Ticks")
	lane := l.lanes[0]
	beside := right - left - let.Width("Frame", Strong) - 4*u // the title's line has less room
	var taken [][2]float64
	for _, g := range f.guides {
		y := float64(lane.Max.Y) - float64(lane.Dy())*float64(f.scale.at(g.at)) - h/2
		y = min(y, float64(lane.Max.Y)-h+3*u)
		ok := y > float64(lane.Min.Y)+h || let.Width(g.text, Small) <= beside
		for _, t := range taken {
			ok = ok && (y >= t[1] || y+h <= t[0])
		}
		if !ok {
			continue
		}
		c := Faint
		if g.tick {
			c = Visitor
		}
		let.DrawRight(dst, g.text, right, y, Small, c)
		taken = append(taken, [2]float64{y, y + h})
	}
	lane = l.lanes[1]
	if float64(lane.Dy()) > 2.6*h {
		let.DrawRight(dst, f.upper[1], right, float64(lane.Min.Y+lane.Max.Y)/2-h/2, Small, Faint)
	}
	let.DrawRight(dst, f.upper[0], right, float64(lane.Min.Y)-2*u, Small, Faint)
	lane = l.lanes[2]
	let.DrawRight(dst, f.mostTxt+" a frame", right, float64(lane.Min.Y)-2*u, Small, Faint)
	let.DrawRight(dst, "0", right, float64(lane.Max.Y)-h+2*u, Small, Faint)
	// The axis of time.
	span := d.Graph.span()
	for i := range 5 {
		s := "now"
		if i < 4 {
			s = strconv.FormatFloat(float64(i-4)*span.Seconds()/4, 'g', -1, 64) + " s"
		}
		w := let.Width(s, Small)
		x := float64(lane.Min.X) + float64(lane.Dx())*float64(i)/4
		let.Draw(dst, s, min(max(x-w/2, float64(lane.Min.X)), float64(lane.Max.X)-w), float64(lane.Max.Y)+2*u, Small, Faint)
	}
}

// digitRoom is how wide a frame must be for its digit to be written, in
// device-independent pixels.
const digitRoom = 9

// writeDigits writes the ticks of each frame where there is room.
func (d *Dock) writeDigits(dst *ebiten.Image, let *Lettering, lane image.Rectangle) {
	u := d.unit
	if float64(lane.Dy()) < 14*u {
		return
	}
	for i := range d.Graph.shown {
		c := &d.Graph.shown[i]
		if c.frames != 1 || float64(c.x1-c.x0) < digitRoom*u || c.worst == frametime.Excluded {
			continue
		}
		s := "+"
		if c.most >= 0 && c.most < len(smallDigits) {
			s = smallDigits[c.most]
		}
		ink := Ink
		if c.most > 0 {
			ink = Backdrop
		}
		let.DrawCentered(dst, s, float64(c.x0+c.x1)/2, float64(lane.Max.Y)-7*u, Small, ink)
	}
}

var smallDigits = [...]string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"}

// writeEvents writes what was changed beside its mark, the newest first, where
// there is room.
func (d *Dock) writeEvents(dst *ebiten.Image, let *Lettering, t *graphTime, lane image.Rectangle) {
	free := float64(lane.Max.X)
	y := float64(lane.Min.Y) + 2*d.unit
	for i := len(d.Recording.Events) - 1; i >= 0; i-- {
		e := &d.Recording.Events[i]
		if e.At < t.from {
			if e.Kind == BrakeEvent || e.Kind == PauseEvent {
				continue
			}
			break
		}
		if e.Kind == CollectEvent {
			continue
		}
		x := float64(t.x(e.At)) + 4*d.unit
		w := let.Width(e.Text, Small)
		if x+w <= free {
			let.Draw(dst, e.Text, x, y, Small, Ink)
			free = x - 8*d.unit
		}
	}
}

// writeFigures writes the numbers at the right.
func (d *Dock) writeFigures(dst *ebiten.Image, let *Lettering, l frameLayout) {
	f, u := &d.frames, d.unit
	line := let.Height(Small) + u
	r := l.figures
	wide := float64(r.Dx()) / float64(l.columns)
	bottom := float64(r.Max.Y) - float64(len(f.notes)+1)*line
	per := max(int((bottom-float64(r.Min.Y))/line), 1)
	for i, row := range f.rows {
		col := i / per
		if l.columns == 2 {
			per = (len(f.rows) + 1) / 2
			col = i / per
		}
		if col >= l.columns {
			break
		}
		x0 := float64(r.Min.X) + float64(col)*wide
		y := float64(r.Min.Y) + float64(i%per)*line
		let.Draw(dst, row[0], x0, y, Small, Faint)
		let.DrawRight(dst, row[1], x0+wide-10*u, y, Small, Ink)
	}
	y := bottom + 3*u
	room := float64(r.Dx())
	for _, n := range f.notes {
		let.Draw(dst, let.Fit(n, Small, room), float64(r.Min.X), y, Small, Faint)
		y += line
	}
	d.writeBadges(dst, let, r, y)
}

// writeBadges writes the warnings that apply, or what drawing costs.
func (d *Dock) writeBadges(dst *ebiten.Image, let *Lettering, r image.Rectangle, y float64) {
	f := &d.frames
	if len(f.badges) == 0 {
		let.Draw(dst, f.cost, float64(r.Min.X), y, Small, Faint)
		return
	}
	var words []string
	for _, b := range f.badges {
		words = append(words, b.Text)
	}
	s := "! " + strings.Join(words, "; ")
	let.Draw(dst, let.Fit(s, Small, float64(r.Dx())), float64(r.Min.X), y, Small, warned)
}

// writeFrame writes the exact values of the frame under the pointer, or else of
// the pinned one.
func (d *Dock) writeFrame(dst, white *ebiten.Image, let *Lettering, t *graphTime, l frameLayout) {
	rec := d.Recording
	frame, ok := d.Graph.Pinned()
	at := float64(t.x(frame.Layout))
	if d.overLanes() {
		x := float64(d.pointer.X)
		if f, found := frameAt(rec, t.stamp(float32(x))); found {
			frame, ok, at = f, true, x
		}
	}
	if !ok {
		return
	}
	lines := frameLines(&frame, rec)
	u := d.unit
	line := let.Height(Small) + u
	wide := 0.0
	for _, s := range lines {
		wide = max(wide, let.Width(s, Small))
	}
	wide += 12 * u
	high := float64(len(lines))*line + 8*u
	area := image.Rect(l.lanes[0].Min.X, l.lanes[0].Min.Y, l.lanes[0].Max.X, l.lanes[2].Max.Y)
	x := at + 10*u
	if x+wide > float64(area.Max.X) {
		x = at - 10*u - wide
	}
	x = min(max(x, float64(area.Min.X)), float64(area.Max.X)-wide)
	y := float64(area.Min.Y) + 2*u
	d.mesh.Reset()
	d.mesh.Rect(float32(x), float32(y), float32(x+wide), float32(y+high), Alpha(Surface, 0.96))
	d.mesh.Frame(float32(x), float32(y), float32(x+wide), float32(y+high), max(float32(u), 1), Line)
	d.mesh.Draw(dst, white)
	for i, s := range lines {
		c := Ink
		if i > 0 {
			c = Faint
		}
		let.Draw(dst, s, x+6*u, y+4*u+float64(i)*line, Small, c)
	}
}

// frameLines are the exact values of a frame.
func frameLines(f *frametime.Frame, rec *Recording) []string {
	ms := func(d time.Duration) string { return fmt.Sprintf("%.3f ms", float64(d)/1e6) }
	lines := []string{"frame " + Thousands(f.Seq) + ": " + ms(f.Interval())}
	if reason, out := leftOut(f, rec); out {
		lines[0] += ", left out: " + reason.String()
	} else if n := frametime.Missed(f.Interval(), rec.Refresh); n > 0 && f.Flags.Has(frametime.VSyncAsked) {
		lines[0] += fmt.Sprintf(", %d missed", n)
	}
	if f.Flags.Has(frametime.NoStamps) {
		lines = append(lines, "shown, not drawn: the machine was busy with another")
	} else {
		work := "busy " + ms(f.Busy()) + ", wait " + ms(f.Wait())
		if c := f.CapWait(); c > 0 {
			work += ", cap " + ms(c)
		}
		lines = append(lines, work)
	}
	lines = append(lines, fmt.Sprintf("tick %s, +%d, alpha %.2f", Thousands(uint64(f.TickAfter)), f.Ticks(), f.Alpha))
	if r, ok := releaseNear(rec, f.Layout); ok {
		lines = append(lines, fmt.Sprintf("tick %s came %.1f us late", Thousands(uint64(r.Tick)), float64(r.Error())/1e3))
	}
	if f.Laggards > 0 {
		lines = append(lines, fmt.Sprintf("%d too far behind, the last by %s", f.Laggards, plural(int(f.Lag), "tick")))
	}
	var flags []string
	for _, x := range [...]struct {
		flag frametime.Flags
		name string
	}{{frametime.GC, "collected"}, {frametime.SettingsChanged, "settings changed"}, {frametime.Braking, "braking"}, {frametime.Gap, "gap"}} {
		if f.Flags.Has(x.flag) {
			flags = append(flags, x.name)
		}
	}
	if len(flags) > 0 {
		lines = append(lines, strings.Join(flags, ", "))
	}
	return lines
}

// caption writes a lane's title above it, and a note after it where it fits.
func (d *Dock) caption(dst *ebiten.Image, let *Lettering, lane image.Rectangle, title, note string) {
	u := d.unit
	x := let.Draw(dst, title, float64(lane.Min.X), float64(lane.Min.Y)-20*u, Strong, Ink) + 10*u
	if x+let.Width(note, Small) <= float64(lane.Max.X) {
		let.Draw(dst, note, x, float64(lane.Min.Y)-18*u, Small, Faint)
	}
}

// figures writes names and values at the right of a lane, and returns where they
// end.
func (d *Dock) figures(dst *ebiten.Image, let *Lettering, r, lane image.Rectangle, list [][2]string) float64 {
	u := d.unit
	left, right := float64(lane.Max.X)+16*u, float64(r.Max.X)-14*u
	y := float64(r.Min.Y) + 6*u
	for _, f := range list {
		let.Draw(dst, f[0], left, y, Body, Faint)
		let.DrawRight(dst, f[1], right, y, Strong, Ink)
		y += 21 * u
	}
	return y
}
