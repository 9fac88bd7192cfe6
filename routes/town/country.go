package town

import "chronoscope/routes"

// workTheLand puts farms in the fields and the works that live off the land:
// mills at the river, sawmills at the woods, quarries.
func (b *builder) workTheLand() {
	r := b.stream("country")
	water := b.distance(8, func(i int) bool { return b.t[i] == routes.Water })
	wood := b.distance(6, func(i int) bool { return b.t[i] == routes.Forest })
	const grid = 22
	for gy := range b.n / grid {
		for gx := range b.n / grid {
			x := gx*grid + r.below(grid)
			y := gy*grid + r.below(grid)
			roll := r.below(100)
			if x < 8 || y < 8 || x >= b.n-8 || y >= b.n-8 {
				continue
			}
			i := y*b.n + x
			switch {
			case water[i] <= 7 && roll < 40:
				b.homestead(r, x, y, [...]string{"Mill", "Fishery", "Boatyard", "Tannery"}[r.below(4)], false)
			case wood[i] <= 5 && roll < 45:
				b.homestead(r, x, y, [...]string{"Sawmill", "Charcoal Burners", "Hunting Lodge"}[r.below(3)], false)
			case roll < 4:
				b.quarry(r, x, y)
			case roll < 62:
				b.homestead(r, x, y, [...]string{"Farm", "Farm", "Farm", "Orchard", "Dairy"}[r.below(5)], true)
			}
		}
	}
}

// homestead builds a house, a barn and a yard with a track to the nearest
// street. Farms are homes as well.
func (b *builder) homestead(r *rng, x, y int, work string, home bool) {
	w, h := r.between(8, 10), r.between(7, 8)
	if !home {
		w, h = 7, 6
	}
	x0, y0 := x-w/2, y-h/2
	if !b.clear(x0-2, y0-2, w+4, h+4) || b.blockNear(x0-2, y0-2, w+4, h+4) {
		return
	}
	before := make([]routes.Terrain, 0, w*h)
	yard := func(f func(x, y int, corner bool)) {
		for cy := y0; cy < y0+h; cy++ {
			for cx := x0; cx < x0+w; cx++ {
				f(cx, cy, (cx == x0 || cx == x0+w-1) && (cy == y0 || cy == y0+h-1))
			}
		}
	}
	yard(func(cx, cy int, corner bool) {
		before = append(before, b.at(cx, cy))
		if !corner {
			b.set(cx, cy, routes.Floor)
		}
	})
	// The house in one corner, the barn in another, doors towards the middle
	// row or column, from where the track leaves.
	left := r.chance(1, 2)
	hx, bx := x0, x0+w-4
	if !left {
		hx, bx = bx, hx
	}
	built := len(b.buildings)
	if home {
		b.hut(hx, y0, 4, 3, "Home", true)
	}
	b.hut(bx, y0+h-3, 4, 3, work, false)
	way := b.road.find(point{x0 + w/2, y0 + h/2 - (h+1)%2}, nil, 1100, func(x, y int) bool { return b.has(x, y, flagNet) })
	if way == nil {
		b.buildings = b.buildings[:built]
		yard(func(cx, cy int, _ bool) {
			b.set(cx, cy, before[0])
			before = before[1:]
		})
		return
	}
	b.lay(way, 0)
	yard(func(cx, cy int, corner bool) {
		if b.at(cx, cy) == routes.Road && !corner {
			b.set(cx, cy, routes.Floor)
		}
		b.mark(cx, cy, flagKeep)
	})
}

// hut builds a house in a yard, its door on the upper or the lower side.
func (b *builder) hut(x0, y0, w, h int, work string, down bool) {
	for y := y0; y < y0+h; y++ {
		for x := x0; x < x0+w; x++ {
			b.set(x, y, routes.House)
		}
	}
	door := point{x0 + w/2, y0}
	if down {
		door.y = y0 + h - 1
	}
	b.set(door.x, door.y, routes.Floor)
	b.buildings = append(b.buildings, building{
		x: x0, y: y0, w: w, h: h, door: door, work: work, district: b.closestDistrict(door),
	})
}

// quarry digs a pit with rocks left standing on one side.
func (b *builder) quarry(r *rng, x, y int) {
	rad := r.between(4, 6)
	if !b.clear(x-rad-2, y-rad-2, 2*rad+5, 2*rad+5) || b.blockNear(x-rad-2, y-rad-2, 2*rad+5, 2*rad+5) {
		return
	}
	way := b.road.find(point{x, y}, nil, 900, func(x, y int) bool { return b.has(x, y, flagNet) })
	if way == nil {
		return
	}
	b.lay(way, 0)
	seed := r.next()
	disc(x, y, rad, func(cx, cy int) {
		dx, dy := cx-x, cy-y
		rr := rad*8 + (noise(seed, cx, cy, 4)-512)*12/512
		d := dx*dx*64 + dy*dy*64
		switch {
		case b.has(cx, cy, flagNet):
		case d > rr*rr:
		case d > (rr-12)*(rr-12) && dy < rad/3:
			b.set(cx, cy, routes.Wall)
		default:
			b.set(cx, cy, routes.Floor)
		}
		b.mark(cx, cy, flagKeep)
	})
	b.buildings = append(b.buildings, building{
		x: x, y: y, w: 1, h: 1, door: point{x, y}, work: "Quarry", district: b.closestDistrict(point{x, y}),
	})
}

// blockNear says whether a rectangle reaches into a settlement.
func (b *builder) blockNear(x0, y0, w, h int) bool {
	for y := y0; y < y0+h; y++ {
		for x := x0; x < x0+w; x++ {
			if k := b.blockAt(x, y); k != 0 && !b.blocks[k-1].open {
				return true
			}
		}
	}
	return false
}

func (b *builder) closestDistrict(p point) int {
	best, bd := 0, -1
	for i := range b.districts {
		d := &b.districts[i]
		dx, dy := p.x-d.x, p.y-d.y
		if q := dx*dx + dy*dy; !d.inside && (bd < 0 || q < bd) {
			best, bd = i, q
		}
	}
	return best
}

// plantFields divides the open land into fields with hedges and sets single
// trees.
func (b *builder) plantFields() {
	seed := b.sub("fields")
	g := grain{seed: seed, ax: 62, ay: 16, length: 27, depth: 18, jitter: 60}
	// Ploughed land lies near houses, and not in the fields along the water.
	near := b.distance(26, func(i int) bool { return b.t[i] == routes.House && b.block[i] == 0 })
	parcel := make([]uint32, len(b.t))
	for y := range b.n {
		for x := range b.n {
			wx := x + (noise(seed^1, x, y, 30)-512)*6/512
			wy := y + (noise(seed^2, x, y, 30)-512)*6/512
			gx, gy, _, _ := g.nearest(wx, wy)
			parcel[y*b.n+x] = uint32(hash(seed, gx, gy)) | 1
		}
	}
	for y := range b.n {
		for x := range b.n {
			i := y*b.n + x
			if !b.free(x, y) || b.block[i] != 0 && !b.blocks[b.block[i]-1].open {
				continue
			}
			if b.t[i] == routes.Forest {
				if oneIn(seed^4, x, y, 7) {
					b.t[i] = routes.Tree
				}
				continue
			}
			if b.t[i] != routes.Field {
				continue
			}
			p := parcel[i]
			if ploughed := p>>1%5 < 2 && near[i] <= 26 && b.block[i] == 0; ploughed {
				// Furrows along or across.
				k := y
				if p>>8&1 == 0 {
					k = x
				}
				if k%3 == 0 {
					b.t[i] = routes.Floor
				}
			}
			hedge := x+1 < b.n && parcel[i+1] != p || y+1 < b.n && parcel[i+b.n] != p
			switch {
			case hedge && noise(seed^5, x, y, 12) > 430 && !oneIn(seed^6, x, y, 4):
				b.t[i] = routes.Tree
			case oneIn(seed^7, x, y, 160):
				b.t[i] = routes.Tree
			}
		}
	}
}
