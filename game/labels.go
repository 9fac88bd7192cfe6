package game

import (
	"cmp"
	"image"
	"image/color"
	"math"
	"slices"

	"chronoscope/overlay"

	"github.com/hajimehoshi/ebiten/v2"
)

// labelRank says which of two labels that would overlap stays: the lower one.
type labelRank uint8

const (
	markRank    labelRank = iota // who is selected, laggards
	passageRank                  // intervals of the selected leg
	nameRank                     // districts and places
	tileRank                     // counts of density
	pileRank                     // numbers on one cell
	heatRank                     // registered legs
)

// labelGround is what keeps a label legible.
type labelGround uint8

const (
	shadowed labelGround = iota // a dark edge
	backed                      // a dark plate
)

// mapLabel is a word on the map, written over the characters.
type mapLabel struct {
	s      string
	x, y   float64 // its middle, device pixels
	style  overlay.Style
	c      color.RGBA
	ground labelGround
	rank   labelRank
	weight int32 // among those of the same rank the heavier stays
	icon   icon  // to the left of the text
	// What it takes with a margin, and whether it is written: set by placing.
	w, h float64
	kept bool
}

// box is a rectangle in device pixels.
type box struct{ x0, y0, x1, y1 float64 }

func (a box) overlaps(b box) bool { return a.x0 < b.x1 && b.x0 < a.x1 && a.y0 < b.y1 && b.y0 < a.y1 }

// placer accepts boxes that overlap none that it has accepted before. It looks
// them up in a grid of squares; buffers are kept.
type placer struct {
	origin image.Point
	w, h   int
	square float64
	at     [][]int32 // indices into boxes
	boxes  []box
}

// reset empties it, for boxes that lie mostly in bounds.
func (p *placer) reset(bounds image.Rectangle, square float64) {
	w, h := int(float64(bounds.Dx())/square)+1, int(float64(bounds.Dy())/square)+1
	p.origin, p.square, p.w, p.h = bounds.Min, square, w, h
	for len(p.at) < w*h {
		p.at = append(p.at, nil)
	}
	for i := range p.at {
		p.at[i] = p.at[i][:0]
	}
	p.boxes = p.boxes[:0]
}

// squares are the squares of the grid that a box touches; what lies outside of
// it belongs to the squares at its edge.
func (p *placer) squares(b box) (x0, y0, x1, y1 int) {
	f := func(v float64, origin, n int) int {
		return min(max(int(math.Floor((v-float64(origin))/p.square)), 0), n-1)
	}
	return f(b.x0, p.origin.X, p.w), f(b.y0, p.origin.Y, p.h), f(b.x1, p.origin.X, p.w), f(b.y1, p.origin.Y, p.h)
}

// add accepts a box if it is free.
func (p *placer) add(b box) bool {
	x0, y0, x1, y1 := p.squares(b)
	for y := y0; y <= y1; y++ {
		for x := x0; x <= x1; x++ {
			for _, i := range p.at[y*p.w+x] {
				if p.boxes[i].overlaps(b) {
					return false
				}
			}
		}
	}
	n := int32(len(p.boxes))
	p.boxes = append(p.boxes, b)
	for y := y0; y <= y1; y++ {
		for x := x0; x <= x1; x++ {
			p.at[y*p.w+x] = append(p.at[y*p.w+x], n)
		}
	}
	return true
}

// labelSquare is the side of the placer's squares, in device-independent pixels.
const labelSquare = 64

// place decides which labels are written: greedily by importance, so that none
// overlaps another. blocked are boxes that nothing is written over. Labels are
// put in the order of their importance; equally important ones keep theirs.
func place(p *placer, labels []mapLabel, view image.Rectangle, unit float64, blocked ...image.Rectangle) {
	p.reset(view, labelSquare*unit)
	for _, b := range blocked {
		if !b.Empty() {
			p.add(box{float64(b.Min.X), float64(b.Min.Y), float64(b.Max.X), float64(b.Max.Y)})
		}
	}
	slices.SortStableFunc(labels, func(a, b mapLabel) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(b.weight, a.weight))
	})
	for i := range labels {
		l := &labels[i]
		l.kept = p.add(box{l.x - l.w/2, l.y - l.h/2, l.x + l.w/2, l.y + l.h/2})
	}
}

// placeLabels decides about all labels of the frame.
func (g *Game) placeLabels() {
	u := g.device
	for i := range g.labels {
		l := &g.labels[i]
		l.w, l.h = g.let.Width(l.s, l.style)+8*u, g.let.Height(l.style)+2*u
		if l.icon != noIcon {
			l.w += iconStep * u
		}
	}
	place(&g.placer, g.labels, g.at.view, u, g.legendBox, g.minimap.box)
}

// drawLabels writes the labels that have a place.
func (g *Game) drawLabels(screen *ebiten.Image) {
	u := g.device
	g.mesh.Reset()
	for i := range g.labels {
		l := &g.labels[i]
		if !l.kept {
			continue
		}
		if l.ground == backed {
			g.mesh.Rect(float32(l.x-l.w/2+u), float32(l.y-l.h/2), float32(l.x+l.w/2-u), float32(l.y+l.h/2), overlay.Alpha(overlay.Backdrop, 0.8))
		}
		if l.icon != noIcon {
			addIcon(&g.mesh, l.icon, l.x-l.w/2+(4+iconSide/2)*u, l.y, u)
		}
	}
	g.mesh.Draw(screen, g.white)
	for i := range g.labels {
		l := &g.labels[i]
		if !l.kept {
			continue
		}
		x := l.x
		if l.icon != noIcon {
			x += iconStep * u / 2
		}
		if l.ground == shadowed {
			g.let.DrawCentered(screen, l.s, x+u, l.y+u, l.style, overlay.Alpha(overlay.Backdrop, 0.9))
		}
		g.let.DrawCentered(screen, l.s, x, l.y, l.style, l.c)
	}
}
