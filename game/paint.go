package game

import (
	"image/color"

	"chronoscope/routes"
)

// mix64 is a fixed mixing of bits (the finaliser of splitmix64): scatter and
// texture come from it, and it has nothing to do with the simulation's own
// random streams.
func mix64(z uint64) uint64 {
	z += 0x9E3779B97F4A7C15
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// paintGround paints the cells from (cx, cy), w by h of them, at n texels a
// side, with a margin of one texel all round, into an RGBA buffer of
// (w*n+2) x (h*n+2). The margin continues the neighbouring cells, so that
// linear filtering shows no seams between chunks. It is a pure function of the
// map.
func paintGround(m *routes.Map, cx, cy, w, h int32, n int, pix []byte) {
	stride := (int(w)*n + 2) * 4
	rows := int(h)*n + 2
	for y := cy - 1; y <= cy+h; y++ {
		for x := cx - 1; x <= cx+w; x++ {
			var around [9]routes.Terrain
			for i := range around {
				around[i] = m.At(routes.Cell{X: x + int32(i%3) - 1, Y: y + int32(i/3) - 1})
			}
			hash := mix64(uint64(uint32(x))<<32 | uint64(uint32(y)))
			ox, oy := int(x-cx)*n+1, int(y-cy)*n+1
			for ty := max(0, -oy); ty < n && oy+ty < rows; ty++ {
				row := pix[(oy+ty)*stride : (oy+ty+1)*stride]
				for tx := max(0, -ox); tx < n && (ox+tx)*4 < stride; tx++ {
					c := texel(&around, hash, tx, ty, n)
					t := row[(ox+tx)*4 : (ox+tx)*4+4 : (ox+tx)*4+4]
					t[0], t[1], t[2], t[3] = c.R, c.G, c.B, 0xFF
				}
			}
		}
	}
}

// texel is the colour of one texel of a cell, (tx, ty) of n by n. around are
// the terrains of the cell (in the middle) and its eight neighbours.
func texel(around *[9]routes.Terrain, hash uint64, tx, ty, n int) color.RGBA {
	t := around[4]
	c := groundColors[t]
	if t == routes.Void {
		return c
	}
	// Every cell has a slightly different brightness: the ground looks like
	// ground, and distances can be judged.
	c = shade(c, int(hash%5)-2)
	if n < 4 {
		return c
	}
	edge := edgeOf(around, t, tx, ty, n)
	switch t {
	case routes.House:
		if edge {
			return roofEdge
		}
		if n >= 16 && (ty%4 == 3) {
			return shade(c, -3)
		}
		if around[1] != routes.House && ty <= n/4 {
			return roofRidge
		}
	case routes.Wall:
		if edge {
			return wallEdge
		}
	case routes.Water:
		if edge {
			return shore
		}
		if n >= 16 && uint64(ty) == hash>>8%uint64(n) && uint64(tx) > hash>>16%uint64(n) {
			return shade(c, 5)
		}
	case routes.Tree, routes.Forest:
		// A crown per tree cell; a forest's are smaller and not in every one.
		r := n * 45 / 100
		if t == routes.Forest {
			if hash>>20%3 == 0 {
				return c
			}
			r = n * 30 / 100
		}
		dx, dy := tx-n/2-int(hash>>24%3)+1, ty-n/2-int(hash>>28%3)+1
		if d := dx*dx + dy*dy; d <= r*r {
			if dx+dy < -r/3 {
				return treeLight
			}
			return treeTop
		}
	case routes.Bridge:
		if ty%max(n/4, 2) == 0 {
			return shade(c, -9)
		}
	case routes.Square:
		if n >= 16 && (ty%8 == 0 || (tx+(ty/8%2)*4)%8 == 0) {
			return shade(c, -4)
		}
	case routes.Field, routes.Swamp:
		if n >= 16 && mix64(hash+uint64(ty*n+tx))%43 == 0 {
			return shade(c, 6)
		}
	case routes.Road:
		if n >= 16 && mix64(hash+uint64(ty*n+tx))%29 == 0 {
			return shade(c, -5)
		}
	}
	return c
}

// edgeOf says whether the texel lies on a side of the cell that borders on
// another terrain.
func edgeOf(around *[9]routes.Terrain, t routes.Terrain, tx, ty, n int) bool {
	w := max(n/8, 1)
	return ty < w && around[1] != t || ty >= n-w && around[7] != t ||
		tx < w && around[3] != t || tx >= n-w && around[5] != t
}

func shade(c color.RGBA, by int) color.RGBA {
	f := func(v uint8) uint8 { return uint8(min(max(int(v)+by, 0), 255)) }
	return color.RGBA{f(c.R), f(c.G), f(c.B), c.A}
}
