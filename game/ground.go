package game

import (
	"image"

	"chronoscope/overlay"
	"chronoscope/routes"

	"github.com/hajimehoshi/ebiten/v2"
)

// detail is a level of detail of the ground: texels per cell, and cells per
// side of a chunk. A chunk is an image of at most 514 texels a side (1 MiB).
type detail struct{ texels, cells int32 }

// details, from far to near. A level is used down to about a third of its
// resolution: below, linear filtering would skip texels and shimmer.
var details = [...]detail{{1, 256}, {4, 128}, {16, 32}}

// chunkLimit bounds the chunks kept at all levels together: 96 MiB of
// textures at most. What is on the screen stays, whatever the limit.
const chunkLimit = 96

// paintPerFrame is how many chunks are painted in one frame, each costing some
// milliseconds; until a chunk is there, the coarser one shows.
const paintPerFrame = 1

type chunkKey struct{ level, x, y int32 }

type chunk struct {
	image *ebiten.Image
	seen  uint64 // frame in which it was last drawn
}

// ground draws the terrain from images cached per chunk, painted when they are
// first seen.
type ground struct {
	world  *routes.Map
	chunks map[chunkKey]*chunk
	frame  uint64
	budget int
	// settled is whether everything visible was drawn at its own level.
	settled bool
	pix     []byte
	kept    keptGround
	count   *overlay.Counter
}

// groundKey is all that the ground's look depends on beside the map.
type groundKey struct {
	x, y, scale, device float64
	view                image.Rectangle
	grid                bool // the grid of zones lies on it
}

// keptGround is the ground as it was drawn last, for as long as the camera
// stands: filtering takes four texels for each pixel, copying one. While the
// camera moves nothing is kept, since that would be one copy more.
type keptGround struct {
	plate plate
	key   groundKey
	whole bool // the plate shows the ground at key
}

// how the ground gets onto the screen in a frame.
type groundStep int

const (
	drawGround groundStep = iota // directly
	keepGround                   // onto the plate, and that onto the screen
	copyGround                   // from the plate as it is
)

// next says what to do for the camera at key. settled is whether the frame
// before drew everything at its own level of detail.
func (k *keptGround) next(key groundKey, settled bool) groundStep {
	switch {
	case key != k.key:
		k.key, k.whole = key, false
		return drawGround
	case k.whole:
		return copyGround
	case settled:
		k.whole = true
		return keepGround
	}
	return drawGround
}

func newGround(m *routes.Map) *ground {
	return &ground{world: m, chunks: map[chunkKey]*chunk{}}
}

// levelFor picks the level of detail for a scale in device pixels per cell.
func levelFor(scale float64) int {
	for i, d := range details[:len(details)-1] {
		if scale <= float64(d.texels)*1.5 {
			return i
		}
	}
	return len(details) - 1
}

// draw covers the view with what the camera sees. dst is clipped to the view,
// since chunks reach beyond. lines draws what lies on the ground and depends on
// the camera and on grid alone.
func (g *ground) draw(dst *ebiten.Image, cam *Camera, grid bool, lines func(*ebiten.Image)) {
	view := cam.View()
	if view.Empty() {
		return
	}
	switch g.kept.next(groundKey{cam.X, cam.Y, cam.Scale, cam.device, view, grid}, g.settled) {
	case drawGround:
		g.drawChunks(dst, cam)
		lines(dst)
		return
	case keepGround:
		on := g.kept.plate.anew(view)
		g.drawChunks(on, cam)
		lines(on)
	}
	g.kept.plate.draw(dst, ebiten.BlendCopy, g.count)
}

func (g *ground) drawChunks(dst *ebiten.Image, cam *Camera) {
	dst.Fill(overlay.Backdrop)
	g.frame++
	g.budget = paintPerFrame
	g.settled = true
	level := levelFor(cam.Scale)
	if level > 0 {
		// The coarsest level first and whole: it is what shows until the
		// chunks of the right level have been painted.
		if !g.complete(cam, level) {
			g.drawLevel(dst, cam, 0)
		}
	}
	g.drawLevel(dst, cam, level)
	g.evict()
}

// complete says whether every visible chunk of a level has been painted.
func (g *ground) complete(cam *Camera, level int) bool {
	done := true
	g.each(cam, level, func(k chunkKey) {
		if g.chunks[k] == nil {
			done = false
		}
	})
	return done
}

// each calls f for every chunk of a level that touches the view.
func (g *ground) each(cam *Camera, level int, f func(chunkKey)) {
	lo, hi := cam.Visible()
	n := details[level].cells
	x0, y0 := max(lo.X, 0)/n, max(lo.Y, 0)/n
	x1, y1 := min(hi.X, g.world.Width-1)/n, min(hi.Y, g.world.Height-1)/n
	if hi.X < 0 || hi.Y < 0 {
		return
	}
	for y := y0; y <= y1; y++ {
		for x := x0; x <= x1; x++ {
			f(chunkKey{int32(level), x, y})
		}
	}
}

func (g *ground) drawLevel(dst *ebiten.Image, cam *Camera, level int) {
	d := details[level]
	g.each(cam, level, func(k chunkKey) {
		c := g.chunks[k]
		if c == nil {
			if g.budget == 0 {
				g.settled = false
				return
			}
			g.budget--
			c = g.paint(k)
		}
		c.seen = g.frame
		w, h := g.size(k)
		x0, y0 := cam.ToScreen(float64(k.x*d.cells), float64(k.y*d.cells))
		x1, y1 := cam.ToScreen(float64(k.x*d.cells+w), float64(k.y*d.cells+h))
		sx, sy := float32(w*d.texels+1), float32(h*d.texels+1)
		v := [4]ebiten.Vertex{
			{DstX: float32(x0), DstY: float32(y0), SrcX: 1, SrcY: 1},
			{DstX: float32(x1), DstY: float32(y0), SrcX: sx, SrcY: 1},
			{DstX: float32(x1), DstY: float32(y1), SrcX: sx, SrcY: sy},
			{DstX: float32(x0), DstY: float32(y1), SrcX: 1, SrcY: sy},
		}
		for i := range v {
			v[i].ColorR, v[i].ColorG, v[i].ColorB, v[i].ColorA = 1, 1, 1, 1
		}
		var o ebiten.DrawTrianglesOptions
		if cam.Scale < float64(d.texels)*2 {
			o.Filter = ebiten.FilterLinear
		}
		dst.DrawTriangles32(v[:], quadIndices[:], c.image, &o)
		g.count.Add(len(v))
	})
}

var quadIndices = [6]uint32{0, 1, 2, 0, 2, 3}

// size is how many cells of the map a chunk holds; less at the edges.
func (g *ground) size(k chunkKey) (w, h int32) {
	n := details[k.level].cells
	return min(n, g.world.Width-k.x*n), min(n, g.world.Height-k.y*n)
}

func (g *ground) paint(k chunkKey) *chunk {
	d := details[k.level]
	w, h := g.size(k)
	pw, ph := int(w*d.texels+2), int(h*d.texels+2)
	if need := pw * ph * 4; cap(g.pix) < need {
		g.pix = make([]byte, need)
	}
	pix := g.pix[:pw*ph*4]
	paintGround(g.world, k.x*d.cells, k.y*d.cells, w, h, int(d.texels), pix)
	c := &chunk{image: ebiten.NewImageWithOptions(image.Rect(0, 0, pw, ph), &ebiten.NewImageOptions{Unmanaged: true})}
	c.image.WritePixels(pix)
	g.chunks[k] = c
	return c
}

// evict drops the chunks that were seen longest ago, beyond chunkLimit.
func (g *ground) evict() {
	for len(g.chunks) > chunkLimit {
		var oldest chunkKey
		seen := g.frame
		for k, c := range g.chunks {
			if c.seen < seen && k.level > 0 {
				oldest, seen = k, c.seen
			}
		}
		if seen == g.frame {
			return
		}
		g.chunks[oldest].image.Deallocate()
		delete(g.chunks, oldest)
	}
}

// drawGrid adds the light grid of cells, which shows only close up.
func drawGrid(m *overlay.Mesh, cam *Camera, world *routes.Map, unit float32) {
	if cam.Scale < 26*float64(unit) {
		return
	}
	lo, hi := cam.Visible()
	x0, y0 := max(lo.X, 0), max(lo.Y, 0)
	x1, y1 := min(hi.X+1, world.Width), min(hi.Y+1, world.Height)
	left, top := cam.ToScreen(float64(x0), float64(y0))
	right, bottom := cam.ToScreen(float64(x1), float64(y1))
	for x := x0; x <= x1; x++ {
		sx, _ := cam.ToScreen(float64(x), 0)
		m.Rect(float32(sx), float32(top), float32(sx)+1, float32(bottom), gridLine)
	}
	for y := y0; y <= y1; y++ {
		_, sy := cam.ToScreen(0, float64(y))
		m.Rect(float32(left), float32(sy), float32(right), float32(sy)+1, gridLine)
	}
}
