package overlay

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"chronoscope/loop"
)

// Thousands writes n in groups of three digits, separated by a space:
// "1 234 567".
func Thousands(n uint64) string {
	d := strconv.FormatUint(n, 10)
	if len(d) <= 3 {
		return d
	}
	var b strings.Builder
	b.Grow(len(d) + len(d)/3)
	for i := range len(d) {
		if i > 0 && (len(d)-i)%3 == 0 {
			b.WriteByte(' ')
		}
		b.WriteByte(d[i])
	}
	return b.String()
}

// Count is Thousands for an int; below 0 it reads "0", since nothing that is
// counted here can be negative.
func Count(n int) string { return Thousands(uint64(max(n, 0))) }

// Short writes n in at most four characters, for labels on the map: "999",
// "1.2k", "35k", "1.3M".
func Short(n int) string {
	switch {
	case n < 1000:
		return strconv.Itoa(max(n, 0))
	case n < 9950:
		return fmt.Sprintf("%.1fk", float64(n)/1e3)
	case n < 999_500:
		return fmt.Sprintf("%.0fk", float64(n)/1e3)
	case n < 9_950_000:
		return fmt.Sprintf("%.1fM", float64(n)/1e6)
	}
	return fmt.Sprintf("%.0fM", float64(n)/1e6)
}

// PerSecond writes a measured rate with one decimal: "59.9".
func PerSecond(r float64) string { return strconv.FormatFloat(r, 'f', 1, 64) }

// RateText writes a nominal rate: whole rates plainly, others with two
// decimals: "60", "59.94".
func RateText(r loop.Rate) string {
	if !r.Valid() {
		return "-"
	}
	if r.Num%r.Den == 0 {
		return strconv.FormatUint(r.Num/r.Den, 10)
	}
	return strconv.FormatFloat(r.Float(), 'f', 2, 64)
}

// Factor writes a time scale: "x1.00".
func Factor(f float64) string { return "x" + strconv.FormatFloat(f, 'f', 2, 64) }

// Span writes a duration for reading: "0.8 s", "12 s", "3 min 05 s",
// "2 h 07 min". Below 10 s there is one decimal. Negative durations read as 0.
func Span(d time.Duration) string {
	d = max(d, 0)
	// The limit is below 10 s by half of the last decimal, or 9.96 would read
	// as "10.0 s".
	if d < 9950*time.Millisecond {
		return strconv.FormatFloat(d.Seconds(), 'f', 1, 64) + " s"
	}
	s := int64(d.Round(time.Second) / time.Second)
	switch {
	case s < 60:
		return fmt.Sprintf("%d s", s)
	case s < 3600:
		return fmt.Sprintf("%d min %02d s", s/60, s%60)
	}
	return fmt.Sprintf("%d h %02d min", s/3600, s%3600/60)
}

// Millis writes a duration in milliseconds with one decimal: "16.7".
func Millis(d time.Duration) string {
	return strconv.FormatFloat(float64(d)/float64(time.Millisecond), 'f', 1, 64)
}

// Percent writes a share of 0..1: "12.5 %". Something that isn't nothing never
// reads as 0.0.
func Percent(share float64) string {
	p := share * 100
	if math.IsNaN(p) || p <= 0 {
		return "0.0 %"
	}
	if p < 0.1 {
		return "< 0.1 %"
	}
	return strconv.FormatFloat(p, 'f', 1, 64) + " %"
}

// Behind writes a lag: "1 tick behind", "17 ticks behind".
func Behind(lag loop.Tick) string {
	if lag == 1 {
		return "1 tick behind"
	}
	return Thousands(uint64(lag)) + " ticks behind"
}

// Precise writes a duration with three significant digits and the unit that
// suits it: "0", "100 us", "16.7 ms", "2.5 s", "3 min 05 s". Negative durations
// read as 0.
func Precise(d time.Duration) string {
	switch {
	case d <= 0:
		return "0"
	case d < time.Microsecond:
		return strconv.FormatInt(int64(d), 10) + " ns"
	case d < 999500*time.Nanosecond:
		return digits(float64(d)/1e3) + " us"
	case d < 999500*time.Microsecond:
		return digits(float64(d)/1e6) + " ms"
	case d < time.Minute:
		return digits(d.Seconds()) + " s"
	}
	return Span(d)
}

// digits writes up to three significant digits, without zeros at the end.
func digits(v float64) string {
	decimals := 0
	switch {
	case v < 9.995:
		decimals = 2
	case v < 99.95:
		decimals = 1
	}
	s := strconv.FormatFloat(v, 'f', decimals, 64)
	if decimals > 0 {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}

// Brief writes how long something lasted: "120 ms", "1.5 s", "3 min 05 s".
func Brief(d time.Duration) string {
	if d < time.Second {
		return Precise(d)
	}
	return Span(d)
}

// plural writes a count with its word: "1 tick", "1 200 ticks". Below 0 the
// count reads "0", as in Count.
func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return Count(n) + " " + word + "s"
}
