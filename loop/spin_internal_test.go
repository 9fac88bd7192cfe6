package loop

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// handClock is a clock that moves when it is looked at, slept by or told to.
type handClock struct {
	at           time.Time
	over         func(n int) time.Duration // oversleep of the n-th sleep or nap
	sleeps, naps int
	spun         int           // looks at the clock
	longest      time.Duration // nap
	wakeAt       time.Time     // when wake can be received from; zero: never
	wake         chan struct{}
}

func (c *handClock) now() time.Time {
	c.at = c.at.Add(time.Microsecond)
	c.spun++
	c.ring()
	return c.at
}

// ring makes the wake-up available when its time has come.
func (c *handClock) ring() {
	if !c.wakeAt.IsZero() && !c.at.Before(c.wakeAt) {
		c.wake <- struct{}{}
		c.wakeAt = time.Time{}
	}
}

func (c *handClock) pass(d time.Duration) {
	c.at = c.at.Add(max(d, 0))
	c.ring()
}

func (c *handClock) sleep(until time.Time, wake <-chan struct{}) bool {
	c.sleeps++
	if woken(wake) {
		return false
	}
	if !c.wakeAt.IsZero() && c.wakeAt.Before(until) {
		c.pass(c.wakeAt.Sub(c.at))
		<-wake
		return false
	}
	c.pass(until.Sub(c.at) + c.over(c.sleeps))
	return true
}

func (c *handClock) nap(end time.Time) {
	c.naps++
	d := end.Sub(c.at)
	c.longest = max(c.longest, d)
	c.pass(d + c.over(c.naps))
}

func newHandClock(over time.Duration) *handClock {
	return &handClock{at: time.Unix(1000, 0), over: func(int) time.Duration { return over }, wake: make(chan struct{}, 1)}
}

func (c *handClock) spinner(naps bool) *spinner {
	s := &spinner{now: c.now, sleep: c.sleep, yield: func() {}, sleepMargin: margin{most: 1500 * time.Microsecond}}
	if naps {
		s.nap, s.napMax = c.nap, 2*time.Millisecond
		s.napMargin = margin{most: 300 * time.Microsecond}
	}
	return s
}

// Targets are hit within a look at the clock, however late sleeps end, as long
// as the margin covers it; and it shrinks to what is needed.
func TestSpinnerHits(t *testing.T) {
	for _, tt := range []struct {
		name string
		naps bool
		over time.Duration
		most time.Duration // spun a target in the end
	}{
		{"timers a millisecond late", false, 1100 * time.Microsecond, 30 * time.Microsecond},
		{"timers in time", false, 0, 30 * time.Microsecond},
		{"naps 60 us late", true, 60 * time.Microsecond, 30 * time.Microsecond},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := newHandClock(tt.over)
			s := c.spinner(tt.naps)
			target := c.at
			for i := range 1000 {
				target = target.Add(time.Second / 60)
				if i == 900 {
					c.spun = 0
				}
				if !s.wait(target, c.wake) {
					t.Fatal("woken")
				}
				if late := c.at.Sub(target); late < 0 || late > 2*time.Microsecond {
					t.Fatalf("target %d: %v late", i, late)
				}
			}
			if spun := time.Duration(c.spun/100) * time.Microsecond; spun > tt.most {
				t.Errorf("%v spun for each of the last targets", spun)
			}
			if c.longest > 2*time.Millisecond {
				t.Errorf("a nap of %v", c.longest)
			}
		})
	}
}

// Whom nobody can wake sleeps in one nap.
func TestSpinnerDeaf(t *testing.T) {
	c := newHandClock(60 * time.Microsecond)
	s := c.spinner(true)
	s.wait(c.at.Add(time.Second/60), nil) // it learns
	c.naps = 0
	target := c.at.Add(time.Second / 60)
	if !s.wait(target, nil) || c.sleeps != 0 || c.naps != 1 {
		t.Errorf("%d sleeps and %d naps", c.sleeps, c.naps)
	}
	if late := c.at.Sub(target); late < 0 || late > 2*time.Microsecond {
		t.Errorf("%v late", late)
	}
}

// Who can be woken never naps for longer than a nap may be, however much room the
// margins leave.
func TestSpinnerNapsAreShort(t *testing.T) {
	c := newHandClock(0)
	s := c.spinner(true)
	s.sleepMargin.most = 5 * time.Millisecond
	if !s.wait(c.at.Add(5*time.Millisecond), c.wake) || c.sleeps != 0 || c.naps < 3 || c.longest > s.napMax {
		t.Errorf("%d sleeps, %d naps of %v at most, accepted is %v", c.sleeps, c.naps, c.longest, s.napMax)
	}
}

// A stalled machine is not spun for: the margin stays bounded, and what it
// learned is forgotten.
func TestMarginForgets(t *testing.T) {
	m := margin{most: 300 * time.Microsecond}
	if m.length() != 300*time.Microsecond {
		t.Errorf("%v before anything was learned", m.length())
	}
	for range 200 {
		m.learn(50 * time.Microsecond)
	}
	if m.length() != 55*time.Microsecond {
		t.Errorf("%v after even sleeps", m.length())
	}
	m.learn(time.Hour)
	m.learn(time.Second)
	for range 16 {
		m.learn(50 * time.Microsecond)
	}
	if m.length() != 55*time.Microsecond {
		t.Errorf("%v after two stalls among a hundred", m.length())
	}
	for range marginWindow {
		m.learn(time.Second)
	}
	if m.length() != 300*time.Microsecond {
		t.Errorf("%v on a machine that is always late", m.length())
	}
	for range marginWindow + 16 {
		m.learn(-time.Second)
	}
	if m.length() != 5*time.Microsecond {
		t.Errorf("%v after sleeps that end early", m.length())
	}
}

// Where targets are far apart, a small part of the time between them is spun for
// the sleeps that end later than most: not beyond the latest, nor beyond a bound.
func TestMarginSpends(t *testing.T) {
	const us = time.Microsecond
	for _, tt := range []struct {
		name         string
		rare, period time.Duration
		latest       time.Duration // of each 64 sleeps; the others are 100 us late
		want         time.Duration
	}{
		{"no reason to", 0, time.Second, 250 * us, 105 * us},
		{"no period known", 500 * us, 0, 250 * us, 105 * us},
		{"targets close together", 500 * us, time.Millisecond, 250 * us, 120 * us},
		{"what can be spared", 500 * us, 5 * time.Millisecond, 250 * us, 200 * us},
		{"the latest", 500 * us, 20 * time.Millisecond, 250 * us, 255 * us},
		{"a stall", 500 * us, time.Second, time.Hour, 500 * us},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := margin{most: 300 * us, rare: tt.rare, period: tt.period}
			for n := range 2 * marginWindow {
				if n%64 == 0 {
					m.learn(tt.latest)
				} else {
					m.learn(100 * us)
				}
			}
			if m.length() != tt.want {
				t.Errorf("%v, want %v", m.length(), tt.want)
			}
		})
	}
}

// A pacer learns how far apart its targets are.
func TestSpinnerPeriod(t *testing.T) {
	c := newHandClock(60 * time.Microsecond)
	s := c.spinner(true)
	first := c.at.Add(time.Millisecond)
	s.wait(first, nil)
	if s.napMargin.period != 0 {
		t.Errorf("%v before there was a second target", s.napMargin.period)
	}
	s.wait(first.Add(10*time.Millisecond), nil)
	s.wait(first.Add(10*time.Millisecond), nil) // again, as after a wake-up
	s.wait(first, nil)                          // and one from before
	if s.napMargin.period != 10*time.Millisecond || s.sleepMargin.period != 10*time.Millisecond {
		t.Errorf("%v and %v", s.napMargin.period, s.sleepMargin.period)
	}
}

// A wake-up ends each stage: the sleep at once, the spin at once, the nap when it
// is over.
func TestSpinnerWoken(t *testing.T) {
	for _, tt := range []struct {
		name  string
		naps  bool
		after time.Duration
		most  time.Duration // after the wake-up
	}{
		{"while it sleeps", false, 5 * time.Millisecond, 2 * time.Microsecond},
		{"while it spins", false, 15500 * time.Microsecond, 2 * time.Microsecond},
		{"while it naps", true, 15 * time.Millisecond, 2 * time.Millisecond},
		{"before it begins", false, -time.Second, 2 * time.Microsecond},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := newHandClock(0)
			s := c.spinner(tt.naps)
			start := c.at
			c.wakeAt = start.Add(tt.after)
			if s.wait(start.Add(time.Second/60), c.wake) {
				t.Fatal("not woken")
			}
			if d := c.at.Sub(start) - max(tt.after, 0); d < 0 || d > tt.most {
				t.Errorf("woken %v after", d)
			}
		})
	}
	c := newHandClock(0)
	c.wake <- struct{}{}
	if !c.spinner(true).wait(c.at.Add(-time.Second), c.wake) || len(c.wake) != 1 {
		t.Error("a target that has passed takes the wake-up")
	}
	// Nobody can wake it.
	if !c.spinner(true).wait(c.at.Add(10*time.Millisecond), nil) {
		t.Error("woken by nobody")
	}
}

func TestPacerKinds(t *testing.T) {
	for _, k := range PacerKinds() {
		p := k.New()
		if !p.Wait(p.Now().Add(-time.Second), nil) {
			t.Errorf("%v waits for what has passed", k)
		}
		p.Close()
		p.Close()
	}
	if Precise.String() != "precise" || PacerKind(9).String() != "pacer(9)" {
		t.Error("names")
	}
	if _, ok := PacerKind(9).New().(*SleepPacer); !ok {
		t.Error("what is no kind isn't sleep")
	}
	synctest.Test(t, func(t *testing.T) {
		p := Sleep.New()
		defer p.Close()
		if start := p.Now(); !p.Wait(start.Add(time.Hour), nil) || p.Now().Sub(start) != time.Hour {
			t.Error("sleep is not for virtual time")
		}
	})
}

// How late the pacers are, and what it costs: 60 targets a second.
func BenchmarkPacer(b *testing.B) {
	for _, k := range PacerKinds() {
		b.Run(k.String(), func(b *testing.B) {
			p := k.New()
			defer p.Close()
			var late []time.Duration
			start := p.Now()
			n := Tick(0)
			for b.Loop() {
				n++
				target := start.Add(Hz(60).Boundary(n))
				p.Wait(target, nil)
				late = append(late, p.Now().Sub(target))
			}
			b.ReportMetric(quantileUs(late, 0.5), "p50-us")
			b.ReportMetric(quantileUs(late, 0.99), "p99-us")
		})
	}
}

func quantileUs(d []time.Duration, q float64) float64 {
	slices.Sort(d)
	return float64(d[int(q*float64(len(d)-1))].Microseconds())
}
