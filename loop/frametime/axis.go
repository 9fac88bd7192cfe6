package frametime

import (
	"sort"
	"time"
)

// AutoTop is the upper end of an axis of frame times that begins at 0: 2.2 times
// the refresh period or the 99.5th percentile, whichever is more. So a hitch
// doesn't flatten everything else, swings of a few milliseconds fill a good part
// of the lane, and the line at two refreshes is on it. 0 when nothing is known.
func AutoTop(f []time.Duration, refresh time.Duration) time.Duration {
	top := max(refresh, 0) * 22 / 10
	return max(top, Quantile(sorted(f), 0.995))
}

// Outcome is how a frame is marked, by colour and by shape.
type Outcome uint8

// The outcomes, from the best to the one that counts for nothing.
const (
	OnTime Outcome = iota
	MissedOne
	MissedMore // two refreshes or more
	Excluded
)

// OutcomeOf says how a frame came out under rules on a display; with an unknown
// refresh nothing is missed.
func OutcomeOf(f *Frame, rules *Rules, refresh time.Duration) Outcome {
	if _, out := rules.LeaveOut(f); out {
		return Excluded
	}
	return OnTime + Outcome(min(Missed(f.Interval(), refresh), 2))
}

// Sequence is a series of frames in order: a FrameRing, or FrameSlice.
type Sequence interface {
	Len() int
	At(i int) *Frame
}

// FrameSlice makes a Sequence of a slice.
type FrameSlice []Frame

// Len is how many there are.
func (s FrameSlice) Len() int { return len(s) }

// At is frame i.
func (s FrameSlice) At(i int) *Frame { return &s[i] }

// Band is what a column of pixels shows of the frames that overlap it: from the
// shortest to the longest interval and never the mean alone, in which a swing
// between two values is a flat line.
type Band struct {
	Lo, Hi time.Duration
	Frames int
	// Worst is the worst outcome of those that count; Excluded when none does.
	// Lo and Hi are of those that count, as long as one does.
	Worst Outcome
}

// Bands sorts the frames between two stamps into as many columns as dst is long,
// each as long a time. It overwrites dst and allocates nothing.
func Bands(dst []Band, s Sequence, from, to int64, rules *Rules, refresh time.Duration) {
	clear(dst)
	span := to - from
	if span <= 0 || len(dst) == 0 {
		return
	}
	perNano, last := float64(len(dst))/float64(span), float64(len(dst)-1)
	column := func(t int64) int { return int(min(max(float64(t-from)*perNano, 0), last)) }
	n := s.Len()
	// Frames are in order, so those of the span lie together.
	begin := sort.Search(n, func(i int) bool { return s.At(i).Next > from })
	for i := begin; i < n; i++ {
		f := s.At(i)
		if f.Layout >= to {
			break
		}
		outcome, d := OutcomeOf(f, rules, refresh), f.Interval()
		end := column(f.Next - 1)
		for c := column(f.Layout); c <= end; c++ {
			dst[c].merge(d, outcome)
		}
	}
}

func (b *Band) merge(d time.Duration, o Outcome) {
	fresh := b.Frames == 0
	b.Frames++
	switch {
	case fresh || b.Worst == Excluded && o != Excluded:
		b.Lo, b.Hi, b.Worst = d, d, o
	case o == Excluded && b.Worst != Excluded:
	default:
		b.Lo, b.Hi, b.Worst = min(b.Lo, d), max(b.Hi, d), max(b.Worst, o)
	}
}
