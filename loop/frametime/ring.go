package frametime

import (
	"sync/atomic"
	"time"

	"chronoscope/loop"
)

// DefaultFrames is how many frames a ring keeps when it isn't told: 136 s at 120
// a second, in 2.1 MB.
const DefaultFrames = 16384

// MaxRing bounds a ring: over two hours at 120 frames a second.
const MaxRing = 1 << 20

// FrameRing keeps the last frames. It is for one goroutine, the one that draws;
// pushing copies a record into memory that is there already.
type FrameRing struct {
	slots  []Frame
	pushed uint64
	next   int // the slot of the next push
}

// NewFrameRing makes a ring for n frames, 1 to MaxRing; 0 or less means
// DefaultFrames.
func NewFrameRing(n int) *FrameRing {
	if n <= 0 {
		n = DefaultFrames
	}
	return &FrameRing{slots: make([]Frame, min(n, MaxRing))}
}

// Push adds a frame, in place of the oldest when the ring is full.
func (r *FrameRing) Push(f *Frame) {
	r.slots[r.next] = *f
	r.pushed++
	if r.next++; r.next == len(r.slots) {
		r.next = 0
	}
}

// Len is how many frames are kept.
func (r *FrameRing) Len() int { return int(min(r.pushed, uint64(len(r.slots)))) }

// Pushed is how many were ever pushed.
func (r *FrameRing) Pushed() uint64 { return r.pushed }

// At is the kept frame i, from the oldest, 0 <= i < Len. It is the ring's own
// memory: valid until the next Push.
func (r *FrameRing) At(i int) *Frame {
	if r.pushed < uint64(len(r.slots)) {
		return &r.slots[:r.pushed][i]
	}
	if i += r.next; i >= len(r.slots) {
		i -= len(r.slots)
	}
	return &r.slots[i]
}

// AppendTo appends copies of the kept frames, the oldest first.
func (r *FrameRing) AppendTo(dst []Frame) []Frame {
	if r.Len() < len(r.slots) {
		return append(dst, r.slots[:r.pushed]...)
	}
	dst = append(dst, r.slots[r.next:]...)
	return append(dst, r.slots[:r.next]...)
}

// Release is one tick as its release was measured, in monotonic nanoseconds
// since the same origin as the frames'.
type Release struct {
	Tick      loop.Tick
	Scheduled int64 // its exact time on the grid
	Released  int64 // when it came
	Brake     int64 // how long a laggard held it up, ns
}

// Error is how late the tick came; it is negative when it came early.
func (r *Release) Error() time.Duration { return time.Duration(r.Released - r.Scheduled) }

// DefaultReleases is how many releases a ring keeps when it isn't told: 136 s at
// 120 ticks a second.
const DefaultReleases = 16384

// ReleaseRing keeps the last releases. One goroutine pushes, the coordinator's;
// any number read at the same time, and neither waits for the other: words are
// stored atomically, and a reader throws away what was overwritten under it.
type ReleaseRing struct {
	slots  []releaseSlot
	pushed atomic.Uint64
}

type releaseSlot struct{ tick, scheduled, released, brake atomic.Uint64 }

// NewReleaseRing makes a ring for n releases, 2 to MaxRing; 0 or less means
// DefaultReleases.
func NewReleaseRing(n int) *ReleaseRing {
	if n <= 0 {
		n = DefaultReleases
	}
	return &ReleaseRing{slots: make([]releaseSlot, min(max(n, 2), MaxRing))}
}

// Push adds a release, in place of the oldest when the ring is full. Only one
// goroutine may push.
func (r *ReleaseRing) Push(x Release) {
	n := r.pushed.Load()
	s := &r.slots[n%uint64(len(r.slots))]
	s.tick.Store(uint64(x.Tick))
	s.scheduled.Store(uint64(x.Scheduled))
	s.released.Store(uint64(x.Released))
	// Mostly there is none, as before; a store costs as much as the rest of a line.
	if s.brake.Load() != uint64(x.Brake) {
		s.brake.Store(uint64(x.Brake))
	}
	r.pushed.Store(n + 1)
}

// Pushed is how many were ever pushed.
func (r *ReleaseRing) Pushed() uint64 { return r.pushed.Load() }

// Since appends the releases from number from on that are still kept, the oldest
// first, and gives the number to ask from next. The oldest slot of a full ring
// is never told, since it may be in the middle of being overwritten.
func (r *ReleaseRing) Since(from uint64, dst []Release) ([]Release, uint64) {
	end := r.pushed.Load()
	from = max(from, kept(end, uint64(len(r.slots))))
	begin := len(dst)
	dst = r.copy(from, end, dst)
	n := int(r.lost(from, end))
	dst = append(dst[:begin], dst[begin+n:]...)
	return dst, max(end, from)
}

// copy appends releases from up to end, whether or not they are being
// overwritten.
func (r *ReleaseRing) copy(from, end uint64, dst []Release) []Release {
	for i := from; i < end; i++ {
		s := &r.slots[i%uint64(len(r.slots))]
		dst = append(dst, Release{loop.Tick(s.tick.Load()), int64(s.scheduled.Load()), int64(s.released.Load()), int64(s.brake.Load())})
	}
	return dst
}

// lost is how many of the releases from up to end the writer has reached since:
// what was copied of them may be half of another one.
func (r *ReleaseRing) lost(from, end uint64) uint64 {
	if from >= end {
		return 0
	}
	reached := kept(r.pushed.Load(), uint64(len(r.slots)))
	return min(max(reached, from), end) - from
}

// kept is the first release that no push can be touching when pushed are
// complete: push number pushed may be under way, in the slot of pushed - size.
func kept(pushed, size uint64) uint64 {
	if pushed < size {
		return 0
	}
	return pushed - size + 1
}
