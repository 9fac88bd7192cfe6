package game

import (
	"time"

	"chronoscope/loop"
	"chronoscope/overlay"
	"chronoscope/routes"
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

	rates  []loop.Rate
	scales []float64
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
		Rate: loop.Hz(60), TimeScale: 1, LagThreshold: 10, Paused: true, Seed: 7,
		Map: m.Name, MapWidth: m.Width, MapHeight: m.Height, ZoneSide: f.side,
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
		dst = append(dst, Zone{k, pinned})
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

func (f *fakeTown) Pin(z routes.ZoneKey, on bool) error {
	if on {
		f.pinned[z] = true
	} else {
		delete(f.pinned, z)
	}
	return nil
}

func (f *fakeTown) SetRate(r loop.Rate) error {
	f.rates, f.values.Rate = append(f.rates, r), r
	return nil
}

func (f *fakeTown) SetTimeScale(s float64) error {
	f.scales, f.values.TimeScale = append(f.scales, s), s
	return nil
}

func (f *fakeTown) SetLagThreshold(n int) error { f.values.LagThreshold = n; return nil }

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
