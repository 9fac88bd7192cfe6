package loop_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"chronoscope/loop"
)

const us = time.Microsecond

func TestSnap(t *testing.T) {
	const r = 16666667 * time.Nanosecond
	for _, c := range []struct {
		name    string
		refresh time.Duration
		in, out []time.Duration
	}{
		{"on time", r, []time.Duration{r, r}, []time.Duration{r, r}},
		{"early and late", r, []time.Duration{r + 150*us, r - 250*us, r + 100*us}, []time.Duration{r, r, r}},
		{"exactly within", r, []time.Duration{r + 200*us}, []time.Duration{r}},
		{"just out of it", r, []time.Duration{r + 200*us + 1, r}, []time.Duration{r + 200*us + 1, r}},
		{"the difference adds up, and is given out", r, []time.Duration{r + 150*us, r + 150*us}, []time.Duration{r, r + 300*us}},
		{"a missed refresh", r, []time.Duration{2*r - 90*us, r + 90*us}, []time.Duration{2 * r, r}},
		{"between two", r, []time.Duration{r + r/2}, []time.Duration{r + r/2}},
		{"two frames at once", r, []time.Duration{r - 100*us, 0, r + 100*us}, []time.Duration{r, 0, r}},
		{"carried into a long frame", r, []time.Duration{r + 100*us, 3*r + r/2}, []time.Duration{r, 3*r + r/2 + 100*us}},
		{"clock back", r, []time.Duration{-time.Hour, r}, []time.Duration{0, r}},
		{"unknown refresh", 0, []time.Duration{r + 1, r - 1}, []time.Duration{r + 1, r - 1}},
		{"senseless refresh", 3, []time.Duration{r + 1}, []time.Duration{r + 1}},
		{"the longest there is", r, []time.Duration{r + 100*us, math.MaxInt64}, []time.Duration{r, math.MaxInt64}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var s loop.Snapper
			for i, in := range c.in {
				if got := s.Snap(in, c.refresh); got != c.out[i] && !(in == math.MaxInt64 && got > in-r) {
					t.Errorf("frame %d of %v: %v, want %v", i, in, got, c.out[i])
				}
			}
		})
	}
}

// jittery gives the stamps of n+1 frames on a display, each late by up to
// jitter.
func jittery(refresh loop.Rate, n int, jitter time.Duration, seed uint64) []time.Duration {
	rng := rand.New(rand.NewPCG(seed, 1))
	at := make([]time.Duration, n+1)
	for i := range at {
		at[i] = refresh.Boundary(loop.Tick(i)) + time.Duration(rng.Float64()*float64(jitter))
	}
	return at
}

// cadence is the number of ticks in each frame, as digits. The loop starts half
// a tick after a boundary: a loop that starts on one, on a display of the same
// rate, has every frame on a boundary, and whatever is left of the jitter, or of
// the difference of the two clocks, falls on either side of it.
func cadence(ticks loop.Rate, stamps []time.Duration, refresh time.Duration) string {
	start := time.Unix(1000, 0)
	l := loop.NewAtRate(ticks, 8, 0)
	l.Start(start.Add(-ticks.Period() / 2))
	var s loop.Snapper
	now := start
	var b strings.Builder
	for i, at := range stamps[1:] {
		now = now.Add(s.Snap(at-stamps[i], refresh))
		run, _ := l.Advance(now)
		fmt.Fprint(&b, run)
	}
	return b.String()
}

// accumulated is the same with an accumulator of raw frame times.
func accumulated(ticks loop.Rate, stamps []time.Duration) string {
	start := time.Unix(1000, 0)
	l := loop.NewAtRate(ticks, 8, 0)
	l.Start(start)
	var b strings.Builder
	for _, at := range stamps[1:] {
		run, _ := l.Advance(start.Add(at - stamps[0]))
		fmt.Fprint(&b, run)
	}
	return b.String()
}

func pairs(digits string) int { return strings.Count(digits, "02") + strings.Count(digits, "20") }

// 100 s at 60 ticks a second on a display of 60 Hz, with 0.3 ms of jitter.
func TestSnapJitter(t *testing.T) {
	hz := loop.Hz(60)
	stamps := jittery(hz, 6000, 300*us, 7)
	if n := pairs(accumulated(hz, stamps)); n < 1000 {
		t.Errorf("a plain accumulator shows %d pairs of 0 and 2, want thousands", n)
	}
	for _, refresh := range []struct {
		name string
		d    time.Duration
	}{{"stated", hz.Period()}, {"measured a bit long", hz.Period() + 20*us}, {"measured a bit short", hz.Period() - 20*us}} {
		got := cadence(hz, stamps, refresh.d)
		if got != strings.Repeat("1", 6000) {
			t.Errorf("%s: %d frames of 0, %d of 2, %d pairs: want none", refresh.name,
				strings.Count(got, "0"), strings.Count(got, "2"), pairs(got))
		}
	}
}

// The cadences of the usual displays, with and without jitter.
func TestSnapCadence(t *testing.T) {
	ntsc := loop.Rate{Num: 60000, Den: 1001}
	for _, jitter := range []time.Duration{0, 150 * us} {
		for _, c := range []struct {
			name           string
			ticks, refresh loop.Rate
			want           string // repeated
		}{
			{"60 on 60", loop.Hz(60), loop.Hz(60), "1"},
			{"60 on 75", loop.Hz(60), loop.Hz(75), "11110"},
			{"60 on 120", loop.Hz(60), loop.Hz(120), "01"},
			{"60 on 144", loop.Hz(60), loop.Hz(144), "001010010101"},
			{"60 on 50", loop.Hz(60), loop.Hz(50), "11112"},
			{"60 on 240", loop.Hz(60), loop.Hz(240), "0001"},
			{"120 on 60", loop.Hz(120), loop.Hz(60), "2"},
			{"59.94 on 59.94", ntsc, ntsc, "1"},
		} {
			t.Run(fmt.Sprintf("%s, jitter %v", c.name, jitter), func(t *testing.T) {
				got := cadence(c.ticks, jittery(c.refresh, 1200, jitter, 3), c.refresh.Period())
				// Where in the pattern it begins is a matter of phase.
				if n := 1200/len(c.want) - 1; !strings.Contains(got, strings.Repeat(c.want, n)) {
					t.Errorf("%s...\nwant %d times %s", got[:60], n, c.want)
				}
			})
		}
	}
}

// Two rates that differ by a thousandth: one frame in 1,001 of them, every 16.7
// seconds, has a tick more or less, and no other.
func TestSnapBeat(t *testing.T) {
	ntsc := loop.Rate{Num: 60000, Den: 1001}
	const frames = 5 * 1001
	for _, c := range []struct {
		name           string
		ticks, refresh loop.Rate
		odd            string
		every          int
	}{
		{"60 on 59.94", loop.Hz(60), ntsc, "2", 1000},
		{"59.94 on 60", ntsc, loop.Hz(60), "0", 1001},
	} {
		for _, jitter := range []time.Duration{0, 150 * us} {
			t.Run(fmt.Sprintf("%s, jitter %v", c.name, jitter), func(t *testing.T) {
				got := cadence(c.ticks, jittery(c.refresh, frames, jitter, 5), c.refresh.Period())
				if n := strings.Count(got, c.odd); n != 5 || strings.Count(got, "1") != frames-5 {
					t.Fatalf("%d frames of %s and %d of 1, want 5 and %d", n, c.odd, strings.Count(got, "1"), frames-5)
				}
				runs := strings.Split(got, c.odd)
				for _, run := range runs[1 : len(runs)-1] {
					if d := len(run) + 1; d < c.every-15 || d > c.every+15 {
						t.Errorf("%d frames from one to the next, want %d", d, c.every)
					}
				}
			})
		}
	}
}

// What goes in comes out, within SnapWithin at every moment.
func TestSnapSum(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 1))
	periods := []time.Duration{loop.Hz(60).Period(), loop.Hz(144).Period(), 0, loop.Hz(50).Period(), 2 * us}
	var s loop.Snapper
	var in, out time.Duration
	for i := range 100_000 {
		refresh := periods[i/1000%len(periods)]
		raw := refresh + time.Duration(rng.Int64N(600_000)) - 300*us
		switch {
		case i%97 == 0:
			raw = time.Duration(rng.Int64N(int64(time.Second)))
		case i%89 == 0:
			raw = 0
		}
		raw = max(raw, 0)
		in += raw
		snapped := s.Snap(raw, refresh)
		if snapped < 0 {
			t.Fatalf("frame %d: %v", i, snapped)
		}
		out += snapped
		if d := in - out; d < -loop.SnapWithin || d > loop.SnapWithin || d != s.Carried() {
			t.Fatalf("frame %d: %v went in and not out, %v carried", i, d, s.Carried())
		}
	}
	if out < time.Hour/10 {
		t.Fatalf("%v altogether: the test does nothing", out)
	}
}

func BenchmarkSnap(b *testing.B) {
	b.ReportAllocs()
	var s loop.Snapper
	r := loop.Hz(60).Period()
	for b.Loop() {
		s.Snap(r+50*us, r)
	}
}
