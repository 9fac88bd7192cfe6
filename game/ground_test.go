package game

import (
	"bytes"
	"image/color"
	"testing"

	"chronoscope/overlay"
	"chronoscope/routes"
)

func luminance(c color.RGBA) float64 {
	return 0.2126*float64(c.R) + 0.7152*float64(c.G) + 0.0722*float64(c.B)
}

// The ground stays darker than everything that stands on it, and muted.
func TestGroundIsCalm(t *testing.T) {
	marks := min(luminance(overlay.Awake), luminance(overlay.Walking), luminance(overlay.Resting), luminance(overlay.Visitor))
	for i, c := range groundColors {
		if l := luminance(c); l > 0.8*marks {
			t.Errorf("terrain %d has brightness %.0f, marks from %.0f on", i, l, marks)
		}
		if c.A != 0xFF {
			t.Errorf("terrain %d is transparent", i)
		}
		if s := max(c.R, c.G, c.B) - min(c.R, c.G, c.B); s > 40 {
			t.Errorf("terrain %d is gaudy: %v", i, c)
		}
	}
}

func TestPaintGround(t *testing.T) {
	m := testGround()
	for y := range int32(256) {
		for x := range int32(256) {
			m.Terrain[y*256+x] = routes.Terrain(mix64(uint64(x/3)<<32|uint64(y/3)) % uint64(routes.TerrainCount))
		}
	}
	for _, n := range []int{1, 4, 16} {
		// What lies between two chunks is the same painted from either: the
		// margin of one is the first texels of the other.
		const cells = 8
		stride := (cells*n + 2) * 4
		left, right := make([]byte, stride*(cells*n+2)), make([]byte, stride*(cells*n+2))
		paintGround(m, 16, 40, cells, cells, n, left)
		paintGround(m, 16+cells, 40, cells, cells, n, right)
		for y := range cells*n + 2 {
			l, r := left[y*stride:(y+1)*stride], right[y*stride:(y+1)*stride]
			if !bytes.Equal(l[stride-8:], r[:8]) {
				t.Fatalf("%d texels a cell, row %d: %v is followed by %v", n, y, l[stride-8:], r[:8])
			}
		}
		for i := 3; i < len(left); i += 4 {
			if left[i] != 0xFF {
				t.Fatalf("%d texels a cell: texel %d was not painted", n, i/4)
			}
		}
	}
}

func TestLevels(t *testing.T) {
	last := 0
	for scale := 0.5; scale < 600; scale *= 1.05 {
		l := levelFor(scale)
		if l < last {
			t.Fatalf("scale %v goes back to level %d", scale, l)
		}
		last = l
		// Not more than three texels fall into one pixel.
		if d := details[l]; l > 0 && float64(d.texels) > 3*scale {
			t.Errorf("scale %v uses %d texels a cell", scale, d.texels)
		}
	}
	if last != len(details)-1 {
		t.Errorf("the finest level is never used")
	}
}

func BenchmarkPaintChunk(b *testing.B) {
	m := testGround()
	d := details[len(details)-1]
	n := int(d.texels)
	pix := make([]byte, (int(d.cells)*n+2)*(int(d.cells)*n+2)*4)
	b.ReportAllocs()
	for b.Loop() {
		paintGround(m, 32, 32, d.cells, d.cells, n, pix)
	}
}
