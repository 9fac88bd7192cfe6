package game

import (
	"fmt"
	"image"
	"image/color"
	"time"

	"chronoscope/loop"
	"chronoscope/overlay"

	"github.com/hajimehoshi/ebiten/v2"
)

// brakeHold is how long a brake stays on the screen after it lifted. Brakes may
// come and go with every tick; what is shown changes at most twice a second.
const brakeHold = 500 * time.Millisecond

// hud is the line above the map and what lies over it: the brake's frame and
// badge, the legend, the hint, the list of keys.
type hud struct {
	items    []item
	badge    string
	badgeBox image.Rectangle
	brakeBy  uint64 // the character to go to
	hasBrake bool

	lastBrake time.Time
	brakeOn   bool

	notice      string
	noticeUntil time.Time

	bar      barKey // as drawn last
	barStale bool   // what refresh writes has changed since
}

// barKey is what can change the bar between two refreshes.
type barKey struct {
	braking, paused bool
	notice          string
}

// item is one entry of the line. Its value has at least the width of the
// template, so that changing digits move nothing. Items stand in the order of
// their weight; the last ones go where there is no room.
type item struct {
	name, value, template string
}

// refresh writes the numbers anew; five times a second.
func (h *hud) refresh(v *overlay.Values, zoom float64) {
	actual := "-"
	if v.Actual > 0 && !v.Paused {
		actual = overlay.PerSecond(v.Actual)
	}
	nominal := overlay.RateText(v.Pacing.TickRate)
	t := loop.TownTimeAt(v.Tick)
	clock := fmt.Sprintf("%d, %02d:%02d", t.Day, t.Hour, t.Minute)
	h.barStale = true
	h.items = append(h.items[:0],
		item{"tick", overlay.Thousands(uint64(v.Tick)), "0 000 000"},
		item{"day", clock, "00, 00:00"},
		item{"rate", actual + " of " + nominal + " per s", "000.0 of 000 per s"},
		item{"speed", overlay.Factor(v.Pacing.TimeScale), "x00.00"},
		item{"zoom", overlay.Factor(zoom), "x00.00"},
	)
	h.badge, h.hasBrake = "", false
	if len(v.Laggards) > 0 {
		l := v.Laggards[0]
		h.badge = "BRAKE  " + l.Name + "  " + overlay.Behind(l.Lag) + "  " + overlay.Span(l.For)
		h.brakeBy, h.hasBrake = l.Spawn, l.Placed
	} else if v.Braking {
		h.badge = "BRAKE"
	}
}

// brake follows the world's braking; call it once a frame.
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
// still right. Otherwise drawBar must follow.
func (h *hud) barStays(onScreen, paused bool, now time.Time) bool {
	key := barKey{braking: h.brakeOn, paused: paused}
	if now.Before(h.noticeUntil) {
		key.notice = h.notice
	}
	same := onScreen && !h.barStale && key == h.bar
	h.bar, h.barStale = key, false
	return same
}

// drawBar draws the line above the map.
func (h *hud) drawBar(dst, white *ebiten.Image, mesh *overlay.Mesh, let *overlay.Lettering, bar image.Rectangle) {
	u := let.Scale()
	fill(mesh, bar, overlay.Surface)
	fill(mesh, image.Rect(bar.Min.X, bar.Max.Y-1, bar.Max.X, bar.Max.Y), overlay.Line)

	right := float64(bar.Max.X) - 10*u
	y := float64(bar.Min.Y) + (float64(bar.Dy())-let.Height(overlay.Strong))/2
	type chip struct {
		text string
		at   float64
		c    color.RGBA
	}
	var chips [3]chip
	n := 0
	put := func(s string, c color.RGBA) image.Rectangle {
		w := let.Width(s, overlay.Strong) + 20*u
		box := image.Rect(int(right-w), bar.Min.Y+int(6*u), int(right), bar.Max.Y-int(6*u))
		fill(mesh, box, c)
		ink := overlay.Ink
		if c == overlay.ZoneEdge {
			ink = overlay.Backdrop
		}
		chips[n] = chip{s, right - w + 10*u, ink}
		n++
		right -= w + 8*u
		return box
	}
	h.badgeBox = image.Rectangle{}
	if h.bar.braking {
		s := h.badge
		if s == "" {
			s = "BRAKE  lifted"
		}
		h.badgeBox = put(s, overlay.Laggard)
	}
	if h.bar.paused {
		put("PAUSED", overlay.ZoneEdge)
	}
	if h.bar.notice != "" {
		put(h.bar.notice, overlay.Line)
	}
	mesh.Draw(dst, white)
	mesh.Reset()
	for _, c := range chips[:n] {
		let.Draw(dst, c.text, c.at, y, overlay.Strong, c.c)
	}

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
