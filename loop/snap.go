package loop

import (
	"math"
	"time"
)

// SnapWithin is how near to a whole number of refreshes a frame's time must be
// to count as that: more than the jitter of a stamp taken at the start of a
// frame, much less than what tells 60 from 59 frames a second.
const SnapWithin = 200 * time.Microsecond

// Snapper makes the time from frame to frame even: on a display that refreshes
// every R, frames come a multiple of R apart, whatever the stamps say, which
// are taken a little early or late. A fixed step driven by the raw stamps at
// about R a step runs 0 steps in one frame and 2 in the next whenever jitter
// pushes a stamp over a boundary.
//
// No time is lost or gained: what is rounded away is carried to the next frame,
// so the sum of what went out differs from the sum of what went in by at most
// SnapWithin, for ever. A display that differs from the stated period is
// followed in that way too.
//
// Snapping alone leaves one case: boundaries that coincide with frames, where
// one carried nanosecond decides. Whoever anchors a loop puts its boundaries
// between the frames.
//
// The zero Snapper is ready. It reads no clock and belongs to one goroutine.
type Snapper struct{ carry time.Duration }

// Snap gives the time to count for a frame that came raw after the last one, on
// a display with the given refresh period: a multiple of it if raw, with what
// is carried, is within SnapWithin of one, or else all of that. A period of 0
// or less (unknown), or one too short to tell multiples apart, snaps nothing. It
// is never negative; raw below 0 counts as 0.
func (s *Snapper) Snap(raw, refresh time.Duration) time.Duration {
	total := max(raw, 0)
	if s.carry > 0 && total > math.MaxInt64-s.carry {
		s.carry = 0 // after centuries without a frame
	}
	total += s.carry
	snapped := total
	if refresh > 2*SnapWithin {
		whole := total / refresh
		if total-whole*refresh > refresh/2 {
			whole++
		}
		if rest := total - whole*refresh; -SnapWithin <= rest && rest <= SnapWithin {
			snapped = total - rest
		}
	}
	snapped = max(snapped, 0) // a frame at once after one that was rounded up
	s.carry = total - snapped
	return snapped
}

// Carried is the time that went in and has not come out: at most SnapWithin
// either way.
func (s *Snapper) Carried() time.Duration { return s.carry }
