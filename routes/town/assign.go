package town

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"chronoscope/routes"
)

// assign decides what each building is and makes the places.
func (b *builder) assign() {
	r := b.stream("assign")
	b.namePlaces(r)
	if b.keep != (point{}) {
		b.addPlace(b.settlements[0].name+" Keep", routes.Work, b.keep, b.nearestDistrict(0, b.keep.x, b.keep.y, true))
	}
	for _, p := range b.piers {
		if b.has(p.x, p.y, flagNet) {
			b.addPlace(b.names.work("Landing"), routes.Work, p, b.closestDistrict(p))
		}
	}
	b.openMarkets()
	b.mergeDistricts()
}

// namePlaces goes through the buildings of each district: some are taverns and
// workshops, the others homes.
func (b *builder) namePlaces(r *rng) {
	of := make([][]int, len(b.districts))
	for i := range b.buildings {
		d := b.buildings[i].district
		of[d] = append(of[d], i)
	}
	for d, list := range of {
		order := slices.Clone(list)
		for i := len(order) - 1; i > 0; i-- {
			j := r.below(i + 1)
			order[i], order[j] = order[j], order[i]
		}
		// Taverns and shops want a main road.
		slices.SortStableFunc(order, func(i, j int) int {
			return cmp.Compare(rank(&b.buildings[i]), rank(&b.buildings[j]))
		})
		town := 0
		for _, i := range order {
			if b.buildings[i].work == "" {
				town++
			}
		}
		taverns, works := (town+25)/50, (town+4)/9
		for _, i := range order {
			g := &b.buildings[i]
			if g.work != "" {
				continue
			}
			if taverns > 0 {
				taverns--
				g.work = "Tavern"
			} else if works > 0 {
				works--
				g.work = crafts[r.below(len(crafts))]
			}
		}
		b.number(d, list)
	}
}

func rank(g *building) int {
	if g.main {
		return 0
	}
	return 1
}

// number gives the buildings of a district their names, houses by street and
// in the order in which one meets them walking around the block.
func (b *builder) number(d int, list []int) {
	slices.SortStableFunc(list, func(i, j int) int {
		p, q := &b.buildings[i], &b.buildings[j]
		if c := cmp.Compare(p.block, q.block); c != 0 || p.block == 0 {
			return c
		}
		s := &b.blocks[p.block-1]
		return cmp.Compare(pseudoAngle(p.door.x-s.x, p.door.y-s.y), pseudoAngle(q.door.x-s.x, q.door.y-s.y))
	})
	last, count := int32(0), 0
	for _, i := range list {
		g := &b.buildings[i]
		var kind routes.PlaceKind
		var name string
		switch {
		case g.work == "" && g.block != 0:
			s := &b.blocks[g.block-1]
			if s.street == "" {
				s.street = b.names.street(b.districts[d].name)
			}
			if g.block != last {
				last, count = g.block, 0
			}
			count++
			name = fmt.Sprintf("%s %d", s.street, count)
		case g.work == "Home":
			name = b.names.farm()
		case g.work == "Tavern":
			kind, name = routes.Tavern, b.names.tavern()
		default:
			kind, name = routes.Work, b.names.work(g.work)
		}
		b.addPlace(name, kind, g.door, d)
	}
}

// pseudoAngle grows with the direction of (x, y) from 0 to 4 * 1024.
func pseudoAngle(x, y int) int {
	d := max(abs(x)+abs(y), 1)
	p := y * 1024 / d
	if x < 0 {
		return 2048 - p
	}
	return (p + 4096) % 4096
}

func (b *builder) addPlace(name string, kind routes.PlaceKind, at point, district int) {
	b.places = append(b.places, routes.Place{
		Name: name, Kind: kind,
		Cell:     routes.Cell{X: int32(at.x), Y: int32(at.y)},
		District: int32(district),
	})
}

// openMarkets makes places of the squares: each district has a market and a
// square of its own.
func (b *builder) openMarkets() {
	taken := map[point]bool{}
	for _, p := range b.places {
		taken[point{int(p.Cell.X), int(p.Cell.Y)}] = true
	}
	// near is the square cell next to a point that is still free.
	near := func(c point, reach int) (point, bool) {
		best, bd := point{}, -1
		for y := c.y - reach; y <= c.y+reach; y++ {
			for x := c.x - reach; x <= c.x+reach; x++ {
				dx, dy := x-c.x, y-c.y
				d := dx*dx + dy*dy
				if b.has(x, y, flagNet) && !taken[point{x, y}] && (bd < 0 || d < bd) {
					best, bd = point{x, y}, d
				}
			}
		}
		taken[best] = true
		return best, bd >= 0
	}
	for i := range b.districts {
		d := &b.districts[i]
		s := &b.settlements[d.settlement]
		if p, ok := near(point{d.x, d.y}, 12); ok {
			b.addPlace(b.names.square(d.name), routes.PublicSquare, p, i)
		}
		if p, ok := near(point{d.x + 1, d.y + 2}, 12); ok {
			b.addPlace(d.name+" Market", routes.Market, p, i)
		}
		if s.market >= 4 && (d.inside || s.wall == 0) {
			// The districts around the great market share it.
			dx, dy := d.x-s.x, d.y-s.y
			k := max(abs(dx), abs(dy), 1)
			c := point{s.x + dx*s.market/(k*2), s.y + dy*s.market/(k*2)}
			if p, ok := near(c, s.market+2); ok {
				b.addPlace(fmt.Sprintf("%s Market, %s", s.name, stalls[i%len(stalls)]), routes.Market, p, i)
			}
		}
	}
}

// mergeDistricts gives the places of districts that can't do on their own,
// without a few homes, work and a market, to the nearest one that can, and
// drops those that are left without places.
func (b *builder) mergeDistricts() {
	const fewHomes = 5
	type count [routes.Spot + 1]int
	counts := make([]count, len(b.districts))
	for _, p := range b.places {
		counts[p.District][p.Kind]++
	}
	whole := func(i int) bool {
		c := &counts[i]
		return c[routes.Home] >= fewHomes && c[routes.Work] > 0 && c[routes.Market] > 0
	}
	into := make([]int32, len(b.districts))
	var kept []district
	for i, d := range b.districts {
		if into[i] = -1; whole(i) {
			into[i] = int32(len(kept))
			kept = append(kept, d)
		}
	}
	if len(kept) == 0 { // the smallest towns are one district
		for i := range into {
			into[i] = 0
		}
		kept = b.districts[:1]
	}
	for i, d := range b.districts {
		if into[i] < 0 {
			into[i] = nearest(kept, d)
		}
	}
	for i := range b.places {
		b.places[i].District = into[b.places[i].District]
	}
	b.districts = kept
}

// nearest is the index of the district of list that is nearest to d; those of
// another settlement count as farther away.
func nearest(list []district, d district) int32 {
	best, bd := 0, -1
	for i, o := range list {
		dx, dy := o.x-d.x, o.y-d.y
		q := dx*dx + dy*dy
		if o.settlement != d.settlement {
			q *= 9
		}
		if bd < 0 || q < bd {
			best, bd = i, q
		}
	}
	return int32(best)
}

var errPlaces = errors.New("bad place")

// check counts the places that can be reached from the first one.
func (b *builder) check(m *routes.Map) error {
	n := b.n
	seen := make([]bool, n*n)
	first := m.Places[0].Cell
	queue := []int32{first.Y*int32(n) + first.X}
	seen[queue[0]] = true
	for len(queue) > 0 {
		i := int(queue[len(queue)-1])
		queue = queue[:len(queue)-1]
		x, y := i%n, i/n
		for _, o := range around4 {
			if j := (y+o.y)*n + x + o.x; b.in(x+o.x, y+o.y) && !seen[j] && m.Cost[b.t[j]] != 0 {
				seen[j] = true
				queue = append(queue, int32(j))
			}
		}
	}
	used := make(map[routes.Cell]bool, len(m.Places))
	for _, p := range m.Places {
		switch {
		case !m.Walkable(p.Cell):
			return fmt.Errorf("%w: %s at %d,%d is not walkable", errPlaces, p.Name, p.Cell.X, p.Cell.Y)
		case used[p.Cell]:
			return fmt.Errorf("%w: %s at %d,%d is not alone", errPlaces, p.Name, p.Cell.X, p.Cell.Y)
		case !seen[int(p.Cell.Y)*n+int(p.Cell.X)]:
			return fmt.Errorf("%w: %s at %d,%d can't be reached", errPlaces, p.Name, p.Cell.X, p.Cell.Y)
		}
		used[p.Cell] = true
	}
	return nil
}
