package loop_test

import (
	"testing"
	"testing/synctest"
	"time"

	"chronoscope/loop"
)

func TestSleepPacerReachesTarget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := loop.NewSleepPacer()
		defer p.Close()
		start := p.Now()
		r := loop.Rate{Num: 60000, Den: 1001}
		for n := loop.Tick(1); n <= 600; n++ {
			target := start.Add(r.Boundary(n))
			if !p.Wait(target, nil) {
				t.Fatalf("tick %d: woken, though nobody can wake it", n)
			}
			if now := p.Now(); !now.Equal(target) {
				t.Fatalf("tick %d: woke at %v, want %v", n, now.Sub(start), target.Sub(start))
			}
		}
	})
}

// A target that has passed costs no time and takes nothing from wake.
func TestSleepPacerPastTarget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := loop.NewSleepPacer()
		defer p.Close()
		wake := make(chan struct{}, 1)
		wake <- struct{}{}
		start := p.Now()
		for _, d := range []time.Duration{0, -1, -time.Hour} {
			if !p.Wait(start.Add(d), wake) {
				t.Errorf("target %v from now: want true", d)
			}
		}
		if !p.Now().Equal(start) {
			t.Errorf("waited %v for targets that had passed", p.Now().Sub(start))
		}
		if len(wake) != 1 {
			t.Error("the wake-up is gone")
		}
	})
}

func TestSleepPacerWoken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := loop.NewSleepPacer()
		defer p.Close()
		wake := make(chan struct{}, 1)
		start := p.Now()
		time.AfterFunc(3*time.Millisecond, func() { wake <- struct{}{} })
		target := start.Add(10 * time.Millisecond)
		if p.Wait(target, wake) {
			t.Error("want false from a wait that was woken")
		}
		if got := p.Now().Sub(start); got != 3*time.Millisecond {
			t.Errorf("woken after %v, want 3ms", got)
		}
		// The same target again: the timer of the first wait is no hindrance.
		if !p.Wait(target, wake) {
			t.Error("want true from the second wait")
		}
		if got := p.Now().Sub(start); got != 10*time.Millisecond {
			t.Errorf("target reached after %v, want 10ms", got)
		}
		close(wake)
		if p.Wait(target.Add(time.Hour), wake) {
			t.Error("want false with a closed wake channel")
		}
	})
}

// A fired timer must not end the next wait early.
func TestSleepPacerTimerReuse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := loop.NewSleepPacer()
		defer p.Close()
		wake := make(chan struct{}, 1)
		start := p.Now()
		// Wake-up and target at the same instant, many times: either may win.
		at := start
		for range 200 {
			at = at.Add(time.Millisecond)
			time.AfterFunc(at.Sub(p.Now()), func() {
				select {
				case wake <- struct{}{}:
				default:
				}
			})
			p.Wait(at, wake)
			synctest.Wait()
			select {
			case <-wake:
			default:
			}
			if !p.Now().Equal(at) {
				t.Fatalf("woke at %v, want %v", p.Now().Sub(start), at.Sub(start))
			}
		}
	})
}

func TestSleepPacerClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var p loop.SleepPacer // the zero value is ready
		p.Close()
		start := p.Now()
		for i := range 3 {
			if !p.Wait(start.Add(time.Duration(i+1)*time.Second), nil) {
				t.Error("want true")
			}
			p.Close()
			p.Close()
		}
		if got := p.Now().Sub(start); got != 3*time.Second {
			t.Errorf("waited %v, want 3s", got)
		}
	})
}

// One pacer, made outside, used in a bubble.
func TestSleepPacerMadeOutside(t *testing.T) {
	p := loop.NewSleepPacer()
	synctest.Test(t, func(t *testing.T) {
		defer p.Close()
		start := p.Now()
		if !p.Wait(start.Add(time.Minute), nil) || p.Now().Sub(start) != time.Minute {
			t.Errorf("waited %v, want 1m", p.Now().Sub(start))
		}
	})
}

func TestSleepPacerAllocates(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := loop.NewSleepPacer()
		defer p.Close()
		p.Wait(p.Now().Add(1), nil) // makes the timer
		if n := testing.AllocsPerRun(100, func() { p.Wait(p.Now().Add(time.Millisecond), nil) }); n != 0 {
			t.Errorf("%v allocations per wait, want 0", n)
		}
	})
}

func BenchmarkSleepPacerPast(b *testing.B) {
	b.ReportAllocs()
	p := loop.NewSleepPacer()
	defer p.Close()
	target := p.Now()
	for b.Loop() {
		p.Wait(target, nil)
	}
}
