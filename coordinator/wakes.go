package coordinator

import "chronoscope/loop"

// wakes stores registrations by tick: those of the next day and a half of the
// town in a ring of ticks, each a list of chunks; later ones in a heap, from
// which they move on in time. Taking a tick out gives its ids in the order of
// registration. Chunks are used again: no garbage in the steady state.
//
// Memory: 1 MB for the ring, 64 bytes for up to 7 ids of one tick, 24 bytes
// for a later one. What was needed once is kept.
type wakes struct {
	floor  loop.Tick  // taken out so far; every entry is later
	ring   []wakeList // of tick t at t % len, a power of two
	pages  []*[pageChunks]wakeChunk
	fresh  uint32 // chunks made use of so far
	free   uint32 // list of returned chunks
	later  wakeHeap
	number uint64 // of the newest entry in later
	len    int
}

const (
	// ringTicks covers a day's schedule, 86,400 ticks.
	ringTicks = 1 << 17
	// pageChunks is how many chunks are allocated at once: 64 KB.
	pageChunks = 1 << 10
	chunkIDs   = 7
)

// Chunks are named by their number + 1; 0 is none.
type wakeList struct{ head, tail uint32 }

type wakeChunk struct {
	next uint32
	n    uint32
	ids  [chunkIDs]ObjectID
}

func newWakes(floor loop.Tick, ringTicks int) *wakes {
	return &wakes{floor: floor, ring: make([]wakeList, ringTicks)}
}

func (w *wakes) list(t loop.Tick) *wakeList { return &w.ring[int(t)&(len(w.ring)-1)] }

// near says whether t, later than floor, is in the ring.
func (w *wakes) near(t loop.Tick) bool { return t-w.floor <= loop.Tick(len(w.ring)) }

func (w *wakes) chunk(c uint32) *wakeChunk {
	return &w.pages[(c-1)/pageChunks][(c-1)%pageChunks]
}

// add registers id at t, which must be later than floor.
func (w *wakes) add(t loop.Tick, id ObjectID) {
	w.len++
	if !w.near(t) {
		w.number++
		w.later.push(laterWake{t, w.number, id})
		return
	}
	w.put(t, id)
}

func (w *wakes) put(t loop.Tick, id ObjectID) {
	l := w.list(t)
	if l.tail == 0 || w.chunk(l.tail).n == chunkIDs {
		c := w.empty()
		if l.tail == 0 {
			l.head = c
		} else {
			w.chunk(l.tail).next = c
		}
		l.tail = c
	}
	c := w.chunk(l.tail)
	c.ids[c.n] = id
	c.n++
}

// empty hands out a chunk.
func (w *wakes) empty() uint32 {
	if c := w.free; c != 0 {
		chunk := w.chunk(c)
		w.free = chunk.next
		chunk.next, chunk.n = 0, 0
		return c
	}
	if w.fresh%pageChunks == 0 {
		w.pages = append(w.pages, new([pageChunks]wakeChunk))
	}
	w.fresh++
	return w.fresh
}

// take moves on to the next tick, floor + 1, and appends its ids to dst.
func (w *wakes) take(dst []ObjectID) []ObjectID {
	w.floor++
	l := w.list(w.floor)
	for c := l.head; c != 0; {
		chunk := w.chunk(c)
		dst = append(dst, chunk.ids[:chunk.n]...)
		w.len -= int(chunk.n)
		next := chunk.next
		chunk.next, w.free = w.free, c
		c = next
	}
	*l = wakeList{}
	// A tick has come into the ring: what was registered for it while it was
	// far off goes before what will be.
	for len(w.later) > 0 && w.near(w.later[0].tick) {
		e := w.later.pop()
		w.put(e.tick, e.id)
	}
	return dst
}

type laterWake struct {
	tick   loop.Tick
	number uint64
	id     ObjectID
}

func (a *laterWake) before(b *laterWake) bool {
	return a.tick < b.tick || a.tick == b.tick && a.number < b.number
}

// wakeHeap has the entry that comes first at 0. It is no container/heap, which
// would allocate for every entry.
type wakeHeap []laterWake

func (h *wakeHeap) push(e laterWake) {
	*h = append(*h, e)
	a := *h
	for i := len(a) - 1; i > 0; {
		parent := (i - 1) / 2
		if !a[i].before(&a[parent]) {
			break
		}
		a[i], a[parent] = a[parent], a[i]
		i = parent
	}
}

func (h *wakeHeap) pop() laterWake {
	a := *h
	first, end := a[0], len(a)-1
	a[0] = a[end]
	a = a[:end]
	*h = a
	for i := 0; ; {
		child := 2*i + 1
		if child >= len(a) {
			return first
		}
		if child+1 < len(a) && a[child+1].before(&a[child]) {
			child++
		}
		if !a[child].before(&a[i]) {
			return first
		}
		a[i], a[child] = a[child], a[i]
		i = child
	}
}
