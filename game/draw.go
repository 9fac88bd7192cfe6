package game

import (
	"image"
	"math"
	"time"

	"chronoscope/overlay"
	"chronoscope/routes"

	"github.com/hajimehoshi/ebiten/v2"
)

// Draw draws a frame.
func (g *Game) Draw(screen *ebiten.Image) {
	now := g.now()
	g.beginDraw(now)
	if g.white == nil {
		g.white = overlay.White()
	}
	begun := time.Now()
	g.let.Count = overlay.Counter{}
	g.mesh.Count, g.batch.mesh.Count, g.ground.count = &g.let.Count, &g.let.Count, &g.let.Count
	g.advance(now)
	stays := g.retained.stays(retained{screen, g.at, g.device, g.showHelp})
	g.drawMap(screen)
	g.drawInstruments(screen, now, stays)
	g.cost.note(g.let.Count, time.Since(begun))
	readBack := false
	if g.closing && g.o.Screenshot != nil {
		readBack = true
		g.err = g.o.Screenshot.Write(readPixels(screen))
		g.o.Screenshot = nil
	}
	g.endDraw(readBack)
}

// DrawFinalScreen copies what Draw has drawn to the window. It is the default
// but for the blending: what would be blended with was just cleared.
func (g *Game) DrawFinalScreen(screen ebiten.FinalScreen, drawn *ebiten.Image, geom ebiten.GeoM) {
	screen.DrawImage(drawn, &ebiten.DrawImageOptions{GeoM: geom, Blend: ebiten.BlendCopy})
}

// retained is all that decides whether what a frame leaves around the map is
// still there and right in the next. The screen isn't cleared between frames.
type retained struct {
	screen *ebiten.Image // another one starts empty
	at     regions
	device float64
	help   bool // may cover more than the map, so under it all is drawn anew
}

// stays compares this frame with the one before.
func (r *retained) stays(now retained) bool {
	same := *r == now && !now.help
	*r = now
	return same
}

// advance takes the instant to draw, and moves what moves by real time.
func (g *Game) advance(now time.Time) {
	if !g.drawnAt.IsZero() {
		g.lastFrame = now.Sub(g.drawnAt)
		g.cam.Advance(g.lastFrame.Seconds())
	}
	g.drawnAt = now
	shown := g.shownAt(now)
	g.source.Frame(shown, g.pace())
	g.moment = g.source.Moment(shown)
	g.updateSelected(now)
	g.followSelected(g.lastFrame)
	g.wakeUnderCamera(now)
	g.hud.brake(g.moment, now)
	g.refresh(now)
}

// drawMap draws the map into the view, and nothing outside it.
func (g *Game) drawMap(screen *ebiten.Image) {
	screen = screen.SubImage(g.at.view).(*ebiten.Image)
	g.minimap.box = image.Rectangle{}
	if m := g.source.Map(); g.showMinimap {
		g.minimap.box = minimapBox(g.at.view, g.device, m.Width, m.Height)
	}
	g.ground.draw(screen, g.cam, g.layers[overlay.ZoneLayer], g.drawGrids)
	g.figure = glyphsFor(g.cam.Scale, g.device)
	g.ask()
	g.buildUnder()
	g.mesh.Draw(screen, g.white)
	g.atlas.prepare(g.figure)
	g.buildFigures()
	g.mesh.Draw(screen, g.white)
	g.batch.draw(screen, &g.atlas)
	g.placeLabels()
	g.drawLabels(screen)
}

// drawGrids draws the grids of cells and of zones.
func (g *Game) drawGrids(dst *ebiten.Image) {
	unit := float32(g.device)
	g.mesh.Reset()
	drawGrid(&g.mesh, g.cam, g.source.Map(), unit)
	if g.layers[overlay.ZoneLayer] {
		g.zones.grid(&g.mesh, g.cam, g.source.Map(), unit)
	}
	g.mesh.Draw(dst, g.white)
}

// ask asks the world for what the frame shows: who is in view, which zones are
// active, where visitors are.
func (g *Game) ask() {
	g.labels = g.labels[:0]
	g.zones.update(g.source)
	g.visitors = g.source.Visitors(g.visitors[:0])
	lo, hi := g.cam.Visible()
	if g.layers[overlay.HeatLayer] {
		a, b := g.zones.clamp(g.source.Map(), lo, hi)
		g.zones.heat.update(g.source, a, b, g.drawnAt)
	}
	if g.many() {
		g.dots = g.dots[:0]
		g.census.sweep(g.source, g.moment, g.census.budget(g.lastFrame), 0, g.now)
		g.crowd.take(g.census)
		return
	}
	if !g.minimap.box.Empty() {
		g.census.sweep(g.source, g.moment, censusIdle, censusEvery, g.now)
	}
	// One cell more all round: figures reach over their cell's edge.
	lo.X, lo.Y, hi.X, hi.Y = lo.X-1, lo.Y-1, hi.X+1, hi.Y+1
	g.dots = g.source.Dots(g.moment, lo, hi, g.dots[:0])
	g.crowd.sort(g.dots, lo, hi, &g.figure, g.cam.Scale)
}

// buildUnder fills the mesh with what lies between ground and characters.
func (g *Game) buildUnder() {
	unit := float32(g.device)
	g.mesh.Reset()
	if g.layers[overlay.HeatLayer] {
		g.labels = g.zones.warm(&g.mesh, g.cam, g.device, g.labels, &g.words)
	}
	if g.layers[overlay.ZoneLayer] {
		g.zones.ground(&g.mesh, g.cam, unit)
	}
	chosen := g.selection.Kind == overlay.OneCharacter && g.selected.known && g.selected.leg != nil
	if g.layers[overlay.PassageLayer] && chosen {
		g.drawPassages()
	}
	if g.selection.Kind == overlay.OneZone {
		x0, y0, x1, y1 := g.zones.corners(g.cam, g.selection.Zone)
		g.mesh.Frame(x0-unit, y0-unit, x1+unit, y1+unit, 3*unit, overlay.Alpha(overlay.Backdrop, 0.6))
		g.mesh.Frame(x0, y0, x1, y1, max(1.5*unit, 1), overlay.Ink)
	}
	if g.layers[overlay.RouteLayer] {
		switch {
		case chosen:
			g.drawRoute(g.selected.leg)
		case g.selection.Kind != overlay.OneCharacter:
			g.drawFlow()
		}
	}
	g.outlineAim()
	if !g.layers[overlay.CharacterLayer] {
		return
	}
	for _, v := range g.visitors {
		x, y := g.cam.ToScreen(v.X, v.Y)
		if r := v.Radius * g.cam.Scale; r > 0 {
			g.mesh.Circle(float32(x), float32(y), float32(r), 1.5*unit, overlay.Alpha(overlay.Visitor, 0.8))
		}
	}
}

// The reach layer: how far an active character perceives, in cells; from which
// scale on it is drawn, in device-independent pixels a cell, and for how many.
const (
	reachCells = 3
	reachFrom  = 9.0
	reachLimit = 300
)

// buildFigures fills the batch with who is in view and the mesh with the tiles
// of those who are too many, and the marks above them.
func (g *Game) buildFigures() {
	unit := float32(g.device)
	g.mesh.Reset()
	g.batch.mesh.Reset()
	side := g.figure.side()
	if g.layers[overlay.CharacterLayer] {
		g.labels = g.crowd.tiles(&g.mesh, g.cam, g.device, g.labels, &g.words)
		buildCharacters(&g.batch, g.dots, g.cam, &g.figure, side, g.crowd, g.layers[overlay.LaggardLayer])
		for _, v := range g.visitors {
			x, y := g.cam.ToScreen(v.X, v.Y)
			g.batch.add(figure{x: float32(x), y: float32(y), dx: 1, src: diamondShape, c: overlay.Visitor}, side, g.figure.reach(diamondShape))
		}
		g.labels = g.piles.label(g.dots, g.crowd, g.cam, g.device, g.labels, &g.words)
	}
	if g.layers[overlay.ZoneLayer] {
		g.zones.pins(&g.mesh, g.cam, unit)
	}
	if g.layers[overlay.ReachLayer] && g.cam.Scale >= reachFrom*g.device {
		n := 0
		for i := range g.dots {
			if d := &g.dots[i]; d.Mode == Active && !g.crowd.hides(d) && n < reachLimit {
				n++
				x, y := g.cam.ToScreen(float64(d.X), float64(d.Y))
				g.mesh.Circle(float32(x), float32(y), float32(reachCells*g.cam.Scale), unit, overlay.Alpha(overlay.Awake, 0.22))
			}
		}
	}
	if g.layers[overlay.LaggardLayer] {
		g.labelLaggards()
	}
	g.markSelected(side)
	if g.layers[overlay.PlaceLayer] {
		g.labels = g.names.label(g.cam, g.let, g.labels)
	}
}

// markSelected adds the halo of the selected character. It is drawn even when
// the character is hidden in a tile, which then gets a frame as well.
func (g *Game) markSelected(side int) {
	if g.selection.Kind != overlay.OneCharacter || !g.selected.there {
		return
	}
	d := &g.selected.dot
	unit := float32(g.device)
	ox, oy := scatter(d.Spawn)
	x, y := g.cam.ToScreen(float64(d.X)+float64(ox), float64(d.Y)+float64(oy))
	if i := g.crowd.index(d); i >= 0 && g.crowd.tile[i] {
		b := g.crowd.block(g.cam.Scale, g.device)
		tx, ty := int32(d.X)/g.crowd.side/b*b, int32(d.Y)/g.crowd.side/b*b
		s := float64(g.crowd.side)
		x0, y0 := g.cam.ToScreen(float64(tx)*s, float64(ty)*s)
		x1, y1 := g.cam.ToScreen(float64(tx+b)*s, float64(ty+b)*s)
		g.mesh.Frame(float32(math.Round(x0)), float32(math.Round(y0)), float32(math.Round(x1)), float32(math.Round(y1)), 1.5*unit, overlay.Ink)
		f := figure{x: float32(x), y: float32(y), dx: 1, src: g.figure.of[d.Mode], c: modeColors[d.Mode]}
		if f.src == arrowShape {
			f.src = discShape
		}
		g.batch.add(f, side, g.figure.reach(f.src))
	}
	g.batch.add(figure{x: float32(x), y: float32(y), dx: 1, src: markShape, c: overlay.Ink}, side, g.figure.reach(markShape))
	v := g.at.view
	if !(image.Point{int(x), int(y)}).In(v) {
		return
	}
	if s := &g.selected; s.name == "" {
		s.name = "#" + overlay.Thousands(d.Spawn)
	}
	r := g.figure.radius[markShape] + 10*g.device
	g.labels = append(g.labels, mapLabel{
		s: g.selected.name, x: x, y: y + r, rank: markRank, weight: 1 << 20, style: overlay.Strong, c: overlay.Ink, ground: backed,
	})
}

// many says whether so many characters are in view that they are counted
// instead of drawn. It is judged by the share of the map in view: asking is
// what is to be avoided.
func (g *Game) many() bool {
	living := float64(g.values.Characters.Living())
	if living <= censusAbove {
		return false
	}
	w := g.source.Map()
	lo, hi := g.cam.Visible()
	x := float64(min(hi.X+1, w.Width)-max(lo.X, 0)) / float64(w.Width)
	y := float64(min(hi.Y+1, w.Height)-max(lo.Y, 0)) / float64(w.Height)
	return living*max(x, 0)*max(y, 0) > censusAbove
}

// lagLabels is how many laggards get their lag written beside them; more would
// cover each other.
const lagLabels = 12

func (g *Game) labelLaggards() {
	n := 0
	for i := range g.dots {
		d := &g.dots[i]
		if d.Lag <= 0 || n == lagLabels {
			continue
		}
		n++
		ox, oy := scatter(d.Spawn)
		x, y := g.cam.ToScreen(float64(d.X+ox), float64(d.Y+oy))
		r := g.figure.radius[haloShape] + 9*g.device
		g.labels = append(g.labels, mapLabel{
			s: g.words.short(int(d.Lag)), x: x, y: y - r, rank: markRank, weight: d.Lag, style: overlay.Strong, c: overlay.Ink, ground: backed,
		})
	}
}

// aimed is the zone that a click would select and P pin, if they point at one.
func (g *Game) aimed() (k routes.ZoneKey, x, y float64, byKeys, ok bool) {
	x, y, byKeys = g.aim()
	if !byKeys && (!g.pointer.seen.In(g.at.view) || g.pointer.dragging || g.pointer.seen.In(g.legendBox) || g.pointer.seen.In(g.minimap.box)) {
		return k, x, y, byKeys, false
	}
	k = g.zones.under(g.cam, x, y)
	return k, x, y, byKeys, g.zones.inside(g.source.Map(), k)
}

// outlineAim outlines the zone that is pointed at, and marks the middle of the
// view when it is keys that point.
func (g *Game) outlineAim() {
	k, x, y, byKeys, ok := g.aimed()
	if !ok {
		return
	}
	u := float32(g.device)
	x0, y0, x1, y1 := g.zones.corners(g.cam, k)
	g.mesh.Frame(x0, y0, x1, y1, max(u, 1), overlay.Alpha(overlay.Ink, 0.35))
	if byKeys {
		cx, cy := float32(x), float32(y)
		g.mesh.Rect(cx-7*u, cy-u/2, cx+7*u, cy+u/2, overlay.Ink)
		g.mesh.Rect(cx-u/2, cy-7*u, cx+u/2, cy+7*u, overlay.Ink)
	}
}

// drawInstruments draws what lies over the map and around it. stays says that
// what the last frame drew around it is still there.
func (g *Game) drawInstruments(screen *ebiten.Image, now time.Time, stays bool) {
	g.mesh.Reset()
	g.hud.drawFrame(&g.mesh, g.at.view, float32(g.device))
	g.mesh.Draw(screen, g.white)
	g.mesh.Reset()
	g.drawLegend(screen)
	g.drawMinimap(screen)
	g.drawHint(screen, now)
	g.drawEmpty(screen)
	wait := !g.at.sidebar.Empty() && !g.panels.Stale()
	if !g.hud.barStays(stays, g.moment.Paused, wait, now) {
		g.mesh.Reset()
		g.hud.drawBar(screen, g.white, &g.mesh, g.let, g.at.bar)
	}
	if !g.at.dock.Empty() {
		g.drawDock(screen, now, stays)
	}
	g.drawButtons(screen)
	if g.showWelcome {
		g.drawWelcome(screen)
	}
	if g.palette.open {
		g.drawPalette(screen)
	}
	if !g.at.sidebar.Empty() && (!stays || g.panels.Stale()) {
		g.mesh.Reset()
		fill(&g.mesh, g.at.sidebar, overlay.Surface)
		g.mesh.Draw(screen, g.white)
		g.panels.Draw(screen)
	}
	if g.showHelp {
		g.mesh.Reset()
		drawHelp(screen, g.white, &g.mesh, g.let, g.at.screen)
	}
}

// readPixels copies the screen.
func readPixels(screen *ebiten.Image) *image.RGBA {
	img := image.NewRGBA(screen.Bounds())
	screen.ReadPixels(img.Pix)
	// What lies under everything is opaque; a window has no transparency.
	for i := 3; i < len(img.Pix); i += 4 {
		img.Pix[i] = 0xFF
	}
	return img
}
