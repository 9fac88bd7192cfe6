package coordinator_test

import (
	"testing"
	"testing/synctest"
	"time"

	"chronoscope/coordinator"
	"chronoscope/loop"
)

// closedPacer counts its closings.
type closedPacer struct {
	loop.SleepPacer
	closed int
}

func (p *closedPacer) Close() {
	p.closed++
	p.SleepPacer.Close()
}

// Another pacer takes over between two checks: no tick is lost or doubled, the
// one before is closed once, and a change of something else closes none.
func TestPacerChangesLive(t *testing.T) {
	bubble(t, func(t *testing.T) {
		first := &closedPacer{}
		r := newRig(t, coordinator.Options{Pacer: first}, newMember(1, nil)).start()
		defer r.finish()
		set := func(change func(p *coordinator.Pacing)) {
			t.Helper()
			p := r.Pacing()
			change(&p)
			if err := r.SetPacing(p); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(time.Second + tick/2)
		r.want(60)
		set(func(p *coordinator.Pacing) { p.LagThreshold = 7 })
		time.Sleep(time.Millisecond) // longer than the sleep floor
		synctest.Wait()
		if first.closed != 0 {
			t.Error("the pacer is closed by a change of something else")
		}
		for i, k := range []loop.PacerKind{loop.Ticker, loop.Compensated, loop.Sleep} {
			set(func(p *coordinator.Pacing) { p.Pacer = k })
			time.Sleep(time.Millisecond)
			synctest.Wait()
			if first.closed != 1 {
				t.Fatalf("%v: the first one is closed %d times", k, first.closed)
			}
			time.Sleep(time.Second - time.Millisecond)
			synctest.Wait()
			if got, want := r.Global(), loop.Tick(60*(i+2)); got != want {
				t.Errorf("%v: global tick %d, want %d", k, got, want)
			}
		}
		if s := r.Stats(); s.Dropped != 0 {
			t.Errorf("%d ticks dropped", s.Dropped)
		}
	})
}

// Without a pacer of the caller's the pacing says which.
func TestPacerOfPacing(t *testing.T) {
	for _, k := range []loop.PacerKind{loop.Sleep, loop.Ticker, loop.Compensated} {
		t.Run(k.String(), func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				c, err := coordinator.New(coordinator.Options{Pacing: pacing(func(p *coordinator.Pacing) { p.Pacer = k })})
				if err != nil {
					t.Fatal(err)
				}
				c.Start()
				time.Sleep(10*time.Second + tick/2)
				synctest.Wait()
				if g := c.Global(); g != 600 {
					t.Errorf("global tick %d, want 600", g)
				}
				c.Stop()
				c.Wait()
			})
		})
	}
}

// The pacers that spin, in real time: ticks come, and the coordinator ends at once.
func TestSpinningPacers(t *testing.T) {
	for _, k := range []loop.PacerKind{loop.Hybrid, loop.Precise} {
		t.Run(k.String(), func(t *testing.T) {
			c, err := coordinator.New(coordinator.Options{Pacing: pacing(func(p *coordinator.Pacing) { p.TickRate, p.Pacer = loop.Hz(240), k })})
			if err != nil {
				t.Fatal(err)
			}
			c.Start()
			for c.Global() < 12 { // 50 ms
				time.Sleep(time.Millisecond)
			}
			p := c.Pacing()
			p.Pacer = loop.Sleep
			if err := c.SetPacing(p); err != nil {
				t.Fatal(err)
			}
			for from := c.Global(); c.Global() < from+4; {
				time.Sleep(time.Millisecond)
			}
			c.Stop()
			c.Wait()
		})
	}
}
