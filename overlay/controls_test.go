package overlay

import (
	"math"
	"testing"

	"chronoscope/loop"
)

func TestRateOf(t *testing.T) {
	tests := []struct {
		name string
		v    float64
		want loop.Rate
	}{
		{"whole", 60, loop.Hz(60)},
		{"typed fraction", 59.94, loop.Rate{Num: 59940, Den: 1000}},
		{"nearly whole", 119.99999, loop.Hz(120)},
		{"lowest", 1, loop.Hz(1)},
		{"below", 0.5, loop.Rate{}},
		{"above", 241, loop.Rate{}},
		{"no number", math.NaN(), loop.Rate{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := rateOf(tt.v); got != tt.want {
				t.Errorf("rateOf(%v) = %v, want %v", tt.v, got, tt.want)
			}
		})
	}
}
