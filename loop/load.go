package loop

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// The ranges of a Load.
const (
	MaxBusy    = 0.95
	MaxGarbage = 1 << 30 // bytes a second
	// DefaultGarbage is what a busy server allocates: 128 MiB a second.
	DefaultGarbage = 128 << 20
)

// Load is what the rest of a program does while a pacer is measured. The zero
// Load is nothing.
type Load struct {
	// Busy is the share of its time, 0 to 0.95, that each processor of the
	// runtime (GOMAXPROCS) is kept busy by Go code: as many threads compute in
	// stretches of 10 ms and little more.
	Busy float64
	// Garbage is how many bytes a second, 0 to 1 GiB, are allocated and dropped,
	// in small objects with pointers, while 16 MiB of them live on for the
	// collector to mark.
	Garbage int
}

// Validate names the field, its value and its range.
func (l Load) Validate() error {
	// Written so that NaN fails.
	if !(l.Busy >= 0 && l.Busy <= MaxBusy) {
		return fmt.Errorf("loop: busy share %v: want 0 to %v", l.Busy, MaxBusy)
	}
	if l.Garbage < 0 || l.Garbage > MaxGarbage {
		return fmt.Errorf("loop: garbage %d: want 0 to %d bytes a second", l.Garbage, MaxGarbage)
	}
	return nil
}

// busyCycle is a stretch of computing and the rest after it. It is a time slice of
// the runtime: what computes for longer is preempted.
const busyCycle = 10 * time.Millisecond

// loadStart is how long loads run before anything is measured.
const loadStart = 50 * time.Millisecond

// burden is a Load that is running.
type burden struct {
	cancel context.CancelFunc
	wg     sync.WaitGroup
	used   atomic.Int64 // processor time of the busy threads, as of their last rest
	sink   atomic.Uint64
}

// begin starts the load. It returns when the load has come into its stride, or
// ctx has ended.
func (l Load) begin(ctx context.Context) *burden {
	ctx, cancel := context.WithCancel(ctx)
	b := &burden{cancel: cancel}
	if l.Busy > 0 {
		for range runtime.GOMAXPROCS(0) {
			b.wg.Go(func() { b.busy(ctx, l.Busy) })
		}
	}
	if l.Garbage > 0 {
		b.wg.Go(func() { b.litter(ctx, l.Garbage) })
	}
	if l != (Load{}) {
		pause(ctx, loadStart)
	}
	return b
}

// end stops the load and returns when its goroutines are gone.
func (b *burden) end() {
	b.cancel()
	b.wg.Wait()
}

// pause sleeps for d, or until ctx ends, which it says.
func pause(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// busy computes for a share of the time on a thread of its own. A rest that was
// too long, since timers are late, is made up for by a longer stretch.
func (b *burden) busy(ctx context.Context, share float64) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	start := time.Now()
	computed := time.Duration(0)
	before, exact := threadTime()
	x := uint64(start.UnixNano()) | 1
	for ctx.Err() == nil {
		// What the share comes to at the end of this cycle.
		due := time.Duration(share*float64(time.Since(start)+busyCycle)) - computed
		stretch := min(max(due, 0), 2*busyCycle)
		from := time.Now()
		for time.Since(from) < stretch {
			for range 1000 {
				x ^= x << 13
				x ^= x >> 7
				x ^= x << 17
			}
		}
		took := time.Since(from)
		if exact {
			now, _ := threadTime()
			b.used.Add(int64(now - before))
			took, before = now-before, now
		} else {
			b.used.Add(int64(took))
		}
		computed += took
		// Next when so much has passed that the computed part is the share.
		pause(ctx, time.Duration(float64(computed)/share)-time.Since(start))
	}
	b.sink.Add(x)
}

// node is a piece of garbage: 64 bytes with two pointers to mark.
type node struct {
	next, other *node
	_           [48]byte
}

// litter allocates at a rate. Of what it allocates the last 16 MiB are reachable,
// in lists of 1,024.
func (b *burden) litter(ctx context.Context, rate int) {
	const (
		list  = 1024
		bytes = list * 64
	)
	live := make([]*node, (16<<20)/bytes)
	start := time.Now()
	for made := 0; ctx.Err() == nil; {
		due := int(time.Since(start).Seconds()*float64(rate)) / bytes
		for ; made < due && ctx.Err() == nil; made++ {
			first := &node{}
			head := first
			for range list - 1 {
				head = &node{next: head, other: first}
			}
			live[made%len(live)] = head
		}
		pause(ctx, time.Millisecond)
	}
	b.sink.Add(uint64(len(live)))
}
