package world

import (
	"chronoscope/coordinator"
	"chronoscope/loop"
	"chronoscope/routes"
)

// Viewers read published values and stop nobody. What they see of different
// characters may be a tick apart.

// Mark is a character as viewers see it.
type Mark struct {
	Object coordinator.ObjectID
	Spawn  uint64
	Mode   Mode
	// Leg says where it is: a sleeper at At(now), an active one at
	// At(Completed).
	Leg *routes.Leg
	// Completed is the last tick an active character has run.
	Completed loop.Tick
	// Lag is how many ticks an active one is behind the global tick.
	Lag loop.Tick
	// Detailed: it sleeps, but follows a detailed schedule, since the budget
	// of active characters is spent.
	Detailed bool
}

// ZoneMark is an active zone as viewers see it.
type ZoneMark struct {
	Zone   routes.ZoneKey
	Pinned bool // by hand or by the scenario
	Near   bool // a visitor is near
	Camera bool // the camera is over it
	Legs   int  // registered legs that touch it
}

// VisitorMark is a visitor as viewers see it.
type VisitorMark struct {
	Tick loop.Tick // the tick at which it is here
	Pos  routes.Point
	leg  *routes.Leg
	at   loop.Tick
}

// At is the visitor's place in cells, f of a tick after Tick.
func (v VisitorMark) At(f float64) (x, y float64) {
	if v.leg == nil {
		return float64(v.Pos.X) / routes.CellUnits, float64(v.Pos.Y) / routes.CellUnits
	}
	return v.leg.AtFraction(v.at, f)
}

func (c *character) mark(global loop.Tick) Mark {
	m := Mark{Object: c.id, Spawn: c.spawn, Mode: Mode(c.mode.Load())}
	if m.Mode == Active {
		m.Completed = c.progress.Completed()
		m.Lag = max(global, m.Completed) - m.Completed
	}
	if l := c.chain.Load(); l != nil {
		m.Leg = l.leg
	}
	return m
}

// Visible appends the characters that may stand between two cells, both
// included, at the present tick. Its cost follows the legs registered in the
// zones there, or the population when most of the map is asked for.
func (w *World) Visible(lo, hi routes.Cell, dst []Mark) []Mark {
	side := w.params.ZoneSide
	global := w.coord.Global()
	a, b := routes.ZoneAt(lo.Center(), side), routes.ZoneAt(hi.Center(), side)
	first, last := w.index.Zones()
	a = routes.ZoneKey{X: max(a.X, first.X), Y: max(a.Y, first.Y)}
	b = routes.ZoneKey{X: min(b.X, last.X), Y: min(b.Y, last.Y)}
	if a.X > b.X || a.Y > b.Y {
		return dst
	}
	if int(b.X-a.X+1)*int(b.Y-a.Y+1) > w.index.ZoneCount()/4 {
		w.people.each(func(c *character) {
			m := c.mark(global)
			if m.Leg == nil || m.Mode == Ended {
				return
			}
			if z := routes.ZoneAt(m.pos(global), side); z.X >= a.X && z.X <= b.X && z.Y >= a.Y && z.Y <= b.Y {
				dst = append(dst, m)
			}
		})
		return dst
	}
	var legs []*routes.Leg
	for y := a.Y; y <= b.Y; y++ {
		for x := a.X; x <= b.X; x++ {
			z := routes.ZoneKey{X: x, Y: y}
			legs = w.index.Lookup(z, legs[:0])
			for _, leg := range legs {
				c := w.people.find(coordinator.ObjectID(leg.Owner))
				if c == nil {
					continue
				}
				// A leg stands in every zone it touches, its owner is in one.
				m := c.mark(global)
				if m.Leg == leg && routes.ZoneAt(m.pos(global), side) == z {
					dst = append(dst, m)
				}
			}
		}
	}
	return dst
}

// pos is where a mark's character is when the world is at tick global.
func (m Mark) pos(global loop.Tick) routes.Point {
	if m.Mode == Active {
		global = m.Completed
	}
	return m.Leg.At(global)
}

// Zones appends the active zones, by row and column.
func (w *World) Zones(dst []ZoneMark) []ZoneMark {
	n := len(dst)
	dst = append(dst, *w.keeper.published.Load()...)
	for i := range dst[n:] {
		dst[n+i].Legs = w.index.Count(dst[n+i].Zone)
	}
	return dst
}

// ZoneActive says whether a zone is active.
func (w *World) ZoneActive(z routes.ZoneKey) bool { return w.zones.on(z) }

// ZonePinned says whether a zone is active because it is pinned.
func (w *World) ZonePinned(z routes.ZoneKey) bool {
	for _, m := range *w.keeper.published.Load() {
		if m.Zone == z {
			return m.Pinned
		}
	}
	return false
}

// Visitors appends where the visitors are.
func (w *World) Visitors(dst []VisitorMark) []VisitorMark {
	t := loop.Tick(w.keeper.local.Load())
	for i := range w.keeper.tours {
		tour := &w.keeper.tours[i]
		m := VisitorMark{Tick: t, Pos: tour.at(t)}
		m.at, m.leg = tour.leg(t)
		dst = append(dst, m)
	}
	return dst
}
