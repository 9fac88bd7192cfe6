package coordinator_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"chronoscope/coordinator"
	"chronoscope/loop"
)

// What goes wrong with the release of ticks when the clock, the machine or the
// user does something unusual, and what shows that it doesn't:
//
//	one late tick shifts all later timers            TestPeriodicWakesKeepTheirPhase, TestScheduleHandlesEverySkippedTick
//	timers missed when ticks come at another rate    TestPeriodicWakesKeepTheirPhase, TestRateChangesLive
//	a suspended process runs flat out afterwards     TestStoppedProcess, TestStallOf30s
//	what was paused happens all at once              TestPauseLeavesNoDebt, TestResumeLeavesNoDebt
//	a scale of 0                                     TestScaleRefused
//	one more step after pausing, or after stepping   TestNothingAfterAPause, TestPauseStep
//	the clock goes back: twice, or a race            TestClockGoesBackAnytime, TestClockGoesBack, and of loop TestLoopInvariants

// watch is every release as seen after each check.
type watch struct {
	mu    sync.Mutex
	at    []time.Time // of tick 1, 2, ...
	extra loop.Tick   // the most released in one check, less one
}

// watchReleases has r's releases watched. r must not have been started.
func watchReleases(r *rig) *watch {
	w := &watch{}
	r.pacer.afterWork = func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		n := r.Global() - loop.Tick(len(w.at))
		if n > 1 {
			w.extra = max(w.extra, n-1)
		}
		for range n {
			w.at = append(w.at, time.Now())
		}
	}
	return w
}

// releases lists the instants so far, and how many more than one there were in
// one check.
func (w *watch) releases() (at []time.Time, extra loop.Tick) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.at), w.extra
}

// within counts the instants in [from, from+d).
func within(at []time.Time, from time.Time, d time.Duration) (n int) {
	for _, a := range at {
		if !a.Before(from) && a.Before(from.Add(d)) {
			n++
		}
	}
	return n
}

// kept is how many ticks that came due at once a policy releases.
func kept(p coordinator.Pacing) int {
	if p.Policy == loop.CatchUp {
		return p.MaxCatchUp
	}
	return 1
}

// length is the real length of a tick.
func length(p coordinator.Pacing) time.Duration {
	return time.Duration(float64(p.TickRate.Period()) / p.TimeScale)
}

// TestPeriodicWakesKeepTheirPhase has wakes of many periods, each registered
// from the one before, while the scheduler stalls time and again and the rate
// is turned from 1 to 240 and back: every tick is handled, one after the other,
// and each wake comes for the tick it was asked for.
func TestPeriodicWakesKeepTheirPhase(t *testing.T) {
	strategies(t, func(t *testing.T, s coordinator.Strategy) {
		r := newSchedulerRig(t, coordinator.Options{}, newMember(1, nil))
		periods := []loop.Tick{1, 2, 3, 7, 13, 60, 61}
		came := make([]loop.Tick, len(periods))
		next := loop.Tick(1)
		r.extra = func(due loop.Tick, ids []coordinator.ObjectID) {
			if due != next {
				t.Fatalf("tick %d is handled, want %d", due, next)
			}
			next++
			for _, id := range ids {
				i := id.Slot()
				if want := came[i] + periods[i]; due != want {
					t.Fatalf("the wake every %d came at %d, want %d", periods[i], due, want)
				}
				came[i] = due
				r.s.Register(due+periods[i], id)
			}
		}
		for i, period := range periods {
			r.s.Register(period, coordinator.MakeObjectID(uint32(i), 1))
		}
		r.start()
		random := rand.New(rand.NewPCG(11, 12))
		rates := []loop.Rate{loop.Hz(1), loop.Hz(240), loop.Hz(60), {Num: 60000, Den: 1001}, {Num: 7, Den: 3}, loop.Hz(240)}
		for i := range 60 {
			ok(t, r.SetPacing(pacing(func(p *coordinator.Pacing) { p.TickRate, p.Wait = rates[i%len(rates)], s })))
			if i%4 == 1 {
				r.s.Stall(time.Duration(random.Int64N(int64(120 * time.Millisecond))))
			}
			time.Sleep(time.Duration(random.Int64N(int64(time.Second))))
		}
		ok(t, r.Pause())
		time.Sleep(time.Second)
		synctest.Wait()
		g := r.Global()
		for i, period := range periods {
			if want := g - g%period; came[i] != want {
				t.Errorf("the last wake every %d came at %d, want %d", period, came[i], want)
			}
		}
		if g < 1000 || next != g+1 || r.s.Processed() != g || r.dues.Len() != 0 {
			t.Errorf("tick %d, handled %d, processed %d, %d dues open", g, next-1, r.s.Processed(), r.dues.Len())
		}
		st := r.s.Stats()
		r.finish()
		if st.LagMax < 3 {
			t.Errorf("the scheduler lagged by %d at most", st.LagMax)
		}
	})
}

// TestStoppedProcess stops the process for 30 s, twice, at any rate and
// scale and under every policy: it oversleeps, or the clock jumps. Each time
// one tick follows at once, no more than the policy keeps beyond those that come
// due anyway, and nothing of the 30 s is left.
func TestStoppedProcess(t *testing.T) {
	const stopped = 30 * time.Second
	for _, policy := range loop.Policies() {
		for _, c := range []struct {
			rate  loop.Rate
			scale float64
			limit int
		}{{loop.Hz(60), 1, 8}, {loop.Hz(240), 16, 8}, {loop.Hz(5), 1, 3}, {loop.Rate{Num: 60000, Den: 1001}, 0.5, 100}} {
			for _, jumps := range []bool{false, true} {
				t.Run(fmt.Sprintf("%v at %v x %v, clock jumps %v", policy, c.rate, c.scale, jumps), func(t *testing.T) {
					bubble(t, func(t *testing.T) {
						pace := pacing(func(p *coordinator.Pacing) {
							p.TickRate, p.TimeScale, p.MaxCatchUp, p.Policy = c.rate, c.scale, c.limit, policy
							p.Wait = coordinator.Gate // a poller would look half a million times meanwhile
						})
						one := length(pace)
						r := newRig(t, coordinator.Options{Pacing: pace}, newMember(1, nil))
						w := watchReleases(r)
						var stop atomic.Bool
						r.pacer.oversleep = func(time.Time) time.Duration {
							if stop.Swap(false) {
								return stopped
							}
							return 0
						}
						// A tick under SlowDown may be longer by up to this.
						stretch := 1
						if policy == loop.SlowDown {
							stretch = 4
						}
						r.start()
						for range 2 {
							time.Sleep(40*one + one/3)
							synctest.Wait()
							at := time.Now()
							if jumps {
								r.pacer.offset.Add(int64(stopped))
							} else {
								stop.Store(true)
								at = at.Add(stopped)
							}
							time.Sleep(time.Until(at.Add(52 * one)))
							synctest.Wait()
							all, _ := w.releases()
							i := slices.IndexFunc(all, func(a time.Time) bool { return !a.Before(at) })
							end := all[i]
							if late := end.Sub(at); late > one {
								t.Errorf("the first tick comes %v after the stop, more than %v", late, one)
							}
							for _, ticks := range []int{1, 5, 50} {
								n, want := within(all, end, time.Duration(ticks)*one), kept(pace)+ticks
								if n > want || n < ticks/stretch-1 {
									t.Errorf("%d ticks within %d ticks of the end of the stop, want at most %d", n, ticks, want)
								}
							}
						}
						r.finish()
						st := r.Stats()
						_, extra := w.releases()
						due := 2 * loop.Tick(stopped/one)
						if d := loop.Tick(st.Dropped); extra != 0 || d > due || d+loop.Tick(2*kept(pace)) < due/loop.Tick(stretch)-3 {
							t.Errorf("%d more than one tick in a check; %d ticks dropped of about %d", extra, d, due)
						}
					})
				})
			}
		}
	}
}

// TestPauseLeavesNoDebt pauses for 10 s under every policy at several scales,
// and turns rate and scale meanwhile: the next tick comes a whole tick after the
// resume, and the others follow at their pace.
func TestPauseLeavesNoDebt(t *testing.T) {
	for _, policy := range loop.Policies() {
		for _, c := range []struct{ before, after float64 }{{4, 4}, {0.1, 16}, {16, 0.1}} {
			t.Run(fmt.Sprintf("%v, %v to %v", policy, c.before, c.after), func(t *testing.T) {
				bubble(t, func(t *testing.T) {
					at := func(scale float64, hz uint64) coordinator.Pacing {
						return pacing(func(p *coordinator.Pacing) {
							p.TimeScale, p.TickRate, p.Policy = scale, loop.Hz(hz), policy
						})
					}
					r := newRig(t, coordinator.Options{Pacing: at(c.before, 60)}, newMember(1, nil)).start()
					time.Sleep(time.Second + length(at(c.before, 60))/2)
					ok(t, r.Pause())
					held := r.Global()
					time.Sleep(5 * time.Second)
					ok(t, r.SetPacing(at(c.after, 120)))
					time.Sleep(5 * time.Second)
					r.want(held)
					one := length(at(c.after, 120))
					ok(t, r.Resume())
					time.Sleep(one - time.Microsecond)
					r.want(held)
					time.Sleep(one/2 + time.Microsecond)
					for i := range loop.Tick(20) {
						r.want(held + 1 + i)
						time.Sleep(one)
					}
					r.finish()
					if d := r.Stats().Dropped; d != 0 {
						t.Errorf("%d ticks dropped", d)
					}
				})
			})
		}
	}
}

// A scale at which time stands still, runs back or isn't a number is refused,
// live and at first: pausing is a command.
func TestScaleRefused(t *testing.T) {
	for _, scale := range []float64{0, math.Copysign(0, -1), -1, 0.09, 16.1, math.NaN(), math.Inf(1), math.Inf(-1), math.SmallestNonzeroFloat64} {
		t.Run(fmt.Sprint(scale), func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				bad := pacing(func(p *coordinator.Pacing) { p.TimeScale = scale })
				if _, err := coordinator.New(coordinator.Options{Pacing: bad}); err == nil {
					t.Error("a coordinator was made of it")
				}
				r := newRig(t, coordinator.Options{}).start()
				time.Sleep(time.Second + tick/2)
				if err := r.SetPacing(bad); err == nil {
					t.Error("it was put into force")
				}
				time.Sleep(time.Second)
				r.want(120)
				r.finish()
			})
		})
	}
}

// TestNothingAfterAPause pauses at every phase of a tick, also with a backlog
// to work off, and steps: when Pause has returned nothing more is released, and
// n steps are n ticks, which members run once each.
func TestNothingAfterAPause(t *testing.T) {
	const phases = 20
	for _, backlog := range []bool{false, true} {
		for phase := range phases {
			t.Run(fmt.Sprintf("%d of %d, backlog %v", phase, phases, backlog), func(t *testing.T) {
				bubble(t, func(t *testing.T) {
					r := newRig(t, coordinator.Options{}, newMember(1, nil), newMember(2, nil))
					if backlog {
						oversleepOnce(r, 30, 20*tick)
					}
					r.start()
					r.until(30)
					if backlog {
						// The stop is over, and some of what was missed is out.
						for g := r.Global(); r.Global() < g+3; {
							time.Sleep(100 * time.Microsecond)
						}
					}
					time.Sleep(tick * time.Duration(phase) / phases)
					synctest.Wait()
					at := r.Global() // the check that comes next takes the pause in
					ok(t, r.Pause())
					for range 30 {
						r.want(at)
						time.Sleep(tick / 3)
					}
					for _, n := range []int{1, 3, 2} {
						ok(t, r.Step(n))
						time.Sleep(time.Duration(n) * tick)
						at += loop.Tick(n)
						for range 10 {
							r.want(at)
							time.Sleep(tick / 3)
						}
					}
					for _, m := range r.members {
						if done := m.progress.Completed(); done != at {
							t.Errorf("a member has completed %d of %d", done, at)
						}
					}
					ok(t, r.Resume())
					r.want(at)
					time.Sleep(tick + time.Microsecond)
					r.want(at + 1)
					r.finish()
					for _, m := range r.members {
						for i, ran := range m.ran {
							if ran != loop.Tick(i+1) {
								t.Fatalf("a member ran tick %d after %d", ran, i)
							}
						}
					}
				})
			})
		}
	}
}

// TestClockGoesBackAnytime sets the clock back while ticks run, are held by a
// pause or a brake, or are stepped, again and again: nothing is released twice
// or sooner than a tick after the last, and no figure wraps around.
func TestClockGoesBackAnytime(t *testing.T) {
	for _, policy := range loop.Policies() {
		for _, back := range []time.Duration{time.Nanosecond, 5 * time.Millisecond, 30 * time.Millisecond, time.Hour} {
			for _, state := range []string{"running", "paused", "stepped", "braking"} {
				t.Run(fmt.Sprintf("%v, %v, %v", policy, back, state), func(t *testing.T) {
					bubble(t, func(t *testing.T) {
						const at = 20
						work := stallAt(at, 600*time.Millisecond)
						if state != "braking" {
							work = nil
						}
						r := newWatchingRig(t, coordinator.Options{Pacing: pacing(func(p *coordinator.Pacing) { p.Policy = policy })}, newMember(1, work))
						w := watchReleases(r)
						started := time.Now()
						r.start()
						r.until(at)
						free := 0 // releases that come at once: a lift's, a step's
						switch state {
						case "paused":
							ok(t, r.Pause())
						case "stepped":
							ok(t, r.Pause())
							ok(t, r.Step(10))
							free++
						case "braking":
							for len(r.Laggards()) == 0 {
								time.Sleep(time.Millisecond)
							}
							free++
						}
						held := r.Global()
						for range 5 {
							r.pacer.offset.Add(-int64(back))
							time.Sleep(37 * time.Millisecond)
							if state == "paused" || state == "braking" {
								r.want(held)
							}
						}
						synctest.Wait()
						st := r.Stats()
						elapsed := time.Since(started)
						for name, d := range map[string]time.Duration{
							"uptime": st.Uptime, "braked": st.Brake.Total, "longest brake": st.Brake.Longest, "stalled": st.Brake.Stalled,
							"interval": st.Checks.Interval.Max, "release error": st.ReleaseError.Max, "lateness": st.Checks.Lateness,
						} {
							if d < 0 || d > elapsed {
								t.Errorf("%s %v after %v", name, d, elapsed)
							}
						}
						if s := st.Brake.Share; s < 0 || s > 1 || st.Rate < 0 || st.Rate > 61 {
							t.Errorf("brake share %v, rate %v", s, st.Rate)
						}
						ok(t, r.Pause())
						ok(t, r.Resume())
						time.Sleep(time.Second)
						r.finish()
						all, extra := w.releases()
						close := 0
						for i, b := range all[1:] {
							// A check later than due is made good by the next.
							if b.Sub(all[i]) < tick-tick/5 {
								close++
							}
						}
						if close > free || extra != 0 {
							t.Errorf("%d ticks came at once, want %d; in one check %d more than one", close, free, extra)
						}
						st = r.Stats()
						if st.Dropped != 0 || st.Rollbacks > 5 || st.Rollbacks == 0 && back > time.Millisecond || st.Lag.Max > 40 {
							t.Errorf("%d dropped, %d rollbacks, lag %d", st.Dropped, st.Rollbacks, st.Lag.Max)
						}
						if n := within(all, all[len(all)-1].Add(-time.Second/2), time.Second); n < 28 || n > 32 {
							t.Errorf("%d ticks in the last half second", n)
						}
					})
				})
			}
		}
	}
}
