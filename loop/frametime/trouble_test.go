package frametime_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"chronoscope/loop"
	"chronoscope/loop/frametime"
)

// 240 ticks on 240 Hz: around a frame there is one tick, not 0 or 2.
func TestOneTickAFrameAt240(t *testing.T) {
	d := frametime.VirtualDisplay{Rate: loop.Hz(240), Jitter: 90 * time.Microsecond, Seed: 11}
	stamps := d.Stamps(24_001)
	if plain := frametime.Run(frametime.NewAccumulator(loop.Hz(240)), stamps)[1:]; count(plain, 0) < 1000 || count(plain, 2) < 1000 {
		t.Errorf("the plain accumulator has only %d frames of 0 and %d of 2", count(plain, 0), count(plain, 2))
	}
	if ours := frametime.Run(frametime.NewSnapped(loop.Hz(240), loop.Hz(240).Period()), stamps)[1:]; count(ours, 1) != 24_000 {
		t.Errorf("ours has %d frames of 0 and %d of 2", count(ours, 0), count(ours, 2))
	}
}

// Whatever the stamps do, time is never negative: no model takes ticks back, and
// what is drawn by ours never goes back, be it snapped or not.
func TestTimeIsNeverNegative(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rate := loop.Hz(rapid.SampledFrom([]uint64{1, 30, 60, 144, 240}).Draw(t, "rate"))
		refresh := time.Duration(rapid.IntRange(0, 40_000_000).Draw(t, "refresh"))
		models := frametime.Models(rate, refresh)
		at, drawn := time.Duration(0), make([]float64, len(models))
		for range rapid.IntRange(1, 60).Draw(t, "frames") {
			at += time.Duration(rapid.IntRange(-20_000_000, 60_000_000).Draw(t, "interval"))
			for i, m := range models {
				n := m.Frame(at)
				if alpha := m.Alpha(); n < 0 || alpha < 0 || alpha >= 1 {
					t.Fatalf("%s: %d ticks, alpha %v", m.Name(), n, alpha)
				} else if m.Name() == "snapped, off the boundary" {
					// drawn holds ticks + alpha; a tick run is never undone.
					if now := float64(int(drawn[i])+n) + alpha; now < drawn[i]-1e-9 {
						t.Fatalf("drawn %v after %v", now, drawn[i])
					} else {
						drawn[i] = now
					}
				}
			}
		}
	})
}

// A slow frame costs no time with ours, down to the cap of eight ticks a frame.
func TestSlowFramesLoseNothing(t *testing.T) {
	for _, name := range []string{"starved 12.5 fps", "starved 11 fps", "covered 10 fps", "hitch of 200 ms", "unfocused 56 fps", "50 Hz"} {
		p, ok := frametime.FindPreset(name)
		if !ok {
			t.Fatalf("no preset %q", name)
		}
		frames := frametime.Schedule{Display: p.Display, VSync: true}.Frames(600)
		refresh := p.Display.Rate.Period()
		frametime.Drive(frames, frametime.NewSnapped(loop.Hz(60), refresh))
		world, _ := frametime.Progress(frames, loop.Hz(60))
		layouts := time.Duration(frames[599].Layout - frames[0].Layout)
		lost := layouts - world
		if limit := 6 * time.Second / 60; name == "hitch of 200 ms" && (lost < 3*time.Second/60 || lost > limit) {
			t.Errorf("%s: %v lost beyond the cap, want about five ticks", name, lost)
		} else if name != "hitch of 200 ms" && (lost > ms || lost < -ms) {
			t.Errorf("%s: %v lost of %v", name, lost, layouts)
		}
	}
}
