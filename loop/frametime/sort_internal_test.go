package frametime

import (
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// Sorting by digits is sorting, whatever the values and however many there are.
func TestSorted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bound := rapid.SampledFrom([]int64{0, 1, 2047, 2048, 1 << 22, 1 << 33, math.MaxInt64 - 1}).Draw(t, "bound")
		f := make([]time.Duration, rapid.SampledFrom([]int{0, 1, 7, radixFrom - 1, radixFrom, 700}).Draw(t, "n"))
		seed := rapid.Uint64().Draw(t, "seed")
		for i := range f {
			seed = seed*6364136223846793005 + 1442695040888963407
			f[i] = time.Duration(int64(seed>>1)%(bound+1) - int64(seed&1)*(bound/2))
		}
		before := slices.Clone(f)
		got := sorted(f)
		if want := slices.Sorted(slices.Values(f)); !slices.Equal(got, want) {
			t.Fatalf("%v, want %v", got, want)
		}
		if !slices.Equal(f, before) {
			t.Fatal("the series itself was sorted")
		}
	})
	extremes := slices.Repeat([]time.Duration{math.MaxInt64, math.MinInt64, 0, -1}, radixFrom)
	if got := sorted(extremes); !slices.IsSorted(got) {
		t.Error("not the extremes")
	}
}

// A selection is the same whether it is a view or a copy.
func TestViewIsSelect(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		frames := make([]Frame, rapid.IntRange(0, 8).Draw(t, "frames"))
		for i := range frames {
			frames[i] = Frame{Seq: uint64(i), Flags: rapid.SampledFrom([]Flags{Focused, 0, Focused | Paused, Focused | Gap}).Draw(t, "flags")}
		}
		r := Rules{Warmup: -1}
		got, want := r.view(frames), r.Select(frames)
		if !slices.Equal(got.Used, want.Used) || got.LeftOut != want.LeftOut || got.Blank != want.Blank {
			t.Fatalf("%+v, want %+v", got, want)
		}
	})
}
