package coordinator_test

import (
	"testing"
	"testing/synctest"
	"time"

	"chronoscope/coordinator"
)

// TestStuckMemberIsSeen has a member stall for two seconds inside one tick,
// where it can't ask for the brake: the world stands still one tick past the
// threshold, and goes on without a debt when the member has caught up.
func TestStuckMemberIsSeen(t *testing.T) {
	for _, s := range []coordinator.Strategy{coordinator.Poll, coordinator.Gate} {
		t.Run(s.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				stuck := newMember(1, stallAt(100, 2*time.Second))
				o := coordinator.Options{Pacing: pacing(func(p *coordinator.Pacing) { p.Wait = s })}
				r := newWatchingRig(t, o, stuck, newMember(2, nil)).start()
				time.Sleep(3 * time.Second)
				// 99 completed + a threshold of 10 + the tick that exceeds it.
				r.want(110)
				if l := r.Laggards(); len(l) != 1 || l[0].ID != stuck.progress.ID() || l[0].Lag != 11 {
					t.Errorf("laggards %+v", l)
				}
				time.Sleep(2 * time.Second)
				b := r.Stats().Brake
				if b.Episodes != 1 || b.Longest < 1800*time.Millisecond || b.Longest > 1850*time.Millisecond {
					t.Errorf("%d episodes, the longest %v", b.Episodes, b.Longest)
				}
				// Stuck from 1.65 s to 3.65 s; then a tick at once and 60 a second.
				if g := r.Global(); g < 189 || g > 193 {
					t.Errorf("global tick %d", g)
				}
				r.finish()
			})
		})
	}
}

// TestStuckMemberLeaves has one end while the watch holds the world for it.
func TestStuckMemberLeaves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stuck := newMember(1, stallAt(50, 2*time.Second))
		r := newWatchingRig(t, coordinator.Options{}, stuck).start()
		time.Sleep(1500 * time.Millisecond)
		r.want(60)
		stuck.ended.Store(true) // after the tick it is in
		time.Sleep(3 * time.Second)
		s := r.Stats()
		if s.Braking || s.Members != 0 || r.Global() < 150 {
			t.Errorf("braking %v with %d members at tick %d", s.Braking, s.Members, r.Global())
		}
		r.finish()
	})
}
