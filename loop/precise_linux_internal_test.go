package loop

import (
	"os"
	"testing"
	"time"
)

// A nap ends at its instant or after it, through the poller and as a system call,
// and one that has passed at once.
func TestPreciseNaps(t *testing.T) {
	for _, tt := range []struct {
		name string
		file bool
		turn turn
	}{
		{"through the poller", true, turn{}},
		{"in a turn of system calls", true, turn{calls: 1000}},
		{"without a file", false, turn{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := NewPrecisePacer()
			defer p.Close()
			p.begin()
			if p.file == nil {
				t.Fatal("no timerfd")
			}
			if !tt.file {
				p.file.Close()
				p.file = nil
			}
			p.turn = tt.turn
			for _, length := range []time.Duration{0, 100 * time.Microsecond, time.Millisecond, -time.Millisecond, -time.Hour, -1 << 62} {
				start := time.Now()
				end := start.Add(length)
				p.nap(end)
				took := time.Since(start)
				if time.Now().Before(end) {
					t.Errorf("a nap of %v ended %v early", length, time.Until(end))
				}
				if took > max(length, 0)+time.Second {
					t.Errorf("a nap of %v took %v", length, took)
				}
			}
		})
	}
}

// A pacer that waits allocates nothing, and gives back the file that it opens.
func TestPreciseFrugal(t *testing.T) {
	open := func() int {
		t.Helper()
		list, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Skip(err)
		}
		return len(list)
	}
	first := NewPrecisePacer()
	first.Wait(time.Now().Add(time.Millisecond), nil) // the poller has files too
	first.Close()
	before := open()
	p := NewPrecisePacer()
	for range 3 { // again after Close
		if n := testing.AllocsPerRun(10, func() { p.Wait(p.Now().Add(700*time.Microsecond), nil) }); n != 0 {
			t.Errorf("%v allocations a wait", n)
		}
		if n := open(); n != before+1 {
			t.Errorf("%d files more", n-before)
		}
		p.Close()
		p.Close()
		if n := open(); n != before {
			t.Errorf("%d files left", n-before)
		}
	}
}

// While the poller's naps are late, most naps are system calls; it is tried again,
// less and less often, and has its turn back as soon as it is in time. A late nap
// alone changes nothing.
func TestTurns(t *testing.T) {
	var u turn
	// until counts the naps that are system calls before the next that is not.
	until := func() (calls int) {
		for !u.polls() {
			calls++
		}
		return calls
	}
	if n := until(); n != 0 {
		t.Errorf("%d system calls at first", n)
	}
	for range 10 {
		for _, late := range []time.Duration{time.Hour, 0, 999 * time.Microsecond} {
			u.polled(late)
			if n := until(); n != 0 {
				t.Errorf("one nap of three late: %d system calls", n)
			}
		}
	}
	for i, want := range []int{32, 64, 128, 256, 512, 512} {
		u.polled(time.Millisecond)
		if n := until(); n != 0 {
			t.Errorf("one late nap: %d system calls", n)
		}
		u.polled(time.Millisecond)
		if n := until(); n != want {
			t.Errorf("late for the %d. time: %d system calls, want %d", i+1, n, want)
		}
	}
	u.polled(time.Second)
	u.polled(999 * time.Microsecond)
	if n := until(); n != 0 {
		t.Errorf("in time: %d system calls", n)
	}
	u.polled(time.Second)
	u.polled(time.Second)
	if n := until(); n != 32 {
		t.Errorf("late again: %d system calls", n)
	}
}
