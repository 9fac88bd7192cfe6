package loop_test

import (
	"testing"
	"testing/synctest"
	"time"

	"chronoscope/loop"
)

// Kinds whose waits are those of the standard timers: for virtual time.
func timerKinds() []loop.PacerKind {
	return []loop.PacerKind{loop.Sleep, loop.Ticker, loop.Compensated}
}

// What every pacer that waits by timers alone does: reach the target and not
// return before it, obey the bell, take a late start as it is.
func TestTimerPacers(t *testing.T) {
	for _, k := range timerKinds() {
		t.Run(k.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := k.New()
				defer p.Close()
				start := p.Now()
				for n := range loop.Tick(500) {
					target := start.Add(loop.Hz(60).Boundary(n))
					if !p.Wait(target, nil) {
						t.Fatalf("frame %d: woken by nobody", n)
					}
					if late := p.Now().Sub(target); late < 0 || late > time.Second/60 {
						t.Fatalf("frame %d: %v late", n, late)
					}
				}
			})
		})
		t.Run(k.String()+" rung", func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := k.New()
				defer p.Close()
				bell := make(chan struct{}, 1)
				start := p.Now()
				time.AfterFunc(3*time.Millisecond, func() { bell <- struct{}{} })
				if p.Wait(start.Add(time.Hour), bell) {
					t.Error("not rung")
				}
				if d := p.Now().Sub(start); d != 3*time.Millisecond {
					t.Errorf("rung after %v", d)
				}
				// It goes on as if nothing had been.
				target := start.Add(50 * time.Millisecond)
				if !p.Wait(target, bell) || p.Now().Before(target) {
					t.Errorf("%v before the target after it was rung", target.Sub(p.Now()))
				}
				bell <- struct{}{}
				if !p.Wait(start, bell) || len(bell) != 1 {
					t.Error("a target that has passed takes the ring")
				}
			})
		})
		t.Run(k.String()+" closed", func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := k.New()
				p.Wait(p.Now().Add(time.Millisecond), nil)
				p.Close()
				p.Close()
				target := p.Now().Add(time.Second)
				if !p.Wait(target, nil) || !p.Now().Equal(target) {
					t.Errorf("%v late after Close", p.Now().Sub(target))
				}
				p.Close()
			})
		})
	}
}

// A ticker that was told its rate keeps its phase: it drifts late by less than a
// nanosecond a frame, and never comes early, for which a period would be lost.
func TestTickerBegun(t *testing.T) {
	for _, r := range []loop.Rate{loop.Hz(60), loop.Hz(120), loop.Hz(50), {Num: 60000, Den: 1001}} {
		t.Run(r.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := loop.NewTickerPacer()
				defer p.Close()
				start := p.Now()
				p.Begin(r)
				const frames = 20_000
				for n := loop.Tick(1); n <= frames; n++ {
					target := start.Add(r.Boundary(n))
					p.Wait(target, nil)
					if late := p.Now().Sub(target); late < 0 || late > frames {
						t.Fatalf("frame %d: %v late", n, late)
					}
				}
			})
		})
	}
}

// Work in between doesn't shift a begun ticker, and a long one is no burst.
func TestTickerPhase(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := loop.NewTickerPacer()
		defer p.Close()
		start := p.Now()
		p.Begin(loop.Hz(100))
		at := func(ms int) time.Time { return start.Add(time.Duration(ms) * time.Millisecond) }
		p.Wait(at(10), nil)
		time.Sleep(37 * time.Millisecond) // it is 47
		if p.Wait(at(20), nil); !p.Now().Equal(at(47)) {
			t.Errorf("a late frame waits until %v", p.Now().Sub(start))
		}
		// A tick of 20 still waits in the ticker's channel: it doesn't count.
		if p.Wait(at(50), nil); !p.Now().Equal(at(50)) {
			t.Errorf("the next one waits until %v", p.Now().Sub(start))
		}
		if p.Wait(at(55), nil); !p.Now().Equal(at(60)) {
			t.Errorf("one between two ticks waits until %v", p.Now().Sub(start))
		}
	})
}

// Without a rate it takes the distances as they come.
func TestTickerIrregular(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := loop.NewTickerPacer()
		defer p.Close()
		for _, d := range []time.Duration{time.Millisecond, time.Second, 3 * time.Millisecond, 7 * time.Microsecond, time.Hour} {
			target := p.Now().Add(d)
			if p.Wait(target, nil); !p.Now().Equal(target) {
				t.Errorf("%v: %v late", d, p.Now().Sub(target))
			}
		}
	})
}

func TestParsePacer(t *testing.T) {
	for _, k := range loop.PacerKinds() {
		if got, err := loop.ParsePacer(k.String()); got != k || err != nil {
			t.Errorf("%v: got %v, %v", k, got, err)
		}
	}
	for _, bad := range []string{"", "Sleep", "spin", "pacer(9)"} {
		_, err := loop.ParsePacer(bad)
		if want := `loop: pacer "` + bad + `": want sleep, ticker, compensated, hybrid, precise`; err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
