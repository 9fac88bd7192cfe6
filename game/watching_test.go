package game

import (
	"slices"
	"sync"
	"testing"
	"time"

	"chronoscope/coordinator"
	"chronoscope/loop"
	"chronoscope/overlay"
	"chronoscope/routes"
	"chronoscope/world"

	"github.com/hajimehoshi/ebiten/v2"
)

// recorded is a world that ends at a tick, with the digests it had.
type recorded struct {
	w       *world.World
	mu      sync.Mutex
	digests []world.Digest
}

func newRecorded(t testing.TB, last loop.Tick, pace coordinator.Pacing) *recorded {
	t.Helper()
	r := &recorded{}
	w, err := world.New(world.Options{
		Map:         smallTown(t),
		Params:      world.Params{Seed: 7, NPCs: 400, WanderingVisitors: 1},
		Coordinator: coordinator.Options{Pacing: pace, LastTick: last},
		OnDigest: func(d world.Digest) {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.digests = append(r.digests, d)
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	r.w = w
	w.Start()
	t.Cleanup(w.Stop)
	return r
}

// finish waits for the last tick and gives the digests.
func (r *recorded) finish(t testing.TB) []world.Digest {
	t.Helper()
	select {
	case <-r.w.Done():
	case <-time.After(waitLimit):
		t.Fatal("the world doesn't come to its last tick")
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.digests)
}

// Whatever a window does with a world that it only watches, the world's digests
// are those of one that nobody watches.
func TestWatchingChangesNothing(t *testing.T) {
	const last = 1800
	pace := coordinator.DefaultPacing()
	pace.TickRate, pace.TimeScale = loop.Hz(240), 4
	want := newRecorded(t, last, pace).finish(t)
	if len(want) < last/60 {
		t.Fatalf("%d digests of %d ticks", len(want), last)
	}
	tests := []struct {
		name  string
		frame func(g *Game, n int) // what the user does at frame n
	}{
		{"open", func(*Game, int) {}},
		{"camera that sweeps, closed panels", func(g *Game, n int) {
			g.showSidebar, g.showDock = false, false
			g.cam.GoTo(float64(n*7%128), float64(n*3%128))
		}},
		{"everything selected and shown", func(g *Game, n int) {
			for l := range g.layers {
				g.layers[l] = true
			}
			if n%5 == 0 {
				g.choose(overlay.Selection{Kind: overlay.OneCharacter, Spawn: uint64(1 + n%400)})
			} else if n%5 == 3 {
				g.choose(overlay.Selection{Kind: overlay.OneZone, Zone: routes.ZoneKey{X: int32(n % 8), Y: int32(n / 8 % 8)}})
			}
		}},
		{"a camera that wakes zones", func(g *Game, n int) {
			g.cameraWakes = true
			g.cam.GoTo(float64(n*5%128), float64(n*11%128))
		}},
		{"pacing, tuning, VSync and pins", func(g *Game, n int) {
			ebiten.SetVsyncEnabled(n%2 == 0)
			p := pace
			p.LagThreshold, p.TimeScale = 1+n%50, []float64{2, 4, 8}[n%3]
			p.Wait = coordinator.Strategy(n % 2)
			in := overlay.Intents{Pacing: p, HasPacing: true}
			in.Command = overlay.Command{Kind: overlay.PinZone, Zone: routes.ZoneKey{X: int32(n % 8), Y: 3}, On: n%3 != 0}
			in.Tuning, in.HasTuning = g.values.Tuning, true
			in.Tuning.ActiveBudget = n * 13 % 100
			in.Tuning.WakeHysteresis = loop.Tick(n % 90)
			if n%10 == 9 {
				in.TogglePause = true
			}
			g.apply(in, g.now())
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := newRecorded(t, last, pace)
			g := show(t, Options{World: World{Source: Watch(r.w, overlay.Setup{}, 0, nil)}}, MinWidth, MinHeight)
			n, at := 0, 0
			until(t, "the last tick", func() bool {
				if theLoop.frames != at {
					at = theLoop.frames
					n++
					tt.frame(g, n)
				}
				if g.values.Paused && n%10 != 9 {
					g.apply(overlay.Intents{TogglePause: true}, g.now())
				}
				return r.w.Coordinator().Global() >= last
			})
			if n < 10 {
				t.Errorf("only %d frames were drawn meanwhile", n)
			}
			if got := r.finish(t); !slices.Equal(got, want) {
				t.Errorf("other digests than unwatched:\n%v\n%v", got, want)
			}
		})
	}
}

// BenchmarkRelease shows how late ticks are released, by their schedule, with a
// window and without: five seconds each.
func BenchmarkRelease(b *testing.B) {
	for _, window := range []bool{false, true} {
		name := "headless"
		if window {
			name = "window"
		}
		b.Run(name, func(b *testing.B) {
			w, err := world.New(world.Options{
				Map:    smallTown(b),
				Params: world.Params{Seed: 7, NPCs: 2000, WanderingVisitors: 1},
			})
			if err != nil {
				b.Fatal(err)
			}
			w.Start()
			defer w.Stop()
			if window {
				g := show(b, Options{World: World{Source: Watch(w, overlay.Setup{}, 0, nil)}}, DefaultWidth, DefaultHeight)
				defer inLoop(b, func() { theLoop.game = nil })
				_ = g
			}
			for b.Loop() {
				time.Sleep(5 * time.Second)
			}
			e := w.Coordinator().Stats().ReleaseError
			b.ReportMetric(float64(e.P50.Microseconds()), "p50-us")
			b.ReportMetric(float64(e.P99.Microseconds()), "p99-us")
			b.ReportMetric(float64(e.Max.Microseconds()), "max-us")
		})
	}
}
