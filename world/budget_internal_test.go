package world

import (
	"sync"
	"sync/atomic"
	"testing"
)

// TestBudgetIsNeverExceeded takes and gives back places from many sides, while
// the limit goes up and down: under one limit there are never more takers than
// places, and of those who are asked to yield as many do as have to.
func TestBudgetIsNeverExceeded(t *testing.T) {
	const limit = 3
	var b budget
	var inside, most atomic.Int64
	var takers sync.WaitGroup
	for range 8 {
		takers.Go(func() {
			for range 5000 {
				if !b.take(limit) {
					continue
				}
				n := inside.Add(1)
				for {
					old := most.Load()
					if n <= old || most.CompareAndSwap(old, n) {
						break
					}
				}
				inside.Add(-1)
				b.giveBack(false)
			}
		})
	}
	takers.Wait()
	if most.Load() > limit || b.taken.Load() != 0 {
		t.Errorf("%d had a place at a time, %d are taken in the end", most.Load(), b.taken.Load())
	}

	for range 10 {
		b.take(0)
	}
	if b.take(limit) || b.yield(0) || b.yield(10) || b.room(limit, 5) != 0 || b.room(12, 5) != 2 || b.room(0, 5) != 5 {
		t.Error("ten places are taken")
	}
	var yielding atomic.Int64
	for range 10 {
		takers.Go(func() {
			if b.yield(limit) {
				yielding.Add(1)
			}
		})
	}
	takers.Wait()
	if yielding.Load() != 7 || b.taken.Load() != 10 {
		t.Errorf("%d of 10 yield to a limit of 3, %d are taken", yielding.Load(), b.taken.Load())
	}
	for range yielding.Load() {
		b.giveBack(true)
	}
	if b.taken.Load() != 3 || b.yielding.Load() != 0 || b.yield(limit) {
		t.Errorf("%d taken, %d yielding", b.taken.Load(), b.yielding.Load())
	}
}
