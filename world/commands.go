package world

import (
	"fmt"
	"time"

	"chronoscope/coordinator"
	"chronoscope/loop"
	"chronoscope/routes"
)

// Commands change the world. Each is dated the tick after the last released
// one and handed over before that is released.

// spawnsAtOnce is how many characters one visit to the coordinator makes: its
// next check waits for them.
const spawnsAtOnce = 64

// Spawn adds n characters, each to live from the next tick on.
func (w *World) Spawn(n int) error {
	if total := w.counts.spawned.Load() + uint64(max(n, 0)); n < 1 || total > MaxNPCs {
		return fmt.Errorf("world: spawn %d: accepted are 1 to %d in all", n, MaxNPCs)
	}
	for n > 0 {
		k := min(n, spawnsAtOnce)
		n -= k
		var stopped bool
		err := w.coord.Do(func(due loop.Tick) {
			w.mu.Lock()
			defer w.mu.Unlock()
			if stopped = w.stopping; stopped {
				return
			}
			for range k {
				w.spawnLocked(due)
			}
		})
		if err != nil {
			return fmt.Errorf("world: spawn: %w", err)
		}
		if stopped {
			return ErrStopped
		}
	}
	return nil
}

// End ends a character at the next tick, or after its first one if that is yet
// to come. It is no event: a full inbox can't hold it up. Ending one again does
// nothing.
func (w *World) End(spawn uint64) error {
	return w.tell(spawn, func(c *character, due loop.Tick) error {
		due = max(due, c.born+1)
		if c.endAt.CompareAndSwap(uint64(loop.MaxTick), uint64(due)) {
			w.dues.Open(due, 1)
			// It may have seen endAt already and be gone: all the same to us.
			_ = c.inbox.Notify(coordinator.NoticeEnd, due)
		}
		return nil
	})
}

// Stall holds a character up for d, in the middle of its next tick when it is
// active.
func (w *World) Stall(spawn uint64, d time.Duration) error {
	if d <= 0 || d > MaxStallFor {
		return fmt.Errorf("world: stall for %v: accepted are more than 0 to %v", d, MaxStallFor)
	}
	return w.tell(spawn, func(c *character, due loop.Tick) error {
		return c.inbox.Send(event{kind: eventStall, wait: d}, due)
	})
}

// tell hands something over to a character between two ticks.
func (w *World) tell(spawn uint64, hand func(c *character, due loop.Tick) error) error {
	var sent error
	err := w.coord.Do(func(due loop.Tick) {
		c := w.people.bySpawn(spawn)
		if c == nil {
			sent = fmt.Errorf("no character has the spawn number %d", spawn)
			return
		}
		sent = hand(c, due)
	})
	if err == nil {
		err = sent
	}
	if err != nil {
		return fmt.Errorf("world: %w", err)
	}
	return nil
}

// Pin keeps a zone active until it is unpinned, whatever is near it.
func (w *World) Pin(z routes.ZoneKey, on bool) error {
	if _, ok := w.index.ZoneID(z); !ok {
		return fmt.Errorf("world: zone (%d, %d) lies outside the map", z.X, z.Y)
	}
	var sent error
	err := w.coord.Do(func(due loop.Tick) { sent = w.keeper.inbox.Send(pinOrder{z, on}, due) })
	if err == nil {
		err = sent
	}
	if err != nil {
		return fmt.Errorf("world: pin: %w", err)
	}
	return nil
}
