package frametime_test

import (
	"slices"
	"testing"
	"time"

	"chronoscope/loop/frametime"
)

// Swings of 7 to 12 ms must be seen, whatever else there was.
func TestSwingsAreSeen(t *testing.T) {
	refresh := time.Second / 120
	var f []time.Duration
	var series []frametime.Frame
	at := int64(0)
	for i := range 4000 {
		d := 7 * ms
		if i%2 == 1 {
			d = 12 * ms
		}
		if i == 2000 {
			d = 400 * ms
		}
		f = append(f, d)
		series = append(series, frametime.Frame{Layout: at, Next: at + int64(d), Flags: frametime.Focused})
		at += int64(d)
	}
	top := frametime.AutoTop(f, refresh)
	if share := float64(12*ms-7*ms) / float64(top); share < 0.25 {
		t.Errorf("with an axis to %v the swing has %.0f %% of the lane", top, 100*share)
	}
	if 2*refresh >= top {
		t.Errorf("the line at two refreshes, %v, is above the axis to %v", 2*refresh, top)
	}
	// Zoomed out, 10 frames in a column: both ends are there.
	bands := make([]frametime.Band, 400)
	rules := frametime.Rules{Warmup: -1}
	frametime.Bands(bands, frametime.FrameSlice(series), 0, at, &rules, refresh)
	for i, b := range bands {
		if (b.Lo != 7*ms || b.Hi < 12*ms) && b.Hi != 400*ms {
			t.Fatalf("column %d: %+v", i, b)
		}
	}
}

func TestAutoTop(t *testing.T) {
	for _, tt := range []struct {
		f       []time.Duration
		refresh time.Duration
		want    time.Duration
	}{
		{nil, 0, 0},
		{nil, 10 * ms, 22 * ms},
		{frames(1000, 5*ms), 10 * ms, 22 * ms},
		{frames(1000, 50*ms), 10 * ms, 50 * ms},
		{frames(1000, 5*ms, 900*ms), 10 * ms, 22 * ms}, // one hitch is not the axis
		{frames(1000, 5*ms), 0, 5 * ms},
		{frames(997, 5*ms, 90*ms, 90*ms, 90*ms), 0, 5 * ms}, // nor are three in a thousand
		{frames(992, 5*ms, frames(8, 90*ms)...), 0, 90 * ms},
	} {
		if got := frametime.AutoTop(tt.f, tt.refresh); got != tt.want {
			t.Errorf("%d frames on %v: %v, want %v", len(tt.f), tt.refresh, got, tt.want)
		}
	}
}

func TestBands(t *testing.T) {
	frame := func(from, to time.Duration, flags frametime.Flags) frametime.Frame {
		return frametime.Frame{Layout: int64(from), Next: int64(to), Flags: flags}
	}
	in := frametime.Focused
	series := frametime.FrameSlice{
		frame(0, 10*ms, in), frame(10*ms, 20*ms, in), frame(20*ms, 45*ms, in), frame(45*ms, 50*ms, 0), frame(60*ms, 70*ms, 0), frame(80*ms, 85*ms, 0), frame(90*ms, 120*ms, in),
	}
	rules := frametime.Rules{Warmup: -1}
	got := make([]frametime.Band, 5)
	got[4].Frames = 99 // of the picture before
	frametime.Bands(got, series, 0, int64(100*ms), &rules, 10*ms)
	want := []frametime.Band{
		{Lo: 10 * ms, Hi: 10 * ms, Frames: 2},
		{Lo: 25 * ms, Hi: 25 * ms, Frames: 1, Worst: frametime.MissedMore},
		{Lo: 25 * ms, Hi: 25 * ms, Frames: 2, Worst: frametime.MissedMore}, // what is left out hides nothing
		{Lo: 10 * ms, Hi: 10 * ms, Frames: 1, Worst: frametime.Excluded},
		{Lo: 30 * ms, Hi: 30 * ms, Frames: 2, Worst: frametime.MissedMore},
	}
	if !slices.Equal(got, want) {
		t.Errorf("\n%+v, want\n%+v", got, want)
	}
	frametime.Bands(got, series, 5, 5, &rules, 10*ms)
	if !slices.Equal(got, make([]frametime.Band, 5)) {
		t.Errorf("no time: %+v", got)
	}
	if n := testing.AllocsPerRun(10, func() { frametime.Bands(got, series, 0, 100, &rules, 10*ms) }); n > 1 {
		t.Errorf("%v allocations", n) // the slice's header as an interface
	}
	// One column of a late frame and one on time after it: the worst is told.
	one := make([]frametime.Band, 1)
	frametime.Bands(one, frametime.FrameSlice{frame(0, 20*ms, in), frame(20*ms, 30*ms, in)}, 0, int64(30*ms), &rules, 10*ms)
	if want := (frametime.Band{Lo: 10 * ms, Hi: 20 * ms, Frames: 2, Worst: frametime.MissedOne}); one[0] != want {
		t.Errorf("%+v, want %+v", one[0], want)
	}
	f := frame(0, 20*ms, in)
	if o := frametime.OutcomeOf(&f, &rules, 10*ms); o != frametime.MissedOne {
		t.Errorf("outcome %v", o)
	}
}

func BenchmarkBands(b *testing.B) {
	r := frametime.NewFrameRing(10_000)
	at := int64(0)
	for range 10_000 {
		r.Push(&frametime.Frame{Layout: at, Next: at + int64(8*ms), Flags: frametime.Focused})
		at += int64(8 * ms)
	}
	bands := make([]frametime.Band, 1400)
	rules := frametime.Rules{}
	b.ReportAllocs()
	for b.Loop() {
		frametime.Bands(bands, r, 0, at, &rules, 8*ms)
	}
}
