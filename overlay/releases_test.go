package overlay_test

import (
	"image"
	"testing"
	"time"

	"chronoscope/coordinator"
	"chronoscope/loop"
	"chronoscope/overlay"
)

// chart is 1000 pixels wide: 100 pixels a second.
var chart = image.Rect(100, 50, 1100, 150)

var noon = time.Unix(1_700_000_000, 0)

// releases are n ticks from first on, ten a second, the first due at an instant,
// each so late.
func releases(n int, first loop.Tick, from time.Time, late time.Duration) []coordinator.Release {
	var list []coordinator.Release
	for i := range n {
		due := from.Add(time.Duration(i) * 100 * ms)
		list = append(list, coordinator.Release{Tick: first + loop.Tick(i), Scheduled: due, Actual: due.Add(late)})
	}
	return list
}

func chartOf(s *overlay.Releases, now time.Time, top time.Duration) *overlay.Mesh {
	var m overlay.Mesh
	s.Build(&m, chart, now, top, 1)
	return &m
}

func TestReleaseMarks(t *testing.T) {
	list := releases(5, 1, noon, 0)
	list[2].Actual = list[2].Actual.Add(5 * ms)
	list[3].Actual = list[3].Actual.Add(30 * ms) // more than the top
	var s overlay.Releases
	s.Show(&overlay.Values{Recent: list}, noon)
	m := chartOf(&s, noon.Add(time.Second), 10*ms)
	marks := pieces(m, overlay.Signal)
	if len(marks) != 4 {
		t.Fatalf("%d marks, want 4: %v", len(marks), marks)
	}
	// The newest first. One on time is 4 pixels high, 5 of 10 ms half of the
	// rest more.
	for i, want := range []piece{{1040, 146, 1041, 150}, {1020, 98, 1021, 150}, {1010, 146, 1011, 150}, {1000, 146, 1001, 150}} {
		if marks[i] != want {
			t.Errorf("mark %d is %v, want %v", i, marks[i], want)
		}
	}
	if high := pieces(m, overlay.Ink); len(high) != 1 || high[0].x0 != 1033 || high[0].y0 != 50 {
		t.Errorf("the one beyond the top is %v", high)
	}
}

func TestReleasesRemember(t *testing.T) {
	all := releases(300, 1, noon, 0)
	var s overlay.Releases
	for i := 0; i+100 <= len(all); i += 50 {
		s.Show(&overlay.Values{Recent: all[i : i+100]}, noon)
	}
	if s.Len() != 300 {
		t.Errorf("%d releases, want 300: each once", s.Len())
	}
	// Another world begins anew, whatever tick it is at.
	s.Show(&overlay.Values{Recent: releases(7, 1, noon.Add(time.Hour), 0)}, noon)
	if s.Len() != 7 {
		t.Errorf("%d releases of a new world, want 7", s.Len())
	}
	for range 2 {
		s.Show(&overlay.Values{Recent: releases(5000, 8, noon.Add(2*time.Hour), 0)}, noon)
	}
	if s.Len() != 4096 {
		t.Errorf("%d releases, want no more than 4096", s.Len())
	}
}

func TestReleaseBrake(t *testing.T) {
	// Ticks 1 to 10, a brake of 600 ms, and on.
	list := releases(10, 1, noon, 0)
	lifted := list[9].Actual.Add(650 * ms)
	list = append(list, releases(5, 11, lifted, 0)...)
	now := lifted.Add(400 * ms)
	row := overlay.LaggardRow{Name: "#1 234", Spawn: 1234, Placed: true}
	v := &overlay.Values{Recent: list, Last: []overlay.EpisodeRow{{Tick: 10, Ago: now.Sub(lifted), Length: 600 * ms, Cause: row, Laggards: 1}}}
	var s overlay.Releases
	s.Show(v, now)
	// Read again a little later it is still the same one.
	v.Last[0].Ago += 200*ms + time.Millisecond
	s.Show(v, now.Add(200*ms))
	if brakes, pauses := s.Beyond(now); brakes != 1 || pauses != 0 {
		t.Errorf("%d brakes and %d pauses, want one brake", brakes, pauses)
	}
	m := chartOf(&s, now, 10*ms)
	shades := pieces(m, overlay.Alpha(overlay.Laggard, 0.35))
	if len(shades) != 1 || shades[0] != (piece{1000, 50, 1060, 150}) {
		t.Fatalf("shaded %v, want the 600 ms from 1000 to 1060", shades)
	}
	for _, p := range pieces(m, overlay.Signal) {
		if p.x0 >= 1000 && p.x1 <= 1059 {
			t.Errorf("a tick at %v within the brake", p)
		}
	}
	if x0, x1, _ := span(m, overlay.Laggard); x0 != 1000 || x1 != 1060 {
		t.Errorf("posts from %v to %v", x0, x1)
	}
}

func TestReleaseBrakeThatLasts(t *testing.T) {
	var s overlay.Releases
	list := releases(10, 1, noon, 0)
	now := list[9].Actual.Add(time.Second)
	s.Show(&overlay.Values{
		Tick: 10, Recent: list, Braking: true,
		Laggards: []overlay.LaggardRow{{Name: "#3", For: 300 * ms, Lag: 20}, {Name: "#4", For: 800 * ms, Lag: 12}},
	}, now)
	shades := pieces(chartOf(&s, now, 10*ms), overlay.Alpha(overlay.Laggard, 0.35))
	if len(shades) != 1 || shades[0] != (piece{1020, 50, 1100, 150}) {
		t.Errorf("shaded %v, want the last 800 ms", shades)
	}
	// Half a second on, without a new look, it has grown.
	shades = pieces(chartOf(&s, now.Add(500*ms), 10*ms), overlay.Alpha(overlay.Laggard, 0.35))
	if len(shades) != 1 || shades[0] != (piece{970, 50, 1100, 150}) {
		t.Errorf("shaded %v half a second later", shades)
	}
	// Over, and not yet told of: it stays where it was, and grows no more. Then
	// the episode has its exact end.
	s.Show(&overlay.Values{Tick: 10, Recent: list}, now.Add(200*ms))
	then := now.Add(time.Second)
	if shades = pieces(chartOf(&s, then, 10*ms), overlay.Alpha(overlay.Laggard, 0.35)); len(shades) != 1 || shades[0] != (piece{920, 50, 1020, 150}) {
		t.Errorf("shaded %v while nothing is told of it", shades)
	}
	s.Show(&overlay.Values{Tick: 10, Recent: list, Last: []overlay.EpisodeRow{
		{Tick: 10, Ago: 900 * ms, Length: 900 * ms, Cause: overlay.LaggardRow{Name: "#4"}, Laggards: 2},
	}}, then)
	if shades = pieces(chartOf(&s, then, 10*ms), overlay.Alpha(overlay.Laggard, 0.35)); len(shades) != 1 || shades[0] != (piece{920, 50, 1010, 150}) {
		t.Errorf("shaded %v when it is told of", shades)
	}
}

func TestReleasePause(t *testing.T) {
	var s overlay.Releases
	list := releases(10, 1, noon, 0)
	last := list[9].Actual
	yellow := func(now time.Time) []piece {
		return pieces(chartOf(&s, now, 10*ms), overlay.Alpha(overlay.ZoneEdge, 0.1))
	}
	s.Show(&overlay.Values{Recent: list, Paused: true}, last.Add(150*ms))
	s.Show(&overlay.Values{Recent: list, Paused: true}, last.Add(350*ms))
	now := last.Add(time.Second)
	if p := yellow(now); len(p) != 1 || p[0] != (piece{1000, 50, 1100, 150}) {
		t.Errorf("a pause of a second is %v", p)
	}
	// A step in the pause parts it in two.
	list = append(list, coordinator.Release{Tick: 11, Scheduled: now, Actual: now})
	s.Show(&overlay.Values{Recent: list, Paused: true}, now.Add(100*ms))
	if p := yellow(now.Add(time.Second)); len(p) != 2 || p[0] != (piece{900, 50, 1000, 150}) || p[1] != (piece{1000, 50, 1100, 150}) {
		t.Errorf("with a step in it, it is %v", p)
	}
	// It ends with the first tick that is released again.
	on := now.Add(500 * ms)
	list = append(list, releases(3, 12, on, 0)...)
	s.Show(&overlay.Values{Recent: list}, on.Add(300*ms))
	if p := yellow(on.Add(500 * ms)); len(p) != 2 || p[1] != (piece{1000, 50, 1050, 150}) {
		t.Errorf("after it ended it is %v", p)
	}
}

// More ticks than anybody kept: the gap is no brake and no pause, and says so.
func TestReleaseGap(t *testing.T) {
	list := append(releases(3, 1, noon, 0), releases(3, 100, noon.Add(time.Second), 0)...)
	var s overlay.Releases
	s.Show(&overlay.Values{Recent: list}, noon)
	gaps := pieces(chartOf(&s, noon.Add(2*time.Second), 10*ms), overlay.Alpha(overlay.Faint, 0.35))
	if len(gaps) != 1 || gaps[0].x0 != 920 || gaps[0].x1 != 1000 {
		t.Errorf("gaps %v, want one from 920 to 1000", gaps)
	}
}

func TestReleaseTop(t *testing.T) {
	tests := []struct {
		late time.Duration
		want time.Duration
	}{
		{0, ms}, {500 * time.Microsecond, ms}, {ms, 2 * ms}, {3 * ms, 5 * ms}, {7 * ms, 10 * ms}, {300 * ms, 500 * ms},
	}
	for _, tt := range tests {
		var s overlay.Releases
		s.Show(&overlay.Values{Recent: releases(50, 1, noon, tt.late)}, noon)
		if got := s.Top(noon.Add(6 * time.Second)); got != tt.want {
			t.Errorf("%v late: top %v, want %v", tt.late, got, tt.want)
		}
	}
}

func TestReleasesAllocateNothing(t *testing.T) {
	var s overlay.Releases
	var m overlay.Mesh
	s.Show(&overlay.Values{Recent: releases(2000, 1, noon, ms)}, noon)
	now := noon.Add(200 * time.Second)
	run := func() {
		now = now.Add(ms)
		m.Reset()
		s.Build(&m, chart, now, 10*ms, 1)
	}
	run()
	if n := testing.AllocsPerRun(50, run); n != 0 {
		t.Errorf("%v allocations a frame, want 0", n)
	}
}

const ms = time.Millisecond
