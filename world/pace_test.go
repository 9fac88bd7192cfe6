package world_test

import (
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"chronoscope/coordinator"
	"chronoscope/loop"
	"chronoscope/world"
)

// TestPaceChangesLive turns everything that is pacing while a world runs, the
// tick rate from 1 to 240 and back above all, pauses and steps it: ticks come
// one by one, no wake is missed or left open, and the digests are those of a run
// at max speed that nobody touches.
func TestPaceChangesLive(t *testing.T) {
	const last = 20 * loop.TicksPerMinute
	base := options(40, last)
	base.Life = world.LifeRush
	plain := run(t, base)
	plain.sound(t)
	var turned result
	rates := map[loop.Rate]int{}
	synctest.Test(t, func(t *testing.T) {
		o := base
		o.Coordinator.MaxSpeed = false
		o.Coordinator.Pacing.TickRate = loop.Hz(1)
		o.WanderingVisitors = 2
		o.Stalls = world.Stalls{Every: 400, For: 90 * time.Millisecond, Seed: 4}
		b := open(t, o)
		c := b.Coordinator()
		random := rand.New(rand.NewPCG(12, 12))
		one := func(rs ...loop.Rate) loop.Rate { return rs[random.IntN(len(rs))] }
		wait := func() bool {
			select {
			case <-b.Done():
				return false
			case <-time.After(time.Duration(random.Int64N(int64(700 * time.Millisecond)))):
				return true
			}
		}
		for round := 0; wait(); round++ {
			p := c.Pacing()
			switch round % 3 {
			case 0:
				p.TickRate = loop.Hz(240)
			case 1:
				p.TickRate = loop.Hz(1)
			case 2:
				p.TickRate = one(loop.Hz(30), loop.Rate{Num: 60000, Den: 1001}, loop.Rate{Num: 7, Den: 3}, loop.Hz(120))
			}
			rates[p.TickRate]++
			p.TimeScale = []float64{0.1, 1, 1, 3.7, 16}[random.IntN(5)]
			p.LagThreshold = 1 + random.IntN(12)
			p.Policy = loop.Policies()[random.IntN(3)]
			p.ChecksPerTick = 1 + random.IntN(20)
			p.Wait = []coordinator.Strategy{coordinator.Poll, coordinator.Gate}[random.IntN(2)]
			// The others spin, which takes no virtual time.
			p.Pacer = []loop.PacerKind{loop.Sleep, loop.Ticker, loop.Compensated}[random.IntN(3)]
			must(t, c.SetPacing(p))
			if random.IntN(6) == 0 {
				must(t, c.Pause())
				at := c.Global()
				time.Sleep(time.Duration(random.Int64N(int64(time.Second))))
				if c.Global() != at {
					t.Errorf("paused at tick %d, and now it is %d", at, c.Global())
				}
				must(t, c.Step(1+random.IntN(5)))
				wait()
				must(t, c.Resume())
			}
		}
		turned = b.close()
	})
	turned.sound(t)
	same(t, "turned", plain, turned)
	s := turned.stats
	if s.Scheduler.Processed != last || s.Tick != last {
		t.Errorf("tick %d, processed %d of %d", s.Tick, s.Scheduler.Processed, last)
	}
	for i, r := range s.Coordinator.Recent[1:] {
		if r.Tick != s.Coordinator.Recent[i].Tick+1 {
			t.Fatalf("tick %d came after %d", r.Tick, s.Coordinator.Recent[i].Tick)
		}
	}
	if rates[loop.Hz(1)] < 5 || rates[loop.Hz(240)] < 5 || s.Activated == 0 || s.Stalls == 0 {
		t.Errorf("too little happened: rates %v, %d woken, %d stalls", rates, s.Activated, s.Stalls)
	}
}
