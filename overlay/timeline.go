package overlay

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"
	"time"

	"chronoscope/loop"
	"chronoscope/routes"
	"chronoscope/world"
)

// Timeline shows when: for a selected zone who passes it when, one row per leg,
// and for a selected character in which zone it will be when, one row per zone.
// Passages are half-open, [Enter, Exit). Its geometry is a pure function of what
// Show was given last, of the instant and of the place. The zero Timeline is
// empty and ready.
type Timeline struct {
	of    Selection // what the rows are about
	rows  []timelineRow
	all   []routes.ZonePassage // of all rows, one after the other
	lines [3]string            // the header, by weight
	total int                  // rows that there would be without a limit

	scroll int  // rows above the first one shown
	moved  bool // scrolled by hand: the rows of now aren't kept in view
	zoom   int  // index in timelineSpans
}

// timelineRow is a leg through a zone, or a zone on a leg.
type timelineRow struct {
	label      string
	pick       Selection // what a click selects
	mode       rowMode
	dim        bool // worked out for the viewer alone
	start, end loop.Tick
	from, to   int // its passages in Timeline.all
}

// rowMode is the figure before a row's label.
type rowMode uint8

const (
	restingRow rowMode = iota
	walkingRow
	activeRow
	zoneRow
)

// timelineSpans are the lengths of game time that the width can stand for, at
// the tick rate.
var timelineSpans = [...]time.Duration{
	10 * time.Second, 20 * time.Second, 30 * time.Second, time.Minute,
	2 * time.Minute, 5 * time.Minute, 10 * time.Minute,
}

// startZoom is the span of a new timeline: a walk through a few zones fits it.
const startZoom = 2

// nowAt is where the present stands in the width: most of it is for what is to
// come.
const nowAt = 0.3

// rowHeight and barHeight are in device-independent pixels.
const (
	rowHeight = 18
	barHeight = 10
)

// Span is the length of game time that the width stands for, at the tick rate.
func (t *Timeline) Span() time.Duration { return timelineSpans[t.index()] }

// index is zoom counted from the first span: the zero Timeline stands at
// startZoom.
func (t *Timeline) index() int { return t.zoom + startZoom }

// Zoom shows a shorter span (by < 0) or a longer one, within 10 s to 10 min.
func (t *Timeline) Zoom(by int) {
	t.zoom = min(max(t.index()+by, 0), len(timelineSpans)-1) - startZoom
}

// Scroll moves the rows by so many; fit is how many are shown at a time. From
// then on they stay where they were put.
func (t *Timeline) Scroll(by, fit int) {
	t.scroll = min(max(t.scroll+by, 0), max(len(t.rows)-fit, 0))
	t.moved = true
}

// KeepNow scrolls a character's zones so that the one it is in is in view, until
// somebody scrolls by hand; fit is how many rows are shown at a time.
func (t *Timeline) KeepNow(now loop.Tick, fit int) {
	last := max(len(t.rows)-fit, 0)
	if t.moved || t.of.Kind != OneCharacter {
		t.scroll = min(t.scroll, last)
		return
	}
	for i := range t.rows {
		for _, p := range t.all[t.rows[i].from:t.rows[i].to] {
			if PhaseOf(p, now) == IsNow {
				t.scroll = min(max(i-fit/3, 0), last)
				return
			}
		}
	}
	t.scroll = min(t.scroll, last)
}

// Rows is how many rows there are, shown or not.
func (t *Timeline) Rows() int { return len(t.rows) }

// Header is what stands over the rows, the most important first; some may be
// empty.
func (t *Timeline) Header() []string { return t.lines[:] }

// Show takes over what is selected and its passages.
func (t *Timeline) Show(v *Values) {
	if v.Selection != t.of {
		t.of, t.scroll, t.moved = v.Selection, 0, false
	}
	t.rows, t.all, t.total = t.rows[:0], t.all[:0], 0
	t.lines = [3]string{}
	switch {
	case v.Selection.Kind == OneZone && v.Zone.Zone == v.Selection.Zone:
		t.showZone(v)
	case v.Selection.Kind == OneCharacter && v.Gone:
		t.lines[0] = "#" + Thousands(v.Selection.Spawn) + " has ended"
	case v.Selection.Kind == OneCharacter && v.Character.Spawn == v.Selection.Spawn && v.Character.Leg != nil:
		t.showCharacter(v)
	case v.Selection.Kind == Nothing:
		t.lines[0] = "click a zone to see who passes it when, or a character to see where it will be when"
	default:
		t.lines[0] = "no details yet"
	}
}

func (t *Timeline) showZone(v *Values) {
	z := &v.Zone
	state := "asleep"
	if z.Active {
		state = "active"
		if z.Since > 0 {
			state += " since tick " + Thousands(uint64(z.Since))
		}
		for _, why := range [...]struct {
			holds bool
			text  string
		}{{z.Pinned, "pinned"}, {z.Near, "a visitor is near"}, {z.Camera, "the camera is over it"}} {
			if why.holds {
				state += ", " + why.text
			}
		}
	}
	t.lines[0] = zoneName(z.Zone) + ": " + state
	t.lines[1] = plural(z.Legs, "leg") + " registered, " + Count(z.Refined) + " refined"
	switch {
	case z.Legs == 0:
		t.lines[1] = "no leg touches it"
	case z.Refined == 0:
		t.lines[2] = "nobody needed these passages: they are worked out for you alone"
	case z.Refinements > 0:
		t.lines[2] = plural(int(z.Refinements), "refinement") + " in all, mean " + Precise(z.RefineMean) + ", P99 " + Precise(z.RefineP99)
	}
	t.total = max(z.Legs, len(z.Rows))
	for i := range z.Rows {
		r := &z.Rows[i]
		row := timelineRow{
			label: "#" + Thousands(r.Spawn), pick: Selection{Kind: OneCharacter, Spawn: r.Spawn},
			mode: modeOf(&r.Mark, v.Tick), dim: !r.Refined, from: len(t.all),
		}
		if r.Leg != nil {
			row.start, row.end = r.Leg.Start, r.Leg.End
		} else if n := len(r.Passages); n > 0 {
			row.start, row.end = r.Passages[0].Enter, r.Passages[n-1].Exit
		}
		t.all = append(t.all, r.Passages...)
		row.to = len(t.all)
		t.rows = append(t.rows, row)
	}
}

func (t *Timeline) showCharacter(v *Values) {
	c := &v.Character
	what := "staying"
	if c.Leg.Kind == routes.Route {
		what = "on the way"
		if c.Place != "" {
			what += " to " + c.Place
		}
	} else if c.Place != "" {
		what += " at " + c.Place
	}
	t.lines[0] = "#" + Thousands(c.Spawn) + ": " + what
	if c.Passages == nil {
		t.lines[1] = "its passages aren't worked out: nobody needed them yet"
		return
	}
	for i, p := range c.Passages {
		if t.row(p.Zone) < 0 {
			t.rows = append(t.rows, timelineRow{
				label: zoneName(p.Zone), pick: Selection{Kind: OneZone, Zone: p.Zone}, mode: zoneRow,
				dim: !c.Refined, start: c.Leg.Start, end: c.Leg.End, from: i,
			})
		}
	}
	// Each zone's passages stand together: revisits share a row.
	for i := range t.rows {
		r := &t.rows[i]
		first := r.from
		r.from = len(t.all)
		for _, p := range c.Passages[first:] {
			if p.Zone == r.pick.Zone {
				t.all = append(t.all, p)
			}
		}
		r.to = len(t.all)
	}
	t.total = len(t.rows)
	t.lines[1] = plural(len(c.Passages), "passage") + " through " + plural(len(t.rows), "zone")
	if c.Leg.Kind == routes.Route {
		t.lines[2] = "refined: a zone on the way has needed them"
		if !c.Refined {
			t.lines[2] = "nobody needed them yet: they are worked out for you alone"
		}
	}
}

// row is the row of a zone on a leg, -1 if it has none yet.
func (t *Timeline) row(z routes.ZoneKey) int {
	return slices.IndexFunc(t.rows, func(r timelineRow) bool { return r.pick.Zone == z })
}

func modeOf(m *world.Mark, now loop.Tick) rowMode {
	switch {
	case m.Mode == world.Active:
		return activeRow
	case m.Leg != nil && m.Leg.Kind == routes.Route && now < m.Leg.End:
		return walkingRow
	}
	return restingRow
}

// Phase is when a passage is, seen from a tick.
type Phase uint8

// The phases of a passage, from the least to the most telling.
const (
	IsPast Phase = iota
	IsToCome
	IsNow
)

// Color is the colour of what is in a phase.
func (p Phase) Color() color.RGBA {
	switch p {
	case IsNow:
		return Now
	case IsToCome:
		return ToCome
	}
	return Past
}

// PhaseOf says whether a passage is over, holds the tick, or is to come. One
// that holds no tick is over as soon as the tick at its border is there.
func PhaseOf(p routes.ZonePassage, now loop.Tick) Phase {
	switch {
	case p.Enter > now:
		return IsToCome
	case p.Exit > now:
		return IsNow
	}
	return IsPast
}

// Instant is the instant that a frame shows.
type Instant struct {
	Tick   loop.Tick
	Alpha  float64 // how far the world is on the way to the next tick, 0..1
	Rate   loop.Rate
	Now    time.Time
	Paused bool
}

// fit is how many rows fit into a place.
func fit(r image.Rectangle, unit float32) int { return max(int(float32(r.Dy())/(rowHeight*unit)), 0) }

// gridApart is the least distance of the axis' lines, in device-independent
// pixels: a label fits between two.
const gridApart = 120

// Build adds the rows that fit into r: a thin line for the whole leg, on it
// hollow bars for what is past, a filled one for what is now, hatched ones for
// what is to come, a tick for a passage that holds no tick, and the line of the
// present. unit is one device-independent pixel.
func (t *Timeline) Build(m *Mesh, r image.Rectangle, at Instant, unit float32) {
	a := t.axis(r, at)
	_, y0, _, y1 := edges(r)
	a.each(gridApart*unit, func(_ loop.Tick, x float32) {
		m.Rect(x, y0, min(x+max(unit, 1), a.right), y1, Alpha(Line, 0.7))
	})
	for i := range min(fit(r, unit), max(len(t.rows)-t.scroll, 0)) {
		t.buildRow(m, &t.rows[t.scroll+i], &a, y0+rowHeight*unit*float32(i), unit)
	}
	if len(t.rows) > 0 {
		m.Rect(a.now-0.75*unit, y0, a.now+0.75*unit, y1, Ink)
		m.Triangle(a.now-4*unit, y0, a.now+4*unit, y0, a.now, y0+5*unit, Ink)
	}
}

// buildRow adds a row whose upper edge is at y.
func (t *Timeline) buildRow(m *Mesh, r *timelineRow, a *axis, y, unit float32) {
	mid := y + rowHeight*unit/2
	line := func(from, to loop.Tick, w float32, base float64) {
		x0, x1 := max(a.x(from), a.left), min(a.x(to), a.right)
		if x0 < x1 {
			m.Rect(x0, mid-w*unit/2, x1, mid+w*unit/2, Alpha(Faint, base))
		}
	}
	line(r.start, r.end, 1, 0.45)
	passages := t.all[r.from:r.to]
	if n := len(passages); n > 1 {
		line(passages[0].Exit, passages[n-1].Enter, 2, 0.8)
	}
	for _, p := range passages {
		x0, x1 := a.x(p.Enter), a.x(p.Exit)
		if x1 < a.left || x0 >= a.right {
			continue
		}
		b := bar{x0: x0, x1: x1, y0: mid - barHeight*unit/2, y1: mid + barHeight*unit/2, phase: PhaseOf(p, a.tick)}
		if p.Enter == p.Exit {
			b.tick(m, a, unit)
		} else {
			b.build(m, a, unit)
		}
	}
}

// Over is the row at a point of r, counted from 0 with those scrolled away, and
// the passage of that row under it; -1 where there is none.
func (t *Timeline) Over(p image.Point, r image.Rectangle, at Instant, unit float32) (row, passage int) {
	// Labels stand at the left of r and belong to the row, too.
	i := int(float32(p.Y-r.Min.Y) / (rowHeight * unit))
	if p.Y < r.Min.Y || p.X >= r.Max.X || i >= fit(r, unit) || t.scroll+i >= len(t.rows) {
		return -1, -1
	}
	row, passage = t.scroll+i, -1
	if p.X < r.Min.X {
		return row, passage
	}
	// Of two that the pointer could mean, the nearer one: ticks are thin.
	a, best := t.axis(r, at), 3*unit
	for k, q := range t.all[t.rows[row].from:t.rows[row].to] {
		x := float32(p.X) + 0.5
		if d := max(a.x(q.Enter)-x, x-a.x(q.Exit), 0); d < best {
			best, passage = d, k
		}
	}
	return row, passage
}

// Picked is what a click on a row selects.
func (t *Timeline) Picked(row int) Selection {
	if row < 0 || row >= len(t.rows) {
		return Selection{}
	}
	return t.rows[row].pick
}

// Tell says everything about a passage of a row in a line, with how far away it
// is in real time at the tick rate; "" if there is none such.
func (t *Timeline) Tell(row, passage int, at Instant) string {
	if row < 0 || row >= len(t.rows) {
		return ""
	}
	r := &t.rows[row]
	if passage < 0 || passage >= r.to-r.from {
		return ""
	}
	p := t.all[r.from+passage]
	who, where := r.label, zoneName(p.Zone)
	if r.mode == zoneRow {
		who = "#" + Thousands(t.of.Spawn)
	}
	s := who + " in " + where + ": [" + tickText(p.Enter) + ", " + tickText(p.Exit) + ")"
	if n := r.to - r.from; n > 1 {
		s += fmt.Sprintf(", time %d of %d", passage+1, n)
	}
	if p.Exit != loop.MaxTick {
		s += ", " + ticksText(p.Exit-p.Enter)
	}
	real := func(ticks loop.Tick) string {
		if !at.Rate.Valid() {
			return ticksText(ticks)
		}
		return Span(time.Duration(min(float64(ticks)/at.Rate.Float(), 1e9) * float64(time.Second)))
	}
	switch PhaseOf(p, at.Tick) {
	case IsToCome:
		s += ", in " + real(p.Enter-at.Tick)
	case IsNow:
		s += ", now"
		if p.Exit != loop.MaxTick {
			s += ", for another " + real(p.Exit-at.Tick)
		}
	default:
		s += ", " + real(at.Tick-p.Exit) + " ago"
	}
	return s
}

func ticksText(n loop.Tick) string { return plural(int(min(n, math.MaxInt)), "tick") }

// many writes a number of things: "1 leg", "2 legs".
