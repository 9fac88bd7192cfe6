package loop_test

import (
	"slices"
	"testing"
	"time"

	"chronoscope/loop"
	"chronoscope/loop/budget"
)

func TestFrameViolations(t *testing.T) {
	const ms = time.Millisecond
	l := loop.New(budget.Frame30Hz, 8, budget.MaxFrame33)
	if v := l.FrameViolations(); v != nil {
		t.Errorf("nothing recorded: %v", v)
	}
	for range 197 {
		l.RecordFrame(20 * ms)
	}
	l.RecordFrame(-ms)
	l.RecordFrame(33 * ms)
	l.RecordFrame(49 * ms)
	if v := l.FrameViolations(); v != nil {
		t.Errorf("within the budget: %v", v)
	}
	l.RecordFrame(51 * ms)
	l.RecordFrame(34*ms + time.Microsecond)
	want := []budget.Violation{
		{Kind: "step", Index: 200, What: budget.OverMax, Limit: 50 * ms, Got: 51 * ms},
		{Kind: "step", Index: -1, What: budget.OverP99, Limit: 33 * ms, Got: 34*ms + time.Microsecond},
	}
	if got := l.FrameViolations(); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	// Only the last ones are kept, in their order.
	for range 4094 {
		l.RecordFrame(ms)
	}
	got := l.FrameViolations()
	if len(got) != 1 || got[0].Index != 0 || got[0].Got != 51*ms {
		t.Errorf("the oldest kept: %v", got)
	}
	l.RecordFrame(ms)
	if got := l.FrameViolations(); got != nil {
		t.Errorf("what has gone is told of: %v", got)
	}
	l.RecordFrame(time.Hour)
	l.Start(time.Unix(0, 0))
	if got := l.FrameViolations(); got != nil {
		t.Errorf("started anew: %v", got)
	}
}

func TestRecordFrameAllocates(t *testing.T) {
	l := loop.New(0, 1, 0)
	for range 5000 {
		l.RecordFrame(time.Millisecond)
	}
	if n := testing.AllocsPerRun(100, func() { l.RecordFrame(time.Millisecond) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
