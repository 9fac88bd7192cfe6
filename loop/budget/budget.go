// Package budget checks measured durations against what they may cost.
//
// # Model
//
// A Budget limits one kind of work: its 99th percentile and its longest. Check
// compares samples with budgets and lists what exceeds them. It is pure, starts
// nothing and keeps nothing.
//
// # Concurrency
//
// Check only reads its arguments.
//
// # Errors
//
// There are none: work of a kind that no budget names is reported as a
// Violation, not ignored.
package budget

import (
	"fmt"
	"slices"
	"time"
)

// Budgets of a step by the common rates, in the whole milliseconds that budgets
// are written in. They are limits to hold a step against, not periods to run
// at: 33 ms is not 30 Hz, and a loop that runs at 16 ms for 60 Hz gains two and
// a half steps a second. Rates come from loop.Rate.
const (
	Frame30Hz  = 33 * time.Millisecond
	Frame60Hz  = 16 * time.Millisecond
	MaxFrame33 = 50 * time.Millisecond // hard ceiling of a 30 Hz step
	MaxFrame16 = 25 * time.Millisecond // hard ceiling of a 60 Hz step
)

// Kind names a kind of work: "step", "draw", "ai".
type Kind string

// Sample is one measured piece of work.
type Sample struct {
	Kind     Kind
	Duration time.Duration
}

// Budget limits a kind of work. A limit of 0 or less limits nothing.
type Budget struct {
	Kind Kind
	// P99 is what 99 of 100 may take at most, Max what any may.
	P99, Max time.Duration
}

// Violation is one way in which samples exceed a budget.
type Violation struct {
	Kind Kind
	// Index is that of the sample, in the order given; -1 for what isn't about
	// one sample.
	Index int
	What  What
	// Limit was exceeded by Got. Both are 0 for Unknown.
	Limit, Got time.Duration
}

// What is the kind of a Violation.
type What uint8

// The kinds of violations.
const (
	OverMax What = iota // one sample takes longer than Max
	OverP99             // the 99th percentile is over P99
	Unknown             // no budget names the kind; Index is its first sample
)

func (w What) String() string {
	switch w {
	case OverMax:
		return "over max"
	case OverP99:
		return "P99 over limit"
	case Unknown:
		return "no budget"
	}
	return fmt.Sprintf("what(%d)", uint8(w))
}

// String says what is wrong in one line.
func (v Violation) String() string {
	switch v.What {
	case Unknown:
		return fmt.Sprintf("%s: no budget for sample %d", v.Kind, v.Index)
	case OverP99:
		return fmt.Sprintf("%s: P99 %v, limit %v", v.Kind, v.Got, v.Limit)
	}
	return fmt.Sprintf("%s: sample %d took %v, limit %v", v.Kind, v.Index, v.Got, v.Limit)
}

// Check lists what exceeds the limits: first samples over their Max or without
// a budget, in their order (a kind without one is listed once), then percentiles,
// in the order of limits. Where several limits name a kind, each counts.
func Check(limits []Budget, samples []Sample) []Violation {
	var bad []Violation
	unknown := map[Kind]bool{}
	for i, s := range samples {
		known := false
		for _, l := range limits {
			if l.Kind != s.Kind {
				continue
			}
			known = true
			if l.Max > 0 && s.Duration > l.Max {
				bad = append(bad, Violation{s.Kind, i, OverMax, l.Max, s.Duration})
			}
		}
		if !known && !unknown[s.Kind] {
			unknown[s.Kind] = true
			bad = append(bad, Violation{Kind: s.Kind, Index: i, What: Unknown})
		}
	}
	for _, l := range limits {
		if l.P99 <= 0 {
			continue
		}
		var d []time.Duration
		for _, s := range samples {
			if s.Kind == l.Kind {
				d = append(d, s.Duration)
			}
		}
		if got := P99(d); got > l.P99 {
			bad = append(bad, Violation{l.Kind, -1, OverP99, l.P99, got})
		}
	}
	return bad
}

// P99 is the 99th percentile by the nearest-rank method: the smallest duration
// that at least 99 of 100 don't exceed; 0 without any. With fewer than 100 it is
// the longest. It sorts d.
func P99(d []time.Duration) time.Duration {
	if len(d) == 0 {
		return 0
	}
	slices.Sort(d)
	rank := (len(d)*99 + 99) / 100 // rounded up
	return d[rank-1]
}
