package coordinator

import (
	"testing"
	"time"

	"chronoscope/loop"
)

func TestFrames(t *testing.T) {
	const tick = 10 * time.Millisecond
	at := func(ms int) time.Time { return anchor.Add(time.Duration(ms) * time.Millisecond) }
	type fed struct {
		due  loop.Tick
		last int // ms
	}
	for _, c := range []struct {
		name    string
		renewed int // ms; -1: never
		fed     []fed
		keep    loop.Tick
		want    []int // when the released ticks were due, ms
		dropped loop.Tick
	}{
		{"nothing", -1, nil, 8, nil, 0},
		{"one", -1, []fed{{1, 50}}, 8, []int{50}, 0},
		{"some at once, the oldest first", -1, []fed{{3, 50}}, 8, []int{30, 40, 50}, 0},
		{"added up", -1, []fed{{1, 50}, {2, 70}}, 8, []int{50, 60, 70}, 0},
		{"beyond what is kept the oldest go", -1, []fed{{10, 100}}, 3, []int{80, 90, 100}, 7},
		{"the newest alone", -1, []fed{{2, 50}, {3, 80}}, 1, []int{80}, 4},
		{"a block of an hour", -1, []fed{{360_000, 3_600_000}}, 2, []int{3_599_990, 3_600_000}, 359_998},
		{"due before a tick has passed since", 50, []fed{{1, 55}}, 8, nil, 0},
		{"due a tick after", 50, []fed{{1, 60}}, 8, []int{60}, 0},
		{"nearly", 50, []fed{{1, 59}}, 8, []int{59}, 0},
		{"a part of them", 50, []fed{{5, 75}}, 8, []int{65, 75}, 0},
		{"due while it was held", 50, []fed{{5, 45}, {1, 65}}, 8, []int{65}, 0},
		{"all later", 50, []fed{{2, 90}}, 8, []int{80, 90}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := frames{pending: 5, last: at(10)}
			if c.renewed >= 0 {
				f.renew(at(c.renewed), tick)
			} else {
				f = frames{}
			}
			for _, in := range c.fed {
				f.add(in.due, at(in.last), tick)
			}
			var dropped loop.Tick
			var got []time.Time
			for {
				pending := f.pending
				b := f.check(c.keep, tick)
				if pending != b.dropped+b.backlog && !b.release || b.release && pending != b.dropped+b.backlog+1 {
					t.Fatalf("%d were pending: %+v", pending, b)
				}
				if !b.release {
					break
				}
				dropped += b.dropped
				got = append(got, b.scheduled)
			}
			if len(got) != len(c.want) || dropped != c.dropped {
				t.Fatalf("%d released, %d dropped, want %d and %d", len(got), dropped, len(c.want), c.dropped)
			}
			for i, w := range c.want {
				if got[i] != at(w) {
					t.Errorf("tick %d was due at %v, want %v ms", i, got[i].Sub(anchor), w)
				}
			}
		})
	}
}

func TestFeedBounded(t *testing.T) {
	var f feed
	for range 10 {
		f.add(1<<62, anchor)
	}
	if due, last := f.take(); due != maxFed || last != anchor {
		t.Errorf("%d at %v", due, last)
	}
	if due, _ := f.take(); due != 0 {
		t.Errorf("%d taken twice", due)
	}
}
