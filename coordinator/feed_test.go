package coordinator_test

import (
	"testing"
	"testing/synctest"
	"time"

	"chronoscope/coordinator"
	"chronoscope/loop"
)

func byFrame(change func(p *coordinator.Pacing)) coordinator.Pacing {
	return pacing(func(p *coordinator.Pacing) {
		p.Driver = coordinator.ByFrame
		if change != nil {
			change(p)
		}
	})
}

// settleChecks lets a few checks pass, less than half a tick.
func settleChecks() {
	time.Sleep(tick / 4)
	synctest.Wait()
}

// The coordinator's own clock makes nothing due; what is fed comes at once.
func TestFeed(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t, coordinator.Options{Pacing: byFrame(nil)}, newMember(1, nil)).start()
		time.Sleep(10 * time.Second)
		r.want(0)
		for i := range loop.Tick(100) {
			due := time.Now().Add(-3 * time.Millisecond)
			r.Feed(1, due)
			time.Sleep(2 * coordinator.DefaultSleepFloor)
			r.want(i + 1)
			rel := r.Released()
			if rel.Scheduled != due || rel.Period != tick || rel.Frozen {
				t.Fatalf("%+v, want scheduled %v, period %v", rel, due, tick)
			}
			time.Sleep(20 * time.Millisecond)
		}
		for _, n := range []int{0, -1, -1 << 62} {
			r.Feed(n, time.Now())
		}
		settleChecks()
		r.want(100)
		r.finish()
		if d := r.Stats().Dropped; d != 0 {
			t.Errorf("%d dropped", d)
		}
	})
}

// What a frame makes due beyond the policy's measure is dropped and counted; the
// rest comes one a check.
func TestFeedPolicies(t *testing.T) {
	for _, c := range []struct {
		policy loop.Policy
		fed    int
		want   loop.Tick
	}{
		{loop.CatchUp, 3, 3}, {loop.CatchUp, 8, 8}, {loop.CatchUp, 20, 8}, {loop.CatchUp, 216_000, 8},
		{loop.Drop, 1, 1}, {loop.Drop, 3, 1}, {loop.SlowDown, 1, 1}, {loop.SlowDown, 3, 1},
	} {
		bubble(t, func(t *testing.T) {
			r := newRig(t, coordinator.Options{Pacing: byFrame(func(p *coordinator.Pacing) { p.Policy = c.policy })}, newMember(1, nil)).start()
			time.Sleep(time.Second)
			last := time.Now()
			r.Feed(c.fed, last)
			time.Sleep(time.Second)
			r.want(c.want)
			if s := r.Released().Scheduled; s != last {
				t.Errorf("%v, %d: the last was due at %v, want %v", c.policy, c.fed, s, last)
			}
			r.finish()
			st := r.Stats()
			if st.Dropped != uint64(c.fed)-uint64(c.want) || st.Stretch != 1 {
				t.Errorf("%v: %d of %d dropped, stretch %v", c.policy, st.Dropped, c.fed, st.Stretch)
			}
			for i, rel := range st.Recent[1:] {
				if prev := st.Recent[i]; !rel.Actual.After(prev.Actual) || rel.Scheduled.Sub(prev.Scheduled) != tick {
					t.Errorf("%v: tick %d due %v after the one before, released %v after it", c.policy, rel.Tick,
						rel.Scheduled.Sub(prev.Scheduled), rel.Actual.Sub(prev.Actual))
				}
			}
		})
	}
}

// Paused, stepping and braked time leaves no debt of fed ticks.
func TestFeedHeld(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m := newMember(1, stallAt(300, time.Second))
		r := newWatchingRig(t, coordinator.Options{Pacing: byFrame(nil)}, m).start()
		frame := func(n int) {
			for range n {
				time.Sleep(tick)
				r.Feed(1, time.Now())
			}
			settleChecks()
		}
		frame(60)
		r.want(60)
		ok(t, r.Pause())
		frame(60)
		r.want(60)
		ok(t, r.Step(3))
		frame(1)
		r.want(62) // the first at once, the next a tick later: not what was fed
		frame(60)
		r.want(63)
		r.Feed(5, time.Now())
		ok(t, r.Resume())
		r.Feed(5, time.Now())
		settleChecks()
		r.want(63)
		frame(200)
		if g := r.Global(); g < 262 || g > 263 {
			t.Errorf("global tick %d, want 263 or one less", g)
		}
		// A brake: one tick when it lifts, and none of what was fed meanwhile.
		for range 100 {
			if len(r.Laggards()) == 0 {
				frame(1)
			}
		}
		held := r.Global()
		if len(r.Laggards()) == 0 {
			t.Error("nobody brakes")
		}
		for range 100 {
			if len(r.Laggards()) > 0 {
				r.want(held)
				frame(1)
			}
		}
		if g := r.Global(); g < held+1 || g > held+2 {
			t.Errorf("global tick %d after a brake at %d", g, held)
		}
		frame(10)
		if g := r.Global(); g < held+10 || g > held+12 {
			t.Errorf("global tick %d ten frames after a brake at %d", g, held)
		}
		r.finish()
		if d := r.Stats().Dropped; d != 0 {
			t.Errorf("%d dropped", d)
		}
	})
}

// Switched live, again and again: no burst and no gap.
func TestDriverSwitches(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t, coordinator.Options{}, newMember(1, nil)).start()
		feeding := time.NewTicker(tick)
		defer feeding.Stop()
		for i := range 20 {
			p := pacing(func(*coordinator.Pacing) {})
			if i%2 == 1 {
				p = byFrame(nil)
			}
			ok(t, r.SetPacing(p))
			// What a window does at the switch: its own grid goes on from the last
			// release.
			next := r.Released().Scheduled.Add(tick)
			for range 10*i + 37 {
				time.Sleep(1300 * time.Microsecond)
				if now := time.Now(); !next.After(now) {
					r.Feed(1, next) // ignored with the coordinator's clock
					next = next.Add(tick)
				}
			}
		}
		elapsed := r.Stats().At
		r.finish()
		st := r.Stats()
		if elapsed.IsZero() || st.Dropped != 0 {
			t.Errorf("%d dropped", st.Dropped)
		}
		for i, rel := range st.Recent[1:] {
			d := rel.Scheduled.Sub(st.Recent[i].Scheduled)
			if d < tick*9/10 || d > tick*11/10 {
				t.Errorf("tick %d was due %v after the one before", rel.Tick, d)
			}
			if a := rel.Actual.Sub(st.Recent[i].Actual); a < tick/2 || a > tick*3/2 {
				t.Errorf("tick %d came %v after the one before", rel.Tick, a)
			}
		}
	})
}

// Nothing is fed that another driver, or a stale feeder, left behind.
func TestFeedIgnored(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t, coordinator.Options{}, newMember(1, nil)).start()
		r.Feed(1000, time.Now())
		time.Sleep(time.Second + tick/2)
		r.want(60)
		ok(t, r.SetPacing(byFrame(nil)))
		time.Sleep(time.Second)
		r.want(60)
		r.Feed(3, time.Now())
		ok(t, r.SetPacing(coordinator.DefaultPacing()))
		settleChecks()
		if g := r.Global(); g > 61 {
			t.Errorf("global tick %d after the switch back, want 61 at most", g)
		}
		r.finish()
	})
}

// Resumed between two steps, the world waits a whole tick, whatever the steps
// had in mind.
func TestResumeBetweenSteps(t *testing.T) {
	for _, driver := range []coordinator.Driver{coordinator.ByCoordinator, coordinator.ByFrame} {
		t.Run(driver.String(), func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				r := newRig(t, coordinator.Options{Paused: true, Pacing: pacing(func(p *coordinator.Pacing) { p.Driver = driver })}, newMember(1, nil)).start()
				time.Sleep(time.Second)
				ok(t, r.Step(5))
				time.Sleep(tick + tick*3/4)
				r.want(2)
				ok(t, r.Resume())
				resumed := time.Now()
				time.Sleep(tick - time.Millisecond)
				if driver == coordinator.ByFrame {
					r.Feed(1, resumed.Add(tick/2)) // less than a tick after
				}
				settleChecks()
				if driver == coordinator.ByFrame {
					r.want(2)
					r.Feed(1, resumed.Add(tick))
					settleChecks()
				}
				r.want(3)
				if s := r.Released().Scheduled.Sub(resumed); s != tick {
					t.Errorf("due %v after the resume, want %v", s, tick)
				}
				// A resume while nothing is paused changes nothing.
				if driver == coordinator.ByCoordinator {
					for range 100 {
						ok(t, r.Resume())
						time.Sleep(tick / 2)
					}
					if g := r.Global(); g < 52 || g > 54 {
						t.Errorf("global tick %d after 50 more ticks of resuming, want 53", g)
					}
				}
				r.finish()
			})
		})
	}
}

// Paused between two steps and stepped on at once: the first comes at once, the
// second a whole tick later.
func TestStepAnew(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t, coordinator.Options{Paused: true}, newMember(1, nil)).start()
		ok(t, r.Step(5))
		time.Sleep(tick * 3 / 4)
		r.want(1)
		// Both wait while the coordinator is busy, and are taken in one check.
		go r.Do(func(loop.Tick) { time.Sleep(tick / 10) })
		time.Sleep(time.Millisecond / 10)
		go r.Pause()
		time.Sleep(time.Millisecond / 10)
		ok(t, r.Step(2))
		r.want(2)
		time.Sleep(tick * 3 / 4)
		r.want(2)
		time.Sleep(tick / 2)
		r.want(3)
		time.Sleep(time.Second)
		r.want(3)
		r.finish()
	})
}
