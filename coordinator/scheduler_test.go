package coordinator_test

import (
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"chronoscope/coordinator"
	"chronoscope/loop"
)

// At max speed the scheduler stays within Ahead of the oldest open due, and a
// due that is waiting for an overdue wake is no deadlock.
func TestSchedulerWaitsForDues(t *testing.T) {
	for _, wait := range []coordinator.Strategy{coordinator.Poll, coordinator.Gate} {
		bubble(t, func(t *testing.T) {
			const ahead, last = 50, 500
			c, err := coordinator.New(coordinator.Options{MaxSpeed: true, LastTick: last, Pacing: pacing(func(p *coordinator.Pacing) { p.Wait = wait })})
			ok(t, err)
			dues := coordinator.NewDues()
			wake := make(chan loop.Tick, 1000)
			s := coordinator.NewScheduler(c, coordinator.SchedulerOptions{Dues: dues, Ahead: ahead,
				Deliver: func(due loop.Tick, ids []coordinator.ObjectID) {
					for range ids {
						wake <- due
					}
				}})
			// A sleeper that takes 100 ms for each of its wakes and chains the
			// next from the due one, every 7 ticks: mostly overdue by then.
			handled := 0
			go func() {
				for due := range wake {
					time.Sleep(100 * time.Millisecond)
					if o, _ := dues.Oldest(); s.Processed() > o+ahead {
						t.Errorf("processed %d with a due open at %d", s.Processed(), o)
					}
					if due+7 <= last {
						s.Register(due+7, 1)
					}
					dues.Settle(due)
					handled++
				}
			}()
			s.Register(7, 1)
			s.Start()
			c.Start()
			time.Sleep(20 * time.Second)
			synctest.Wait()
			if c.Global() != last || s.Processed() != last || handled != last/7 || dues.Len() != 0 {
				t.Errorf("%v: global tick %d, processed %d, %d wakes handled, %d open", wait, c.Global(), s.Processed(), handled, dues.Len())
			}
			st := s.Stats()
			if st.Held == 0 || st.Overdue == 0 {
				t.Errorf("stats %+v: it never waited", st)
			}
			s.Stop()
			s.Wait()
			c.Stop()
			c.Wait()
			close(wake)
		})
	}
}

// A sleeper that never settles holds the scheduler, and nothing else.
func TestSchedulerStopsWhileItWaits(t *testing.T) {
	bubble(t, func(t *testing.T) {
		c, err := coordinator.New(coordinator.Options{MaxSpeed: true})
		ok(t, err)
		dues := coordinator.NewDues()
		var overdue []loop.Tick
		s := coordinator.NewScheduler(c, coordinator.SchedulerOptions{Dues: dues, Deliver: func(due loop.Tick, ids []coordinator.ObjectID) {
			if due != 3 {
				overdue = append(overdue, due)
				dues.SettleN(due, len(ids))
			}
		}})
		s.Register(3, 1)
		s.Start()
		c.Start()
		time.Sleep(5 * time.Second)
		synctest.Wait()
		if want := 3 + coordinator.DefaultAhead - 1; s.Processed() != want || c.Global() != want+1 {
			t.Errorf("processed %d of %d, want it to wait after %d", s.Processed(), c.Global(), want)
		}
		// What is overdue is delivered meanwhile: the dues might wait for it.
		s.Register(2, 1)
		synctest.Wait()
		if len(overdue) != 1 || overdue[0] != 2 {
			t.Errorf("overdue %v, want 2 at once", overdue)
		}
		s.Stop()
		s.Wait()
		if st := c.Stats(); st.Members != 0 {
			t.Errorf("%d members", st.Members)
		}
		c.Stop()
		c.Wait()
		dues.Settle(3)
	})
}

// A tick counts as processed after its wakes have been handed over, not before.
func TestProcessedAfterHandOver(t *testing.T) {
	strategies(t, func(t *testing.T, wait coordinator.Strategy) {
		r := newSchedulerRig(t, coordinator.Options{Pacing: pacing(func(p *coordinator.Pacing) { p.Wait = wait })})
		for n := range loop.Tick(60) {
			r.s.Register(n+1, coordinator.ObjectID(n))
		}
		r.extra = func(due loop.Tick, _ []coordinator.ObjectID) {
			if p := r.s.Processed(); p != due-1 {
				t.Errorf("processed %d while tick %d is handed over", p, due)
			}
		}
		r.start()
		time.Sleep(2 * time.Second)
		r.finish()
		if len(r.got) != 60 {
			t.Errorf("%d deliveries", len(r.got))
		}
	})
}

// The scheduler brakes the world like anyone else.
func TestSchedulerBrakes(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newSchedulerRig(t, coordinator.Options{})
		r.extra = func(due loop.Tick, _ []coordinator.ObjectID) {
			if due > 60 && due < 80 {
				time.Sleep(20 * time.Millisecond)
			}
		}
		for n := range loop.Tick(200) {
			r.s.Register(n+1, 1)
		}
		r.start()
		r.until(60)
		r.s.Stall(500 * time.Millisecond)
		for len(r.Laggards()) == 0 {
			time.Sleep(time.Millisecond)
		}
		if l := r.Laggards()[0]; l.ID.Kind != coordinator.KindScheduler || l.ID.String() != "scheduler" {
			t.Errorf("laggard %v", l.ID)
		}
		held := r.Global()
		time.Sleep(100 * time.Millisecond)
		r.want(held)
		time.Sleep(2 * time.Second)
		if r.Global() <= held || r.s.Stats().Lag > 1 {
			t.Errorf("global tick %d, held at %d; lag %d", r.Global(), held, r.s.Stats().Lag)
		}
		r.s.Stall(time.Hour) // stopping ends a stall
		time.Sleep(time.Second)
		r.finish()
	})
}

// Registrations race with the taking out of their very tick: every one is
// delivered exactly once, at its tick, with its due open until settled.
func TestRegisterRaces(t *testing.T) {
	for _, fast := range []bool{false, true} {
		bubble(t, func(t *testing.T) {
			const goroutines, each = 8, 400
			c, err := coordinator.New(coordinator.Options{MaxSpeed: fast, Pacing: pacing(func(p *coordinator.Pacing) {
				p.Wait, p.TickRate = coordinator.Gate, loop.Hz(240)
			})})
			ok(t, err)
			dues := coordinator.NewDues()
			var mu sync.Mutex
			got := map[coordinator.ObjectID]loop.Tick{}
			s := coordinator.NewScheduler(c, coordinator.SchedulerOptions{Dues: dues, Deliver: func(due loop.Tick, ids []coordinator.ObjectID) {
				mu.Lock()
				for _, id := range ids {
					if at, twice := got[id]; twice {
						t.Errorf("%v came at %d and at %d", id, at, due)
					}
					got[id] = due
				}
				mu.Unlock()
				dues.SettleN(due, len(ids))
			}})
			pause := newMember(99, func(loop.Tick) time.Duration { return time.Millisecond })
			s.Start()
			var wg sync.WaitGroup
			wg.Go(func() { pause.run(c) })
			c.Start()
			want := make([]map[coordinator.ObjectID]loop.Tick, goroutines)
			var reg sync.WaitGroup
			for g := range goroutines {
				want[g] = map[coordinator.ObjectID]loop.Tick{}
				reg.Go(func() {
					r := rand.New(rand.NewPCG(uint64(g), 4))
					for i := range each {
						id := coordinator.MakeObjectID(uint32(g*each+i), 1)
						// Around the tick that is just being processed.
						at := max(1, c.Global()+loop.Tick(r.IntN(4)))
						at -= min(at-1, loop.Tick(r.IntN(3)))
						want[g][id] = at
						s.Register(at, id)
						if r.IntN(4) == 0 {
							time.Sleep(time.Duration(r.IntN(3000)) * time.Microsecond)
						}
					}
				})
			}
			reg.Wait()
			time.Sleep(time.Second)
			pause.end()
			wg.Wait()
			s.Stop()
			s.Wait()
			c.Stop()
			c.Wait()
			n := 0
			for _, w := range want {
				for id, at := range w {
					n++
					if got[id] != at {
						t.Fatalf("%v came at %d, want %d", id, got[id], at)
					}
				}
			}
			if len(got) != n || dues.Len() != 0 {
				t.Errorf("%d delivered of %d, %d dues open", len(got), n, dues.Len())
			}
			if st := s.Stats(); st.Overdue == 0 || st.Delivered != uint64(n) || st.Registered != uint64(n) {
				t.Errorf("stats %+v", st)
			}
		})
	}
}
