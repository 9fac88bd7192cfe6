package coordinator

import (
	"fmt"
	"math/bits"
	"sync"
	"sync/atomic"

	"chronoscope/loop"
)

// Dues is the run-wide ledger of what is still to be done: how many dues are
// open at each tick. A due is opened before its notice or event is handed
// over, and settled when its receiver has done everything that follows from
// it. "Is everything up to t done?" is asked with Past, after the scheduler's
// Processed has been seen at t or later.
//
// loop.MaxTick means "no due": opening and settling it does nothing.
//
// Memory: four bytes and a bit for each tick from the oldest open one to the newest, up
// to 4 million ticks apart (16 MB; 19 hours at 60 a second). Ticks beyond that,
// which nothing but a mistaken date asks for, take a map entry each.
type Dues struct {
	oldest atomic.Uint64 // of ring and far; MaxTick when nothing is open
	open   atomic.Int64

	mu sync.Mutex
	// ring counts tick t at t % len(ring), for base <= t < base+len(ring).
	// While live > 0, base is the oldest tick with a count and top at least
	// the newest; while live is 0, every count is.
	ring      []uint32
	marks     []uint64 // a bit for each count that is not 0
	base, top loop.Tick
	live      int
	// far holds what doesn't fit into the ring. A tick that is here is not
	// in the ring.
	far     map[loop.Tick]int
	waiters *dueWaiter // list
}

type dueWaiter struct {
	past loop.Tick
	bell chan struct{}
	next *dueWaiter
}

const (
	duesRing    = 1 << 10
	duesRingMax = 1 << 22
)

// NewDues makes a ledger in which nothing is open.
func NewDues() *Dues {
	d := &Dues{ring: make([]uint32, duesRing), marks: make([]uint64, duesRing/64), far: make(map[loop.Tick]int)}
	d.oldest.Store(uint64(loop.MaxTick))
	return d
}

// Open opens n dues at t.
func (d *Dues) Open(t loop.Tick, n int) {
	if n <= 0 || t == loop.MaxTick {
		return
	}
	d.mu.Lock()
	if d.fitsLocked(t) {
		d.putLocked(t, d.ring[d.slot(t)]+uint32(n))
		d.live += n
	} else {
		d.far[t] += n
	}
	d.open.Add(int64(n))
	if t < loop.Tick(d.oldest.Load()) {
		d.oldest.Store(uint64(t))
	}
	d.mu.Unlock()
}

// Settle settles one due at t. Settling what is not open panics: the ledger
// would lie from then on.
func (d *Dues) Settle(t loop.Tick) { d.SettleN(t, 1) }

// SettleN settles n dues at t.
func (d *Dues) SettleN(t loop.Tick, n int) {
	if n <= 0 || t == loop.MaxTick {
		return
	}
	d.mu.Lock()
	left := d.countLocked(t) - n
	if left < 0 {
		d.mu.Unlock()
		panic(fmt.Sprintf("coordinator: %d dues settled at tick %d, where %d are open", n, t, left+n))
	}
	if _, ok := d.far[t]; ok {
		if d.far[t] = left; left == 0 {
			delete(d.far, t)
		}
	} else {
		d.putLocked(t, uint32(left))
		d.live -= n
	}
	d.open.Add(int64(-n))
	var ready *dueWaiter
	if left == 0 && t == loop.Tick(d.oldest.Load()) {
		ready = d.advanceLocked()
	}
	d.mu.Unlock()
	for ready != nil {
		w := ready
		// Rung, it may be back in the list at once.
		ready = w.next
		ring(w.bell)
	}
}

// advanceLocked finds the oldest open tick anew, and takes out the waiters
// that were waiting for it to move on.
func (d *Dues) advanceLocked() (ready *dueWaiter) {
	oldest := loop.MaxTick
	if d.live > 0 {
		d.base += d.emptyLocked()
		oldest = d.base
	}
	for t := range d.far {
		oldest = min(oldest, t)
	}
	d.oldest.Store(uint64(oldest))
	for at := &d.waiters; *at != nil; {
		w := *at
		if w.past >= oldest {
			at = &w.next
			continue
		}
		*at = w.next
		w.next, ready = ready, w
	}
	return ready
}

func (d *Dues) slot(t loop.Tick) int { return int(t) & (len(d.ring) - 1) }

// putLocked sets the count of a tick that is in the ring.
func (d *Dues) putLocked(t loop.Tick, n uint32) {
	i := d.slot(t)
	d.ring[i] = n
	if bit := uint64(1) << (i % 64); n != 0 {
		d.marks[i/64] |= bit
	} else {
		d.marks[i/64] &^= bit
	}
}

// emptyLocked is how many ticks from base on have nothing open: 64 at a look,
// since one straggler may be a hundred thousand ticks behind all others. There
// must be a count.
func (d *Dues) emptyLocked() loop.Tick {
	i := d.slot(d.base)
	if m := d.marks[i/64] >> (i % 64); m != 0 {
		return loop.Tick(bits.TrailingZeros64(m))
	}
	n := 64 - i%64
	for at := i/64 + 1; ; at++ {
		if m := d.marks[at&(len(d.marks)-1)]; m != 0 {
			return loop.Tick(n + bits.TrailingZeros64(m))
		}
		n += 64
	}
}

func (d *Dues) countLocked(t loop.Tick) int {
	if n, ok := d.far[t]; ok {
		return n
	}
	if d.live > 0 && t >= d.base && t <= d.top {
		return int(d.ring[d.slot(t)])
	}
	return 0
}

// fitsLocked makes the ring reach t, and says no if t belongs into far.
func (d *Dues) fitsLocked(t loop.Tick) bool {
	if len(d.far) > 0 {
		if _, ok := d.far[t]; ok {
			return false
		}
	}
	if d.live == 0 {
		d.base, d.top = t, t
		return true
	}
	base, top := min(d.base, t), max(d.top, t)
	if top-base >= duesRingMax {
		return false
	}
	for top-base >= loop.Tick(len(d.ring)) {
		old := d.ring
		d.ring, d.marks = make([]uint32, 2*len(old)), make([]uint64, 2*len(d.marks))
		for u := d.base; u <= d.top; u++ {
			if n := old[int(u)&(len(old)-1)]; n != 0 {
				d.putLocked(u, n)
			}
		}
	}
	d.base, d.top = base, top
	return true
}

// Oldest is the oldest tick with an open due; no if none is open.
func (d *Dues) Oldest() (loop.Tick, bool) {
	t := loop.Tick(d.oldest.Load())
	return t, t != loop.MaxTick
}

// Past says whether no due at t or before is open.
func (d *Dues) Past(t loop.Tick) bool { return loop.Tick(d.oldest.Load()) > t }

// Len is the number of open dues.
func (d *Dues) Len() int { return int(d.open.Load()) }

// At is the number of open dues at t.
func (d *Dues) At(t loop.Tick) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.countLocked(t)
}

// WaitPast waits until no due at t or before is open, and says true. It says
// false when something was received from stop first, or stop is closed.
func (d *Dues) WaitPast(t loop.Tick, stop <-chan struct{}) bool {
	if d.Past(t) {
		return true
	}
	w := &dueWaiter{past: t, bell: make(chan struct{}, 1)}
	for {
		d.mu.Lock()
		if d.Past(t) {
			d.mu.Unlock()
			return true
		}
		w.next, d.waiters = d.waiters, w
		d.mu.Unlock()
		select {
		case <-w.bell:
			// Taken out of the list by whoever rang. An older due may have
			// been opened since: look again.
		case <-stop:
			d.mu.Lock()
			for at := &d.waiters; *at != nil; at = &(*at).next {
				if *at == w {
					*at = w.next
					break
				}
			}
			d.mu.Unlock()
			return false
		}
	}
}
