package coordinator_test

import (
	"testing"
	"testing/synctest"
	"time"

	"chronoscope/coordinator"
	"chronoscope/loop"
)

// oversleepOnce makes one wake-up, the first after at, late by d.
func oversleepOnce(r *rig, after loop.Tick, d time.Duration) {
	done := false
	r.pacer.oversleep = func(time.Time) time.Duration {
		if r.Global() >= after && !done {
			done = true
			return d
		}
		return 0
	}
}

// releasesAfter counts the releases in [from, from+d).
func releasesAfter(st *coordinator.Stats, from time.Time, d time.Duration) (n int) {
	for _, r := range st.Recent {
		if !r.Actual.Before(from) && r.Actual.Before(from.Add(d)) {
			n++
		}
	}
	return n
}

// A process that was stopped for 30 s: the policy's cap bounds what follows,
// one tick a check, and the rest is dropped and counted.
func TestStallOf30s(t *testing.T) {
	for _, c := range []struct {
		name    string
		policy  loop.Policy
		limit   int
		burst   int // released within one tick of the end of the stall
		dropped uint64
	}{
		{"catchup", loop.CatchUp, 8, 8, 1800 - 8},
		{"catchup of 1", loop.CatchUp, 1, 1, 1800 - 1},
		{"drop", loop.Drop, 8, 1, 1800 - 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				r := newRig(t, coordinator.Options{Pacing: pacing(func(p *coordinator.Pacing) {
					p.Policy, p.MaxCatchUp = c.policy, c.limit
				})}, newMember(1, nil))
				oversleepOnce(r, 60, 30*time.Second)
				started := time.Now()
				r.start()
				time.Sleep(time.Until(started.Add(34*time.Second + tick/2)))
				synctest.Wait()
				due := loop.Hz(60).TickAt(time.Since(started))
				r.finish()
				st := r.Stats()
				var end time.Time
				for i, rel := range st.Recent[1:] {
					if rel.Actual.Sub(st.Recent[i].Actual) > 29*time.Second {
						end = rel.Actual
					}
				}
				// The first check after the stall releases one tick.
				if n := releasesAfter(st, end, time.Microsecond); n != 1 {
					t.Errorf("%d ticks at the end of the stall, want 1", n)
				}
				if n := releasesAfter(st, end, tick-time.Millisecond); n < c.burst || n > c.burst+1 {
					t.Errorf("%d ticks within a tick of the stall's end, want %d", n, c.burst)
				}
				if d := st.Dropped; d < c.dropped-1 || d > c.dropped+1 {
					t.Errorf("%d ticks dropped, want %d", d, c.dropped)
				}
				// Released + dropped = due, and it has caught up.
				if got := loop.Tick(st.Released + st.Dropped); got != due {
					t.Errorf("%d released + %d dropped, %d were due", st.Released, st.Dropped, due)
				}
				if loop.Tick(st.Released) != r.Global() {
					t.Errorf("%d released, global tick %d", st.Released, r.Global())
				}
				if st.Brake.Episodes != 0 {
					t.Errorf("%d brakes: a stall of the coordinator is none", st.Brake.Episodes)
				}
			})
		})
	}
}

// A pacer that is always late: the ticks still come at their rate.
func TestSteadyOversleep(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t, coordinator.Options{}, newMember(1, nil))
		r.pacer.oversleep = func(time.Time) time.Duration { return time.Millisecond }
		r.start()
		time.Sleep(10*time.Second + tick/2)
		r.want(600)
		st := r.Stats()
		if st.Checks.Lateness < 900*time.Microsecond || st.Checks.Lateness > time.Millisecond {
			t.Errorf("smoothed lateness %v, want about 1ms", st.Checks.Lateness)
		}
		// The adaptive sleep makes up for it: ten checks a tick all the same.
		if m := st.Checks.Interval.Mean; m < tick/12 || m > tick/9 {
			t.Errorf("a check every %v, want about %v", m, tick/10)
		}
		if st.Dropped != 0 || st.ReleaseError.Max > 2*time.Millisecond {
			t.Errorf("%d dropped, release error %+v", st.Dropped, st.ReleaseError)
		}
		r.finish()
	})
}

// Lateness by more than a check never turns the coordinator into a busy wait.
func TestSleepFloorHolds(t *testing.T) {
	bubble(t, func(t *testing.T) {
		floor := 500 * time.Microsecond
		r := newRig(t, coordinator.Options{Pacing: pacing(func(p *coordinator.Pacing) {
			p.TickRate, p.ChecksPerTick, p.SleepFloor = loop.Hz(240), 100, floor
		})}, newMember(1, nil))
		var last time.Time
		r.pacer.afterWork = func() {
			if now := time.Now(); !last.IsZero() && now.Sub(last) < floor {
				t.Errorf("two checks %v apart", now.Sub(last))
			}
			last = time.Now()
		}
		r.start()
		time.Sleep(time.Second + 2*time.Millisecond)
		r.want(240)
		r.pacer.afterWork = nil
		r.finish()
	})
}

// The clock goes back while the coordinator waits: nothing is released twice
// or at once, and ticks go on at their rate.
func TestClockGoesBack(t *testing.T) {
	for _, back := range []time.Duration{5 * time.Millisecond, time.Hour} {
		t.Run(back.String(), func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				r := newRig(t, coordinator.Options{}, newMember(1, nil)).start()
				time.Sleep(time.Second + tick/2)
				r.want(60)
				r.pacer.offset.Add(-int64(back))
				time.Sleep(3 * time.Second)
				synctest.Wait()
				// At most the check that was under way counts for nothing.
				if g := r.Global(); g < 239 || g > 240 {
					t.Errorf("global tick %d after 4 s, want 240 or one less", g)
				}
				rel := r.Released()
				if d := r.pacer.Now().Sub(rel.Actual); d < 0 || d > tick {
					t.Errorf("the last release was %v ago by the clock as it is", d)
				}
				ok(t, r.Pause())
				ok(t, r.Resume())
				r.finish()
				st := r.Stats()
				if st.Rollbacks != 1 || st.Dropped != 0 {
					t.Errorf("%d rollbacks, %d dropped: want 1, 0", st.Rollbacks, st.Dropped)
				}
				for i, n := range st.Recent[1:] {
					if n.Tick != st.Recent[i].Tick+1 {
						t.Fatalf("tick %d after %d", n.Tick, st.Recent[i].Tick)
					}
				}
			})
		})
	}
}

// Fast forward and slow motion.
func TestTimeScale(t *testing.T) {
	for _, c := range []struct {
		scale float64
		want  loop.Tick
	}{{0.1, 6}, {0.5, 30}, {1, 60}, {4, 240}, {16, 960}} {
		bubble(t, func(t *testing.T) {
			r := newRig(t, coordinator.Options{Pacing: pacing(func(p *coordinator.Pacing) { p.TimeScale = c.scale })}, newMember(1, nil)).start()
			time.Sleep(time.Second + 200*time.Microsecond)
			r.want(c.want)
			r.finish()
		})
	}
}
