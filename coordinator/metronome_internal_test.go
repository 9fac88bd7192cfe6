package coordinator

import (
	"testing"
	"time"

	"chronoscope/loop"
)

var anchor = time.Unix(1_000_000, 0)

func TestMetronomeDue(t *testing.T) {
	ntsc := loop.Rate{Num: 60000, Den: 1001}
	for _, c := range []struct {
		name    string
		rate    loop.Rate
		scale   float64
		elapsed time.Duration
		want    loop.Tick
	}{
		{"nothing yet", loop.Hz(60), 1, 16666666 - 1, 0},
		{"the first", loop.Hz(60), 1, 16666666, 1},
		{"a second", loop.Hz(60), 1, time.Second, 60},
		{"24 hours", loop.Hz(60), 1, 24 * time.Hour, 24 * 3600 * 60},
		{"59.94", ntsc, 1, 1001 * time.Second, 60000},
		{"59.94 at half speed", ntsc, 0.5, 2002 * time.Second, 60000},
		{"scale 16", loop.Hz(240), 16, time.Second, 3840},
		{"scale 0.1", loop.Hz(1), 0.1, 99 * time.Second, 9},
		{"before the anchor", loop.Hz(60), 1, -time.Hour, 0},
		{"as long as can be", loop.Hz(1), 16, 1<<63 - 1, 4611686019},
	} {
		m := metronome{rate: c.rate, scale: c.scale, anchor: anchor}
		if got := m.due(anchor.Add(c.elapsed)); got != c.want {
			t.Errorf("%s: %d due, want %d", c.name, got, c.want)
		}
	}
}

// next and due agree to the nanosecond, at any scale.
func TestMetronomeBoundaries(t *testing.T) {
	for _, rate := range []loop.Rate{loop.Hz(1), loop.Hz(60), loop.Hz(240), {Num: 60000, Den: 1001}, {Num: 7, Den: 3}} {
		for _, scale := range []float64{0.1, 0.3, 1, 1.7, 3, 16} {
			m := metronome{rate: rate, scale: scale, anchor: anchor}
			for range 2000 {
				next := m.next()
				if n := m.due(next.Add(-1)); n != 0 {
					t.Fatalf("%v x %v: tick %d is due 1 ns early", rate, scale, m.used+1)
				}
				if n := m.due(next); n != 1 {
					t.Fatalf("%v x %v: %d due at boundary %d", rate, scale, n, m.used+1)
				}
				m.used++
			}
		}
	}
}

func TestMetronomePolicies(t *testing.T) {
	hz := loop.Hz(10)
	const tick = 100 * time.Millisecond
	for _, c := range []struct {
		name    string
		policy  loop.Policy
		limit   int
		elapsed time.Duration
		want    beat // scheduled by tick number, below
		at      int
	}{
		{"nothing due", loop.CatchUp, 8, tick - 1, beat{}, 0},
		{"one due", loop.CatchUp, 8, tick, beat{release: true}, 1},
		{"one due", loop.Drop, 8, tick, beat{release: true}, 1},
		{"a backlog is kept", loop.CatchUp, 8, 5 * tick, beat{release: true, backlog: 4}, 1},
		{"up to the cap", loop.CatchUp, 8, 8 * tick, beat{release: true, backlog: 7}, 1},
		{"beyond it the oldest go", loop.CatchUp, 8, 11*tick + tick/2, beat{release: true, dropped: 3, backlog: 7}, 4},
		{"cap 1", loop.CatchUp, 1, 5 * tick, beat{release: true, dropped: 4}, 5},
		{"drop keeps none", loop.Drop, 8, 5*tick + tick/2, beat{release: true, dropped: 4}, 5},
		{"a suspend of a day", loop.CatchUp, 8, 24 * time.Hour, beat{release: true, dropped: 864000 - 8, backlog: 7}, 864000 - 7},
	} {
		m := metronome{rate: hz, scale: 1, anchor: anchor}
		got := m.check(anchor.Add(c.elapsed), c.policy, c.limit)
		if c.at > 0 {
			c.want.scheduled = anchor.Add(time.Duration(c.at) * tick)
		}
		if got != c.want {
			t.Errorf("%v, %s: %+v, want %+v", c.policy, c.name, got, c.want)
		}
	}
}

// Dropped + released + backlog = due, whenever checks come, and the phase
// survives every drop.
func TestMetronomeLedger(t *testing.T) {
	for _, policy := range []loop.Policy{loop.CatchUp, loop.Drop} {
		m := metronome{rate: loop.Hz(60), scale: 1, anchor: anchor}
		var released, dropped loop.Tick
		now := anchor
		for i := range 5000 {
			now = now.Add(time.Duration(i*i%97) * time.Millisecond)
			b := m.check(now, policy, 4)
			if b.release {
				released++
				if d := b.scheduled.Sub(anchor); loop.Hz(60).Boundary(loop.Hz(60).TickAt(d)) != d {
					t.Fatalf("a tick was due at %v, which is no boundary", d)
				}
			}
			dropped += b.dropped
			if due := loop.Hz(60).TickAt(now.Sub(anchor)); released+dropped+b.backlog != due {
				t.Fatalf("%v: %d released, %d dropped, %d left: %d were due", policy, released, dropped, b.backlog, due)
			}
		}
		if dropped == 0 {
			t.Errorf("%v dropped nothing", policy)
		}
	}
}

func TestMetronomeRetune(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		name          string
		from, to      loop.Rate
		scale         float64
		at, want, due time.Duration // of the change, of the next tick; due at the change?
	}{
		{"faster, and due at once", loop.Hz(1), loop.Hz(100), 1, 900 * ms, 900 * ms, 1},
		{"faster, due a new tick after the last", loop.Hz(10), loop.Hz(20), 1, 10 * ms, 50 * ms, 0},
		{"slower", loop.Hz(100), loop.Hz(1), 1, 5 * ms, 1000 * ms, 0},
		{"scale", loop.Hz(10), loop.Hz(10), 4, 10 * ms, 25 * ms, 0},
	} {
		m := metronome{rate: c.from, scale: 1, anchor: anchor}
		m.retune(anchor.Add(c.at), c.to, c.scale)
		if got := m.next().Sub(anchor); got != c.want {
			t.Errorf("%s: next tick at %v, want %v", c.name, got, c.want)
		}
		if got := m.due(anchor.Add(c.at)); got != loop.Tick(c.due) {
			t.Errorf("%s: %d due at once, want %d", c.name, got, c.due)
		}
	}
	// Dragged back and forth every 5 ms, ticks still come.
	m := metronome{rate: loop.Hz(60), scale: 1, anchor: anchor}
	now, released := anchor, 0
	for i := range 200 {
		now = now.Add(5 * ms)
		m.retune(now, loop.Hz(uint64(60+i%2)), 1)
		if m.check(now, loop.CatchUp, 8).release {
			released++
		}
	}
	if released < 49 || released > 62 {
		t.Errorf("%d ticks in a second of dragging around 60, want about 50", released)
	}
}
