package game

import (
	"cmp"
	"image"
	"math"
	"slices"
	"time"

	"chronoscope/loop"
	"chronoscope/overlay"
	"chronoscope/routes"
	"chronoscope/world"
)

// pickWithin is how far from a character a click still hits it, in
// device-independent pixels.
const pickWithin = 10.0

// pickSame is how far apart two clicks may be and still be at the same spot.
const pickSame = 3.0

// doubleClick is the most time between two clicks that are one.
const doubleClick = 400 * time.Millisecond

// endWithin is how soon E must be pressed again to end a character.
const endWithin = 2 * time.Second

// What the keys order: a stall of stallFor, a stay of holdFor ticks.
const (
	stallFor = 500 * time.Millisecond
	holdFor  = loop.Tick(600)
)

// hit is a character under the pointer.
type hit struct {
	spawn    uint64
	mode     Mode
	distance float64
}

// hits appends the characters near a point of the screen that aren't part of a
// tile: the active ones first, then the walking, then those at rest, in each the
// nearest first.
func hits(dots []Dot, c *crowd, cam *Camera, unit, sx, sy float64, dst []hit) []hit {
	most := pickWithin * unit
	for i := range dots {
		d := &dots[i]
		ox, oy := scatter(d.Spawn)
		x, y := cam.ToScreen(float64(d.X+ox), float64(d.Y+oy))
		if math.Abs(x-sx) > most || math.Abs(y-sy) > most || c.hides(d) {
			continue
		}
		if l := math.Hypot(x-sx, y-sy); l <= most {
			dst = append(dst, hit{d.Spawn, d.Mode, l})
		}
	}
	slices.SortFunc(dst, func(a, b hit) int {
		return cmp.Or(cmp.Compare(b.mode, a.mode), cmp.Compare(a.distance, b.distance), cmp.Compare(a.spawn, b.spawn))
	})
	return dst
}

// pick chooses one of the hits: the first, or, when the last click was at the
// same spot, the one after the one that is selected.
func pick(found []hit, selected uint64, again bool) (spawn uint64, ok bool) {
	if len(found) == 0 {
		return 0, false
	}
	if again {
		if i := slices.IndexFunc(found, func(h hit) bool { return h.spawn == selected }); i >= 0 {
			return found[(i+1)%len(found)].spawn, true
		}
	}
	return found[0].spawn, true
}

// neighbour is the visible character with the next higher spawn number, or the
// next lower one, and from the last on to the first.
func neighbour(dots []Dot, from uint64, has, back bool) (spawn uint64, ok bool) {
	var next, first uint64
	hasNext, hasFirst := false, false
	for i := range dots {
		s := dots[i].Spawn
		if back {
			s = ^s // downwards is upwards of the complement
		}
		if !hasFirst || s < first {
			first, hasFirst = s, true
		}
		f := from
		if back {
			f = ^f
		}
		if has && s > f && (!hasNext || s < next) {
			next, hasNext = s, true
		}
	}
	if !hasNext {
		next, hasNext = first, hasFirst
	}
	if back {
		next = ^next
	}
	return next, hasNext
}

// clicks remembers the last click on the map.
type clicks struct {
	at   image.Point
	when time.Time
	zone bool // it was on a zone, not on a character
}

// selected is what is known of the selected character. Where it is is asked in
// each frame, the rest as often as numbers are written.
type selected struct {
	dot    Dot
	there  bool
	name   string // "#1 234"
	detail world.Detail
	known  bool
	visits []visit
	leg    *routes.Leg // whose visits they are
	at     time.Time
}

// choose selects something, or nothing.
func (g *Game) choose(s overlay.Selection) {
	if s == g.selection {
		return
	}
	g.selection, g.follow, g.rerouting = s, false, false
	g.follower.stop()
	g.endAsked = time.Time{}
	g.selected = selected{}
	var spawn uint64
	if s.Kind == overlay.OneCharacter {
		spawn = s.Spawn
	}
	g.source.Trace(spawn)
	g.updateSelected(g.now())
}

// updateSelected asks where the selected character is, and for the rest when it
// is due: also when its leg is over, since another has begun.
func (g *Game) updateSelected(now time.Time) {
	if g.selection.Kind != overlay.OneCharacter {
		return
	}
	s := &g.selected
	s.dot, s.there = g.source.Where(g.moment, g.selection.Spawn)
	over := s.leg != nil && g.moment.Tick >= s.leg.End && now.Sub(s.at) >= refreshEvery/8
	if s.at.IsZero() || over || now.Sub(s.at) >= refreshEvery {
		s.at = now
		s.detail, s.known = g.source.Character(g.selection.Spawn, true)
		if !s.known {
			s.leg, s.visits = nil, nil
		} else if s.detail.Leg != s.leg {
			s.leg = s.detail.Leg
			s.visits = visits(s.detail.Passages)
		}
	}
}

// click does what a click on the map at a point does.
func (g *Game) click(at image.Point, now time.Time) {
	last := g.clicked
	near := math.Hypot(float64(at.X-last.at.X), float64(at.Y-last.at.Y)) <= pickSame*g.device
	g.clicked = clicks{at: at, when: now}
	x, y := float64(at.X), float64(at.Y)
	if g.rerouting {
		g.rerouteTo(x, y, now)
		return
	}
	k := g.zones.under(g.cam, x, y)
	if near && last.zone && now.Sub(last.when) < doubleClick {
		if g.zones.inside(g.source.Map(), k) {
			g.choose(overlay.Selection{Kind: overlay.OneZone, Zone: k})
			g.togglePin(k)
		}
		return
	}
	g.clicked.zone = g.selectAt(x, y, near)
}

// selectAt selects who or what is at a point, and says whether that is a zone.
// again: the last click was there as well.
func (g *Game) selectAt(x, y float64, again bool) (zone bool) {
	g.found = hits(g.dots, g.crowd, g.cam, g.device, x, y, g.found[:0])
	again = again && g.selection.Kind == overlay.OneCharacter
	if spawn, ok := pick(g.found, g.selection.Spawn, again); ok {
		g.choose(overlay.Selection{Kind: overlay.OneCharacter, Spawn: spawn})
		return false
	}
	s := overlay.Selection{Kind: overlay.OneZone, Zone: g.zones.under(g.cam, x, y)}
	if s == g.selection || !g.zones.inside(g.source.Map(), s.Zone) {
		s = overlay.Selection{}
	}
	g.choose(s)
	return true
}

// rerouteTo sends the selected character to the cell at a point.
func (g *Game) rerouteTo(x, y float64, now time.Time) {
	g.rerouting = false
	mx, my := g.cam.ToMap(x, y)
	to := routes.Cell{X: int32(math.Floor(mx)), Y: int32(math.Floor(my))}
	g.command(overlay.Command{Kind: overlay.Reroute, Spawn: g.selection.Spawn, To: to}, now)
	g.selected.at = time.Time{}
}

// command gives an order; what is refused is said.
func (g *Game) command(c overlay.Command, now time.Time) {
	if err := g.source.Order(c); err != nil {
		g.hud.say(err.Error(), now)
	}
}

// toggleLayer shows a layer, or hides it.
func (g *Game) toggleLayer(l overlay.Layer) {
	if l < overlay.LayerCount {
		g.layers[l] = !g.layers[l]
	}
}

// step selects the next visible character.
func (g *Game) step(back bool, now time.Time) {
	has := g.selection.Kind == overlay.OneCharacter
	spawn, ok := neighbour(g.dots, g.selection.Spawn, has, back)
	switch {
	case !ok && g.many():
		g.hud.say("too many in view to choose one: zoom in", now)
		return
	case !ok:
		g.hud.say("nobody is in view", now)
		return
	}
	g.choose(overlay.Selection{Kind: overlay.OneCharacter, Spawn: spawn})
}

// commandKey orders the selected character about.
func (g *Game) commandKey(k overlay.CommandKind, now time.Time) {
	if g.selection.Kind != overlay.OneCharacter {
		g.hud.say("nobody is selected: click a character, or N", now)
		return
	}
	c := overlay.Command{Kind: k, Spawn: g.selection.Spawn}
	switch k {
	case overlay.Stall:
		c.For = stallFor
	case overlay.Hold:
		c.Ticks = holdFor
	case overlay.Reroute:
		g.rerouting = !g.rerouting
		return
	case overlay.End:
		if now.Sub(g.endAsked) > endWithin {
			g.endAsked = now
			return
		}
		g.endAsked = time.Time{}
	}
	g.command(c, now)
	g.selected.at = time.Time{}
}

// goToSelection looks at what is selected, at the scale there is.
func (g *Game) goToSelection() {
	switch g.selection.Kind {
	case overlay.OneCharacter:
		if g.selected.there {
			g.cam.Center(float64(g.selected.dot.X), float64(g.selected.dot.Y))
		}
	case overlay.OneZone:
		s := float64(g.zones.side)
		g.cam.Center((float64(g.selection.Zone.X)+0.5)*s, (float64(g.selection.Zone.Y)+0.5)*s)
	}
}

// followSelected keeps the camera on who is followed.
func (g *Game) followSelected(dt time.Duration) {
	if !g.follow || !g.selected.there {
		g.follower.stop()
		return
	}
	g.follower.step(g.cam, float64(g.selected.dot.X), float64(g.selected.dot.Y), dt.Seconds())
}

// unfollow ends following: the map was moved by hand.
func (g *Game) unfollow() {
	g.follow = false
	g.follower.stop()
}

// wakeUnderCamera tells the world what the camera sees, when it is to wake what
// it sees, at most ten times a second.
func (g *Game) wakeUnderCamera(now time.Time) {
	w := &g.waking
	if !g.cameraWakes {
		if w.on {
			w.on = false
			if err := g.source.SetCamera(false, routes.Cell{}, routes.Cell{}); err != nil {
				g.hud.say(err.Error(), now)
			}
		}
		return
	}
	lo, hi := g.cam.Visible()
	if w.on && (lo == w.lo && hi == w.hi || now.Sub(w.at) < cameraEvery) {
		return
	}
	w.on, w.lo, w.hi, w.at = true, lo, hi, now
	if err := g.source.SetCamera(true, lo, hi); err != nil {
		g.cameraWakes = false
		g.hud.say(err.Error(), now)
	}
}

// cameraEvery is how often the world may be told what the camera sees.
const cameraEvery = 100 * time.Millisecond

// waking is what the world was told last.
type waking struct {
	on     bool
	lo, hi routes.Cell
	at     time.Time
}

// zoneRows is how many legs of a selected zone are asked for.
const zoneRows = 400

// examine fills in the details of what is selected.
func (g *Game) examine(v *overlay.Values) {
	v.Selection, v.Follow, v.Rerouting, v.CameraWakes = g.selection, g.follow, g.rerouting, g.cameraWakes
	switch g.selection.Kind {
	case overlay.OneCharacter:
		if v.Gone = !g.selected.known; g.selected.known {
			v.Character = g.selected.detail
		}
	case overlay.OneZone:
		v.Zone, _ = g.source.Zone(g.selection.Zone, zoneRows)
	}
}
