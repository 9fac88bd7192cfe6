package game

import (
	"image"
	"image/color"

	"chronoscope/overlay"

	"github.com/hajimehoshi/ebiten/v2"
)

// legend explains what the map shows, and below it which layers there are, each
// with its key and a box to click. Its figures come from an atlas of its own, at
// one fixed size.
type legend struct {
	atlas atlas
	batch batch
	mesh  overlay.Mesh
	plate plate
	key   legendKey // of the plate
	box   image.Rectangle
	// What a click is on: a layer each, and last the minimap.
	rows [overlay.LayerCount + 1]image.Rectangle
}

// legendKey is all that the legend's look depends on.
type legendKey struct {
	view    image.Rectangle
	scale   float64
	layers  overlay.Layers
	minimap bool
	has     sights
}

// sights is what there is to explain beside the layers: what isn't on the map
// isn't in the legend.
type sights struct {
	figures, tiles, piles, visitors, detailed bool
	pinned, camera, route, flow, passages     bool
}

// The legend's rows and columns, in device-independent pixels.
const (
	legendRow    = 19.0
	legendColumn = 116.0
	legendInner  = 40.0 // where texts begin
	legendGap    = 9.0  // between figures and layers
)

// sample draws what a row is about, around (x, y).
type sample func(l *legend, x, y, u float32)

// legendLine is a line of the legend.
type legendLine struct {
	text string
	draw sample
}

func figureSample(s shape, c color.RGBA) sample {
	return func(l *legend, x, y, u float32) {
		l.batch.add(figure{x: x, y: y, dx: 1, src: s, c: c}, l.atlas.side, l.atlas.sizes.reach(s))
	}
}

// entries are the lines for what the map shows, from the most to the least
// eye-catching.
func (k *legendKey) entries() []legendLine {
	var e []legendLine
	add := func(when bool, text string, draw sample) {
		if when {
			e = append(e, legendLine{text, draw})
		}
	}
	on := func(l overlay.Layer) bool { return k.layers[l] }
	h := &k.has
	figures := on(overlay.CharacterLayer) && h.figures
	add(figures, "active: runs every tick", figureSample(arrowShape, overlay.Awake))
	add(figures, "asleep, on the way", figureSample(ringShape, overlay.Walking))
	add(figures, "asleep, staying", figureSample(dotShape, overlay.Resting))
	add(figures && h.detailed, "asleep, woken at each border", func(l *legend, x, y, u float32) {
		figureSample(ringShape, overlay.Walking)(l, x, y, u)
		figureSample(tickShape, overlay.Ink)(l, x, y, u)
	})
	add(on(overlay.CharacterLayer) && h.tiles, "so many; bar: awake, on the way", func(l *legend, x, y, u float32) {
		l.mesh.Rect(x-9*u, y-7*u, x+9*u, y+7*u, overlay.Alpha(overlay.Resting, 0.5))
		splitBar(&l.mesh, x-9*u, y+4*u, x+9*u, y+7*u, tally{3, 3, 2}, 1)
	})
	add(on(overlay.CharacterLayer) && h.visitors, "visitor: wakes zones around", figureSample(diamondShape, overlay.Visitor))
	add(on(overlay.LaggardLayer), "laggard, ticks behind", figureSample(haloShape, overlay.Laggard))
	add(on(overlay.ZoneLayer), "active zone", func(l *legend, x, y, u float32) {
		l.mesh.Rect(x-9*u, y-7*u, x+9*u, y+7*u, overlay.Alpha(overlay.ZoneEdge, 0.12))
		l.mesh.Frame(x-9*u, y-7*u, x+9*u, y+7*u, 1.5*u, overlay.Alpha(overlay.ZoneEdge, 0.9))
	})
	add(on(overlay.ZoneLayer) && h.pinned, "pinned: kept awake by hand", func(l *legend, x, y, u float32) {
		l.mesh.Frame(x-9*u, y-7*u, x+9*u, y+7*u, u, overlay.Alpha(overlay.ZoneEdge, 0.3))
		l.mesh.Triangle(x-9*u, y-7*u, x-1*u, y-7*u, x-9*u, y+1*u, overlay.ZoneEdge)
	})
	add(on(overlay.ZoneLayer) && h.camera, "kept awake by the camera", func(l *legend, x, y, u float32) {
		l.mesh.Frame(x-9*u, y-7*u, x+9*u, y+7*u, u, overlay.Alpha(overlay.ZoneEdge, 0.3))
		cameraMark(&l.mesh, x+7*u, y+5*u, 8*u, u)
	})
	add(on(overlay.HeatLayer), "registered legs, few to many", func(l *legend, x, y, u float32) {
		for i, a := range [...]float64{0.15, 0.35, 0.6} {
			left := x - 9*u + float32(i)*6*u
			l.mesh.Rect(left, y-6*u, left+6*u, y+6*u, overlay.Alpha(overlay.Heat, a))
		}
	})
	add(on(overlay.RouteLayer) && h.flow, "where they go next", func(l *legend, x, y, u float32) {
		l.mesh.Line(x-10*u, y, x+10*u, y, 1.5*u, overlay.Alpha(overlay.Walking, 0.9), overlay.Alpha(overlay.Walking, 0))
	})
	add(on(overlay.RouteLayer) && h.route, "its way: gone, ahead", func(l *legend, x, y, u float32) {
		l.mesh.Line(x-11*u, y, x-2*u, y, 2*u, overlay.Alpha(routeInk, 0.3), overlay.Alpha(routeInk, 0.3))
		l.mesh.Line(x-2*u, y, x+11*u, y, 2*u, routeInk, routeInk)
		chevron(&l.mesh, float64(x+5*u), float64(y), 1, 0, float64(u), routeInk)
	})
	add(on(overlay.PassageLayer) && h.passages, "its zones: past, now, to come", func(l *legend, x, y, u float32) {
		for i, c := range [...]color.RGBA{overlay.Past, overlay.Now, overlay.ToCome} {
			left := x - 14*u + float32(i)*10*u
			l.mesh.Rect(left, y-4*u, left+8*u, y+4*u, overlay.Alpha(c, 0.2))
			l.mesh.Frame(left, y-4*u, left+8*u, y+4*u, 1.5*u, c)
		}
	})
	add(h.piles, "so many on one cell", nil)
	return e
}

// drawLegend draws the legend into the lower left corner of the view.
func (g *Game) drawLegend(screen *ebiten.Image) {
	l := &g.legend
	g.legendBox = image.Rectangle{}
	if !g.showLegend {
		return
	}
	chosen := g.selection.Kind == overlay.OneCharacter && g.selected.leg != nil
	key := legendKey{view: g.at.view, scale: g.device, layers: g.layers, minimap: g.showMinimap, has: sights{
		figures: !g.crowd.dense && !g.crowd.sweeping, tiles: g.crowd.shown, piles: g.piles.shown, visitors: len(g.visitors) > 0,
		pinned: g.zones.pinned, camera: g.zones.camera, passages: chosen,
		route: chosen && g.selected.leg.Path() != nil, flow: g.flow.shown && g.selection.Kind != overlay.OneCharacter,
	}}
	for i := range g.dots {
		if g.dots[i].Detailed {
			key.has.detailed = true
			break
		}
	}
	if key != l.key {
		l.key = key
		l.plate.blank()
		l.box = l.render(g.white, g.let)
	}
	g.legendBox = l.box
	l.plate.draw(screen, ebiten.BlendSourceOver, g.mesh.Count)
}

// pressLegend does what a click into the legend does.
func (g *Game) pressLegend(at image.Point) {
	for i, r := range g.legend.rows {
		if !at.In(r) {
			continue
		}
		if l := overlay.Layer(i); l < overlay.LayerCount {
			g.toggleLayer(l)
		} else {
			g.showMinimap = !g.showMinimap
		}
	}
}

// render draws the legend onto its plate, and returns the box.
func (l *legend) render(white *ebiten.Image, let *overlay.Lettering) image.Rectangle {
	k := &l.key
	u := let.Scale()
	view := k.view
	glyphs := glyphsFor(16*u, u)
	glyphs.radius[haloShape], glyphs.radius[diamondShape], glyphs.radius[markShape] = 8*u, 7*u, 9*u
	l.atlas.prepare(glyphs)
	entries := k.entries()
	layerRows := (len(l.rows) + 1) / 2
	w := 2*legendColumn*u + 16*u
	for _, e := range entries {
		w = max(w, let.Width(e.text, overlay.Body)+(legendInner+14)*u)
	}
	h := (float64(len(entries)+layerRows)*legendRow + 14 + legendGap) * u
	box := image.Rect(0, 0, int(w), int(h))
	box = box.Add(image.Pt(view.Min.X+int(12*u), view.Max.Y-box.Dy()-int(12*u)))
	clear(l.rows[:])
	if box.Min.Y < view.Min.Y || box.Max.X > view.Max.X {
		return image.Rectangle{} // no room: the map goes first
	}
	dst, mesh := l.plate.anew(box), &l.mesh
	mesh.Reset()
	l.batch.mesh.Reset()
	fill(mesh, box, overlay.Alpha(overlay.Surface, 0.9))
	uf := float32(u)
	x, y := float64(box.Min.X), float64(box.Min.Y)+7*u
	middle := func(i int) float32 { return float32(y + (float64(i)+0.5)*legendRow*u) }
	cx := float32(x + 21*u)
	for i, e := range entries {
		if e.draw != nil {
			e.draw(l, cx, middle(i), uf)
		}
	}
	top := y + (float64(len(entries))*legendRow+legendGap)*u
	line := int(top - (legendGap/2)*u)
	fill(mesh, image.Rect(box.Min.X+int(10*u), line, box.Max.X-int(10*u), line+max(int(u), 1)), overlay.Line)
	for i := range l.rows {
		col, row := i/layerRows, i%layerRows
		left := box.Min.X + int((8+float64(col)*legendColumn)*u)
		r := image.Rect(left, int(top+float64(row)*legendRow*u), left+int(legendColumn*u), int(top+float64(row+1)*legendRow*u))
		l.rows[i] = r
		bx, by := float32(r.Min.X)+5*uf, float32(r.Min.Y+r.Dy()/2)-5*uf
		if l.lit(i) {
			mesh.Rect(bx, by, bx+10*uf, by+10*uf, overlay.Signal)
			mesh.Line(bx+2*uf, by+5*uf, bx+4.5*uf, by+8*uf, 1.6*uf, overlay.Backdrop, overlay.Backdrop)
			mesh.Line(bx+4.2*uf, by+8*uf, bx+8.5*uf, by+2*uf, 1.6*uf, overlay.Backdrop, overlay.Backdrop)
		} else {
			mesh.Frame(bx, by, bx+10*uf, by+10*uf, uf, overlay.Faint)
		}
	}
	mesh.Draw(dst, white)
	l.batch.draw(dst, &l.atlas)
	for i, e := range entries {
		up := (legendRow*u - let.Height(overlay.Body)) / 2
		let.Draw(dst, e.text, x+legendInner*u, y+float64(i)*legendRow*u+up, overlay.Body, overlay.Ink)
		if e.draw == nil {
			let.DrawCentered(dst, "12", float64(cx), float64(middle(i)), overlay.Strong, overlay.Ink)
		}
	}
	for i, r := range l.rows {
		name, key := "minimap", "M"
		if i < int(overlay.LayerCount) {
			name, key = overlay.Layer(i).String(), string(rune('1'+i))
		}
		ink := overlay.Faint
		if l.lit(i) {
			ink = overlay.Ink
		}
		up := float64(r.Min.Y) + (legendRow*u-let.Height(overlay.Body))/2
		let.Draw(dst, key, float64(r.Min.X)+21*u, up, overlay.Body, overlay.Faint)
		let.Draw(dst, name, float64(r.Min.X)+36*u, up, overlay.Body, ink)
	}
	return box
}

// lit says whether what a row of layers shows is shown.
func (l *legend) lit(i int) bool {
	if i < len(l.key.layers) {
		return l.key.layers[i]
	}
	return l.key.minimap
}
