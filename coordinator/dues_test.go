package coordinator_test

import (
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"

	"chronoscope/coordinator"
	"chronoscope/loop"

	"pgregory.net/rapid"
)

// The ledger agrees with a plain map, for ticks near and absurdly far apart.
func TestDuesAgainstMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := coordinator.NewDues()
		model := map[loop.Tick]int{}
		base := rapid.SampledFrom([]loop.Tick{0, 1, 1000, 1 << 40, loop.MaxTick - 5000}).Draw(t, "base")
		tick := rapid.Custom(func(t *rapid.T) loop.Tick {
			switch rapid.IntRange(0, 9).Draw(t, "far") {
			case 0:
				return rapid.SampledFrom([]loop.Tick{0, 5, 1 << 23, 1 << 50, loop.MaxTick - 1, loop.MaxTick}).Draw(t, "tick")
			case 1, 2:
				return base + loop.Tick(rapid.IntRange(0, 4999).Draw(t, "tick"))
			case 3:
				return base + loop.Tick(rapid.SampledFrom([]int{63, 64, 127, 128, 1023, 1024, 2047}).Draw(t, "tick"))
			}
			return base + loop.Tick(rapid.IntRange(0, 20).Draw(t, "tick"))
		})
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			at := tick.Draw(t, "at")
			n := rapid.IntRange(0, 3).Draw(t, "n")
			if rapid.Bool().Draw(t, "open") {
				d.Open(at, n)
				if at != loop.MaxTick {
					model[at] += n
				}
			} else {
				n = min(n, model[at])
				d.SettleN(at, n)
				model[at] -= n
			}
			oldest, sum := loop.MaxTick, 0
			for u, k := range model {
				if k > 0 {
					oldest = min(oldest, u)
				}
				sum += k
				if got := d.At(u); got != k {
					t.Fatalf("%d open at %d, want %d", got, u, k)
				}
			}
			if got, ok := d.Oldest(); ok != (oldest != loop.MaxTick) || ok && got != oldest {
				t.Fatalf("oldest %d %v, want %d", got, ok, oldest)
			}
			if d.Len() != sum || d.Past(oldest) && oldest != loop.MaxTick || oldest > 0 && !d.Past(oldest-1) {
				t.Fatalf("%d open, want %d; past %d: %v", d.Len(), sum, oldest, d.Past(oldest))
			}
		}
	})
}

func TestDuesSettleTooMuch(t *testing.T) {
	for name, f := range map[string]func(d *coordinator.Dues){
		"nothing open":   func(d *coordinator.Dues) { d.Settle(5) },
		"another tick":   func(d *coordinator.Dues) { d.Open(4, 1); d.Settle(5) },
		"twice":          func(d *coordinator.Dues) { d.Open(5, 1); d.Settle(5); d.Settle(5) },
		"more than open": func(d *coordinator.Dues) { d.Open(5, 2); d.SettleN(5, 3) },
		"far beyond":     func(d *coordinator.Dues) { d.Open(5, 1); d.Open(1<<50, 1); d.SettleN(1<<50, 2) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("want a panic")
				}
			}()
			f(coordinator.NewDues())
		})
	}
}

func TestDuesWaitPast(t *testing.T) {
	bubble(t, func(t *testing.T) {
		d := coordinator.NewDues()
		if !d.WaitPast(100, nil) {
			t.Error("nothing is open")
		}
		d.Open(5, 1)
		d.Open(7, 1)
		d.Open(9, 2)
		var wg sync.WaitGroup
		var mu sync.Mutex
		done := map[loop.Tick]bool{}
		stop := make(chan struct{})
		for _, at := range []loop.Tick{4, 5, 6, 7, 8, 9, 20} {
			wg.Go(func() {
				ok := d.WaitPast(at, stop)
				mu.Lock()
				done[at] = ok
				mu.Unlock()
			})
		}
		want := func(n int) {
			t.Helper()
			synctest.Wait()
			mu.Lock()
			defer mu.Unlock()
			if len(done) != n {
				t.Errorf("%d waits have ended, want %d: %v", len(done), n, done)
			}
		}
		want(1)
		d.Settle(7) // the oldest stays
		want(1)
		d.Settle(5)
		want(5)
		d.Settle(9)
		want(5)
		d.Open(3, 1) // an older one after all
		d.Settle(9)
		want(5)
		d.Open(21, 1)
		d.Settle(3)
		want(7)
		wg.Wait()
		for at, ok := range done {
			if !ok {
				t.Errorf("the wait for %d was stopped", at)
			}
		}
		// Stopped ones leave nothing behind.
		for range 3 {
			wg.Go(func() {
				if d.WaitPast(21, stop) {
					t.Error("21 is open")
				}
			})
		}
		synctest.Wait()
		stop <- struct{}{}
		close(stop)
		wg.Wait()
		d.Settle(21)
	})
}

// Many at once: nothing is lost, and every waiter gets through.
func TestDuesConcurrently(t *testing.T) {
	d := coordinator.NewDues()
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(uint64(g), 3))
			for i := range 5000 {
				at := loop.Tick(i + r.IntN(50))
				d.Open(at, 2)
				d.Settle(at)
				d.Settle(at)
			}
		})
	}
	for range 4 {
		wg.Go(func() {
			for at := range loop.Tick(5000) {
				if !d.WaitPast(at, nil) {
					t.Error("stopped by nobody")
				}
			}
		})
	}
	wg.Wait()
	if d.Len() != 0 || !d.Past(loop.MaxTick-1) {
		t.Errorf("%d open", d.Len())
	}
}
