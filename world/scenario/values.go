package scenario

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"

	"chronoscope/loop"
)

// A Value is a parameter's place in a configuration, bound to the variable
// that it sets.
type Value interface {
	// Set parses a text and stores it; it stores nothing when it gives an
	// error: ErrRefused, or one whose text says more than the accepted range.
	Set(text string) error
	// String is the present value in the form that Set reads.
	String() string
	// Accepted is the range, with its unit: "1 to 1000 ticks".
	Accepted() string
	// Plain is the present value for a report: a number, a boolean or a text.
	Plain() any
	// Forms says which kinds of TOML value stand for it in a scenario file.
	Forms() Forms
}

// Forms is a set of kinds of TOML value.
type Forms uint8

// The kinds of TOML value a parameter may be written as.
const (
	Whole   Forms = 1 << iota // an integer
	Decimal                   // a float
	Quoted                    // a string
	Logical                   // true or false
)

// String lists the kinds: "a number", "a string or a number".
func (f Forms) String() string {
	var kinds []string
	if f&Quoted != 0 {
		kinds = append(kinds, "a string")
	}
	switch {
	case f&Decimal != 0:
		kinds = append(kinds, "a number")
	case f&Whole != 0:
		kinds = append(kinds, "a whole number")
	}
	if f&Logical != 0 {
		kinds = append(kinds, "true or false")
	}
	return strings.Join(kinds, " or ")
}

// ErrRefused is what Set answers when Accepted explains all: the table then says
// "accepted are" and the range.
var ErrRefused = errors.New("scenario: value refused")

type integer interface {
	~int | ~int32 | ~int64 | ~uint32 | ~uint64
}

// Int is a whole number between Min and Max.
type Int[T integer] struct {
	P        *T
	Min, Max T
	Unit     string // "ticks", "cells", "" for a plain count
	Zero     string // what 0 means where it is special: "no end"
}

// Set reads a decimal number.
func (v *Int[T]) Set(text string) error {
	n, ok := new(big.Int).SetString(text, 10)
	if !ok || strings.HasPrefix(text, "+") || n.Cmp(bigOf(v.Min)) < 0 || n.Cmp(bigOf(v.Max)) > 0 {
		return ErrRefused
	}
	if n.IsUint64() {
		*v.P = T(n.Uint64())
	} else {
		*v.P = T(n.Int64())
	}
	return nil
}

func bigOf[T integer](n T) *big.Int {
	if n < 0 {
		return big.NewInt(int64(n))
	}
	return new(big.Int).SetUint64(uint64(n))
}

// String is the number in decimal.
func (v *Int[T]) String() string { return fmt.Sprint(*v.P) }

// Accepted reads "1 to 1000 ticks", "0 (no end) to 100".
func (v *Int[T]) Accepted() string {
	least := fmt.Sprint(v.Min)
	if v.Zero != "" && v.Min == 0 {
		least = "0 (" + v.Zero + ")"
	}
	return strings.TrimSuffix(fmt.Sprintf("%s to %d %s", least, v.Max, v.Unit), " ")
}

// Plain is the number.
func (v *Int[T]) Plain() any { return *v.P }

// Forms is an integer.
func (v *Int[T]) Forms() Forms { return Whole }

// Float is a finite number between Min and Max.
type Float struct {
	P        *float64
	Min, Max float64
	Unit     string
}

// Set reads a decimal number.
func (v *Float) Set(text string) error {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || !(f >= v.Min && f <= v.Max) { // refuses NaN too
		return ErrRefused
	}
	*v.P = f
	return nil
}

// String is the shortest decimal that reads back as the same number.
func (v *Float) String() string { return strconv.FormatFloat(*v.P, 'g', -1, 64) }

// Accepted reads "0.1 to 16".
func (v *Float) Accepted() string {
	return strings.TrimSuffix(fmt.Sprintf("%g to %g %s", v.Min, v.Max, v.Unit), " ")
}

// Plain is the number.
func (v *Float) Plain() any { return *v.P }

// Forms is a number with or without decimals.
func (v *Float) Forms() Forms { return Whole | Decimal }

// Bool is a switch.
type Bool struct{ P *bool }

// Set reads true or false (also 1, 0, t, f as the flag package does).
func (v *Bool) Set(text string) error {
	b, err := strconv.ParseBool(text)
	if err != nil {
		return ErrRefused
	}
	*v.P = b
	return nil
}

// String is "true" or "false".
func (v *Bool) String() string { return strconv.FormatBool(*v.P) }

// Accepted is "true or false".
func (v *Bool) Accepted() string { return "true or false" }

// Plain is the switch.
func (v *Bool) Plain() any { return *v.P }

// Forms is true or false.
func (v *Bool) Forms() Forms { return Logical }

// Duration is a length of real time between Min and Max.
type Duration struct {
	P        *time.Duration
	Min, Max time.Duration
	Zero     string // what 0 means where it is special (then 0 is accepted below Min too)
}

// Set reads a Go duration: "100us", "1m30s".
func (v *Duration) Set(text string) error {
	d, err := time.ParseDuration(text)
	if err != nil {
		return ErrRefused
	}
	if v.Zero != "" && d == 0 {
		*v.P = 0
		return nil
	}
	if d < v.Min || d > v.Max {
		return ErrRefused
	}
	*v.P = d
	return nil
}

// String is the duration without trailing zero parts: "30s", "1h".
func (v *Duration) String() string { return shortDuration(*v.P) }

// Accepted reads "10us to 100ms", "0 (no end) or 1ms to 24h".
func (v *Duration) Accepted() string {
	r := shortDuration(v.Min) + " to " + shortDuration(v.Max)
	switch {
	case v.Zero == "":
		return r
	case v.Min == 0:
		return "0 (" + v.Zero + ") to " + shortDuration(v.Max)
	}
	return "0 (" + v.Zero + ") or " + r
}

// Plain is the duration as a text.
func (v *Duration) Plain() any { return v.String() }

// Forms is a string.
func (v *Duration) Forms() Forms { return Quoted }

// shortDuration is d.String without the micro sign (flags are typed on plain
// keyboards) and without trailing "0m" and "0s" parts.
func shortDuration(d time.Duration) string {
	if d == 0 {
		return "0"
	}
	s := strings.Replace(d.String(), "µs", "us", 1)
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}

// Text is any text: a file name, a name to be looked up later.
type Text struct {
	P    *string
	Hint string // what is accepted: "a file name"
}

// Set stores a non-empty text.
func (v *Text) Set(text string) error {
	if text == "" {
		return ErrRefused
	}
	*v.P = text
	return nil
}

// String is the text.
func (v *Text) String() string { return *v.P }

// Accepted is the hint.
func (v *Text) Accepted() string { return v.Hint }

// Plain is the text.
func (v *Text) Plain() any { return *v.P }

// Forms is a string.
func (v *Text) Forms() Forms { return Quoted }

// Choice is one of a few values, each named by its String.
type Choice[T fmt.Stringer] struct {
	P       *T
	Options []T
}

// Set reads one of the names.
func (v *Choice[T]) Set(text string) error {
	i := slices.Index(v.names(), text)
	if i < 0 {
		return ErrRefused
	}
	*v.P = v.Options[i]
	return nil
}

// String is the name of the present value.
func (v *Choice[T]) String() string { return (*v.P).String() }

// Accepted reads "catchup, drop".
func (v *Choice[T]) Accepted() string { return strings.Join(v.names(), ", ") }

func (v *Choice[T]) names() []string {
	names := make([]string, len(v.Options))
	for i, o := range v.Options {
		names[i] = o.String()
	}
	return names
}

// Plain is the name.
func (v *Choice[T]) Plain() any { return v.String() }

// Forms is a string.
func (v *Choice[T]) Forms() Forms { return Quoted }

// Rate is an exact number of ticks per second, in the range of loop.ParseRate.
type Rate struct{ P *loop.Rate }

// Set reads "60", "59.94" or "60000/1001".
func (v *Rate) Set(text string) error {
	r, err := loop.ParseRate(text)
	if err != nil {
		return ErrRefused
	}
	*v.P = r
	return nil
}

// String is "60" or "60000/1001".
func (v *Rate) String() string { return v.P.String() }

// Accepted names the range and the ways to write a rate.
func (v *Rate) Accepted() string {
	return fmt.Sprintf("%d to %d a second, also as 59.94 or 60000/1001", loop.MinRate, loop.MaxRate)
}

// Plain is the rate as a text, which is exact.
func (v *Rate) Plain() any { return v.String() }

// Forms is a number or a string.
func (v *Rate) Forms() Forms { return Whole | Decimal | Quoted }

// digits says whether s is one to twelve decimal digits.
func digits(s string) bool {
	if len(s) == 0 || len(s) > 12 {
		return false
	}
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}

// Cache is a bound of memory in bytes ("64MiB") or of a number of entries (a
// bare number): setting one clears the other.
type Cache struct {
	Entries            *int
	Bytes              *int64
	MinBytes, MaxBytes int64
	MaxEntries         int
}

// Set reads "64MiB" or "16".
func (v *Cache) Set(text string) error {
	if digits(text) {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > v.MaxEntries {
			return ErrRefused
		}
		*v.Entries, *v.Bytes = n, 0
		return nil
	}
	b, err := ParseBytes(text)
	if err != nil || b < v.MinBytes || b > v.MaxBytes {
		return ErrRefused
	}
	*v.Entries, *v.Bytes = 0, b
	return nil
}

// String is "64MiB" or "16".
func (v *Cache) String() string {
	if *v.Entries > 0 {
		return strconv.Itoa(*v.Entries)
	}
	return FormatBytes(*v.Bytes)
}

// Accepted names both forms.
func (v *Cache) Accepted() string {
	return fmt.Sprintf("%s to %s, or a bare number of entries, 1 to %d",
		FormatBytes(v.MinBytes), FormatBytes(v.MaxBytes), v.MaxEntries)
}

// Plain is the bound as a text.
func (v *Cache) Plain() any { return v.String() }

// Forms is a string or an integer.
func (v *Cache) Forms() Forms { return Whole | Quoted }

// units of memory, the largest first, so that FormatBytes finds the shortest.
func units() []struct {
	name string
	size int64
} {
	return []struct {
		name string
		size int64
	}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}, {"B", 1}}
}

// ParseBytes reads a whole number of B, KiB, MiB or GiB: "64MiB".
func ParseBytes(text string) (int64, error) {
	for _, u := range units() {
		number, ok := strings.CutSuffix(text, u.name)
		if !ok {
			continue
		}
		number = strings.TrimSuffix(number, " ")
		n, err := strconv.ParseInt(number, 10, 64)
		if err != nil || !digits(number) || n > (1<<62)/u.size {
			break
		}
		return n * u.size, nil
	}
	return 0, fmt.Errorf("scenario: %q is not a size such as 64MiB", text)
}

// FormatBytes writes n in the largest unit that divides it: "64MiB", "1000B".
func FormatBytes(n int64) string {
	for _, u := range units() {
		if n >= u.size && n%u.size == 0 {
			return fmt.Sprintf("%d%s", n/u.size, u.name)
		}
	}
	return fmt.Sprintf("%dB", n)
}
