package overlay_test

import (
	"math"
	"testing"
	"time"

	"chronoscope/loop"
	"chronoscope/overlay"
	_ "chronoscope/overlay/xvfb"
)

func TestNumbers(t *testing.T) {
	tests := []struct{ name, got, want string }{
		{"zero", overlay.Thousands(0), "0"},
		{"three digits", overlay.Thousands(999), "999"},
		{"four digits", overlay.Thousands(1000), "1 000"},
		{"six digits", overlay.Thousands(123456), "123 456"},
		{"the greatest", overlay.Thousands(math.MaxUint64), "18 446 744 073 709 551 615"},
		{"a negative count", overlay.Count(-5), "0"},
		{"count", overlay.Count(2000), "2 000"},
		{"short", overlay.Short(999), "999"},
		{"short thousands", overlay.Short(1234), "1.2k"},
		{"no 10.0k", overlay.Short(9960), "10k"},
		{"tens of thousands", overlay.Short(35_400), "35k"},
		{"no 1000k", overlay.Short(999_600), "1.0M"},
		{"millions", overlay.Short(12_300_000), "12M"},
		{"short negative", overlay.Short(-1), "0"},
		{"measured rate", overlay.PerSecond(59.94), "59.9"},
		{"whole rate", overlay.RateText(loop.Hz(60)), "60"},
		{"whole after division", overlay.RateText(loop.Rate{Num: 120, Den: 2}), "60"},
		{"NTSC", overlay.RateText(overlay.NTSC()), "59.94"},
		{"no rate", overlay.RateText(loop.Rate{}), "-"},
		{"factor", overlay.Factor(0.1), "x0.10"},
		{"milliseconds", overlay.Millis(16_666_667 * time.Nanosecond), "16.7"},
		{"no share", overlay.Percent(0), "0.0 %"},
		{"hardly a share", overlay.Percent(0.0001), "< 0.1 %"},
		{"share", overlay.Percent(0.125), "12.5 %"},
		{"undefined share", overlay.Percent(math.NaN()), "0.0 %"},
		{"one tick", overlay.Behind(1), "1 tick behind"},
		{"ticks", overlay.Behind(1700), "1 700 ticks behind"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.got != tt.want {
				t.Errorf("got %q, want %q", tt.got, tt.want)
			}
		})
	}
}

func TestSpan(t *testing.T) {
	tests := []struct {
		d    time.Duration
		want string
	}{
		{-time.Second, "0.0 s"},
		{800 * time.Millisecond, "0.8 s"},
		{9940 * time.Millisecond, "9.9 s"},
		{9960 * time.Millisecond, "10 s"},
		{59_700 * time.Millisecond, "1 min 00 s"},
		{185 * time.Second, "3 min 05 s"},
		{3599*time.Second + 600*time.Millisecond, "1 h 00 min"},
		{2*time.Hour + 7*time.Minute + 59*time.Second, "2 h 07 min"},
	}
	for _, tt := range tests {
		t.Run(tt.want, func(t *testing.T) {
			if got := overlay.Span(tt.d); got != tt.want {
				t.Errorf("Span(%v) = %q, want %q", tt.d, got, tt.want)
			}
		})
	}
}

func TestNextScale(t *testing.T) {
	tests := []struct {
		name string
		f    float64
		dir  int
		want float64
	}{
		{"up", 1, 1, 2}, {"down", 1, -1, 0.5},
		{"up from between", 1.5, 1, 2}, {"down from between", 1.5, -1, 1},
		{"at the top", 16, 1, 16}, {"at the bottom", 0.1, -1, 0.1},
		{"rounding is no step", 1.00000001, 1, 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := overlay.NextScale(tt.f, tt.dir); got != tt.want {
				t.Errorf("NextScale(%v, %d) = %v, want %v", tt.f, tt.dir, got, tt.want)
			}
		})
	}
}
