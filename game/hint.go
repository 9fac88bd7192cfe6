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
	row              int // of the legend, from 1; minimapRow: the minimap
}

// minimapRow is the row of the legend that is about the minimap.
const minimapRow = int(overlay.LayerCount) + 1

// rowTexts explain the layers and the minimap, by their rows.
var rowTexts = [minimapRow + 1]string{
	1 + overlay.ZoneLayer:      "zones: the grid, the active ones tinted, which are pinned",
	1 + overlay.HeatLayer:      "heat: how many legs are registered in each zone",
	1 + overlay.RouteLayer:     "routes: the way of who is selected, else where everyone goes next",
	1 + overlay.PassageLayer:   "passages: when who is selected is in which zone, [enter, exit) in ticks",
	1 + overlay.CharacterLayer: "characters, and their numbers from afar",
	1 + overlay.PlaceLayer:     "places: names of districts, close up of houses and workshops",
	1 + overlay.LaggardLayer:   "laggards: a ring, and how many ticks they are behind",
	1 + overlay.ReachLayer:     "reach: how far active characters perceive, close up",
	minimapRow:                 "minimap: the whole map, the view framed, active zones yellow",
}

// pointedRow is the row of the legend under the pointer, from 1; minimapRow also
// in the minimap itself, 0 for none.
func (g *Game) pointedRow() int {
	at := g.pointer.seen
	if at.In(g.minimap.box) {
		return minimapRow
	}
	if at.In(g.legendBox) {
		for i, r := range g.legend.rows {
			if at.In(r) {
				return i + 1
			}
		}
	}
	return 0
}

// drawHint draws the hint into the upper left corner of the view.
func (g *Game) drawHint(screen *ebiten.Image, now time.Time) {
	k, x, y, byKeys, ok := g.aimed()
	ending := now.Sub(g.endAsked) <= endWithin
	row := g.pointedRow()
	if !ok && !g.rerouting && !ending && row == 0 {
		return
	}
	key := hintKey{zone: k, byKeys: byKeys, rerouting: g.rerouting, ended: ending, row: row}
	h := &g.hint
	if key.zone != h.key.zone || key.byKeys != h.key.byKeys || key.rerouting != h.key.rerouting || key.ended != h.key.ended || key.row != h.key.row ||
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
	case key.row > 0:
		how := "click: show"
		if g.pointer.seen.In(g.minimap.box) {
			how = "click, drag: move the view"
		} else if g.legend.lit(key.row - 1) {
			how = "click: hide"
		}
		return rowTexts[key.row] + ",  " + how
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

// emptyText says what would fill a map that shows nobody, "" for one that does.
func (g *Game) emptyText() string {
	switch {
	case g.values.Opening:
		return "making another world: this one goes on until it is there"
	case g.values.Characters.Living() == 0:
		return "nobody lives here: + 100 in the panel World, or  / spawn 100"
	case g.layers[overlay.CharacterLayer] && g.crowd.sweeping && g.census.whole == 0:
		return "counting where they are: the machine is busy with them"
	case !g.layers[overlay.CharacterLayer] && !g.layers[overlay.ZoneLayer]:
		return "characters and zones are hidden: the keys 1 and 5 show them"
	}
	return ""
}

// drawEmpty writes it into the view, above its middle.
func (g *Game) drawEmpty(screen *ebiten.Image) {
	s := g.emptyText()
	if s == "" {
		return
	}
	u := g.device
	x := float64(g.at.view.Min.X+g.at.view.Max.X) / 2
	y := float64(g.at.view.Min.Y) + float64(g.at.view.Dy())/3
	w, h := g.let.Width(s, overlay.Large)/2+14*u, g.let.Height(overlay.Large)/2+8*u
	g.mesh.Reset()
	g.mesh.Rect(float32(x-w), float32(y-h), float32(x+w), float32(y+h), overlay.Alpha(overlay.Surface, 0.92))
	g.mesh.Draw(screen, g.white)
	g.let.DrawCentered(screen, s, x, y, overlay.Large, overlay.Ink)
}
