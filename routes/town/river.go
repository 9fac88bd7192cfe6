package town

import "chronoscope/routes"

// growWild covers the map with fields, woods and hedgerow trees as they would
// be without people.
func (b *builder) growWild() {
	wood, hills := b.sub("wood"), b.sub("hills")
	for y := range b.n {
		for x := range b.n {
			// More wood towards the borders, for the town stands in a clearing.
			edge := min(x, y, b.n-1-x, b.n-1-y) * 1024 / b.n
			h := rough(wood, x, y, 40) + (noise(hills, x, y, 150)-512)/3 - min(edge, 256)/2 + 70
			if h > 600 {
				b.set(x, y, routes.Forest)
			}
		}
	}
}

// sub-cell coordinates of rivers: 16 units a cell.
const riverUnits = 16

// drawRivers leads the main river past the capital's wall and, on larger maps,
// tributaries into it.
func (b *builder) drawRivers() {
	r := b.stream("river")
	c := &b.settlements[0]
	upright := r.chance(1, 2) // the river runs from north to south, or from west to east
	side := 1
	if r.chance(1, 2) {
		side = -1
	}
	along, across := c.x, c.y
	c.river = 180 - 90*side // south or north
	if upright {
		along, across = c.y, c.x
		c.river = 90 - 90*side // east or west
	}
	width := 1 + isqrt(b.n)/6
	bank := c.wall + width + max(3, c.wall/3)
	amp := b.n / 9

	// Control points swing from side to side; those beside the town only away
	// from it, and a smoothed curve stays within its control points.
	var ctl []point
	turn := 1
	if r.chance(1, 2) {
		turn = -1
	}
	step := max(b.n/7, 8)
	put := func(a, d int) {
		p := point{a * riverUnits, (across + side*d) * riverUnits}
		if upright {
			p.x, p.y = p.y, p.x
		}
		ctl = append(ctl, p)
	}
	reach := c.wall + step/2
	for a := along - reach - step; a > -2*step; a -= step {
		put(a+r.between(-step/4, step/4), bank+turn*r.between(amp/3, amp))
		turn = -turn
	}
	for i, j := 0, len(ctl)-1; i < j; i, j = i+1, j-1 {
		ctl[i], ctl[j] = ctl[j], ctl[i]
	}
	put(along-reach, bank+amp/6+r.below(amp/3+1))
	put(along-reach/3, bank+r.below(amp/8+1))
	put(along+reach/3, bank+r.below(amp/8+1))
	put(along+reach, bank+amp/6+r.below(amp/3+1))
	for a := along + reach + step; a < b.n+2*step; a += step {
		put(a+r.between(-step/4, step/4), bank+turn*r.between(amp/3, amp))
		turn = -turn
	}
	b.river = b.flow(ctl, width)
	b.drawTributaries(r, upright, along, reach, width)
}

// drawTributaries lets smaller rivers run from the borders into the main one.
func (b *builder) drawTributaries(r *rng, upright bool, along, reach, width int) {
	count := min(b.n/340, 12)
	for i := range count {
		a := b.n * (2*i + 1) / (2 * count)
		a += r.between(-b.n/(8*count), b.n/(8*count))
		if abs(a-along) < reach+b.n/10 {
			continue // it would run through the capital
		}
		var mouth point
		for _, p := range b.river {
			if upright && p.y == a || !upright && p.x == a {
				mouth = p
			}
		}
		if mouth == (point{}) {
			continue
		}
		from := -8
		if r.chance(1, 2) {
			from = b.n + 8
		}
		to := mouth.x
		if !upright {
			to = mouth.y
		}
		steps := max(abs(to-from)/(b.n/10+1), 2)
		var ctl []point
		for s := range steps + 1 {
			p := point{from + (to-from)*s/steps, a}
			if s < steps {
				p.y += r.between(-b.n/14, b.n/14)
			}
			if !upright {
				p.x, p.y = p.y, p.x
			}
			ctl = append(ctl, point{p.x * riverUnits, p.y * riverUnits})
		}
		b.flow(ctl, max(width/2, 1))
	}
}

// flow smooths the control points by cutting corners (Chaikin, 1974), lets
// water run along them and returns the cells of the centre line.
func (b *builder) flow(ctl []point, width int) []point {
	for range 5 {
		next := []point{ctl[0]}
		for i := range len(ctl) - 1 {
			p, q := ctl[i], ctl[i+1]
			next = append(next,
				point{(3*p.x + q.x) / 4, (3*p.y + q.y) / 4},
				point{(p.x + 3*q.x) / 4, (p.y + 3*q.y) / 4})
		}
		ctl = append(next, ctl[len(ctl)-1])
	}
	seed := b.sub("width")
	var line []point
	for i := range len(ctl) - 1 {
		p, q := ctl[i], ctl[i+1]
		steps := max(abs(q.x-p.x), abs(q.y-p.y), 1)
		for s := 0; s < steps; s += riverUnits / 2 {
			c := point{
				floorDiv(p.x+(q.x-p.x)*s/steps, riverUnits),
				floorDiv(p.y+(q.y-p.y)*s/steps, riverUnits),
			}
			if len(line) > 0 && line[len(line)-1] == c {
				continue
			}
			line = append(line, c)
			w := width
			if width > 1 {
				w += (noise(seed, c.x, c.y, 24) - 400) / 400
			}
			disc(c.x, c.y, w, func(x, y int) { b.set(x, y, routes.Water) })
		}
	}
	return line
}

// digPonds puts small waters into the country.
func (b *builder) digPonds() {
	r := b.stream("ponds")
	for range b.n * b.n / 16000 {
		x, y, rad := r.below(b.n), r.below(b.n), r.between(2, 4+b.n/256)
		seed := r.next()
		if b.settled(x, y, rad+4) {
			continue
		}
		disc(x, y, rad+2, func(cx, cy int) {
			dx, dy := cx-x, cy-y
			rr := rad*8 + (noise(seed, cx, cy, 5)-512)*rad*5/512
			if rr > 0 && dx*dx*64+dy*dy*64 < rr*rr {
				b.set(cx, cy, routes.Water)
			}
		})
	}
}

// floodPlain turns low ground near water into swamp. It runs after the
// settlements are placed, for nobody settles in a swamp.
func (b *builder) floodPlain() {
	const reach = 11
	seed := b.sub("swamp")
	near := b.distance(reach, func(i int) bool { return b.t[i] == routes.Water })
	for y := range b.n {
		for x := range b.n {
			i := y*b.n + x
			d := int(near[i])
			if d == 0 || d > reach || !wild(b.t[i]) || b.flag[i]&flagTown != 0 {
				continue
			}
			switch h := rough(seed, x, y, 40); {
			case h > 500+d*22:
				b.t[i] = routes.Swamp
			case d <= 2 && oneIn(seed, x, y, 7):
				b.t[i] = routes.Tree // willows
			}
		}
	}
}

// distance is the number of steps (4-connected) from the cells where is holds,
// up to reach; reach+1 stands for further away.
func (b *builder) distance(reach int, is func(i int) bool) []uint8 {
	d := make([]uint8, len(b.t))
	var front, next []int32
	for i := range d {
		if is(i) {
			front = append(front, int32(i))
		} else {
			d[i] = uint8(reach + 1)
		}
	}
	for step := uint8(1); int(step) <= reach; step++ {
		next = next[:0]
		for _, f := range front {
			x, y := int(f)%b.n, int(f)/b.n
			for _, o := range around4 {
				if b.in(x+o.x, y+o.y) {
					if j := (y+o.y)*b.n + x + o.x; d[j] > step {
						d[j] = step
						next = append(next, int32(j))
					}
				}
			}
		}
		front, next = next, front
	}
	return d
}

// around4 and around8 are the neighbours of a cell.
var (
	around4 = [4]point{{0, -1}, {1, 0}, {0, 1}, {-1, 0}}
	around8 = [8]point{{0, -1}, {1, -1}, {1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}}
)
