package world_test

import (
	"fmt"
	"runtime"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"chronoscope/coordinator"
	"chronoscope/loop"
	"chronoscope/routes"
	"chronoscope/routes/town"
	"chronoscope/world"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// village is a small town, the same for every test: maps are constant.
var village = sync.OnceValue(func() *routes.Map {
	m, err := town.Generate(town.Options{Seed: 3, Size: 64})
	if err != nil {
		panic(err)
	}
	if err := m.EnsurePlaces(3); err != nil {
		panic(err)
	}
	return m
})

// bench is a world under test, in a synctest bubble.
type bench struct {
	*world.World
	digests []world.Digest
	spawned uint64 // for living, which counts them once
}

// result is what a run left behind.
type result struct {
	digests  []world.Digest
	stats    world.Stats
	coverage world.Coverage
	records  []world.Record
	err      error
}

// open builds and starts a world that takes digests.
func open(t testing.TB, o world.Options) *bench {
	t.Helper()
	b := &bench{}
	if o.Map == nil {
		o.Map = village()
	}
	o.OnDigest = func(d world.Digest) { b.digests = append(b.digests, d) }
	w, err := world.New(o)
	if err != nil {
		t.Fatal(err)
	}
	b.World = w
	t.Cleanup(w.Stop) // for a test that fails before it has closed it
	w.Start()
	return b
}

// close stops the world and returns what it left.
func (b *bench) close() result {
	r := result{stats: b.Stats(), err: b.Err()}
	r.records, _ = b.Records(r.stats.Tick)
	b.Stop()
	r.coverage = b.Coverage()
	r.digests = b.digests
	return r
}

// run runs a world to its last tick in virtual time.
func run(t *testing.T, o world.Options) (r result) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		b := open(t, o)
		<-b.Done()
		r = b.close()
	})
	return r
}

// options is a world at max speed with npcs characters and a last tick.
func options(npcs int, last loop.Tick) world.Options {
	return world.Options{
		Params:      world.Params{Seed: 7, NPCs: npcs, ZoneSide: 8, WakeRadius: 6, SleepRadius: 9},
		Coordinator: coordinator.Options{MaxSpeed: true, LastTick: last, Pacing: coordinator.DefaultPacing()},
	}
}

// everyZone is all zones of the village.
func everyZone(o world.Options) (zs []routes.ZoneKey) {
	m := village()
	for y := int32(0); y*o.ZoneSide < m.Height; y++ {
		for x := int32(0); x*o.ZoneSide < m.Width; x++ {
			zs = append(zs, routes.ZoneKey{X: x, Y: y})
		}
	}
	return zs
}

// sound checks what must hold for every run that came to rest.
func (r result) sound(t *testing.T) {
	t.Helper()
	s := r.stats
	if r.err != nil {
		t.Error(r.err)
	}
	if alive := int64(s.Spawned - s.Ended); alive != s.Active+s.Sleeping+s.Waking || s.Waking != 0 {
		t.Errorf("population: %d spawned - %d ended is not %d active + %d sleeping + %d waking",
			s.Spawned, s.Ended, s.Active, s.Sleeping, s.Waking)
	}
	if s.Inbox.Sent != s.Inbox.Handled+s.Inbox.Rejected+s.Inbox.Discarded+s.Inbox.Pending {
		t.Errorf("inbox ledger: %+v", s.Inbox)
	}
	if s.OpenDues != 0 {
		t.Errorf("%d dues are open at rest", s.OpenDues)
	}
	if r.coverage.Wrong != 0 {
		t.Errorf("coverage: %d lives are wrong: %s", r.coverage.Wrong, r.coverage.First)
	}
	if r.coverage.Lives != s.Spawned {
		t.Errorf("coverage: %d lives of %d", r.coverage.Lives, s.Spawned)
	}
}

// same says where two runs differ, down to the character.
func same(t *testing.T, name string, a, b result) {
	t.Helper()
	if len(a.digests) != len(b.digests) {
		t.Errorf("%s: %d digests against %d", name, len(b.digests), len(a.digests))
		return
	}
	for i := range a.digests {
		if a.digests[i] != b.digests[i] {
			t.Errorf("%s: digests differ at tick %d: %x (%d alive) against %x (%d alive)", name,
				a.digests[i].Tick, b.digests[i].Sum, b.digests[i].Count, a.digests[i].Sum, a.digests[i].Count)
			break
		}
	}
	for i := range a.records {
		if i >= len(b.records) || a.records[i] != b.records[i] {
			t.Errorf("%s: the first record that differs is %+v", name, a.records[i])
			return
		}
	}
}

func TestEqualDigests(t *testing.T) {
	const npcs, last = 120, 3 * loop.TicksPerHour
	base := options(npcs, last)
	plain := run(t, base)
	plain.sound(t)
	if len(plain.digests) != int(last/world.DigestEvery) || plain.digests[0].Tick != world.DigestEvery {
		t.Fatalf("%d digests, first at %d", len(plain.digests), plain.digests[0].Tick)
	}
	if plain.stats.LegsStarted < 3*npcs/2 || plain.stats.Wakes == 0 {
		t.Fatalf("only %d legs and %d wakes: the proof would be empty", plain.stats.LegsStarted, plain.stats.Wakes)
	}
	seen := map[uint64]bool{}
	for _, d := range plain.digests {
		seen[d.Sum] = true
	}
	if len(seen) < len(plain.digests) {
		t.Errorf("only %d different digests of %d", len(seen), len(plain.digests))
	}

	other := base
	other.Seed++
	if r := run(t, other); r.digests[5].Sum == plain.digests[5].Sum {
		t.Error("another seed gives the same digest")
	}

	for _, tc := range []struct {
		name   string
		change func(*world.Options)
		shown  func(world.Stats) bool // that the run had what it is about

		processors int
	}{
		{name: "again", change: func(*world.Options) {}},
		{name: "one processor", processors: 1, change: func(o *world.Options) { o.WanderingVisitors = 2 }},
		{name: "gate", change: func(o *world.Options) { o.Coordinator.Pacing.Wait = coordinator.Gate }},
		{name: "pins", change: func(o *world.Options) {
			zs := everyZone(*o)
			for i := 0; i < len(zs); i += 3 {
				o.Pins = append(o.Pins, zs[i])
			}
		}, shown: func(s world.Stats) bool { return s.Activations > 10 && s.Activated > 20 && s.Refinements > 0 }},
		{name: "visitors", change: func(o *world.Options) { o.WanderingVisitors = 3 },
			shown: func(s world.Stats) bool { return s.Activations > 50 && s.Deactivations > 50 && s.Deactivated > 20 }},
		{name: "a small cache", change: func(o *world.Options) { o.PathCacheEntries = 4 },
			shown: func(s world.Stats) bool { return s.Cache.Evictions > 20 }},
		{name: "stalls", change: func(o *world.Options) {
			o.WanderingVisitors = 3
			o.Stalls = world.Stalls{Every: 50, For: 5 * time.Millisecond, Seed: 9}
			o.Coordinator.Pacing.Wait = coordinator.Gate
		}, shown: func(s world.Stats) bool { return s.Stalls > 20 }},
		{name: "other zones", change: func(o *world.Options) { o.ZoneSide, o.WanderingVisitors = 5, 2 }},
		{name: "other work", change: func(o *world.Options) { o.AIWork, o.WanderingVisitors = 50, 2 }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			o := base
			tc.change(&o)
			if tc.processors > 0 {
				defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(tc.processors))
			}
			r := run(t, o)
			r.sound(t)
			if tc.shown != nil && !tc.shown(r.stats) {
				t.Errorf("the run has too little of what it is about: %+v", r.stats)
			}
			same(t, tc.name, plain, r)
		})
	}
}

// TestEqualDigestsAtAnyRate runs in (virtual) real time: with a tick rate, a
// threshold that brakes, and a time scale.
func TestEqualDigestsAtAnyRate(t *testing.T) {
	base := options(60, 20*loop.TicksPerMinute)
	plain := run(t, base)
	for _, rate := range []uint64{30, 240} {
		t.Run(fmt.Sprint(rate), func(t *testing.T) {
			o := base
			o.Coordinator.MaxSpeed = false
			o.Coordinator.Pacing.TickRate = loop.Hz(rate)
			o.Coordinator.Pacing.LagThreshold = 2
			o.WanderingVisitors = 2
			o.Stalls = world.Stalls{Every: 200, For: 200 * time.Millisecond, Seed: 1}
			r := run(t, o)
			r.sound(t)
			same(t, "rate", plain, r)
			if r.stats.Coordinator.Brake.Episodes == 0 {
				t.Error("nothing braked")
			}
		})
	}
}

func TestSleepIsNotLag(t *testing.T) {
	o := options(50, 2*loop.TicksPerHour)
	o.Life = world.LifeNight
	o.Coordinator.MaxSpeed = false
	o.Coordinator.Pacing.TickRate = loop.Hz(240)
	o.Coordinator.Pacing.LagThreshold = 1
	r := run(t, o)
	r.sound(t)
	s := r.stats
	if s.Coordinator.Brake.Episodes != 0 || s.Activated != 0 || s.Wakes != 0 {
		t.Errorf("a night's sleep: %d brakes, %d activated, %d wakes", s.Coordinator.Brake.Episodes, s.Activated, s.Wakes)
	}
	if s.Sleeping != 50 {
		t.Errorf("%d asleep", s.Sleeping)
	}
}

func TestSpawnAndEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := options(40, 0)
		o.Coordinator.MaxSpeed = false
		o.Pins = everyZone(o)[:20]
		b := open(t, o)
		c := b.Coordinator()
		time.Sleep(10 * time.Second)
		if err := b.Spawn(100); err != nil {
			t.Fatal(err)
		}
		for spawn := uint64(1); spawn <= 140; spawn += 2 {
			if err := b.End(spawn); err != nil {
				t.Fatal(err)
			}
		}
		if err := b.End(9999); err == nil {
			t.Error("nobody was ended, silently")
		}
		time.Sleep(time.Second)
		if err := c.Pause(); err != nil {
			t.Fatal(err)
		}
		if !b.Rest(nil) {
			t.Fatal("no rest")
		}
		s := b.Stats()
		if s.Spawned != 140 || s.Ended != 70 || s.Active+s.Sleeping != 70 {
			t.Errorf("spawned %d, ended %d, active %d, sleeping %d", s.Spawned, s.Ended, s.Active, s.Sleeping)
		}
		if d := b.Digest(); d.Count != 70 || d.Tick != s.Tick {
			t.Errorf("digest of tick %d counts %d at tick %d", d.Tick, d.Count, s.Tick)
		}
		if _, ok := b.Inspect(1); ok {
			t.Error("an ended character can be inspected")
		}
		if d, ok := b.Inspect(140); !ok || d.Spawn != 140 || d.Health <= 0 {
			t.Errorf("inspect: %+v %v", d, ok)
		}
		r := b.close()
		r.sound(t)
	})
}

func TestPin(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := options(60, 0)
		o.Coordinator.MaxSpeed = false
		b := open(t, o)
		zs := everyZone(o)
		for _, z := range zs {
			if err := b.Pin(z, true); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(time.Second)
		if s := b.Stats(); s.Active != 60 || s.ZonesActive != len(zs) {
			t.Errorf("%d active in %d zones", s.Active, s.ZonesActive)
		}
		if !b.ZoneActive(zs[3]) || !b.ZonePinned(zs[3]) || len(b.Zones(nil)) != len(zs) {
			t.Error("a pinned zone is not shown")
		}
		for _, z := range zs {
			if err := b.Pin(z, false); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(5 * time.Second)
		if s := b.Stats(); s.Active != 0 || s.ZonesActive != 0 || s.Deactivated != 60 {
			t.Errorf("%d active in %d zones, %d fell asleep", s.Active, s.ZonesActive, s.Deactivated)
		}
		if err := b.Pin(routes.ZoneKey{X: -1}, true); err == nil {
			t.Error("a zone outside the map was pinned")
		}
		if err := b.Coordinator().Pause(); err != nil {
			t.Fatal(err)
		}
		b.Rest(nil)
		r := b.close()
		r.sound(t)
	})
}

func TestStallBrakesTheWorld(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := options(30, 0)
		o.Coordinator.MaxSpeed = false
		o.Pins = everyZone(o)
		b := open(t, o)
		time.Sleep(time.Second)
		before := b.Stats().Tick
		if err := b.Stall(5, 2*time.Second); err != nil {
			t.Fatal(err)
		}
		time.Sleep(5 * time.Second)
		s := b.Stats()
		if s.Coordinator.Brake.Episodes != 1 || s.Stalls != 1 {
			t.Errorf("%d episodes, %d stalls", s.Coordinator.Brake.Episodes, s.Stalls)
		}
		// The world stood still for the stall, but for the lag it allows.
		if n := s.Tick - before; n < 180 || n > 200 {
			t.Errorf("%d ticks in 5 s", n)
		}
		if s.Active != 30 {
			t.Errorf("%d active", s.Active)
		}
		if err := b.Stall(5, 0); err == nil {
			t.Error("a stall of 0 was taken")
		}
		if err := b.Coordinator().Pause(); err != nil {
			t.Fatal(err)
		}
		b.Rest(nil)
		r := b.close()
		r.sound(t)
	})
}

func TestVisible(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := options(80, 0)
		o.Coordinator.MaxSpeed = false
		o.WanderingVisitors = 1
		b := open(t, o)
		time.Sleep(30 * time.Second)
		m := b.Map()
		all := b.Visible(routes.Cell{}, routes.Cell{X: m.Width - 1, Y: m.Height - 1}, nil)
		if len(all) != 80 {
			t.Errorf("%d of 80 are visible", len(all))
		}
		// Zone by zone, nobody is missing and nobody is there twice.
		var spawns []uint64
		for _, z := range everyZone(o) {
			lo := routes.Cell{X: z.X * o.ZoneSide, Y: z.Y * o.ZoneSide}
			for _, mark := range b.Visible(lo, routes.Cell{X: lo.X + o.ZoneSide - 1, Y: lo.Y + o.ZoneSide - 1}, nil) {
				spawns = append(spawns, mark.Spawn)
			}
		}
		slices.Sort(spawns)
		if len(spawns) != 80 || len(slices.Compact(spawns)) != 80 {
			t.Errorf("zone by zone %d are visible", len(spawns))
		}
		if vs := b.Visitors(nil); len(vs) != 1 {
			t.Errorf("%d visitors", len(vs))
		}
		if got := b.Visible(routes.Cell{X: -50, Y: -50}, routes.Cell{X: -20, Y: -20}, nil); len(got) != 0 {
			t.Errorf("%d visible outside the map", len(got))
		}
		b.close()
	})
}

func TestValidate(t *testing.T) {
	for _, tc := range []struct {
		field string
		p     world.Params
	}{
		{"npcs", world.Params{NPCs: -1}},
		{"zone side", world.Params{ZoneSide: 1}},
		{"sleep radius", world.Params{WakeRadius: 50, SleepRadius: 20}},
		{"crowd", world.Params{Crowd: 3}},
		{"inbox size", world.Params{InboxSize: -2}},
		{"visitors", world.Params{WanderingVisitors: 65}},
		{"track", world.Params{Visitors: []world.Visitor{{}}}},
		{"stalls in", world.Params{Stalls: world.Stalls{In: 7}}},
		{"path cache bytes", world.Params{PathCacheBytes: 1}},
	} {
		if err := tc.p.Validate(); err == nil {
			t.Errorf("%s: accepted", tc.field)
		}
	}
	if err := (world.Params{}).Validate(); err != nil {
		t.Error(err)
	}
	if _, err := world.New(world.Options{}); err == nil {
		t.Error("a world without a map")
	}
	if _, err := world.New(world.Options{Map: village(), Params: world.Params{Pins: []routes.ZoneKey{{X: 1000}}}}); err == nil {
		t.Error("a pin outside the map")
	}
}
