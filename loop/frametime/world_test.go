package frametime_test

import (
	"math"
	"testing"
	"time"

	"chronoscope/loop"
	"chronoscope/loop/frametime"
)

func TestAnimationErrors(t *testing.T) {
	// At 100 ticks a second a tick is 10 ms of world.
	frames := []frametime.Frame{
		{Seq: 5, Next: int64(10 * ms), TickAfter: 1},
		{Seq: 6, Next: int64(20 * ms), TickAfter: 2},                                               // even
		{Seq: 7, Next: int64(40 * ms), TickAfter: 3},                                               // shown 10 ms late
		{Seq: 8, Next: int64(45 * ms), TickAfter: 4, Alpha: 0.25},                                  // 12.5 in 5
		{Seq: 10, Next: int64(50 * ms), TickAfter: 99},                                             // after a hole
		{Seq: 11, Next: int64(60 * ms), TickAfter: 100, Flags: frametime.SettingsChanged},          // in another segment
		{Seq: 12, Next: int64(70 * ms), Flags: frametime.NoWorld}, {Seq: 13, Next: int64(80 * ms)}, // unknown
		{Seq: 14, Next: int64(90 * ms), TickAfter: 1}, // even again
	}
	e := frametime.AnimationErrors(frames, loop.Hz(100))
	want := []time.Duration{0, -10 * ms, 7500 * time.Microsecond, 0}
	if len(e) != len(want) {
		t.Fatalf("%v, want %v", e, want)
	}
	for i := range e {
		if e[i] != want[i] {
			t.Errorf("%d: %v, want %v", i, e[i], want[i])
		}
	}
	if m := frametime.MeanAbs(e); m != 4375*time.Microsecond {
		t.Errorf("mean %v", m)
	}
	if p, ok := frametime.PercentileAbs(e, 1); !ok || p != 10*ms {
		t.Errorf("longest %v, %v", p, ok)
	}
	if _, ok := frametime.PercentileAbs(e, 0.99); ok {
		t.Error("P99 of four")
	}
	if s := frametime.ShareAbs(e, 100*ms); !near(s, 0.175, 1e-12) || frametime.ShareAbs(e, 0) != 0 || frametime.MeanAbs(nil) != 0 {
		t.Errorf("share %v", s)
	}
}

// Differences between releases hide a drift that the grid shows.
func TestTickErrorsShowDrift(t *testing.T) {
	rate := loop.Hz(60)
	var r []frametime.Release
	const slow = 16_666_666 + 1000 // a microsecond a tick
	for i := range int64(10_001) {
		r = append(r, frametime.Release{Tick: loop.Tick(i), Scheduled: 77, Released: 77 + i*slow})
	}
	for i := 1; i < len(r); i++ {
		if off := r[i].Released - r[i-1].Released - 16_666_667; off > 1000 {
			t.Fatalf("difference %d is off by %d ns", i, off)
		}
	}
	e := frametime.TickErrors(frametime.OnGrid(r, rate))
	if last, want := e[10_000], 10_000*time.Duration(slow)-rate.Boundary(10_000); last != want || last < 9*ms {
		t.Errorf("error of tick 10,000: %v, want %v", last, want)
	}
	if p, ok := frametime.Percentile(e, 0.9999); !ok || p > e[10_000] || p < e[9_990] {
		t.Errorf("P99.99: %v, %v", p, ok)
	}
	if _, ok := frametime.Percentile(e[:9_999], 0.9999); ok {
		t.Error("P99.99 of 9,999 is told")
	}
	if len(frametime.OnGrid(nil, rate)) != 0 {
		t.Error("a grid of nothing")
	}
}

func TestSpeedAndDrift(t *testing.T) {
	for _, tt := range []struct {
		world, wall time.Duration
		speed, ppm  float64
		ok          bool
	}{
		{time.Second, time.Second, 1, 0, true},
		{2 * time.Second, time.Second, 2, 1e6, true},
		{time.Second - 25*time.Microsecond, time.Second, 0.999975, -25, true},
		{time.Second, 0, 0, 0, false},
		{time.Second, -time.Second, 0, 0, false},
	} {
		speed, ok1 := frametime.EffectiveSpeed(tt.world, tt.wall)
		ppm, ok2 := frametime.DriftPPM(tt.world, tt.wall)
		if !near(speed, tt.speed, 1e-12) || !near(ppm, tt.ppm, 1e-6) || ok1 != tt.ok || ok2 != tt.ok {
			t.Errorf("%v of %v: %v, %v; %v ppm, %v", tt.world, tt.wall, speed, ok1, ppm, ok2)
		}
	}
	// A model that loses time shows it in both.
	frames := frametime.Schedule{Display: frametime.VirtualDisplay{Rate: loop.Rate{Num: 25, Den: 2}}, VSync: true}.Frames(501)
	frametime.Drive(frames, frametime.NewHalfTick(loop.Hz(60)))
	world, wall := frametime.Progress(frames, loop.Hz(60))
	if speed, _ := frametime.EffectiveSpeed(world, wall); !near(speed, 31.25/60, 0.01) {
		t.Errorf("Ebitengine's clock at 12.5 frames a second: %v of its speed, want %v", speed, 31.25/60)
	}
	if world, wall = frametime.Progress(frames[:1], loop.Hz(60)); world != 0 || wall != 0 {
		t.Error("progress of one frame")
	}
	frames[0].Flags |= frametime.NoWorld
	if _, wall = frametime.Progress(frames, loop.Hz(60)); wall != 0 {
		t.Error("progress of an unknown world")
	}
}

// Drawing from when a tick ran instead of when it was due makes its lateness
// visible.
func TestInterpolationFromDue(t *testing.T) {
	rate := loop.Hz(60)
	fromDue := frametime.Schedule{Display: frametime.VirtualDisplay{Rate: loop.Hz(144)}, VSync: true}.Frames(600)
	fromRun := frametime.Schedule{Display: frametime.VirtualDisplay{Rate: loop.Hz(144)}, VSync: true}.Frames(600)
	for i := range fromDue {
		at := time.Duration(fromDue[i].Next) + 5*ms
		for _, f := range []*frametime.Frame{&fromDue[i], &fromRun[i]} {
			f.Flags &^= frametime.NoWorld
			f.TickAfter = rate.TickAt(at)
		}
		since, tick := at-rate.Boundary(fromDue[i].TickAfter), rate.Boundary(fromDue[i].TickAfter+1)-rate.Boundary(fromDue[i].TickAfter)
		fromDue[i].Alpha = float64(since) / float64(tick)
		late := time.Duration(fromDue[i].TickAfter%3) * ms // of the tick's run
		fromRun[i].Alpha = float64(max(since-late, 0)) / float64(tick)
	}
	if e := frametime.MeanAbs(frametime.AnimationErrors(fromDue, rate)); e > 2 {
		t.Errorf("from when it was due: %v", e)
	}
	if e := frametime.MeanAbs(frametime.AnimationErrors(fromRun, rate)); e < ms/5 {
		t.Errorf("from when it ran: only %v", e)
	}
}

// Ticks released on a grid of their own drift through the display's phase, with a
// double tick now and then; the time that is drawn is even all the same.
func TestOwnGridDriftsThroughPhase(t *testing.T) {
	rate := loop.Hz(60)
	frames := frametime.Schedule{Display: frametime.VirtualDisplay{Rate: loop.Rate{Num: 60000, Den: 1001}}, VSync: true}.Frames(2001)
	var phases [10]int
	last := loop.Tick(0)
	for i := range frames {
		f := &frames[i]
		f.Flags &^= frametime.NoWorld
		at := time.Duration(f.Next)
		f.TickBefore, f.TickAfter = last, rate.TickAt(at)
		last = f.TickAfter
		begin := rate.Boundary(f.TickAfter)
		f.Alpha = float64(at-begin) / float64(rate.Boundary(f.TickAfter+1)-begin)
		phases[int(f.Alpha*10)]++
	}
	ticks := frametime.TicksPerFrame(frames)
	if count(ticks, 2) != 2 || count(ticks, 1) != 1999 {
		t.Errorf("%d doubles and %d singles in 2,001 frames", count(ticks, 2), count(ticks, 1))
	}
	for i, n := range phases {
		if n < 150 {
			t.Errorf("only %d frames of 2,001 in tenth %d of the tick", n, i)
		}
	}
	if p, _ := frametime.PercentileAbs(frametime.AnimationErrors(frames, rate), 1); p > 5 {
		t.Errorf("drawn unevenly by %v", p)
	}
}

func TestSigma(t *testing.T) {
	for _, tt := range []struct {
		f    []time.Duration
		want time.Duration
	}{{nil, 0}, {frames(5, ms), 0}, {[]time.Duration{2 * ms, 4 * ms}, ms}, {[]time.Duration{2 * ms, 4 * ms, 4 * ms, 4 * ms, 5 * ms, 5 * ms, 7 * ms, 9 * ms}, 2 * ms}} {
		if got := frametime.Sigma(tt.f); got != tt.want {
			t.Errorf("%v: %v, want %v", tt.f, got, tt.want)
		}
	}
}

func TestRefreshRate(t *testing.T) {
	for period, want := range map[time.Duration]loop.Rate{
		16_683_000: {Num: 60000, Den: 1001}, time.Second / 120: loop.Hz(120), 16_300_000: {Num: 1e9, Den: 16_300_000}, 0: {}, -1: {}, math.MaxInt64: {},
	} {
		if got, _ := frametime.RefreshRate(period); got != want {
			t.Errorf("%v: %v, want %v", period, got, want)
		}
	}
}
