package coordinator

import (
	"math"
	"testing"
	"time"

	"chronoscope/loop"
)

func TestStretchFor(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		name          string
		late, nominal time.Duration
		want          float64
	}{
		{"on time", 0, 20 * ms, 1},
		{"late as timers are", ms, 4 * ms, 1},
		{"half a tick", 10 * ms, 20 * ms, 1},
		{"a tick", 20 * ms, 20 * ms, 1.5},
		{"two ticks", 40 * ms, 20 * ms, 2.5},
		{"the limit", 70 * ms, 20 * ms, 4},
		{"beyond it", time.Hour, 20 * ms, 4},
		{"no length", time.Hour, 0, 4},
	} {
		if got := stretchFor(c.late, c.nominal); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestSmoothOverload(t *testing.T) {
	for _, hz := range []uint64{1, 60, 240} {
		nominal := loop.Hz(hz).Period()
		// One late check, however late, stretches nothing.
		for _, late := range []time.Duration{nominal, time.Second, time.Hour, math.MaxInt64} {
			if avg := smoothOverload(0, late, late, nominal); stretchFor(avg, nominal) != 1 {
				t.Errorf("%d/s: one check late by %v stretches by %v", hz, late, stretchFor(avg, nominal))
			}
		}
		for _, gap := range []time.Duration{0, -1, -slowTime} {
			if avg := smoothOverload(0, gap, gap, nominal); avg != 0 {
				t.Errorf("a check %v after the last counts as late by %v", gap, avg)
			}
		}
	}
	// Lateness of three ticks that lasts: most of the stretch within half a
	// second, and back within another.
	for _, hz := range []uint64{30, 60, 144, 240} {
		nominal := loop.Hz(hz).Period()
		steady := stretchFor(3*nominal, nominal)
		var avg, passed time.Duration
		check := func(late time.Duration) float64 {
			gap := late + nominal/10
			passed += gap
			avg = smoothOverload(avg, late, gap, nominal)
			return stretchFor(avg, nominal)
		}
		for check(3*nominal) < 1+0.7*(steady-1) {
		}
		if passed < 50*time.Millisecond || passed > 1200*time.Millisecond || hz >= 60 && passed > 600*time.Millisecond {
			t.Errorf("%d/s: believed after %v, want about half a second", hz, passed)
		}
		for range 1000 {
			check(3 * nominal)
		}
		if got := stretchFor(avg, nominal); math.Abs(got-steady) > 0.01 {
			t.Errorf("%d/s: stretched by %v at last, want %v", hz, got, steady)
		}
		passed = 0
		for check(0) > 1 {
		}
		if passed < 50*time.Millisecond || passed > time.Second {
			t.Errorf("%d/s: back after %v, want a second at most", hz, passed)
		}
	}
}

// Changing the stretch moves no boundary that has been used, and the next is a
// stretched tick after it; at 1 the boundaries are exact again.
func TestMetronomeStretch(t *testing.T) {
	m := metronome{rate: loop.Hz(100), scale: 2, anchor: anchor}
	const tick = 5 * time.Millisecond
	m.used = 7
	last := m.boundary(7)
	for _, factor := range []float64{1.5, 4, 2, 1} {
		m.setStretch(factor)
		if got := m.boundary(m.used); got != last {
			t.Fatalf("x %v: the last boundary moved by %v", factor, got.Sub(last))
		}
		want := time.Duration(factor * float64(tick))
		if got := m.next().Sub(last); got != want || m.tick() != want || m.stretch() != factor {
			t.Fatalf("x %v: the next after %v, a tick is %v, want %v", factor, got, m.tick(), want)
		}
		if n := m.due(last.Add(3 * want)); n != 3 {
			t.Fatalf("x %v: %d due in three ticks", factor, n)
		}
		m.used++
		last = m.boundary(m.used)
	}
	anchored := m.anchor
	for range 1000 {
		m.check(m.next(), loop.SlowDown, 8)
	}
	if m.anchor != anchored {
		t.Error("a metronome that nobody is late for changes its anchor")
	}
	m.late, m.factor = time.Hour, 3
	m.relax()
	if m.late != 0 || m.stretch() != 1 {
		t.Errorf("relaxed, and late by %v, stretched by %v", m.late, m.stretch())
	}
}

// The steady state at each lateness of the checks: a tick is as long as it and
// half a tick more, and nothing is dropped; at the limit it is.
func TestSlowDownSteady(t *testing.T) {
	nominal := loop.Hz(60).Period()
	for _, c := range []struct {
		late    float64 // ticks
		stretch float64
		drops   bool
	}{{0, 1, false}, {0.1, 1, false}, {0.5, 1, false}, {1, 1.5, false}, {2, 2.5, false}, {3.5, 4, false}, {6, 4, true}} {
		m := metronome{rate: loop.Hz(60), scale: 1, anchor: anchor}
		late, now := time.Duration(c.late*float64(nominal)), anchor
		run := func(d time.Duration) (released, dropped loop.Tick) {
			for end := now.Add(d); now.Before(end); {
				gap := late + nominal/10
				now = now.Add(gap)
				m.observe(late, gap)
				if b := m.check(now, loop.SlowDown, 8); b.release {
					released++
					dropped += b.dropped
				}
			}
			return released, dropped
		}
		run(3 * time.Second)
		released, dropped := run(10 * time.Second)
		if got := m.stretch(); math.Abs(got-c.stretch) > 0.01 {
			t.Errorf("late by %v ticks: stretched by %v, want %v", c.late, got, c.stretch)
		}
		if (dropped > 0) != c.drops {
			t.Errorf("late by %v ticks: %d dropped in the steady state", c.late, dropped)
		}
		if due := float64(released + dropped); math.Abs(due-600/c.stretch) > 6 {
			t.Errorf("late by %v ticks: %v due in 10 s, want %v", c.late, due, 600/c.stretch)
		}
	}
}
