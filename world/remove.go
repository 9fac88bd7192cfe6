package world

import (
	"fmt"

	"chronoscope/coordinator"
	"chronoscope/loop"
)

// removeLooks is how many spawn numbers one visit to the coordinator looks at:
// most of the newest may have ended already.
const removeLooks = 4096

// Remove ends the n living characters that were spawned last, each as End does.
// One that has been told to end already doesn't count. It gives an error when
// fewer than n live.
func (w *World) Remove(n int) error {
	living := w.counts.spawned.Load() - w.counts.ended.Load()
	if n < 1 || uint64(n) > living {
		if living == 0 {
			return fmt.Errorf("world: remove %d: nobody lives", n)
		}
		return fmt.Errorf("world: remove %d: accepted are 1 to %d, who live", n, living)
	}
	spawn := uint64(0)
	for first := true; n > 0 && (first || spawn > 0); first = false {
		if err := w.order("remove", func(due loop.Tick) error {
			if first {
				w.mu.Lock()
				spawn = w.spawned
				w.mu.Unlock()
			}
			for ended, looks := 0, 0; n > 0 && spawn > 0 && ended < spawnsAtOnce && looks < removeLooks; looks++ {
				if c := w.people.bySpawn(spawn); c != nil && w.end(c, due) {
					n--
					ended++
				}
				spawn--
			}
			return nil
		}); err != nil {
			return err
		}
	}
	return nil
}

// end tells a character to end at due, or after its first tick if that is yet
// to come; false when it was told before, or has ended.
func (w *World) end(c *character, due loop.Tick) bool {
	due = max(due, c.born+1)
	if !c.endAt.CompareAndSwap(uint64(loop.MaxTick), uint64(due)) {
		return false
	}
	w.dues.Open(due, 1)
	// It may have seen endAt already and be gone: all the same to us.
	_ = c.inbox.Notify(coordinator.NoticeEnd, due)
	return true
}
