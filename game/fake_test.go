package game

import (
	"time"

	"chronoscope/coordinator"
	"chronoscope/loop"
	"chronoscope/overlay"
	"chronoscope/routes"
	"chronoscope/world"
)

// fakeTown is a Source without goroutines: characters walk between places on
// paths that are worked out when they are first looked at, and the tick stands
// where the test puts it.
type fakeTown struct {
	world    *routes.Map
	side     int32
	legs     []*routes.Leg
	moment   Moment
	pinned   map[routes.ZoneKey]bool
	visitors []Visitor
	lag      map[uint64]int32
	values   overlay.Values
	done     chan struct{}
	err      error

	orders []overlay.Command
	traced uint64
	camera bool
	steps  int
}

// newFakeTown puts n characters on a map: each third one stays, the others are
// under way at tick 600.
func newFakeTown(m *routes.Map, n int) *fakeTown {
	f := &fakeTown{
		world: m, side: 16, pinned: map[routes.ZoneKey]bool{}, lag: map[uint64]int32{},
		done: make(chan struct{}), moment: Moment{Tick: 600, Paused: true},
	}
	search := routes.NewSearcher(m)
	at := func(i int) routes.Cell { return m.Places[mix64(uint64(i))%uint64(len(m.Places))].Cell }
	for i := range n {
		leg := routes.NewStay(uint64(i), 1, at(i).Center(), 0, loop.MaxTick, f.side)
		if i%3 != 0 {
			if p, err := search.Find(at(i), at(i+n)); err == nil && p.Ticks() > 0 {
				start := loop.Tick(600)
				start -= min(start, loop.Tick(mix64(uint64(i)<<1)%uint64(p.Ticks())))
				leg = routes.NewRoute(uint64(i), 1, p, start)
			}
		}
		f.legs = append(f.legs, leg)
	}
	f.values = overlay.Values{
		Pacing: coordinator.DefaultPacing(), Paused: true,
		Map: m.Name, MapWidth: m.Width, MapHeight: m.Height,
		Setup:      overlay.Setup{Scenario: "town", Map: "town", Seed: 7, NPCs: n, ZoneSide: f.side},
		Characters: overlay.Characters{Sleeping: n},
	}
	return f
}

func (f *fakeTown) Map() *routes.Map        { return f.world }
func (f *fakeTown) ZoneSide() int32         { return f.side }
func (f *fakeTown) Moment(time.Time) Moment { return f.moment }

func (f *fakeTown) dot(m Moment, l *routes.Leg) Dot {
	x, y := l.AtFraction(m.Tick, m.Alpha)
	dx, dy := l.Heading(m.Tick)
	d := Dot{X: float32(x), Y: float32(y), DX: float32(dx), DY: float32(dy), Spawn: l.Owner, Lag: f.lag[l.Owner]}
	if l.Kind == routes.Route && m.Tick < l.End {
		d.Mode = Walking
	}
	if _, ok := f.pinned[routes.ZoneKey{X: int32(x) / f.side, Y: int32(y) / f.side}]; ok {
		d.Mode = Active
	}
	return d
}

func (f *fakeTown) Dots(m Moment, lo, hi routes.Cell, dst []Dot) []Dot {
	for _, l := range f.legs {
		d := f.dot(m, l)
		if int32(d.X) >= lo.X && int32(d.Y) >= lo.Y && int32(d.X) <= hi.X && int32(d.Y) <= hi.Y {
			dst = append(dst, d)
		}
	}
	return dst
}

func (f *fakeTown) Zones(dst []Zone) []Zone {
	for k, pinned := range f.pinned {
		dst = append(dst, Zone{Key: k, Pinned: pinned})
	}
	return dst
}

func (f *fakeTown) Visitors(dst []Visitor) []Visitor { return append(dst, f.visitors...) }

func (f *fakeTown) Values(v *overlay.Values) {
	*v = f.values
	v.Tick = f.moment.Tick
	v.Zones = len(f.pinned)
}

func (f *fakeTown) Where(m Moment, spawn uint64) (Dot, bool) {
	if spawn >= uint64(len(f.legs)) {
		return Dot{}, false
	}
	return f.dot(m, f.legs[spawn]), true
}

func (f *fakeTown) Character(spawn uint64, asked bool) (world.Detail, bool) {
	if spawn >= uint64(len(f.legs)) {
		return world.Detail{}, false
	}
	l := f.legs[spawn]
	d := world.Detail{Mark: world.Mark{Spawn: spawn, Leg: l, Completed: f.moment.Tick}, Health: 100, OldestDue: loop.MaxTick}
	if asked {
		d.Passages = l.View(nil)
	}
	return d, true
}

func (f *fakeTown) Zone(z routes.ZoneKey, limit int) (world.ZoneDetail, bool) {
	_, on := f.pinned[z]
	d := world.ZoneDetail{ZoneMark: world.ZoneMark{Zone: z, Pinned: on}, Active: on}
	for _, l := range f.legs {
		if !l.Touches(z) {
			continue
		}
		d.Legs++
		if len(d.Rows) == limit {
			continue
		}
		row := world.ZoneLeg{Mark: world.Mark{Spawn: l.Owner, Leg: l}}
		for _, p := range l.View(nil) {
			if p.Zone == z {
				row.Passages = append(row.Passages, p)
			}
		}
		d.Rows = append(d.Rows, row)
	}
	return d, true
}

func (f *fakeTown) Trace(spawn uint64) { f.traced = spawn }

func (f *fakeTown) Heat(lo, hi routes.ZoneKey, dst []int32) []int32 {
	for y := lo.Y; y <= hi.Y; y++ {
		for x := lo.X; x <= hi.X; x++ {
			n := int32(0)
			for _, l := range f.legs {
				if l.Touches(routes.ZoneKey{X: x, Y: y}) {
					n++
				}
			}
			dst = append(dst, n)
		}
	}
	return dst
}

func (f *fakeTown) Legs(lo, hi routes.ZoneKey, limit int, dst []*routes.Leg) []*routes.Leg {
	for _, l := range f.legs {
		for z := range l.ForEachZone {
			if z.X >= lo.X && z.Y >= lo.Y && z.X <= hi.X && z.Y <= hi.Y && limit > 0 {
				limit--
				dst = append(dst, l)
				break
			}
		}
	}
	return dst
}

func (f *fakeTown) Frame(time.Time, time.Duration) {}

func (f *fakeTown) SetPacing(p coordinator.Pacing) error {
	f.values.Pacing = p
	return nil
}

func (f *fakeTown) SetTuning(t world.Tuning) error { f.values.Tuning = t; return nil }

func (f *fakeTown) SetAICost(d time.Duration) error { f.values.AICost = d; return nil }

func (f *fakeTown) SetCamera(on bool, lo, hi routes.Cell) error { f.camera = on; return nil }

func (f *fakeTown) Order(c overlay.Command) error {
	f.orders = append(f.orders, c)
	if c.Kind == overlay.PinZone {
		if c.On {
			f.pinned[c.Zone] = true
		} else {
			delete(f.pinned, c.Zone)
		}
	}
	return nil
}

func (f *fakeTown) SetPaused(p bool) error {
	f.moment.Paused, f.values.Paused = p, p
	return nil
}

func (f *fakeTown) Step(n int) error {
	f.steps += n
	f.moment.Tick += loop.Tick(n)
	return nil
}

func (f *fakeTown) Done() <-chan struct{} { return f.done }
func (f *fakeTown) Err() error            { return f.err }

func laggardRow(spawn uint64) overlay.LaggardRow {
	return overlay.LaggardRow{Name: "#7", Spawn: spawn, Placed: true, Lag: 17, For: time.Second}
}
