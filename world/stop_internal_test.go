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

// TestRestMoreThanOnce has a world come to rest, go on, and come to rest at
// its last tick: each of these digests is handed out once, and the newest of
// all is the one that is shown.
func TestRestMoreThanOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var ticks []loop.Tick
		w := held(t, 3, 30, func(o *Options) {
			o.Coordinator.LastTick = 130
			o.OnDigest = func(d Digest) { ticks = append(ticks, d.Tick) }
		})
		for range 2 {
			if !rests(w) || w.Digest().Tick != 30 {
				t.Errorf("at rest with a digest of tick %d", w.Digest().Tick)
			}
		}
		step(t, w, 70)
		if d := w.Digest(); d.Tick != 60 {
			t.Errorf("the newest digest is that of tick %d", d.Tick)
		}
		step(t, w, 30)
		<-w.Done()
		if d := w.Digest(); d.Tick != 130 {
			t.Errorf("the last digest is that of tick %d", d.Tick)
		}
		shut(t, w)
		want := []loop.Tick{30, 60, 120, 130}
		if len(ticks) != len(want) {
			t.Fatalf("digests of %v", ticks)
		}
		for i := range want {
			if ticks[i] != want[i] {
				t.Fatalf("digests of %v", ticks)
			}
		}
	})
}

// TestNoDigestOfAStop stops a world while an active character is held up
// before the tick at which it is to end: it stops without ending, which no
// digest may show.
func TestNoDigestOfAStop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var wrong []Digest
		o := bendOptions(0)
		o.Life = LifeNight
		o.Coordinator.MaxSpeed = false
		o.Coordinator.Pacing = coordinator.DefaultPacing()
		o.Coordinator.Pacing.LagThreshold = 1000
		watched(&o)
		o.NPCs = 2
		o.OnDigest = func(d Digest) {
			if d.Tick > 30 && d.Count != 1 {
				wrong = append(wrong, d)
			}
		}
		w, err := New(o)
		if err != nil {
			t.Fatal(err)
		}
		w.Start()
		for w.coord.Global() < 30 {
			time.Sleep(time.Millisecond)
		}
		if err := w.Stall(1, time.Minute); err != nil {
			t.Fatal(err)
		}
		time.Sleep(100 * time.Millisecond)
		w.living.Add(1) // Stop waits for one more, so the gatherer works on
		if err := w.End(1); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		go func() {
			time.Sleep(time.Second)
			w.living.Done()
		}()
		w.Stop()
		if len(wrong) > 0 {
			t.Errorf("digest of tick %d counts %d", wrong[0].Tick, wrong[0].Count)
		}
	})
}

// TestEmptyRingWakesNobody rings a sleeper that has nothing to look at, as a
// waker does that was late: the population stays as it is.
func TestEmptyRingWakesNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := held(t, 1, 5, nil)
		c := w.people.bySpawn(1)
		before := c.mode.Load()
		// It would be Waking only for a moment, but leave the mode Sleeping.
		c.mode.Store(uint32(Active))
		w.population[Active].Add(1)
		c.inbox.Ring()
		synctest.Wait()
		if m := Mode(c.mode.Load()); m != Active {
			t.Errorf("it woke and is %v", m)
		}
		w.population[Active].Add(-1)
		c.mode.Store(before)
		w.Stop()
	})
}
