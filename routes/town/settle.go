package town

import "chronoscope/routes"

// settlement is the capital, a town or a village.
type settlement struct {
	name   string
	x, y   int
	radius int    // how far it is built up, roughly
	wall   int    // radius of its wall, 0 without one
	river  int    // direction of the main river in degrees, the capital's only
	seed   uint64 // of its outlines
	market int    // radius of the market square
	gates  []point
}

// within says whether a cell lies in an outline of about radius r around s,
// one that wobbles by a share of r.
func (s *settlement) within(x, y, r, wobble int) bool {
	dx, dy := x-s.x, y-s.y
	if abs(dx) > 2*r || abs(dy) > 2*r {
		return false
	}
	amp := r / wobble
	dx += (noise(s.seed, x, y, max(r*2/3, 8)) - 512) * amp / 512
	dy += (noise(s.seed^1, x, y, max(r*2/3, 8)) - 512) * amp / 512
	return dx*dx+dy*dy < r*r
}

// walled says whether a cell lies inside the wall of s.
func (s *settlement) walled(x, y int) bool { return s.wall > 0 && s.within(x, y, s.wall, 5) }

// settled says whether a cell lies within margin cells of a settlement's
// built-up circle.
func (b *builder) settled(x, y, margin int) bool {
	for i := range b.settlements {
		s := &b.settlements[i]
		dx, dy, r := x-s.x, y-s.y, s.radius+margin
		if dx*dx+dy*dy < r*r {
			return true
		}
	}
	return false
}

// placeCapital puts the capital near the middle. Up to 256 its radius grows
// with the side; beyond, with its root, and towns and villages fill the land.
func (b *builder) placeCapital() {
	r := b.stream("capital")
	radius := 14 + b.n*70/256
	if b.n > 256 {
		radius = 84 * isqrt(b.n*4096/256) / 64
	}
	off := b.n / 20
	s := settlement{
		x:      b.n/2 + r.between(-off, off),
		y:      b.n/2 + r.between(-off, off),
		radius: radius,
		wall:   max(radius*2/5, 9),
		seed:   r.next(),
	}
	s.market = max(s.wall/5, 2)
	b.settlements = append(b.settlements, s)
}

// placeSettlements puts towns on large maps and villages on all but small
// ones, apart from each other and from the river.
func (b *builder) placeSettlements() {
	if b.n < 160 {
		return
	}
	r := b.stream("settlements")
	b.scatter(r, 190, 46, 80)
	b.scatter(r, 84, 14, 23)
}

// scatter tries a settlement in each square of a grid.
func (b *builder) scatter(r *rng, grid, small, large int) {
	for gy := range b.n / grid {
		for gx := range b.n / grid {
			cell := b.n / (b.n / grid)
			s := settlement{
				x:      gx*cell + cell/5 + r.below(cell*3/5),
				y:      gy*cell + cell/5 + r.below(cell*3/5),
				radius: r.between(small, large),
				seed:   r.next(),
			}
			s.market = 1 + s.radius/14
			if s.radius >= 56 {
				s.wall = s.radius * 2 / 5
				s.market = s.wall / 5
			}
			if b.fits(&s) {
				b.settlements = append(b.settlements, s)
			}
		}
	}
}

// fits says whether s keeps its distance from the border, from the others and,
// with its middle, from water.
func (b *builder) fits(s *settlement) bool {
	edge := s.radius*3/4 + 5
	if s.x < edge || s.y < edge || s.x >= b.n-edge || s.y >= b.n-edge {
		return false
	}
	for i := range b.settlements {
		o := &b.settlements[i]
		dx, dy, d := s.x-o.x, s.y-o.y, s.radius+o.radius+10+min(s.radius, 24)
		if dx*dx+dy*dy < d*d {
			return false
		}
	}
	dry := max(s.wall*5/4+4, s.market+5)
	for y := s.y - dry; y <= s.y+dry; y++ {
		for x := s.x - dry; x <= s.x+dry; x++ {
			if b.at(x, y) == routes.Water {
				return false
			}
		}
	}
	return true
}

// claimLand marks what lies within the radius of a settlement.
func (b *builder) claimLand() {
	for i := range b.settlements {
		s := &b.settlements[i]
		disc(s.x, s.y, s.radius, func(x, y int) { b.mark(x, y, flagTown) })
	}
}

func (b *builder) nameSettlements() {
	for i := range b.settlements {
		b.settlements[i].name = b.names.settlement()
	}
}

// district is a named part of a settlement.
type district struct {
	name       string
	x, y       int
	settlement int
	inside     bool // inside a wall
	grain      grain
}

// block is what streets enclose.
type block struct {
	district int
	street   string
	houses   int
	open     bool // gardens and fields, no houses
	x, y     int  // its seed point
}

// grain is the lie of a district's blocks: a turned and stretched lattice whose
// jittered points are the blocks' seeds.
type grain struct {
	seed   uint64
	ax, ay int // direction of the long side, in 1/64
	length int // spacing along it, in cells
	depth  int // spacing across
	jitter int // how far a seed may stray, percent of the spacing
}

// directions a grain may have, all of length 64 or nearly so.
var grainDirections = [8]point{{64, 0}, {62, 16}, {55, 33}, {45, 45}, {33, 55}, {0, 64}, {-33, 55}, {-55, 33}}

// divide gives every cell of a settlement a district and a block.
func (b *builder) divide() {
	r := b.stream("districts")
	for si := range b.settlements {
		first := len(b.districts)
		b.plotDistricts(r, si)
		b.divideSettlement(si, first)
	}
}

// plotDistricts puts the centres of the districts of a settlement on rings.
func (b *builder) plotDistricts(r *rng, si int) {
	s := &b.settlements[si]
	add := func(x, y int, inside bool) {
		d := grainDirections[r.below(len(grainDirections))]
		g := grain{
			seed: r.next(), ax: d.x, ay: d.y,
			length: r.between(19, 27), depth: r.between(13, 16), jitter: r.between(35, 75),
		}
		if b.n < 128 {
			g.length, g.depth = r.between(12, 16), r.between(9, 11)
		} else if inside {
			g.length, g.depth = r.between(14, 19), r.between(11, 13)
			g.jitter = r.between(60, 85)
		}
		b.districts = append(b.districts, district{
			name: b.names.district(inside), x: x, y: y,
			settlement: si, inside: inside, grain: g,
		})
	}
	if s.wall == 0 && s.radius < 34 {
		add(s.x, s.y, false)
		b.districts[len(b.districts)-1].name = s.name
		return
	}
	ring := func(radius, count int, inside bool) {
		turn := r.below(360)
		for i := range count {
			a := turn + 360*i/count + r.between(-60/count, 60/count)
			add(s.x+radius*cosine(a)/1024, s.y+radius*sine(a)/1024, inside)
		}
	}
	if s.wall >= 16 {
		ring(s.wall*11/20, max(3, s.wall/9), true)
	} else if s.wall > 0 {
		add(s.x, s.y, true)
	} else {
		add(s.x, s.y, false)
	}
	rings := max(1, (s.radius-s.wall)/46)
	for k := range rings {
		at := s.wall + (s.radius-s.wall)*(2*k+1)/(2*rings)
		ring(at, max(2, at*6/52), false)
	}
}

// divideSettlement finds district and block for each cell.
func (b *builder) divideSettlement(si, first int) {
	s := &b.settlements[si]
	seed := s.seed ^ 0xd15
	index := map[[3]int]int32{}
	reach := s.radius + s.radius/3 + 2
	r2 := s.radius * s.radius
	for y := max(s.y-reach, 2); y <= min(s.y+reach, b.n-3); y++ {
		for x := max(s.x-reach, 2); x <= min(s.x+reach, b.n-3); x++ {
			i := y*b.n + x
			if b.block[i] != 0 || b.t[i] == routes.Water || b.flag[i]&flagGlacis != 0 {
				continue
			}
			inside := s.walled(x, y)
			if !inside && !s.within(x, y, s.radius, 4) {
				continue
			}
			// Streets curve because the ground is warped before it is divided.
			wx := x + (noise(seed, x, y, 26)-512)*5/512
			wy := y + (noise(seed^1, x, y, 26)-512)*5/512
			di := b.nearestDistrict(first, wx, wy, inside)
			gx, gy, px, py := b.districts[di].grain.nearest(wx, wy)
			key := [3]int{di, gx, gy}
			id, ok := index[key]
			if !ok {
				b.blocks = append(b.blocks, block{district: di, x: px, y: py})
				id = int32(len(b.blocks))
				index[key] = id
				// Towards the border more and more blocks stay gardens.
				dx, dy := px-s.x, py-s.y
				d := (dx*dx + dy*dy) * 100 / r2
				b.blocks[id-1].open = !inside && d > 46 && int(hash(seed, px, py)%100) < d-40
			}
			b.block[i] = id
		}
	}
}

func (b *builder) nearestDistrict(first, x, y int, inside bool) int {
	best, bestD := -1, 0
	for i := first; i < len(b.districts); i++ {
		d := &b.districts[i]
		if d.inside != inside {
			continue
		}
		dx, dy := x-d.x, y-d.y
		if q := dx*dx + dy*dy; best < 0 || q < bestD {
			best, bestD = i, q
		}
	}
	return best
}

// nearest is the lattice point next to a cell, and where it lies.
func (g *grain) nearest(x, y int) (gx, gy, px, py int) {
	// Turned coordinates, 1/64 cell.
	u, v := x*g.ax+y*g.ay, y*g.ax-x*g.ay
	lu, lv := g.length*64, g.depth*64
	row := floorDiv(v, lv)
	best := -1
	for j := row - 1; j <= row+1; j++ {
		shift := 0
		if j&1 != 0 {
			shift = lu / 2 // like bricks, so that few streets cross at four arms
		}
		col := floorDiv(u-shift, lu)
		for i := col - 1; i <= col+1; i++ {
			h := hash(g.seed, i, j)
			cu := i*lu + shift + lu/2 + (int(h&1023)-512)*lu*g.jitter/102400
			cv := j*lv + lv/2 + (int(h>>20&1023)-512)*lv*g.jitter/102400
			du, dv := (u-cu)/8, (v-cv)/8
			if d := du*du + dv*dv*2; best < 0 || d < best {
				best, gx, gy = d, i, j
				px, py = (cu*g.ax-cv*g.ay)/4096, (cu*g.ay+cv*g.ax)/4096
			}
		}
	}
	return gx, gy, px, py
}
