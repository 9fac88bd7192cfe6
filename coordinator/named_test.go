package coordinator_test

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"chronoscope/coordinator"
	"chronoscope/loop"
)

// The first seven of the tests that must exist by name.

// The global tick grows by one, through catching up, braking, a change of
// rate, a pause and at max speed.
func TestTickIsSequential(t *testing.T) {
	for _, fast := range []bool{false, true} {
		bubble(t, func(t *testing.T) {
			r := newRig(t, coordinator.Options{MaxSpeed: fast, LastTick: 2000},
				newMember(1, stallAt(50, 400*time.Millisecond)), newMember(2, nil))
			seen := []loop.Tick{0}
			r.pacer.afterWork = func() {
				if g := r.Global(); g != seen[len(seen)-1] {
					seen = append(seen, g)
				}
			}
			r.pacer.oversleep = func(at time.Time) time.Duration {
				if at.UnixNano()%7 == 0 {
					return 3 * tick
				}
				return 0
			}
			r.start()
			time.Sleep(2 * time.Second)
			if err := r.SetPacing(pacing(func(p *coordinator.Pacing) { p.TickRate = loop.Hz(240); p.Wait = coordinator.Gate })); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Second)
			if err := r.Pause(); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Second)
			if err := r.Resume(); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Second)
			r.finish()
			if len(seen) < 300 {
				t.Errorf("only %d ticks seen", len(seen))
			}
			for i, g := range seen {
				if g != loop.Tick(i) {
					t.Fatalf("max speed %v: tick %d came after %d", fast, g, i-1)
				}
			}
			for _, m := range r.members {
				for i, ran := range m.ran {
					if ran != loop.Tick(i+1) {
						t.Fatalf("a member ran tick %d after %d", ran, i)
					}
				}
			}
		})
	}
}

// A tick is published after everything done in it: whoever sees it completed
// sees that work, as the race detector confirms, and during a tick the one
// before is the last completed.
func TestProgressAfterTick(t *testing.T) {
	strategies(t, func(t *testing.T, s coordinator.Strategy) {
		var work [100]int // written by the member, read by the coordinator's goroutine
		m := newMember(1, nil)
		m.work = func(n loop.Tick) time.Duration {
			if got := m.progress.Completed(); got != n-1 {
				t.Errorf("in tick %d, %d is completed", n, got)
			}
			work[n]++
			return tick / 3
		}
		r := newRig(t, coordinator.Options{LastTick: 99, Pacing: pacing(func(p *coordinator.Pacing) { p.Wait = s })}, m)
		r.pacer.afterWork = func() {
			for n := range m.progress.Completed() {
				if work[n+1] != 1 {
					t.Errorf("tick %d is completed and was run %d times", n+1, work[n+1])
				}
			}
		}
		r.start()
		time.Sleep(2 * time.Second)
		r.want(99)
		if got := m.progress.Completed(); got != 99 {
			t.Errorf("completed %d, want 99", got)
		}
		r.finish()
	})
}

func TestEachLaggardHoldsBrake(t *testing.T) {
	strategies(t, func(t *testing.T, s coordinator.Strategy) {
		short, long := newMember(1, stallAt(100, 850*time.Millisecond)), newMember(2, stallAt(100, 900*time.Millisecond))
		// Once seen late, each needs 10 ms for a tick until it has caught up.
		for _, m := range []*member{short, long} {
			stall := m.work
			m.work = func(n loop.Tick) time.Duration {
				if d := stall(n); d > 0 {
					return d
				}
				if n > 100 && n < 120 {
					return 10 * time.Millisecond
				}
				return 0
			}
		}
		r := newRig(t, coordinator.Options{Pacing: pacing(func(p *coordinator.Pacing) { p.Wait = s })}, short, long, newMember(3, nil)).start()
		for len(r.Laggards()) == 0 {
			time.Sleep(time.Millisecond)
		}
		held := r.Global()
		if l := r.Laggards()[0]; l.ID != short.progress.ID() || l.Completed < 100 || l.Lag != held-l.Completed || l.Lag < 10 {
			t.Errorf("laggard %+v at global tick %d", l, held)
		}
		for len(r.Laggards()) < 2 {
			time.Sleep(time.Millisecond)
		}
		// One that has caught up lifts nothing for the other.
		for len(r.Laggards()) == 2 {
			time.Sleep(time.Millisecond)
			r.want(held)
		}
		if l := r.Laggards(); len(l) != 1 || l[0].ID != long.progress.ID() {
			t.Errorf("laggards %+v, want the long one", l)
		}
		if short.progress.Completed() != held {
			t.Errorf("the short one was let go at %d, global tick %d", short.progress.Completed(), held)
		}
		for long.progress.Completed() < held {
			r.want(held)
			time.Sleep(time.Millisecond)
		}
		time.Sleep(2 * time.Second)
		if r.Global() < held+100 || len(r.Laggards()) != 0 {
			t.Errorf("global tick %d, laggards %v: want the brake lifted at %d", r.Global(), r.Laggards(), held)
		}
		r.finish()
		st := r.Stats()
		if st.Brake.Episodes != 1 || st.Lag.LaggardsMax != 2 || st.Lag.Max < 20 {
			t.Errorf("stats %+v %+v, want one brake by two", st.Brake, st.Lag)
		}
	})
}

// One that ends, or falls asleep, while it holds the brake leaves nothing of
// it behind.
func TestLeaveReleasesBrake(t *testing.T) {
	strategies(t, func(t *testing.T, s coordinator.Strategy) {
		m := newMember(1, func(n loop.Tick) time.Duration {
			if n >= 100 {
				return 400 * time.Millisecond
			}
			return 0
		})
		r := newRig(t, coordinator.Options{Pacing: pacing(func(p *coordinator.Pacing) { p.Wait = s })}, m, newMember(2, nil)).start()
		for len(r.Laggards()) == 0 {
			time.Sleep(time.Millisecond)
		}
		held := r.Global()
		time.Sleep(350 * time.Millisecond) // never caught up by then
		r.want(held)
		m.end()
		time.Sleep(time.Second)
		synctest.Wait()
		if m.progress.Joined() || m.leave != nil {
			t.Fatalf("joined %v, leave %v", m.progress.Joined(), m.leave)
		}
		if m.progress.Completed() >= held {
			t.Fatalf("it had caught up: the test shows nothing")
		}
		if l := r.Laggards(); len(l) != 0 || r.Global() <= held {
			t.Errorf("laggards %v, global tick %d: want none, and more than %d", l, r.Global(), held)
		}
		r.finish()
		if st := r.Stats(); st.Braking || st.Brake.Episodes != 1 || st.Members != 0 {
			t.Errorf("braking %v, %d episodes, %d members", st.Braking, st.Brake.Episodes, st.Members)
		}
	})
}

// When the brake is lifted one tick is released at once, the next a whole tick
// later, and the time braked is no debt.
func TestOneTickAfterBrake(t *testing.T) {
	strategies(t, func(t *testing.T, s coordinator.Strategy) {
		m := newMember(1, func(n loop.Tick) time.Duration {
			switch {
			case n == 60:
				return 3 * time.Second
			case n > 60 && n < 230:
				return 5 * time.Millisecond
			}
			return 0
		})
		r := newRig(t, coordinator.Options{Pacing: pacing(func(p *coordinator.Pacing) { p.Wait = s })}, m)
		r.start()
		for len(r.Laggards()) == 0 {
			time.Sleep(100 * time.Microsecond)
		}
		held := r.Global()
		for r.Global() == held {
			time.Sleep(50 * time.Microsecond)
		}
		r.want(held + 1)
		lifted := r.Released().Actual
		time.Sleep(time.Until(lifted.Add(tick - time.Microsecond)))
		r.want(held + 1)
		time.Sleep(2 * time.Microsecond)
		r.want(held + 2)
		// Half a tick on, so that no boundary is near.
		end := lifted.Add(400*tick + tick/2)
		time.Sleep(time.Until(end))
		synctest.Wait()
		st := r.Stats()
		if len(st.Brake.Last) != 1 {
			t.Fatalf("%d episodes, want 1", len(st.Brake.Last))
		}
		e := st.Brake.Last[0]
		if e.Tick != held || e.Cause.ID != m.progress.ID() || !e.End.Equal(lifted) || e.Laggards != 1 {
			t.Errorf("episode %+v, want tick %d, ended at %v by %v", e, held, lifted, m.progress.ID())
		}
		// The one at the lift, and those since.
		since := loop.Hz(60).TickAt(end.Sub(lifted))
		if want := held + 1 + since; r.Global() != want {
			t.Errorf("global tick %d, want %d + 1 + %d", r.Global(), held, since)
		}
		if st.Dropped != 0 {
			t.Errorf("%d ticks dropped", st.Dropped)
		}
		r.finish()
	})
}

// schedulerRig adds a scheduler whose deliveries are noted and settled, unless
// keep is set.
type delivery struct {
	due loop.Tick
	ids []coordinator.ObjectID
	at  loop.Tick // global tick then
}

type schedulerRig struct {
	*rig
	s     *coordinator.Scheduler
	dues  *coordinator.Dues
	got   []delivery
	keep  bool
	extra func(due loop.Tick, ids []coordinator.ObjectID)
}

func newSchedulerRig(t *testing.T, o coordinator.Options, members ...*member) *schedulerRig {
	r := &schedulerRig{rig: newRig(t, o, members...), dues: coordinator.NewDues()}
	r.s = coordinator.NewScheduler(r.Coordinator, coordinator.SchedulerOptions{Dues: r.dues, Deliver: func(due loop.Tick, ids []coordinator.ObjectID) {
		if open := r.dues.At(due); open < len(ids) {
			t.Errorf("%d wakes delivered at tick %d with %d dues open", len(ids), due, open)
		}
		r.got = append(r.got, delivery{due, slices.Clone(ids), r.Global()})
		if r.extra != nil {
			r.extra(due, ids)
		}
		if !r.keep {
			r.dues.SettleN(due, len(ids))
		}
	}})
	return r
}

func (r *schedulerRig) start() *schedulerRig {
	r.s.Start()
	r.rig.start()
	return r
}

func (r *schedulerRig) finish() {
	for _, m := range r.members {
		m.end()
	}
	r.wg.Wait()
	r.s.Stop()
	r.s.Wait()
	r.Stop()
	r.Wait()
}

// Seeing 100 become 103 means 101, 102, 103.
func TestScheduleHandlesEverySkippedTick(t *testing.T) {
	strategies(t, func(t *testing.T, s coordinator.Strategy) {
		r := newSchedulerRig(t, coordinator.Options{Pacing: pacing(func(p *coordinator.Pacing) { p.Wait = s })})
		for i := range 400 {
			r.s.Register(loop.Tick(i+1), coordinator.MakeObjectID(uint32(i), 1))
		}
		// A periodic one keeps its phase: it registers from its due tick.
		periodic := coordinator.MakeObjectID(9999, 1)
		var phases []loop.Tick
		r.extra = func(due loop.Tick, ids []coordinator.ObjectID) {
			if slices.Contains(ids, periodic) {
				phases = append(phases, due)
				r.s.Register(due+7, periodic)
			}
		}
		r.s.Register(7, periodic)
		r.start()
		r.until(100)
		r.s.Stall(3*tick + tick/2)
		r.until(103)
		if p := r.s.Processed(); p > 101 {
			t.Fatalf("processed %d during the stall", p)
		}
		time.Sleep(time.Second)
		r.finish()
		processed := r.s.Processed()
		if processed < 150 || len(r.got) != int(processed) {
			t.Fatalf("processed %d, %d deliveries", processed, len(r.got))
		}
		for i, d := range r.got {
			want := loop.Tick(i + 1)
			if d.due != want || d.ids[0] != coordinator.MakeObjectID(uint32(i), 1) {
				t.Fatalf("delivery %d is %+v, want tick %d", i, d, want)
			}
		}
		if r.got[100].at < 103 {
			t.Errorf("tick 101 was handled at %d: it was no stall", r.got[100].at)
		}
		for i, p := range phases {
			if p != loop.Tick(7*(i+1)) {
				t.Fatalf("periodic wake %d came at %d, want %d", i, p, 7*(i+1))
			}
		}
		if st := r.s.Stats(); st.LagMax < 3 || st.Lag > 1 {
			t.Errorf("scheduler lag %d, most %d", st.Lag, st.LagMax)
		}
	})
}

// A registration for a tick that has been processed is delivered at once, also
// while the global tick stands, and its due is open when Register returns.
func TestScheduleOnPastTick(t *testing.T) {
	strategies(t, func(t *testing.T, s coordinator.Strategy) {
		r := newSchedulerRig(t, coordinator.Options{LastTick: 100, Pacing: pacing(func(p *coordinator.Pacing) { p.Wait = s })})
		r.start()
		register := func(due loop.Tick) {
			t.Helper()
			r.keep = true
			before := len(r.got)
			at := time.Now()
			r.s.Register(due, 7)
			if n := r.dues.At(due); n != 1 {
				t.Errorf("%d dues open at %d when Register returned, want 1", n, due)
			}
			synctest.Wait()
			if len(r.got) != before+1 || r.got[before].due != due || !time.Now().Equal(at) {
				t.Errorf("deliveries %+v, want tick %d at once", r.got[before:], due)
			}
			if oldest, ok := r.dues.Oldest(); !ok || oldest != due {
				t.Errorf("oldest due %d %v, want %d", oldest, ok, due)
			}
			r.dues.Settle(due)
		}
		r.until(40)
		time.Sleep(tick / 2)
		register(40)
		register(12)
		if err := r.Pause(); err != nil {
			t.Fatal(err)
		}
		register(39)
		r.s.Register(41, 8) // the very next tick waits for it
		synctest.Wait()
		if n := len(r.got); n != 3 {
			t.Errorf("%d deliveries while paused, want 3", n)
		}
		r.keep = false
		if err := r.Resume(); err != nil {
			t.Fatal(err)
		}
		r.until(41)
		time.Sleep(tick)
		synctest.Wait()
		if n := len(r.got); n != 4 || r.got[3].due != 41 {
			t.Errorf("deliveries %+v, want tick 41 in time", r.got)
		}
		r.until(100)
		time.Sleep(time.Second)
		register(100)
		if st := r.s.Stats(); st.Overdue != 4 || st.Registered != 5 || st.Delivered != 5 || st.Pending != 0 {
			t.Errorf("stats %+v", st)
		}
		r.finish()
		r.s.Register(50, 1)
		if n := r.dues.Len(); n != 0 {
			t.Errorf("%d dues open after the end", n)
		}
	})
}
