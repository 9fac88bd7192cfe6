package lab_test

import (
	"strings"
	"testing"

	"chronoscope/loop"
	"chronoscope/loop/frametime"
	"chronoscope/loop/lab"
)

// The golden cadences of 60 ticks a second under our own model, from any phase.
func TestCadences(t *testing.T) {
	for preset, want := range map[string]string{
		"60 Hz": strings.Repeat("1", 20), "120 Hz": "0101010101", "144": "001010010101", "75 Hz": "0111101111", "50 Hz": "2111121111",
	} {
		t.Run(preset, func(t *testing.T) {
			runs, err := lab.OnDisplay(preset, loop.Hz(60))
			if err != nil {
				t.Fatal(err)
			}
			ours := runs[len(runs)-1]
			if len(runs) != 4 || !strings.Contains(ours.Cadence, want) || ours.Defects != (frametime.Defects{}) || !ours.Judged {
				t.Errorf("%s makes %s, %+v; want %s in it", ours.Model, ours.Cadence, ours.Defects, want)
			}
			if len(ours.Ticks) != lab.CadenceFrames || ours.PerSec < 59.8 || ours.PerSec > 60.2 {
				t.Errorf("%d frames, %v ticks a second", len(ours.Ticks), ours.PerSec)
			}
			for _, n := range ours.Ticks {
				if n < ours.Least || n > ours.Most {
					t.Errorf("%d ticks in a frame, %d to %d are right", n, ours.Least, ours.Most)
				}
			}
		})
	}
}

// Every preset can be looked at, at any rate; the plain accumulator trips over
// jitter, and the one with a clock of its own says so.
func TestEveryDisplay(t *testing.T) {
	for _, p := range frametime.Presets() {
		for _, rate := range []loop.Rate{loop.Hz(1), loop.Hz(60), {Num: 60000, Den: 1001}, loop.Hz(240)} {
			runs, err := lab.OnDisplay(p.Name, rate)
			if err != nil || len(runs) != 4 || runs[2].Rate != loop.Hz(64) || runs[0].Rate != rate {
				t.Fatalf("%s at %v: %v, %+v", p.Name, rate, err, runs)
			}
		}
	}
	runs, _ := lab.OnDisplay("jitter 0.3 ms", loop.Hz(60))
	if runs[0].Defects.Swaps < 10 || runs[3].Defects.Swaps != 0 {
		t.Errorf("with jitter %+v and %+v", runs[0].Defects, runs[3].Defects)
	}
	for says, try := range map[string]func() error{
		`display "61 Hz": no such preset`: func() error { _, err := lab.OnDisplay("61 Hz", loop.Hz(60)); return err },
		"tick rate 0/0":                   func() error { _, err := lab.OnDisplay("60 Hz", loop.Rate{}); return err },
	} {
		if err := try(); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %q", err, says)
		}
	}
}

func BenchmarkDisplays(b *testing.B) {
	b.Run("models", func(b *testing.B) {
		for b.Loop() {
			if _, err := lab.OnDisplay("240 Hz", loop.Hz(60)); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("matrix", func(b *testing.B) {
		for b.Loop() {
			frametime.Matrix(loop.Hz(60))
		}
	})
}
