package lab_test

import (
	"strings"
	"testing"
	"time"

	"chronoscope/loop"
	"chronoscope/loop/lab"

	"pgregory.net/rapid"
)

// The reference case of the death spiral, in figures.
func TestDeathSpiral(t *testing.T) {
	runs, err := lab.Overload(lab.DefaultOverload())
	if err != nil {
		t.Fatal(err)
	}
	up, drop, slow := runs[0], runs[1], runs[2]
	if up.Policy != loop.CatchUp || up.Steps != 71_237 || up.Longest != 25*time.Second || up.Recovered < 1 {
		t.Errorf("catching up: %d steps, longest %v, recovered %d", up.Steps, up.Longest, up.Recovered)
	}
	if drop.Steps != 100 || drop.Dropped <= 0 || drop.Longest != 25*ms || drop.Recovered != 2 {
		t.Errorf("dropping: %d steps, %v lost, longest %v, recovered %d", drop.Steps, drop.Dropped, drop.Longest, drop.Recovered)
	}
	if slow.Steps != 100 || slow.Step != 25*ms || slow.Logic != slow.Wall || slow.Dropped != 0 || slow.Recovered != 2 {
		t.Errorf("slowing: %d steps of %v, logic %v of %v, recovered %d", slow.Steps, slow.Step, slow.Logic, slow.Wall, slow.Recovered)
	}
}

// No time goes missing, and memory and work are bounded by the options.
func TestOverloadIsBounded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := lab.OverloadOptions{
			Step:   time.Duration(rapid.IntRange(1, 1000).Draw(t, "step")) * ms,
			Work:   time.Duration(rapid.IntRange(0, 1000).Draw(t, "work")) * ms,
			Loaded: rapid.IntRange(1, lab.MaxOverloadFrames).Draw(t, "loaded"),
			Light:  rapid.IntRange(0, lab.MaxOverloadFrames).Draw(t, "light"),
			Cap:    rapid.IntRange(1, lab.MaxOverloadCap).Draw(t, "cap"),
		}
		runs, err := lab.Overload(o)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range runs {
			if r.Wall != r.Logic+r.Dropped+r.Backlog {
				t.Fatalf("%v: %v in, %v + %v + %v out", r.Policy, r.Wall, r.Logic, r.Dropped, r.Backlog)
			}
			if len(r.Frames) != o.Loaded+o.Light {
				t.Fatalf("%v: %d frames", r.Policy, len(r.Frames))
			}
			for _, f := range r.Frames {
				if f.Steps > o.Cap && r.Policy == loop.CatchUp || f.Steps > 1 && r.Policy != loop.CatchUp || f.Step < o.Step || f.Step > 4*o.Step {
					t.Fatalf("%v: %+v", r.Policy, f)
				}
			}
		}
	})
}

func TestOverloadOptions(t *testing.T) {
	for says, change := range map[string]func(*lab.OverloadOptions){
		"step 0s: want 1ms to 1s":          func(o *lab.OverloadOptions) { o.Step = 0 },
		"work 2s: want 0 to 1s":            func(o *lab.OverloadOptions) { o.Work = 2 * time.Second },
		"loaded frames 0: want 1 to 200":   func(o *lab.OverloadOptions) { o.Loaded = 0 },
		"light frames -1: want 0 to 200":   func(o *lab.OverloadOptions) { o.Light = -1 },
		"cap 1001: want 1 to 1000 steps":   func(o *lab.OverloadOptions) { o.Cap = 1001 },
		"loaded frames 201: want 1 to 200": func(o *lab.OverloadOptions) { o.Loaded = 201 },
		"step 1m0s: want 1ms to 1s":        func(o *lab.OverloadOptions) { o.Step = time.Minute },
		"work -1ns: want 0 to 1s":          func(o *lab.OverloadOptions) { o.Work = -1 },
		"cap 0: want 1 to 1000 steps":      func(o *lab.OverloadOptions) { o.Cap = 0 },
		"light frames 1000: want 0 to 200": func(o *lab.OverloadOptions) { o.Light = 1000 },
	} {
		o := lab.DefaultOverload()
		change(&o)
		if _, err := lab.Overload(o); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %q", err, says)
		}
	}
}

func BenchmarkOverload(b *testing.B) {
	o := lab.DefaultOverload()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := lab.Overload(o); err != nil {
			b.Fatal(err)
		}
	}
}
