package loop_test

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"chronoscope/loop"
)

func TestWorldClockReference(t *testing.T) {
	const ms = time.Millisecond
	tests := []struct {
		name          string
		step          time.Duration
		policy        loop.Policy
		cap           int
		scale         float64
		frames        []time.Duration
		steps         []int
		lengths       []time.Duration // effective steps after each frame
		rests         []time.Duration
		logic, losses time.Duration
	}{
		{name: "the classic table, put right", step: 50 * ms, frames: []time.Duration{45 * ms, 10 * ms, 60 * ms, 50 * ms},
			steps: []int{0, 1, 1, 1}, rests: []time.Duration{45 * ms, 5 * ms, 15 * ms, 15 * ms}, logic: 150 * ms},
		{name: "slowdown comes back", step: 20 * ms, policy: loop.SlowDown, frames: []time.Duration{20 * ms, 50 * ms, 100 * ms, 20 * ms, 20 * ms},
			steps: []int{1, 1, 1, 1, 1}, lengths: []time.Duration{20 * ms, 50 * ms, 80 * ms, 20 * ms, 20 * ms}, logic: 190 * ms, losses: 20 * ms},
		{name: "slowdown with fast frames", step: 20 * ms, policy: loop.SlowDown, frames: []time.Duration{8 * ms, 8 * ms, 8 * ms},
			steps: []int{0, 0, 1}, lengths: []time.Duration{20 * ms, 20 * ms, 24 * ms}, logic: 24 * ms},
		{name: "the cap", step: 10 * ms, frames: []time.Duration{95 * ms, 10 * ms}, steps: []int{8, 1}, rests: []time.Duration{5 * ms, 5 * ms}, logic: 90 * ms, losses: 10 * ms},
		{name: "drop with a cap of 1", step: 10 * ms, policy: loop.Drop, cap: 1, frames: []time.Duration{35 * ms, 5 * ms}, steps: []int{1, 1},
			rests: []time.Duration{5 * ms, 0}, logic: 20 * ms, losses: 20 * ms},
		{name: "scale", step: 10 * ms, scale: 2.5, frames: []time.Duration{10 * ms, 10 * ms}, steps: []int{2, 3}, rests: []time.Duration{5 * ms, 0}, logic: 50 * ms},
		{name: "a clock that goes back", step: 10 * ms, frames: []time.Duration{-time.Hour, 10 * ms}, steps: []int{0, 1}, logic: 10 * ms},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := loop.NewWorldClock(tt.step, tt.policy)
			c.SetMaxSteps(tt.cap)
			c.SetScale(tt.scale)
			total := 0
			for i, f := range tt.frames {
				if got := c.Advance(f); got != tt.steps[i] {
					t.Errorf("frame %d: %d steps, want %d", i, got, tt.steps[i])
				}
				total += tt.steps[i]
				if tt.lengths != nil && c.Step() != tt.lengths[i] {
					t.Errorf("frame %d: a step of %v, want %v", i, c.Step(), tt.lengths[i])
				}
				if tt.rests != nil && c.Remainder() != tt.rests[i] {
					t.Errorf("frame %d: %v left, want %v", i, c.Remainder(), tt.rests[i])
				}
			}
			if c.LogicTime() != tt.logic || c.Dropped() != tt.losses || c.Ticks() != loop.Tick(total) {
				t.Errorf("logic %v, dropped %v, %d ticks; want %v, %v, %d", c.LogicTime(), c.Dropped(), c.Ticks(), tt.logic, tt.losses, total)
			}
		})
	}
}

// spiral runs frames whose steps cost more than they are long.
func spiral(policy loop.Policy, most int) *loop.WorldClock {
	const step, work = 20 * time.Millisecond, 25 * time.Millisecond
	c := loop.NewWorldClock(step, policy)
	c.SetMaxSteps(most)
	wall := step
	for range 100 {
		wall = max(step, time.Duration(c.Advance(wall))*work)
	}
	return c
}

func TestDeathSpiral(t *testing.T) {
	// The number stands in WorldClock's comment.
	if c := spiral(loop.CatchUp, 1000); c.Ticks() != 71_237 {
		t.Errorf("catching up ran %d steps", c.Ticks())
	}
	if c := spiral(loop.Drop, 1); c.Ticks() != 100 || c.Dropped() <= 0 {
		t.Errorf("dropping ran %d steps and dropped %v", c.Ticks(), c.Dropped())
	}
	if c := spiral(loop.SlowDown, 1); c.Ticks() != 100 || c.Step() != 25*time.Millisecond || c.Dropped() != 0 {
		t.Errorf("slowing down ran %d steps of %v in the end and dropped %v", c.Ticks(), c.Step(), c.Dropped())
	}
}

func TestWorldClockIgnores(t *testing.T) {
	c := loop.NewWorldClock(0, loop.Policy(99))
	if c.Step() != loop.DefaultInterval {
		t.Errorf("a step of %v", c.Step())
	}
	for _, s := range []float64{0, -1, math.NaN(), math.Inf(1), math.Inf(-1)} {
		c.SetScale(s)
	}
	for _, n := range []int{0, -5} {
		c.SetMaxSteps(n)
	}
	if n := c.Advance(100 * loop.DefaultInterval); n != loop.DefaultMaxSteps {
		t.Errorf("%d steps, want the default cap", n)
	}
	// The longest of everything overflows nothing.
	for _, p := range loop.Policies() {
		c := loop.NewWorldClock(math.MaxInt64, p)
		c.SetScale(1e300)
		for range 5 {
			c.Advance(math.MaxInt64)
		}
		if c.LogicTime() < 0 || c.Dropped() < 0 || c.Remainder() < 0 || c.Ticks() == 0 {
			t.Errorf("%v: logic %v, dropped %v, rest %v", p, c.LogicTime(), c.Dropped(), c.Remainder())
		}
	}
}

// Time goes nowhere unsaid, and logic time never jumps.
func TestWorldClockAddsUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		step := time.Duration(rapid.Int64Range(1, int64(time.Second)).Draw(t, "step"))
		policy := rapid.SampledFrom(loop.Policies()).Draw(t, "policy")
		most := rapid.IntRange(1, 50).Draw(t, "cap")
		frames := rapid.SliceOfN(rapid.Int64Range(-1000, int64(3*time.Second)), 1, 60).Draw(t, "frames")
		c := loop.NewWorldClock(step, policy)
		c.SetMaxSteps(most)
		in := time.Duration(0)
		for _, f := range frames {
			in += max(time.Duration(f), 0)
			before, ticks := c.LogicTime(), c.Ticks()
			n := c.Advance(time.Duration(f))
			switch {
			case n < 0 || n > most || policy == loop.SlowDown && n > 1:
				t.Fatalf("%d steps", n)
			case c.Ticks() != ticks+loop.Tick(n):
				t.Fatalf("%d steps counted as %d", n, c.Ticks()-ticks)
			case c.LogicTime()-before != time.Duration(n)*c.Step():
				t.Fatalf("logic time jumped by %v with %d steps of %v", c.LogicTime()-before, n, c.Step())
			case c.Step() < step || c.Step() > 4*step || policy != loop.SlowDown && c.Step() != step:
				t.Fatalf("a step of %v, base %v", c.Step(), step)
			case c.Remainder() >= c.Step() || c.Remainder() < 0:
				t.Fatalf("%v left with a step of %v", c.Remainder(), c.Step())
			case c.LogicTime()+c.Dropped()+c.Remainder() != in:
				t.Fatalf("%v went in, %v came out", in, c.LogicTime()+c.Dropped()+c.Remainder())
			}
		}
	})
}

// At 12.5 frames a second a clock of 60 Hz steps still gives 60 a second.
func TestSlowFramesLoseNoTime(t *testing.T) {
	c := loop.NewWorldClock(time.Second/60, loop.CatchUp)
	for range 125 {
		c.Advance(80 * time.Millisecond)
	}
	if n := c.Ticks(); n < 599 || n > 601 || c.Dropped() != 0 {
		t.Errorf("%d steps in 10 s, %v dropped", n, c.Dropped())
	}
}

func ExampleWorldClock() {
	c := loop.NewWorldClock(20*time.Millisecond, loop.SlowDown)
	for _, frame := range []time.Duration{20, 50, 100, 20} {
		n := c.Advance(frame * time.Millisecond)
		fmt.Println(n, "step of", c.Step())
	}
	fmt.Println(c.LogicTime(), "of game time,", c.Dropped(), "dropped")
	// Output:
	// 1 step of 20ms
	// 1 step of 50ms
	// 1 step of 80ms
	// 1 step of 20ms
	// 170ms of game time, 20ms dropped
}

func BenchmarkWorldClock(b *testing.B) {
	c := loop.NewWorldClock(time.Second/60, loop.CatchUp)
	frames := slices.Repeat([]time.Duration{7 * time.Millisecond, 31 * time.Millisecond}, 2)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		c.Advance(frames[i%len(frames)])
	}
}
