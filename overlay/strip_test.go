package overlay_test

import (
	"image"
	"math"
	"testing"
	"time"

	"chronoscope/overlay"
)

const ms = time.Millisecond

func push(s *overlay.Strip, n int, f overlay.Frame) {
	for range n {
		s.Push(f)
	}
}

func TestSummary(t *testing.T) {
	const long = time.Hour
	tests := []struct {
		name string
		fill func(*overlay.Strip)
		span time.Duration
		want overlay.Summary
	}{
		{"empty", func(*overlay.Strip) {}, long, overlay.Summary{}},
		{"nothing used", func(s *overlay.Strip) { push(s, 5, overlay.Frame{Interval: 8 * ms, LeftOut: true}) }, long,
			overlay.Summary{LeftOut: 5}},
		{"too few for a refresh or a percentile", func(s *overlay.Strip) { push(s, 9, overlay.Frame{Interval: 10 * ms}) }, long,
			overlay.Summary{Used: 9, Average: 100, Longest: 10 * ms}},
		// 1000 N / T, not the mean of each frame's own rate: (1 ms, 4 ms) is
		// 400 a second.
		{"average", func(s *overlay.Strip) {
			s.Push(overlay.Frame{Interval: 1 * ms})
			s.Push(overlay.Frame{Interval: 4 * ms})
		}, long, overlay.Summary{Used: 2, Average: 400, Longest: 4 * ms}},
		// 999 frames of 8 ms and one of 200 ms: average 122.1; the 99th
		// percentile is still 8 ms, and so is the refresh.
		{"one hitch", func(s *overlay.Strip) {
			push(s, 999, overlay.Frame{Interval: 8 * ms})
			s.Push(overlay.Frame{Interval: 200 * ms})
		}, long, overlay.Summary{Used: 1000, Average: 1000 / 8.192, Refresh: 8 * ms, P99: 8 * ms, Longest: 200 * ms}},
		{"only the last span counts", func(s *overlay.Strip) {
			push(s, 100, overlay.Frame{Interval: 50 * ms})
			push(s, 100, overlay.Frame{Interval: 10 * ms})
		}, time.Second, overlay.Summary{Used: 100, Average: 100, Refresh: 10 * ms, P99: 10 * ms, Longest: 10 * ms}},
		{"left out frames enter no figure", func(s *overlay.Strip) {
			push(s, 20, overlay.Frame{Interval: 10 * ms})
			push(s, 3, overlay.Frame{Interval: 90 * ms, LeftOut: true})
		}, long, overlay.Summary{Used: 20, LeftOut: 3, Average: 100, Refresh: 10 * ms, Longest: 10 * ms}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var s overlay.Strip
			tt.fill(&s)
			got := s.Summary(tt.span)
			if math.Abs(got.Average-tt.want.Average) > 0.001 {
				t.Errorf("average %v, want %v", got.Average, tt.want.Average)
			}
			got.Average = tt.want.Average
			if got != tt.want {
				t.Errorf("got  %+v\nwant %+v", got, tt.want)
			}
		})
	}
}

func TestRefreshIgnoresMissedOnes(t *testing.T) {
	var s overlay.Strip
	// A third of the frames missed one refresh.
	for i := range 120 {
		d := 10 * ms
		if i%3 == 0 {
			d = 20 * ms
		}
		s.Push(overlay.Frame{Interval: d})
	}
	if got := s.Summary(time.Hour).Refresh; got != 10*ms {
		t.Errorf("refresh %v, want 10ms", got)
	}
}

// Frames that wait for no refresh say nothing of one, and miss none.
func TestFreeFrames(t *testing.T) {
	var s overlay.Strip
	push(&s, 100, overlay.Frame{Interval: 16 * ms})
	push(&s, 300, overlay.Frame{Interval: 2 * ms, Free: true})
	s.Push(overlay.Frame{Interval: 40 * ms, Free: true})
	sum := s.Summary(10 * time.Second)
	if sum.Refresh != 16*ms || sum.Used != 401 || sum.Longest != 40*ms {
		t.Errorf("refresh %v, %d used, longest %v", sum.Refresh, sum.Used, sum.Longest)
	}
	if sum = s.Summary(600 * ms); sum.Refresh != 0 || sum.Used == 0 {
		t.Errorf("of free frames alone: refresh %v, %d used", sum.Refresh, sum.Used)
	}
	for _, tt := range []struct {
		free bool
		bar  bool
	}{{true, false}, {false, true}} {
		lane := func(last time.Duration) int {
			var m overlay.Mesh
			var s overlay.Strip
			push(&s, 20, overlay.Frame{Interval: 10 * ms, Free: tt.free})
			s.Push(overlay.Frame{Interval: last, Free: tt.free})
			s.IntervalLane(&m, image.Rect(0, 0, 1000, 100), time.Second, 10*ms, 40*ms, 1)
			_, n := tallest(&m, 0.6)
			return n
		}
		if got := lane(20 * ms); (got > 0) != tt.bar {
			t.Errorf("free %v: %d missed refreshes", tt.free, got)
		}
	}
}

func TestRingForgets(t *testing.T) {
	var s overlay.Strip
	push(&s, 5000, overlay.Frame{Interval: time.Second, Ticks: 9})
	push(&s, 4096, overlay.Frame{Interval: ms, Ticks: 1})
	if s.Len() != 4096 {
		t.Errorf("Len %d, want 4096", s.Len())
	}
	if got := s.Summary(time.Hour); got.Used != 4096 || got.Longest != ms {
		t.Errorf("got %+v, want 4096 frames of 1ms", got)
	}
	if got := s.MostTicks(time.Hour); got != 1 {
		t.Errorf("MostTicks %d, want 1", got)
	}
}

// box is what a mesh covers.
func box(m *overlay.Mesh) (x0, y0, x1, y1 float32) {
	x0, y0 = math.MaxFloat32, math.MaxFloat32
	x1, y1 = -x0, -y0
	for _, v := range m.Vertices {
		x0, y0 = min(x0, v.DstX), min(y0, v.DstY)
		x1, y1 = max(x1, v.DstX), max(y1, v.DstY)
	}
	return
}

// tallest is the greatest height of a rectangle of the given opacity.
func tallest(m *overlay.Mesh, alpha float32) (h float32, n int) {
	for i := 0; i+3 < len(m.Vertices); i += 4 {
		if v := m.Vertices[i]; math.Abs(float64(v.ColorA-alpha)) < 0.01 {
			h = max(h, m.Vertices[i+2].DstY-v.DstY)
			n++
		}
	}
	return
}

func TestIntervalLane(t *testing.T) {
	r := image.Rect(100, 50, 1100, 150)
	lane := func(frames ...overlay.Frame) *overlay.Mesh {
		var s overlay.Strip
		for _, f := range frames {
			s.Push(f)
		}
		m := new(overlay.Mesh)
		s.IntervalLane(m, r, time.Second, 10*ms, 40*ms, 1)
		return m
	}
	even := make([]overlay.Frame, 50)
	for i := range even {
		even[i].Interval = 10 * ms
	}

	t.Run("inside the lane", func(t *testing.T) {
		x0, y0, x1, y1 := box(lane(append(even, overlay.Frame{Interval: 300 * ms, Braking: true})...))
		if x0 < 100 || x1 > 1100+4 || y0 < 49 || y1 > 157 {
			t.Errorf("covers (%v, %v) to (%v, %v) of %v", x0, y0, x1, y1, r)
		}
	})
	t.Run("on time is a line at its height", func(t *testing.T) {
		m := lane(even...)
		// 10 of 40 ms is a quarter of the height; the guides are at 10 and 20 ms.
		h, n := tallest(m, 1)
		if n < 50 || h > 3 {
			t.Errorf("%d rectangles up to %v high, want lines", n, h)
		}
	})
	t.Run("a missed refresh is a bar", func(t *testing.T) {
		if h, n := tallest(lane(append(even, overlay.Frame{Interval: 20 * ms})...), 0.6); n != 1 || h != 50 {
			t.Errorf("%d bars up to %v high, want 1 of 50", n, h)
		}
	})
	t.Run("more is another bar", func(t *testing.T) {
		if h, n := tallest(lane(append(even, overlay.Frame{Interval: 30 * ms})...), 0.75); n != 1 || h != 75 {
			t.Errorf("%d bars up to %v high, want 1 of 75", n, h)
		}
	})
	t.Run("braking shades the whole height", func(t *testing.T) {
		if h, n := tallest(lane(append(even, overlay.Frame{Interval: 10 * ms, Braking: true})...), 0.3); n != 1 || h != 100 {
			t.Errorf("%d shades up to %v high, want 1 of 100", n, h)
		}
	})
	t.Run("left out is dim", func(t *testing.T) {
		m := lane(overlay.Frame{Interval: 90 * ms, LeftOut: true})
		if _, n := tallest(m, 0.45); n != 1 {
			t.Errorf("%d dim lines, want 1", n)
		}
		if _, n := tallest(m, 0.75); n != 0 {
			t.Errorf("a left out frame is shown as late")
		}
	})
	t.Run("no refresh known yet", func(t *testing.T) {
		var s overlay.Strip
		s.Push(overlay.Frame{Interval: 90 * ms})
		m := new(overlay.Mesh)
		s.IntervalLane(m, r, time.Second, 0, 40*ms, 1)
		if _, n := tallest(m, 0.75); n != 0 || len(m.Vertices) == 0 {
			t.Errorf("%d bars of %d vertices, want a line alone", n, len(m.Vertices))
		}
	})
}

// However many frames there are, a lane has at most some rectangles a pixel.
func TestLaneIsBounded(t *testing.T) {
	var s overlay.Strip
	push(&s, 4096, overlay.Frame{Interval: 100 * time.Microsecond, Ticks: 1})
	r := image.Rect(0, 0, 200, 50)
	var m overlay.Mesh
	s.IntervalLane(&m, r, 400*ms, ms, 2*ms, 1)
	if n := len(m.Vertices) / 4; n > 2*200+10 {
		t.Errorf("%d rectangles on 200 pixels", n)
	}
	m.Reset()
	s.TicksLane(&m, r, 400*ms, 2, 1)
	if n := len(m.Vertices) / 4; n > 2*200+10 {
		t.Errorf("%d rectangles of ticks on 200 pixels", n)
	}
}

func TestTicksLane(t *testing.T) {
	var s overlay.Strip
	for _, n := range []int{0, 1, 2} {
		s.Push(overlay.Frame{Interval: 100 * ms, Ticks: n})
	}
	r := image.Rect(0, 0, 100, 40)
	var m overlay.Mesh
	s.TicksLane(&m, r, time.Second, 4, 1)
	// Bars of the frames with 1 and 2 ticks, 10 pixels a tick, the newest at
	// the right.
	type bar struct{ x0, x1, h float32 }
	var got []bar
	for i := 0; i+3 < len(m.Vertices); i += 4 {
		a, b := m.Vertices[i], m.Vertices[i+2]
		if math.Abs(float64(a.ColorA)-0.85) < 0.01 {
			got = append(got, bar{a.DstX, b.DstX, b.DstY - a.DstY})
		}
	}
	want := []bar{{90, 99, 20}, {80, 89, 10}}
	if len(got) != 2 || got[0] != want[0] || got[1] != want[1] {
		t.Errorf("bars %v, want %v", got, want)
	}
}

func TestDrawingAllocatesNothing(t *testing.T) {
	var s overlay.Strip
	push(&s, 600, overlay.Frame{Interval: 16 * ms, Ticks: 1})
	r := image.Rect(0, 0, 1000, 80)
	var m overlay.Mesh
	run := func() {
		s.Push(overlay.Frame{Interval: 16 * ms, Ticks: 1})
		m.Reset()
		s.IntervalLane(&m, r, 10*time.Second, 16*ms, 40*ms, 1)
		s.TicksLane(&m, r, 10*time.Second, 4, 1)
		s.Summary(10 * time.Second)
	}
	run()
	if n := testing.AllocsPerRun(50, run); n != 0 {
		t.Errorf("%v allocations a frame, want 0", n)
	}
}
