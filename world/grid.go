package world

import (
	"sync"

	"chronoscope/routes"
)

// The exact grid holds the published positions of active characters in square
// buckets, each with a lock of its own.

// bucketCells is a bucket's side in cells: a little over the reach, so that a
// look around meets four buckets at most.
const bucketCells = 8

// reachCells is how far a character perceives, in cells.
const reachCells = 3

// lookLimit bounds how many entries one look around examines in a bucket. In a
// dense crowd nobody counts everyone.
const lookLimit = 32

type grid struct {
	columns, rows int32
	buckets       []bucket
}

type bucket struct {
	mu   sync.Mutex
	list []gridEntry
}

type gridEntry struct {
	c *character
	a *active
}

// spot is where in the grid an active character stands.
type spot struct {
	bucket *bucket
	at     int // index in bucket.list, guarded by bucket.mu
}

func newGrid(m *routes.Map) *grid {
	g := &grid{columns: m.Width/bucketCells + 1, rows: m.Height/bucketCells + 1}
	g.buckets = make([]bucket, int(g.columns)*int(g.rows))
	return g
}

// column is the bucket column or row of a coordinate, clamped to n of them.
func column(v, n int32) int32 { return min(max(v, 0)/(bucketCells*routes.CellUnits), n-1) }

func (g *grid) bucket(p routes.Point) *bucket {
	return &g.buckets[int(column(p.Y, g.rows))*int(g.columns)+int(column(p.X, g.columns))]
}

func (g *grid) enter(c *character, a *active, p routes.Point) {
	b := g.bucket(p)
	b.mu.Lock()
	a.spot = spot{b, len(b.list)}
	b.list = append(b.list, gridEntry{c, a})
	b.mu.Unlock()
}

func (g *grid) leave(a *active) {
	b := a.spot.bucket
	b.mu.Lock()
	last := len(b.list) - 1
	moved := b.list[last]
	b.list[a.spot.at] = moved
	moved.a.spot.at = a.spot.at
	b.list[last] = gridEntry{}
	b.list = b.list[:last]
	b.mu.Unlock()
	a.spot = spot{}
}

func (g *grid) move(c *character, a *active, p routes.Point) {
	if g.bucket(p) != a.spot.bucket {
		g.leave(a)
		g.enter(c, a, p)
	}
}

// around counts the other characters within reach of p, examining at most
// lookLimit entries a bucket.
func (g *grid) around(c *character, p routes.Point) int {
	const reach = reachCells * routes.CellUnits
	n := 0
	for y := column(p.Y-reach, g.rows); y <= column(p.Y+reach, g.rows); y++ {
		for x := column(p.X-reach, g.columns); x <= column(p.X+reach, g.columns); x++ {
			b := &g.buckets[int(y)*int(g.columns)+int(x)]
			b.mu.Lock()
			for _, e := range b.list[:min(len(b.list), lookLimit)] {
				q := unpack(e.a.pos.Load())
				dx, dy := int64(q.X-p.X), int64(q.Y-p.Y)
				if e.c != c && dx*dx+dy*dy <= reach*reach {
					n++
				}
			}
			b.mu.Unlock()
		}
	}
	return n
}
