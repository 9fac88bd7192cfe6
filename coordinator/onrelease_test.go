package coordinator_test

import (
	"slices"
	"testing"
	"time"

	"chronoscope/coordinator"
	"chronoscope/loop"
)

// Every release is told once and in order, with how long a laggard has held it
// up, and in the terms of Stats.
func TestOnRelease(t *testing.T) {
	bubble(t, func(t *testing.T) {
		var told []coordinator.Release
		stalled := newMember(1, stallAt(100, time.Second))
		r := newWatchingRig(t, coordinator.Options{
			OnRelease: func(r coordinator.Release) { told = append(told, r) },
		}, stalled, newMember(2, nil)).start()
		time.Sleep(4 * time.Second)
		r.finish()
		if len(told) < 150 || loop.Tick(len(told)) != r.Global() {
			t.Fatalf("%d releases told, the global tick is %d", len(told), r.Global())
		}
		var braked time.Duration
		for i, x := range told {
			if x.Tick != loop.Tick(i+1) {
				t.Fatalf("release %d is of tick %d", i, x.Tick)
			}
			if x.Braked != 0 && braked != 0 {
				t.Errorf("tick %d was held up as well", x.Tick)
			}
			braked += x.Braked
		}
		s := r.Stats()
		if braked == 0 || braked != s.Brake.Total {
			t.Errorf("held up by %v in all, the brake says %v", braked, s.Brake.Total)
		}
		if last := told[len(told)-len(s.Recent):]; !slices.Equal(last, s.Recent) {
			t.Error("what is told differs from the recent releases")
		}
	})
}
