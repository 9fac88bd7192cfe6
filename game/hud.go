package game

import (
	"fmt"
	"image"
	"image/color"
	"time"

	"chronoscope/coordinator"
	"chronoscope/loop"
	"chronoscope/overlay"

	"github.com/hajimehoshi/ebiten/v2"
)

// brakeHold is how long a brake stays on the screen after it lifted. Brakes may
// come and go with every tick; what is shown changes at most twice a second.
const brakeHold = 500 * time.Millisecond

// droppedFor is how long dropped ticks are spoken of.
const droppedFor = 5 * time.Second

// hud is the line above the map and what lies over it: the brake's frame and
// badge, the legend, the hint, the list of keys.
type hud struct {
	items []item
	chips []chip

	badge    string
	badgeBox image.Rectangle
	brakeBy  uint64 // the character to go to
	hasBrake bool
	lifted   bool      // the badge speaks of a brake that is over
	episodes uint64    // as of the last refresh
	badgeAt  time.Time // when a brake was last seen
	seen     bool      // episodes is known

	dropped   uint64 // as of the last refresh
	droppedBy uint64 // as of when they were last spoken of from
	droppedAt time.Time

	lastBrake time.Time
	brakeOn   bool

	notice      string
	noticeUntil time.Time

	bar      barKey // as drawn last
	barStale bool   // what refresh writes has changed since
}

// barKey is what can change the bar between two refreshes.
type barKey struct {
	paused bool
	notice string
}

// item is one entry of the line. Its value has at least the width of the
// template, so that changing digits move nothing. Items stand in the order of
// their weight; the last ones go where there is no room.
type item struct {
	name, value, template string
}

// chip is a mark at the right of the line, for what isn't always so.
type chip struct {
	text  string
	color color.RGBA
	brake bool // the badge, which can be clicked
}

// refresh writes the numbers anew; five times a second. Everything in the line
// comes from the values that the panels show, so neither contradicts the other.
func (h *hud) refresh(v *overlay.Values, zoom float64, now time.Time) {
	actual, speed := "-", "-"
	if v.Actual > 0 && !v.Paused {
		actual = overlay.PerSecond(v.Actual)
		speed = overlay.Factor(v.Speed)
	}
	nominal := overlay.RateText(v.Pacing.TickRate)
	if s := v.Pacing.TimeScale; s != 1 && v.Pacing.TickRate.Valid() {
		nominal = overlay.PerSecond(v.Pacing.TickRate.Float() * s)
	}
	t := loop.TownTimeAt(v.Tick)
	clock := fmt.Sprintf("%d, %02d:%02d", t.Day, t.Hour, t.Minute)
	h.barStale = true
	h.items = append(h.items[:0],
		item{"tick", overlay.Thousands(uint64(v.Tick)), "0 000 000"},
		item{"day", clock, "00, 00:00"},
		item{"rate", actual + " of " + nominal + " per s", "000.0 of 000 per s"},
		item{"speed", speed, "x00.00"},
		item{"zoom", overlay.Factor(zoom), "x00.00"},
	)
	h.refreshBadge(v, now)
	h.chips = h.chips[:0]
	if h.badge != "" {
		h.chips = append(h.chips, chip{h.badge, overlay.Laggard, true})
	}
	if v.Stretch > 1.01 && !v.Paused {
		h.chips = append(h.chips, chip{fmt.Sprintf("SLOWED x%.1f", v.Stretch), overlay.Awake, false})
	}
	if v.Dropped < h.dropped || !h.seen { // another world, or the first look
		h.droppedAt, h.droppedBy = time.Time{}, v.Dropped
	} else if v.Dropped > h.dropped {
		if now.Sub(h.droppedAt) >= droppedFor {
			h.droppedBy = h.dropped
		}
		h.droppedAt = now
	}
	h.dropped, h.seen = v.Dropped, true
	if n := v.Dropped - h.droppedBy; n > 0 && now.Sub(h.droppedAt) < droppedFor {
		word := " ticks dropped"
		if n == 1 {
			word = " tick dropped"
		}
		h.chips = append(h.chips, chip{overlay.Thousands(n) + word, overlay.Awake, false})
	}
	if v.Pacing.Driver == coordinator.ByFrame {
		h.chips = append(h.chips, chip{"driver: frame", overlay.Line, false})
	}
}

// refreshBadge writes who brakes the world, how far behind, for how long. A brake
// that came and went between two looks is spoken of for a moment, too.
func (h *hud) refreshBadge(v *overlay.Values, now time.Time) {
	again := h.seen && v.Episodes > h.episodes
	h.episodes = v.Episodes
	switch {
	case len(v.Laggards) > 0:
		l := v.Laggards[0]
		h.badge = "BRAKE  " + l.Name + "  " + ticks(l.Lag) + "  " + overlay.Span(l.For)
		h.brakeBy, h.hasBrake, h.badgeAt, h.lifted = l.Spawn, l.Placed, now, false
	case v.Braking:
		h.badge, h.hasBrake, h.badgeAt, h.lifted = "BRAKE", false, now, false
	case again && len(v.Last) > 0:
		e := v.Last[0]
		h.badge = "BRAKE lifted  " + e.Cause.Name + "  " + overlay.Brief(e.Length)
		h.brakeBy, h.hasBrake, h.badgeAt, h.lifted = e.Cause.Spawn, e.Cause.Placed, now, true
	case now.Sub(h.badgeAt) >= brakeHold:
		h.badge, h.hasBrake = "", false
	case !h.lifted:
		h.badge, h.lifted = "BRAKE lifted", true
	}
}

// ticks writes a number of ticks: "1 tick", "17 ticks".
func ticks(n loop.Tick) string {
	if n == 1 {
		return "1 tick"
	}
	return overlay.Thousands(uint64(n)) + " ticks"
}

// brake follows the world's braking for the frame around the map; call it once a
// frame.
func (h *hud) brake(m Moment, now time.Time) {
	if m.Braking {
		h.lastBrake = now
		h.brakeOn = true
	} else if now.Sub(h.lastBrake) >= brakeHold {
		h.brakeOn = false
	}
}

// say shows a line for some seconds, for what can't be done.
func (h *hud) say(s string, now time.Time) { h.notice, h.noticeUntil = s, now.Add(5*time.Second) }

// barStays says whether the bar needn't be drawn: it is still on the screen, and
// still right. Otherwise drawBar must follow. wait: the panels will show the
// newest numbers in the next frame only, and the bar does not run ahead of them.
func (h *hud) barStays(onScreen, paused, wait bool, now time.Time) bool {
	key := barKey{paused: paused}
	if now.Before(h.noticeUntil) {
		key.notice = h.notice
	}
	if onScreen && (!h.barStale || wait) && key == h.bar {
		return true
	}
	h.bar, h.barStale = key, false
	return false
}

// drawBar draws the line above the map.
func (h *hud) drawBar(dst, white *ebiten.Image, mesh *overlay.Mesh, let *overlay.Lettering, bar image.Rectangle) {
	u := let.Scale()
	fill(mesh, bar, overlay.Surface)
	fill(mesh, image.Rect(bar.Min.X, bar.Max.Y-1, bar.Max.X, bar.Max.Y), overlay.Line)

	y := float64(bar.Min.Y) + (float64(bar.Dy())-let.Height(overlay.Strong))/2
	right := h.drawChips(dst, white, mesh, let, bar, y)

	// How many items fit, by weight: the list is in that order.
	x := float64(bar.Min.X) + 14*u
	for i := range h.items {
		it := &h.items[i]
		name, value := let.Width(it.name, overlay.Body), max(let.Width(it.value, overlay.Strong), let.Width(it.template, overlay.Strong))
		if x+name+7*u+value > right {
			break
		}
		x = let.Draw(dst, it.name, x, y, overlay.Body, overlay.Faint) + 7*u
		let.Draw(dst, it.value, x, y, overlay.Strong, overlay.Ink)
		x += value + 24*u
	}
}

// leastItems is the room that chips leave to the items, and leastNotice the least
// that is shown of a notice, in device-independent pixels.
const (
	leastItems  = 130
	leastNotice = 120
)

// drawChips draws the marks from the right edge on, the most important first, and
// returns where they end. What finds no room goes; a notice is cut.
func (h *hud) drawChips(dst, white *ebiten.Image, mesh *overlay.Mesh, let *overlay.Lettering, bar image.Rectangle, y float64) float64 {
	u := let.Scale()
	right := float64(bar.Max.X) - 10*u
	left := float64(bar.Min.X) + leastItems*u
	type placed struct {
		text string
		at   float64
		ink  color.RGBA
	}
	var list [8]placed
	n := 0
	put := func(s string, c color.RGBA) image.Rectangle {
		w := let.Width(s, overlay.Strong) + 20*u
		if n == len(list) || right-w < left {
			return image.Rectangle{}
		}
		box := image.Rect(int(right-w), bar.Min.Y+int(6*u), int(right), bar.Max.Y-int(6*u))
		fill(mesh, box, c)
		ink := overlay.Ink
		if c == overlay.ZoneEdge || c == overlay.Awake {
			ink = overlay.Backdrop
		}
		list[n] = placed{s, right - w + 10*u, ink}
		n++
		right -= w + 8*u
		return box
	}
	h.badgeBox = image.Rectangle{}
	rest := h.chips
	if len(rest) > 0 && rest[0].brake {
		h.badgeBox = put(rest[0].text, rest[0].color)
		rest = rest[1:]
	}
	if h.bar.paused {
		put("PAUSED", overlay.ZoneEdge)
	}
	if h.bar.notice != "" {
		if room := right - left - 20*u; room >= leastNotice*u {
			put(let.Fit(h.bar.notice, overlay.Strong, room), overlay.Line)
		}
	}
	for _, c := range rest {
		put(c.text, c.color)
	}
	mesh.Draw(dst, white)
	mesh.Reset()
	for _, c := range list[:n] {
		let.Draw(dst, c.text, c.at, y, overlay.Strong, c.ink)
	}
	return right
}

// drawFrame frames the map while the world brakes.
func (h *hud) drawFrame(mesh *overlay.Mesh, view image.Rectangle, unit float32) {
	if h.brakeOn {
		mesh.Frame(float32(view.Min.X), float32(view.Min.Y), float32(view.Max.X), float32(view.Max.Y), 3*unit, overlay.Laggard)
	}
}

// fill adds a rectangle.
func fill(m *overlay.Mesh, r image.Rectangle, c color.RGBA) {
	m.Rect(float32(r.Min.X), float32(r.Min.Y), float32(r.Max.X), float32(r.Max.Y), c)
}
