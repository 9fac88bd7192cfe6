package game

import (
	"image/color"
	"math"

	"chronoscope/overlay"

	"github.com/hajimehoshi/ebiten/v2"
)

// modeColors are the colours of the modes.
var modeColors = [modeCount]color.RGBA{Resting: overlay.Resting, Walking: overlay.Walking, Active: overlay.Awake}

// scatter is where inside its cell a character is drawn, in cells from the
// middle: many stand on the same cell, and a crowd is to look like one. It
// depends on the spawn number alone, so it never changes.
func scatter(spawn uint64) (dx, dy float32) {
	h := mix64(spawn)
	// Evenly over the cell, less a margin at its edges.
	const span = 0.76
	return (float32(h&0xFFFFFF)/(1<<24) - 0.5) * span, (float32(h>>40)/(1<<24) - 0.5) * span
}

// figure is one entry of the batch: where, which way, which shape, how.
type figure struct {
	x, y, dx, dy float32 // device pixels; heading of length 1
	src          shape
	c            color.RGBA
}

// batch collects figures of an atlas and draws them in one call. Its buffers
// are kept.
type batch struct{ mesh overlay.Mesh }

// add appends a figure. side is the side of its square in the atlas, reach how
// far the figure reaches in it.
func (b *batch) add(f figure, side int, reach float32) {
	h := reach
	// The two half axes of what is drawn of the square, turned into the heading.
	ux, uy := f.dx*h, f.dy*h
	vx, vy := -f.dy*h, f.dx*h
	sy := float32(side)/2 - h
	sx := float32(int(f.src)*side) + sy
	s := 2 * h
	r, g, bl := float32(f.c.R)/255, float32(f.c.G)/255, float32(f.c.B)/255
	n := uint32(len(b.mesh.Vertices))
	v := func(x, y, u, w float32) ebiten.Vertex {
		return ebiten.Vertex{DstX: x, DstY: y, SrcX: u, SrcY: w, ColorR: r, ColorG: g, ColorB: bl, ColorA: 1}
	}
	b.mesh.Vertices = append(b.mesh.Vertices,
		v(f.x-ux-vx, f.y-uy-vy, sx, sy),
		v(f.x+ux-vx, f.y+uy-vy, sx+s, sy),
		v(f.x+ux+vx, f.y+uy+vy, sx+s, sy+s),
		v(f.x-ux+vx, f.y-uy+vy, sx, sy+s))
	b.mesh.Indices = append(b.mesh.Indices, n, n+1, n+2, n, n+2, n+3)
}

// buildCharacters fills the batch with the dots that aren't hidden in a tile:
// those at rest first, the active ones above them, laggards' rings on top, if
// they are wanted. It is a pure function of its arguments and allocates only to
// grow the batch.
func buildCharacters(b *batch, dots []Dot, cam *Camera, g *glyphs, side int, c *crowd, rings bool) {
	// Coordinates are worked out from the middle of the view in float64 and
	// only then narrowed: on a map of 4,096 cells at 256 px a cell, float32
	// would make characters tremble.
	mx, my := cam.middle()
	place := func(d *Dot) (x, y float32) {
		ox, oy := scatter(d.Spawn)
		return float32(mx + (float64(d.X)+float64(ox)-cam.X)*cam.Scale), float32(my + (float64(d.Y)+float64(oy)-cam.Y)*cam.Scale)
	}
	tick := g.reach(tickShape)
	for mode := range modeCount {
		s := g.of[mode]
		reach := g.reach(s)
		for i := range dots {
			d := &dots[i]
			if d.Mode != mode || c.hides(d) {
				continue
			}
			f := figure{dx: 1, src: s, c: modeColors[mode]}
			f.x, f.y = place(d)
			if s == arrowShape {
				if l := float32(math.Hypot(float64(d.DX), float64(d.DY))); l > 0 {
					f.dx, f.dy = d.DX/l, d.DY/l
				} else {
					f.dx, f.dy = 0, -1
				}
			}
			b.add(f, side, reach)
			if d.Detailed {
				b.add(figure{x: f.x, y: f.y, dx: 1, src: tickShape, c: overlay.Ink}, side, tick)
			}
		}
	}
	if !rings {
		return
	}
	reach := g.reach(haloShape)
	for i := range dots {
		d := &dots[i]
		if d.Lag <= 0 {
			continue
		}
		f := figure{dx: 1, src: haloShape, c: overlay.Laggard}
		f.x, f.y = place(d)
		b.add(f, side, reach)
	}
}

// draw draws the batch in one call.
func (b *batch) draw(dst *ebiten.Image, a *atlas) {
	if len(b.mesh.Indices) == 0 {
		return
	}
	var o ebiten.DrawTrianglesOptions
	o.Filter = ebiten.FilterLinear
	dst.DrawTriangles32(b.mesh.Vertices, b.mesh.Indices, a.image, &o)
	b.mesh.Count.Add(len(b.mesh.Vertices))
}
