package world_test

import (
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"

	"chronoscope/coordinator"
	"chronoscope/loop"
	"chronoscope/routes"
	"chronoscope/routes/town"
	"chronoscope/world"
)

// city is the built-in town.
var city = sync.OnceValue(func() *routes.Map {
	m, err := town.Generate(town.Options{})
	if err != nil {
		panic(err)
	}
	if err := m.EnsurePlaces(1); err != nil {
		panic(err)
	}
	return m
})

// held is the memory in use after two collections: live heap and stacks.
func held() (heap, stacks uint64) {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc, m.StackInuse
}

// BenchmarkMemory reports what a character takes, sleeping from the start and
// after all have woken several times (an hour of the town's time), paths that
// they share apart.
func BenchmarkMemory(b *testing.B) {
	const npcs = 100_000
	for b.Loop() {
		w, err := world.New(world.Options{
			Map:         city(),
			Params:      world.Params{NPCs: npcs},
			Coordinator: coordinator.Options{MaxSpeed: true, LastTick: 2 * loop.TicksPerHour, Pacing: coordinator.DefaultPacing()},
		})
		if err != nil {
			b.Fatal(err)
		}
		heap0, stacks0 := held()
		w.Populate()
		heap1, stacks1 := held()
		b.ReportMetric(float64(heap1+stacks1-heap0-stacks0)/npcs, "B/newborn")
		w.Start()
		<-w.Done()
		heap2, stacks2 := held()
		shared := uint64(w.Stats().Cache.Bytes)
		b.ReportMetric(float64(heap2+stacks2-heap0-stacks0-shared)/npcs, "B/character")
		b.ReportMetric(float64(stacks2-stacks0)/npcs, "B-stack/character")
		b.ReportMetric(float64(shared)/npcs, "B-shared-paths/character")
		b.ReportMetric(float64(w.Stats().Wakes), "wakes")
		w.Stop()
	}
}

// BenchmarkActiveTick releases ticks to active characters at max speed: the
// time until all have completed one, simulated work apart.
func BenchmarkActiveTick(b *testing.B) {
	for _, n := range []int{1, 1000, 10_000} {
		for _, wait := range []coordinator.Strategy{coordinator.Poll, coordinator.Gate} {
			b.Run(fmt.Sprintf("%d/%v", n, wait), func(b *testing.B) {
				p := world.Params{NPCs: n, Crowd: n, Life: world.LifeNight}
				pace := coordinator.DefaultPacing()
				pace.Wait = wait
				w, err := world.New(world.Options{Map: city(), Params: p,
					Coordinator: coordinator.Options{MaxSpeed: true, Paused: true, Pacing: pace}})
				if err != nil {
					b.Fatal(err)
				}
				w.Start()
				defer w.Stop()
				for w.Stats().Active != int64(n) {
					time.Sleep(time.Millisecond)
				}
				c := w.Coordinator()
				b.ReportAllocs()
				for b.Loop() {
					t := c.Global()
					if err := c.Step(1); err != nil {
						b.Fatal(err)
					}
					for c.Global() == t || c.Stats().Incomplete != 0 {
						runtime.Gosched()
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/character")
			})
		}
	}
}

// BenchmarkActiveMemory reports what an active character takes, all zones
// pinned.
func BenchmarkActiveMemory(b *testing.B) {
	const npcs = 3000
	for _, wait := range []coordinator.Strategy{coordinator.Poll, coordinator.Gate} {
		b.Run(wait.String(), func(b *testing.B) { activeMemory(b, npcs, wait) })
	}
}

func activeMemory(b *testing.B, npcs int, wait coordinator.Strategy) {
	for b.Loop() {
		p := world.Params{NPCs: npcs}
		for y := range int32(16) {
			for x := range int32(16) {
				p.Pins = append(p.Pins, routes.ZoneKey{X: x, Y: y})
			}
		}
		pace := coordinator.DefaultPacing()
		pace.Wait = wait
		w, err := world.New(world.Options{Map: city(), Params: p,
			Coordinator: coordinator.Options{MaxSpeed: true, LastTick: 2 * loop.TicksPerMinute, Pacing: pace}})
		if err != nil {
			b.Fatal(err)
		}
		heap0, stacks0 := held()
		w.Start()
		<-w.Done()
		heap, stacks := held()
		s := w.Stats()
		b.ReportMetric(float64(s.Active), "active")
		b.ReportMetric(float64(heap+stacks-heap0-stacks0-uint64(s.Cache.Bytes))/float64(npcs), "B/active")
		b.ReportMetric(float64(stacks-stacks0)/float64(npcs), "B-stack/active")
		w.Stop()
	}
}

// BenchmarkVisible looks at 2,000 and 100,000 characters, all in view: the whole
// town, and the part of a larger crowd that stands in a few zones.
func BenchmarkVisible(b *testing.B) {
	for _, bc := range []struct {
		name   string
		npcs   int
		lo, hi routes.Cell
	}{
		{"town of 2000", 2000, routes.Cell{}, routes.Cell{X: 255, Y: 255}},
		{"town of 100000", 100_000, routes.Cell{}, routes.Cell{X: 255, Y: 255}},
		{"a ninth of 100000", 100_000, routes.Cell{X: 85, Y: 85}, routes.Cell{X: 169, Y: 169}},
	} {
		b.Run(bc.name, func(b *testing.B) {
			w, err := world.New(world.Options{
				Map:         city(),
				Params:      world.Params{NPCs: bc.npcs, Life: world.LifeNight},
				Coordinator: coordinator.Options{Paused: true, Pacing: coordinator.DefaultPacing()},
			})
			if err != nil {
				b.Fatal(err)
			}
			w.Start()
			defer w.Stop()
			v := w.Viewer()
			marks := v.Visible(bc.lo, bc.hi, nil)
			b.ReportAllocs()
			for b.Loop() {
				marks = v.Visible(bc.lo, bc.hi, marks[:0])
			}
			b.ReportMetric(float64(len(marks)), "visible")
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(marks)), "ns/visible")
		})
	}
}

// BenchmarkInspectZone asks for 20 rows of a zone that 10,000 legs touch.
func BenchmarkInspectZone(b *testing.B) {
	w, err := world.New(world.Options{
		Map:         city(),
		Params:      world.Params{NPCs: 10_000, Crowd: 10_000, Life: world.LifeNight},
		Coordinator: coordinator.Options{Paused: true, Pacing: coordinator.DefaultPacing()},
	})
	if err != nil {
		b.Fatal(err)
	}
	w.Start()
	defer w.Stop()
	z := w.Zones(nil)
	for len(z) == 0 {
		time.Sleep(time.Millisecond)
		z = w.Zones(nil)
	}
	b.ReportAllocs()
	for b.Loop() {
		d, _ := w.InspectZone(z[0].Zone, 20)
		if len(d.Rows) != 20 {
			b.Fatal(len(d.Rows))
		}
	}
}
