package world

import (
	"testing"

	"chronoscope/coordinator"
	"chronoscope/loop"
	"chronoscope/routes"
)

// standing is a world that isn't started, with one active character that
// stays where it is.
func standing(tb testing.TB, npcs int) (*World, *character, *active) {
	tb.Helper()
	o := bendOptions(0)
	o.NPCs, o.Life = npcs, LifeNight
	o.Pins = []routes.ZoneKey{{}}
	w, err := New(o)
	if err != nil {
		tb.Fatal(err)
	}
	w.Populate()
	w.zones.set(routes.ZoneKey{}, 1)
	c := w.people.bySpawn(1)
	w.budget.take(0)
	c.join(0)
	a := c.active.Load()
	tb.Cleanup(func() {
		c.leaveActive(a)
		w.Stop()
	})
	return w, c, a
}

func TestTickAllocatesNothing(t *testing.T) {
	_, c, a := standing(t, 1)
	tick := loop.Tick(0)
	if n := testing.AllocsPerRun(1000, func() {
		tick++
		if !c.tick(a, tick) {
			t.Fatal("it ended")
		}
	}); n != 0 {
		t.Errorf("%v allocations a tick", n)
	}
	if a.inside != tick || a.pos.Load() != pack(c.current().leg.Place()) {
		t.Error("the ticks did nothing")
	}
}

// BenchmarkCharacterTick is one active character's tick without simulated
// work: schedule, position, grid, zone, neighbours.
func BenchmarkCharacterTick(b *testing.B) {
	_, c, a := standing(b, 1)
	tick := loop.Tick(0)
	b.ReportAllocs()
	for b.Loop() {
		tick++
		c.tick(a, tick)
	}
}

// BenchmarkDigest sums up 100,000 sleepers.
func BenchmarkDigest(b *testing.B) {
	const npcs = 100_000
	o := bendOptions(0)
	o.NPCs, o.Life, o.Coordinator = npcs, LifeNight, coordinator.Options{}
	w, err := New(o)
	if err != nil {
		b.Fatal(err)
	}
	w.Populate()
	defer w.Stop()
	b.ReportAllocs()
	for b.Loop() {
		if d, ok := w.sum(60); !ok || d.Count != npcs {
			b.Fatal("not everyone counted")
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/npcs, "ns/character")
}
