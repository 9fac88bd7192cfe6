package frametime_test

import (
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"chronoscope/loop"
	"chronoscope/loop/frametime"
)

const ms = time.Millisecond

func frames(n int, d time.Duration, more ...time.Duration) []time.Duration {
	return append(slices.Repeat([]time.Duration{d}, n), more...)
}

func near(a, b, tolerance float64) bool { return math.Abs(a-b) <= tolerance }

// One series, and what the three "1 % lows" make of it: three different things.
func TestVector(t *testing.T) {
	f := frames(999, 8*ms, 200*ms)
	p1, ok1 := frametime.P1Low(f)
	avg, ok2 := frametime.LowAverage(f)
	integral, ok3 := frametime.LowIntegral(f)
	if !ok1 || !ok2 || !ok3 {
		t.Fatal("not told")
	}
	if a := frametime.AverageFPS(f); !near(a, 122.1, 0.05) || !near(p1, 125, 0.05) || !near(avg, 36.8, 0.05) || !near(integral, 5.0, 0.05) {
		t.Errorf("average %.2f, P1 low %.2f, low average %.2f, low integral %.2f; want 122.1, 125, 36.8, 5.0", a, p1, avg, integral)
	}
}

func TestAverageFPS(t *testing.T) {
	for _, tt := range []struct {
		f    []time.Duration
		want float64
	}{{nil, 0}, {frames(3, 0), 0}, {[]time.Duration{ms, 4 * ms}, 400}, {frames(60, time.Second/60), 60}} {
		if got := frametime.AverageFPS(tt.f); !near(got, tt.want, 1e-5) {
			t.Errorf("%v: %v, want %v", tt.f, got, tt.want)
		}
	}
}

func TestPercentile(t *testing.T) {
	tests := []struct {
		name string
		f    []time.Duration
		q    float64
		want time.Duration
		ok   bool
	}{
		{"nothing", nil, 0.5, 0, false},
		{"median between two", []time.Duration{10 * ms, 20 * ms}, 0.5, 15 * ms, true},
		{"the order doesn't matter", []time.Duration{30 * ms, 10 * ms, 20 * ms}, 0.5, 20 * ms, true},
		{"P99 of 99", frames(99, ms), 0.99, 0, false},
		{"P99 of 100", frames(99, ms, 101*ms), 0.99, 2 * ms, true},
		{"P99.9 of 999", frames(999, ms), 0.999, 0, false},
		{"P99.9 of 1000", frames(1000, ms), 0.999, ms, true},
		{"the longest", frames(2, ms, 7*ms), 1, 7 * ms, true},
		{"the shortest", frames(2, ms, 7*ms), 0, ms, true},
		{"no quantile", frames(2, ms), 1.5, 0, false},
		{"no number", frames(2, ms), math.NaN(), 0, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got, ok := frametime.Percentile(tt.f, tt.q); got != tt.want || ok != tt.ok {
				t.Errorf("%v, %v; want %v, %v", got, ok, tt.want, tt.ok)
			}
		})
	}
	for name, low := range map[string]func([]time.Duration) (float64, bool){
		"P1": frametime.P1Low, "average": frametime.LowAverage, "integral": frametime.LowIntegral,
	} {
		if _, ok := low(frames(99, ms)); ok {
			t.Errorf("%s low of 99 frames is told", name)
		}
		if v, ok := low(frames(100, 10*ms)); !ok || !near(v, 100, 1e-6) {
			t.Errorf("%s low of even frames: %v, %v", name, v, ok)
		}
	}
}

func TestStutter(t *testing.T) {
	tests := []struct {
		name string
		f    []time.Duration
		want float64
	}{
		{"nothing", nil, 0},
		{"even", frames(300, 16*ms), 0},
		{"one spike", append(frames(199, 10*ms), append([]time.Duration{100 * ms}, frames(100, 10*ms)...)...), 100.0 / 3090},
		{"a spike doesn't hide itself", []time.Duration{10 * ms, 40 * ms}, 0.8},
		{"one within three times enters the average", []time.Duration{10 * ms, 26 * ms}, 0},
		{"twice as long is no stutter", append(frames(100, 10*ms), frames(100, 20*ms)...), 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := frametime.Stutter(tt.f); !near(got, tt.want, 1e-9) {
				t.Errorf("%v, want %v", got, tt.want)
			}
		})
	}
}

// The definition written down once more, as plainly as it goes.
func plainStutter(f []time.Duration) float64 {
	total, stutter := 0.0, 0.0
	for _, d := range f {
		total += float64(d)
	}
	window := int(math.Round(10 * math.Sqrt(total/float64(len(f))/1e6)))
	for i := range f {
		sum, n := 0.0, 0
		for j := i; j >= 0 && n < window; j-- {
			entered := f[j]
			if j > 0 && f[j] > 3*f[j-1] {
				entered = f[j-1]
			}
			sum += float64(entered)
			n++
		}
		if float64(f[i]) > 2.5*sum/float64(n) {
			stutter += float64(f[i])
		}
	}
	return stutter / total
}

func TestStutterIsItsDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spikes := rapid.SampledFrom([]time.Duration{ms, 20 * ms, 24 * ms, 26 * ms, 29 * ms, 31 * ms, 50 * ms, 300 * ms})
		var f []time.Duration
		for range rapid.IntRange(1, 12).Draw(t, "parts") {
			f = append(f, slices.Repeat([]time.Duration{10 * ms}, rapid.IntRange(1, 40).Draw(t, "even"))...)
			f = append(f, spikes.Draw(t, "spike"))
		}
		if got, want := frametime.Stutter(f), plainStutter(f); !near(got, want, 1e-9) {
			t.Fatalf("%v, want %v of %v", got, want, f)
		}
	})
}

func TestMissed(t *testing.T) {
	r := time.Second / 60
	for f, want := range map[time.Duration]int{0: 0, 10 * ms: 0, r: 0, 24 * ms: 0, 26 * ms: 1, 2 * r: 1, 3*r + ms: 2, -ms: 0} {
		if got := frametime.Missed(f, r); got != want {
			t.Errorf("%v: %d, want %d", f, got, want)
		}
	}
	if frametime.Missed(time.Second, 0) != 0 {
		t.Error("missed an unknown refresh")
	}
}

func TestIdealCadence(t *testing.T) {
	ntsc := loop.Rate{Num: 60000, Den: 1001}
	for _, tt := range []struct {
		name          string
		rate, refresh loop.Rate
		want          string
	}{
		{"60 on 60", loop.Hz(60), loop.Hz(60), "1111111111"},
		{"60 on 120", loop.Hz(60), loop.Hz(120), "0101010101"},
		{"60 on 144", loop.Hz(60), loop.Hz(144), "001010010101"},
		{"60 on 75", loop.Hz(60), loop.Hz(75), "0111101111"},
		{"60 on 50", loop.Hz(60), loop.Hz(50), "1111211112"},
		{"120 on 60", loop.Hz(120), loop.Hz(60), "2222222222"},
		{"240 on 12", loop.Hz(240), loop.Hz(12), "++++"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ticks := frametime.Ideal(tt.rate, tt.refresh, len(tt.want))
			if got := frametime.Cadence(ticks); got != tt.want {
				t.Errorf("%s, want %s", got, tt.want)
			}
			if d := frametime.Uneven(ticks, tt.rate, tt.refresh); d != (frametime.Defects{}) {
				t.Errorf("the ideal has %+v", d)
			}
		})
	}
	// A double tick every 16.7 s: 1001 ticks in 1000 frames.
	ticks := frametime.Ideal(loop.Hz(60), ntsc, 10_000)
	doubles, last := 0, -1
	for i, n := range ticks {
		if n != 1 {
			if n != 2 || last >= 0 && i-last != 1000 {
				t.Errorf("frame %d has %d ticks, %d after the one before", i, n, i-last)
			}
			doubles, last = doubles+1, i
		}
	}
	if doubles != 10 {
		t.Errorf("%d doubles in 10,000 frames at 59.94 Hz", doubles)
	}
}

func TestUneven(t *testing.T) {
	for _, tt := range []struct {
		ticks []int
		want  frametime.Defects
	}{
		{[]int{1, 1, 1}, frametime.Defects{}},
		{[]int{1, 0, 2, 1}, frametime.Defects{Odd: 2, Swaps: 1}},
		{[]int{2, 0, 2}, frametime.Defects{Odd: 3, Swaps: 2}},
		{[]int{0, 1, 2}, frametime.Defects{Odd: 2}},
	} {
		if got := frametime.Uneven(tt.ticks, loop.Hz(60), loop.Hz(60)); got != tt.want {
			t.Errorf("%v: %+v, want %+v", tt.ticks, got, tt.want)
		}
	}
	if got := frametime.Cadence([]int{0, 1, 9, 10, -1}); got != "019+-" {
		t.Errorf("written %q", got)
	}
}

// The ideal sums up exactly, and never strays from even by a tick.
func TestIdealIsEven(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string) loop.Rate {
			return loop.Rate{Num: rapid.Uint64Range(1, 500_000).Draw(t, name), Den: rapid.SampledFrom([]uint64{1, 1000, 1001}).Draw(t, name+" den")}
		}
		rate, refresh := draw("rate"), draw("refresh")
		ticks := frametime.Ideal(rate, refresh, 300)
		sum := 0
		for i, n := range ticks {
			sum += n
			exact := float64(i+1) * rate.Float() / refresh.Float()
			if d := exact - float64(sum); d < -1e-6*exact-1e-9 || d > 1+1e-6*exact {
				t.Fatalf("after %d frames %d ticks, exactly %v", i+1, sum, exact)
			}
		}
		if d := frametime.Uneven(ticks, rate, refresh); d != (frametime.Defects{}) {
			t.Fatalf("%+v in %v on %v", d, rate, refresh)
		}
	})
}

func TestEstimateRefresh(t *testing.T) {
	r := time.Second / 120
	if _, ok := frametime.EstimateRefresh(frames(119, r)); ok {
		t.Error("told from 119 frames")
	}
	f := frames(500, 50*ms) // long ago
	for i := range 120 {
		d := r + time.Duration(i%5-2)*20*time.Microsecond
		if i%4 == 0 {
			d = 2 * r // a missed refresh
		}
		f = append(f, d)
	}
	got, ok := frametime.EstimateRefresh(f)
	if !ok || got < r-25*time.Microsecond || got > r+25*time.Microsecond {
		t.Errorf("%v, %v; want about %v", got, ok, r)
	}
	if got := frametime.RefreshOf(frames(10, r, 2*r)); got != r || frametime.RefreshOf(nil) != 0 {
		t.Errorf("a first guess: %v", got)
	}
	// Beyond 1.5 times the median they have missed a refresh, up to it they haven't.
	for _, tt := range []struct {
		last time.Duration
		want time.Duration
	}{{15 * ms, 10 * ms}, {15*ms + 10, 9 * ms}, {17 * ms, 9 * ms}} {
		if got := frametime.RefreshOf([]time.Duration{8 * ms, 9 * ms, 10 * ms, tt.last, tt.last}); got != tt.want {
			t.Errorf("with two of %v: %v, want %v", tt.last, got, tt.want)
		}
	}
}

func TestRefreshLabel(t *testing.T) {
	for period, want := range map[time.Duration]string{
		0: "unknown", time.Second / 60: "60 Hz", 16_683_333: "59.94 Hz", 16_675_000: "59.97 Hz", time.Second / 144: "144 Hz",
		8_341_667: "119.88 Hz", 16_300_000: "61.35 Hz", time.Second: "1.00 Hz",
	} {
		if got := frametime.RefreshLabel(period); got != want {
			t.Errorf("%v: %q, want %q", period, got, want)
		}
	}
}

func TestIneffective(t *testing.T) {
	r := time.Second / 60
	if frametime.Ineffective(frames(10, r), r) || frametime.Ineffective(nil, r) || frametime.Ineffective(frames(10, ms), 0) || !frametime.Ineffective(frames(10, 3*ms), r) {
		t.Error("wrong about VSync")
	}
	if frametime.Ineffective(frames(10, 75*ms), 100*ms) || !frametime.Ineffective(frames(10, 75*ms-1), 100*ms) {
		t.Error("three quarters of the refresh period are the limit")
	}
}
