package coordinator_test

import (
	"testing"
	"time"

	"chronoscope/coordinator"
	"chronoscope/loop"
)

// workingPacer has a clock that is slow to read, as if each check took a while,
// and is a little late by turns.
type workingPacer struct {
	loop.SleepPacer
	waits int
}

func (p *workingPacer) Now() time.Time {
	time.Sleep(3 * time.Microsecond)
	return time.Now()
}

func (p *workingPacer) Wait(target time.Time, wake <-chan struct{}) bool {
	p.waits++
	if p.waits%4 == 3 {
		target = target.Add(10 * time.Microsecond)
	}
	return p.SleepPacer.Wait(target, wake)
}

// A tick that comes due while a check is under way is released by the next one, at
// once: it is no backlog, which would wait for a check of its own.
func TestDueDuringCheck(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := &workingPacer{}
		r := newRig(t, coordinator.Options{Pacer: p, Pacing: pacing(func(p *coordinator.Pacing) {
			p.TickRate, p.ChecksPerTick, p.SleepFloor = loop.Hz(100), 2, coordinator.MinSleepFloor
		})}, newMember(1, nil)).start()
		time.Sleep(10*time.Second + 5*time.Millisecond)
		r.want(1000)
		r.finish()
		if st := r.Stats(); st.ReleaseError.Max > 100*time.Microsecond {
			t.Errorf("a tick was released %v late, P99 %v", st.ReleaseError.Max, st.ReleaseError.P99)
		}
		if p.waits > 2500 {
			t.Errorf("%d waits for 1000 ticks of two checks", p.waits)
		}
	})
}
