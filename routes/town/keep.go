package town

import "chronoscope/routes"

// keepSide is the side of a keep in cells, walls included.
const keepSide = 13

// buildKeep puts a keep inside the capital's wall, if that is large enough: a
// square of walls with four towers, one gate, a court and a hall.
func (b *builder) buildKeep() {
	s := &b.settlements[0]
	if s.wall < 28 {
		return
	}
	for d := s.wall; d > s.market+keepSide/2; d-- {
		for turn := 0; turn < 360; turn += 6 {
			// Away from the river, and from there to both sides.
			a := s.river + 180 + turn/2
			if turn%12 != 0 {
				a = s.river + 180 - turn/2
			}
			x0 := s.x + d*cosine(a)/1024 - keepSide/2
			y0 := s.y + d*sine(a)/1024 - keepSide/2
			if b.clear(x0-2, y0-2, keepSide+4, keepSide+4) && b.has(x0, y0, flagInside) {
				b.raiseKeep(s, x0, y0)
				return
			}
		}
	}
}

func (b *builder) raiseKeep(s *settlement, x0, y0 int) {
	last := keepSide - 1
	// The gate is in the middle of the side that looks at the market.
	mid := keepSide / 2
	dx, dy := s.x-(x0+mid), s.y-(y0+mid)
	gate := point{x0 + mid, y0 + mid + sign(dy)*mid}
	hall := point{x0 + 3, y0 + mid - sign(dy)*3 - 1}
	if abs(dx) > abs(dy) {
		gate = point{x0 + mid + sign(dx)*mid, y0 + mid}
		hall = point{x0 + mid - 3, y0 + 2}
	}
	for y := 0; y <= last; y++ {
		for x := 0; x <= last; x++ {
			t := routes.Floor
			if x == 0 || y == 0 || x == last || y == last || (x < 2 || x > last-2) && (y < 2 || y > last-2) {
				t = routes.Wall
			}
			b.set(x0+x, y0+y, t)
			b.mark(x0+x, y0+y, flagKeep)
		}
	}
	for y := range 3 {
		for x := range 7 {
			b.set(hall.x+x, hall.y+y, routes.House)
		}
	}
	for _, o := range [4]point{{-1, -1}, {last + 1, -1}, {-1, last + 1}, {last + 1, last + 1}} {
		x, y := x0+o.x, y0+o.y
		for _, c := range [3]point{{x, y}, {x - sign(o.x), y}, {x, y - sign(o.y)}} {
			b.set(c.x, c.y, routes.Wall)
			b.mark(c.x, c.y, flagKeep)
		}
	}
	b.set(x0+last-3, y0+mid, routes.Water) // the well
	b.set(x0+3, y0+mid, routes.Tree)
	b.set(gate.x, gate.y, routes.Gate)
	b.keep = point{x0 + mid, y0 + mid}
	out := point{gate.x + sign(gate.x-b.keep.x), gate.y + sign(gate.y-b.keep.y)}
	way := b.road.find(out, nil, 1<<30, func(x, y int) bool { return b.has(x, y, flagNet) })
	b.lay(way, 0)
	b.mark(gate.x, gate.y, flagNet)
}

// buildPiers lets the quays of the capital reach out into the river.
func (b *builder) buildPiers() {
	s := &b.settlements[0]
	if b.n < 128 {
		return
	}
	rest := 0
	for _, p := range b.river {
		dx, dy := p.x-s.x, p.y-s.y
		if rest--; rest > 0 || dx*dx+dy*dy > s.radius*s.radius*3/4 {
			continue
		}
		// From the middle of the river towards the town.
		o := point{sign(s.x - p.x), 0}
		if s.river%180 != 0 {
			o = point{0, sign(s.y - p.y)}
		}
		var way []point
		q := p
		for b.at(q.x, q.y) == routes.Water {
			way = append(way, q)
			q = point{q.x + o.x, q.y + o.y}
		}
		wet := len(way)
		for len(way) < wet+3 && b.free(q.x, q.y) {
			way = append(way, q)
			q = point{q.x + o.x, q.y + o.y}
		}
		if len(way) < 4 || !b.has(q.x, q.y, flagNet) || b.bridgeNear(p, 6) {
			continue
		}
		rest = 17
		for _, c := range way[1:] {
			b.pave(c.x, c.y, true)
		}
		b.piers = append(b.piers, way[1])
	}
}
