package town

import (
	"cmp"
	"slices"

	"chronoscope/routes"
)

// Costs of laying a road over a cell. Existing roads are so cheap that later
// ones join them, and water so dear that few bridges are built.
const (
	layRoad   = 6
	layField  = 9
	layForest = 18
	laySwamp  = 40
	layWater  = 90
)

// layGuess is what a search expects of each cell to come: more than a road, so
// that the way may cost a little more than the cheapest, and is found far sooner.
const layGuess = 10

// layRelief is how much a cell's lie adds at most: roads wind around it.
const layRelief = 22

// pathfinder finds where a road goes: A* over the cost of laying it.
type pathfinder struct {
	b      *builder
	relief []uint8 // of each cell, 0 to layRelief
	dry    bool    // stay on this side of the water

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
	case routes.Road, routes.Square, routes.Gate:
		return layRoad
	case routes.Bridge:
		if p.dry {
			return 0
		}
		return layRoad
	case routes.Field, routes.Floor, routes.Tree:
		if b.has(x, y, flagKeep) && b.t[y*b.n+x] == routes.Floor {
			return 0 // somebody's yard
		}
		return layField + int(p.relief[y*b.n+x])
	case routes.Forest:
		return layForest + int(p.relief[y*b.n+x])
	case routes.Swamp:
		return laySwamp
	case routes.Water:
		if p.dry {
			return 0
		}
		return layWater
	}
	return 0
}

// survey makes room for searches and finds out the lie of the land.
func (p *pathfinder) survey() {
	b := p.b
	p.stamp, p.dist, p.from = make([]uint32, len(b.t)), make([]int32, len(b.t)), make([]uint8, len(b.t))
	p.relief = make([]uint8, len(b.t))
	seed := b.sub("relief")
	for y := range b.n {
		for x := range b.n {
			h := (noise(seed, x, y, 26)*2 + noise(seed^1, x, y, 9)) / 3
			h = h * layRelief / 1024
			if min(x, y, b.n-1-x, b.n-1-y) < 5 {
				h += 30 // not along the border of the map
			}
			p.relief[y*b.n+x] = uint8(h)
		}
	}
}

// find is the cheapest way from a to the first cell for which done holds,
// both included; nil if there is none. With a goal it is drawn towards it.
func (p *pathfinder) find(a point, goal *point, most int, done func(x, y int) bool) []point {
	b := p.b
	if p.stamp == nil {
		p.survey()
	}
	p.run++
	p.heap = p.heap[:0]
	guess := func(x, y int) int {
		if goal == nil {
			return 0
		}
		dx, dy := abs(x-goal.x), abs(y-goal.y)
		return layGuess * (5*max(dx, dy) + 2*min(dx, dy)) / 5
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
	c := b.settlements[0]
	hub := point{c.x, c.y}
	wide := 2
	if b.n < 128 {
		wide = 1
	}
	// From each gate of the capital to the market and out of the map.
	for _, g := range c.gates {
		b.lay(b.road.find(g, &hub, 1<<30, func(x, y int) bool { return x == hub.x && y == hub.y }), wide)
		out := b.borderPoint(&c, g)
		b.lay(b.road.find(g, &out, 1<<30, func(x, y int) bool { return x == out.x && y == out.y }), wide)
	}
	// Others join the nearest one that is joined already (Prim's tree).
	type link struct{ to, d int }
	links := make([]link, len(b.settlements))
	last := 0
	for range len(b.settlements) - 1 {
		links[last].to = -1
		next := -1
		for i := range links {
			if links[i].to < 0 {
				continue
			}
			s, o := &b.settlements[i], &b.settlements[last]
			dx, dy := s.x-o.x, s.y-o.y
			if d := dx*dx + dy*dy; links[i].d == 0 || d < links[i].d {
				links[i] = link{last, d}
			}
			if next < 0 || links[i].d < links[next].d {
				next = i
			}
		}
		b.joinSettlement(next, links[next].to, min(wide, 1+b.settlements[next].radius/30))
		last = next
	}
}

// joinSettlement leads a road from settlement i to settlement j, or to any main
// road on the way. Of a walled one the gate next to j is used; roads from the
// other gates go where there is somebody to go to, or join the first.
func (b *builder) joinSettlement(i, j, wide int) {
	s, o := &b.settlements[i], &b.settlements[j]
	hub := point{s.x, s.y}
	near := (s.radius + 4) * (s.radius + 4)
	leave := func(from, goal point) {
		b.lay(b.road.find(from, &goal, 1<<30, func(x, y int) bool {
			dx, dy := x-s.x, y-s.y
			return dx*dx+dy*dy > near && b.has(x, y, flagMain) || x == goal.x && y == goal.y
		}), wide)
	}
	if len(s.gates) == 0 {
		leave(hub, point{o.x, o.y})
		return
	}
	gates := slices.Clone(s.gates)
	slices.SortStableFunc(gates, func(p, q point) int {
		return cmp.Compare((p.x-o.x)*(p.x-o.x)+(p.y-o.y)*(p.y-o.y), (q.x-o.x)*(q.x-o.x)+(q.y-o.y)*(q.y-o.y))
	})
	for k, g := range gates {
		b.lay(b.road.find(g, &hub, 1<<30, func(x, y int) bool { return x == hub.x && y == hub.y }), wide)
		if k == 0 {
			leave(g, point{o.x, o.y})
		} else if t := b.ahead(s, g, i); t != nil {
			leave(g, point{t.x, t.y})
		} else {
			b.lay(b.road.find(g, nil, 1<<30, func(x, y int) bool { return b.has(x, y, flagMain) && !s.walled(x, y) && !b.has(x, y, flagGlacis) }), wide)
		}
	}
}

// ahead is the nearest settlement that one sees from gate g of s looking
// straight out, nil without one.
func (b *builder) ahead(s *settlement, g point, self int) *settlement {
	var best *settlement
	bd := 0
	gx, gy := g.x-s.x, g.y-s.y
	for i := range b.settlements {
		o := &b.settlements[i]
		dx, dy := o.x-s.x, o.y-s.y
		d := dx*dx + dy*dy
		// The angle between them is below 37 degrees: cos^2 > 16/25.
		dot := dx*gx + dy*gy
		if i == self || dot <= 0 || dot*dot/max(gx*gx+gy*gy, 1)*25 < d*16 {
			continue
		}
		if best == nil || d < bd {
			best, bd = o, d
		}
	}
	return best
}

// borderPoint is where the road from a gate leaves the map: about straight on,
// on dry ground.
func (b *builder) borderPoint(c *settlement, g point) point {
	dx, dy := g.x-c.x, g.y-c.y
	k := max(abs(dx), abs(dy), 1)
	p := point{c.x, c.y}
	for step := 1; b.in(c.x+dx*step/k, c.y+dy*step/k); step++ {
		p = point{c.x + dx*step/k, c.y + dy*step/k}
	}
	for d := range b.n {
		for _, s := range [2]int{1, -1} {
			q := p
			if p.x == 0 || p.x == b.n-1 {
				q.y += s * d
			} else {
				q.x += s * d
			}
			if t := b.at(q.x, q.y); wild(t) || t == routes.Road {
				return q
			}
		}
	}
	return p
}

// addBridges sees to it that the main river can be crossed every so often.
func (b *builder) addBridges() {
	apart := max(b.n/6, 24)
	rest := apart / 3
	for i := range b.river {
		p := b.river[i]
		if rest--; rest > 0 || min(p.x, p.y, b.n-1-p.x, b.n-1-p.y) < 9 || b.bridgeNear(p, apart) {
			continue
		}
		// The narrowest crossing of the next few cells.
		var from, to point
		best := 0
		for _, p := range b.river[i:min(i+apart/3, len(b.river))] {
			for _, o := range around4[:2] {
				a, z, w := b.crossing(p, o)
				if w > 0 && (best == 0 || w < best) {
					from, to, best = a, z, w
				}
			}
		}
		if best == 0 || best > 24 {
			continue
		}
		// Worth while only where a road can be reached on both sides without
		// going over another bridge.
		b.road.dry = true
		first, second := b.toMainRoad(from), b.toMainRoad(to)
		b.road.dry = false
		if first == nil || second == nil {
			continue
		}
		rest = apart / 3
		b.lay(b.straight(from, to), 1)
		b.lay(first, 1)
		b.lay(second, 1)
	}
}

// toMainRoad is the cheapest way to a main road, nil without one.
func (b *builder) toMainRoad(from point) []point {
	return b.road.find(from, nil, 1<<30, func(x, y int) bool { return b.has(x, y, flagMain) })
}

// bridgeNear says whether there is a bridge within d cells of p.
func (b *builder) bridgeNear(p point, d int) bool {
	for y := p.y - d; y <= p.y+d; y++ {
		for x := p.x - d; x <= p.x+d; x++ {
			if b.at(x, y) == routes.Bridge {
				return true
			}
		}
	}
	return false
}

// crossing is where a straight line through p in direction o and back leaves
// the water, and how wide the water is; width 0 if there is no dry land for a
// road within reach.
func (b *builder) crossing(p, o point) (from, to point, width int) {
	const reach = 30
	from, to = p, p
	for b.at(from.x, from.y) == routes.Water && width < reach {
		from = point{from.x - o.x, from.y - o.y}
		width++
	}
	for b.at(to.x, to.y) == routes.Water && width < reach {
		to = point{to.x + o.x, to.y + o.y}
		width++
	}
	for range 2 {
		if b.road.cost(from.x, from.y) == 0 || b.road.cost(to.x, to.y) == 0 || b.at(from.x, from.y) == routes.Water || b.at(to.x, to.y) == routes.Water {
			return from, to, 0
		}
		from, to = point{from.x - o.x, from.y - o.y}, point{to.x + o.x, to.y + o.y}
	}
	from, to = point{from.x + o.x, from.y + o.y}, point{to.x - o.x, to.y - o.y}
	return from, to, width
}

// straight is the cells from a to z, which share a row or a column.
func (b *builder) straight(a, z point) []point {
	way := []point{a}
	for a != z {
		a = point{a.x + sign(z.x-a.x), a.y + sign(z.y-a.y)}
		way = append(way, a)
	}
	return way
}

func sign(v int) int { return max(min(v, 1), -1) }

// lay turns a way into a road of some width: 0 a track of one cell, 1 two
// cells, 2 three (two in the country). Water on the way becomes a bridge.
func (b *builder) lay(way []point, most int) {
	if most > 0 {
		way = b.bend(way)
	}
	for i, p := range way {
		wide := most
		if wide == 2 && !b.has(p.x, p.y, flagTown) {
			wide = 1
		}
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
		if most > 0 {
			for _, o := range around8 {
				if b.has(p.x+o.x, p.y+o.y, flagNet) {
					b.mark(p.x+o.x, p.y+o.y, flagMain)
				}
			}
		}
		b.mark(p.x, p.y, flagMain)
	}
}

// bend lets the straight runs of a way through open country swing a little, if
// the ground on both sides allows it.
func (b *builder) bend(way []point) []point {
	const least = 14
	seed := b.sub("bend")
	var bent []point
	for i := 0; i < len(way); {
		end := i
		for end < len(way) && b.free(way[end].x, way[end].y) {
			end++
		}
		if end-i < least {
			end = max(end, i+1)
			bent = append(bent, way[i:end]...)
			i = end
			continue
		}
		bent = append(bent, b.swing(seed, way[i:end])...)
		i = end
	}
	return bent
}

// swing moves the cells of a run by up to swingReach cells, less towards its
// ends, and joins them again. Where that would leave the open country the run
// stays as it is.
func (b *builder) swing(seed uint64, run []point) []point {
	const swingReach, taper = 7, 14
	var bent []point
	for i, p := range run {
		k := min(i, len(run)-1-i, taper)
		q := point{
			p.x + (noise(seed, p.x, p.y, 28)-512)*swingReach*k/(512*taper),
			p.y + (noise(seed^1, p.x, p.y, 28)-512)*swingReach*k/(512*taper),
		}
		for i > 0 {
			last := bent[len(bent)-1]
			if last == q {
				break
			}
			bent = append(bent, point{last.x + sign(q.x-last.x), last.y + sign(q.y-last.y)})
		}
		if i == 0 {
			bent = append(bent, q)
		}
	}
	for _, p := range bent {
		// A road is up to three cells wide.
		for _, o := range around8 {
			if b.in(p.x+o.x, p.y+o.y) && !b.free(p.x+o.x, p.y+o.y) && !b.has(p.x+o.x, p.y+o.y, flagNet) {
				return run
			}
		}
	}
	return bent
}

// pave makes one cell part of the street network if the ground allows it.
func (b *builder) pave(x, y int, bridge bool) {
	switch t := b.at(x, y); {
	case wild(t), t == routes.Tree, t == routes.Floor && !b.has(x, y, flagKeep):
		b.set(x, y, routes.Road)
	case t == routes.Water && bridge:
		b.set(x, y, routes.Bridge)
	case t == routes.Road, t == routes.Square, t == routes.Gate, t == routes.Bridge:
	default:
		return
	}
	b.mark(x, y, flagNet)
}
