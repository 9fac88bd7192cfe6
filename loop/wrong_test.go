package loop_test

import (
	"testing"
	"time"

	"chronoscope/loop"
)

// How far the wrong loops are off after a minute, beside one that is right.
func TestWrongLoopsDrift(t *testing.T) {
	const ms = time.Millisecond
	start := time.Unix(1000, 0)
	end := start.Add(time.Minute)
	t.Run("sleeping a whole interval after the work", func(t *testing.T) {
		for work, want := range map[time.Duration]loop.Tick{0: 3000, 5 * ms: 2400, 20 * ms: 1500} {
			l := loop.AfterWork{Interval: 20 * ms}
			for at := start; at.Before(end); {
				at = l.Next(at.Add(work))
			}
			if l.Steps() != want {
				t.Errorf("work of %v: %d steps in a minute, want %d", work, l.Steps(), want)
			}
		}
	})
	t.Run("without carrying the remainder", func(t *testing.T) {
		for look, want := range map[time.Duration]loop.Tick{20 * ms: 3000, 25 * ms: 2400, 39 * ms: 1538, 19 * ms: 0} {
			l := loop.NoCarry{Interval: 20 * ms}
			right := loop.New(20*ms, 8, 0)
			for at := start; !at.After(end); at = at.Add(look) {
				l.Advance(at)
				right.Advance(at)
			}
			if l.Steps() != want {
				t.Errorf("a look every %v: %d steps in a minute, want %d", look, l.Steps(), want)
			}
			if n := right.Step(); n < 2998 || n > 3000 {
				t.Errorf("a look every %v: %d steps of the right loop", look, n)
			}
		}
	})
	t.Run("a clock that goes back", func(t *testing.T) {
		l := loop.NoCarry{Interval: 20 * ms}
		l.Advance(start)
		if n := l.Advance(start.Add(-time.Hour)); n != 0 || l.Steps() != 0 {
			t.Errorf("%d steps", n)
		}
	})
}
