package game

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"chronoscope/coordinator"
	"chronoscope/loop"
	"chronoscope/loop/frametime"
	"chronoscope/overlay"
	"chronoscope/world"
)

const (
	quick = 2 * time.Millisecond
	rest  = 14*time.Millisecond + 666667*time.Nanosecond
)

// A capture has what was recorded between its beginning and its end, and goes
// through its file unchanged; the exports are read back by the importers.
func TestCaptureOrders(t *testing.T) {
	dir := t.TempDir()
	r := rehearse(t, Options{})
	r.world.Track = NewTrack(epoch)
	r.rec.follow(r.world.Track)
	r.world.About = frametime.Meta{Seed: 7, Scenario: "town", Map: "town"}
	r.world.Track.Digest(world.Digest{Tick: 60, Sum: 99})
	r.source.(*fakeTown).moment.Paused = false
	tick := loop.Tick(0)
	run := func(n int) {
		for range n {
			tick++
			at := r.now.Add(time.Millisecond)
			r.world.Track.Release(coordinator.Release{Tick: tick, Scheduled: r.now, Actual: at})
			r.frame(quick, rest)
		}
	}
	do := func(o overlay.CaptureOrder) string {
		t.Helper()
		if err := r.capture(o); err != nil {
			return err.Error()
		}
		return ""
	}
	run(10)
	if says := do(overlay.CaptureOrder{Kind: overlay.BeginCapture, Slot: 1}); says != "" {
		t.Fatal(says)
	}
	run(100)
	if says := do(overlay.CaptureOrder{Kind: overlay.EndCapture, Slot: 1}); says != "" {
		t.Fatal(says)
	}
	c := r.slots.held[1].Capture
	// The frame under way at either end belongs to the part that it ends in.
	if c == nil || len(c.Frames) != 100 || len(c.Digests) != 1 || len(c.Releases) < 99 || c.Meta.Seed != 7 {
		t.Fatalf("%+v", c)
	}
	own := filepath.Join(dir, "x.capture")
	for _, o := range []overlay.CaptureOrder{
		{Kind: overlay.SaveCapture, Slot: 1, Path: own},
		{Kind: overlay.ExportMangoHud, Slot: 1, Path: filepath.Join(dir, "m.csv")},
		{Kind: overlay.ExportPresentMon, Slot: 1, Path: filepath.Join(dir, "p.csv")},
		{Kind: overlay.ExportTrace, Slot: 1, Path: filepath.Join(dir, "t.json")},
	} {
		if says := do(o); says != "" {
			t.Fatal(says)
		}
		if st, err := os.Stat(o.Path); err != nil || st.Size() < 500 {
			t.Errorf("%s: %v, %v", o.Path, st, err)
		}
	}
	average := func(i int) string {
		s := frametime.Summarize(r.slots.held[i].Capture)
		f, _ := s.Figure("average")
		return f.String()
	}
	for i, name := range []string{"x.capture", "m.csv", "p.csv"} {
		if says := do(overlay.CaptureOrder{Kind: overlay.LoadCapture, Slot: (i + 2) % 4, Path: filepath.Join(dir, name)}); says != "" {
			t.Fatal(says)
		}
		if got, want := average((i+2)%4), average(1); got != want {
			t.Errorf("%s: average %s, want %s", name, got, want)
		}
	}
	if got := r.slots.held[2].Capture; !slices.Equal(got.Frames, c.Frames) || !slices.Equal(got.Releases, c.Releases) || !slices.Equal(got.Digests, c.Digests) {
		t.Error("the file holds something else than the slot")
	}
	if says := do(overlay.CaptureOrder{Kind: overlay.HoldCapture, Slot: 3}); says != "" || len(r.slots.held[3].Capture.Frames) < 109 {
		t.Errorf("%s %+v", says, r.slots.held[3].Capture)
	}
	do(overlay.CaptureOrder{Kind: overlay.ClearCapture, Slot: 3})
	if r.slots.held[3] != (overlay.Slot{}) {
		t.Error("a cleared slot holds something")
	}
	for _, c := range []struct {
		order overlay.CaptureOrder
		says  string
	}{
		{overlay.CaptureOrder{Kind: overlay.BeginCapture, Slot: 4}, "A to D"},
		{overlay.CaptureOrder{Kind: overlay.EndCapture, Slot: 3}, "capture D: none is under way"},
		{overlay.CaptureOrder{Kind: overlay.SaveCapture, Slot: 3}, "capture D: it is empty"},
		{overlay.CaptureOrder{Kind: overlay.LoadCapture, Slot: 3, Path: filepath.Join(dir, "no")}, "no such file"},
		{overlay.CaptureOrder{Kind: overlay.LoadCapture, Slot: 3, Path: filepath.Join(dir, "t.json")}, "t.json: not a capture"},
		{overlay.CaptureOrder{Kind: overlay.SaveCapture, Slot: 1, Path: filepath.Join(dir, "no", "x")}, filepath.Join(dir, "no", "x")},
	} {
		if got := do(c.order); !strings.Contains(got, c.says) || strings.Contains(got, "\n") {
			t.Errorf("%+v: %q, want %q", c.order, got, c.says)
		}
	}
}

// A capture under way ends with its world, and holds what there was.
func TestCaptureEndsWithItsWorld(t *testing.T) {
	r := rehearse(t, Options{})
	if err := r.capture(overlay.CaptureOrder{Kind: overlay.BeginCapture}); err != nil {
		t.Fatal(err)
	}
	for range 5 {
		r.frame(quick, rest)
	}
	r.endCaptures()
	s := &r.slots.held[0]
	if s.Filling || s.Capture == nil || len(s.Capture.Frames) != 4 {
		t.Errorf("%+v", s)
	}
}

// An input is followed from the Update that saw it over the first tick after
// that to the frame that shows it.
func TestInputToFrame(t *testing.T) {
	r := rehearse(t, Options{})
	r.world.Track = NewTrack(epoch)
	r.rec.follow(r.world.Track)
	town := r.source.(*fakeTown)
	r.frame(quick, rest)
	r.nextFrame(r.now)
	seen := r.rec.stamp(r.now)
	r.rec.sawInput(seen)
	r.beginDraw(r.now)
	r.moment = r.source.Moment(r.now)
	r.now = r.now.Add(quick)
	r.endDraw(false)
	r.now = r.now.Add(rest)
	// A tick comes 5 ms after it was seen; the frame after that shows it.
	taken := r.rec.at(seen).Add(5 * time.Millisecond)
	r.world.Track.Release(coordinator.Release{Tick: 601, Scheduled: taken, Actual: taken})
	town.moment.Tick = 601
	for range 3 {
		r.frame(quick, rest)
	}
	want := frametime.Input{Seen: seen, Taken: seen + int64(5*time.Millisecond), Drawn: seen + int64(quick+rest+quick), Shown: seen + int64(2*(quick+rest))}
	if len(r.rec.inputs) != 1 || r.rec.inputs[0] != want {
		t.Errorf("%+v, want %+v", r.rec.inputs, want)
	}
	// While no tick comes nothing takes it, and it is given up.
	r.rec.sawInput(r.rec.stamp(r.now))
	for range 200 {
		r.frame(quick, rest)
	}
	if len(r.rec.inputs) != 1 || r.rec.waiting {
		t.Errorf("an input that nothing took: %+v, waiting %v", r.rec.inputs, r.rec.waiting)
	}
}

// Recording a frame allocates nothing.
func TestRecordingAllocatesNothing(t *testing.T) {
	r := rehearse(t, Options{Display: "60 Hz"})
	r.world.Track = NewTrack(epoch)
	r.rec.follow(r.world.Track)
	for range 10 {
		r.frame(quick, rest)
	}
	if n := testing.AllocsPerRun(2000, func() { r.frame(quick, rest) }); n != 0 {
		t.Errorf("%v allocations a frame", n)
	}
}

func BenchmarkRecordFrame(b *testing.B) {
	r := newRecorder(epoch)
	r.follow(NewTrack(epoch))
	b.ReportAllocs()
	at := int64(0)
	for b.Loop() {
		at += 16666667
		r.listen()
		if r.open {
			r.end(at, at)
		}
		r.begin(at, at, at)
		r.show(Moment{Tick: loop.Tick(at / 16666667)}, 0)
	}
}
