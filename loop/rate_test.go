package loop_test

import (
	"fmt"
	"math"
	"math/big"
	"testing"
	"time"

	"chronoscope/loop"

	"pgregory.net/rapid"
)

var ntsc60 = loop.Rate{Num: 60000, Den: 1001}

// exactBoundary is n*1e9*Den/Num without any rounding.
func exactBoundary(r loop.Rate, n loop.Tick) *big.Rat {
	num := new(big.Int).SetUint64(uint64(n))
	num.Mul(num, big.NewInt(1_000_000_000))
	num.Mul(num, new(big.Int).SetUint64(r.Den))
	return new(big.Rat).SetFrac(num, new(big.Int).SetUint64(r.Num))
}

// boundaryError is the exact boundary minus ours, in nanoseconds. It must lie
// in [0, 1): rounded down, nothing accumulated.
func boundaryError(r loop.Rate, n loop.Tick) *big.Rat {
	ours := new(big.Rat).SetInt(new(big.Int).SetUint64(r.BoundaryNanos(n)))
	return ours.Sub(exactBoundary(r, n), ours)
}

func below1ns(e *big.Rat) bool { return e.Sign() >= 0 && e.Cmp(big.NewRat(1, 1)) < 0 }

func TestBoundaryOver24Hours(t *testing.T) {
	for _, r := range []loop.Rate{ntsc60, loop.Hz(60), loop.Hz(120), loop.Hz(144), loop.Hz(1), {Num: 24000, Den: 1001}, loop.Hz(7)} {
		t.Run(r.String(), func(t *testing.T) {
			last := r.TickAt(24 * time.Hour)
			if want := loop.Tick(86400 * r.Float()); last != want {
				t.Fatalf("24 h are %d ticks, want %d", last, want)
			}
			prev := time.Duration(-1)
			check := func(n loop.Tick) {
				if e := boundaryError(r, n); !below1ns(e) {
					t.Fatalf("boundary %d is off by %s ns", n, e.FloatString(3))
				}
				b := r.Boundary(n)
				if b <= prev {
					t.Fatalf("boundary %d = %v, not after %v", n, b, prev)
				}
				prev = b
			}
			// A stride that shares no factor with the rates; and the end.
			for n := loop.Tick(0); n < last; n += 997 {
				check(n)
			}
			check(last)
		})
	}
}

// The product n*1e9*Den needs more than 64 bits here: 42.7 h at 59.94 Hz are
// the end of int64.
func TestBoundaryFarOut(t *testing.T) {
	for _, r := range []loop.Rate{ntsc60, loop.Hz(60), loop.Hz(120), loop.Hz(144), loop.Hz(240)} {
		for _, n := range []loop.Tick{9_214_000, 1 << 33, 1<<40 - 1, 1 << 40} {
			t.Run(fmt.Sprintf("%v/%d", r, n), func(t *testing.T) {
				e := boundaryError(r, n)
				saturated := exactBoundary(r, n).Cmp(new(big.Rat).SetInt(new(big.Int).SetUint64(math.MaxUint64))) > 0
				if saturated {
					t.Fatalf("2^40 ticks at %v should fit 64 bits", r)
				}
				if !below1ns(e) {
					t.Errorf("off by %s ns", e.FloatString(3))
				}
			})
		}
	}
}

func TestBoundarySaturates(t *testing.T) {
	r := loop.Hz(60)
	if got := r.Boundary(loop.MaxTick); got != math.MaxInt64 {
		t.Errorf("Boundary(MaxTick) = %d, want the longest duration", got)
	}
	if got := r.BoundaryNanos(loop.MaxTick); got != math.MaxUint64 {
		t.Errorf("BoundaryNanos(MaxTick) = %d, want the largest number", got)
	}
	// 2^63 ns at 1 GHz: past Duration, within BoundaryNanos.
	ghz := loop.Hz(1_000_000_000)
	if got := ghz.Boundary(1 << 63); got != math.MaxInt64 {
		t.Errorf("Boundary(2^63) = %d, want the longest duration", got)
	}
	if got := ghz.BoundaryNanos(1 << 63); got != 1<<63 {
		t.Errorf("BoundaryNanos(2^63) = %d, want 2^63", got)
	}
	if got := ghz.TickAt(math.MaxInt64); got != math.MaxInt64 {
		t.Errorf("TickAt(292 years) at 1 GHz = %d, want %d", got, int64(math.MaxInt64))
	}
	if got := loop.Hz(math.MaxUint32).TickAt(math.MaxInt64); got != loop.MaxTick {
		t.Errorf("TickAt(292 years) at the highest rate = %d, want MaxTick", got)
	}
}

// paceableRate draws a valid rate of at most one tick a nanosecond, so that
// boundaries are distinct and 292 years of it don't saturate a tick.
func paceableRate(t *rapid.T) loop.Rate {
	return rapid.OneOf(
		rapid.Custom(func(t *rapid.T) loop.Rate {
			den := rapid.Uint64Range(1, math.MaxUint32).Draw(t, "den")
			return loop.Rate{Num: rapid.Uint64Range(1, min(math.MaxUint32, 1_000_000_000*den)).Draw(t, "num"), Den: den}
		}),
		rapid.SampledFrom([]loop.Rate{ntsc60, loop.Hz(60), loop.Hz(144), loop.Hz(240), loop.Hz(1_000_000_000), {Num: 24000, Den: 1001}, {Num: 125, Den: 2}}),
	).Draw(t, "rate")
}

// TickAt(e) is the largest n with Boundary(n) <= e.
func TestTickAtInvertsBoundary(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := paceableRate(t)
		e := rapid.Int64Range(0, math.MaxInt64-1).Draw(t, "elapsed")
		n := r.TickAt(time.Duration(e))
		if b := r.BoundaryNanos(n); b > uint64(e) {
			t.Fatalf("%v: TickAt(%d) = %d, but its boundary is at %d", r, e, n, b)
		}
		if b := r.BoundaryNanos(n + 1); b <= uint64(e) {
			t.Fatalf("%v: TickAt(%d) = %d, but boundary %d is at %d", r, e, n, n+1, b)
		}
	})
}

// The instant of boundary n belongs to tick n, the nanosecond before to n-1.
func TestBoundaryInvertsTickAt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := paceableRate(t)
		n := loop.Tick(rapid.Uint64Range(1, 1<<40).Draw(t, "n"))
		b := r.Boundary(n)
		if b == math.MaxInt64 {
			t.Skip("saturated")
		}
		if got := r.TickAt(b); got != n {
			t.Fatalf("%v: TickAt(Boundary(%d)) = %d", r, n, got)
		}
		if got := r.TickAt(b - 1); got != n-1 {
			t.Fatalf("%v: TickAt(Boundary(%d)-1) = %d", r, n, got)
		}
		if e := boundaryError(r, n); !below1ns(e) {
			t.Fatalf("%v: boundary %d off by %s ns", r, n, e.FloatString(3))
		}
	})
}

func TestTickAtNotPositive(t *testing.T) {
	for _, e := range []time.Duration{0, -1, math.MinInt64} {
		if got := loop.Hz(60).TickAt(e); got != 0 {
			t.Errorf("TickAt(%d) = %d, want 0", e, got)
		}
	}
}

func TestRateValid(t *testing.T) {
	tests := []struct {
		rate           loop.Rate
		valid, inRange bool
	}{
		{loop.Rate{}, false, false},
		{loop.Rate{Num: 60}, false, false},
		{loop.Rate{Den: 1}, false, false},
		{loop.Rate{Num: 1 << 32, Den: 1 << 30}, false, false},
		{loop.Rate{Num: 1, Den: 1 << 32}, false, false},
		{loop.Hz(1), true, true},
		{loop.Hz(240), true, true},
		{loop.Hz(241), true, false},
		{loop.Rate{Num: 999, Den: 1000}, true, false},
		{loop.Rate{Num: 240001, Den: 1000}, true, false},
		{ntsc60, true, true},
		{loop.Rate{Num: math.MaxUint32, Den: math.MaxUint32}, true, true},
	}
	for _, tt := range tests {
		t.Run(tt.rate.String(), func(t *testing.T) {
			if got := tt.rate.Valid(); got != tt.valid {
				t.Errorf("Valid() = %v, want %v", got, tt.valid)
			}
			if got := tt.rate.InRange(); got != tt.inRange {
				t.Errorf("InRange() = %v, want %v", got, tt.inRange)
			}
		})
	}
}

func TestRatePeriodAndFloat(t *testing.T) {
	tests := []struct {
		rate   loop.Rate
		period time.Duration
		float  float64
	}{
		{loop.Hz(60), 16_666_666, 60},
		{ntsc60, 16_683_333, 60000.0 / 1001},
		{loop.Hz(144), 6_944_444, 144},
		{loop.Rate{Num: 1, Den: 4}, 4 * time.Second, 0.25},
	}
	for _, tt := range tests {
		t.Run(tt.rate.String(), func(t *testing.T) {
			if got := tt.rate.Period(); got != tt.period {
				t.Errorf("Period() = %d, want %d", got, tt.period)
			}
			if got := tt.rate.Float(); got != tt.float {
				t.Errorf("Float() = %v, want %v", got, tt.float)
			}
		})
	}
}

func ExampleRate_Boundary() {
	r, err := loop.ParseRate("59.94")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r, r.Boundary(1), r.Boundary(60000))
	fmt.Println("24 h:", r.TickAt(24*time.Hour), "ticks")
	// Output:
	// 60000/1001 16.683333ms 16m41s
	// 24 h: 5178821 ticks
}

func BenchmarkBoundary(b *testing.B) {
	b.ReportAllocs()
	n := loop.Tick(1 << 40)
	for b.Loop() {
		n += loop.Tick(ntsc60.BoundaryNanos(n) & 1)
	}
}

func BenchmarkTickAt(b *testing.B) {
	b.ReportAllocs()
	d := 1000 * time.Hour
	for b.Loop() {
		d += time.Duration(ntsc60.TickAt(d) & 1)
	}
}
