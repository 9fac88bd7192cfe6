package town

import "chronoscope/routes"

// buildWalls puts walls, towers and gates around the settlements that have
// them. What the walls enclose is cleared of trees, and an open strip is kept
// outside.
func (b *builder) buildWalls() {
	r := b.stream("walls")
	for i := range b.settlements {
		if b.settlements[i].wall > 0 {
			b.buildWall(r, &b.settlements[i])
		}
	}
}

func (b *builder) buildWall(r *rng, s *settlement) {
	thick := 1
	if s.wall >= 24 {
		thick = 2
	}
	reach := 2*s.wall + 8
	area := func(f func(x, y int)) {
		for y := max(s.y-reach, 0); y <= min(s.y+reach, b.n-1); y++ {
			for x := max(s.x-reach, 0); x <= min(s.x+reach, b.n-1); x++ {
				f(x, y)
			}
		}
	}
	area(func(x, y int) {
		if s.walled(x, y) {
			b.mark(x, y, flagInside)
			b.set(x, y, routes.Field)
		}
	})
	// The wall is every cell outside that touches the inside, corners too: a
	// ring that lets nobody through, diagonally neither.
	strip := 3 + thick
	if s.wall < 16 {
		strip = 2
	}
	area(func(x, y int) {
		if b.has(x, y, flagInside) {
			return
		}
		switch d := b.insideWithin(x, y, strip); {
		case d > strip:
		case d <= thick:
			b.set(x, y, routes.Wall)
			b.mark(x, y, flagKeep|flagGlacis)
		default:
			b.mark(x, y, flagKeep|flagGlacis)
			if t := b.at(x, y); t != routes.Water {
				b.set(x, y, routes.Field)
			}
		}
	})
	b.buildTowers(s, thick)
	count := 4
	if s.wall >= 50 {
		count = 6
	} else if s.wall < 20 {
		count = 3
	}
	for g := range count {
		a := s.river + 360*g/count + r.between(-100/count, 100/count)
		s.gates = append(s.gates, b.openGate(s, a, thick))
	}
}

// insideWithin is the distance (in king's steps, up to most+1) to a cell inside
// a wall.
func (b *builder) insideWithin(x, y, most int) int {
	for d := 1; d <= most; d++ {
		for k := -d; k <= d; k++ {
			if b.has(x+k, y-d, flagInside) || b.has(x+k, y+d, flagInside) ||
				b.has(x-d, y+k, flagInside) || b.has(x+d, y+k, flagInside) {
				return d
			}
		}
	}
	return most + 1
}

// hitWall is the first wall cell from the middle of s in a direction.
func (b *builder) hitWall(s *settlement, deg int) point {
	for step := s.wall / 2 * 2; ; step++ {
		x, y := s.x+step*cosine(deg)/2048, s.y+step*sine(deg)/2048
		if t := b.at(x, y); t == routes.Wall || t == routes.Void {
			return point{x, y}
		}
	}
}

// buildTowers thickens the wall at regular distances.
func (b *builder) buildTowers(s *settlement, thick int) {
	if thick < 2 {
		return
	}
	count := max(s.wall*6/17, 6)
	for i := range count {
		p := b.hitWall(s, 360*(2*i+1)/(2*count))
		for y := -1; y <= 2; y++ {
			for x := -1; x <= 2; x++ {
				b.set(p.x+x, p.y+y, routes.Wall)
				b.mark(p.x+x, p.y+y, flagKeep)
			}
		}
	}
}

// openGate makes an opening three cells wide in a direction and returns its
// middle.
func (b *builder) openGate(s *settlement, deg, thick int) point {
	hit := b.hitWall(s, deg)
	for step := -1; step < 2*(thick+3); step++ {
		x := hit.x + step*cosine(deg)/2048
		y := hit.y + step*sine(deg)/2048
		for _, o := range append(around8[:], point{}) {
			if b.at(x+o.x, y+o.y) == routes.Wall {
				b.set(x+o.x, y+o.y, routes.Gate)
			}
		}
	}
	return hit
}
