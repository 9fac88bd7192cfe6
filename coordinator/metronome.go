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
//
// With policy SlowDown a tick is longer by a factor, which follows the smoothed
// lateness of the checks: see observe and stretchFor.
type metronome struct {
	rate   loop.Rate
	scale  float64
	anchor time.Time
	used   loop.Tick // boundaries since the anchor that were released or dropped

	late   time.Duration // smoothed lateness of checks, under SlowDown
	factor float64       // of the tick's length; 0 counts as 1
}

// reanchor starts counting at an instant: the next tick is due a whole tick later.
func (m *metronome) reanchor(at time.Time) { m.anchor, m.used = at, 0 }

// renew is reanchor after a time without releases: the stretch is that of today.
func (m *metronome) renew(at time.Time) {
	m.setStretch(stretchFor(m.late, m.nominal()))
	m.reanchor(at)
}

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

// stretch is the length of a tick in nominal ticks, 1 to maxStretch.
func (m *metronome) stretch() float64 { return max(m.factor, 1) }

// speed is game time by real time: the scale, less while the tick is stretched.
func (m *metronome) speed() float64 { return m.scale / m.stretch() }

// tick is the real length of one tick as it is now, never 0.
func (m *metronome) tick() time.Duration { return max(m.offset(1), 1) }

// setStretch changes the length of the ticks to come. The last boundary used
// keeps its instant, so the phase survives.
func (m *metronome) setStretch(factor float64) {
	if factor == m.stretch() {
		return
	}
	m.reanchor(m.boundary(m.used))
	m.factor = factor
}

// relax ends the stretching and forgets why it began.
func (m *metronome) relax() {
	m.late = 0
	m.setStretch(1)
}

// nominal is the real length of a tick that isn't stretched.
func (m *metronome) nominal() time.Duration {
	return time.Duration(float64(m.rate.Boundary(1)) / m.scale)
}

// observe takes the lateness of one check, which came gap after the one before,
// into the average. Ticks are stretched by it from the next release on, so that
// a tick's length stands when it begins: drawing goes by it.
func (m *metronome) observe(late, gap time.Duration) {
	m.late = smoothOverload(m.late, late, gap, m.nominal())
}

// offset is boundary n in real time since the anchor.
func (m *metronome) offset(n loop.Tick) time.Duration {
	b, speed := m.rate.Boundary(n), m.speed()
	if speed == 1 {
		return b
	}
	// A float64 holds whole nanoseconds up to 104 days since the anchor. The
	// limit keeps the longest duration from wrapping at a speed below 1.
	return time.Duration(min(float64(b)/speed, 1<<62))
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
	if speed := m.speed(); speed != 1 {
		n = m.rate.TickAt(time.Duration(min(float64(elapsed)*speed, 1<<62)))
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
// limit ticks, this one included; Drop and SlowDown keep none. What goes is the
// oldest, so the phase survives. SlowDown stretches what comes after.
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
	if policy == loop.SlowDown {
		m.setStretch(stretchFor(m.late, m.nominal()))
	}
	return b
}

// The stretching of the tick under policy SlowDown, as functions.
const (
	// maxStretch bounds a tick, in nominal ticks.
	maxStretch = 4
	// onTime is the share of a nominal tick within which a check counts as
	// being in time: timers are late by a millisecond on the best of days, and
	// that must not slow the world. Beyond it a tick gets longer by as much as
	// the checks are late, and is then half a tick longer than what lies
	// between two checks: none is missed.
	onTime = 0.5
	// slowTime is the time constant of the smoothing: most of a lateness that
	// lasts is believed within half a second, and forgotten as fast.
	slowTime = 100 * time.Millisecond
	// slowWeight bounds the share of one check in the average, and maxLate what
	// one counts for, in nominal ticks. So a check that is late by hours moves
	// the average by half a tick, which alone stretches nothing.
	slowWeight = 1.0 / 8
	maxLate    = 4
)

// smoothOverload takes the lateness of one check into the average, with a weight
// by the time since the one before.
func smoothOverload(average, late, gap, nominal time.Duration) time.Duration {
	late, gap = min(max(late, 0), maxLate*nominal), max(gap, 0)
	weight := min(gap.Seconds()/(gap.Seconds()+slowTime.Seconds()), slowWeight)
	return average + time.Duration(weight*float64(late-average))
}

// stretchFor is the length of a tick, in nominal ones, at a smoothed lateness.
func stretchFor(late, nominal time.Duration) float64 {
	return min(max(1-onTime+float64(late)/float64(max(nominal, 1)), 1), maxStretch)
}
