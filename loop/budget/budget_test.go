package budget_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"chronoscope/loop/budget"
)

const ms = time.Millisecond

func steps(d ...time.Duration) []budget.Sample {
	var s []budget.Sample
	for _, v := range d {
		s = append(s, budget.Sample{Kind: "step", Duration: v})
	}
	return s
}

func TestCheck(t *testing.T) {
	limits := []budget.Budget{{Kind: "step", P99: budget.Frame30Hz, Max: budget.MaxFrame33}, {Kind: "draw", Max: 5 * ms}}
	many := func(n int, d time.Duration) []budget.Sample { return steps(slices.Repeat([]time.Duration{d}, n)...) }
	tests := []struct {
		name    string
		samples []budget.Sample
		want    []budget.Violation
	}{
		{"nothing measured", nil, nil},
		{"at the limits", append(many(99, 33*ms), steps(50*ms)...), nil},
		{"over the ceiling once", append(many(199, 20*ms), steps(51*ms)...),
			[]budget.Violation{{Kind: "step", Index: 199, What: budget.OverMax, Limit: 50 * ms, Got: 51 * ms}}},
		{"one in a hundred may be slow", append(many(99, 20*ms), steps(40*ms)...), nil},
		{"two may not", append(many(98, 20*ms), steps(40*ms, 41*ms)...),
			[]budget.Violation{{Kind: "step", Index: -1, What: budget.OverP99, Limit: 33 * ms, Got: 40 * ms}}},
		{"few samples: the longest counts", steps(10*ms, 34*ms),
			[]budget.Violation{{Kind: "step", Index: -1, What: budget.OverP99, Limit: 33 * ms, Got: 34 * ms}}},
		{"an unknown kind is told of, once", []budget.Sample{{Kind: "draw", Duration: ms}, {Kind: "ai", Duration: ms}, {Kind: "ai", Duration: 9 * ms}},
			[]budget.Violation{{Kind: "ai", Index: 1, What: budget.Unknown}}},
		{"kinds don't mix", []budget.Sample{{Kind: "draw", Duration: 6 * ms}, {Kind: "step", Duration: 6 * ms}},
			[]budget.Violation{{Kind: "draw", Index: 0, What: budget.OverMax, Limit: 5 * ms, Got: 6 * ms}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := budget.Check(limits, tt.samples); !slices.Equal(got, tt.want) {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

func TestP99(t *testing.T) {
	var d []time.Duration
	for i := range 1000 {
		d = append(d, time.Duration(1000-i)*ms)
	}
	for n, want := range map[int]time.Duration{1: 1000 * ms, 100: 999 * ms, 1000: 990 * ms} {
		if got := budget.P99(slices.Clone(d[:n])); got != want {
			t.Errorf("of %d: %v, want %v", n, got, want)
		}
	}
	if budget.P99(nil) != 0 {
		t.Error("of nothing")
	}
}

func ExampleCheck() {
	limits := []budget.Budget{{Kind: "step", P99: budget.Frame60Hz, Max: budget.MaxFrame16}}
	for _, v := range budget.Check(limits, []budget.Sample{{Kind: "step", Duration: 30 * time.Millisecond}, {Kind: "draw"}}) {
		fmt.Println(v)
	}
	// Output:
	// step: sample 0 took 30ms, limit 25ms
	// draw: no budget for sample 1
	// step: P99 30ms, limit 16ms
}
