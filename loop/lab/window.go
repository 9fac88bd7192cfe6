package lab

import (
	"math"
	"time"
)

// The bins of a Histogram: so many to a factor of ten, from Least to Most.
const (
	Least     = 100 * time.Nanosecond
	Most      = time.Second
	Decades   = 7
	PerDecade = 48 // a bin is 5 % wide
	Bins      = Decades * PerDecade
)

// Histogram counts durations in bins of equal ratio. Its first count is of what
// is below Least, its last of what is Most or longer.
type Histogram struct {
	counts [Bins + 2]uint32
	n      uint64
}

// bin is where a duration is counted.
func bin(d time.Duration) int {
	switch {
	case d < Least:
		return 0
	case d >= Most:
		return Bins + 1
	}
	return 1 + min(int(math.Log10(float64(d)/float64(Least))*PerDecade), Bins-1)
}

// edge is the lower edge of bin i, 1 to Bins+1.
func edge(i int) time.Duration {
	return time.Duration(float64(Least) * math.Pow(10, float64(i-1)/PerDecade))
}

func (h *Histogram) add(d time.Duration) {
	h.counts[bin(d)]++
	h.n++
}

// less takes away what another histogram, part of this one, has counted.
func (h *Histogram) less(o *Histogram) {
	for i, c := range o.counts {
		h.counts[i] -= c
	}
	h.n -= o.n
}

// Count is how many durations there are.
func (h *Histogram) Count() uint64 { return h.n }

// Between is how many durations lie in the bins from and to, 0 to Bins+1, without
// to's.
func (h *Histogram) Between(from, to int) (n uint64) {
	for _, c := range h.counts[max(from, 0):min(to, len(h.counts))] {
		n += uint64(c)
	}
	return n
}

// Quantile is what a share q, 0 to 1, of the durations keep within, to the width
// of a bin; 0 for none of them, Most for what is beyond.
func (h *Histogram) Quantile(q float64) time.Duration {
	if h.n == 0 {
		return 0
	}
	want := q * float64(h.n)
	below := 0.0
	for i, c := range h.counts {
		if c == 0 || below+float64(c) < want {
			below += float64(c)
			continue
		}
		if i > Bins {
			return Most
		}
		lo, hi := time.Duration(0), Least
		if i > 0 {
			lo, hi = edge(i), edge(i+1)
		}
		return lo + time.Duration(float64(hi-lo)*max(want-below, 0)/float64(c))
	}
	return Most
}

// WindowSpan is how far back a Window remembers, besides the second under way.
const WindowSpan = 30 * time.Second

const windowSlots = int(WindowSpan/time.Second) + 1

// Window keeps the latenesses of the last WindowSpan, second by second, in a
// fixed amount of memory. Instants are counted from its start and don't fall.
type Window struct {
	total Histogram
	slots [windowSlots]second
	now   int64 // the second under way
}

// second is one second of a Window.
type second struct {
	used    bool
	start   time.Duration // of the first lateness in it
	h       Histogram
	most    time.Duration
	skipped uint64
	spent   time.Duration // of the processor, before it
}

// Add notes that a wait ended late, at an instant, after skipped schedule points
// were passed by. spent is the processor time used until then, which doesn't fall.
func (w *Window) Add(at, late time.Duration, skipped uint64, spent time.Duration) {
	w.turn(at)
	s := &w.slots[w.now%int64(windowSlots)]
	if !s.used {
		s.used, s.start, s.spent = true, at, spent
	}
	late = max(late, 0)
	s.h.add(late)
	w.total.add(late)
	s.most = max(s.most, late)
	s.skipped += skipped
}

// turn forgets the seconds that are too old at an instant.
func (w *Window) turn(at time.Duration) {
	for sec, left := int64(max(at, 0)/time.Second), windowSlots; w.now < sec && left > 0; left-- {
		// After a long silence only the last slots can hold anything.
		w.now = max(w.now+1, sec-int64(windowSlots)+1)
		s := &w.slots[w.now%int64(windowSlots)]
		w.total.less(&s.h)
		*s = second{}
	}
}

// Summary is what a Window says at an instant.
type Summary struct {
	Histogram     Histogram
	P50, P99, Max time.Duration
	Skipped       uint64
	// CPU is the share of a core that was used; 0 for none, or unknown.
	CPU float64
}

// Read sums the window up at an instant; spent is as in Add, of that instant.
func (w *Window) Read(at, spent time.Duration) (s Summary) {
	w.turn(at)
	s.Histogram = w.total
	s.P50, s.P99 = s.Histogram.Quantile(0.50), s.Histogram.Quantile(0.99)
	for i := range w.slots {
		s.Max = max(s.Max, w.slots[i].most)
		s.Skipped += w.slots[i].skipped
	}
	s.P50, s.P99 = min(s.P50, s.Max), min(s.P99, s.Max)
	for i := range int64(windowSlots) {
		old := &w.slots[(w.now+1+i)%int64(windowSlots)]
		if old.used && at > old.start {
			s.CPU = max(0, float64(spent-old.spent)/float64(at-old.start))
			break
		}
	}
	return s
}
