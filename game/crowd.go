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

// Below denseBelow device-independent pixels a cell nobody is drawn one by one:
// figures would be larger than streets. Above denseAbove they all come back.
const (
	denseBelow = 4.0
	denseAbove = 4.3
)

// blockLeast is the least side of a tile from afar, in device-independent
// pixels: several zones share one where theirs would be too small for a count.
const blockLeast = 34

// tally is how many characters of each mode are in a zone.
type tally [modeCount]int32

func (t tally) total() int { return int(t[Resting]) + int(t[Walking]) + int(t[Active]) }

func (t *tally) add(o tally) {
	for m, n := range o {
		t[m] += n
	}
}

// tileLimit bounds the tiles of a map. Where zones are more, a tile is a square
// of 4, 16, 64... of them.
const tileLimit = 1 << 16

// tiling divides a map into squares: its zones, where they aren't too many.
type tiling struct {
	side int32 // cells
	w, h int32 // tiles
}

func newTiling(m *routes.Map, side int32) tiling {
	t := tiling{side: side}
	for ; ; t.side *= 2 {
		t.w, t.h = (m.Width+t.side-1)/t.side, (m.Height+t.side-1)/t.side
		if t.len() <= tileLimit {
			return t
		}
	}
}

func (t *tiling) len() int { return int(t.w) * int(t.h) }

// index is the tile a dot stands in, -1 outside the map.
func (t *tiling) index(d *Dot) int {
	x, y := int32(math.Floor(float64(d.X)))/t.side, int32(math.Floor(float64(d.Y)))/t.side
	if d.X < 0 || d.Y < 0 || x >= t.w || y >= t.h {
		return -1
	}
	return int(y)*int(t.w) + int(x)
}

// within is the tiles that hold the cells lo..hi, those of the map.
func (t *tiling) within(lo, hi routes.Cell) (x0, y0, x1, y1 int32) {
	return max(lo.X, 0) / t.side, max(lo.Y, 0) / t.side, min(hi.X/t.side, t.w-1), min(hi.Y/t.side, t.h-1)
}

// crowd decides per zone between single figures and a tile of density, so that
// no zoom and no crowd ends in a soup of overlapping figures.
type crowd struct {
	tiling
	counts []tally
	tile   []bool

	dense    bool // from afar: every zone is a tile
	sweeping bool // counts come from a census, every zone is a tile
	taken    int  // which sweep of it
	shown    bool // some tile was drawn in the last frame
	// The tiles that may hold counts.
	x0, y0, x1, y1 int32
}

func newCrowd(m *routes.Map, side int32) *crowd {
	c := &crowd{tiling: newTiling(m, side)}
	c.counts, c.tile = make([]tally, c.len()), make([]bool, c.len())
	c.x1, c.y1 = c.w-1, c.h-1
	return c
}

// hides says whether a dot is part of a tile and not drawn by itself.
func (c *crowd) hides(d *Dot) bool {
	i := c.index(d)
	return i >= 0 && c.tile[i]
}

// blank forgets what is counted.
func (c *crowd) blank() {
	for y := c.y0; y <= c.y1; y++ {
		row := int(y) * int(c.w)
		clear(c.counts[row+int(c.x0) : row+int(c.x1)+1])
	}
}

// sort counts the visible dots per zone and decides about tiles. The dots stand
// in the cells lo..hi; scale is in device pixels per cell.
func (c *crowd) sort(dots []Dot, lo, hi routes.Cell, g *glyphs, scale float64) {
	was := c.dense || c.sweeping
	c.blank()
	c.sweeping = false
	if c.x0, c.y0, c.x1, c.y1 = c.within(lo, hi); c.x0 > c.x1 || c.y0 > c.y1 {
		c.x0, c.y0, c.x1, c.y1 = 0, 0, -1, -1
	}
	switch {
	case scale < denseBelow*g.unit:
		c.dense = true
	case scale > denseAbove*g.unit:
		c.dense = false
	}
	if was && !c.dense {
		clear(c.tile)
	}
	for i := range dots {
		if z := c.index(&dots[i]); z >= 0 {
			c.counts[z][dots[i].Mode]++
		}
	}
	area := float64(c.side) * scale
	area *= area
	for y := c.y0; y <= c.y1; y++ {
		for x := c.x0; x <= c.x1; x++ {
			z := int(y)*int(c.w) + int(x)
			if c.dense {
				c.tile[z] = true
				continue
			}
			covered := 0.0
			for mode, n := range c.counts[z] {
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
}

// take shows what a census has counted: nobody is drawn one by one.
func (c *crowd) take(n *census) {
	if !c.sweeping {
		c.sweeping = true
		for i := range c.tile {
			c.tile[i] = true
		}
	} else if c.taken == n.whole && n.whole > 0 {
		return
	}
	c.taken = n.whole
	c.x0, c.y0, c.x1, c.y1 = 0, 0, c.w-1, c.h-1
	copy(c.counts, n.best())
}

// heatOf is the tone of so many characters on so many cells, 0..1. The
// logarithm keeps small numbers visible beside large ones.
func heatOf(n int, cells float64) float64 {
	return clamp01(math.Log2(1+float64(n)*256/cells) / 11)
}

// block is how many tiles' sides the side of one that is drawn has.
func (c *crowd) block(scale, unit float64) int32 {
	b := int32(1)
	if c.dense || c.sweeping {
		for float64(b*c.side)*scale < blockLeast*unit && b < max(c.w, c.h) {
			b *= 2
		}
	}
	return b
}

// tiles adds the tiles in view to the mesh, and their counts to the labels. The
// tone says how many; the bar along the lower edge how they are divided
// into active, on the way and at rest.
func (c *crowd) tiles(mesh *overlay.Mesh, cam *Camera, unit float64, labels []mapLabel, words *words) []mapLabel {
	c.shown = false
	lo, hi := cam.Visible()
	x0, y0, x1, y1 := c.within(lo, hi)
	b := c.block(cam.Scale, unit)
	size := float64(c.side*b) * cam.Scale
	pad := float32(math.Round(min(size*0.04, 1.5*unit)))
	afar := c.dense || c.sweeping
	for y := y0 / b * b; y <= y1; y += b {
		for x := x0 / b * b; x <= x1; x += b {
			var t tally
			for yy := y; yy < min(y+b, c.h); yy++ {
				for xx := x; xx < min(x+b, c.w); xx++ {
					if i := int(yy)*int(c.w) + int(xx); c.tile[i] {
						t.add(c.counts[i])
					}
				}
			}
			n := t.total()
			if n == 0 {
				continue
			}
			c.shown = true
			sx, sy := cam.ToScreen(float64(x*c.side), float64(y*c.side))
			ax, ay := float32(math.Round(sx))+pad, float32(math.Round(sy))+pad
			bx, by := float32(math.Round(sx+size))-pad, float32(math.Round(sy+size))-pad
			heat := heatOf(n, float64(c.side*b)*float64(c.side*b))
			if !afar {
				mesh.Rect(ax, ay, bx, by, overlay.Alpha(overlay.Backdrop, 0.55))
			}
			mesh.Rect(ax, ay, bx, by, overlay.Alpha(overlay.Resting, 0.06+0.62*heat))
			bar := float32(min(max(3*unit, size*0.09), 8*unit))
			splitBar(mesh, ax, by-bar, bx, by, t, 0.35+0.65*heat)
			labels = append(labels, mapLabel{
				s: words.short(n), x: sx + size/2, y: sy + (size-float64(bar))/2, rank: tileRank, weight: int32(min(n, math.MaxInt32)),
				style: overlay.Strong, c: overlay.Ink, ground: shadowed,
			})
		}
	}
	return labels
}

// splitBar divides a bar into the modes' shares, of an opacity in 0..1.
func splitBar(mesh *overlay.Mesh, x0, y0, x1, y1 float32, t tally, opacity float64) {
	n := float32(t.total())
	at := x0
	for _, p := range [...]struct {
		mode Mode
		c    color.RGBA
	}{{Active, overlay.Awake}, {Walking, overlay.Walking}, {Resting, overlay.Resting}} {
		to := at + (x1-x0)*float32(t[p.mode])/n
		mesh.Rect(at, y0, to, y1, overlay.Alpha(p.c, opacity))
		at = to
	}
}

// censusAbove is the number of characters in view from which on nobody is drawn
// one by one, and zones are counted by a sweep over several frames: asking
// where everyone stands in each frame would cost more than a frame has.
const censusAbove = 20_000

// A frame that shows a census counts for an eighth of what the last one took,
// within these limits: where frames are slow anyway, the count shouldn't fall
// behind as well. One that is only for the minimap counts for censusIdle.
const (
	censusLeast = 2 * time.Millisecond
	censusMost  = 250 * time.Millisecond
	censusIdle  = 300 * time.Microsecond
)

// censusEvery is how often a count for the minimap begins anew.
const censusEvery = time.Second

// census counts the whole map's characters per zone, some rows in a frame.
type census struct {
	tiling
	counts []tally // of the last whole sweep
	whole  int     // sweeps so far
	next   []tally
	row    int32
	dots   []Dot
	began  time.Time
}

func newCensus(m *routes.Map, side int32) *census {
	c := &census{tiling: newTiling(m, side)}
	c.counts, c.next = make([]tally, c.len()), make([]tally, c.len())
	return c
}

// best is the last whole sweep's count, or of the first one what it has so far:
// where frames are slow, part of a map is better than none for many of them.
func (c *census) best() []tally {
	if c.whole == 0 {
		return c.next
	}
	return c.counts
}

// budget is what a frame may count for after one that took last.
func (c *census) budget(last time.Duration) time.Duration {
	return min(max(last/8, censusLeast), censusMost)
}

// sweep carries the count on. every is the least time between two beginnings;
// now reads the clock.
func (c *census) sweep(src Source, m Moment, budget, every time.Duration, now func() time.Time) {
	start := now()
	if c.row == 0 {
		if c.whole > 0 && start.Sub(c.began) < every {
			return
		}
		c.began = start
	}
	for ; now().Sub(start) < budget; c.row++ {
		if c.row == c.h {
			break
		}
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
	}
	if c.row == c.h {
		c.row = 0
		c.whole++
		c.counts, c.next = c.next, c.counts
		clear(c.next)
	}
}
