package loop

import (
	"fmt"
	"strconv"
	"strings"
)

// The rates a world runs at, in ticks per second, both ends included. Below 1
// a town's second lasts longer than a real one at any time scale a user would
// pick; above 240 a tick is shorter than what the usual timers can pace.
const (
	MinRate = 1
	MaxRate = 240
)

// InRange says whether r is valid and between MinRate and MaxRate.
func (r Rate) InRange() bool {
	return r.Valid() && r.Num >= MinRate*r.Den && r.Num <= MaxRate*r.Den
}

// ParseRate reads a rate between MinRate and MaxRate in one of three forms: a
// whole number ("60"), a decimal ("62.5"), a fraction ("60000/1001"). The
// result is in lowest terms, so equal rates compare equal.
//
// A decimal with two or more places that is a rounding of 24, 30, 48, 60, 72,
// 96, 120, 144 or 240 times 1000/1001 means that fraction (the NTSC family):
// "59.94" is 60000/1001, "23.976" and "23.98" are 24000/1001. Any other
// decimal is taken as it stands, with up to seven places.
func ParseRate(s string) (Rate, error) {
	r, ok := parseRate(s)
	if !ok || !r.InRange() {
		return Rate{}, fmt.Errorf("loop: rate %q: want %d to %d ticks per second, as 60, 59.94 or 60000/1001", s, MinRate, MaxRate)
	}
	return r, nil
}

// MaxRefresh bounds the rates of displays, refreshes a second.
const MaxRefresh = 1000

// ParseRefresh reads a display's refresh rate as ParseRate reads a tick rate,
// between MinRate and MaxRefresh.
func ParseRefresh(s string) (Rate, error) {
	r, ok := parseRate(s)
	if !ok || !r.Valid() || r.Num < MinRate*r.Den || r.Num > MaxRefresh*r.Den {
		return Rate{}, fmt.Errorf("loop: refresh %q: want %d to %d Hz, as 60, 59.94 or 60000/1001", s, MinRate, MaxRefresh)
	}
	return r, nil
}

// parseRate reads the three forms; the range is the caller's.
func parseRate(s string) (Rate, bool) {
	if num, den, ok := strings.Cut(s, "/"); ok {
		n, okN := parseDigits(num)
		d, okD := parseDigits(den)
		if !okN || !okD {
			return Rate{}, false
		}
		return reduce(n, d), d > 0
	}
	whole, frac, point := strings.Cut(s, ".")
	if point && frac == "" {
		return Rate{}, false
	}
	n, ok := parseDigits(whole)
	if !ok {
		return Rate{}, false
	}
	frac = strings.TrimRight(frac, "0")
	if frac == "" {
		return reduce(n, 1), true
	}
	f, ok := parseDigits(frac)
	if !ok || len(frac) > maxPlaces {
		return Rate{}, false
	}
	den := uint64(1)
	for range len(frac) {
		den *= 10
	}
	n = n*den + f // below 2^32*1e7: no overflow
	if len(frac) >= 2 {
		if r, ok := snapNTSC(n, den); ok {
			return r, true
		}
	}
	return reduce(n, den), true
}

// maxPlaces keeps 240 times a power of ten, the numerator, below 2^32.
const maxPlaces = 7

// parseDigits reads a plain decimal number below 2^32: no sign, no space, no
// underscore.
func parseDigits(s string) (uint64, bool) {
	if s == "" || strings.Trim(s, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.ParseUint(s, 10, 32)
	return n, err == nil
}

// snapNTSC finds the NTSC rate that rounds to n/den, den being a power of ten.
func snapNTSC(n, den uint64) (Rate, bool) {
	for _, base := range [...]uint64{24, 30, 48, 60, 72, 96, 120, 144, 240} {
		// round(base*1000/1001 * den)
		if n == (2*base*1000*den+1001)/(2*1001) {
			return reduce(base*1000, 1001), true
		}
	}
	return Rate{}, false
}

// reduce is num/den in lowest terms.
func reduce(num, den uint64) Rate {
	a, b := num, den
	for b != 0 {
		a, b = b, a%b
	}
	if a == 0 {
		return Rate{num, den}
	}
	return Rate{num / a, den / a}
}
