package loop_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"chronoscope/loop"

	"pgregory.net/rapid"
)

const ms = time.Millisecond

// base is where the tests' clocks begin.
func base() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }

// call is one Advance at an instant relative to base, and what must follow.
type call struct {
	at                time.Duration
	executed, dropped int
	drift             time.Duration
}

func TestLoopReferenceCases(t *testing.T) {
	tests := []struct {
		name      string
		cap       int
		start     time.Duration
		calls     []call
		step      loop.Tick
		lost      uint64
		rollbacks uint64
	}{
		{"three steps and a remainder", 8, 0, []call{{100 * ms, 3, 0, 1 * ms}}, 3, 0, 0},
		{"one stall within the cap", 10, 0, []call{{300 * ms, 9, 0, 3 * ms}}, 9, 0, 0},
		{"a stall over the cap", 5, 0, []call{{500 * ms, 5, 10, 5 * ms}}, 5, 10, 0},
		{"the clock goes back", 8, 200 * ms, []call{
			{266 * ms, 2, 0, 0},
			{100 * ms, 0, 0, 0},
			{133 * ms, 1, 0, 0},
		}, 3, 0, 1},
		{"the remainder is carried", 8, 0, []call{{40 * ms, 1, 0, 7 * ms}, {66 * ms, 1, 0, 0}}, 2, 0, 0},
		{"one nanosecond short", 8, 0, []call{{33*ms - 1, 0, 0, 33*ms - 1}, {33 * ms, 1, 0, 0}}, 1, 0, 0},
		{"exactly the cap", 3, 0, []call{{99 * ms, 3, 0, 0}, {198*ms + 32*ms, 3, 0, 32 * ms}}, 6, 0, 0},
		{"the phase survives a drop", 1, 0, []call{
			{110 * ms, 1, 2, 11 * ms},
			{131 * ms, 0, 0, 32 * ms},
			{132 * ms, 1, 0, 0},
		}, 2, 2, 0},
		{"back, but not behind the boundary", 8, 0, []call{
			{60 * ms, 1, 0, 27 * ms},
			{50 * ms, 0, 0, 17 * ms},
			{66 * ms, 1, 0, 0},
		}, 2, 0, 0},
		{"one nanosecond behind the boundary", 8, 0, []call{
			{66 * ms, 2, 0, 0},
			{66*ms - 1, 0, 0, 0},
			{99*ms - 1, 1, 0, 0},
		}, 3, 0, 1},
		{"suspended for hours", 8, 0, []call{{9 * time.Hour, 8, 981810, 6 * ms}, {9*time.Hour + 27*ms, 1, 0, 0}}, 9, 981810, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := loop.New(33*ms, tt.cap, 50*ms)
			l.Start(base().Add(tt.start))
			for i, c := range tt.calls {
				now := base().Add(c.at)
				executed, dropped := l.Advance(now)
				if executed != c.executed || dropped != c.dropped {
					t.Errorf("call %d at %v: %d executed, %d dropped, want %d, %d", i, c.at, executed, dropped, c.executed, c.dropped)
				}
				if got := l.Drift(now); got != c.drift {
					t.Errorf("call %d at %v: drift %v, want %v", i, c.at, got, c.drift)
				}
			}
			if l.Step() != tt.step || l.Dropped() != tt.lost || l.Rollbacks() != tt.rollbacks {
				t.Errorf("step %d, dropped %d, rollbacks %d, want %d, %d, %d", l.Step(), l.Dropped(), l.Rollbacks(), tt.step, tt.lost, tt.rollbacks)
			}
		})
	}
}

func TestLoopDefaults(t *testing.T) {
	tests := []struct {
		name     string
		loop     *loop.Loop
		interval time.Duration
		maxSteps int
		maxFrame time.Duration
	}{
		{"as given", loop.New(16*ms, 4, 25*ms), 16 * ms, 4, 25 * ms},
		{"nothing given", loop.New(0, 0, 0), 33 * ms, 1, 66 * ms},
		{"negative", loop.New(-1, -1, -1), 33 * ms, 1, 66 * ms},
		{"ceiling from the interval", loop.New(10*ms, 2, 0), 10 * ms, 2, 20 * ms},
		{"ceiling saturates", loop.New(math.MaxInt64, 2, 0), math.MaxInt64, 2, math.MaxInt64},
		{"a rate", loop.NewAtRate(loop.Hz(50), 4, 0), 20 * ms, 4, 40 * ms},
		{"no rate", loop.NewAtRate(loop.Rate{}, 4, 0), 33 * ms, 4, 66 * ms},
		{"a rate beyond the clock", loop.NewAtRate(loop.Hz(1_000_000_001), 4, 0), 33 * ms, 4, 66 * ms},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.loop.Interval(); got != tt.interval {
				t.Errorf("interval %v, want %v", got, tt.interval)
			}
			if got := tt.loop.MaxCatchUp(); got != tt.maxSteps {
				t.Errorf("cap %d, want %d", got, tt.maxSteps)
			}
			if got := tt.loop.MaxFrame(); got != tt.maxFrame {
				t.Errorf("ceiling %v, want %v", got, tt.maxFrame)
			}
		})
	}
}

// The first call on a loop that wasn't started anchors it there.
func TestLoopAnchorsAtFirstAdvance(t *testing.T) {
	l := loop.New(33*ms, 8, 50*ms)
	if got := l.Drift(base()); got != 0 {
		t.Errorf("drift %v before any anchor, want 0", got)
	}
	if e, d := l.Advance(base().Add(time.Hour)); e != 0 || d != 0 {
		t.Errorf("first call: %d, %d, want 0, 0", e, d)
	}
	if e, d := l.Advance(base().Add(time.Hour + 33*ms)); e != 1 || d != 0 {
		t.Errorf("a step later: %d, %d, want 1, 0", e, d)
	}
}

func TestLoopStartResets(t *testing.T) {
	l := loop.New(33*ms, 1, 50*ms)
	l.Start(base())
	l.Advance(base().Add(200 * ms))
	l.Advance(base())
	if l.Step() == 0 || l.Dropped() == 0 || l.Rollbacks() == 0 {
		t.Fatalf("nothing to reset: step %d, dropped %d, rollbacks %d", l.Step(), l.Dropped(), l.Rollbacks())
	}
	l.Start(base().Add(time.Minute))
	if l.Step() != 0 || l.Dropped() != 0 || l.Rollbacks() != 0 {
		t.Errorf("after Start: step %d, dropped %d, rollbacks %d", l.Step(), l.Dropped(), l.Rollbacks())
	}
	if got := l.Drift(base().Add(time.Minute + 5*ms)); got != 5*ms {
		t.Errorf("drift %v, want 5ms", got)
	}
	if got := l.Drift(base()); got != 0 {
		t.Errorf("drift %v before the anchor, want 0", got)
	}
}

func TestLoopCatchUp(t *testing.T) {
	tests := []struct {
		elapsed time.Duration
		want    int
	}{
		{math.MinInt64, 0}, {-1, 0}, {0, 0}, {33*ms - 1, 0}, {33 * ms, 1}, {100 * ms, 3}, {500 * ms, 5}, {10 * time.Hour, 5}, {math.MaxInt64, 5},
	}
	l := loop.New(33*ms, 5, 50*ms)
	l.Start(base())
	for _, tt := range tests {
		t.Run(tt.elapsed.String(), func(t *testing.T) {
			if got := l.CatchUp(tt.elapsed); got != tt.want {
				t.Errorf("CatchUp(%v) = %d, want %d", tt.elapsed, got, tt.want)
			}
			if l.Step() != 0 || l.Dropped() != 0 {
				t.Error("CatchUp changed the loop")
			}
		})
	}
	if got := loop.NewAtRate(loop.Hz(60), 100, 0).CatchUp(time.Second); got != 60 {
		t.Errorf("a second at 60 Hz is worth %d steps, want 60", got)
	}
}

// Decades of suspension: at most the cap, nothing overflows, and the loop
// goes on in phase.
func TestLoopSuspend(t *testing.T) {
	loops := map[string]func(cap int) *loop.Loop{
		"interval":   func(n int) *loop.Loop { return loop.New(33*ms, n, 0) },
		"nanosecond": func(n int) *loop.Loop { return loop.New(1, n, 0) },
		"59.94 Hz":   func(n int) *loop.Loop { return loop.NewAtRate(ntsc60, n, 0) },
		"1 GHz":      func(n int) *loop.Loop { return loop.NewAtRate(loop.Hz(1_000_000_000), n, 0) },
	}
	gaps := []time.Duration{time.Hour, 100 * time.Hour, 24 * 365 * 40 * time.Hour, math.MaxInt64 - time.Hour}
	for name, make := range loops {
		for _, gap := range gaps {
			t.Run(fmt.Sprintf("%s/%v", name, gap), func(t *testing.T) {
				l := make(8)
				l.Start(base())
				now := base().Add(gap)
				executed, dropped := l.Advance(now)
				if executed != 8 || dropped <= 0 {
					t.Errorf("%d executed, %d dropped, want 8 and the rest", executed, dropped)
				}
				if uint64(dropped) != l.Dropped() || l.Step() != 8 {
					t.Errorf("step %d, dropped %d, want 8, %d", l.Step(), l.Dropped(), dropped)
				}
				if d := l.Drift(now); d < 0 || d >= l.Interval() {
					t.Errorf("drift %v, interval %v", d, l.Interval())
				}
				next := now.Add(l.Interval() - l.Drift(now))
				if e, d := l.Advance(next); e != 1 || d != 0 {
					t.Errorf("next boundary: %d, %d, want 1, 0", e, d)
				}
			})
		}
	}
}

// 24 hours at 59.94 Hz in frames of an awkward length: the steps are those of
// the exact rate, whatever the frames were.
func TestLoopAtRateKeepsTheRate(t *testing.T) {
	for _, r := range []loop.Rate{ntsc60, loop.Hz(60), loop.Hz(120), loop.Hz(144)} {
		t.Run(r.String(), func(t *testing.T) {
			l := loop.NewAtRate(r, 1000, 0)
			l.Start(base())
			const frame = 997_111_313 * time.Nanosecond
			for at := time.Duration(0); at < 24*time.Hour; at += frame {
				l.Advance(base().Add(at))
			}
			l.Advance(base().Add(24 * time.Hour))
			if want := r.TickAt(24 * time.Hour); l.Step() != want || l.Dropped() != 0 {
				t.Errorf("%d steps, %d dropped, want %d, 0", l.Step(), l.Dropped(), want)
			}
		})
	}
}

// Whatever the clock does: dropped + executed = due, the step count never
// falls, drift stays in [0, interval) after Advance, and the phase is that of
// the last anchor.
func TestLoopInvariants(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		maxSteps := rapid.IntRange(-1, 10).Draw(t, "cap")
		var l *loop.Loop
		var tickAt func(time.Duration) loop.Tick
		if rapid.Bool().Draw(t, "rate?") {
			r := rapid.SampledFrom([]loop.Rate{ntsc60, loop.Hz(60), loop.Hz(7), {Num: 24000, Den: 1001}, loop.Hz(240)}).Draw(t, "rate")
			l, tickAt = loop.NewAtRate(r, maxSteps, 0), r.TickAt
		} else {
			d := time.Duration(rapid.Int64Range(1, int64(time.Second)).Draw(t, "interval"))
			l, tickAt = loop.New(d, maxSteps, 0), func(e time.Duration) loop.Tick { return loop.Tick(e / d) }
		}
		now := base()
		l.Start(now)
		anchor, since := now, uint64(0) // since: executed and dropped since the anchor
		var step loop.Tick
		var lost, back uint64
		for range rapid.IntRange(1, 50).Draw(t, "calls") {
			now = now.Add(time.Duration(rapid.OneOf(
				rapid.Int64Range(0, int64(50*ms)),
				rapid.Int64Range(-int64(time.Second), int64(time.Second)),
				rapid.Int64Range(0, int64(10*time.Hour)),
			).Draw(t, "move")))
			executed, dropped := l.Advance(now)
			if executed < 0 || dropped < 0 || executed > max(maxSteps, 1) || (dropped > 0 && executed != max(maxSteps, 1)) {
				t.Fatalf("%d executed, %d dropped with a cap of %d", executed, dropped, maxSteps)
			}
			if l.Rollbacks() != back {
				if l.Rollbacks() != back+1 || executed != 0 || dropped != 0 || l.Drift(now) != 0 {
					t.Fatalf("a rollback gave %d, %d, drift %v, count %d", executed, dropped, l.Drift(now), l.Rollbacks())
				}
				if now.Sub(anchor) >= 0 && uint64(tickAt(now.Sub(anchor))) >= since {
					t.Fatalf("a rollback, though the clock stood at or past the last boundary")
				}
				back, anchor, since = l.Rollbacks(), now, 0
			}
			since += uint64(executed) + uint64(dropped)
			if due := uint64(tickAt(now.Sub(anchor))); since != due {
				t.Fatalf("executed + dropped = %d since the anchor, due %d", since, due)
			}
			step += loop.Tick(executed)
			lost += uint64(dropped)
			if l.Step() != step || l.Dropped() != lost {
				t.Fatalf("step %d, dropped %d, want %d, %d", l.Step(), l.Dropped(), step, lost)
			}
			if d := l.Drift(now); d < 0 || d >= l.Interval() {
				t.Fatalf("drift %v, interval %v", d, l.Interval())
			}
			if e, d := l.Advance(now); e != 0 || d != 0 {
				t.Fatalf("the same instant again: %d, %d", e, d)
			}
		}
	})
}

func TestLoopAdvanceAllocates(t *testing.T) {
	l := loop.NewAtRate(ntsc60, 8, 0)
	now := base()
	l.Start(now)
	if n := testing.AllocsPerRun(100, func() {
		now = now.Add(17 * ms)
		l.Advance(now)
	}); n != 0 {
		t.Errorf("%v allocations per Advance, want 0", n)
	}
}

func ExampleLoop() {
	start := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	l := loop.New(33*time.Millisecond, 5, 50*time.Millisecond)
	l.Start(start)
	for _, at := range []time.Duration{40 * time.Millisecond, 66 * time.Millisecond, 566 * time.Millisecond} {
		now := start.Add(at)
		executed, dropped := l.Advance(now)
		fmt.Printf("%v: run %d, lost %d, %v into the next\n", at, executed, dropped, l.Drift(now))
	}
	fmt.Println("steps:", l.Step())
	// Output:
	// 40ms: run 1, lost 0, 7ms into the next
	// 66ms: run 1, lost 0, 0s into the next
	// 566ms: run 5, lost 10, 5ms into the next
	// steps: 7
}

func BenchmarkAdvance(b *testing.B) {
	for _, bb := range []struct {
		name string
		loop *loop.Loop
	}{
		{"interval", loop.New(16*ms, 8, 0)},
		{"rate", loop.NewAtRate(ntsc60, 8, 0)},
	} {
		b.Run(bb.name, func(b *testing.B) {
			b.ReportAllocs()
			now := base()
			bb.loop.Start(now)
			for b.Loop() {
				now = now.Add(7 * ms)
				bb.loop.Advance(now)
			}
		})
	}
}
