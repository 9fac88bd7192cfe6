package game

import (
	"image"

	"chronoscope/overlay"

	"github.com/hajimehoshi/ebiten/v2"
)

// legend explains the figures of the map. Its figures come from an atlas of
// its own, at one fixed size.
type legend struct {
	atlas atlas
	batch batch
	mesh  overlay.Mesh
	plate plate
	key   legendKey // of the plate
	box   image.Rectangle
}

// legendKey is all that the legend's look depends on.
type legendKey struct {
	view         image.Rectangle
	scale        float64
	tiles, piles bool
}

// legendRows are the lines, from the most to the least eye-catching.
var legendRows = [...]struct {
	shape shape
	mode  Mode
	text  string
}{
	{arrowShape, Active, "active: runs every tick"},
	{ringShape, Walking, "asleep, on the way"},
	{dotShape, Resting, "asleep, staying"},
	{diamondShape, 0, "visitor: wakes the zones around"},
	{haloShape, 0, "laggard, with ticks behind"},
}

// draw draws the legend into the lower left corner of the view and returns the
// box it takes. tiles and piles say whether the map shows tiles of density and
// numbers of those on one cell.
func (l *legend) draw(dst, white *ebiten.Image, let *overlay.Lettering, view image.Rectangle, tiles, piles bool) image.Rectangle {
	if key := (legendKey{view, let.Scale(), tiles, piles}); key != l.key {
		l.key = key
		l.plate.blank()
		l.box = l.render(white, let, view, tiles, piles)
	}
	l.plate.draw(dst, ebiten.BlendSourceOver)
	return l.box
}

// render draws the legend onto its plate, and returns the box.
func (l *legend) render(white *ebiten.Image, let *overlay.Lettering, view image.Rectangle, tiles, piles bool) image.Rectangle {
	u := let.Scale()
	g := glyphsFor(16*u, u)
	g.radius[haloShape], g.radius[diamondShape] = 8*u, 7*u
	l.atlas.prepare(g)
	const zoneText, tileText, pileText = "active zone (corner: pinned)", "tile: too many to draw, counted", "so many on one cell"
	const rowHeight = 20.0
	rows := len(legendRows) + 1
	if tiles {
		rows++
	}
	if piles {
		rows++
	}
	w := 0.0
	for _, r := range legendRows {
		w = max(w, let.Width(r.text, overlay.Body))
	}
	w = max(w, let.Width(zoneText, overlay.Body), let.Width(tileText, overlay.Body))
	box := image.Rect(0, 0, int(w+52*u), int((float64(rows)*rowHeight+14)*u))
	box = box.Add(image.Pt(view.Min.X+int(12*u), view.Max.Y-box.Dy()-int(12*u)))
	if box.Min.Y < view.Min.Y || box.Max.X > view.Max.X {
		return image.Rectangle{} // no room: the map goes first
	}
	dst, mesh := l.plate.anew(box), &l.mesh
	mesh.Reset()
	fill(mesh, box, overlay.Alpha(overlay.Surface, 0.88))
	x, y := float64(box.Min.X), float64(box.Min.Y)+7*u

	l.batch.mesh.Reset()
	text := func(i int, s string) {
		h := (rowHeight*u - let.Height(overlay.Body)) / 2
		let.Draw(dst, s, x+40*u, y+float64(i)*rowHeight*u+h, overlay.Body, overlay.Ink)
	}
	middle := func(i int) float32 { return float32(y + (float64(i)+0.5)*rowHeight*u) }
	cx := float32(x + 20*u)
	for i, r := range legendRows {
		c := modeColors[r.mode]
		switch r.shape {
		case diamondShape:
			c = overlay.Visitor
		case haloShape:
			c = overlay.Laggard
		}
		l.batch.add(figure{x: cx, y: middle(i), dx: 1, src: r.shape, c: c}, l.atlas.side, g.reach(r.shape))
	}
	uf := float32(u)
	i := len(legendRows)
	zy := middle(i)
	mesh.Rect(cx-9*uf, zy-7*uf, cx+9*uf, zy+7*uf, overlay.Alpha(overlay.ZoneEdge, 0.12))
	mesh.Frame(cx-9*uf, zy-7*uf, cx+9*uf, zy+7*uf, 1.5*uf, overlay.Alpha(overlay.ZoneEdge, 0.9))
	mesh.Triangle(cx-9*uf, zy-7*uf, cx-2*uf, zy-7*uf, cx-9*uf, zy, overlay.ZoneEdge)
	if tiles {
		ty := middle(i + 1)
		mesh.Rect(cx-9*uf, ty-7*uf, cx+9*uf, ty+7*uf, overlay.Alpha(overlay.Resting, 0.5))
		splitBar(mesh, cx-9*uf, ty+4*uf, cx+9*uf, ty+7*uf, tally{3, 3, 2})
	}
	mesh.Draw(dst, white)
	l.batch.draw(dst, &l.atlas)
	for i, r := range legendRows {
		text(i, r.text)
	}
	text(i, zoneText)
	if tiles {
		i++
		text(i, tileText)
	}
	if piles {
		i++
		text(i, pileText)
		let.DrawCentered(dst, "12", float64(cx), float64(middle(i)), overlay.Strong, overlay.Ink)
	}
	return box
}
