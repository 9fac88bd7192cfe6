package coordinator_test

import (
	"math"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"chronoscope/coordinator"
	"chronoscope/loop"
)

func policy(p loop.Policy) coordinator.Options {
	return coordinator.Options{Pacing: pacing(func(q *coordinator.Pacing) { q.Policy = p })}
}

// oversleepWhile makes wake-ups late by d while the switch is on.
func oversleepWhile(r *rig, d time.Duration) *atomic.Bool {
	on := new(atomic.Bool)
	r.pacer.oversleep = func(time.Time) time.Duration {
		if on.Load() {
			return d
		}
		return 0
	}
	return on
}

// A pacer that oversleeps by two ticks for five seconds, under each policy.
func TestPoliciesWhileLate(t *testing.T) {
	const late = 5 * time.Second
	type outcome struct {
		whileLate, after loop.Tick // released in 5 s, and in the 2 s that follow the first second after
		dropped          uint64
		stretch          float64 // at the end of the lateness
		longest          time.Duration
	}
	run := func(t *testing.T, p loop.Policy) (o outcome) {
		r := newRig(t, policy(p), newMember(1, nil))
		oversleeps := oversleepWhile(r, 2*tick)
		r.start()
		time.Sleep(time.Second + tick/2)
		r.want(60)
		if s := r.Stats(); s.Stretch != 1 || s.Dropped != 0 {
			t.Errorf("stretched by %v before anything is late, %d dropped", s.Stretch, s.Dropped)
		}
		oversleeps.Store(true)
		from := r.Global()
		var last coordinator.ReleaseInfo
		for range int(late / time.Millisecond) {
			time.Sleep(time.Millisecond)
			rel := r.Released()
			if rel.Tick != last.Tick {
				if last.Tick > 60 {
					o.longest = max(o.longest, rel.Actual.Sub(last.Actual))
				}
				last = rel
			}
		}
		synctest.Wait()
		o.whileLate, o.stretch = r.Global()-from, r.Stats().Stretch
		if want := time.Duration(o.stretch * float64(tick)); p == loop.SlowDown && (rel(last.Period, want) > 0.05) {
			t.Errorf("a tick lasts %v by Released, %v by Stats", last.Period, want)
		}
		oversleeps.Store(false)
		time.Sleep(time.Second)
		if s := r.Stats(); s.Stretch != 1 {
			t.Errorf("stretched by %v a second after", s.Stretch)
		}
		if period := r.Released().Period; period != tick {
			t.Errorf("a tick lasts %v a second after, want %v", period, tick)
		}
		from = r.Global()
		time.Sleep(2 * time.Second)
		synctest.Wait()
		o.after = r.Global() - from
		r.finish()
		o.dropped = r.Stats().Dropped
		return o
	}
	got := map[loop.Policy]outcome{}
	for _, p := range loop.Policies() {
		t.Run(p.String(), func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				o := run(t, p)
				got[p] = o
				if o.after < 119 || o.after > 121 {
					t.Errorf("%d ticks in 2 s after it, want 120", o.after)
				}
			})
		})
	}
	slow, drop, catch := got[loop.SlowDown], got[loop.Drop], got[loop.CatchUp]
	t.Logf("catchup %+v", catch)
	t.Logf("drop %+v", drop)
	t.Logf("slowdown %+v", slow)
	// 2 ticks late and half a tick: 2.5 ticks each, so 24 a second.
	if math.Abs(slow.stretch-2.5) > 0.1 {
		t.Errorf("slowdown stretches by %v, want 2.5", slow.stretch)
	}
	if slow.whileLate < 115 || slow.whileLate > 135 {
		t.Errorf("slowdown: %d ticks in 5 s, want about 120", slow.whileLate)
	}
	// It drops at the beginning alone, until it has got slow.
	if slow.dropped > 40 || slow.dropped*4 > drop.dropped {
		t.Errorf("%d dropped by slowdown, %d by drop", slow.dropped, drop.dropped)
	}
	for p, o := range map[string]outcome{"catchup": catch, "drop": drop} {
		if o.stretch != 1 {
			t.Errorf("%s stretches by %v", p, o.stretch)
		}
		// Whatever they miss they count: time isn't stretched.
		if due := uint64(o.whileLate) + o.dropped; due < 290 {
			t.Errorf("%s: %d released + %d dropped in 5 s, want 300", p, o.whileLate, o.dropped)
		}
	}
}

func rel(a, b time.Duration) float64 { return math.Abs(float64(a-b)) / float64(b) }

// The stretch ends at 4, and ticks that are late even so are dropped and counted.
func TestSlowDownLimit(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t, policy(loop.SlowDown), newMember(1, nil))
		r.pacer.oversleep = func(time.Time) time.Duration { return 9 * tick }
		r.start()
		time.Sleep(10 * time.Second)
		from, was := r.Global(), r.Stats()
		if was.Stretch != 4 {
			t.Errorf("stretched by %v, want 4", was.Stretch)
		}
		if p := r.Released().Period; p < 4*tick-2 || p > 4*tick+2 {
			t.Errorf("a tick lasts %v, want %v", p, 4*tick)
		}
		time.Sleep(10 * time.Second)
		synctest.Wait()
		s := r.Stats()
		if s.Stretch != 4 {
			t.Errorf("stretched by %v, want 4", s.Stretch)
		}
		// Every stretched tick is released or counted: 15 a second.
		if n := uint64(r.Global()-from) + s.Dropped - was.Dropped; n < 145 || n > 155 || s.Dropped == was.Dropped {
			t.Errorf("%d released and %d dropped, want 150 together", r.Global()-from, s.Dropped-was.Dropped)
		}
		r.finish()
	})
}

// One wake-up that is late by 10 ticks costs what it costs, and no more.
func TestSlowDownForgivesOneStall(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t, policy(loop.SlowDown), newMember(1, nil))
		oversleepOnce(r, 60, 10*tick)
		r.start()
		most := 0.0
		for range 3000 {
			time.Sleep(time.Millisecond)
			most = max(most, r.Stats().Stretch)
		}
		synctest.Wait()
		r.finish()
		if most != 1 {
			t.Errorf("stretched by %v", most)
		}
		if s := r.Stats(); s.Dropped < 9 || s.Dropped > 10 || s.Released+s.Dropped != 180 {
			t.Errorf("%d released, %d dropped in 3 s", s.Released, s.Dropped)
		}
	})
}

// A timer that is late by a millisecond, as they are, slows nothing, even at 240
// ticks a second.
func TestSlowDownIgnoresTimers(t *testing.T) {
	bubble(t, func(t *testing.T) {
		o := policy(loop.SlowDown)
		o.Pacing.TickRate = loop.Hz(240)
		r := newRig(t, o, newMember(1, nil))
		r.pacer.oversleep = func(time.Time) time.Duration { return time.Millisecond }
		r.start()
		time.Sleep(10*time.Second + 2*time.Millisecond)
		synctest.Wait()
		if g := r.Global(); g < 2399 || g > 2400 || r.Stats().Stretch != 1 {
			t.Errorf("%d ticks in 10 s, stretched by %v: want 2400", g, r.Stats().Stretch)
		}
		r.finish()
	})
}

// Another policy, rate or scale ends the stretch or takes it along, and nothing
// comes in a burst.
func TestSlowDownRetuned(t *testing.T) {
	bubble(t, func(t *testing.T) {
		o := policy(loop.SlowDown)
		r := newRig(t, o, newMember(1, nil))
		oversleeps := oversleepWhile(r, 2*tick)
		oversleeps.Store(true)
		r.start()
		time.Sleep(3 * time.Second)
		if s := r.Stats().Stretch; s < 2.4 {
			t.Errorf("stretched by %v", s)
		}
		oversleeps.Store(false)
		time.Sleep(2 * tick)
		from := r.Global()
		o.Pacing.Policy = loop.Drop
		ok(t, r.SetPacing(o.Pacing))
		synctest.Wait()
		if p := r.Released().Period; p != tick {
			t.Errorf("a tick lasts %v after the change to drop", p)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if n := r.Global() - from; n < 59 || n > 62 {
			t.Errorf("%d ticks in the second after", n)
		}
		if s := r.Stats().Stretch; s != 1 {
			t.Errorf("stretched by %v under drop", s)
		}
		r.finish()
	})
}
