package loop_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"chronoscope/loop"
)

func TestParseRate(t *testing.T) {
	tests := []struct {
		in       string
		num, den uint64
	}{
		{"60", 60, 1},
		{"1", 1, 1},
		{"240", 240, 1},
		{"060", 60, 1},
		{"60.0", 60, 1},
		{"60.000000000000000", 60, 1},
		{"59.94", 60000, 1001},
		{"59.940", 60000, 1001},
		{"59.9401", 60000, 1001},
		{"59.94006", 60000, 1001},
		{"23.976", 24000, 1001},
		{"23.98", 24000, 1001},
		{"29.97", 30000, 1001},
		{"47.952", 48000, 1001},
		{"47.95", 48000, 1001},
		{"71.928", 72000, 1001},
		{"95.904", 96000, 1001},
		{"119.88", 120000, 1001},
		{"143.856", 144000, 1001},
		{"143.86", 144000, 1001},
		{"239.76", 240000, 1001},
		{"59.9", 599, 10}, // one place is too little to mean 59.94
		{"59.95", 1199, 20},
		{"59.941", 59941, 1000},
		{"62.5", 125, 2},
		{"1.0000001", 10000001, 10000000},
		{"239.9999999", 2399999999, 10000000},
		{"60000/1001", 60000, 1001},
		{"120/2", 60, 1},
		{"5994/100", 2997, 50}, // a fraction is taken as it stands
		{"4294967295/4294967295", 1, 1},
	}
	for _, tt := range tests {
		t.Run(tt.in, func(t *testing.T) {
			got, err := loop.ParseRate(tt.in)
			if err != nil {
				t.Fatal(err)
			}
			if want := (loop.Rate{Num: tt.num, Den: tt.den}); got != want {
				t.Errorf("ParseRate(%q) = %v, want %v", tt.in, got, want)
			}
		})
	}
}

func TestParseRateErrors(t *testing.T) {
	for _, in := range []string{
		"", " ", "x", "60 ", " 60", "+60", "-60", "6_0", "60Hz", "1e2", "0x3c", "NaN", "Inf",
		"60.", ".5", "60.5.5", "60,5", "60.-5", "1.12345678", "٦٠",
		"/", "60/", "/1", "60/0", "0/0", "0/1", "60/1/1", "59.94/1", "-60/-1", "60 / 1",
		"0", "0.9999999", "240.0000001", "241", "999/1000", "240001/1000",
		"4294967296/4294967296", "99999999999999999999999",
	} {
		t.Run(in, func(t *testing.T) {
			r, err := loop.ParseRate(in)
			if err == nil {
				t.Fatalf("ParseRate(%q) = %v, want an error", in, r)
			}
			if r != (loop.Rate{}) {
				t.Errorf("ParseRate(%q) = %v beside its error", in, r)
			}
			want := fmt.Sprintf("loop: rate %q: want 1 to 240 ticks per second, as 60, 59.94 or 60000/1001", in)
			if err.Error() != want {
				t.Errorf("error %q, want %q", err, want)
			}
		})
	}
}

func FuzzParseRate(f *testing.F) {
	for _, s := range []string{"60", "59.94", "60000/1001", "62.5", "0", "60/0", "1.0000001", "99999999999999999999/1", ".", "6\n0"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		r, err := loop.ParseRate(s)
		if err != nil {
			if r != (loop.Rate{}) {
				t.Fatalf("ParseRate(%q) = %v beside %v", s, r, err)
			}
			if msg := err.Error(); !strings.HasPrefix(msg, "loop: rate ") || strings.ContainsAny(msg, "\n\r") {
				t.Fatalf("ParseRate(%q): error %q isn't one line of this package", s, msg)
			}
			return
		}
		if !r.InRange() {
			t.Fatalf("ParseRate(%q) = %v, out of range", s, r)
		}
		again, err := loop.ParseRate(r.String())
		if err != nil || again != r {
			t.Fatalf("ParseRate(%q) = %v, which reads back as %v, %v", s, r, again, err)
		}
		if b := r.Boundary(1); b <= 0 || b > 1e9 {
			t.Fatalf("ParseRate(%q): one tick lasts %v", s, b)
		}
		// A fraction is exact; a decimal is never moved by more than half a
		// unit of its second place.
		if !strings.Contains(s, "/") {
			var x float64
			if _, err := fmt.Sscanf(s, "%f", &x); err != nil {
				t.Fatalf("ParseRate(%q) = %v, but it isn't a number: %v", s, r, err)
			}
			if math.Abs(x-r.Float()) > 0.00501 {
				t.Fatalf("ParseRate(%q) = %v, %v away", s, r, x-r.Float())
			}
		}
	})
}

func BenchmarkParseRate(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := loop.ParseRate("59.94"); err != nil {
			b.Fatal(err)
		}
	}
}

func TestParseRefresh(t *testing.T) {
	for s, want := range map[string]loop.Rate{"60": loop.Hz(60), "59.94": {Num: 60000, Den: 1001}, "360": loop.Hz(360), "1000": loop.Hz(1000), "1": loop.Hz(1)} {
		if got, err := loop.ParseRefresh(s); err != nil || got != want {
			t.Errorf("%s: %v, %v, want %v", s, got, err, want)
		}
	}
	for _, s := range []string{"", "0", "0.5", "1001", "-60", "sixty"} {
		if got, err := loop.ParseRefresh(s); err == nil || !strings.Contains(err.Error(), "1 to 1000 Hz") {
			t.Errorf("%q: %v, %v, want a refusal", s, got, err)
		}
	}
}
