package world

import (
	"errors"
	"fmt"
	"time"

	"chronoscope/coordinator"
	"chronoscope/loop"
	"chronoscope/routes"
)

// Commands change the world. Each is dated the tick after the last released
// one and handed over before that is released. Given before Start they wait for
// it; to a world that is stopping they are ErrStopped.

// order has f hand over a command.
func (w *World) order(what string, f func(due loop.Tick) error) error {
	var failed error
	if err := w.coord.Do(func(due loop.Tick) { failed = f(due) }); err != nil {
		return ErrStopped // Do has no other error
	}
	switch {
	case failed == nil:
		return nil
	case errors.Is(failed, ErrStopped), errors.Is(failed, coordinator.ErrEnded) && w.stopped():
		// Receivers end before the coordinator does.
		return ErrStopped
	}
	return fmt.Errorf("world: %s: %w", what, failed)
}

// stopped says whether Stop was called.
func (w *World) stopped() bool {
	select {
	case <-w.quit:
		return true
	default:
		return false
	}
}

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
		if err := w.order("spawn", func(due loop.Tick) error {
			w.mu.Lock()
			defer w.mu.Unlock()
			if w.stopping {
				return ErrStopped
			}
			if w.spawned+uint64(k) > MaxNPCs { // others spawn, too
				return fmt.Errorf("accepted are %d in all", MaxNPCs)
			}
			for range k {
				w.spawnLocked(due)
			}
			return nil
		}); err != nil {
			return err
		}
	}
	return nil
}

// End ends a character at the next tick, or after its first one if that is yet
// to come. It is no event: a full inbox can't hold it up. Ending one again does
// nothing.
func (w *World) End(spawn uint64) error {
	return w.tell("end", spawn, func(c *character, due loop.Tick) error {
		w.end(c, due)
		return nil
	})
}

// Stall holds a character up for d, in the middle of its next tick when it is
// active.
func (w *World) Stall(spawn uint64, d time.Duration) error {
	if d <= 0 || d > MaxStallFor {
		return fmt.Errorf("world: stall for %v: accepted are more than 0 to %v", d, MaxStallFor)
	}
	return w.tell("stall", spawn, func(c *character, due loop.Tick) error {
		return c.inbox.Send(event{kind: eventStall, wait: d}, due)
	})
}

// tell hands something over to a character.
func (w *World) tell(what string, spawn uint64, hand func(c *character, due loop.Tick) error) error {
	return w.order(what, func(due loop.Tick) error {
		c := w.people.bySpawn(spawn)
		if c == nil {
			return fmt.Errorf("no character has the spawn number %d", spawn)
		}
		return hand(c, due)
	})
}

// Pin keeps a zone active until it is unpinned, whatever is near it.
func (w *World) Pin(z routes.ZoneKey, on bool) error {
	if _, ok := w.index.ZoneID(z); !ok {
		return fmt.Errorf("world: zone (%d, %d) lies outside the map", z.X, z.Y)
	}
	return w.order("pin", func(due loop.Tick) error { return w.keeper.inbox.Send(pinOrder{z, on}, due) })
}

// MaxHold is the longest hold: a week.
const MaxHold = 7 * loop.TicksPerDay

// Hold keeps a character where it is for so many ticks, 1 to MaxHold, from the
// end of the step it is taking on. Then it goes on to where it was going, or
// where its schedule leads it by then. A full inbox is coordinator.ErrInboxFull
// here as with the two that follow; of several at work the last one counts.
func (w *World) Hold(spawn uint64, ticks loop.Tick) error {
	if ticks < 1 || ticks > MaxHold {
		return fmt.Errorf("world: hold for %d ticks: accepted are 1 to %d", ticks, MaxHold)
	}
	return w.tell("hold", spawn, func(c *character, due loop.Tick) error {
		return c.inbox.Send(event{kind: eventHold, ticks: ticks}, due)
	})
}

// Reroute sends a character to a cell, from the end of the step it is taking
// on. It stays there until the next entry of its schedule, which is not one that
// was due before. The cell must be one to which one can walk from the places of
// the map.
func (w *World) Reroute(spawn uint64, to routes.Cell) error {
	if err := w.m.Reachable(w.m.Places[0].Cell, to); err != nil {
		return fmt.Errorf("world: reroute to (%d, %d): %w", to.X, to.Y, err)
	}
	return w.tell("reroute", spawn, func(c *character, due loop.Tick) error {
		return c.inbox.Send(event{kind: eventReroute, to: to}, due)
	})
}

// Cancel drops what a character is doing: it stops at the end of the step it is
// taking and stays there until the next entry of its schedule, which is not one
// that was due before.
func (w *World) Cancel(spawn uint64) error {
	return w.tell("cancel", spawn, func(c *character, due loop.Tick) error {
		return c.inbox.Send(event{kind: eventCancel}, due)
	})
}
