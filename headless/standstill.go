package main

import (
	"fmt"
	"time"

	"chronoscope/coordinator"
	"chronoscope/loop"
	"chronoscope/world"
)

// standstill finds out that a world which ought to move has made no progress
// at all for a while.
type standstill struct {
	limit time.Duration
	last  pulse
	since time.Time
}

// pulse changes whenever anything in the world gets on.
type pulse struct {
	tick, scheduler loop.Tick
	wakes, legs     uint64
	handled         uint64
	openDues        int
	completed       loop.Tick // of all laggards together
}

// look takes in the present state and says whether it has stood still for the
// limit. A world that need not move starts the time anew.
func (s *standstill) look(now time.Time, p pulse, mustMove bool) bool {
	if !mustMove || p != s.last || s.since.IsZero() {
		s.last, s.since = p, now
		return false
	}
	return now.Sub(s.since) >= s.limit
}

func pulseOf(st *world.Stats, laggards []coordinator.Laggard) pulse {
	p := pulse{tick: st.Tick, scheduler: st.Scheduler.Processed, wakes: st.Wakes, legs: st.LegsStarted,
		handled: st.Inbox.Handled, openDues: st.OpenDues}
	for _, l := range laggards {
		p.completed += l.Completed
	}
	return p
}

// holder names who the world waits for: the active character that is farthest
// behind; or else the sleeper with the oldest open due; or else who holds the
// brake without being a character. It asks everyone and is for the end of a run.
func holder(w *world.World) string {
	var last world.Detail
	oldest := world.Detail{OldestDue: loop.MaxTick}
	for spawn := range w.Stats().Spawned {
		d, ok := w.Inspect(spawn + 1)
		if !ok {
			continue
		}
		if d.Lag > last.Lag {
			last = d
		}
		if d.OldestDue < oldest.OldestDue {
			oldest = d
		}
	}
	switch {
	case last.Lag > 0:
		return fmt.Sprintf("character %d holds it up, at tick %d, %d behind", last.Spawn, last.Completed, last.Lag)
	case oldest.OldestDue < loop.MaxTick:
		return fmt.Sprintf("character %d, %v, holds it up with what was due at tick %d", oldest.Spawn, oldest.Mode, oldest.OldestDue)
	}
	for _, l := range w.Coordinator().Laggards() {
		return fmt.Sprintf("the %v holds it up, at tick %d, %d behind", l.ID.Kind, l.Completed, l.Lag)
	}
	return "nobody is known to hold it up"
}
