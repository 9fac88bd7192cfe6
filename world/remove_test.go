package world_test

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"

	"chronoscope/world"
)

// TestRemove ends those spawned last, at the next tick, whether they sleep or
// are active, and passes over those that have ended.
func TestRemove(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := shortMemory(300, 2, 2)
		o.Pins = everyZone(o)[:30]
		b := halted(t, o)
		b.pass(t, 10)
		must(t, b.End(300))
		must(t, b.End(250))
		b.pass(t, 1)
		if err := b.Remove(100); err != nil {
			t.Fatal(err)
		}
		// How many live at the present tick, says its digest.
		living := func() uint64 {
			b.settle(t)
			return b.Digest().Count
		}
		if got := living(); got != 298 {
			t.Errorf("%d live before the tick", got)
		}
		b.pass(t, 1)
		alive := b.living()
		for spawn := uint64(1); spawn <= 300; spawn++ {
			if _, lives := alive[spawn]; lives != (spawn <= 198) {
				t.Errorf("character %d lives: %v", spawn, lives)
			}
		}
		// One that is born with the next tick lives for it.
		b.spawn(t, 5)
		must(t, b.Remove(7))
		b.pass(t, 1)
		if got := living(); got != 201 {
			t.Errorf("%d live at the newcomers' first tick", got)
		}
		b.pass(t, 1)
		if got := living(); got != 196 {
			t.Errorf("%d live after it", got)
		}
		for _, n := range []int{-1, 0, 197} {
			if err := b.Remove(n); err == nil || !strings.Contains(err.Error(), "1 to 196") {
				t.Errorf("remove %d: %v", n, err)
			}
		}
		must(t, b.Remove(196))
		b.pass(t, 1)
		if err := b.Remove(1); err == nil || !strings.Contains(err.Error(), "nobody lives") {
			t.Errorf("of nobody: %v", err)
		}
		r := b.close()
		r.sound(t)
		if s := r.stats; s.Ended != 305 || s.Active+s.Sleeping != 0 {
			t.Errorf("%d ended, %d live", s.Ended, s.Active+s.Sleeping)
		}
		if err := b.Remove(1); err == nil {
			t.Error("removed from a world that has stopped")
		}
	})
	synctest.Test(t, func(t *testing.T) {
		b := open(t, options(3, 0))
		b.close()
		if err := b.Remove(1); !errors.Is(err, world.ErrStopped) {
			t.Errorf("after the end: %v", err)
		}
	})
}
