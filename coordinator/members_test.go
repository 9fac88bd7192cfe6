package coordinator_test

import (
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"chronoscope/coordinator"
	"chronoscope/loop"
)

// At max speed no tick is released before everyone has completed the last one,
// however members come and go, and it never hangs.
func TestMaxSpeedWaitsForAll(t *testing.T) {
	strategies(t, func(t *testing.T, s coordinator.Strategy) {
		const last = 150
		var c *coordinator.Coordinator
		var newest atomic.Uint64 // the newest tick anyone has begun
		members := make([]*member, 40)
		for i := range members {
			r := rand.New(rand.NewPCG(uint64(i), 5))
			m := newMember(uint32(i), nil)
			m.work = func(n loop.Tick) time.Duration {
				for {
					old := newest.Load()
					if old >= uint64(n) || newest.CompareAndSwap(old, uint64(n)) {
						break
					}
				}
				if c.Global() != n {
					t.Errorf("tick %d is run at global tick %d", n, c.Global())
				}
				if r.IntN(10) == 0 {
					return time.Duration(r.IntN(5)) * time.Millisecond
				}
				return 0
			}
			members[i] = m
		}
		r := newRig(t, coordinator.Options{MaxSpeed: true, LastTick: last, Pacing: pacing(func(p *coordinator.Pacing) { p.Wait = s })}, members...)
		c = r.Coordinator
		r.pacer.afterWork = func() {
			g := c.Global()
			for _, m := range members {
				if m.progress.Joined() && m.progress.Completed()+1 < g {
					t.Errorf("global tick %d, a member is at %d", g, m.progress.Completed())
				}
			}
		}
		r.start()
		// Others come and go all the time.
		var others sync.WaitGroup
		for i := range 10 {
			others.Go(func() {
				for range 20 {
					m := newMember(uint32(1000+i), nil)
					m.work = func(loop.Tick) time.Duration { return time.Millisecond }
					done := make(chan struct{})
					go func() { m.run(c); close(done) }()
					time.Sleep(time.Duration(1+i) * time.Millisecond)
					m.end()
					<-done
				}
			})
		}
		others.Wait()
		time.Sleep(5 * time.Second)
		r.want(last)
		synctest.Wait()
		st := r.Stats()
		if st.Incomplete != 0 || st.Members != len(members) || st.Brake.Episodes != 0 {
			t.Errorf("%d of %d incomplete, %d brakes", st.Incomplete, st.Members, st.Brake.Episodes)
		}
		r.finish()
		if newest.Load() != last {
			t.Errorf("the newest tick run is %d", newest.Load())
		}
	})
}

// Nobody there: nothing is released at max speed, and nothing spins.
func TestMaxSpeedWithoutMembers(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t, coordinator.Options{MaxSpeed: true, LastTick: 1000}).start()
		time.Sleep(time.Second)
		r.want(0)
		if n := r.Stats().Checks.Count; n > 700 {
			t.Errorf("%d checks in a second of waiting", n)
		}
		m := newMember(1, nil)
		r.members = append(r.members, m)
		r.wg.Go(func() { m.run(r.Coordinator) })
		time.Sleep(5 * time.Second)
		r.want(1000)
		r.finish()
	})
}

// The last finisher rings: at max speed under the gate, ticks that take no
// time take none, whatever the interval of the checks.
func TestMaxSpeedTakesNoTime(t *testing.T) {
	bubble(t, func(t *testing.T) {
		members := make([]*member, 50)
		for i := range members {
			members[i] = newMember(uint32(i), nil)
		}
		r := newRig(t, coordinator.Options{MaxSpeed: true, LastTick: 1000, Pacing: pacing(func(p *coordinator.Pacing) { p.Wait = coordinator.Gate })}, members...)
		before := time.Now()
		r.start()
		r.want(1000)
		if d := time.Since(before); d != 0 {
			t.Errorf("1000 ticks took %v", d)
		}
		r.finish()
	})
}

// Requests are drained while a member makes everyone wait at max speed, and
// that is no brake.
func TestMaxSpeedDrainsRequests(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t, coordinator.Options{MaxSpeed: true, LastTick: 10}, newMember(1, stallAt(5, time.Minute)), newMember(2, nil)).start()
		time.Sleep(time.Second)
		r.want(5)
		before := time.Now()
		for range 10 {
			ok(t, r.Do(func(due loop.Tick) {
				if due != 6 {
					t.Errorf("due %d", due)
				}
			}))
		}
		// Not sooner than the sleep floor after the check before.
		if d := time.Since(before); d > 10*coordinator.DefaultSleepFloor {
			t.Errorf("Do took %v", d/10)
		}
		st := r.Stats()
		if st.Incomplete != 1 || st.Braking || len(r.Laggards()) != 0 {
			t.Errorf("%d incomplete, braking %v", st.Incomplete, st.Braking)
		}
		time.Sleep(time.Minute + time.Second)
		r.want(10)
		r.finish()
		if n := r.Stats().Brake.Episodes; n != 0 {
			t.Errorf("%d brakes", n)
		}
	})
}

// A flood of requests takes its share of each check and no more: ticks come at
// their rate, and every request is dealt with.
func TestFloodStarvesNobody(t *testing.T) {
	for _, perCheck := range []int{1, 16, 256} {
		bubble(t, func(t *testing.T) {
			r := newRig(t, coordinator.Options{RequestQueue: 64, RequestsPerCheck: perCheck}, newMember(1, nil))
			var dones atomic.Int64
			var perIteration int64
			r.pacer.afterWork = func() {
				n := dones.Swap(0)
				perIteration = max(perIteration, n)
			}
			r.start()
			var flood sync.WaitGroup
			stop := time.Now().Add(time.Second)
			var handled atomic.Int64
			for range 100 {
				flood.Go(func() {
					for time.Now().Before(stop) {
						if err := r.Do(func(loop.Tick) { dones.Add(1) }); err != nil {
							t.Error(err)
							return
						}
						handled.Add(1)
						time.Sleep(time.Millisecond)
					}
				})
			}
			time.Sleep(time.Second - tick/2)
			synctest.Wait()
			if g := r.Global(); g < 58 || g > 59 {
				t.Errorf("%d per check: global tick %d after a second of flood, want 59", perCheck, g)
			}
			flood.Wait()
			if n := r.Stats().Requests; n.High < 60 || n.High > n.Cap || n.Cap != 64 {
				t.Errorf("requests %+v: it was no flood", n)
			}
			if handled.Load() < 1000 {
				t.Errorf("%d requests handled", handled.Load())
			}
			r.finish()
			if perIteration > int64(perCheck) {
				t.Errorf("%d requests in one check, want at most %d", perIteration, perCheck)
			}
			if n := r.Stats().Checks.Count; n > 10_000+700 {
				t.Errorf("%d checks in a second: less than the sleep floor apart", n)
			}
		})
	}
}

// A member that is woken by its bell while it waits returns early.
func TestAwaitEndsByBell(t *testing.T) {
	strategies(t, func(t *testing.T, s coordinator.Strategy) {
		r := newRig(t, coordinator.Options{Pacing: pacing(func(p *coordinator.Pacing) { p.Wait, p.TickRate = s, loop.Hz(1) })}).start()
		m := newMember(1, nil)
		r.Join(&m.progress)
		w := coordinator.NewWaiter()
		defer w.Close()
		for range 3 {
			before := time.Now()
			time.AfterFunc(3*time.Millisecond, func() { m.bell <- struct{}{} })
			r.Await(&m.progress, w)
			if d := time.Since(before); d != 3*time.Millisecond {
				t.Errorf("waited %v, want 3ms", d)
			}
		}
		before := time.Now()
		for r.Global() == 0 {
			r.Await(&m.progress, w)
		}
		at := time.Now()
		r.Await(&m.progress, w) // behind: no wait
		if d := time.Since(at); d != 0 || at.Sub(before) > time.Second+250*time.Millisecond {
			t.Errorf("waited %v when behind; the release was seen after %v", d, at.Sub(before))
		}
		ok(t, r.Leave(&m.progress))
		r.finish()
	})
}
