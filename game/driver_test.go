package game

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"chronoscope/coordinator"
	"chronoscope/loop"
)

func framePacing(rate loop.Rate, scale float64) coordinator.Pacing {
	p := coordinator.DefaultPacing()
	p.Driver, p.TickRate, p.TimeScale = coordinator.ByFrame, rate, scale
	return p
}

var epoch = time.Unix(5000, 0)

// drive runs a driver over n frames whose stamps are late by up to jitter.
func drive(t *testing.T, p coordinator.Pacing, refresh loop.Rate, n int, jitter time.Duration) (digits string, lasts []time.Time) {
	t.Helper()
	rng := rand.New(rand.NewPCG(9, 1))
	var d frameDriver
	var b strings.Builder
	for i := range n {
		now := epoch.Add(refresh.Boundary(loop.Tick(i)) + time.Duration(rng.Float64()*float64(jitter)))
		due, last := d.advance(now, refresh.Period(), &p, coordinator.ReleaseInfo{Scheduled: epoch.Add(-time.Millisecond)})
		fmt.Fprint(&b, due)
		if due > 0 {
			lasts = append(lasts, last)
			if last.After(now.Add(loop.SnapWithin)) {
				t.Fatalf("frame %d: a tick that is due in %v", i, last.Sub(now))
			}
		}
	}
	return b.String(), lasts
}

func TestFrameDriverCadence(t *testing.T) {
	ntsc := loop.Rate{Num: 60000, Den: 1001}
	for _, c := range []struct {
		rate    loop.Rate
		scale   float64
		refresh loop.Rate
		want    string
	}{
		{loop.Hz(60), 1, loop.Hz(60), "1"},
		{loop.Hz(60), 1, loop.Hz(120), "01"},
		{loop.Hz(60), 1, loop.Hz(144), "001010010101"},
		{loop.Hz(60), 1, loop.Hz(75), "11110"},
		{loop.Hz(60), 1, loop.Hz(50), "11112"},
		{loop.Hz(120), 1, loop.Hz(60), "2"},
		{loop.Hz(60), 2, loop.Hz(60), "2"},
		{loop.Hz(60), 0.5, loop.Hz(60), "01"},
		{loop.Hz(30), 16, loop.Hz(60), "8"},
		{ntsc, 1, ntsc, "1"},
	} {
		for _, jitter := range []time.Duration{0, 150 * time.Microsecond} {
			t.Run(fmt.Sprintf("%v x %v on %v, jitter %v", c.rate, c.scale, c.refresh, jitter), func(t *testing.T) {
				got, lasts := drive(t, framePacing(c.rate, c.scale), c.refresh, 1200, jitter)
				if !strings.Contains(got, strings.Repeat(c.want, 1200/len(c.want)-2)) {
					t.Errorf("%s..., want it to repeat %s", got[:48], c.want)
				}
				// The grid is even, whatever the stamps: whole ticks apart.
				tick := float64(c.rate.Period()) / c.scale
				for i, last := range lasts[1:] {
					ticks := last.Sub(lasts[i]).Seconds() * 1e9 / tick
					if off := ticks - float64(int(ticks+0.5)); off > 1e-5 || off < -1e-5 {
						t.Fatalf("from one to the next %v ticks", ticks)
					}
				}
			})
		}
	}
}

// With 0.3 ms of jitter no frame has 0 or 2 ticks.
func TestFrameDriverJitter(t *testing.T) {
	got, _ := drive(t, framePacing(loop.Hz(60), 1), loop.Hz(60), 6000, 300*time.Microsecond)
	if got[1:] != strings.Repeat("1", 5999) {
		t.Errorf("%d frames of 0 and %d of 2", strings.Count(got[1:], "0"), strings.Count(got, "2"))
	}
}

// Wherever frames begin to drive, the next tick is due within a tick of the last
// release and after it, and no burst comes but what a frame has anyway; after a hold it is a whole tick
// from the last release, or from the last frame that saw the hold, and less than
// two.
func TestFrameDriverAnchor(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	for range 5000 {
		p := framePacing(loop.Hz(1+rng.Uint64N(240)), []float64{0.1, 0.5, 1, 3, 16}[rng.IntN(5)])
		tick := time.Duration(float64(p.TickRate.Period()) / p.TimeScale)
		refresh := []time.Duration{0, loop.Hz(60).Period(), loop.Hz(144).Period(), loop.Hz(30).Period()}[rng.IntN(4)]
		held := rng.IntN(2) == 0
		released := epoch.Add(-time.Duration(rng.Int64N(int64(tick) * 2)))
		from := released // of the last release, or a tick ago at least
		frozen := epoch.Add(-refresh)
		if held && released.Before(frozen) {
			from = frozen
		} else if epoch.Sub(released) > tick+refresh {
			from = epoch.Add(-tick - refresh)
		}
		step := max(tick/30, 100*time.Microsecond)
		most := 1 + int(step/tick)
		d := frameDriver{held: held, frame: frozen} // frames of no even length: none is snapped
		var first time.Time
		for i := range 100 {
			now := epoch.Add(time.Duration(i) * step)
			due, last := d.advance(now, refresh, &p, coordinator.ReleaseInfo{Scheduled: released})
			if due > most && (i > 0 || due > most+int(refresh/tick)+1) {
				t.Fatalf("%v, refresh %v: %d due at frame %d", tick, refresh, due, i)
			}
			if due > 0 {
				first = last.Add(-time.Duration(due-1) * tick)
				break
			}
		}
		const rounding = time.Microsecond
		after := first.Sub(from)
		switch {
		case held && (after < tick-rounding || after >= 2*tick+rounding):
			t.Fatalf("tick %v, refresh %v: after a hold due %v later", tick, refresh, after)
		case !held && (after <= -rounding || after > tick+rounding):
			t.Fatalf("tick %v, refresh %v: due %v after the last release", tick, refresh, after)
		}
	}
}

// Frozen frames, and frames under the coordinator's clock, make nothing due,
// then or later.
func TestFrameDriverIdle(t *testing.T) {
	p, r := framePacing(loop.Hz(60), 1), coordinator.ReleaseInfo{Scheduled: epoch}
	idle := map[string]func(){
		"frozen": func() { r.Frozen = true },
		"by coordinator": func() {
			p.Driver = coordinator.ByCoordinator
		},
	}
	for name, stop := range idle {
		p, r = framePacing(loop.Hz(60), 1), coordinator.ReleaseInfo{Scheduled: epoch}
		var d frameDriver
		now := epoch
		frame := func() int {
			now = now.Add(loop.Hz(60).Period())
			due, last := d.advance(now, loop.Hz(60).Period(), &p, r)
			if due > 0 {
				r.Scheduled = last
			}
			return due
		}
		sum := 0
		for range 60 {
			sum += frame()
		}
		if sum < 59 || sum > 61 {
			t.Fatalf("%s: %d ticks in 60 frames", name, sum)
		}
		stop()
		for range 6000 {
			if n := frame(); n != 0 {
				t.Fatalf("%s: %d due", name, n)
			}
		}
		if n := testing.AllocsPerRun(100, func() { frame() }); n != 0 {
			t.Errorf("%s: %v allocations a frame", name, n)
		}
		p.Driver, r.Frozen = coordinator.ByFrame, false
		if n := frame() + frame() + frame(); n < 1 || n > 4 {
			t.Errorf("%s: %d due in three frames after it", name, n)
		}
	}
}

// A real coordinator on virtual displays: it releases what the frames make due,
// through a pause, changes of rate and switches of the driver.
func TestFrameDriverEndToEnd(t *testing.T) {
	for _, hz := range []uint64{60, 120, 144, 50} {
		t.Run(fmt.Sprint(hz), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c, err := coordinator.New(coordinator.Options{Pacing: framePacing(loop.Hz(60), 1)})
				if err != nil {
					t.Fatal(err)
				}
				c.Start()
				refresh := loop.Hz(hz).Period()
				var d frameDriver
				from := loop.Tick(0)
				run := func(length time.Duration) loop.Tick {
					from = c.Global()
					for range int(length / refresh) {
						p := c.Pacing()
						c.Feed(d.advance(time.Now(), refresh, &p, c.Released()))
						time.Sleep(refresh)
					}
					synctest.Wait()
					return c.Global() - from
				}
				expect := func(what string, got, want loop.Tick) {
					t.Helper()
					if got+2 < want || got > want+2 {
						t.Errorf("%s: %d ticks, want %d", what, got, want)
					}
				}
				expect("by frame", run(2*time.Second), 120)
				if err := c.Pause(); err != nil {
					t.Error(err)
				}
				if n := run(time.Second); n != 0 {
					t.Errorf("paused: %d ticks", n)
				}
				if err := c.Step(3); err != nil {
					t.Error(err)
				}
				paused := from
				if run(time.Second); c.Global() != paused+3 {
					t.Errorf("3 steps: %d ticks", c.Global()-paused)
				}
				if err := c.Resume(); err != nil {
					t.Error(err)
				}
				expect("resumed", run(time.Second), 60)
				set := func(p coordinator.Pacing) {
					if err := c.SetPacing(p); err != nil {
						t.Error(err)
					}
				}
				set(framePacing(loop.Hz(30), 1))
				expect("30 a second", run(time.Second), 30)
				set(framePacing(loop.Hz(60), 4))
				expect("scale 4", run(time.Second), 240)
				set(framePacing(loop.Hz(60), 1))
				for i := range 30 {
					p := framePacing(loop.Hz(60), 1)
					p.Driver = coordinator.Driver(i % 2)
					set(p)
					expect("switching", run(200*time.Millisecond), 12)
				}
				c.Stop()
				c.Wait()
				st := c.Stats()
				if st.Dropped != 0 {
					t.Errorf("%d dropped", st.Dropped)
				}
				// A tick waits for its frame at most, in the schedule and outside.
				tick := loop.Hz(60).Period()
				for i, r := range st.Recent[1:] {
					if gap := r.Scheduled.Sub(st.Recent[i].Scheduled); gap <= 0 || gap > tick+tick*6/10 {
						t.Errorf("tick %d was due %v after the one before", r.Tick, gap)
					}
					if gap := r.Actual.Sub(st.Recent[i].Actual); gap > tick+refresh {
						t.Errorf("tick %d came %v after the one before", r.Tick, gap)
					}
				}
			})
		})
	}
}

// A display that refreshes at another rate from some instant on has the cadence
// of the new one, without a tick lost or doubled in between.
func TestFrameDriverFollowsTheRefresh(t *testing.T) {
	p := framePacing(loop.Hz(60), 1)
	var d frameDriver
	var b strings.Builder
	at, released := epoch, epoch.Add(-2*time.Millisecond)
	for i := range 240 {
		refresh := loop.Hz(60).Period()
		if i >= 60 {
			refresh = loop.Hz(120).Period()
		}
		due, last := d.advance(at, refresh, &p, coordinator.ReleaseInfo{Scheduled: released})
		fmt.Fprint(&b, due)
		if due > 0 {
			released = last
		}
		if i >= 59 {
			refresh = loop.Hz(120).Period()
		}
		at = at.Add(refresh)
	}
	got := b.String()
	if !strings.Contains(got[:60], strings.Repeat("1", 58)) {
		t.Errorf("before: %s", got[:60])
	}
	if after := got[64:]; !strings.HasPrefix(after, strings.Repeat("01", 80)) && !strings.HasPrefix(after, strings.Repeat("10", 80)) {
		t.Errorf("after: %s", after)
	}
	if n := strings.Count(got, "1"); n < 149 || n > 151 {
		t.Errorf("%d ticks in 60 frames at 60 Hz and 180 at 120: want 150", n)
	}
}
