package coordinator

import (
	"runtime"
	"testing"

	"chronoscope/loop"
)

// TestWatchNamesNobodyElse has a Progress that stands for one participant after
// the other: those of odd generations are far behind, the others only just. The
// watch finds the former alone, each by its own name.
func TestWatchNamesNobodyElse(t *testing.T) {
	const global, lives = 100, 4000
	c, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	c.members.open(global)
	c.global.Store(global)
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		var p Progress
		bell := make(chan struct{}, 1)
		for life := uint32(1); life <= lives; life++ {
			p.Init(ParticipantID{Object: MakeObjectID(1, life)}, bell)
			p.Publish(loop.Tick(life+1) % 2 * (global - 1))
			c.Join(&p)
			if life%8 == 1 { // long enough to be seen
				for p.state.Load()&askedFlag == 0 {
					runtime.Gosched()
				}
			}
			if err := c.Leave(&p); err != nil {
				t.Error(err)
			}
		}
	}()
	found := 0
	for running := true; running; {
		select {
		case <-gone:
			running = false
		case r := <-c.requests:
			c.take(r)
		default:
		}
		c.brake.watched = 0
		c.brake.watch(c)
		for _, l := range c.brake.set {
			found++
			if g := l.id.Object.Generation(); g != l.generation || g%2 == 0 {
				t.Fatalf("generation %d, %v, is registered at tick %d", l.generation, l.id, l.completed)
			}
		}
		c.brake.look(c, c.last)
	}
	if found == 0 {
		t.Error("nobody was found")
	}
	c.Stop()
}
