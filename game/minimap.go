package game

import (
	"image"
	"image/color"
	"math"
	"time"

	"chronoscope/overlay"
	"chronoscope/routes"

	"github.com/hajimehoshi/ebiten/v2"
)

// The minimap's longer side, also at most as a share of the view's sides; its
// distance from the corner and from the buttons below it, and the least view that
// has room for one: in device-independent pixels.
const (
	minimapSide   = 180.0
	minimapWide   = 0.2
	minimapHigh   = 0.28
	minimapMargin = 10.0
	minimapAbove  = 44.0
	minimapWidth  = 560.0
	minimapHeight = 340.0
)

// minimap shows the whole map in the lower right corner of the view. Who is
// where is drawn on a plate as often as numbers are written; the view, the
// selection and the brake's place are drawn over it in each frame.
type minimap struct {
	box   image.Rectangle // empty while it isn't shown
	plate plate
	mesh  overlay.Mesh
	at    time.Time // when the plate was drawn

	ground *ebiten.Image
	pix    []byte
}

// minimapBox is where a map of w by h cells is shown in a view: empty where
// there is no room.
func minimapBox(view image.Rectangle, unit float64, w, h int32) image.Rectangle {
	if float64(view.Dx()) < minimapWidth*unit || float64(view.Dy()) < minimapHeight*unit {
		return image.Rectangle{}
	}
	side := min(minimapSide*unit, minimapWide*float64(view.Dx()), minimapHigh*float64(view.Dy()))
	scale := side / float64(max(w, h))
	bw, bh := max(int(float64(w)*scale), 1), max(int(float64(h)*scale), 1)
	x, y := view.Max.X-int(minimapMargin*unit), view.Max.Y-int(minimapAbove*unit)
	return image.Rect(x-bw, y-bh, x, y)
}

// toMap is the place on a map of w by h cells at a point of the minimap.
func (m *minimap) toMap(p image.Point, w, h int32) (x, y float64) {
	return (float64(p.X-m.box.Min.X) + 0.5) / float64(m.box.Dx()) * float64(w),
		(float64(p.Y-m.box.Min.Y) + 0.5) / float64(m.box.Dy()) * float64(h)
}

// toBox is where a place is on the minimap.
func (m *minimap) toBox(x, y float64, w, h int32) (bx, by float32) {
	return float32(float64(m.box.Min.X) + x/float64(w)*float64(m.box.Dx())),
		float32(float64(m.box.Min.Y) + y/float64(h)*float64(m.box.Dy()))
}

// paintMinimap paints a map into w by h pixels, each of the mean tone of some
// cells spread over it.
func paintMinimap(m *routes.Map, w, h int, pix []byte) {
	const spread = 3
	for y := range h {
		for x := range w {
			var r, g, b int
			for i := range spread * spread {
				cx := (float64(x) + (float64(i%spread)+0.5)/spread) / float64(w) * float64(m.Width)
				cy := (float64(y) + (float64(i/spread)+0.5)/spread) / float64(h) * float64(m.Height)
				c := groundColors[m.At(routes.Cell{X: int32(cx), Y: int32(cy)})]
				r, g, b = r+int(c.R), g+int(c.G), b+int(c.B)
			}
			t := pix[(y*w+x)*4:]
			t[0], t[1], t[2], t[3] = uint8(r/(spread*spread)), uint8(g/(spread*spread)), uint8(b/(spread*spread)), 0xFF
		}
	}
}

// blank forgets what was drawn: of another map.
func (m *minimap) blank() {
	m.plate.blank()
	if m.ground != nil {
		m.ground.Deallocate()
		m.ground = nil
	}
}

// drawMinimap draws the minimap.
func (g *Game) drawMinimap(screen *ebiten.Image) {
	m := &g.minimap
	world := g.source.Map()
	if m.box.Empty() {
		return
	}
	m.mesh.Count = g.mesh.Count
	if m.ground == nil || m.ground.Bounds().Size() != m.box.Size() {
		if m.ground != nil {
			m.ground.Deallocate()
		}
		w, h := m.box.Dx(), m.box.Dy()
		m.ground = ebiten.NewImage(w, h)
		m.pix = make([]byte, 4*w*h)
		paintMinimap(world, w, h, m.pix)
		m.ground.WritePixels(m.pix)
		m.at = time.Time{}
	}
	if m.plate.image == nil || m.plate.image.Bounds() != m.framed(g.device) || g.drawnAt.Sub(m.at) >= refreshEvery {
		m.at = g.drawnAt
		g.renderMinimap(m.plate.anew(m.framed(g.device)))
	}
	m.plate.draw(screen, ebiten.BlendCopy, g.mesh.Count)
	m.mesh.Reset()
	g.markMinimap()
	m.mesh.Draw(screen.SubImage(m.box).(*ebiten.Image), g.white)
}

// framed is the box with its edge.
func (m *minimap) framed(unit float64) image.Rectangle { return m.box.Inset(-max(int(unit), 1)) }

// renderMinimap draws what changes seldom.
func (g *Game) renderMinimap(dst *ebiten.Image) {
	m := &g.minimap
	world := g.source.Map()
	dst.Fill(minimapEdge)
	var o ebiten.DrawImageOptions
	o.GeoM.Translate(float64(m.box.Min.X), float64(m.box.Min.Y))
	dst.DrawImage(m.ground, &o)
	g.mesh.Count.Add(4)
	m.mesh.Reset()
	n := g.census
	for y := range n.h {
		for x := range n.w {
			t := n.counts[int(y)*int(n.w)+int(x)]
			asleep := int(t[Resting]) + int(t[Walking])
			if asleep == 0 {
				continue
			}
			ax, ay := m.toBox(float64(x*n.side), float64(y*n.side), world.Width, world.Height)
			bx, by := m.toBox(float64(min((x+1)*n.side, world.Width)), float64(min((y+1)*n.side, world.Height)), world.Width, world.Height)
			m.mesh.Rect(ax, ay, bx, by, overlay.Alpha(overlay.Walking, 0.06+0.4*heatOf(asleep, float64(n.side)*float64(n.side))))
		}
	}
	side := float64(g.zones.side)
	u := float32(g.device)
	for _, z := range g.zones.zones {
		ax, ay := m.toBox(float64(z.Key.X)*side, float64(z.Key.Y)*side, world.Width, world.Height)
		bx, by := m.toBox(float64(z.Key.X+1)*side, float64(z.Key.Y+1)*side, world.Width, world.Height)
		if bx-ax < 2*u { // of a large map: still to be seen
			bx, by = ax+2*u, ay+2*u
		}
		m.mesh.Rect(ax, ay, bx, by, overlay.Alpha(overlay.ZoneEdge, 0.5))
	}
	for _, v := range g.visitors {
		x, y := m.toBox(v.X, v.Y, world.Width, world.Height)
		m.mesh.Quad(x, y-4*u, x+4*u, y, x, y+4*u, x-4*u, y, overlay.Visitor)
	}
	m.mesh.Draw(dst.SubImage(m.box).(*ebiten.Image), g.white)
}

// markMinimap adds what moves with the frames: the view, the brake's place, the
// selection.
func (g *Game) markMinimap() {
	m := &g.minimap
	world := g.source.Map()
	u := float32(g.device)
	x0, y0 := g.cam.ToMap(float64(g.at.view.Min.X), float64(g.at.view.Min.Y))
	x1, y1 := g.cam.ToMap(float64(g.at.view.Max.X), float64(g.at.view.Max.Y))
	ax, ay := m.toBox(max(x0, 0), max(y0, 0), world.Width, world.Height)
	bx, by := m.toBox(min(x1, float64(world.Width)), min(y1, float64(world.Height)), world.Width, world.Height)
	r := func(v float32) float32 { return float32(math.Round(float64(v))) }
	m.mesh.Frame(r(ax), r(ay), max(r(bx), r(ax)+3*u), max(r(by), r(ay)+3*u), max(u, 1), color.RGBA{0xFF, 0xFF, 0xFF, 0xFF})
	if g.hud.brakeOn && g.hud.hasBrake && g.layers[overlay.LaggardLayer] {
		if d, ok := g.source.Where(g.moment, g.hud.brakeBy); ok {
			x, y := m.toBox(float64(d.X), float64(d.Y), world.Width, world.Height)
			m.mesh.Circle(x, y, 6*u, 2*u, overlay.Laggard)
		}
	}
	switch g.selection.Kind {
	case overlay.OneCharacter:
		if g.selected.there {
			x, y := m.toBox(float64(g.selected.dot.X), float64(g.selected.dot.Y), world.Width, world.Height)
			m.mesh.Circle(x, y, 4*u, 1.5*u, overlay.Ink)
		}
	case overlay.OneZone:
		s := float64(g.zones.side)
		k := g.selection.Zone
		ax, ay := m.toBox(float64(k.X)*s, float64(k.Y)*s, world.Width, world.Height)
		bx, by := m.toBox(float64(k.X+1)*s, float64(k.Y+1)*s, world.Width, world.Height)
		m.mesh.Frame(r(ax), r(ay), max(r(bx), r(ax)+3*u), max(r(by), r(ay)+3*u), max(u, 1), overlay.Ink)
	}
}
