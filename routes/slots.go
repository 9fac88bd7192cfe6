package routes

import (
	"math"
	"sync"
	"sync/atomic"
)

// entry is a leg as the index's lists name it: a place in the table of legs, and
// how often that place had been given away before. Without pointers a list costs
// the collector nothing, and dead entries keep no leg and no path in memory.
type entry struct{ slot, generation uint32 }

// slotChunkBits sets how many slots are added at a time: 16,384, 256 KiB.
const slotChunkBits = 14

// maxSlots is the number of legs that an index can hold at a time; a leg's marks
// have no room for more.
const maxSlots = 1 << (32 - markBits)

// slot is a place for a leg. An entry of another generation is dead.
type slot struct {
	leg        atomic.Pointer[Leg]
	generation atomic.Uint32
}

// living is the leg of an entry, nil when it is dead.
func (s *slot) living(generation uint32) *Leg {
	if s.generation.Load() != generation {
		return nil
	}
	l := s.leg.Load()
	if s.generation.Load() != generation { // released, and perhaps given away, in between
		return nil
	}
	return l
}

// slotChunk is a piece of the table.
type slotChunk [1 << slotChunkBits]slot

// slots is a table of legs, read without a lock.
type slots struct {
	chunks atomic.Pointer[[]*slotChunk]

	mu   sync.Mutex
	free []uint32
	used int // slots ever given away
}

func (s *slots) at(n uint32) *slot {
	return &(*s.chunks.Load())[n>>slotChunkBits][n&(1<<slotChunkBits-1)]
}

// take gives l a slot.
func (s *slots) take(l *Leg) entry {
	s.mu.Lock()
	defer s.mu.Unlock()
	var n uint32
	if last := len(s.free) - 1; last >= 0 {
		n = s.free[last]
		s.free = s.free[:last]
	} else {
		if s.used == maxSlots {
			panic("routes: more than 536,870,912 legs in an index")
		}
		if s.used&(1<<slotChunkBits-1) == 0 {
			var chunks []*slotChunk
			if old := s.chunks.Load(); old != nil {
				chunks = *old
			}
			// A new directory: readers may hold the old one. Chunks stay.
			chunks = append(chunks[:len(chunks):len(chunks)], new(slotChunk))
			s.chunks.Store(&chunks)
		}
		n = uint32(s.used)
		s.used++
	}
	place := s.at(n)
	place.leg.Store(l)
	return entry{n, place.generation.Load()}
}

// release makes all entries of a slot dead. A slot whose generation would come
// round again isn't given away any more.
func (s *slots) release(n uint32) {
	place := s.at(n)
	generation := place.generation.Add(1) // first: what reads the leg looks again
	place.leg.Store(nil)
	if generation == math.MaxUint32 {
		return
	}
	s.mu.Lock()
	s.free = append(s.free, n)
	s.mu.Unlock()
}

// appendLiving appends the living legs of entries that were there before the call.
func (s *slots) appendLiving(dst []*Leg, entries []entry) []*Leg {
	if len(entries) == 0 {
		return dst
	}
	chunks := *s.chunks.Load()
	for _, e := range entries {
		if l := chunks[e.slot>>slotChunkBits][e.slot&(1<<slotChunkBits-1)].living(e.generation); l != nil {
			dst = append(dst, l)
		}
	}
	return dst
}

// dead says whether an entry's leg was removed.
func (s *slots) dead(e entry) bool { return s.at(e.slot).generation.Load() != e.generation }

// bytes is the memory of the table.
func (s *slots) bytes() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	chunks := (s.used + 1<<slotChunkBits - 1) >> slotChunkBits
	return chunks<<slotChunkBits*16 + cap(s.free)*4
}
