package lab_test

import (
	"testing"
	"time"

	"chronoscope/loop/lab"

	"pgregory.net/rapid"
)

// The window holds exactly the last seconds, and its quantiles are right to the
// width of a bin.
func TestWindowKeepsTheLastSeconds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var w lab.Window
		type late struct{ at, late time.Duration }
		var all []late
		at := time.Duration(0)
		for range rapid.IntRange(1, 300).Draw(t, "waits") {
			at += rapid.SampledFrom([]time.Duration{time.Millisecond, 40 * time.Millisecond, 700 * time.Millisecond, 3 * time.Second, 2 * time.Minute}).Draw(t, "gap")
			l := time.Duration(rapid.Int64Range(-1000, int64(2*time.Second)).Draw(t, "late"))
			w.Add(at, l, 1, at/4)
			all = append(all, late{at, max(l, 0)})
		}
		s := w.Read(at, at/4)
		n, most := uint64(0), time.Duration(0)
		for _, l := range all {
			if int64(at/time.Second)-int64(l.at/time.Second) <= int64(lab.WindowSpan/time.Second) {
				n++
				most = max(most, l.late)
			}
		}
		if s.Histogram.Count() != n || s.Skipped != n || s.Max != most {
			t.Fatalf("%d kept, %d skipped, most %v; want %d and %v", s.Histogram.Count(), s.Skipped, s.Max, n, most)
		}
		if s.Histogram.Between(0, lab.Bins+2) != n {
			t.Fatalf("the bins have %d of %d", s.Histogram.Between(0, lab.Bins+2), n)
		}
		if s.CPU != 0 && (s.CPU < 0.24 || s.CPU > 0.26) {
			t.Fatalf("a quarter of the processor reads %v", s.CPU)
		}
	})
}

func TestQuantiles(t *testing.T) {
	var w lab.Window
	for i := range 1000 {
		w.Add(time.Duration(i)*time.Millisecond, time.Duration(i+1)*time.Microsecond, 0, 0)
	}
	s := w.Read(time.Second, 0)
	near := func(got, want time.Duration) bool { return (got - want).Abs() <= want/18 }
	if !near(s.P50, 500*time.Microsecond) || !near(s.P99, 990*time.Microsecond) || s.Max != time.Millisecond {
		t.Errorf("P50 %v, P99 %v, max %v", s.P50, s.P99, s.Max)
	}
	var none lab.Window
	if s := none.Read(time.Hour, 0); s.P50 != 0 || s.P99 != 0 || s.CPU != 0 || s.Histogram.Count() != 0 {
		t.Errorf("nothing reads %v %v", s.P50, s.P99)
	}
	var beyond lab.Window
	beyond.Add(0, time.Hour, 0, 0)
	beyond.Add(0, -time.Hour, 0, 0)
	if s := beyond.Read(0, 0); s.Max != time.Hour || s.P99 != lab.Most || s.P50 > lab.Least {
		t.Errorf("P50 %v, P99 %v, max %v", s.P50, s.P99, s.Max)
	}
}

func BenchmarkWindow(b *testing.B) {
	var w lab.Window
	b.Run("add", func(b *testing.B) {
		b.ReportAllocs()
		at := time.Duration(0)
		for b.Loop() {
			at += 4 * time.Millisecond
			w.Add(at, 70*time.Microsecond, 0, 0)
		}
	})
	b.Run("read", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			w.Read(time.Hour, 0)
		}
	})
}
