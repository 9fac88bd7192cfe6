package game

import (
	"fmt"
	"image"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"chronoscope/coordinator"
	"chronoscope/loop"
	"chronoscope/loop/frametime"
	"chronoscope/overlay"
	"chronoscope/world"

	"github.com/hajimehoshi/ebiten/v2"
)

// The VSync switch is tested on a display that is emulated: testdata/emulated.c is
// loaded before a second run of this test program, which then has swap control
// and waits for refreshes, through Ebitengine's own code.

// TestEmulatedDisplay runs TestOnEmulatedDisplay at 60 and at 120 Hz.
func TestEmulatedDisplay(t *testing.T) {
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("gcc is not installed: no display is emulated")
	}
	library := filepath.Join(t.TempDir(), "emulated.so")
	if out, err := exec.CommandContext(t.Context(), "gcc", "-Wall", "-Wextra", "-Werror", "-O2", "-shared", "-fPIC", "-o", library, "testdata/emulated.c").CombinedOutput(); err != nil {
		t.Fatalf("gcc: %v\n%s", err, out)
	}
	for _, hz := range []string{"60", "120"} {
		t.Run(hz+" Hz", func(t *testing.T) {
			c := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestOnEmulatedDisplay$", "-test.v")
			c.Env = append(os.Environ(), "LD_PRELOAD="+library, emulationVariable+"="+hz)
			out, err := c.CombinedOutput()
			if err != nil || !strings.Contains(string(out), "--- PASS: TestOnEmulatedDisplay") {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// TestOnEmulatedDisplay switches VSync off and on again with a key, and sees what
// becomes of frame intervals, ticks per frame and the badge.
func TestOnEmulatedDisplay(t *testing.T) {
	rate := emulatedRate()
	if !rate.Valid() {
		t.Skip("no display is emulated")
	}
	hands := newHand(t)
	w, track := trackedWorld(t)
	g := show(t, Options{
		World: World{Source: Watch(w, overlay.Setup{}, 0, track), Track: track}, Origin: track.origin,
	}, MinWidth, MinHeight)
	inLoop(t, func() {
		g.showSidebar, g.showDock, g.showLegend, g.showMinimap = false, false, false, false
		g.layers = overlay.Layers{}
		ebiten.SetWindowSizeLimits(-1, -1, -1, -1)
		ebiten.SetWindowSize(320, 240)
	})
	// segment waits for a segment of statistics with VSync on or off, that change
	// has begun.
	segment := func(what string, vsync bool, change func()) {
		t.Helper()
		before := int64(-1)
		inLoop(t, func() {
			if g.vsync.is != vsync {
				before = g.rec.Rules.Begin
			}
		})
		change()
		until(t, what, func() bool {
			return g.vsync.is == vsync && g.rec.Rules.Begin > before && g.at.screen == image.Rect(0, 0, 320, 240)
		})
	}
	// frames are those of the next two seconds that count.
	frames := func(what string) (list []frametime.Frame) {
		t.Helper()
		var from int64
		inLoop(t, func() { from = max(g.rec.Now, g.rec.Rules.Begin+int64(frametime.DefaultWarmup)) })
		until(t, what+": its frames", func() bool { return g.rec.Now-from > int64(2*time.Second) })
		inLoop(t, func() {
			for _, f := range g.rec.Frames.AppendTo(nil) {
				if _, out := g.rec.Rules.LeaveOut(&f); !out && f.Layout >= from {
					list = append(list, f)
				}
			}
			if !ebiten.IsFocused() {
				t.Error("the window has no focus")
			}
		})
		return list
	}
	period := rate.Period()
	// paced says what is wrong with the pace of frames. A busy machine misses
	// refreshes for a while, and that only: so rates are quartiles over tenths of a
	// second, the better ones.
	paced := func(list []frametime.Frame) string {
		f := frametime.Intervals(list)
		median, _ := frametime.Percentile(f, 0.5)
		if (median - period).Abs() > 200*time.Microsecond {
			return fmt.Sprintf("the median interval is %v, want %v", median, period)
		}
		n := int(rate.Float() / 10)
		var rates, ticks []float64
		for part := range slices.Chunk(list, n) {
			sum := 0
			for i := range part {
				sum += part[i].Ticks()
			}
			rates = append(rates, frametime.AverageFPS(frametime.Intervals(part)))
			ticks = append(ticks, float64(sum)/float64(len(part)))
		}
		slices.Sort(rates)
		slices.Sort(ticks)
		if got := rates[len(rates)*3/4]; math.Abs(got/rate.Float()-1) > 0.05 {
			return fmt.Sprintf("%.1f frames a second, want %v", got, rate)
		}
		if got, want := ticks[len(ticks)/4], 60/rate.Float(); math.Abs(got/want-1) > 0.05 {
			return fmt.Sprintf("%.3f ticks a frame, want %.3f (%s)", got, want, frametime.Cadence(frametime.TicksPerFrame(list)))
		}
		return ""
	}
	synced := func(what string) {
		t.Helper()
		fault := ""
		for range 10 {
			if fault = paced(frames(what)); fault == "" {
				return
			}
		}
		t.Errorf("%s: %s", what, fault)
	}
	badge := func() (found bool) {
		inLoop(t, func() {
			found = slices.ContainsFunc(g.rec.Badges, func(b overlay.Badge) bool { return b.Text == "VSync not effective" })
		})
		return found
	}
	segment("the small window", true, func() {})
	synced("with VSync")
	if badge() {
		t.Error("VSync is said not to be effective")
	}
	segment("VSync off", false, func() { hands.do("key", "v") })
	free, _ := frametime.Percentile(frametime.Intervals(frames("without VSync")), 0.5)
	if free > period*3/4 {
		t.Errorf("without VSync: the median interval is %v, on a display of %v", free, period)
	}
	segment("VSync on", true, func() { hands.do("key", "v") })
	synced("with VSync again")
	inLoop(t, func() {
		if g.kind() != frametime.Emulated {
			t.Errorf("the display counts as %v", g.kind())
		}
	})
}

// trackedWorld is a small running world that tells of itself.
func trackedWorld(t testing.TB) (*world.World, *Track) {
	t.Helper()
	track := NewTrack(time.Now())
	pace := coordinator.DefaultPacing()
	pace.TickRate = loop.Hz(60)
	w, err := world.New(world.Options{
		Map: smallTown(t), Params: world.Params{Seed: 7, NPCs: 50, WanderingVisitors: 1},
		Coordinator: coordinator.Options{Pacing: pace, OnRelease: track.Release},
		OnDigest:    track.Digest,
	})
	if err != nil {
		t.Fatal(err)
	}
	w.Start()
	t.Cleanup(w.Stop)
	return w, track
}
