package game

import (
	"math"

	"chronoscope/overlay"
	"chronoscope/routes"
)

// Characters who stand on one cell cover each other however large the cell is
// drawn. From pileFrom on their number is written below the cell, where cells
// are at least pileCell device-independent pixels wide.
const (
	pileFrom  = 10
	pileCell  = 8
	pileLimit = 60 // labels in a frame
)

// piles counts the visible characters per cell. Its map is kept.
type piles struct {
	count map[routes.Cell]int32
	shown bool // some number was written in the last frame
}

func cellOf(d *Dot) routes.Cell {
	return routes.Cell{X: int32(math.Floor(float64(d.X))), Y: int32(math.Floor(float64(d.Y)))}
}

// label appends the numbers of the piles among the dots that aren't hidden in
// tiles.
func (p *piles) label(dots []Dot, c *crowd, cam *Camera, unit float64, labels []mapLabel, words *words) []mapLabel {
	p.shown = false
	if cam.Scale < pileCell*unit {
		return labels
	}
	if p.count == nil {
		p.count = map[routes.Cell]int32{}
	}
	clear(p.count)
	for i := range dots {
		if d := &dots[i]; !c.hides(d) {
			p.count[cellOf(d)]++
		}
	}
	written := 0
	for i := range dots {
		at := cellOf(&dots[i])
		n := p.count[at]
		if n < pileFrom || written == pileLimit {
			continue
		}
		p.count[at] = 0 // written
		written++
		p.shown = true
		x, y := cam.ToScreen(float64(at.X)+0.5, float64(at.Y)+1)
		labels = append(labels, mapLabel{
			s: words.short(int(n)), x: x, y: y + 9*unit, rank: pileRank, weight: n, style: overlay.Strong, c: overlay.Ink, ground: backed,
		})
	}
	return labels
}
