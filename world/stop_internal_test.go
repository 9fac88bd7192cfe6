package world

import (
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"chronoscope/coordinator"
	"chronoscope/loop"
	"chronoscope/routes"
)

// closingPacer tells that it was closed.
type closingPacer struct {
	loop.Pacer
	closed *atomic.Int32
}

func (p closingPacer) Close() {
	p.closed.Add(1)
	p.Pacer.Close()
}

// commands asks for one of each and returns the errors.
func commands(w *World) map[string]error {
	return map[string]error{
		"spawn": w.Spawn(1), "end": w.End(1), "stall": w.Stall(1, time.Second), "pin": w.Pin(routes.ZoneKey{}, true),
	}
}

func TestStopWithoutStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var closed atomic.Int32
		o := bendOptions(0)
		o.Coordinator.Pacer = closingPacer{loop.NewSleepPacer(), &closed}
		w, err := New(o)
		if err != nil {
			t.Fatal(err)
		}
		waiting := make(chan error, 1)
		go func() { waiting <- w.Pin(routes.ZoneKey{}, true) }()
		synctest.Wait()
		w.Populate()
		w.Stop()
		select {
		case err := <-waiting:
			if !errors.Is(err, ErrStopped) {
				t.Error(err)
			}
		case <-time.After(time.Minute):
			t.Error("a command given before the start still waits")
			w.coord.Stop()
		}
		if closed.Load() != 1 {
			t.Errorf("the pacer was closed %d times", closed.Load())
		}
		w.Populate()
		w.Start()
		if n := w.counts.spawned.Load(); n != 1 {
			t.Errorf("%d spawned", n)
		}
		for name, err := range commands(w) {
			if !errors.Is(err, ErrStopped) {
				t.Errorf("%s: %v", name, err)
			}
		}
		shut(t, w)
	})
}

// TestPopulateAfterStop makes nobody: nothing would ever end them.
func TestPopulateAfterStop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, err := New(bendOptions(0))
		if err != nil {
			t.Fatal(err)
		}
		w.Stop()
		w.Populate()
		if n := w.counts.spawned.Load(); n != 0 {
			t.Errorf("%d spawned", n)
			w.people.each(func(c *character) { c.inbox.Signal(coordinator.NoticeStop) })
		}
	})
}

func TestCommandsAfterStop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := held(t, 2, 5, nil)
		w.Stop()
		for name, err := range commands(w) {
			if !errors.Is(err, ErrStopped) {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}

// TestStopTwice: each call returns when everything is gone.
func TestStopTwice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := bendOptions(0)
		leave := make(chan struct{})
		o.OnDigest = func(Digest) { <-leave }
		w, err := New(o)
		if err != nil {
			t.Fatal(err)
		}
		w.Start()
		time.Sleep(time.Second)
		var stopped atomic.Int32
		for range 2 {
			go func() {
				w.Stop()
				stopped.Add(1)
			}()
		}
		synctest.Wait()
		if n := stopped.Load(); n != 0 {
			t.Errorf("%d calls returned while a digest was being handed out", n)
		}
		close(leave)
		synctest.Wait()
		if n := stopped.Load(); n != 2 {
			t.Errorf("%d calls returned", n)
		}
	})
}

// TestNewLeavesNothing has the coordinator's options refused: no search
// goroutine stays (see TestMain), and the pacer is still the caller's.
func TestNewLeavesNothing(t *testing.T) {
	var closed atomic.Int32
	o := bendOptions(0)
	o.Coordinator.Pacer = closingPacer{loop.NewSleepPacer(), &closed}
	o.Coordinator.RequestQueue = -1
	if _, err := New(o); err == nil || closed.Load() != 0 {
		t.Errorf("%v, the pacer was closed %d times", err, closed.Load())
	}
}
