package game

import (
	"image/color"
	"math"
	"time"

	"chronoscope/overlay"
	"chronoscope/routes"
)

// A zone whose figures would cover more than crowdAbove of its area on the
// screen is drawn as one tile with a count instead; it turns back into figures
// below crowdBelow. The gap keeps a zone near the limit from changing back and
// forth as characters come and go.
const (
	crowdAbove = 0.6
	crowdBelow = 0.45
)

// censusAbove is the number of characters in view from which on nobody is drawn
// one by one, and zones are counted by a sweep over several frames: asking
// where everyone stands in each frame would cost more than a frame has.
const censusAbove = 20_000

// A frame counts for an eighth of what the last one took, within these limits:
// where frames are slow anyway, the count shouldn't fall behind as well.
const (
	censusLeast = 2 * time.Millisecond
	censusMost  = 30 * time.Millisecond
)

// tally is how many characters of each mode are in a zone.
type tally [modeCount]int32

func (t tally) total() int { return int(t[Resting]) + int(t[Walking]) + int(t[Active]) }

// tileLimit bounds the tiles of a map. Where zones are more, a tile is a square
// of 4, 16, 64... of them.
const tileLimit = 1 << 16

// crowd decides per zone between single figures and a tile of density, so that
// no zoom and no crowd ends in a soup of overlapping figures.
type crowd struct {
	side   int32 // cells
	w, h   int32 // tiles
	counts []tally
	tile   []bool

	sweeping bool // counts come from sweeps, every zone is a tile
	next     []tally
	row      int32
	dots     []Dot
}

func newCrowd(m *routes.Map, side int32) *crowd {
	c := &crowd{side: side}
	n := 0
	for ; ; c.side *= 2 {
		c.w, c.h = (m.Width+c.side-1)/c.side, (m.Height+c.side-1)/c.side
		if n = int(c.w) * int(c.h); n <= tileLimit {
			break
		}
	}
	c.counts, c.next, c.tile = make([]tally, n), make([]tally, n), make([]bool, n)
	return c
}

// index is the zone a dot stands in, -1 outside the map.
func (c *crowd) index(d *Dot) int {
	x, y := int32(math.Floor(float64(d.X)))/c.side, int32(math.Floor(float64(d.Y)))/c.side
	if d.X < 0 || d.Y < 0 || x >= c.w || y >= c.h {
		return -1
	}
	return int(y)*int(c.w) + int(x)
}

// hides says whether a dot is part of a tile and not drawn by itself.
func (c *crowd) hides(d *Dot) bool {
	i := c.index(d)
	return i >= 0 && c.tile[i]
}

// sort counts the visible dots per zone and decides about tiles. scale is in
// device pixels per cell.
func (c *crowd) sort(dots []Dot, g *glyphs, scale float64) {
	if c.sweeping {
		c.sweeping = false
		clear(c.tile)
	}
	clear(c.counts)
	for i := range dots {
		if z := c.index(&dots[i]); z >= 0 {
			c.counts[z][dots[i].Mode]++
		}
	}
	area := float64(c.side) * scale
	area *= area
	for z, t := range c.counts {
		covered := 0.0
		for mode, n := range t {
			covered += float64(n) * g.area(Mode(mode))
		}
		switch share := covered / area; {
		case share > crowdAbove:
			c.tile[z] = true
		case share < crowdBelow:
			c.tile[z] = false
		}
	}
}

// sweep carries the count on and shows the figures of the last whole sweep.
// last is what the last frame took; now reads the clock.
func (c *crowd) sweep(src Source, m Moment, last time.Duration, now func() time.Time) {
	if !c.sweeping {
		c.sweeping = true
		c.row = 0
		clear(c.next)
		clear(c.counts)
		for i := range c.tile {
			c.tile[i] = true
		}
	}
	budget := min(max(last/8, censusLeast), censusMost)
	for start := now(); now().Sub(start) < budget; {
		world := src.Map()
		lo := routes.Cell{X: 0, Y: c.row * c.side}
		hi := routes.Cell{X: world.Width - 1, Y: min(lo.Y+c.side, world.Height) - 1}
		c.dots = src.Dots(m, lo, hi, c.dots[:0])
		for i := range c.dots {
			d := &c.dots[i]
			if z := c.index(d); z >= 0 && int32(z)/c.w == c.row {
				c.next[z][d.Mode]++
			}
		}
		if c.row++; c.row == c.h {
			c.row = 0
			c.counts, c.next = c.next, c.counts
			clear(c.next)
			return
		}
	}
}

// tiles adds the tiles in view to the mesh, and their counts to the labels. The
// tone says how many; the bar along the lower edge how they are divided
// into active, on the way and at rest.
func (c *crowd) tiles(mesh *overlay.Mesh, cam *Camera, unit float64, labels []mapLabel) []mapLabel {
	lo, hi := cam.Visible()
	x0, y0 := max(lo.X, 0)/c.side, max(lo.Y, 0)/c.side
	x1, y1 := min(hi.X/c.side, c.w-1), min(hi.Y/c.side, c.h-1)
	most := 1
	for _, t := range c.counts {
		most = max(most, t.total())
	}
	size := float64(c.side) * cam.Scale
	pad := float32(math.Round(min(size*0.04, 2*unit)))
	for y := y0; y <= y1; y++ {
		for x := x0; x <= x1; x++ {
			i := int(y)*int(c.w) + int(x)
			n := c.counts[i].total()
			if !c.tile[i] || n == 0 {
				continue
			}
			sx, sy := cam.ToScreen(float64(x*c.side), float64(y*c.side))
			ax, ay := float32(math.Round(sx))+pad, float32(math.Round(sy))+pad
			bx, by := float32(math.Round(sx+size))-pad, float32(math.Round(sy+size))-pad
			// The root keeps small numbers visible beside large ones.
			heat := math.Sqrt(float64(n) / float64(most))
			mesh.Rect(ax, ay, bx, by, overlay.Alpha(overlay.Backdrop, 0.55))
			mesh.Rect(ax, ay, bx, by, overlay.Alpha(overlay.Resting, 0.12+0.5*heat))
			if size >= 12*unit {
				splitBar(mesh, ax, by-float32(min(max(3*unit, size*0.09), 8*unit)), bx, by, c.counts[i])
			} else if c.counts[i][Active] > 0 {
				mesh.Rect(ax, ay, bx, by, overlay.Alpha(overlay.Awake, 0.25+0.5*float64(c.counts[i][Active])/float64(n)))
			}
			if size >= 30*unit {
				labels = append(labels, mapLabel{s: overlay.Short(n), x: sx + size/2, y: sy + size*0.46, c: overlay.Ink})
			}
		}
	}
	return labels
}

// splitBar divides a bar into the modes' shares.
func splitBar(mesh *overlay.Mesh, x0, y0, x1, y1 float32, t tally) {
	n := float32(t.total())
	at := x0
	for _, p := range [...]struct {
		mode Mode
		c    color.RGBA
	}{{Active, overlay.Awake}, {Walking, overlay.Walking}, {Resting, overlay.Resting}} {
		to := at + (x1-x0)*float32(t[p.mode])/n
		mesh.Rect(at, y0, to, y1, p.c)
		at = to
	}
}
