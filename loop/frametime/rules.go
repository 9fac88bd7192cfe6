package frametime

import (
	"fmt"
	"strings"
	"time"
)

// Reason is why a frame is left out of figures.
type Reason uint8

// The reasons, in the order in which they are asked: a frame counts once, under
// the first that applies.
const (
	OfGap Reason = iota
	OfPause
	OfWarmup
	OfFocus
	OfResize
	OfReadBack
	Reasons int = iota
)

// String is a word or two, for "N used, M left out (3 unfocused)".
func (r Reason) String() string {
	switch r {
	case OfGap:
		return "gap"
	case OfPause:
		return "paused"
	case OfWarmup:
		return "first second"
	case OfFocus:
		return "unfocused"
	case OfResize:
		return "resized"
	case OfReadBack:
		return "read back"
	}
	return fmt.Sprintf("Reason(%d)", uint8(r))
}

// DefaultWarmup is what is left out at the beginning: a window opens, caches
// fill, the refresh isn't known.
const DefaultWarmup = time.Second

// Rules say which frames enter figures. The zero Rules are the usual ones:
// frames in the first second, unfocused, resized, read back, paused or gaps are
// left out.
type Rules struct {
	// Begin is the stamp that the first second counts from; frames that began
	// before it are left out as well.
	Begin int64
	// Warmup is how much is left out after Begin; 0 means DefaultWarmup,
	// negative nothing.
	Warmup time.Duration
	// Keep takes frames in that would be left out for these reasons. Gaps are
	// never taken in: their intervals measure nothing.
	Keep [Reasons]bool
}

// LeaveOut says whether a frame is left out, and why.
func (r *Rules) LeaveOut(f *Frame) (Reason, bool) {
	warmup := r.Warmup
	if warmup == 0 {
		warmup = DefaultWarmup
	}
	early := warmup > 0 && f.Layout-r.Begin < int64(warmup)
	if !early && f.Flags&(Gap|Paused|Warmup|Focused|Resized|ReadBack) == Focused {
		return 0, false // as most are; graphs ask of ten thousand
	}
	for reason, applies := range [Reasons]bool{
		OfGap:      f.Flags&Gap != 0,
		OfPause:    f.Flags&Paused != 0,
		OfWarmup:   early || f.Flags&Warmup != 0,
		OfFocus:    f.Flags&Focused == 0,
		OfResize:   f.Flags&Resized != 0,
		OfReadBack: f.Flags&ReadBack != 0,
	} {
		if applies && (!r.Keep[reason] || Reason(reason) == OfGap) {
			return Reason(reason), true
		}
	}
	return 0, false
}

// Selection is a series after the rules.
type Selection struct {
	Used []Frame
	// LeftOut counts by Reason.
	LeftOut [Reasons]int
	// Blank says that the newest frame is paused: figures are to be shown as
	// nothing, since they would be old ones.
	Blank bool
}

// Select applies the rules to a series. Used is new memory.
func (r *Rules) Select(frames []Frame) Selection {
	s := Selection{Used: make([]Frame, 0, len(frames))}
	for i := range frames {
		if reason, out := r.LeaveOut(&frames[i]); out {
			s.LeftOut[reason]++
		} else {
			s.Used = append(s.Used, frames[i])
		}
	}
	s.Blank = len(frames) > 0 && frames[len(frames)-1].Flags&Paused != 0
	return s
}

// view is Select, but Used is the series' own memory as long as what is used
// lies together, which it mostly does: all but the first second.
func (r *Rules) view(frames []Frame) Selection {
	var s Selection
	begin, end := -1, 0
	for i := range frames {
		reason, out := r.LeaveOut(&frames[i])
		switch {
		case out:
			s.LeftOut[reason]++
		case begin < 0:
			begin, end = i, i+1
		case end < i: // there was a hole
			return r.Select(frames)
		default:
			end = i + 1
		}
	}
	s.Used = frames[max(begin, 0):end]
	s.Blank = len(frames) > 0 && frames[len(frames)-1].Flags&Paused != 0
	return s
}

// Out is how many were left out.
func (s *Selection) Out() (n int) {
	for _, v := range s.LeftOut {
		n += v
	}
	return n
}

// String reads "118 used, 3 left out (2 unfocused, 1 gap)".
func (s *Selection) String() string { return counts(len(s.Used), s.LeftOut) }

func counts(used int, out [Reasons]int) string {
	var why []string
	total := 0
	for reason, n := range out {
		if total += n; n > 0 {
			why = append(why, fmt.Sprintf("%d %v", n, Reason(reason)))
		}
	}
	text := fmt.Sprintf("%d used, %d left out", used, total)
	if len(why) > 0 {
		text += " (" + strings.Join(why, ", ") + ")"
	}
	return text
}
