package lab_test

import (
	"testing"
	"time"

	"chronoscope/loop/lab"

	"pgregory.net/rapid"
)

const ms = time.Millisecond

func TestLoopsDrift(t *testing.T) {
	tests := []struct {
		name                string
		o                   lab.LoopOptions
		fixed, after, rests uint64 // steps after 10 s
	}{
		{"20 ms looked at every 25", lab.LoopOptions{Step: 20 * ms, Work: 5 * ms, Frame: 25 * ms}, 500, 400, 400},
		{"no work", lab.LoopOptions{Step: 20 * ms, Frame: 20 * ms}, 500, 500, 500},
		{"looked at too often", lab.LoopOptions{Step: 20 * ms, Frame: 10 * ms}, 500, 500, 0},
		{"half the time", lab.LoopOptions{Step: 20 * ms, Work: 20 * ms, Frame: 40 * ms}, 500, 250, 500},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := lab.NewLoops(tt.o)
			for range 1000 {
				l.Advance(10 * ms)
			}
			for k, want := range map[lab.LoopKind]uint64{lab.FixedStep: tt.fixed, lab.SleepsAfterWork: tt.after, lab.ForgetsRest: tt.rests} {
				got := l.Lane(k).Steps
				if got != want {
					t.Errorf("%v: %d steps, want %d", k, got, want)
				}
				if b := l.Behind(k); b != l.Due()-got {
					t.Errorf("%v: %d behind of %d", k, b, l.Due())
				}
				if d := l.Drift(k); d != 10*time.Second-time.Duration(got)*20*ms {
					t.Errorf("%v: drift %v", k, d)
				}
				if r := l.Rate(k); r != float64(want)/10 {
					t.Errorf("%v: %v a second", k, r)
				}
			}
		})
	}
}

// Whatever the pieces in which time passes, the loops go the same way; the fixed
// step is never more than a frame and a step behind unless it had to drop.
func TestLoopsAreWorkedOut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := lab.LoopOptions{
			Step:  time.Duration(rapid.IntRange(1, 100).Draw(t, "step")) * ms,
			Work:  time.Duration(rapid.IntRange(0, 150).Draw(t, "work")) * ms,
			Frame: time.Duration(rapid.IntRange(1, 200).Draw(t, "frame")) * ms,
		}
		a, b := lab.NewLoops(o), lab.NewLoops(o)
		total := time.Duration(0)
		for range 50 {
			d := time.Duration(rapid.IntRange(0, 300).Draw(t, "piece")) * ms
			a.Advance(d)
			total += d
		}
		for total > 0 {
			d := min(total, 10*time.Second)
			b.Advance(d)
			total -= d
		}
		for k := range lab.LoopCount {
			if a.Lane(k).Steps != b.Lane(k).Steps || a.Lane(k).Dropped != b.Lane(k).Dropped {
				t.Fatalf("%v: %d and %d steps", k, a.Lane(k).Steps, b.Lane(k).Steps)
			}
			last := time.Duration(1 << 62)
			n := a.Lane(k).Steps
			for r := range a.Lane(k).Runs {
				if r.N != n || r.To-r.From != o.Work || r.To > last {
					t.Fatalf("%v: run %+v, before one at %v", k, r, last)
				}
				n, last = n-1, r.From
			}
		}
		fixed := a.Lane(lab.FixedStep)
		if fixed.Dropped == 0 && a.Drift(lab.FixedStep) > o.Frame+o.Step+8*o.Work {
			t.Fatalf("the fixed step is behind by %v", a.Drift(lab.FixedStep))
		}
	})
}

func TestLoopDefaults(t *testing.T) {
	o := lab.NewLoops(lab.LoopOptions{Work: -1, Step: time.Hour}).Options()
	if o.Work != 0 || o.Frame != 25*ms || o.Step < 16*ms || o.Step > 17*ms {
		t.Errorf("%+v", o)
	}
	for k, want := range map[lab.LoopKind]string{lab.FixedStep: "fixed step", lab.SleepsAfterWork: "sleeps after work", lab.ForgetsRest: "forgets the rest", lab.LoopCount: "no loop"} {
		if k.String() != want {
			t.Errorf("%d reads %q", k, k.String())
		}
	}
}

func BenchmarkLoops(b *testing.B) {
	l := lab.NewLoops(lab.LoopOptions{Step: 4 * ms, Work: ms, Frame: 8 * ms})
	b.ReportAllocs()
	for b.Loop() {
		l.Advance(16 * ms)
	}
}
