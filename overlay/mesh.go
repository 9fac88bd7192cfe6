package overlay

import (
	"image"
	"image/color"
	"math"

	"github.com/hajimehoshi/ebiten/v2"
)

// Mesh collects coloured triangles and draws them in one call. Its buffers are
// kept, so a mesh that is filled anew each frame allocates nothing once it has
// reached its size. The zero Mesh is ready.
type Mesh struct {
	Vertices []ebiten.Vertex
	Indices  []uint32
	// Count is told of what is drawn; nil: nobody is.
	Count *Counter
}

// Reset empties the mesh and keeps its buffers.
func (m *Mesh) Reset() { m.Vertices, m.Indices = m.Vertices[:0], m.Indices[:0] }

// vertex is a corner of colour c (premultiplied) over the middle of a white
// source image.
func vertex(x, y float32, c color.RGBA) ebiten.Vertex {
	return ebiten.Vertex{
		DstX: x, DstY: y, SrcX: 1, SrcY: 1,
		ColorR: float32(c.R) * (1. / 255), ColorG: float32(c.G) * (1. / 255),
		ColorB: float32(c.B) * (1. / 255), ColorA: float32(c.A) * (1. / 255),
	}
}

// Rect adds the rectangle from (x0, y0) to (x1, y1), in pixels.
func (m *Mesh) Rect(x0, y0, x1, y1 float32, c color.RGBA) {
	m.Quad(x0, y0, x1, y0, x1, y1, x0, y1, c)
}

// Quad adds the convex quadrilateral a, b, c, d, in order round it.
func (m *Mesh) Quad(ax, ay, bx, by, cx, cy, dx, dy float32, c color.RGBA) {
	n := uint32(len(m.Vertices))
	v := vertex(ax, ay, c)
	m.Vertices = append(m.Vertices, v, v, v, v)
	q := m.Vertices[n : n+4]
	q[1].DstX, q[1].DstY = bx, by
	q[2].DstX, q[2].DstY = cx, cy
	q[3].DstX, q[3].DstY = dx, dy
	m.Indices = append(m.Indices, n, n+1, n+2, n, n+2, n+3)
}

// Triangle adds a triangle.
func (m *Mesh) Triangle(ax, ay, bx, by, cx, cy float32, c color.RGBA) {
	n := uint32(len(m.Vertices))
	m.Vertices = append(m.Vertices, vertex(ax, ay, c), vertex(bx, by, c), vertex(cx, cy, c))
	m.Indices = append(m.Indices, n, n+1, n+2)
}

// Frame adds the outline of a rectangle, w pixels wide and wholly inside it.
func (m *Mesh) Frame(x0, y0, x1, y1, w float32, c color.RGBA) {
	m.Rect(x0, y0, x1, y0+w, c)
	m.Rect(x0, y1-w, x1, y1, c)
	m.Rect(x0, y0+w, x0+w, y1-w, c)
	m.Rect(x1-w, y0+w, x1, y1-w, c)
}

// Circle adds a circle's outline of radius r, w pixels wide, as a ring of
// quads fine enough to look round.
func (m *Mesh) Circle(x, y, r, w float32, c color.RGBA) {
	n := min(max(int(r*0.8), 16), 192)
	in, out := r-w/2, r+w/2
	var px, py float32 = 1, 0
	for i := 1; i <= n; i++ {
		s, co := math.Sincos(2 * math.Pi * float64(i) / float64(n))
		qx, qy := float32(co), float32(s)
		m.Quad(x+px*in, y+py*in, x+px*out, y+py*out, x+qx*out, y+qy*out, x+qx*in, y+qy*in, c)
		px, py = qx, qy
	}
}

// Line adds the straight line from (x0, y0) to (x1, y1), w pixels wide. Its
// colour goes from c at the beginning to d at the end.
func (m *Mesh) Line(x0, y0, x1, y1, w float32, c, d color.RGBA) {
	dx, dy := x1-x0, y1-y0
	l := float32(math.Hypot(float64(dx), float64(dy)))
	if l == 0 {
		return
	}
	dx, dy = dx/l*w/2, dy/l*w/2
	n := uint32(len(m.Vertices))
	m.Vertices = append(m.Vertices,
		vertex(x0-dy, y0+dx, c), vertex(x0+dy, y0-dx, c), vertex(x1+dy, y1-dx, d), vertex(x1-dy, y1+dx, d))
	m.Indices = append(m.Indices, n, n+1, n+2, n, n+2, n+3)
}

// Draw draws everything in one call. white is an image that is white around
// (1, 1), as White makes it.
func (m *Mesh) Draw(dst, white *ebiten.Image) {
	if len(m.Indices) == 0 {
		return
	}
	var o ebiten.DrawTrianglesOptions
	o.ColorScaleMode = ebiten.ColorScaleModePremultipliedAlpha
	dst.DrawTriangles32(m.Vertices, m.Indices, white, &o)
	m.Count.Add(len(m.Vertices))
}

// White makes the source image for Mesh.Draw. The pixel that is read lies
// inside a border, so that no neighbour on a shared texture bleeds in.
func White() *ebiten.Image {
	img := ebiten.NewImage(3, 3)
	img.Fill(color.White)
	return img.SubImage(image.Rect(0, 0, 3, 3)).(*ebiten.Image)
}
