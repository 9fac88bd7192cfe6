package world

import (
	"math"
	"time"
)

// stallPlan draws when characters stall.
type stallPlan struct {
	Stalls
	in  StallsIn // 0 when there are no stalls
	log float64  // ln(1 - 1/Every)
}

func newStallPlan(s Stalls) stallPlan {
	p := stallPlan{Stalls: s}
	if s.Every > 0 {
		p.in = s.In
		p.log = math.Log1p(-1 / float64(s.Every))
	}
	return p
}

// first is the number of activities until a character's first stall.
func (p *stallPlan) first(spawn uint64) uint32 {
	if p.in == 0 || p.Only != 0 && p.Only != spawn {
		return 0
	}
	return p.gap(spawn, 0)
}

// gap draws a geometrically distributed number, at least 1, with mean Every,
// by inversion: 1 + floor(ln U / ln(1 - 1/Every)). It says when a stall comes,
// which no result depends on, so it may be floating-point.
func (p *stallPlan) gap(spawn, n uint64) uint32 {
	u := (float64(draw(p.Seed, spawn, forStall, n)>>11) + 1) / (1 << 53)
	g := 1.0
	if p.Every > 1 {
		g += math.Floor(math.Log(u) / p.log)
	}
	return uint32(min(g, math.MaxUint32))
}

// stallByChance counts one activity and stalls when its turn has come. It
// returns false when a stop came meanwhile.
func (c *character) stallByChance() bool {
	if c.stallIn == 0 {
		return true
	}
	if c.stallIn--; c.stallIn > 0 {
		return true
	}
	c.stalled++
	c.stallIn = c.w.stalls.gap(c.spawn, uint64(c.stalled))
	c.w.counts.stalls.Add(1)
	c.note(NoteStall, c.w.coord.Global(), c.w.stalls.For.Milliseconds())
	return c.stall(c.w.stalls.For)
}

// stall holds the character up in the middle of what it does, deaf to all but
// a stop, which it answers with false.
func (c *character) stall(d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	for {
		select {
		case <-t.C:
			return true
		case <-c.inbox.Bell():
			if c.inbox.Stopping() {
				return false
			}
		}
	}
}
