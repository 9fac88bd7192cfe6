package town

import "chronoscope/routes"

// Costs of laying a road over a cell. Existing roads are so cheap that later
// ones join them, and water so dear that few bridges are built.
const (
	layRoad   = 5
	layField  = 10
	layForest = 17
	laySwamp  = 34
	layWater  = 70
)

// pathfinder finds where a road goes: A* over the cost of laying it.
type pathfinder struct {
	b    *builder
	seed uint64

	// Scratch over the whole map, valid where stamp is run.
	stamp []uint32
	dist  []int32
	from  []uint8
	run   uint32
	heap  []node
}

type node struct{ f, cell int32 }

func (n node) less(o node) bool { return n.f < o.f || n.f == o.f && n.cell < o.cell }

// cost is what a road over a cell costs, 0 where none may go.
func (p *pathfinder) cost(x, y int) int {
	b := p.b
	switch b.at(x, y) {
	case routes.Road, routes.Square, routes.Gate, routes.Bridge:
		return layRoad
	case routes.Field, routes.Floor, routes.Tree:
		return layField + noise(p.seed, x, y, 18)*9/1024
	case routes.Forest:
		return layForest + noise(p.seed, x, y, 18)*9/1024
	case routes.Swamp:
		return laySwamp
	case routes.Water:
		return layWater
	}
	return 0
}

// find is the cheapest way from a to the first cell for which done holds,
// both included; nil if there is none. With a goal it is drawn towards it.
func (p *pathfinder) find(a point, goal *point, most int, done func(x, y int) bool) []point {
	b := p.b
	if p.stamp == nil {
		p.stamp, p.dist, p.from = make([]uint32, len(b.t)), make([]int32, len(b.t)), make([]uint8, len(b.t))
	}
	p.run++
	p.heap = p.heap[:0]
	guess := func(x, y int) int {
		if goal == nil {
			return 0
		}
		dx, dy := abs(x-goal.x), abs(y-goal.y)
		return layRoad*max(dx, dy) + 2*min(dx, dy)
	}
	start := a.y*b.n + a.x
	p.stamp[start], p.dist[start], p.from[start] = p.run, 0, 8
	p.push(node{int32(guess(a.x, a.y)), int32(start)})
	for len(p.heap) > 0 {
		top := p.pop()
		cell := int(top.cell)
		x, y := cell%b.n, cell/b.n
		g := int(p.dist[cell])
		if int(top.f) > g+guess(x, y) {
			continue // a cheaper way came later
		}
		if done(x, y) {
			return p.trace(cell)
		}
		if g > most {
			return nil
		}
		wet := b.t[cell] == routes.Water
		for k, o := range around8 {
			nx, ny := x+o.x, y+o.y
			if !b.in(nx, ny) {
				continue
			}
			next := ny*b.n + nx
			c := p.cost(nx, ny)
			if c == 0 {
				continue
			}
			step := c * 5
			if diagonal := k&1 != 0; diagonal {
				// Bridges run straight, and nobody squeezes past a corner.
				if wet || b.t[next] == routes.Water || p.cost(x, ny) == 0 || p.cost(nx, y) == 0 {
					continue
				}
				step = c * 7
			} else if wet && p.from[cell] < 8 && int(p.from[cell]) != k {
				continue // nor do bridges turn
			}
			d := int32(g + step/5)
			if p.stamp[next] == p.run && p.dist[next] <= d {
				continue
			}
			p.stamp[next], p.dist[next], p.from[next] = p.run, d, uint8(k)
			p.push(node{d + int32(guess(nx, ny)), int32(next)})
		}
	}
	return nil
}

func (p *pathfinder) trace(cell int) []point {
	n := p.b.n
	var way []point
	for {
		x, y := cell%n, cell/n
		way = append(way, point{x, y})
		k := p.from[cell]
		if k == 8 {
			return way
		}
		cell = (y-around8[k].y)*n + x - around8[k].x
	}
}

func (p *pathfinder) push(v node) {
	h := append(p.heap, v)
	i := len(h) - 1
	for i > 0 && v.less(h[(i-1)/2]) {
		h[i] = h[(i-1)/2]
		i = (i - 1) / 2
	}
	h[i] = v
	p.heap = h
}

func (p *pathfinder) pop() node {
	h := p.heap
	top, last := h[0], h[len(h)-1]
	h = h[:len(h)-1]
	for i := 0; len(h) > 0; {
		c := 2*i + 1
		if c+1 < len(h) && h[c+1].less(h[c]) {
			c++
		}
		if c >= len(h) || !h[c].less(last) {
			h[i] = last
			break
		}
		h[i] = h[c]
		i = c
	}
	p.heap = h
	return top
}

// joinByRoads connects the capital with the borders of the map and all
// settlements with each other.
func (b *builder) joinByRoads() {
	r := b.stream("roads")
	c := b.settlements[0]
	hub := point{c.x, c.y}
	wide := 2
	if b.n < 128 {
		wide = 1
	}
	// From each gate of the capital outwards, the four directions first.
	for i, g := range c.gates {
		b.lay(b.road.find(g, &hub, 1<<30, func(x, y int) bool { return x == hub.x && y == hub.y }), wide)
		out := b.borderPoint(r, &c, g, i)
		b.lay(b.road.find(g, &out, 1<<30, func(x, y int) bool { return x == out.x && y == out.y }), wide)
	}
	// Others join the nearest one that is joined already.
	joined := []int{0}
	for len(joined) < len(b.settlements) {
		bi, bj, bd := -1, -1, 0
		for i := range b.settlements {
			if contains(joined, i) {
				continue
			}
			for _, j := range joined {
				s, o := &b.settlements[i], &b.settlements[j]
				dx, dy := s.x-o.x, s.y-o.y
				if d := dx*dx + dy*dy; bi < 0 || d < bd {
					bi, bj, bd = i, j, d
				}
			}
		}
		b.joinSettlement(bi, bj, min(wide, 1+b.settlements[bi].radius/30))
		joined = append(joined, bi)
	}
}

func contains(list []int, v int) bool {
	for _, x := range list {
		if x == v {
			return true
		}
	}
	return false
}

// joinSettlement leads roads from the gates (or the middle) of settlement i to
// settlement j, or to any road on the way.
func (b *builder) joinSettlement(i, j, wide int) {
	s, o := &b.settlements[i], &b.settlements[j]
	hub, goal := point{s.x, s.y}, point{o.x, o.y}
	start := []point{hub}
	for _, g := range s.gates {
		b.lay(b.road.find(g, &hub, 1<<30, func(x, y int) bool { return x == hub.x && y == hub.y }), wide)
		start = append(start, g)
	}
	near := (s.radius + 4) * (s.radius + 4)
	for _, a := range start {
		b.lay(b.road.find(a, &goal, 1<<30, func(x, y int) bool {
			dx, dy := x-s.x, y-s.y
			return dx*dx+dy*dy > near && b.has(x, y, flagMain) || x == goal.x && y == goal.y
		}), wide)
	}
}

// borderPoint is where the road from a gate leaves the map: about straight on.
func (b *builder) borderPoint(r *rng, c *settlement, g point, i int) point {
	dx, dy := g.x-c.x, g.y-c.y
	p := point{c.x, c.y}
	for b.in(p.x, p.y) && max(abs(p.x-c.x), abs(p.y-c.y)) < 2*b.n {
		k := max(abs(dx), abs(dy), 1)
		step := max(abs(p.x-c.x), abs(p.y-c.y)) + 1
		p = point{c.x + dx*step/k, c.y + dy*step/k}
	}
	p.x, p.y = min(max(p.x, 0), b.n-1), min(max(p.y, 0), b.n-1)
	// Not under water: look along the border for dry ground.
	for d := range b.n {
		for _, s := range [2]int{1, -1} {
			q := p
			if p.x == 0 || p.x == b.n-1 {
				q.y += s * (d + r.below(1))
			} else {
				q.x += s * d
			}
			if t := b.at(q.x, q.y); wild(t) || t == routes.Road {
				return q
			}
		}
	}
	_ = i
	return p
}

// lay turns a way into a road of some width: 0 a track of one cell, 1 two
// cells, 2 three. Water on the way becomes a bridge.
func (b *builder) lay(way []point, wide int) {
	for i, p := range way {
		near := way[max(i-1, 0):min(i+2, len(way))]
		wet := false
		for _, q := range near {
			if t := b.at(q.x, q.y); t == routes.Water || t == routes.Bridge {
				wet = true
			}
		}
		for y := -wide / 2; y <= (wide+1)/2; y++ {
			for x := -wide / 2; x <= (wide+1)/2; x++ {
				b.pave(p.x+x, p.y+y, wet)
			}
		}
		if i > 0 && wide == 0 {
			// A diagonal step takes the corner along, so that tracks are
			// joined side by side and nothing planted can cut them.
			if q := way[i-1]; q.x != p.x && q.y != p.y {
				b.pave(q.x, p.y, false)
			}
		}
	}
	for _, p := range way {
		if wide > 0 {
			for _, o := range around8 {
				if b.has(p.x+o.x, p.y+o.y, flagNet) {
					b.mark(p.x+o.x, p.y+o.y, flagMain)
				}
			}
		}
		b.mark(p.x, p.y, flagMain)
	}
}

// pave makes one cell part of the street network if the ground allows it.
func (b *builder) pave(x, y int, bridge bool) {
	switch t := b.at(x, y); {
	case wild(t), t == routes.Tree, t == routes.Floor:
		b.set(x, y, routes.Road)
	case t == routes.Water && bridge:
		b.set(x, y, routes.Bridge)
	case t == routes.Road, t == routes.Square, t == routes.Gate, t == routes.Bridge:
	default:
		return
	}
	b.mark(x, y, flagNet)
}
