package frametime

import (
	"math/bits"
	"slices"
	"time"
)

const (
	digitBits = 11
	digits    = 1 << digitBits
	// radixFrom is from how many values on counting digits beats comparing.
	radixFrom = 256
)

// sorted is a series in order, in new memory. Panels ask for it between two
// frames, of ten thousand intervals that lie close together, so it sorts by
// digits: as many passes as the spread between the shortest and the longest has
// digits of 11 bits, and not thirteen comparisons a value.
func sorted(f []time.Duration) []time.Duration {
	s := slices.Clone(f)
	sortInPlace(s)
	return s
}

func sortInPlace(s []time.Duration) {
	if len(s) < radixFrom {
		slices.Sort(s)
		return
	}
	least, most := s[0], s[0]
	for _, d := range s[1:] {
		least, most = min(least, d), max(most, d)
	}
	// As unsigned numbers the distances from the least are right even where the
	// spread is more than an int64 holds.
	spread := uint64(most) - uint64(least)
	from, to := s, make([]time.Duration, len(s))
	for shift := 0; shift < bits.Len64(spread); shift += digitBits {
		var place [digits]int
		for _, d := range from {
			place[(uint64(d)-uint64(least))>>shift%digits]++
		}
		at := 0
		for i, n := range place {
			place[i] = at
			at += n
		}
		for _, d := range from {
			p := &place[(uint64(d)-uint64(least))>>shift%digits]
			to[*p] = d
			*p++
		}
		from, to = to, from
	}
	if &from[0] != &s[0] {
		copy(s, from)
	}
}
