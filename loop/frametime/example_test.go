package frametime_test

import (
	"fmt"
	"time"

	"chronoscope/loop"
	"chronoscope/loop/frametime"
)

// 60 ticks a second on a display of 144 Hz that isn't there.
func ExampleVirtualDisplay() {
	display := frametime.VirtualDisplay{Rate: loop.Hz(144)}
	frames := frametime.Schedule{Display: display, VSync: true}.Frames(13)
	frametime.Drive(frames, frametime.NewAccumulator(loop.Hz(60)))
	fmt.Println(frametime.Cadence(frametime.TicksPerFrame(frames[1:])))
	// Output: 001010010101
}

func ExampleSummarize() {
	frames := frametime.Schedule{Display: frametime.VirtualDisplay{Rate: loop.Hz(60)}, VSync: true}.Frames(600)
	c := &frametime.Capture{Frames: frames, Meta: frametime.Meta{Display: frametime.Virtual, Stated: loop.Hz(60)}}
	s := frametime.Summarize(c)
	average, _ := s.Figure("average")
	p999, _ := s.Figure("P99.9")
	fmt.Println(c.Title())
	fmt.Println(s.Counts())
	fmt.Println(average.Label(), average)
	fmt.Println(p999.Label(), p999)
	// Output:
	// virtual 60 Hz
	// 540 used, 60 left out (60 first second)
	// average, fps 60.00
	// P99.9, ms n/a
}

func ExampleFrameRing() {
	ring := frametime.NewFrameRing(1000)
	for i := range int64(3) {
		layout := i * int64(10*time.Millisecond)
		f := frametime.Frame{Seq: uint64(i), Layout: layout, Next: layout + int64(10*time.Millisecond), Flags: frametime.Focused}
		f.MarkGap()
		ring.Push(&f)
	}
	fmt.Println(ring.Len(), ring.At(2).Interval())
	// Output: 3 10ms
}
