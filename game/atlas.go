package game

import (
	"math"

	"github.com/hajimehoshi/ebiten/v2"
)

// shape is one of the figures on the map.
type shape int

const (
	dotShape     shape = iota // small filled circle
	discShape                 // the same, larger: an arrowhead from afar
	ringShape                 // hollow circle
	arrowShape                // filled arrowhead, pointing along +x
	diamondShape              // square on its corner
	haloShape                 // wide thin ring, around a laggard
	markShape                 // a wider one, around who is selected
	tickShape                 // short stroke at the upper right: a detailed schedule
	shapeCount
)

// glyphs says how big the figures are at some zoom, in device pixels, and which
// shape each mode takes.
type glyphs struct {
	radius [shapeCount]float64
	of     [modeCount]shape
	size   [modeCount]float64 // radius of the mode's figure
	unit   float64            // device pixels in a device-independent one
}

// arrowFrom is the radius from which on an arrowhead can be told from a dot, in
// device-independent pixels.
const arrowFrom = 3.4

// glyphsFor picks shapes and sizes for a scale in device pixels per cell. Close
// up the three modes have a shape each; further out, where an arrowhead would be
// a blot, it turns to a dot, twice as large as that of one at rest.
func glyphsFor(scale, unit float64) glyphs {
	cell := scale / unit
	g := glyphs{unit: unit}
	active := min(max(cell*0.40, 2.4), 13) * unit
	walking := min(max(cell*0.30, 2), 9) * unit
	resting := min(max(cell*0.17, 1.4), 5.5) * unit
	// Quarters of a pixel: while a zoom is under way the figures are rendered
	// anew only when that can be seen.
	q := func(v float64) float64 { return math.Round(v*4) / 4 }
	g.size = [modeCount]float64{Resting: q(resting), Walking: q(walking), Active: q(active)}
	g.of = [modeCount]shape{Resting: dotShape, Walking: ringShape, Active: arrowShape}
	if active < arrowFrom*unit {
		g.of[Active] = discShape
	}
	g.radius = [shapeCount]float64{
		dotShape:     g.size[Resting],
		discShape:    g.size[Active],
		ringShape:    g.size[Walking],
		arrowShape:   g.size[Active],
		diamondShape: q(min(max(cell*0.55, 6), 14) * unit),
		haloShape:    q(min(max(cell*0.75, 7), 20) * unit),
		markShape:    q(min(max(cell*0.75, 7)+4.5, 24.5) * unit),
		tickShape:    g.size[Walking] + 4*unit,
	}
	return g
}

// area is what a mode's figure covers, in square pixels.
func (g *glyphs) area(m Mode) float64 {
	r := g.size[m]
	if g.of[m] == arrowShape {
		return 1.08 * r * r // of the polygon in distance
	}
	return math.Pi * r * r
}

// rim is the width of a figure's dark rim.
func (g *glyphs) rim(s shape) float64 {
	if g.radius[s] < 2*g.unit {
		return 0.75 * g.unit
	}
	return g.unit
}

// reach is how far from its middle a figure has to be drawn: as far as filtering
// can find a pixel that isn't transparent, which is one further than there are
// such pixels. All squares have the largest figure's side, and most characters
// are small dots: without this, nine pixels in ten drawn for them would be
// transparent.
func (g *glyphs) reach(s shape) float32 {
	r := g.radius[s] + g.rim(s) + 0.5
	if s == diamondShape {
		r += g.unit // its corners reach further than its sides
	}
	return min(float32(math.Ceil(r)), float32(g.side())/2)
}

// side is the side of each figure's square in the atlas, in pixels.
func (g *glyphs) side() int {
	r := 0.0
	for _, v := range g.radius {
		r = max(r, v)
	}
	return 2*(int(math.Ceil(r))+3) + 1
}

// atlas holds the figures side by side, rendered for one size, so that all
// characters are one draw call, and sharp at every zoom: they are drawn pixel
// for pixel, never scaled.
type atlas struct {
	image *ebiten.Image
	pix   []byte
	sizes glyphs
	side  int
}

// prepare renders the figures when their sizes have changed.
func (a *atlas) prepare(g glyphs) {
	if a.image != nil && a.sizes == g {
		return
	}
	n := g.side()
	w := n * int(shapeCount)
	if a.image == nil || a.side != n {
		if a.image != nil {
			a.image.Deallocate()
		}
		a.image = ebiten.NewImage(w, n)
		a.pix = make([]byte, 4*w*n)
	}
	a.sizes, a.side = g, n
	renderFigures(a.pix, g, n)
	a.image.WritePixels(a.pix)
}

// renderFigures renders the figures into n by n squares side by side: white,
// with a dark rim that keeps them apart from the ground and each other.
func renderFigures(pix []byte, g glyphs, n int) {
	w := n * int(shapeCount)
	for s := range shapeCount {
		r := g.radius[s]
		rim := g.rim(s)
		for y := range n {
			for x := range n {
				px, py := float64(x)-float64(n)/2+0.5, float64(y)-float64(n)/2+0.5
				d := distance(s, px, py, r, g.unit)
				fill := clamp01(0.5 - d)
				alpha := max(fill, clamp01(0.5-(d-rim))*0.8)
				i := (y*w + int(s)*n + x) * 4
				v := uint8(fill*255 + 0.5)
				pix[i], pix[i+1], pix[i+2], pix[i+3] = v, v, v, uint8(alpha*255+0.5)
			}
		}
	}
}

func clamp01(v float64) float64 { return min(max(v, 0), 1) }

// distance is the signed distance in pixels from (x, y) to the outline of a
// figure of radius r around the origin, negative inside.
func distance(s shape, x, y, r, unit float64) float64 {
	l := math.Hypot(x, y)
	switch s {
	case ringShape:
		w := max(r*0.34, 1.1*unit)
		return math.Abs(l-(r-w/2)) - w/2
	case haloShape, markShape:
		w := 2 * unit
		return math.Abs(l-(r-w/2)) - w/2
	case diamondShape:
		return (math.Abs(x) + math.Abs(y) - r) / math.Sqrt2
	case arrowShape:
		return polygonDistance(x, y, [4][2]float64{
			{r, 0}, {-0.78 * r, 0.78 * r}, {-0.38 * r, 0}, {-0.78 * r, -0.78 * r},
		})
	}
	if s == tickShape {
		// A stroke along the diagonal, outside of the figure it goes with.
		const diagonal = math.Sqrt2 / 2
		from, to := (r-3*unit)*diagonal, (r-unit)*diagonal
		t := min(max((x-y)/2, from), to)
		return math.Hypot(x-t, y+t) - 0.9*unit
	}
	return l - r
}

// polygonDistance is the signed distance to a closed polygon: the distance to
// the nearest side, negative where a ray along +x crosses an odd number of
// sides.
func polygonDistance(x, y float64, p [4][2]float64) float64 {
	best := math.Inf(1)
	inside := false
	for i := range p {
		a, b := p[i], p[(i+1)%len(p)]
		ex, ey := b[0]-a[0], b[1]-a[1]
		t := clamp01(((x-a[0])*ex + (y-a[1])*ey) / (ex*ex + ey*ey))
		best = min(best, math.Hypot(x-a[0]-t*ex, y-a[1]-t*ey))
		if (a[1] > y) != (b[1] > y) && x < a[0]+(y-a[1])/ey*ex {
			inside = !inside
		}
	}
	if inside {
		return -best
	}
	return best
}
