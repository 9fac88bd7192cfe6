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
	Camera bool // the camera is over it, or near enough for it to stay
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
	m := Mark{Object: c.id, Spawn: c.spawn, Mode: Mode(c.mode.Load()), Detailed: c.schedule.Load() != nil}
	if m.Mode == Active {
		m.Completed = c.progress.Completed()
		m.Lag = max(global, m.Completed) - m.Completed
	}
	if l := c.chain.Load(); l != nil {
		m.Leg = l.leg
	}
	return m
}

// Viewer looks at a world's characters again and again without allocating.
// It belongs to one goroutine.
type Viewer struct {
	w    *World
	legs []*routes.Leg // scratch
}

// Viewer makes one.
func (w *World) Viewer() *Viewer { return &Viewer{w: w} }

// Visible appends the characters that may stand between two cells, both
// included, at the present tick. Its cost follows the legs registered in the
// zones there, or the population when most of the map is asked for. Apart from
// dst, and its own scratch at first, it allocates nothing.
func (v *Viewer) Visible(lo, hi routes.Cell, dst []Mark) []Mark {
	w := v.w
	side := w.params.ZoneSide
	global := w.coord.Global()
	zs := w.span(Area{lo, hi}, 0)
	if zs.size() > w.index.ZoneCount()/4 {
		w.people.each(func(c *character) {
			m := c.mark(global)
			if m.Leg == nil || m.Mode == Ended {
				return
			}
			if zs.has(routes.ZoneAt(m.pos(global), side)) {
				dst = append(dst, m)
			}
		})
		return dst
	}
	for i := range zs.size() {
		z := zs.at(i)
		v.legs = w.index.Lookup(z, v.legs[:0])
		for _, leg := range v.legs {
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
	clear(v.legs) // a viewer keeps no leg of the past
	return dst
}

// Visible is that of a Viewer for a single look.
func (w *World) Visible(lo, hi routes.Cell, dst []Mark) []Mark {
	return w.Viewer().Visible(lo, hi, dst)
}

// now is the tick at which a mark's character is where it is seen, when the
// world is at tick global.
func (m *Mark) now(global loop.Tick) loop.Tick {
	if m.Mode == Active {
		return m.Completed
	}
	return global
}

// pos is where it is then.
func (m *Mark) pos(global loop.Tick) routes.Point { return m.Leg.At(m.now(global)) }

// Zones appends the active zones, by row and column. It takes no lock and
// counts nothing; see Heat.
func (w *World) Zones(dst []ZoneMark) []ZoneMark {
	shown := *w.keeper.published.Load()
	for i := range shown {
		dst = append(dst, shown[i].ZoneMark)
	}
	return dst
}

// ZoneActive says whether a zone is active.
func (w *World) ZoneActive(z routes.ZoneKey) bool { return w.zones.on(z) }

// ZonePinned says whether a zone is active because it is pinned.
func (w *World) ZonePinned(z routes.ZoneKey) bool {
	s, ok := w.keeper.shown(z)
	return ok && s.Pinned
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
