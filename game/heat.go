package game

import (
	"math"
	"time"

	"chronoscope/overlay"
	"chronoscope/routes"
)

// Numbers of registered legs are written in zones at least heatText wide; zones
// narrower than heatLeast are toned together. In device-independent pixels.
const (
	heatText  = 40.0
	heatLeast = 6.0
)

// heat is the registered legs of the zones in view, asked for as often as
// numbers are written.
type heat struct {
	counts []int32
	lo, hi routes.ZoneKey
	at     time.Time
}

// update asks anew when it is due.
func (h *heat) update(src Source, lo, hi routes.ZoneKey, now time.Time) {
	if lo == h.lo && hi == h.hi && now.Sub(h.at) < refreshEvery && h.at != (time.Time{}) {
		return
	}
	h.lo, h.hi, h.at = lo, hi, now
	h.counts = h.counts[:0]
	if lo.X <= hi.X && lo.Y <= hi.Y {
		h.counts = src.Heat(lo, hi, h.counts)
	}
}

// count is the legs of a zone; 0 for one that wasn't asked about.
func (h *heat) count(x, y int32) int {
	if x < h.lo.X || y < h.lo.Y || x > h.hi.X || y > h.hi.Y {
		return 0
	}
	i := int(y-h.lo.Y)*int(h.hi.X-h.lo.X+1) + int(x-h.lo.X)
	if i >= len(h.counts) {
		return 0
	}
	return int(h.counts[i])
}

// tone is how opaque the heat of so many legs is.
func (h *heat) tone(legs float64) float64 {
	if legs <= 0 {
		return 0
	}
	return 0.06 + 0.36*clamp01(math.Log2(1+legs)/10)
}

// warm adds the zones' heat to the mesh and their numbers to the labels.
func (z *zoneLayer) warm(mesh *overlay.Mesh, cam *Camera, unit float64, labels []mapLabel, words *words) []mapLabel {
	h := &z.heat
	size := float64(z.side) * cam.Scale
	block := int32(1)
	for float64(block)*size < heatLeast*unit {
		block *= 2
	}
	for y := h.lo.Y / block * block; y <= h.hi.Y; y += block {
		for x := h.lo.X / block * block; x <= h.hi.X; x += block {
			sum := 0
			for yy := y; yy < y+block; yy++ {
				for xx := x; xx < x+block; xx++ {
					sum += h.count(xx, yy)
				}
			}
			if sum == 0 {
				continue
			}
			x0, y0, _, _ := z.corners(cam, routes.ZoneKey{X: x, Y: y})
			_, _, x1, y1 := z.corners(cam, routes.ZoneKey{X: x + block - 1, Y: y + block - 1})
			mesh.Rect(x0, y0, x1, y1, overlay.Alpha(overlay.Heat, h.tone(float64(sum)/float64(block)/float64(block))))
			if block == 1 && size >= heatText*unit {
				labels = append(labels, mapLabel{
					s: words.short(sum), x: float64(x0) + 14*unit, y: float64(y1) - 10*unit, rank: heatRank,
					style: overlay.Small, c: heatInk, ground: shadowed,
				})
			}
		}
	}
	return labels
}
