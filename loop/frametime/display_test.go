package frametime_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"chronoscope/loop"
	"chronoscope/loop/frametime"
)

var update = flag.Bool("update", false, "write testdata anew")

// What every model makes of 60 ticks a second on every preset.
func TestCadences(t *testing.T) {
	var b strings.Builder
	for _, p := range frametime.Presets() {
		stamps := p.Display.Stamps(61)
		for _, m := range frametime.Models(loop.Hz(60), p.Display.Rate.Period()) {
			fmt.Fprintf(&b, "%-18s %-26s %s\n", p.Name, m.Name(), frametime.Cadence(frametime.Run(m, stamps)[1:]))
		}
	}
	golden(t, "cadences.txt", b.String())
}

// golden compares a text with a file of testdata line by line, or writes it.
func golden(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	got, lines := strings.Split(text, "\n"), strings.Split(string(want), "\n")
	for i, line := range lines {
		if i >= len(got) || got[i] != line {
			t.Fatalf("%s, line %d:\n%s\nwant\n%s", name, i+1, got[min(i, len(got)-1)], line)
		}
	}
	if len(got) != len(lines) {
		t.Fatalf("%s: %d lines, want %d", name, len(got), len(lines))
	}
}

func count(ticks []int, want int) (n int) {
	for _, v := range ticks {
		if v == want {
			n++
		}
	}
	return n
}

// 60 ticks on 60 Hz for 100 s, each stamp up to 0.3 ms off.
func TestJitter(t *testing.T) {
	d := frametime.VirtualDisplay{Rate: loop.Hz(60), Jitter: 300 * time.Microsecond, Seed: 5}
	stamps := d.Stamps(6001)
	plain := frametime.Run(frametime.NewAccumulator(loop.Hz(60)), stamps)[1:]
	if n := count(plain, 0); n < 1000 || count(plain, 2) < 1000 {
		t.Errorf("the plain accumulator has only %d frames of 0 and %d of 2", n, count(plain, 2))
	}
	for _, m := range []frametime.Model{frametime.NewSnapped(loop.Hz(60), time.Second/60), frametime.NewHalfTick(loop.Hz(60))} {
		if ticks := frametime.Run(m, stamps)[1:]; count(ticks, 1) != 6000 {
			t.Errorf("%s: %d frames of 0, %d of 2", m.Name(), count(ticks, 0), count(ticks, 2))
		}
	}
}

// Ticks a second on starved displays: which models lose time.
func TestStarved(t *testing.T) {
	for _, tt := range []struct {
		fps  loop.Rate
		want [4]float64 // of Models
	}{
		{loop.Rate{Num: 25, Den: 2}, [4]float64{60, 31.25, 64, 60}},
		{loop.Hz(11), [4]float64{60, 11, 64, 60}},
		{loop.Hz(5), [4]float64{60, 5, 64, 40}},
		{loop.Hz(2), [4]float64{30, 2, 32, 16}},
	} {
		stamps := frametime.VirtualDisplay{Rate: tt.fps}.Stamps(501)
		for i, m := range frametime.Models(loop.Hz(60), tt.fps.Period()) {
			sum := 0
			for _, n := range frametime.Run(m, stamps) {
				sum += n
			}
			got := float64(sum) / (stamps[500] - stamps[0]).Seconds()
			if !near(got, tt.want[i], 0.6) {
				t.Errorf("%s at %v frames a second: %.2f ticks a second, want %v", m.Name(), tt.fps.Float(), got, tt.want[i])
			}
		}
	}
}

// 60 on 59.94 Hz: one double in 16.7 s, and nothing else.
func TestDoubleTick(t *testing.T) {
	ntsc := loop.Rate{Num: 60000, Den: 1001}
	stamps := frametime.VirtualDisplay{Rate: ntsc}.Stamps(5001)
	ticks := frametime.Run(frametime.NewSnapped(loop.Hz(60), ntsc.Period()), stamps)[1:]
	if count(ticks, 2) != 5 || count(ticks, 1) != 4995 {
		t.Errorf("%d doubles and %d singles in 5,000 frames", count(ticks, 2), count(ticks, 1))
	}
}

func TestStamps(t *testing.T) {
	const ms = time.Millisecond
	for _, p := range frametime.Presets() {
		t.Run(p.Name, func(t *testing.T) {
			s := p.Display.Stamps(500)
			if !slices.Equal(s, p.Display.Stamps(500)) {
				t.Fatal("not the same a second time")
			}
			for i := 1; i < len(s); i++ {
				d := s[i] - s[i-1]
				for _, o := range p.Display.Outages {
					if !o.Asleep && s[i] > o.At+p.Display.Jitter && s[i] < o.At+o.For {
						t.Fatalf("frame %d at %v, within an outage", i, s[i])
					}
				}
				switch {
				case d < 0 && (p.Display.Back == 0 || i != 30):
					t.Fatalf("frame %d is %v before the last", i, -d)
				case p.Display.Fastest.Valid() && (d < p.Display.Fastest.Period() || d > p.Display.Rate.Period()):
					t.Fatalf("frame %d after %v", i, d)
				}
			}
		})
	}
	t.Run("missed refreshes", func(t *testing.T) {
		s := frametime.VirtualDisplay{Rate: loop.Hz(100), MissEvery: 4, Phase: 3 * ms}.Stamps(9)
		want := []time.Duration{3 * ms, 13 * ms, 23 * ms, 33 * ms, 53 * ms, 63 * ms, 73 * ms, 83 * ms, 103 * ms}
		if !slices.Equal(s, want) {
			t.Errorf("%v, want %v", s, want)
		}
	})
	t.Run("after an outage on the grid", func(t *testing.T) {
		s := frametime.VirtualDisplay{Rate: loop.Hz(100), Outages: []frametime.Outage{{At: 15 * ms, For: 20 * ms}}}.Stamps(4)
		if want := []time.Duration{0, 10 * ms, 40 * ms, 50 * ms}; !slices.Equal(s, want) {
			t.Errorf("%v, want %v", s, want)
		}
	})
	t.Run("another rate midway", func(t *testing.T) {
		s := frametime.VirtualDisplay{Rate: loop.Hz(50), Then: loop.Hz(100), Change: 40 * ms}.Stamps(6)
		if want := []time.Duration{0, 20 * ms, 40 * ms, 50 * ms, 60 * ms, 70 * ms}; !slices.Equal(s, want) {
			t.Errorf("%v, want %v", s, want)
		}
	})
}

func BenchmarkStamps(b *testing.B) {
	d := frametime.VirtualDisplay{Rate: loop.Hz(120), Jitter: time.Millisecond}
	for b.Loop() {
		d.Stamps(1000)
	}
}
