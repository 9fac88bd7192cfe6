package routes

// ground is what a search needs to know about a map, worked out once: the
// directions in which each cell can be left, and the connected parts.
type ground struct {
	cost     [TerrainCount]uint64 // what it was worked out for
	half     halfSteps
	cheapest [2]uint64 // the least that a straight and a diagonal step can cost
	dearest  uint64    // the most that a step can cost
	open     []uint8   // per cell: bit d is set when direction d may be taken
	part     []int32   // per cell: number of its connected part, -1 where blocked
	size     []int32   // cells of each part
	largest  int32     // number of the part with most cells, the lowest at a tie; -1 if none
	walkable int
}

// The directions in the fixed order in which neighbours are looked at: east,
// south-east, south and so on around. Even ones are straight, odd ones
// diagonal. Constant tables.
var (
	stepX = [8]int32{1, 1, 0, -1, -1, -1, 0, 1}
	stepY = [8]int32{0, 1, 1, 1, 0, -1, -1, -1}
)

// ground returns what is derived from m's terrain and costs. Concurrent first
// callers may each work it out; the results are equal.
func (m *Map) ground() *ground {
	if g := m.derived.Load(); g != nil && g.cost == m.Cost {
		return g
	}
	g := newGround(m)
	m.derived.Store(g)
	return g
}

func newGround(m *Map) *ground {
	n := int(m.Width) * int(m.Height)
	g := &ground{cost: m.Cost, half: newHalfSteps(m.Cost), open: make([]uint8, n), part: make([]int32, n), largest: -1}
	var present [TerrainCount]bool
	for i, t := range m.Terrain {
		g.part[i] = -1
		if m.Cost[t] != 0 {
			present[t] = true
			g.walkable++
		}
	}
	for t, there := range present {
		for k := range g.cheapest {
			if c := 2 * g.half[k][t]; there && (g.cheapest[k] == 0 || c < g.cheapest[k]) {
				g.cheapest[k] = c
			}
		}
	}
	for t, there := range present {
		if there {
			g.dearest = max(g.dearest, 2*g.half[1][t])
		}
	}
	for y := range m.Height {
		for x := range m.Width {
			g.open[m.index(Cell{x, y})] = m.openDirections(Cell{x, y})
		}
	}
	g.label(m)
	return g
}

// openDirections is the set of directions in which c can be left: the next cell
// must be walkable and, for a diagonal, both cells beside the step as well.
func (m *Map) openDirections(c Cell) (open uint8) {
	if !m.Walkable(c) {
		return 0
	}
	for d := range stepX {
		dx, dy := stepX[d], stepY[d]
		if m.Walkable(Cell{c.X + dx, c.Y + dy}) && m.Walkable(Cell{c.X + dx, c.Y}) && m.Walkable(Cell{c.X, c.Y + dy}) {
			open |= 1 << d
		}
	}
	return open
}

// label numbers the connected parts. Straight steps suffice: a diagonal one
// needs both cells beside it, so it joins nothing that they don't.
func (g *ground) label(m *Map) {
	var todo []int32
	for i := range g.part {
		if g.part[i] >= 0 || m.Cost[m.Terrain[i]] == 0 {
			continue
		}
		number, cells := int32(len(g.size)), int32(0)
		g.part[i] = number
		todo = append(todo[:0], int32(i))
		for len(todo) > 0 {
			at := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			cells++
			for d := 0; d < len(stepX); d += 2 {
				if g.open[at]>>d&1 == 0 {
					continue
				}
				if next := at + stepX[d] + stepY[d]*m.Width; g.part[next] < 0 {
					g.part[next] = number
					todo = append(todo, next)
				}
			}
		}
		g.size = append(g.size, cells)
		if g.largest < 0 || cells > g.size[g.largest] {
			g.largest = number
		}
	}
}

// WalkableCells counts the cells that can be walked on.
func (m *Map) WalkableCells() int { return m.ground().walkable }

// Parts counts the connected parts of the walkable ground.
func (m *Map) Parts() int { return len(m.ground().size) }

// LargestPart is the number of cells of the largest connected part.
func (m *Map) LargestPart() int {
	g := m.ground()
	if g.largest < 0 {
		return 0
	}
	return int(g.size[g.largest])
}

// PartOf numbers the connected part that holds c, from 0 in the order of the
// parts' first cells; -1 where c can't be walked on. Two cells are reachable
// from each other exactly when they are in the same part.
func (m *Map) PartOf(c Cell) int {
	if !m.In(c) {
		return -1
	}
	return int(m.ground().part[m.index(c)])
}
