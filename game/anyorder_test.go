package game

import (
	"bytes"
	"testing"
	"time"

	"chronoscope/coordinator"
	"chronoscope/loop"
	"chronoscope/loop/frametime"
	"chronoscope/overlay"

	"pgregory.net/rapid"
)

// Whatever display, cap and VSync are switched to, in whatever order and however
// long frames take, the record stays whole: frame follows frame, each one's
// stamps in order, and what is captured can be written and read.
func TestAnyOrderOfDisplays(t *testing.T) {
	var displays []string
	for _, name := range Displays() {
		p, _ := frametime.FindPreset(name)
		if p.Display.Back == 0 && p.Display.Jitter == 0 {
			displays = append(displays, name) // else stamps may rightly overlap
		}
	}
	rapid.Check(t, func(rt *rapid.T) {
		r := rehearse(t, Options{
			Display: rapid.SampledFrom(displays).Draw(rt, "first display"), FrameCap: rapid.SampledFrom(FrameCaps()).Draw(rt, "first cap"),
		})
		r.world.Track = NewTrack(epoch)
		r.rec.follow(r.world.Track)
		town := r.source.(*fakeTown)
		tick := loop.Tick(0)
		for range rapid.IntRange(1, 30).Draw(rt, "steps") {
			step := func() {
				switch rapid.IntRange(0, 9).Draw(rt, "step") {
				case 0:
					r.screen.choose(rapid.SampledFrom(displays).Draw(rt, "display"))
				case 1:
					r.screen.limit(rapid.IntRange(0, MaxFrameCap).Draw(rt, "cap"), r.rec.stamp(r.now))
				case 2:
					r.vsync.want = !r.vsync.want
					r.vsync.is = r.vsync.want
				case 3:
					town.moment.Paused = !town.moment.Paused
				case 4:
					town.moment.Braking = !town.moment.Braking
				case 5:
					// What is refused changes nothing.
					_ = r.capture(overlay.CaptureOrder{Kind: rapid.SampledFrom([]overlay.CaptureKind{
						overlay.BeginCapture, overlay.EndCapture, overlay.HoldCapture, overlay.ClearCapture,
					}).Draw(rt, "order"), Slot: rapid.IntRange(0, 1).Draw(rt, "slot")})
				case 6:
					r.rec.sawInput(r.rec.stamp(r.now) + r.rec.shift)
				case 7:
					r.now = r.now.Add(time.Duration(rapid.IntRange(0, 40).Draw(rt, "seconds without frames")) * time.Second)
				case 8:
					r.place(MinWidth+rapid.IntRange(0, 9).Draw(rt, "wider"), MinHeight, 1)
				}
			}
			// Between two frames, or in one, as Update does it.
			if rapid.Bool().Draw(rt, "in a frame") {
				r.update = step
			} else {
				step()
			}
			work := time.Duration(rapid.IntRange(0, 40000).Draw(rt, "work, us")) * time.Microsecond
			flush := time.Duration(rapid.IntRange(0, 60000).Draw(rt, "flush, us")) * time.Microsecond
			for range rapid.IntRange(1, 12).Draw(rt, "frames") {
				tick++
				r.world.Track.Release(coordinator.Release{Tick: tick, Scheduled: r.now, Actual: r.now.Add(work / 2)})
				town.moment.Tick = tick
				r.frame(work, flush)
			}
		}
		frames := r.frames()
		for i := range frames {
			f := &frames[i]
			if i > 0 && (f.Layout != frames[i-1].Next || f.Seq != frames[i-1].Seq+1 || f.TickBefore != frames[i-1].TickAfter) {
				rt.Fatalf("frame %+v follows %+v", *f, frames[i-1])
			}
			if f.Next < f.Layout {
				rt.Fatalf("frame ends before it begins: %+v", *f)
			}
			if f.Flags.Has(frametime.NoStamps) {
				continue
			}
			at := f.Layout
			for _, s := range []int64{f.UpdateStart, f.UpdateEnd, f.DrawStart, f.DrawEnd, f.CapEnd, f.Next} {
				if s < at {
					rt.Fatalf("stamps out of order: %+v", *f)
				}
				at = s
			}
		}
		for _, in := range r.rec.inputs {
			if in.Seen > in.Taken || in.Drawn > in.Shown || in.Seen > in.Drawn {
				rt.Fatalf("input out of order: %+v", in)
			}
		}
		r.endCaptures()
		for i := range r.slots.held {
			c := r.slots.held[i].Capture
			if c == nil {
				continue
			}
			var file bytes.Buffer
			if err := frametime.Write(&file, c); err != nil {
				rt.Fatal(err)
			}
			again, err := frametime.Decode(file.Bytes())
			if err != nil {
				rt.Fatal(err)
			}
			a, b := frametime.Summarize(c), frametime.Summarize(again)
			if a.Counts() != b.Counts() || c.Title() != again.Title() {
				rt.Fatalf("%q %s, read again %q %s", c.Title(), a.Counts(), again.Title(), b.Counts())
			}
		}
	})
}
