package game

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"chronoscope/loop"
	"chronoscope/loop/frametime"
	"chronoscope/overlay"
)

// rehearsal is a game whose frames are run by hand, in a time of its own.
type rehearsal struct {
	*Game
	now    time.Time
	update func() // of the next frame, if it isn't nil
}

func rehearse(t *testing.T, o Options) *rehearsal {
	t.Helper()
	r := &rehearsal{now: epoch}
	o.World = World{Source: newFakeTown(smallTown(t), 10)}
	o.Now = func() time.Time { return r.now }
	g, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	r.Game = g
	g.focused = func() bool { return true }
	g.place(MinWidth, MinHeight, 1)
	g.screen.sleep = func(until time.Time) {
		if until.After(r.now) {
			r.now = until
		}
	}
	return r
}

// frame runs a frame that takes work to draw, and flush until the next begins.
func (r *rehearsal) frame(work, flush time.Duration) {
	r.nextFrame(r.now)
	if update := r.update; update != nil {
		r.update = nil
		r.rec.beginUpdate(r.now)
		update()
		r.endUpdate()
	}
	r.beginDraw(r.now)
	r.moment = r.source.Moment(r.shownAt(r.now))
	r.now = r.now.Add(work)
	r.endDraw(false)
	r.now = r.now.Add(flush)
}

func (r *rehearsal) frames() []frametime.Frame { return r.rec.Frames.AppendTo(nil) }

// On a virtual display frames are shown at its refreshes, however long the real
// ones take; those that were drawn in time have their own costs, the others none.
func TestVirtualDisplay(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		name        string
		display     string
		cap         int
		work, flush time.Duration
		want        time.Duration // between frames that weren't drawn late
		drawn       float64       // share of frames that were drawn
		late        float64       // share of frames that missed a refresh
	}{
		{"60 Hz, quick", "60 Hz", 0, 2 * ms, ms / 2, loop.Hz(60).Period(), 1, 0},
		{"120 Hz, quick", "120 Hz", 0, 2 * ms, ms / 2, loop.Hz(120).Period(), 1, 0},
		{"120 Hz, a slow flush", "120 Hz", 0, 2 * ms, 30 * ms, loop.Hz(120).Period(), 1. / 4, 0},
		{"120 Hz, slow drawing", "120 Hz", 0, 10 * ms, ms / 2, loop.Hz(120).Period(), 1, 1},
		{"144 Hz capped", "144 Hz", 72, 2 * ms, ms / 2, 2 * loop.Hz(144).Period(), 1, 0},
		{"240 Hz", "240 Hz", 0, ms, ms / 4, loop.Hz(240).Period(), 1, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := rehearse(t, Options{Display: c.display, FrameCap: c.cap})
			for range 400 {
				r.frame(c.work, c.flush)
			}
			frames := r.frames()[1:]
			var drawn, late int
			for i := range frames {
				f := &frames[i]
				if f.Flags.Has(frametime.NoStamps) {
					if f.Busy() != 0 {
						t.Fatalf("frame %d wasn't drawn and has %v of work", f.Seq, f.Busy())
					}
				} else {
					drawn++
					if f.Busy() != c.work {
						t.Fatalf("frame %d: busy %v, want %v", f.Seq, f.Busy(), c.work)
					}
				}
				refreshes := float64(f.Interval()) / float64(c.want)
				switch {
				case refreshes > 1.99 && refreshes < 2.01:
					late++
				case refreshes < 0.999 || refreshes > 1.001:
					t.Fatalf("frame %d lasts %v, want %v or twice that", f.Seq, f.Interval(), c.want)
				}
				if i > 0 && f.Layout != frames[i-1].Next {
					t.Fatalf("frame %d begins at %d, the one before ends at %d", f.Seq, f.Layout, frames[i-1].Next)
				}
			}
			n := float64(len(frames))
			if got := float64(drawn) / n; got < c.drawn-0.05 || got > c.drawn+0.05 {
				t.Errorf("%.2f of the frames were drawn, want %.2f", got, c.drawn)
			}
			if got := float64(late) / n; got < c.late-0.05 || got > c.late+0.05 {
				t.Errorf("%.2f of the frames are late, want %.2f", got, c.late)
			}
		})
	}
}

// Every display that can be chosen gives the stamps that it gives in theory to a
// program that is always in time.
func TestDisplaysLive(t *testing.T) {
	for _, name := range Displays()[1:] {
		t.Run(name, func(t *testing.T) {
			r := rehearse(t, Options{Display: name})
			for range 300 {
				r.frame(time.Microsecond, time.Microsecond)
			}
			got := r.frames()
			if fastest := r.screen.preset.Fastest; fastest.Valid() {
				// It refreshes when a frame is ready.
				for i := range got {
					if d := got[i].Interval() - fastest.Period(); d.Abs() > 2*time.Microsecond {
						t.Fatalf("frame %d lasts %v, want %v", i, got[i].Interval(), fastest.Period())
					}
				}
				return
			}
			want := r.screen.preset.Stamps(len(got) + 1)
			for i := range got {
				if d := time.Duration(got[i].Layout-got[0].Layout) - (want[i] - want[0]); d.Abs() > 2*time.Microsecond {
					t.Fatalf("frame %d is %v from where it belongs", i, d)
				}
			}
			if r.kind() != frametime.Virtual {
				t.Errorf("it counts as %v", r.kind())
			}
		})
	}
}

// A cap lets frames go on a grid; a late one goes to the next target, and none is
// made up for.
func TestFrameCap(t *testing.T) {
	const ms = time.Millisecond
	for _, perSecond := range []int{30, 60, 90, 120, 144, 240} {
		t.Run(fmt.Sprint(perSecond), func(t *testing.T) {
			r := rehearse(t, Options{FrameCap: perSecond, Look: Look{Width: MinWidth, Height: MinHeight}})
			period := loop.Hz(uint64(perSecond)).Period()
			for i := range 200 {
				work := ms
				if i == 100 {
					work += 2 * period // misses two targets
				}
				r.frame(work, 0)
			}
			frames := r.frames()[1:]
			for i := range frames {
				f := &frames[i]
				n := int64((f.Interval() + period/2) / period)
				if off := f.Interval() - time.Duration(n)*period; off.Abs() > time.Microsecond || n != 1 && f.Busy() == ms {
					t.Fatalf("frame %d lasts %v with %v of work", f.Seq, f.Interval(), f.Busy())
				}
				if f.Busy() == ms && (f.CapWait() <= 0 || f.Wait() != 0) {
					t.Fatalf("frame %d: %v waited for the cap, %v otherwise", f.Seq, f.CapWait(), f.Wait())
				}
			}
		})
	}
}

// Each change of a setting that frame times depend on begins a segment, with a
// mark; what was in force before can be told.
func TestSegments(t *testing.T) {
	r := rehearse(t, Options{})
	run := func(n int) {
		for range n {
			r.frame(2*time.Millisecond, 14*time.Millisecond)
		}
	}
	run(10)
	first := r.rec.Rules.Begin
	r.apply(overlay.Intents{FrameCap: 30, HasFrameCap: true}, r.now)
	run(10)
	second := r.rec.Rules.Begin
	r.apply(overlay.Intents{Display: "120 Hz", HasDisplay: true}, r.now)
	run(10)
	if second <= first || r.rec.Rules.Begin <= second {
		t.Errorf("segments begin at %d, %d, %d", first, second, r.rec.Rules.Begin)
	}
	var marks []uint64
	for _, f := range r.frames() {
		if f.Flags.Has(frametime.SettingsChanged) {
			marks = append(marks, f.Seq)
		}
	}
	if len(marks) != 2 {
		t.Errorf("frames with a mark: %v", marks)
	}
	var events []string
	for _, e := range r.rec.Events {
		if e.Kind == overlay.SettingEvent {
			events = append(events, e.Text)
		}
	}
	if want := []string{"frame-cap 30", "display 120 Hz", "refresh 120"}; fmt.Sprint(events) != fmt.Sprint(want) {
		t.Errorf("events %q, want %q", events, want)
	}
	value := func(at int64, name string) string {
		for _, s := range r.rec.settingsAt(at) {
			if s.Name == name {
				return s.Value
			}
		}
		return "none"
	}
	for _, c := range []struct {
		at        int64
		name, was string
	}{{first, "frame-cap", "off"}, {second, "frame-cap", "30"}, {second, "display", "real"}, {r.rec.Now, "display", "120 Hz"}} {
		if got := value(c.at, c.name); got != c.was {
			t.Errorf("%s at %d: %s, want %s", c.name, c.at, got, c.was)
		}
	}
}

// A cap on a virtual display does what the theory says, and its wait is told
// apart from that for the display.
func TestCapOnAVirtualDisplay(t *testing.T) {
	for _, c := range []struct {
		display string
		cap     int
	}{{"60 Hz", 30}, {"60 Hz", 60}, {"60 Hz", 120}, {"120 Hz", 60}, {"144 Hz", 60}, {"240 Hz", 90}} {
		t.Run(fmt.Sprint(c.display, " ", c.cap), func(t *testing.T) {
			const work = 2 * time.Millisecond
			r := rehearse(t, Options{Display: c.display, FrameCap: c.cap})
			for range 200 {
				r.frame(work, 0)
			}
			got := r.frames()
			want := frametime.Schedule{Display: r.screen.preset, VSync: true, Cap: loop.Hz(uint64(c.cap)), Work: work}.Frames(len(got))
			for i := range got {
				g, w := &got[i], &want[i]
				if (g.Interval()-w.Interval()).Abs() > 2 || (g.CapWait()-w.CapWait()).Abs() > 2 || g.Busy() != work {
					t.Fatalf("frame %d lasts %v with %v for the cap, want %v with %v", i, g.Interval(), g.CapWait(), w.Interval(), w.CapWait())
				}
			}
		})
	}
}

// A cap at a real display's refresh costs no refreshes, whatever its phase.
func TestCapWithVSync(t *testing.T) {
	for _, c := range []struct{ refresh, cap, want uint64 }{{60, 60, 60}, {120, 120, 120}, {120, 60, 60}, {60, 30, 30}, {60, 120, 60}} {
		t.Run(fmt.Sprintf("%d of %d Hz", c.cap, c.refresh), func(t *testing.T) {
			refresh := loop.Hz(c.refresh)
			for phase := time.Duration(0); phase < refresh.Period(); phase += refresh.Period() / 8 {
				r := rehearse(t, Options{FrameCap: int(c.cap)})
				r.source.(*fakeTown).moment.Paused = false
				r.screen.capFrom = int64(phase)
				for i := range 300 {
					r.frame(refresh.Period()/3+time.Duration(i%7)*100*time.Microsecond, 0)
					// The swap waits for the next refresh.
					shown := epoch.Add(refresh.Boundary(refresh.TickAt(r.now.Sub(epoch)) + 1))
					r.now = shown
				}
				// A cap below the refresh is not taken for it; at the refresh the two
				// can't always be told apart.
				_, waited := r.rec.recent(figureSpan, true, nil, nil)
				for _, d := range waited {
					if (d - refresh.Period()).Abs() > 2 {
						t.Fatalf("phase %v: a refresh of %v is measured", phase, d)
					}
				}
				if c.cap > c.refresh && len(waited) < 100 {
					t.Errorf("phase %v: %d frames to measure the refresh by", phase, len(waited))
				}
				got := frametime.AverageFPS(frametime.Intervals(r.frames()[20:]))
				if want := float64(c.want); got < want*0.99 || got > want*1.01 {
					t.Errorf("phase %v: %.2f frames a second, want %v", phase, got, want)
				}
			}
		})
	}
}

// A world that frames drive is told what frames are apart by: the refresh, or
// without VSync the cap.
func TestPaceOfFrames(t *testing.T) {
	look := Look{Width: MinWidth, Height: MinHeight}
	for _, c := range []struct {
		o    Options
		want time.Duration
	}{
		{Options{Look: look}, 0},
		{Options{Look: look, FrameCap: 60}, loop.Hz(60).Period()},
		{Options{Display: "120 Hz", FrameCap: 60}, loop.Hz(120).Period()},
		{Options{FrameCap: 30}, loop.Hz(30).Period()},
		{Options{}, 0},
	} {
		if got := rehearse(t, c.o).pace(); got != c.want {
			t.Errorf("VSync %v, display %q, cap %d: %v, want %v", c.o.Look.VSync, c.o.Display, c.o.FrameCap, got, c.want)
		}
	}
}

// Options out of range are refused before anything runs.
func TestOptions(t *testing.T) {
	for _, c := range []struct {
		o    Options
		says string
	}{
		{Options{}, ""},
		{Options{Display: RealDisplay, FrameCap: MaxFrameCap}, ""},
		{Options{Display: "121 Hz"}, "game: display 121 Hz: accepted are real, 50 Hz, "},
		{Options{Display: "suspend, clock on"}, "game: display suspend, clock on: accepted are "},
		{Options{FrameCap: -1}, "game: frame cap -1: accepted are 0 (off) to 1000 frames a second"},
		{Options{FrameCap: MaxFrameCap + 1}, "game: frame cap 1001: accepted are 0 (off) to 1000 frames a second"},
	} {
		c.o.World = World{Source: newFakeTown(smallTown(t), 1)}
		_, err := New(c.o)
		if err == nil && c.says != "" || err != nil && (c.says == "" || !strings.HasPrefix(err.Error(), c.says)) {
			t.Errorf("%q and %d: %v, want %q", c.o.Display, c.o.FrameCap, err, c.says)
		}
	}
}
