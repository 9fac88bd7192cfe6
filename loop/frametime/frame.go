package frametime

import (
	"time"

	"chronoscope/loop"
)

// Frame is one frame as it was measured: fixed-size, free of pointers. Stamps
// are monotonic nanoseconds since an origin that a whole series shares; of a
// real window the order is Layout, UpdateStart, UpdateEnd, DrawStart, DrawEnd,
// CapEnd, Next.
type Frame struct {
	Seq    uint64 // consecutive; a hole is a frame that nobody recorded
	Layout int64  // the frame begins
	Next   int64  // the next one begins, which is when this one counts as shown

	// The work of the frame; all 0 with the flag NoStamps. A frame without an
	// update has UpdateStart = UpdateEnd.
	UpdateStart, UpdateEnd, DrawStart, DrawEnd int64
	// CapEnd is when the frame cap let go; DrawEnd where there is none.
	CapEnd int64

	// The wall clock at Layout and at Next, in nanoseconds since 1970; both 0
	// where it is unknown.
	Wall, NextWall int64

	// TickBefore was drawn by the frame before, TickAfter by this one, Alpha of
	// the way to the next tick, [0, 1). All 0 with the flag NoWorld.
	TickBefore, TickAfter loop.Tick
	Alpha                 float64

	Lag      loop.Tick // of who was furthest behind
	Laggards int32     // how many were
	Dropped  int32     // ticks given up during the frame
	Updates  int32     // calls of Update
	Flags    Flags
}

// Flags say what was special about a frame.
type Flags uint32

// The flags of a frame.
const (
	Focused         Flags = 1 << iota // the window had the focus
	VSyncAsked                        // VSync was asked for, whether or not it took effect
	Resized                           // the window changed its size
	Paused                            // the user held the world
	Braking                           // the world waited for a laggard
	ReadBack                          // pixels were read back, for a picture
	GC                                // a collection ended during the frame
	SettingsChanged                   // a setting took effect: a new segment begins
	Gap                               // see MarkGap
	NoStamps                          // only Layout and Next are known
	NoWorld                           // nothing is known of the world
	Warmup                            // too early to count; see Rules
	flagsEnd
)

// Has says whether every flag of x is set.
func (f Flags) Has(x Flags) bool { return f&x == x }

// Interval is the frame interval: from one Layout to the next.
func (f *Frame) Interval() time.Duration { return time.Duration(f.Next - f.Layout) }

// Busy is the time that the program worked on the frame, Layout to the end of
// Draw (PresentMon's MsCPUBusy). With VSync off Ebitengine flushes on another
// thread, so there it is an estimate and not to be compared with VSync on. 0 when
// it is unknown.
func (f *Frame) Busy() time.Duration {
	if f.Flags.Has(NoStamps) {
		return 0
	}
	return time.Duration(f.DrawEnd - f.Layout)
}

// CapWait is what the frame cap waited after drawing: neither busy nor wait.
func (f *Frame) CapWait() time.Duration {
	if f.Flags.Has(NoStamps) {
		return 0
	}
	return time.Duration(f.CapEnd - f.DrawEnd)
}

// Wait is the rest of the interval: flush, swap with its wait for VSync, and
// polling (PresentMon's MsCPUWait). An estimate where Busy is one; 0 when it is
// unknown.
func (f *Frame) Wait() time.Duration {
	if f.Flags.Has(NoStamps) {
		return 0
	}
	return time.Duration(f.Next - f.CapEnd)
}

// Ticks is how many ticks the frame advanced the drawn world. Negative after a
// seek backwards.
func (f *Frame) Ticks() int { return int(int64(f.TickAfter) - int64(f.TickBefore)) }

// Drawn is the world time that the frame showed, at a tick rate: the boundary of
// its tick and Alpha of the way to the next.
func (f *Frame) Drawn(rate loop.Rate) time.Duration {
	at := rate.Boundary(f.TickAfter)
	return at + time.Duration(f.Alpha*float64(rate.Boundary(f.TickAfter+1)-at))
}

const (
	// GapApart is how far wall clock and monotonic clock may part within a
	// frame: more is a suspended machine or a clock that was set, not a slow
	// frame. Slewing parts them by 0.5 ms a second.
	GapApart = 500 * time.Millisecond
	// GapLongest is the longest interval that is still a slow frame. Some
	// systems' monotonic clock runs on while the machine is suspended, and then
	// the two clocks agree.
	GapLongest = 30 * time.Second
)

// IsGap says that time passed the frame by: the clocks parted by more than
// GapApart, or it lasted longer than GapLongest.
func (f *Frame) IsGap() bool {
	if f.Interval() > GapLongest {
		return true
	}
	if f.Wall == 0 && f.NextWall == 0 {
		return false
	}
	apart := (f.NextWall - f.Wall) - (f.Next - f.Layout)
	return apart > int64(GapApart) || apart < -int64(GapApart)
}

// MarkGap sets or clears the flag Gap by the stamps, as whoever completes a
// frame does. Such a frame is kept, drawn as a hole, and left out of figures.
func (f *Frame) MarkGap() {
	f.Flags &^= Gap
	if f.IsGap() {
		f.Flags |= Gap
	}
}

// Intervals are the frame intervals of a series.
func Intervals(frames []Frame) []time.Duration {
	f := make([]time.Duration, len(frames))
	for i := range frames {
		f[i] = frames[i].Interval()
	}
	return f
}

// TicksPerFrame are the ticks of a series' frames, for Cadence and Uneven.
func TicksPerFrame(frames []Frame) []int {
	n := make([]int, len(frames))
	for i := range frames {
		n[i] = frames[i].Ticks()
	}
	return n
}
