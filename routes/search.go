package routes

import (
	"errors"
	"fmt"
	"math/bits"
	"sync/atomic"
)

// Why there is no path.
var (
	ErrOutside     = errors.New("routes: not on the map")
	ErrBlocked     = errors.New("routes: not walkable")
	ErrUnreachable = errors.New("routes: no way between cells")
)

// Searcher finds shortest paths on one map. It keeps its working memory (16
// bytes a cell) between searches, so it serves one goroutine at a time.
type Searcher struct {
	// Side is the zones' side in cells by which found paths are cut; 0 is
	// DefaultZoneSide. It doesn't influence the way.
	Side int32

	m        *Map
	g        *ground
	offset   [8]int32 // from a cell's number to its neighbours'
	nodes    []node
	run      uint32 // number of the search; a node of another run is unseen
	open     frontier
	steps    []uint8      // directions of the path being assembled
	stop     *atomic.Bool // set: give up; nil: never
	expanded int          // cells expanded by the last search
}

// node is a cell as the search sees it.
type node struct {
	cost uint64 // least known cost from the start
	run  uint32
	by   uint8 // direction in which it was entered
}

// stopCheckMask thins out the looks at the stop flag: one in 1024 expansions,
// some 0.1 ms.
const stopCheckMask = 1<<10 - 1

// NewSearcher makes a searcher for a valid map.
func NewSearcher(m *Map) *Searcher {
	s := &Searcher{m: m, g: m.ground()}
	for d := range s.offset {
		s.offset[d] = stepX[d] + stepY[d]*m.Width
	}
	return s
}

// Find gives the cheapest path between two cells. It is a pure function of
// (map, from, to): between equally cheap ways the same one is always chosen,
// and the way back is the way there. Errors: ErrOutside, ErrBlocked,
// ErrUnreachable, each naming the cells.
func (s *Searcher) Find(from, to Cell) (*Path, error) {
	if err := s.m.Reachable(from, to); err != nil {
		return nil, err
	}
	// Searched from the smaller to the larger number, whichever is wanted.
	a, b := s.m.index(from), s.m.index(to)
	back := a > b
	if back {
		a, b = b, a
	}
	if !s.search(a, b) {
		return nil, ErrClosed
	}
	return newFoundPath(s.m, s.g, from, to, s.trace(a, b, back), s.Side), nil
}

// Reachable says in constant time why one can't walk from one cell to another:
// ErrOutside, ErrBlocked or ErrUnreachable; nil if one can.
func (m *Map) Reachable(from, to Cell) error {
	for _, c := range [2]Cell{from, to} {
		if !m.In(c) {
			return fmt.Errorf("%w: cell %d,%d of %d x %d", ErrOutside, c.X, c.Y, m.Width, m.Height)
		}
		if !m.Walkable(c) {
			return fmt.Errorf("%w: cell %d,%d", ErrBlocked, c.X, c.Y)
		}
	}
	if m.PartOf(from) != m.PartOf(to) {
		return fmt.Errorf("%w %d,%d and %d,%d", ErrUnreachable, from.X, from.Y, to.X, to.Y)
	}
	return nil
}

// Expanded is the number of cells that the last search expanded: its effort.
func (s *Searcher) Expanded() int { return s.expanded }

// search is A* from a to b, which are in the same part. It is false only when
// the stop flag ended it.
func (s *Searcher) search(a, b int32) bool {
	if s.nodes == nil {
		s.nodes = make([]node, len(s.g.open))
		s.open = newFrontier(s.g.dearest + s.g.cheapest[1])
	}
	if s.run++; s.run == 0 { // after 2^32 searches old nodes would look new
		clear(s.nodes)
		s.run = 1
	}
	s.expanded = 0
	goal := s.m.cell(b)
	straight, diagonal := s.g.cheapest[0], s.g.cheapest[1]
	// The octile distance over the cheapest ground. Halves are exact (see
	// newHalfSteps), so it never exceeds the cost of the rest, and it falls by
	// at most the cost of a step: a cell that was expanded is settled.
	estimate := func(x, y int32) uint64 {
		dx, dy := uint64(abs(x-goal.X)), uint64(abs(y-goal.Y))
		low := min(dx, dy)
		return low*diagonal + (max(dx, dy)-low)*straight
	}
	at := s.m.cell(a)
	s.nodes[a] = node{run: s.run}
	s.open.reset(visit{f: estimate(at.X, at.Y), cell: a})
	// Copies of what the loop reads: the compiler can't know that writing a node
	// leaves s as it is.
	terrain, nodes, open, half, offset, run, width := s.m.Terrain, s.nodes, s.g.open, s.g.half, s.offset, s.run, s.m.Width
	for {
		v, _ := s.open.pop(nodes) // never empty: the goal is in the same part
		if v.g != nodes[v.cell].cost {
			continue // a dearer visit; the cheaper one went before
		}
		if v.cell == b {
			return true // only now: a cell is settled when it is removed
		}
		if s.expanded++; s.expanded&stopCheckMask == 0 && s.stop != nil && s.stop.Load() {
			return false
		}
		y := v.cell / width
		x := v.cell - y*width
		here := terrain[v.cell]
		leave := [2]uint64{v.g + half[0][here], v.g + half[1][here]}
		for ways := open[v.cell]; ways != 0; ways &= ways - 1 {
			d := bits.TrailingZeros8(ways) & 7
			next := v.cell + offset[d]
			cost := leave[d&1] + half[d&1][terrain[next]]
			n := &nodes[next]
			if n.run == run && n.cost <= cost {
				continue
			}
			*n = node{cost: cost, run: run, by: uint8(d)}
			s.open.push(visit{f: cost + estimate(x+stepX[d], y+stepY[d]), g: cost, cell: next})
		}
	}
}

// trace collects the directions of the way from a to b, or, for back, from b to
// a. They are valid until the next search.
func (s *Searcher) trace(a, b int32, back bool) []uint8 {
	s.steps = s.steps[:0]
	for at := b; at != a; {
		d := s.nodes[at].by
		at -= s.offset[d]
		if back {
			d ^= 4 // the opposite direction
		}
		s.steps = append(s.steps, d)
	}
	if !back {
		for i, j := 0, len(s.steps)-1; i < j; i, j = i+1, j-1 {
			s.steps[i], s.steps[j] = s.steps[j], s.steps[i]
		}
	}
	return s.steps
}

func abs(v int32) int32 {
	if v < 0 {
		return -v
	}
	return v
}
