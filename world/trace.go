package world

import (
	"sync/atomic"

	"chronoscope/loop"
)

// traceLength is how many notes are kept.
const traceLength = 64

// trace keeps the last notes of one character. That character's goroutine
// alone writes it, viewers read it at any time, and neither waits.
type trace struct {
	spawn uint64
	count atomic.Uint64
	// One more than are kept: the one that is just being written.
	ring [traceLength + 1]atomic.Pointer[Note]
}

// Trace keeps notes of what happens to one character from now on, and drops
// those of the one traced before; 0 traces nobody. It changes nothing else.
func (w *World) Trace(spawn uint64) {
	if spawn == 0 {
		w.traced.Store(nil)
		return
	}
	if t := w.traced.Load(); t == nil || t.spawn != spawn {
		w.traced.Store(&trace{spawn: spawn})
	}
}

// note keeps a note of what happens at a tick, if the character is traced. It
// is for events, not for every tick.
func (c *character) note(kind NoteKind, at loop.Tick, n int64) {
	t := c.w.traced.Load()
	if t == nil || t.spawn != c.spawn {
		return
	}
	i := t.count.Load()
	t.ring[i%uint64(len(t.ring))].Store(&Note{Tick: at, Handled: c.w.coord.Global(), Kind: kind, Leg: c.leg(), N: n})
	t.count.Store(i + 1)
}

// leg is the number of the leg under way, 0 before the first.
func (c *character) leg() uint32 {
	if l := c.chain.Load(); l != nil {
		return l.leg.Number
	}
	return 0
}

// notes gives the last notes of a character, oldest first, nil when it isn't
// traced.
func (w *World) notes(spawn uint64) []Note {
	t := w.traced.Load()
	if t == nil || t.spawn != spawn {
		return nil
	}
	end := t.count.Load()
	begin := end - min(end, traceLength)
	notes := make([]Note, 0, end-begin)
	for i := begin; i < end; i++ {
		notes = append(notes, *t.ring[i%uint64(len(t.ring))].Load())
	}
	// The next note to come may be overwriting the oldest one that the ring
	// still held, and later ones may have followed meanwhile.
	whole := max(t.count.Load(), traceLength) - traceLength
	return notes[min(max(whole, begin)-begin, uint64(len(notes))):]
}
