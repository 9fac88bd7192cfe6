package game

import (
	"fmt"
	"time"

	"chronoscope/loop"
	"chronoscope/overlay"
	"chronoscope/routes"

	"github.com/hajimehoshi/ebiten/v2"
)

// hint says who or what is under the pointer and what a click would do.
type hint struct {
	key  hintKey
	at   time.Time // when the text was written
	text string
}

// hintKey is what a hint is about.
type hintKey struct {
	zone             routes.ZoneKey
	spawn            uint64
	someone          bool
	byKeys           bool
	rerouting, ended bool
}

// drawHint draws the hint into the upper left corner of the view.
func (g *Game) drawHint(screen *ebiten.Image, now time.Time) {
	k, x, y, byKeys, ok := g.aimed()
	ending := now.Sub(g.endAsked) <= endWithin
	if !ok && !g.rerouting && !ending {
		return
	}
	key := hintKey{zone: k, byKeys: byKeys, rerouting: g.rerouting, ended: ending}
	h := &g.hint
	if key.zone != h.key.zone || key.byKeys != h.key.byKeys || key.rerouting != h.key.rerouting || key.ended != h.key.ended ||
		h.text == "" || now.Sub(h.at) >= refreshEvery/2 {
		g.found = hits(g.dots, g.crowd, g.cam, g.device, x, y, g.found[:0])
		if ok && len(g.found) > 0 {
			key.someone, key.spawn = true, g.found[0].spawn
		}
		h.key, h.at = key, now
		h.text = g.hintText(key)
	}
	u := g.device
	left, top := float64(g.at.view.Min.X)+12*u, float64(g.at.view.Min.Y)+10*u
	w, height := g.let.Width(h.text, overlay.Body), g.let.Height(overlay.Body)
	g.mesh.Rect(float32(left), float32(top), float32(left+w+20*u), float32(top+height+8*u), overlay.Alpha(overlay.Surface, 0.88))
	g.mesh.Draw(screen, g.white)
	g.mesh.Reset()
	g.let.Draw(screen, h.text, left+10*u, top+4*u, overlay.Body, overlay.Ink)
}

func (g *Game) hintText(key hintKey) string {
	name := "#" + overlay.Thousands(g.selection.Spawn)
	switch {
	case key.ended:
		return "E again: " + name + " ends"
	case key.rerouting:
		how := "click"
		if key.byKeys {
			how = "Enter"
		}
		return how + ": where " + name + " is to go,  Esc: it stays with its plan"
	case key.someone:
		how := "click: select"
		if key.byKeys {
			how = "Enter: select"
		}
		if n := len(g.found); n > 1 {
			how += fmt.Sprintf(", again: the next of %d", n)
		}
		return g.describe(key.spawn) + ",  " + how
	}
	pinned, active := g.zones.active[key.zone]
	state, verb := "asleep", "pin"
	switch {
	case pinned:
		state, verb = "pinned", "unpin"
	case active:
		state = "active"
	}
	how := "click: select, double click or P: "
	if key.byKeys {
		how = "Enter: select, P: "
	}
	here := ""
	if g.crowd.side == g.zones.side {
		here = overlay.Count(g.crowd.counts[int(key.zone.Y)*int(g.crowd.w)+int(key.zone.X)].total()) + " here,  "
	}
	return fmt.Sprintf("zone %d, %d:  %s%s,  %s%s", key.zone.X, key.zone.Y, here, state, how, verb)
}

// describe says what a character does: "#1 234 walking to Mill Lane, in 12 s".
func (g *Game) describe(spawn uint64) string {
	s := "#" + overlay.Thousands(spawn)
	d, ok := g.source.Character(spawn, false)
	if !ok || d.Leg == nil {
		return s
	}
	walking := d.Leg.Kind == routes.Route && g.moment.Tick < d.Leg.End
	switch {
	case walking && d.Place != "":
		s += " walking to " + d.Place
	case walking:
		s += " on the way"
	case d.Place != "":
		s += " at " + d.Place
	default:
		s += " staying"
	}
	if d.Leg.End == loop.MaxTick || g.moment.Tick >= d.Leg.End {
		return s
	}
	left := overlay.Span(g.realTime(d.Leg.End - g.moment.Tick))
	if walking {
		return s + ", there in " + left
	}
	return s + ", for " + left + " more"
}

// realTime is how long so many ticks take at the present pace.
func (g *Game) realTime(n loop.Tick) time.Duration {
	p := &g.values.Pacing
	rate := p.TickRate.Float() * p.TimeScale
	if rate <= 0 {
		return 0
	}
	return time.Duration(min(float64(n)/rate*float64(time.Second), float64(1<<62)))
}
