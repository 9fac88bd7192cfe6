package coordinator

import (
	"sync"
	"testing"
	"time"

	"chronoscope/loop"
)

// TestEveryWaiterIsRung has several goroutines wait for the same dues while
// others are opened and settled all the time, so that some that are rung have
// to wait once more: that must not cut off the others.
func TestEveryWaiterIsRung(t *testing.T) {
	const waiters, times, rounds = 8, 300, 3000
	d := NewDues()
	var waiting, working sync.WaitGroup
	for i := range loop.Tick(2) {
		working.Go(func() {
			for range rounds {
				d.Open(5+i, 1)
				time.Sleep(time.Microsecond)
				d.Settle(5 + i)
			}
		})
	}
	for range waiters {
		waiting.Go(func() {
			for range times {
				d.WaitPast(10, nil)
			}
		})
	}
	working.Wait() // nothing is open any more
	done := make(chan struct{})
	go func() {
		waiting.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(10 * time.Second):
		t.Error("a waiter is never rung")
	}
}
