package loop

import (
	"time"

	"chronoscope/loop/budget"
)

// framesKept is how many step durations a Loop remembers: a minute at 60 Hz and
// more, exactly, in 32 KiB.
const framesKept = 4096

// frameRing keeps the last durations.
type frameRing struct {
	last  []time.Duration // grows to framesKept, then is written round
	total uint64
}

func (r *frameRing) push(d time.Duration) {
	if len(r.last) < framesKept {
		r.last = append(r.last, d)
	} else {
		r.last[r.total%framesKept] = d
	}
	r.total++
}

// stepKind is the kind under which a Loop's budget and its violations stand.
const stepKind budget.Kind = "step"

// RecordFrame notes how long one step took. The last 4,096 are kept, as exact as
// they are given; a negative duration counts as 0.
func (l *Loop) RecordFrame(d time.Duration) { l.frames.push(max(d, 0)) }

// FrameViolations says what budget.Check has to say of the recorded steps:
// which took longer than MaxFrame, and whether the 99th percentile of them is
// over the interval. An Index counts the kept ones from the oldest.
func (l *Loop) FrameViolations() []budget.Violation {
	r := &l.frames
	samples := make([]budget.Sample, 0, len(r.last))
	first := uint64(0)
	if r.total > framesKept {
		first = r.total % framesKept
	}
	for i := range r.last {
		samples = append(samples, budget.Sample{Kind: stepKind, Duration: r.last[(first+uint64(i))%uint64(len(r.last))]})
	}
	return budget.Check([]budget.Budget{{Kind: stepKind, P99: l.interval, Max: l.maxFrame}}, samples)
}
