package town

import "chronoscope/routes"

// paveMarkets makes the market square of each settlement, the hub of its
// roads. It is no main road yet: roads that look for one would end there before
// the settlement is joined to the others.
func (b *builder) paveMarkets() {
	for i := range b.settlements {
		s := &b.settlements[i]
		b.paveSquare(s.x, s.y, s.market, s.seed)
	}
}

// paveSquare lays a square of about radius r where the ground allows.
func (b *builder) paveSquare(cx, cy, r int, seed uint64) {
	disc(cx, cy, r+1, func(x, y int) {
		dx, dy := x-cx, y-cy
		rr := r*8 + (noise(seed, x, y, 5)-512)*10/512
		if dx*dx*64+dy*dy*64 > rr*rr+r*48 {
			return
		}
		if t := b.at(x, y); wild(t) || t == routes.Road || t == routes.Tree {
			b.set(x, y, routes.Square)
			b.mark(x, y, flagNet)
		}
	})
}

// layStreets turns the borders between blocks into streets.
func (b *builder) layStreets() {
	n := b.n
	pick := [4]int{0, 1, n, n + 1}
	water := b.distance(3, func(i int) bool { return b.t[i] == routes.Water })
	for y := 2; y < n-2; y++ {
		for x := 2; x < n-2; x++ {
			i := y*n + x
			if b.block[i] == 0 {
				continue
			}
			open := b.blocks[b.block[i]-1].open
			if b.beside(x, y, flagGlacis) || water[i] == 3 && !open {
				b.pave(x, y, false) // lanes along both sides of a wall, and quays
				continue
			}
			border, avenue := false, false
			for _, o := range pick[1:] {
				p, q := b.block[i], b.block[i+o]
				if q == 0 || p == q {
					continue
				}
				bp, bq := &b.blocks[p-1], &b.blocks[q-1]
				if bp.open && bq.open {
					continue
				}
				border = true
				avenue = avenue || bp.district != bq.district
			}
			if !border {
				continue
			}
			b.pave(x, y, false)
			if avenue && b.n >= 128 && !b.has(x, y, flagInside) {
				b.pave(x+1, y, false)
				b.pave(x, y+1, false)
			}
		}
	}
}

// beside says whether a cell touches one that has a flag.
func (b *builder) beside(x, y int, f uint8) bool {
	for _, o := range around8 {
		if b.has(x+o.x, y+o.y, f) {
			return true
		}
	}
	return false
}

// openSquares gives each district a square at the crossing nearest to its
// middle.
func (b *builder) openSquares() {
	for i := range b.districts {
		d := &b.districts[i]
		s := &b.settlements[d.settlement]
		reach := max(s.radius/2, 6)
		best, bd := point{-1, -1}, 0
		for y := d.y - reach; y <= d.y+reach; y++ {
			for x := d.x - reach; x <= d.x+reach; x++ {
				if !b.has(x, y, flagNet) || b.districtAt(x, y) != i || b.at(x, y) == routes.Bridge {
					continue
				}
				arms := 0
				for _, o := range around8 {
					if b.has(x+o.x*2, y+o.y*2, flagNet) {
						arms++
					}
				}
				dx, dy := x-d.x, y-d.y
				if q := dx*dx + dy*dy - arms*16; best.x < 0 || q < bd {
					best, bd = point{x, y}, q
				}
			}
		}
		if best.x < 0 {
			continue // nothing but water or a strip beside a wall
		}
		d.x, d.y = best.x, best.y
		r := 2
		if !d.inside && s.radius > 34 {
			r = 3
		}
		if b.at(best.x, best.y) != routes.Square {
			b.paveSquare(best.x, best.y, r, d.grain.seed)
		}
	}
	for i, t := range b.t {
		if t == routes.Square {
			b.flag[i] |= flagMain
		}
	}
}

// districtAt is the district of a cell, -1 outside settlements.
func (b *builder) districtAt(x, y int) int {
	if !b.in(x, y) {
		return -1
	}
	if k := b.block[y*b.n+x]; k != 0 {
		return b.blocks[k-1].district
	}
	return -1
}

// trimStreets takes away the streets that can't be reached from the market, so
// that every door on a street can.
func (b *builder) trimStreets() {
	n := b.n
	// The middle of the market may be a fountain: start beside it.
	hub := point{b.settlements[0].x, b.settlements[0].y}
	for !b.has(hub.x, hub.y, flagNet) {
		hub.y++
	}
	seen := make([]bool, n*n)
	queue := []int32{int32(hub.y*n + hub.x)}
	seen[queue[0]] = true
	for len(queue) > 0 {
		i := int(queue[len(queue)-1])
		queue = queue[:len(queue)-1]
		x, y := i%n, i/n
		for _, o := range around4 {
			if j := (y+o.y)*n + x + o.x; b.has(x+o.x, y+o.y, flagNet) && !seen[j] {
				seen[j] = true
				queue = append(queue, int32(j))
			}
		}
	}
	for i, ok := range seen {
		if !ok && b.flag[i]&flagNet != 0 {
			b.flag[i] &^= flagNet | flagMain
			if t := b.t[i]; t == routes.Road || t == routes.Square {
				b.t[i] = routes.Field
			}
		}
	}
}
