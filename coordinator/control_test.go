package coordinator_test

import (
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"chronoscope/coordinator"
	"chronoscope/loop"
)

func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestPauseStep(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t, coordinator.Options{}, newMember(1, nil)).start()
		if err := r.Step(1); !errors.Is(err, coordinator.ErrNotPaused) {
			t.Errorf("step while running: %v, want ErrNotPaused", err)
		}
		for _, n := range []int{0, -1, coordinator.MaxStep + 1} {
			if err := r.Step(n); err == nil {
				t.Errorf("step %d: want an error", n)
			}
		}
		time.Sleep(time.Second + tick/2)
		ok(t, r.Pause())
		at := r.Global()
		if at != 60 {
			t.Errorf("global tick %d after a second, want 60", at)
		}
		time.Sleep(time.Second)
		r.want(at)
		if !r.Released().Frozen {
			t.Error("paused, and not frozen")
		}
		// The first at once, the others a tick apart, then none.
		ok(t, r.Step(3))
		r.want(at + 1)
		time.Sleep(tick - time.Millisecond)
		r.want(at + 1)
		if r.Released().Frozen {
			t.Error("stepping, and frozen")
		}
		time.Sleep(2 * time.Millisecond)
		r.want(at + 2)
		time.Sleep(time.Second)
		r.want(at + 3)
		if !r.Released().Frozen {
			t.Error("stepped, and not frozen")
		}
		// Steps add up; a pause forgets them; so does a resume.
		ok(t, r.Step(2))
		ok(t, r.Step(2))
		time.Sleep(time.Second)
		r.want(at + 7)
		ok(t, r.Step(100))
		time.Sleep(10*tick + tick/2)
		ok(t, r.Pause())
		r.want(at + 18)
		time.Sleep(time.Second)
		r.want(at + 18)
		ok(t, r.Step(100))
		ok(t, r.Resume())
		time.Sleep(10*tick + tick/2)
		ok(t, r.Pause())
		time.Sleep(time.Second)
		r.want(at + 18 + 1 + 10)
		ok(t, r.Pause())
		r.finish()
		if d := r.Stats().Dropped; d != 0 {
			t.Errorf("%d ticks dropped", d)
		}
	})
}

// A pause of 10 s at scale 4 leaves no debt.
func TestResumeLeavesNoDebt(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t, coordinator.Options{Pacing: pacing(func(p *coordinator.Pacing) { p.TimeScale = 4 })}).start()
		time.Sleep(time.Second + tick/8)
		ok(t, r.Pause())
		r.want(240)
		time.Sleep(10 * time.Second)
		ok(t, r.Resume())
		r.want(240)
		time.Sleep(tick/4 - time.Microsecond)
		r.want(240)
		time.Sleep(2 * time.Microsecond)
		r.want(241)
		time.Sleep(time.Second)
		r.want(481)
		r.finish()
		if st := r.Stats(); st.Dropped != 0 || st.ReleaseError.Max > time.Millisecond {
			t.Errorf("%d dropped, release error %v", st.Dropped, st.ReleaseError)
		}
	})
}

// Pausing wins over the brake: nothing is released when the last laggard is
// gone, nor does resuming make up for it. Steps wait for the brake.
func TestPauseWinsOverBrake(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m := newMember(1, func(n loop.Tick) time.Duration {
			switch {
			case n == 60 || n == 300:
				return time.Second
			case n%60 < 30 && n > 60:
				return 5 * time.Millisecond
			}
			return 0
		})
		r := newRig(t, coordinator.Options{}, m).start()
		for len(r.Laggards()) == 0 {
			time.Sleep(time.Millisecond)
		}
		held := r.Global()
		ok(t, r.Pause())
		for len(r.Laggards()) > 0 {
			time.Sleep(time.Millisecond)
			r.want(held)
		}
		time.Sleep(time.Second)
		r.want(held)
		ok(t, r.Resume())
		time.Sleep(tick - time.Millisecond)
		r.want(held)
		time.Sleep(2 * time.Millisecond)
		r.want(held + 1)

		for len(r.Laggards()) == 0 {
			time.Sleep(time.Millisecond)
		}
		held = r.Global()
		ok(t, r.Pause())
		ok(t, r.Step(2))
		for len(r.Laggards()) > 0 {
			r.want(held)
			time.Sleep(time.Millisecond)
		}
		time.Sleep(time.Second)
		r.want(held + 2)
		r.finish()
	})
}

// The rate changes live, 1 to 240 and back: no burst, nothing lost, and the
// schedule of wakes doesn't care.
func TestRateChangesLive(t *testing.T) {
	strategies(t, func(t *testing.T, s coordinator.Strategy) {
		at := func(hz uint64) coordinator.Pacing {
			return pacing(func(p *coordinator.Pacing) { p.TickRate, p.Wait = loop.Hz(hz), s })
		}
		r := newSchedulerRig(t, coordinator.Options{Pacing: at(1)}, newMember(1, nil))
		for n := range loop.Tick(1000) {
			r.s.Register(n+1, coordinator.MakeObjectID(uint32(n), 1))
		}
		r.start()
		time.Sleep(2*time.Second + 500*time.Millisecond)
		r.want(2)
		ok(t, r.SetPacing(at(240)))
		time.Sleep(time.Millisecond)
		r.want(3) // due at once: a 240th after the last
		time.Sleep(time.Second)
		r.want(243)
		ok(t, r.SetPacing(at(1)))
		time.Sleep(2 * time.Second)
		r.want(245)
		for i := range 100 { // dragged
			ok(t, r.SetPacing(at(uint64(60+i%3))))
			time.Sleep(10 * time.Millisecond)
		}
		if g := r.Global(); g < 245+55 || g > 245+66 {
			t.Errorf("%d ticks in a second of dragging around 60", g-245)
		}
		if p := r.Pacing(); p.TickRate != loop.Hz(60) {
			t.Errorf("rate %v", p.TickRate)
		}
		if r.Released().Period != loop.Hz(60).Period() {
			t.Errorf("period %v", r.Released().Period)
		}
		time.Sleep(time.Second)
		r.finish()
		for i, d := range r.got {
			if d.due != loop.Tick(i+1) {
				t.Fatalf("wake %d came for tick %d", i, d.due)
			}
		}
		if len(r.got) < 300 || len(r.Laggards()) != 0 || r.Stats().Dropped != 0 {
			t.Errorf("%d wakes, laggards %v, %d dropped", len(r.got), r.Laggards(), r.Stats().Dropped)
		}
	})
}

func TestSetPacingRefuses(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t, coordinator.Options{}).start()
		before := r.Pacing()
		if err := r.SetPacing(pacing(func(p *coordinator.Pacing) { p.TimeScale = 0 })); err == nil {
			t.Error("scale 0: want an error")
		}
		if r.Pacing() != before {
			t.Error("a refused pacing was put into force")
		}
		r.finish()
	})
}

// A member that waits by a strategy which was in force for a moment only, so
// short that the coordinator never saw it, is woken all the same.
func TestStrategyFlips(t *testing.T) {
	bubble(t, func(t *testing.T) {
		flipped := false
		m := newMember(1, nil)
		r := newRig(t, coordinator.Options{}, m)
		gate := pacing(func(p *coordinator.Pacing) { p.Wait = coordinator.Gate })
		poll := coordinator.DefaultPacing()
		r.pacer.afterWork = func() {
			// On the coordinator's goroutine: nothing is noticed between the two.
			if r.Global() == 50 && !flipped {
				flipped = true
				_ = r.SetPacing(gate)
				time.Sleep(tick / 2) // the member has begun to wait
				_ = r.SetPacing(poll)
			}
		}
		r.start()
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if g, done := r.Global(), m.progress.Completed(); !flipped || g < 100 || g-done > 1 {
			t.Errorf("flipped %v: global tick %d, the member is at %d", flipped, g, done)
		}
		r.finish()
	})
}

// Do runs between two releases, with the tick that comes next.
func TestDo(t *testing.T) {
	for _, fast := range []bool{false, true} {
		bubble(t, func(t *testing.T) {
			m := newMember(1, func(loop.Tick) time.Duration { return time.Millisecond })
			r := newRig(t, coordinator.Options{LastTick: 200, MaxSpeed: fast}, m).start()
			for range 500 {
				var due, seen loop.Tick
				ok(t, r.Do(func(d loop.Tick) { due, seen = d, r.Global() }))
				if due != seen+1 {
					t.Fatalf("due %d at global tick %d", due, seen)
				}
				time.Sleep(time.Millisecond)
			}
			time.Sleep(5 * time.Second)
			// Nothing is released beyond the last tick, and Do goes on.
			r.want(200)
			ok(t, r.Do(func(due loop.Tick) {
				if due != 201 {
					t.Errorf("due %d at the last tick, want 201", due)
				}
			}))
			ok(t, r.Pause())
			ok(t, r.Step(5))
			time.Sleep(time.Second)
			r.want(200)
			if st := r.Stats(); st.Steps != 0 || st.LastTick != 200 {
				t.Errorf("%d steps left at the last tick", st.Steps)
			}
			r.finish()
		})
	}
}

func TestStartPaused(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t, coordinator.Options{Paused: true}).start()
		time.Sleep(time.Second)
		r.want(0)
		if st := r.Stats(); !st.Paused || !r.Released().Frozen {
			t.Errorf("paused %v, frozen %v", st.Paused, r.Released().Frozen)
		}
		ok(t, r.Resume())
		time.Sleep(time.Second + time.Millisecond)
		r.want(60)
		r.finish()
	})
}

// Whatever waits for the coordinator returns when it stops, and nothing is
// sent to it afterwards.
func TestStopEndsWaits(t *testing.T) {
	bubble(t, func(t *testing.T) {
		// One request fills the queue, and the coordinator is busy.
		r := newRig(t, coordinator.Options{RequestQueue: 1})
		release := make(chan struct{})
		r.start()
		results := make(chan error, 10)
		go func() { results <- r.Do(func(loop.Tick) { <-release }) }()
		time.Sleep(2 * coordinator.DefaultSleepFloor)
		never := func(loop.Tick) { t.Error("ran after Stop") }
		go func() { results <- r.Do(never) }() // in the queue
		synctest.Wait()
		go func() { results <- r.Do(never) }() // waits for room
		leaver, waiter := newMember(1, nil), newMember(2, nil)
		r.Join(&leaver.progress)
		r.Join(&waiter.progress)
		go func() {
			r.RequestBrake(&leaver.progress) // waits for room
			results <- r.Leave(&leaver.progress)
		}()
		go func() {
			r.RequestBrake(&waiter.progress)
			results <- nil
		}()
		synctest.Wait()
		if len(results) != 0 {
			t.Fatal("somebody didn't wait")
		}
		r.Stop()
		r.Stop()
		close(release)
		r.Wait()
		r.Wait()
		synctest.Wait()
		var stopped, fine int
		for range 5 {
			switch err := <-results; {
			case err == nil:
				fine++
			case errors.Is(err, coordinator.ErrStopped):
				stopped++
			default:
				t.Errorf("error %v", err)
			}
		}
		if stopped != 3 || fine != 2 {
			t.Errorf("%d ended with ErrStopped and %d without: want 3 and 2", stopped, fine)
		}
		if err := r.Do(never); !errors.Is(err, coordinator.ErrStopped) {
			t.Errorf("Do after Stop: %v", err)
		}
		for _, f := range []func() error{r.Pause, r.Resume, func() error { return r.Step(1) }} {
			if err := f(); !errors.Is(err, coordinator.ErrStopped) {
				t.Errorf("after Stop: %v", err)
			}
		}
		r.Start()
	})
}

func TestStopBeforeStart(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newSchedulerRig(t, coordinator.Options{})
		result := make(chan error)
		go func() { result <- r.Do(func(loop.Tick) {}) }()
		synctest.Wait()
		r.s.Register(5, 1)
		r.s.Stop()
		r.s.Start()
		r.s.Wait()
		r.Stop()
		r.Start()
		r.Wait()
		if err := <-result; !errors.Is(err, coordinator.ErrStopped) {
			t.Errorf("Do: %v", err)
		}
		r.want(0)
	})
}

func TestMisusePanics(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t, coordinator.Options{})
		panics := func(what string, f func()) {
			t.Helper()
			defer func() {
				if recover() == nil {
					t.Errorf("%s: want a panic", what)
				}
			}()
			f()
		}
		var raw coordinator.Progress
		panics("join before init", func() { r.Join(&raw) })
		panics("a bell of two slots", func() { raw.Init(coordinator.ParticipantID{}, make(chan struct{}, 2)) })
		m := newMember(1, nil)
		panics("complete before join", func() { r.Complete(&m.progress, 0) })
		panics("leave before join", func() { _ = r.Leave(&m.progress) })
		m.progress.Publish(1)
		panics("join beyond the global tick", func() { r.Join(&m.progress) })
		m.progress.Publish(0)
		r.Join(&m.progress)
		panics("join twice", func() { r.Join(&m.progress) })
		panics("publish by a member", func() { m.progress.Publish(0) })
		panics("init of a member", func() { m.progress.Init(m.progress.ID(), m.bell) })
		panics("complete beyond the global tick", func() { r.Complete(&m.progress, 1) })
		ok(t, r.Leave(&m.progress))
		r.Stop()
		r.Wait()
	})
}

// While no tick can come, many pollers look seldom; whoever resumes or steps
// wakes them.
func TestPollersRest(t *testing.T) {
	const n, looks = 1000, 100 // 10us a member and look: each looks every 10 ms
	bubble(t, func(t *testing.T) {
		r := newRig(t, coordinator.Options{Paused: true, LastTick: 2, Pacing: pacing(func(p *coordinator.Pacing) { p.TickRate = loop.Hz(240) })})
		var seen, woken atomic.Int64
		var end atomic.Bool
		for i := range n {
			m := newMember(uint32(i+1), nil)
			r.members = append(r.members, m)
			r.Join(&m.progress)
			r.wg.Go(func() {
				w := coordinator.NewWaiter()
				defer w.Close()
				for !end.Load() {
					r.Await(&m.progress, w)
					seen.Add(1)
					if g := r.Global(); g > m.progress.Completed() {
						woken.Add(1)
						r.Complete(&m.progress, g)
					}
				}
				m.leave = r.Leave(&m.progress)
			})
		}
		r.Start()
		rest := func(when string) {
			t.Helper()
			seen.Store(0)
			time.Sleep(time.Second)
			synctest.Wait()
			if got := seen.Load(); got < n*looks/2 || got > n*looks*11/10 {
				t.Errorf("%s: %d looks in a second, want about %d", when, got, n*looks)
			}
		}
		rest("paused")
		ok(t, r.Step(1))
		time.Sleep(2 * time.Millisecond) // a quarter of a tick and a bit
		synctest.Wait()
		if got := woken.Load(); got != n {
			t.Errorf("%d of %d saw the step in 2 ms", got, n)
		}
		rest("stepped")
		ok(t, r.Resume())
		time.Sleep(7 * time.Millisecond)
		synctest.Wait()
		if got := woken.Load(); got != 2*n {
			t.Errorf("%d of %d saw the tick after the resume in time", got-n, n)
		}
		rest("after the last tick")
		end.Store(true)
		r.finish()
	})
}
