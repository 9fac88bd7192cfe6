package coordinator

import (
	"time"

	"chronoscope/loop"
)

// A metronome says when ticks are due: boundaries of a rate, at a scale, since
// an anchor. It reads no clock and starts nothing.
//
// The next due is always boundary(n+1) since the anchor, never "now plus a
// tick": arming from now loses the lateness of every wake-up, 8 % of the ticks
// at ten checks a tick.
type metronome struct {
	rate   loop.Rate
	scale  float64
	anchor time.Time
	used   loop.Tick // boundaries since the anchor that were released or dropped
}

// reanchor starts counting at an instant: the next tick is due a whole tick later.
func (m *metronome) reanchor(at time.Time) { m.anchor, m.used = at, 0 }

// retune changes rate and scale. The new anchor is the last boundary used, so
// that a rate dragged up and down many times a second still lets ticks pass,
// but never so early that more than one tick is due at once.
func (m *metronome) retune(now time.Time, rate loop.Rate, scale float64) {
	last := m.boundary(m.used)
	m.rate, m.scale = rate, scale
	if earliest := now.Add(-m.offset(1)); last.Before(earliest) {
		last = earliest
	}
	m.reanchor(last)
}

// offset is boundary n in real time since the anchor.
func (m *metronome) offset(n loop.Tick) time.Duration {
	b := m.rate.Boundary(n)
	if m.scale == 1 {
		return b
	}
	// A float64 holds whole nanoseconds up to 104 days since the anchor. The
	// limit keeps the longest duration from wrapping at a scale below 1.
	return time.Duration(min(float64(b)/m.scale, 1<<62))
}

func (m *metronome) boundary(n loop.Tick) time.Time { return m.anchor.Add(m.offset(n)) }

// next is when the next tick is due.
func (m *metronome) next() time.Time { return m.boundary(m.used + 1) }

// due counts the boundaries up to now that are not used up.
func (m *metronome) due(now time.Time) loop.Tick {
	elapsed := now.Sub(m.anchor)
	if elapsed <= 0 {
		return 0
	}
	n := m.rate.TickAt(elapsed)
	if m.scale != 1 {
		n = m.rate.TickAt(time.Duration(min(float64(elapsed)*m.scale, 1<<62)))
		// The two roundings may disagree by one, and never by more: they are
		// within a microsecond even after 292 years.
		if m.offset(n) > elapsed {
			n--
		} else if m.offset(n+1) <= elapsed {
			n++
		}
	}
	if n <= m.used {
		return 0
	}
	return n - m.used
}

// A beat is what one check makes of the ticks that are due.
type beat struct {
	release   bool
	scheduled time.Time // when the released tick was due
	dropped   loop.Tick
	backlog   loop.Tick // still due after the release
}

// check applies the overload policy and uses up what is released and dropped:
// at most one tick is released per check. CatchUp keeps a backlog of at most
// limit ticks, this one included; Drop keeps none. What goes is the oldest, so
// the phase survives.
func (m *metronome) check(now time.Time, policy loop.Policy, limit int) beat {
	due := m.due(now)
	if due == 0 {
		return beat{}
	}
	keep := loop.Tick(1)
	if policy == loop.CatchUp {
		keep = min(due, loop.Tick(limit))
	}
	b := beat{release: true, dropped: due - keep, backlog: keep - 1}
	m.used += b.dropped + 1
	b.scheduled = m.boundary(m.used)
	return b
}
