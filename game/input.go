package game

import (
	"image"
	"math"
	"time"

	"chronoscope/loop"
	"chronoscope/overlay"
	"chronoscope/routes"

	"github.com/hajimehoshi/ebiten/v2"
	"github.com/hajimehoshi/ebiten/v2/inpututil"
)

// dragSlack is how far the pointer may move with the button held and still be
// a click, in device-independent pixels.
const dragSlack = 4

// wheelStep is the zoom of one notch of the wheel, keyStep that of a key.
const (
	wheelStep = 1.25
	keyStep   = 1.6
)

// glideSpeed is how fast keys move the map, in device-independent pixels a
// second.
const glideSpeed = 700

// pointer follows the left button between press and release.
type pointer struct {
	down     bool
	dragging bool
	start    image.Point
	last     image.Point
	seen     image.Point
	mini     bool // pressed in the minimap
	cross    bool // it is a crosshair: a click says where somebody is to go
	// byKeys: the map was last moved by keys, so the middle of the view is
	// what they point at.
	byKeys bool
}

// input reads mouse and keyboard; once per Update.
func (g *Game) input(in overlay.Intents, now time.Time) {
	overPanels, typing := g.panels.Capturing()
	g.mouse(&in, overPanels, now)
	if !typing && !g.instrumentKeys(&in, now) {
		g.keys(&in, now)
	}
	g.apply(in, now)
}

func (g *Game) mouse(in *overlay.Intents, overPanels bool, now time.Time) {
	p := &g.pointer
	at := image.Pt(ebiten.CursorPosition())
	if at != p.seen {
		p.seen = at
		p.byKeys = false
	}
	if g.instruments(in, at, overPanels) {
		return
	}
	onMap := at.In(g.at.view) && !overPanels
	if cross := g.rerouting && onMap; cross != p.cross {
		p.cross = cross
		shape := ebiten.CursorShapeDefault
		if cross {
			shape = ebiten.CursorShapeCrosshair
		}
		ebiten.SetCursorShape(shape)
	}
	if _, dy := ebiten.Wheel(); dy != 0 && onMap {
		x, y := float64(at.X), float64(at.Y)
		if g.follow || at.In(g.minimap.box) {
			x, y = g.cam.middle() // who is followed stays there
		}
		g.cam.ZoomBy(math.Pow(wheelStep, min(max(dy, -4), 4)), x, y)
	}
	if inpututil.IsMouseButtonJustPressed(ebiten.MouseButtonLeft) && !overPanels {
		for _, b := range g.buttons {
			if at.In(b.box) {
				g.press(b.act)
				return
			}
		}
		switch {
		case !onMap:
		case at.In(g.legendBox):
			g.pressLegend(at)
		default:
			*p = pointer{down: true, start: at, last: at, seen: at, mini: at.In(g.minimap.box), cross: p.cross}
		}
	}
	if !p.down {
		return
	}
	if p.mini {
		// The view goes where the pointer is, for as long as the button is held.
		m := g.source.Map()
		g.unfollow()
		g.cam.Center(g.minimap.toMap(at, m.Width, m.Height))
		if !ebiten.IsMouseButtonPressed(ebiten.MouseButtonLeft) {
			p.down, p.mini = false, false
		}
		return
	}
	if d := at.Sub(p.start); !p.dragging && math.Hypot(float64(d.X), float64(d.Y)) > dragSlack*g.device {
		p.dragging = true
	}
	if p.dragging {
		d := at.Sub(p.last)
		if d != (image.Point{}) {
			g.unfollow()
		}
		g.cam.Pan(float64(d.X), float64(d.Y))
	}
	p.last = at
	if !ebiten.IsMouseButtonPressed(ebiten.MouseButtonLeft) {
		if !p.dragging {
			g.click(at, now)
		}
		p.down, p.dragging = false, false
	}
}

// aim is what keys and hints point at: the pointer on the map, else the middle
// of the view.
func (g *Game) aim() (x, y float64, byKeys bool) {
	at := g.pointer.seen
	if !g.pointer.byKeys && at.In(g.at.view) {
		return float64(at.X), float64(at.Y), false
	}
	x, y = g.cam.middle()
	return x, y, g.pointer.byKeys
}

func (g *Game) keys(in *overlay.Intents, now time.Time) {
	vx, vy := 0.0, 0.0
	for _, k := range [...]struct {
		key    ebiten.Key
		dx, dy float64
	}{
		{ebiten.KeyArrowLeft, -1, 0}, {ebiten.KeyA, -1, 0}, {ebiten.KeyArrowRight, 1, 0}, {ebiten.KeyD, 1, 0},
		{ebiten.KeyArrowUp, 0, -1}, {ebiten.KeyW, 0, -1}, {ebiten.KeyArrowDown, 0, 1}, {ebiten.KeyS, 0, 1},
	} {
		if ebiten.IsKeyPressed(k.key) {
			vx, vy = vx+k.dx, vy+k.dy
		}
	}
	vx, vy = min(max(vx, -1), 1), min(max(vy, -1), 1)
	g.cam.Glide(vx*glideSpeed, vy*glideSpeed)
	if vx != 0 || vy != 0 {
		g.pointer.byKeys = true
		g.unfollow()
	}
	pressed := inpututil.IsKeyJustPressed
	mx, my := g.cam.middle()
	// Several may come in one frame, if it is a slow one.
	if pressed(ebiten.KeyPageUp) {
		g.cam.ZoomBy(keyStep, mx, my)
		g.pointer.byKeys = true
	}
	if pressed(ebiten.KeyPageDown) {
		g.cam.ZoomBy(1/keyStep, mx, my)
		g.pointer.byKeys = true
	}
	if pressed(ebiten.KeyHome) {
		g.unfollow()
		g.cam.Fit()
	}
	if pressed(ebiten.KeySpace) {
		in.TogglePause = true
	}
	if pressed(ebiten.KeyTab) {
		g.press(togglePanels)
	}
	if pressed(ebiten.KeyH) {
		g.press(toggleDock)
	}
	if pressed(ebiten.KeyL) {
		g.press(toggleLegend)
	}
	if pressed(ebiten.KeyF1) {
		g.press(toggleHelp)
	}
	if pressed(ebiten.KeyM) {
		g.showMinimap = !g.showMinimap
	}
	if pressed(ebiten.KeyEscape) {
		g.escape()
	}
	g.selectionKeys(in, now)
	if pressed(ebiten.KeyV) {
		in.ToggleVSync = true
	}
	if pressed(ebiten.KeyP) {
		x, y, _ := g.aim()
		g.togglePin(g.zones.under(g.cam, x, y))
	}
	if pressed(ebiten.KeyB) {
		if g.hud.hasBrake {
			in.GoTo, in.HasGoTo = g.hud.brakeBy, true
		} else {
			g.hud.say("nobody holds the world", now)
		}
	}
	// What is a character on the keyboard is read as one, so that it is where
	// the user's layout has it.
	g.chars = ebiten.AppendInputChars(g.chars[:0])
	for _, c := range g.chars {
		if !g.instrumentChar(c) {
			g.char(c, in)
		}
	}
}

func (g *Game) char(c rune, in *overlay.Intents) {
	v := &g.values
	switch c {
	case '1', '2', '3', '4', '5', '6', '7', '8':
		g.toggleLayer(overlay.Layer(c - '1'))
	case 'n', 'N':
		// As a character: in a slow frame Shift is let go before it is looked at.
		g.step(c == 'N', g.now())
	case '.':
		in.Step++
	case ',':
		in.Step += 10
	case '+', '=':
		in.Pace(v).TimeScale = overlay.NextScale(v.Pacing.TimeScale, +1)
	case '-':
		in.Pace(v).TimeScale = overlay.NextScale(v.Pacing.TimeScale, -1)
	case '0':
		in.Pace(v).TimeScale = 1
	case '[':
		in.Pace(v).TickRate = loop.Hz(uint64(max(math.Ceil(v.Pacing.TickRate.Float())-1, overlay.MinRate)))
	case ']':
		in.Pace(v).TickRate = loop.Hz(uint64(min(math.Floor(v.Pacing.TickRate.Float())+1, overlay.MaxRate)))
	case '<':
		in.Pace(v).LagThreshold = max(v.Pacing.LagThreshold-1, overlay.MinThreshold)
	case '>':
		in.Pace(v).LagThreshold = min(v.Pacing.LagThreshold+1, overlay.MaxThreshold)
	}
}

// selectionKeys are those that select, and what is done with what is selected.
func (g *Game) selectionKeys(in *overlay.Intents, now time.Time) {
	pressed := inpututil.IsKeyJustPressed
	if pressed(ebiten.KeyEnter) || pressed(ebiten.KeyNumpadEnter) {
		x, y, _ := g.aim()
		if g.rerouting {
			g.rerouteTo(x, y, now)
		} else {
			g.selectAt(x, y, true)
		}
	}
	if pressed(ebiten.KeyC) {
		g.goToSelection()
	}
	if pressed(ebiten.KeyF) {
		if g.selection.Kind == overlay.OneCharacter {
			in.ToggleFollow = true
		} else {
			g.hud.say("nobody is selected: click a character, or N", now)
		}
	}
	for _, k := range [...]struct {
		key ebiten.Key
		do  overlay.CommandKind
	}{
		{ebiten.KeyR, overlay.Reroute}, {ebiten.KeyT, overlay.Stall}, {ebiten.KeyO, overlay.Hold},
		{ebiten.KeyX, overlay.Cancel}, {ebiten.KeyE, overlay.End},
	} {
		if pressed(k.key) {
			g.commandKey(k.do, now)
		}
	}
}

// escape takes back one thing: the list of keys, what is armed, the selection.
func (g *Game) escape() {
	switch {
	case g.showHelp:
		g.showHelp = false
	case g.rerouting || !g.endAsked.IsZero() && g.now().Sub(g.endAsked) <= endWithin:
		g.rerouting, g.endAsked = false, time.Time{}
	case g.dock.Graph.Unpin():
	default:
		g.choose(overlay.Selection{})
	}
}

// apply does what was asked for. What the world refuses is said in the line
// above the map.
func (g *Game) apply(in overlay.Intents, now time.Time) {
	try := func(err error) {
		if err != nil {
			g.hud.say(err.Error(), now)
		}
	}
	s := g.source
	if in.HasPacing {
		try(s.SetPacing(in.Pacing))
	}
	if in.TogglePause {
		try(s.SetPaused(!g.values.Paused))
	}
	if in.Step > 0 {
		if !g.values.Paused {
			try(s.SetPaused(true))
		}
		try(s.Step(in.Step))
	}
	if in.ToggleVSync {
		g.vsync.want = !g.vsync.want
	}
	if in.HasFrameCap {
		g.screen.limit(in.FrameCap, g.rec.stamp(now))
		g.screen.rest()
	}
	if in.HasDisplay {
		g.screen.choose(in.Display)
		g.screen.rest()
		ebiten.SetVsyncEnabled(g.realVSync())
	}
	try(g.capture(in.Capture))
	try(g.labOrder(&in, now))
	if in.Collapse {
		g.showSidebar = false
	}
	if in.ToggleFullscreen {
		ebiten.SetFullscreen(!ebiten.IsFullscreen())
	}
	if in.HasSelect {
		g.choose(in.Select)
	}
	if in.HasGoTo {
		if d, ok := s.Where(g.moment, in.GoTo); ok {
			g.unfollow()
			g.cam.GoTo(float64(d.X), float64(d.Y))
		} else {
			g.hud.say("nobody lives with spawn number "+overlay.Thousands(in.GoTo), now)
		}
	}
	if in.ToggleFollow && g.selection.Kind == overlay.OneCharacter {
		g.follow = !g.follow
	}
	if in.ArmReroute && g.selection.Kind == overlay.OneCharacter {
		g.rerouting = !g.rerouting
	}
	if in.Command.Kind != overlay.NoCommand {
		g.orders++
		try(s.Order(in.Command))
	}
	if in.HasTuning {
		try(s.SetTuning(in.Tuning))
	}
	if in.HasAICost {
		try(s.SetAICost(in.AICost))
	}
	if in.ToggleCamera {
		g.cameraWakes = !g.cameraWakes
	}
	if in.HasSetup {
		g.open(in.Setup)
	}
	if in != (overlay.Intents{}) {
		g.refreshAt = time.Time{} // what was changed shows at once
	}
}

func (g *Game) togglePin(k routes.ZoneKey) {
	if !g.zones.inside(g.source.Map(), k) {
		return
	}
	on := !g.zones.active[k]
	g.command(overlay.Command{Kind: overlay.PinZone, Zone: k, On: on}, g.now())
}
