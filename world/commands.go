package world

import (
	"fmt"
	"time"

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

// End ends a character at the next tick. A full inbox is reported and nothing
// is done.
func (w *World) End(spawn uint64) error { return w.order(spawn, event{kind: eventEnd}) }

// Stall holds a character up for d, in the middle of its next tick when it is
// active.
func (w *World) Stall(spawn uint64, d time.Duration) error {
	if d <= 0 || d > MaxStallFor {
		return fmt.Errorf("world: stall for %v: accepted are more than 0 to %v", d, MaxStallFor)
	}
	return w.order(spawn, event{kind: eventStall, wait: d})
}

// order sends an event to a character.
func (w *World) order(spawn uint64, e event) error {
	var sent error
	err := w.coord.Do(func(due loop.Tick) {
		c := w.people.bySpawn(spawn)
		if c == nil {
			sent = fmt.Errorf("no character has the spawn number %d", spawn)
			return
		}
		sent = c.inbox.Send(e, due)
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
