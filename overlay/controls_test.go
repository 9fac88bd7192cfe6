package overlay

import (
	"testing"

	"chronoscope/loop"
)

func TestRateAt(t *testing.T) {
	tests := []struct {
		at   float64
		want loop.Rate
	}{
		{0, loop.Hz(1)}, {1, loop.Hz(240)}, {-1, loop.Hz(1)}, {2, loop.Hz(240)}, {0.5, loop.Hz(121)},
		{linear(60, MinRate, MaxRate), loop.Hz(60)},
	}
	for _, tt := range tests {
		if got := rateAt(tt.at); got != tt.want {
			t.Errorf("rateAt(%v) = %v, want %v", tt.at, got, tt.want)
		}
	}
}

func TestStepRate(t *testing.T) {
	tests := []struct {
		r    loop.Rate
		dir  int
		want loop.Rate
	}{
		{loop.Hz(60), 1, loop.Hz(61)},
		{loop.Hz(60), -1, loop.Hz(59)},
		{NTSC(), 1, loop.Hz(60)},
		{NTSC(), -1, loop.Hz(59)},
		{loop.Hz(240), 1, loop.Hz(240)},
		{loop.Hz(1), -1, loop.Hz(1)},
	}
	for _, tt := range tests {
		if got := stepRate(tt.r, tt.dir); got != tt.want {
			t.Errorf("stepRate(%v, %d) = %v, want %v", tt.r, tt.dir, got, tt.want)
		}
	}
}

// Every threshold has a place on its slider, from which it is read again.
func TestThresholdAt(t *testing.T) {
	for n := MinThreshold; n <= MaxThreshold; n++ {
		if got := thresholdAt(logarithmic(float64(n), MinThreshold, MaxThreshold)); got != n {
			t.Fatalf("%d comes back as %d", n, got)
		}
	}
	if lo, hi := thresholdAt(-1), thresholdAt(2); lo != MinThreshold || hi != MaxThreshold {
		t.Errorf("the ends are %d and %d", lo, hi)
	}
}
