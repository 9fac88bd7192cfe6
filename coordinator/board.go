package coordinator

import (
	"sync/atomic"
	"time"
)

// releaseNote is one release in plain words: instants are relative to the
// coordinator's epoch.
type releaseNote struct {
	tick              uint64
	scheduled, actual time.Duration
	period            time.Duration
	frozen            bool
}

// boardSlots is how many notes are kept. A reader that is interrupted is only
// sent round again if the writer posts that many meanwhile; it never waits for
// a writer that was interrupted itself.
const boardSlots = 8

// releaseBoard hands consistent notes from one writer to any number of
// readers, without a lock and without garbage.
type releaseBoard struct {
	newest atomic.Uint64 // number of the newest note, from 1
	slots  [boardSlots]struct {
		number                          atomic.Uint64 // 0 while being written
		tick, scheduled, actual, period atomic.Uint64
		frozen                          atomic.Bool
	}
}

func (b *releaseBoard) post(n releaseNote) {
	number := b.newest.Load() + 1
	s := &b.slots[number%boardSlots]
	s.number.Store(0)
	s.tick.Store(n.tick)
	s.scheduled.Store(uint64(n.scheduled))
	s.actual.Store(uint64(n.actual))
	s.period.Store(uint64(n.period))
	s.frozen.Store(n.frozen)
	s.number.Store(number)
	b.newest.Store(number)
}

// read gives the newest note. There must be one.
func (b *releaseBoard) read() releaseNote {
	for {
		number := b.newest.Load()
		s := &b.slots[number%boardSlots]
		if s.number.Load() != number {
			continue
		}
		n := releaseNote{
			tick:      s.tick.Load(),
			scheduled: time.Duration(s.scheduled.Load()),
			actual:    time.Duration(s.actual.Load()),
			period:    time.Duration(s.period.Load()),
			frozen:    s.frozen.Load(),
		}
		if s.number.Load() == number {
			return n
		}
	}
}
