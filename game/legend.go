package game

import (
	"image"
	"image/color"

	"chronoscope/overlay"

	"github.com/hajimehoshi/ebiten/v2"
)

// legend explains what the map shows, and below it which layers there are, each
// with its key and a box to click; in a small view the keys alone. Its figures come from an atlas of its own, at
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
	legendKeyBox = 20.0 // a layer in a compact legend: its key
)

// compactBelow is the view's width and height below either of which the layers
// are one row of keys, in device-independent pixels: their names would cover too
// much of the map.
var compactBelow = [2]float64{760, 480}

// compact says whether the layers are one row of keys.
func (k *legendKey) compact() bool {
	return float64(k.view.Dx()) < compactBelow[0]*k.scale || float64(k.view.Dy()) < compactBelow[1]*k.scale
}

// layerName is the key and the name of a row of layers; the last is the minimap.
func layerName(i int) (key, name string) {
	if i < int(overlay.LayerCount) {
		return string(rune('1' + i)), overlay.Layer(i).String()
	}
	return "M", "minimap"
}

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
	compact := k.compact()
	layerRows := (len(l.rows) + 1) / 2
	w := 2*legendColumn*u + 16*u
	if compact {
		layerRows = 1
		w = (legendKeyBox*float64(len(l.rows)) + 16) * u
	}
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
		if l.rows[i] = layerRow(i, layerRows, compact, box.Min.X, top, u); compact {
			l.keyBox(l.rows[i], l.lit(i), u)
		} else {
			l.checkBox(l.rows[i], l.lit(i), uf)
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
		key, name := layerName(i)
		ink := overlay.Faint
		if l.lit(i) {
			ink = overlay.Ink
		}
		if compact {
			let.DrawCentered(dst, key, float64(r.Min.X+r.Max.X)/2, float64(r.Min.Y+r.Max.Y)/2, overlay.Body, ink)
			continue
		}
		up := float64(r.Min.Y) + (legendRow*u-let.Height(overlay.Body))/2
		let.Draw(dst, key, float64(r.Min.X)+21*u, up, overlay.Body, overlay.Faint)
		let.Draw(dst, name, float64(r.Min.X)+36*u, up, overlay.Body, ink)
	}
	return box
}

// layerRow is where a layer stands below the legend's figures: two columns of
// names, or one row of keys.
func layerRow(i, rows int, compact bool, left int, top, u float64) image.Rectangle {
	col, row, width := i/rows, i%rows, legendColumn
	if compact {
		width = legendKeyBox
	}
	x := left + int((8+float64(col)*width)*u)
	return image.Rect(x, int(top+float64(row)*legendRow*u), x+int(width*u), int(top+float64(row+1)*legendRow*u))
}

// checkBox draws the box before a layer's name.
func (l *legend) checkBox(r image.Rectangle, lit bool, u float32) {
	x, y := float32(r.Min.X)+5*u, float32(r.Min.Y+r.Dy()/2)-5*u
	if !lit {
		l.mesh.Frame(x, y, x+10*u, y+10*u, u, overlay.Faint)
		return
	}
	l.mesh.Rect(x, y, x+10*u, y+10*u, overlay.Signal)
	l.mesh.Line(x+2*u, y+5*u, x+4.5*u, y+8*u, 1.6*u, overlay.Backdrop, overlay.Backdrop)
	l.mesh.Line(x+4.2*u, y+8*u, x+8.5*u, y+2*u, 1.6*u, overlay.Backdrop, overlay.Backdrop)
}

// keyBox draws the box around a layer's key: a bar below it when it is shown, as
// the buttons in the corner have one.
func (l *legend) keyBox(r image.Rectangle, lit bool, u float64) {
	gap := max(int(u), 1)
	fill(&l.mesh, image.Rect(r.Min.X+gap, r.Min.Y+gap, r.Max.X-gap, r.Max.Y), overlay.Alpha(overlay.Line, 0.7))
	if lit {
		fill(&l.mesh, image.Rect(r.Min.X+gap, r.Max.Y-2*gap, r.Max.X-gap, r.Max.Y), overlay.Signal)
	}
}

// lit says whether what a row of layers shows is shown.
func (l *legend) lit(i int) bool {
	if i < len(l.key.layers) {
		return l.key.layers[i]
	}
	return l.key.minimap
}
