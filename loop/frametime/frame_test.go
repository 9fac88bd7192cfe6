package frametime_test

import (
	"slices"
	"sync"
	"testing"
	"time"

	"chronoscope/loop"
	"chronoscope/loop/frametime"
)

func TestFrame(t *testing.T) {
	f := frametime.Frame{Layout: 100, DrawEnd: 300, CapEnd: 450, Next: 1000, TickBefore: 7, TickAfter: 9, Alpha: 0.5}
	if f.Interval() != 900 || f.Busy() != 200 || f.CapWait() != 150 || f.Wait() != 550 || f.Ticks() != 2 {
		t.Errorf("interval %v, busy %v, cap %v, wait %v, %d ticks", f.Interval(), f.Busy(), f.CapWait(), f.Wait(), f.Ticks())
	}
	if got := f.Drawn(loop.Hz(50)); got != 190*ms {
		t.Errorf("drawn at %v, want 190ms", got)
	}
	f.TickBefore = 12
	if f.Ticks() != -3 {
		t.Errorf("%d ticks after a seek back", f.Ticks())
	}
}

// Wall clock against monotonic clock.
func TestGaps(t *testing.T) {
	const day = int64(24 * time.Hour)
	for _, tt := range []struct {
		name       string
		mono, wall time.Duration
		unknown    bool
		want       bool
	}{
		{"a frame", 16 * ms, 16 * ms, false, false},
		{"a slow frame", 10 * time.Second, 10 * time.Second, false, false},
		{"suspended, monotonic clock stopped", 16 * ms, time.Hour, false, true},
		{"suspended, monotonic clock running", time.Hour, time.Hour, false, true},
		{"the same without a wall clock", time.Hour, 0, true, true},
		{"clock set back", 16 * ms, -time.Hour, false, true},
		{"clock 5 ms back", 16 * ms, 11 * ms, false, false},
		{"just not", 16 * ms, 516 * ms, false, false},
		{"just", 16 * ms, 517 * ms, false, true},
		{"no wall clock", 16 * ms, 0, true, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := frametime.Frame{Next: int64(tt.mono), Wall: day, NextWall: day + int64(tt.wall), Flags: frametime.Focused}
			if tt.unknown {
				f.Wall, f.NextWall = 0, 0
			}
			f.MarkGap()
			if got := f.Flags.Has(frametime.Gap); got != tt.want || !f.Flags.Has(frametime.Focused) {
				t.Errorf("gap %v, want %v; flags %b", got, tt.want, f.Flags)
			}
			f.NextWall, f.Next = f.Wall+int64(ms), int64(ms)
			if f.MarkGap(); f.Flags.Has(frametime.Gap) {
				t.Error("not cleared")
			}
		})
	}
}

// The presets with clock trouble: what is a gap is left out, and nothing else.
func TestGapsOfPresets(t *testing.T) {
	for name, want := range map[string]int{"60 Hz": 0, "block of 10 s": 0, "hitch of 200 ms": 0, "clock 5 ms back": 0, "suspend of 1 h": 1, "suspend, clock on": 1} {
		p, ok := frametime.FindPreset(name)
		if !ok {
			t.Fatalf("no preset %q", name)
		}
		rules := frametime.Rules{Warmup: -1}
		sel := rules.Select(frametime.Schedule{Display: p.Display, VSync: true}.Frames(200))
		if sel.LeftOut[frametime.OfGap] != want || sel.Out() != want {
			t.Errorf("%s: %s", name, sel.String())
		}
	}
	if _, ok := frametime.FindPreset("120"); !ok {
		t.Error("no preset 120")
	}
	if _, ok := frametime.FindPreset("121"); ok {
		t.Error("a preset 121")
	}
}

func TestRules(t *testing.T) {
	frames := []frametime.Frame{
		{Layout: 0, Flags: frametime.Focused},
		{Layout: int64(time.Second) - 1, Flags: frametime.Focused},
		{Layout: int64(time.Second), Flags: frametime.Focused},
		{Layout: int64(2 * time.Second)},
		{Layout: int64(2 * time.Second), Flags: frametime.Focused | frametime.Resized | frametime.ReadBack},
		{Layout: int64(2 * time.Second), Flags: frametime.Focused | frametime.ReadBack},
		{Layout: int64(2 * time.Second), Flags: frametime.Gap | frametime.Paused},
		{Layout: int64(2 * time.Second), Flags: frametime.Focused | frametime.Warmup},
		{Layout: int64(2 * time.Second), Flags: frametime.Focused | frametime.Paused},
	}
	var rules frametime.Rules
	sel := rules.Select(frames)
	if want := "1 used, 8 left out (1 gap, 1 paused, 3 first second, 1 unfocused, 1 resized, 1 read back)"; sel.String() != want {
		t.Errorf("%s, want %s", sel.String(), want)
	}
	if len(sel.Used)+sel.Out() != len(frames) || !sel.Blank {
		t.Errorf("%d used, %d out, blank %v", len(sel.Used), sel.Out(), sel.Blank)
	}
	rules.Warmup = -1
	for i := range rules.Keep {
		rules.Keep[i] = true
	}
	if sel = rules.Select(frames[:8]); sel.String() != "7 used, 1 left out (1 gap)" || sel.Blank {
		t.Errorf("everything kept: %s, blank %v", sel.String(), sel.Blank)
	}
	rules = frametime.Rules{Begin: int64(1500 * ms)}
	if sel = rules.Select(frames[2:5]); sel.LeftOut[frametime.OfWarmup] != 3 {
		t.Errorf("the first second of a later beginning: %s", sel.String())
	}
	rules = frametime.Rules{Begin: int64(3 * time.Second), Warmup: -1}
	if sel = rules.Select(frames[:3]); sel.Out() != 0 {
		t.Errorf("without a first second: %s", sel.String())
	}
}

func TestFrameRing(t *testing.T) {
	r := frametime.NewFrameRing(4)
	for i := range 11 {
		if i == 3 {
			if got := r.AppendTo(nil); len(got) != 3 || got[0].Seq != 0 || got[2].Seq != 2 || r.At(2).Seq != 2 {
				t.Errorf("not yet full: %v", got)
			}
		}
		r.Push(&frametime.Frame{Seq: uint64(i)})
	}
	var seqs []uint64
	for _, f := range r.AppendTo(nil) {
		seqs = append(seqs, f.Seq)
	}
	if !slices.Equal(seqs, []uint64{7, 8, 9, 10}) || r.Len() != 4 || r.Pushed() != 11 || r.At(0).Seq != 7 || r.At(3).Seq != 10 {
		t.Errorf("%v, %d kept of %d, %d to %d", seqs, r.Len(), r.Pushed(), r.At(0).Seq, r.At(3).Seq)
	}
}

func TestReleaseRing(t *testing.T) {
	r := frametime.NewReleaseRing(4)
	list, next := r.Since(0, nil)
	if len(list) != 0 || next != 0 {
		t.Errorf("empty: %v, %d", list, next)
	}
	for i := range 3 {
		r.Push(frametime.Release{Tick: loop.Tick(i), Scheduled: int64(i), Released: -1, Brake: 5})
	}
	if list, next = r.Since(0, list); len(list) != 3 || next != 3 || list[2] != (frametime.Release{Tick: 2, Scheduled: 2, Released: -1, Brake: 5}) {
		t.Errorf("%v, %d", list, next)
	}
	for i := range 8 {
		r.Push(frametime.Release{Tick: loop.Tick(3 + i)})
	}
	// The oldest of the four may be under the writer's hand.
	if list, next = r.Since(next, list[:0]); len(list) != 3 || list[0].Tick != 8 || next != 11 {
		t.Errorf("%v, %d", list, next)
	}
	if list, next = r.Since(next, nil); len(list) != 0 || next != 11 {
		t.Errorf("nothing new: %v, %d", list, next)
	}
}

// Readers beside the writer see whole records in order, without a lock.
func TestReleaseRingReaders(t *testing.T) {
	const pushes = 50_000
	r := frametime.NewReleaseRing(64)
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			var next uint64
			var list []frametime.Release
			last := int64(-1)
			for next < pushes {
				list, next = r.Since(next, list[:0])
				for _, x := range list {
					if int64(x.Tick) <= last || x.Scheduled != 3*int64(x.Tick) || x.Released != -x.Scheduled || x.Brake != int64(x.Tick) {
						t.Errorf("torn or out of order: %+v after %d", x, last)
						return
					}
					last = int64(x.Tick)
				}
			}
		})
	}
	for i := range int64(pushes) {
		r.Push(frametime.Release{Tick: loop.Tick(i), Scheduled: 3 * i, Released: -3 * i, Brake: i})
	}
	wg.Wait()
}

func TestPushAllocatesNothing(t *testing.T) {
	frames, releases := frametime.NewFrameRing(0), frametime.NewReleaseRing(0)
	f := frametime.Frame{}
	if n := testing.AllocsPerRun(1000, func() {
		frames.Push(&f)
		releases.Push(frametime.Release{})
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkPushFrame(b *testing.B) {
	r, f := frametime.NewFrameRing(0), frametime.Frame{}
	b.ReportAllocs()
	for b.Loop() {
		f.Seq++
		r.Push(&f)
	}
}

func BenchmarkPushRelease(b *testing.B) {
	r := frametime.NewReleaseRing(0)
	b.ReportAllocs()
	for b.Loop() {
		r.Push(frametime.Release{Tick: 1})
	}
}
