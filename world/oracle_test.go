package world_test

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"chronoscope/coordinator"
	"chronoscope/loop"
	"chronoscope/routes"
	"chronoscope/world"
)

// halted opens a world that stands at tick 0 and moves by pass alone, at max
// speed. The digests of the ticks at which it rests are taken, too.
func halted(t testing.TB, o world.Options) *bench {
	t.Helper()
	o.Coordinator = coordinator.Options{MaxSpeed: true, Paused: true, Pacing: coordinator.DefaultPacing()}
	o.Coordinator.Pacing.Wait = coordinator.Gate
	return open(t, o)
}

// pass lets n ticks pass and waits until everyone has done what is due.
func (b *bench) pass(t testing.TB, n loop.Tick) {
	t.Helper()
	b.release(t, n)
	b.settle(t)
}

// release lets n ticks pass and returns as soon as the last is out.
func (b *bench) release(t testing.TB, n loop.Tick) {
	t.Helper()
	c := b.Coordinator()
	want := c.Global() + n
	if n > 0 {
		must(t, c.Step(int(n)))
	}
	for c.Global() < want {
		time.Sleep(100 * time.Microsecond)
	}
}

// settle waits until the world, which stands still, is at rest.
func (b *bench) settle(t testing.TB) {
	t.Helper()
	synctest.Wait() // what was handed over a moment ago is at work by now
	giveUp := make(chan struct{})
	defer time.AfterFunc(time.Hour, func() { close(giveUp) }).Stop()
	if !b.Rest(giveUp) {
		t.Fatalf("no rest at tick %d", b.Coordinator().Global())
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// pin pins zones or takes the pins away.
func (b *bench) pin(t testing.TB, on bool, zs ...routes.ZoneKey) {
	t.Helper()
	for _, z := range zs {
		must(t, b.Pin(z, on))
	}
}

// at is where a character is drawn: an active one where it has come to.
func at(m world.Mark, global loop.Tick) routes.Point {
	if m.Mode == world.Active {
		global = m.Completed
	}
	return m.Leg.At(global)
}

// spawn adds n characters.
func (b *bench) spawn(t testing.TB, n int) {
	t.Helper()
	must(t, b.Spawn(n))
	b.spawned = b.Stats().Spawned
}

// living inspects everyone alive, by spawn number.
func (b *bench) living() map[uint64]world.Mark {
	all := map[uint64]world.Mark{}
	if b.spawned == 0 {
		b.spawned = b.Stats().Spawned
	}
	for spawn := uint64(1); spawn <= b.spawned; spawn++ {
		if d, ok := b.Inspect(spawn); ok {
			all[spawn] = d.Mark
		}
	}
	return all
}

// homes are the zones in which somebody stands.
func (b *bench) homes() (zs []routes.ZoneKey) {
	now := b.Coordinator().Global()
	for _, m := range b.living() {
		if z := routes.ZoneAt(at(m, now), b.Params().ZoneSide); !slices.Contains(zs, z) {
			zs = append(zs, z)
		}
	}
	return zs
}

// drawn lists, ascending, whom a viewer of the zones from lo to hi gets.
func (b *bench) drawn(lo, hi routes.ZoneKey) (spawns []uint64) {
	side := b.Params().ZoneSide
	from := routes.Cell{X: lo.X * side, Y: lo.Y * side}
	to := routes.Cell{X: (hi.X+1)*side - 1, Y: (hi.Y+1)*side - 1}
	for _, m := range b.Visible(from, to, nil) {
		spawns = append(spawns, m.Spawn)
	}
	slices.Sort(spawns)
	return spawns
}

// inZones lists, ascending, who stands in the zones from lo to hi, by looking
// at everyone alive.
func (b *bench) inZones(lo, hi routes.ZoneKey) (spawns []uint64) {
	side, global := b.Params().ZoneSide, b.Coordinator().Global()
	for spawn, m := range b.living() {
		if z := routes.ZoneAt(at(m, global), side); z.X >= lo.X && z.X <= hi.X && z.Y >= lo.Y && z.Y <= hi.Y {
			spawns = append(spawns, spawn)
		}
	}
	slices.Sort(spawns)
	return spawns
}

// drawnOnce checks that a viewer who goes from zone to zone gets everyone alive
// exactly once.
func (b *bench) drawnOnce(t testing.TB) {
	t.Helper()
	var spawns []uint64
	side, m := b.Params().ZoneSide, b.Map()
	for y := int32(0); y*side < m.Height; y++ {
		for x := int32(0); x*side < m.Width; x++ {
			z := routes.ZoneKey{X: x, Y: y}
			spawns = append(spawns, b.drawn(z, z)...)
		}
	}
	slices.Sort(spawns)
	alive := b.living()
	if len(spawns) != len(alive) || len(slices.Compact(spawns)) != len(alive) {
		t.Fatalf("tick %d: %d drawn zone by zone, %d of them different, %d alive",
			b.Coordinator().Global(), len(spawns), len(slices.Compact(spawns)), len(alive))
	}
}

// oracle knows from positions and active zones alone who must be active: it is
// told of every tick, and of every change between two ticks. Where a zone wakes
// or falls asleep with a tick, that tick's characters may see either.
type oracle struct {
	*bench
	lives   map[uint64]*watchedLife
	zones   map[routes.ZoneKey]bool // active at the last look
	changes int                     // of mode that it has seen come true
}

// watchedLife is what the oracle knows of a character: each of the two ticks
// lies between two bounds.
type watchedLife struct {
	active         bool
	joined, inside bounds
}

type bounds struct{ low, high loop.Tick }

func newOracle(b *bench) *oracle {
	return &oracle{bench: b, lives: map[uint64]*watchedLife{}, zones: map[routes.ZoneKey]bool{}}
}

// tick lets one tick pass and looks.
func (o *oracle) tick(t testing.TB) {
	t.Helper()
	o.release(t, 1)
	synctest.Wait() // nobody waits for time to pass: all is done
	o.look(t, true)
}

// ticks lets n ticks pass one by one and looks at each.
func (o *oracle) ticks(t testing.TB, n loop.Tick) {
	t.Helper()
	for range n {
		o.tick(t)
	}
}

// change makes a change while the world stands still and looks.
func (o *oracle) change(t testing.TB, f func()) {
	t.Helper()
	f()
	synctest.Wait()
	o.look(t, false)
}

func (o *oracle) look(t testing.TB, ticked bool) {
	t.Helper()
	now, p := o.Coordinator().Global(), o.Params()
	alive := o.living()
	for spawn := range o.lives {
		if _, ok := alive[spawn]; !ok {
			delete(o.lives, spawn)
		}
	}
	for spawn, m := range alive {
		l := o.lives[spawn]
		if l == nil {
			l = &watchedLife{}
			o.lives[spawn] = l
		}
		z := routes.ZoneAt(m.Leg.At(now), p.ZoneSide)
		in, before := o.ZoneActive(z), ticked && o.zones[z]
		// rested says whether it may fall asleep, if these are the ticks at
		// which it woke and was last inside.
		rested := func(joined, inside loop.Tick) bool {
			return now-joined >= p.MinResidence && now-inside >= p.WakeHysteresis && now > inside
		}
		mayStay, maySleep := in || before, !in
		switch {
		case ticked && l.active:
			if in && !before && rested(l.joined.low, l.inside.low) {
				l.joined.high = now // it fell asleep and woke at once
			}
			if before && in {
				l.inside.low = now
			}
			if before || in {
				l.inside.high = now
			}
			mayStay = mayStay || !rested(l.joined.high, l.inside.high)
			maySleep = maySleep && rested(l.joined.low, l.inside.low)
		case l.active:
			mayStay, maySleep = true, false
		case in || before:
			l.joined, l.inside = bounds{now, now}, bounds{now, now}
		}
		active := m.Mode == world.Active && m.Completed == now
		if !active && m.Mode != world.Sleeping || active && !mayStay || !active && !maySleep {
			t.Fatalf("tick %d: character %d is %v at %d; may be active: %v, asleep: %v; it was active: %v, inside at %v of %v",
				now, spawn, m.Mode, m.Completed, mayStay, maySleep, l.active, l.inside, z)
		}
		if l.active != active {
			o.changes++
		}
		l.active = active
	}
	clear(o.zones)
	for _, z := range o.Zones(nil) {
		o.zones[z.Zone] = true
	}
}

// corridor is a street of 416 by 8 cells: 208 zones of side 2 from end to end.
func corridor() *routes.Map {
	m := &routes.Map{Name: "corridor", Width: 416, Height: 8, Cost: routes.DefaultCosts()}
	m.Terrain = slices.Repeat([]routes.Terrain{routes.Road}, 416*8)
	for i := range int32(52) {
		kind := []routes.PlaceKind{routes.Home, routes.Work, routes.Market, routes.Tavern}[i%4]
		m.Places = append(m.Places, routes.Place{Name: "door", Kind: kind, Cell: routes.Cell{X: i*8 + 3, Y: i * 5 % 8}})
	}
	return m
}

// shortMemory is a world whose characters fall asleep soon.
func shortMemory(npcs int, hysteresis, residence loop.Tick) world.Options {
	o := options(npcs, 0)
	o.WakeHysteresis, o.NoHysteresis = hysteresis, hysteresis == 0
	o.MinResidence, o.NoResidence = residence, residence == 0
	return o
}
