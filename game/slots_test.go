package game

import (
	"bytes"
	"compress/gzip"
	"io"
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

// The capture of the whole run is none of the slots: whatever is done with those
// it is written as it was, and a run without frames says that there are none.
func TestCaptureOfTheRun(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "run.capture")
	out, err := NewOutput("capture", path)
	if err != nil {
		t.Fatal(err)
	}
	r := rehearse(t, Options{Capture: out})
	r.world.About = frametime.Meta{Seed: 7}
	for i := range 50 {
		r.frame(quick, rest)
		switch i {
		case 10, 30:
			if err := r.capture(overlay.CaptureOrder{Kind: overlay.BeginCapture}); err != nil {
				t.Fatal(err)
			}
		case 20:
			if err := r.capture(overlay.CaptureOrder{Kind: overlay.EndCapture}); err != nil {
				t.Fatal(err)
			}
		case 40:
			if err := r.capture(overlay.CaptureOrder{Kind: overlay.ClearCapture}); err != nil {
				t.Fatal(err)
			}
		}
	}
	read := func(name string, frames int) {
		t.Helper()
		r.err = nil
		r.finishCapture()
		if r.err != nil {
			t.Fatal(r.err)
		}
		c, err := loadCapture(path)
		if err != nil || len(c.Frames) != frames || c.Frames[0].Seq != 0 || c.Meta.Seed != 7 {
			t.Fatalf("%s: %v, %d frames, want %d", name, err, len(c.Frames), frames)
		}
	}
	// The last frame is under way.
	read("as long as the run", 49)

	r = rehearse(t, Options{Capture: out})
	r.world.About = frametime.Meta{Seed: 7}
	for range 20 {
		r.frame(quick, rest)
	}
	r.endCaptures()
	r.world.About.Seed = 8
	for range 20 {
		r.frame(quick, rest)
	}
	read("as long as its world", 19)

	r = rehearse(t, Options{Capture: out})
	if r.finishCapture(); r.err == nil || r.err.Error() != "capture "+path+": no frame has been recorded" {
		t.Errorf("without frames: %v", r.err)
	}
}

// A slot that is being filled is not taken by anything else.
func TestSlotUnderWay(t *testing.T) {
	r := rehearse(t, Options{})
	if err := r.capture(overlay.CaptureOrder{Kind: overlay.BeginCapture, Slot: 1}); err != nil {
		t.Fatal(err)
	}
	for range 5 {
		r.frame(quick, rest)
	}
	for _, kind := range []overlay.CaptureKind{overlay.BeginCapture, overlay.HoldCapture, overlay.LoadCapture, overlay.SaveCapture} {
		if err := r.capture(overlay.CaptureOrder{Kind: kind, Slot: 1, Path: "none"}); err == nil || !strings.HasPrefix(err.Error(), "capture B: ") {
			t.Errorf("%d: %v", kind, err)
		}
		if !r.slots.held[1].Filling || !r.slots.fills[1].on {
			t.Fatalf("%d ended it", kind)
		}
	}
	if err := r.capture(overlay.CaptureOrder{Kind: overlay.EndCapture, Slot: 1}); err != nil || len(r.slots.held[1].Capture.Frames) != 4 {
		t.Errorf("%v, %+v", err, r.slots.held[1])
	}
}

// A capture ends by itself before its file would be too large to be written.
func TestCaptureIsFull(t *testing.T) {
	var f filling
	wide := frametime.Frame{Flags: frametime.Focused, Updates: 1}
	at, tick := int64(0), loop.Tick(0)
	for range 20000 {
		// Long frames of 240 ticks a second: the most bytes that there are.
		next := at + int64(50*time.Millisecond) + at%1000003
		wide.Seq++
		wide.Layout, wide.Next, wide.Wall, wide.NextWall = at, next, at+1<<60, next+1<<60
		wide.UpdateStart, wide.UpdateEnd, wide.DrawStart, wide.DrawEnd = at+90001, at+700003, at+700103, at+9000011+at%7001
		wide.CapEnd, wide.TickBefore, wide.TickAfter = wide.DrawEnd, tick, tick+12
		wide.Alpha = float64(at%1009) / 1009
		f.frames = append(f.frames, wide)
		for range 12 {
			tick++
			release := at + int64(tick%12)*4000000
			f.releases = append(f.releases, frametime.Release{Tick: tick, Scheduled: release, Released: release + at%600011})
		}
		at = next
	}
	c := frametime.Capture{Frames: f.frames, Releases: f.releases}
	var file bytes.Buffer
	if err := frametime.Write(&file, &c); err != nil {
		t.Fatal(err)
	}
	// The body follows magic, version and checksum.
	z, err := gzip.NewReader(bytes.NewReader(file.Bytes()[8+4+32:]))
	if err != nil {
		t.Fatal(err)
	}
	content, err := io.Copy(io.Discard, z)
	if err != nil {
		t.Fatal(err)
	}
	bound := len(f.frames)*frameBytes + len(f.releases)*releaseBytes
	if got := int(content); got > bound || got < bound*3/5 {
		t.Errorf("%d bytes of content, thought to be at most %d", got, bound)
	}
	f = filling{on: true, frames: make([]frametime.Frame, 10), releases: make([]frametime.Release, frametime.MaxContent/releaseBytes)}
	if !f.full() {
		t.Error("a capture of as many releases as a file holds isn't full")
	}
	if f.releases = f.releases[:1000]; f.full() {
		t.Error("a small one is full")
	}
}

// A capture says what things were like when it began, not when it was held.
func TestAboutTheBeginning(t *testing.T) {
	for _, c := range []struct {
		name       string
		from, then overlay.Intents
		kind       frametime.DisplayKind
		stated     loop.Rate
		measured   time.Duration
		title      string
	}{
		{"60 Hz, then 120", overlay.Intents{Display: "60 Hz", HasDisplay: true}, overlay.Intents{Display: "120 Hz", HasDisplay: true},
			frametime.Virtual, loop.Hz(60), loop.Hz(60).Period(), "virtual 60 Hz"},
		{"virtual, then real", overlay.Intents{Display: "120 Hz", HasDisplay: true}, overlay.Intents{Display: RealDisplay, HasDisplay: true},
			frametime.Virtual, loop.Hz(120), loop.Hz(120).Period(), "virtual 120 Hz"},
		{"real, then virtual", overlay.Intents{}, overlay.Intents{Display: "120 Hz", HasDisplay: true},
			frametime.Virtual, loop.Rate{}, quick + rest, "virtual 60 Hz"},
		{"real", overlay.Intents{}, overlay.Intents{}, frametime.Real, loop.Rate{}, quick + rest, "60 Hz"},
		{"another rate midway", overlay.Intents{Display: "60 to 120 Hz", HasDisplay: true}, overlay.Intents{},
			frametime.Virtual, loop.Hz(60), loop.Hz(60).Period(), "virtual 60 Hz"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := rehearse(t, Options{})
			r.source.(*fakeTown).moment.Paused = false
			r.apply(c.from, r.now)
			run := func() {
				for range 300 {
					r.frame(quick, rest)
				}
			}
			if c.name == "another rate midway" {
				r.screen.preset.Change = 2 * time.Second
			}
			r.frame(quick, rest)
			r.frame(quick, rest)
			if err := r.capture(overlay.CaptureOrder{Kind: overlay.BeginCapture}); err != nil {
				t.Fatal(err)
			}
			run()
			r.apply(c.then, r.now)
			run()
			if err := r.capture(overlay.CaptureOrder{Kind: overlay.EndCapture}); err != nil {
				t.Fatal(err)
			}
			held := r.slots.held[0].Capture
			held.Meta.Name = ""
			m := &held.Meta
			if m.Display != c.kind || m.Stated != c.stated || held.Title() != c.title {
				t.Errorf("%v, stated %v, %q; want %v, %v, %q", m.Display, m.Stated, held.Title(), c.kind, c.stated, c.title)
			}
			if got := time.Duration(m.Measured); (got - c.measured).Abs() > 2 {
				t.Errorf("measured %v, want %v", got, c.measured)
			}
		})
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
