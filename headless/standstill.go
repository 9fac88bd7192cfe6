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
	openDues        int64
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

// holder names who the world waits for: the laggard that is farthest behind,
// or else the sleeper with the oldest open due.
func holder(w *world.World) string {
	var worst *coordinator.Laggard
	laggards := w.Coordinator().Laggards()
	for i := range laggards {
		if worst == nil || laggards[i].Lag > worst.Lag {
			worst = &laggards[i]
		}
	}
	spawned := w.Stats().Spawned
	if worst != nil {
		who := worst.ID.Kind.String()
		if worst.ID.Kind == coordinator.KindCharacter {
			for spawn := range spawned {
				if d, ok := w.Inspect(spawn + 1); ok && d.Object == worst.ID.Object {
					who = fmt.Sprintf("character %d", spawn+1)
					break
				}
			}
		}
		return fmt.Sprintf("%s holds the brake, at tick %d, %d behind", who, worst.Completed, worst.Lag)
	}
	oldest, who := loop.MaxTick, uint64(0)
	for spawn := range spawned {
		if d, ok := w.Inspect(spawn + 1); ok && d.OldestDue < oldest {
			oldest, who = d.OldestDue, spawn+1
		}
	}
	if who != 0 {
		return fmt.Sprintf("character %d is waited for, due at tick %d", who, oldest)
	}
	return "nobody is known to hold it"
}
