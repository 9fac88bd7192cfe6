package town

import "chronoscope/routes"

// building is a house with its door, or a work site.
type building struct {
	x, y, w, h int
	door       point
	district   int
	block      int32  // 0 in the country
	main       bool   // on a main road or a square
	work       string // what is done here, "" for houses in town
}

// plan says how a house is to stand.
type plan struct {
	front, depth int
	door         int // offset along the front
	setback      int // cells of front garden
	gap          int // free cells around, 0 lets houses touch sideways
}

// buildHouses lines the streets of all settlements with houses.
func (b *builder) buildHouses() {
	r := b.stream("houses")
	for y := 2; y < b.n-2; y++ {
		for x := 2; x < b.n-2; x++ {
			if !b.has(x, y, flagNet) {
				continue
			}
			for k, o := range around4 {
				next := b.blockAt(x+o.x, y+o.y)
				if next == 0 || b.blocks[next-1].open || !b.free(x+o.x, y+o.y) {
					continue
				}
				d := &b.districts[b.blocks[next-1].district]
				p := b.draw(r, d)
				if p.front == 0 {
					continue
				}
				for range 3 {
					if b.raise(x, y, k, p, next) {
						break
					}
					// A smaller one may fit where this didn't.
					p.front, p.depth = max(p.front-1, 2), max(p.depth-1, 2)
					p.door = min(p.door, p.front-1)
				}
			}
		}
	}
}

func (b *builder) blockAt(x, y int) int32 {
	if !b.in(x, y) {
		return 0
	}
	return b.block[y*b.n+x]
}

// draw chooses the plan of the next house of a district; no front stands for a
// gap in the row.
func (b *builder) draw(r *rng, d *district) plan {
	var p plan
	switch {
	case d.inside:
		p = plan{front: r.between(3, 5), depth: r.between(3, 5), gap: 1}
		if r.chance(1, 8) {
			p.gap = 0
		}
	case r.chance(1, 14):
		return plan{}
	default:
		p = plan{front: r.between(3, 5), depth: r.between(3, 4), gap: 1}
		if r.chance(1, 4) {
			p.setback = 1
		}
	}
	p.door = r.between(0, p.front-1)
	if p.front > 2 && r.chance(3, 4) {
		p.door = r.between(1, p.front-2)
	}
	return p
}

// raise builds a house on the side k of the street cell (x, y) if there is
// room, and says so.
func (b *builder) raise(x, y, k int, p plan, block int32) bool {
	o := around4[k]
	side := point{-o.y, o.x} // along the front
	dx, dy := x+o.x*(1+p.setback), y+o.y*(1+p.setback)
	for i := 1; i <= p.setback; i++ {
		if !b.free(x+o.x*i, y+o.y*i) {
			return false
		}
	}
	ax, ay := dx-side.x*p.door, dy-side.y*p.door
	bx, by := ax+side.x*(p.front-1)+o.x*(p.depth-1), ay+side.y*(p.front-1)+o.y*(p.depth-1)
	x0, x1, y0, y1 := min(ax, bx), max(ax, bx), min(ay, by), max(ay, by)
	for cy := y0; cy <= y1; cy++ {
		for cx := x0; cx <= x1; cx++ {
			if !b.free(cx, cy) || b.blockAt(cx, cy) != block {
				return false
			}
		}
	}
	for cy := y0 - 1; cy <= y1+1; cy++ {
		for cx := x0 - 1; cx <= x1+1; cx++ {
			if cy >= y0 && cy <= y1 && cx >= x0 && cx <= x1 {
				continue
			}
			switch t := b.at(cx, cy); {
			case t == routes.Wall, t == routes.Water:
				return false
			case t == routes.House && p.gap > 0:
				return false
			case b.has(cx, cy, flagKeep) && t == routes.Floor:
				return false // somebody's door or path
			}
		}
	}
	for cy := y0; cy <= y1; cy++ {
		for cx := x0; cx <= x1; cx++ {
			b.set(cx, cy, routes.House)
			b.mark(cx, cy, flagKeep)
		}
	}
	for i := 1; i <= p.setback+1; i++ {
		b.set(x+o.x*i, y+o.y*i, routes.Floor)
		b.mark(x+o.x*i, y+o.y*i, flagKeep)
	}
	b.blocks[block-1].houses++
	b.buildings = append(b.buildings, building{
		x: x0, y: y0, w: x1 - x0 + 1, h: y1 - y0 + 1,
		door: point{dx, dy}, district: b.blocks[block-1].district, block: block,
		main: b.has(x, y, flagMain),
	})
	return true
}

// buildLandmarks puts the fountain and the stalls on the market squares and a
// hall and a church beside the larger ones.
func (b *builder) buildLandmarks() {
	r := b.stream("landmarks")
	for i := range b.settlements {
		s := &b.settlements[i]
		if s.market >= 4 {
			f := s.market / 5
			for y := -f; y <= f; y++ {
				for x := -f; x <= f; x++ {
					b.set(s.x+x, s.y+y, routes.Water)
					b.flag[(s.y+y)*b.n+s.x+x] = flagKeep | flagInside&b.flag[(s.y+y)*b.n+s.x+x]
				}
			}
			b.stalls(s)
		}
		if s.radius >= 34 {
			b.landmark(r, s, r.between(9, 11), r.between(5, 6), "Town Hall")
			b.landmark(r, s, 6, r.between(9, 12), "Church")
		}
		if s.wall >= 24 {
			b.landmark(r, s, 7, 7, "Granary")
		}
	}
}

// stalls puts rows of small roofs on a market square.
func (b *builder) stalls(s *settlement) {
	for y := -s.market; y <= s.market; y += 3 {
		for x := -s.market; x <= s.market; x += 4 {
			if dx, dy := x, y; dx*dx+dy*dy < 8 || abs(x) <= 1 || abs(y) <= 1 {
				continue
			}
			if b.squareAround(s.x+x, s.y+y) && b.squareAround(s.x+x+1, s.y+y) {
				for k := range 2 {
					b.set(s.x+x+k, s.y+y, routes.House)
					b.flag[(s.y+y)*b.n+s.x+x+k] &^= flagNet | flagMain
					b.mark(s.x+x+k, s.y+y, flagKeep)
				}
			}
		}
	}
}

func (b *builder) squareAround(x, y int) bool {
	for _, o := range around8 {
		if b.at(x+o.x, y+o.y) != routes.Square {
			return false
		}
	}
	return b.at(x, y) == routes.Square
}

// landmark builds a large house as near to the market as it fits, its door on
// a street.
func (b *builder) landmark(r *rng, s *settlement, w, h int, what string) {
	start := r.below(360)
	for d := s.market + 1; d < s.radius/2; d++ {
		for turn := 0; turn < 360; turn += 12 {
			x0 := s.x + d*cosine(start+turn)/1024 - w/2
			y0 := s.y + d*sine(start+turn)/1024 - h/2
			if b.clear(x0, y0, w, h) && b.openDoor(x0, y0, w, h, what) {
				return
			}
		}
	}
}

// clear says whether a rectangle is free ground.
func (b *builder) clear(x0, y0, w, h int) bool {
	for y := y0; y < y0+h; y++ {
		for x := x0; x < x0+w; x++ {
			if !b.free(x, y) {
				return false
			}
		}
	}
	return true
}

// openDoor fills a rectangle with a house whose door touches a street, if one
// of its sides does.
func (b *builder) openDoor(x0, y0, w, h int, what string) bool {
	sides := [4][2]point{
		{{x0 + w/2, y0 + h - 1}, {0, 1}}, {{x0 + w/2, y0}, {0, -1}},
		{{x0, y0 + h/2}, {-1, 0}}, {{x0 + w - 1, y0 + h/2}, {1, 0}},
	}
	for _, s := range sides {
		door, o := s[0], s[1]
		if !b.has(door.x+o.x, door.y+o.y, flagNet) {
			continue
		}
		for y := y0; y < y0+h; y++ {
			for x := x0; x < x0+w; x++ {
				b.set(x, y, routes.House)
				b.mark(x, y, flagKeep)
			}
		}
		b.set(door.x, door.y, routes.Floor)
		block := b.blockAt(door.x, door.y)
		if block == 0 {
			block = b.nearBlock(door)
		}
		b.buildings = append(b.buildings, building{
			x: x0, y: y0, w: w, h: h, door: door, main: true, work: what,
			block: block, district: b.blocks[block-1].district,
		})
		return true
	}
	return false
}

// nearBlock is the block of the cell nearest to p that has one.
func (b *builder) nearBlock(p point) int32 {
	for d := 1; ; d++ {
		for y := -d; y <= d; y++ {
			for x := -d; x <= d; x++ {
				if k := b.blockAt(p.x+x, p.y+y); k != 0 {
					return k
				}
			}
		}
	}
}

// fillYards turns what is left between the houses into yards, gardens and
// trees.
func (b *builder) fillYards() {
	seed := b.sub("yards")
	near := b.distance(2, func(i int) bool { return b.t[i] == routes.House })
	for y := range b.n {
		for x := range b.n {
			i := y*b.n + x
			if b.block[i] == 0 || !b.free(x, y) {
				continue
			}
			bl := &b.blocks[b.block[i]-1]
			inside := b.districts[bl.district].inside
			switch d := near[i]; {
			case bl.open && bl.houses == 0:
				continue // plantFields takes it
			case d == 1 && oneIn(seed, x, y, 2), d == 1 && inside && !oneIn(seed^1, x, y, 3):
				b.t[i] = routes.Floor
			case oneIn(seed^3, x, y, 9):
				b.t[i] = routes.Tree
			default:
				b.t[i] = routes.Field
			}
		}
	}
}
