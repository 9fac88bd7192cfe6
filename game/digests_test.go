package game

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"chronoscope/coordinator"
	"chronoscope/loop"
	"chronoscope/loop/frametime"
	"chronoscope/overlay"
	"chronoscope/world"
)

// A world that frames drive has the same digests on every display.
func TestDigestsOnEveryDisplay(t *testing.T) {
	town := smallTown(t)
	const last = 180
	run := func(t *testing.T, display *frametime.VirtualDisplay) (digests []frametime.Digest) {
		synctest.Test(t, func(t *testing.T) {
			pace := coordinator.DefaultPacing()
			if display != nil {
				pace.Driver = coordinator.ByFrame
			}
			origin := time.Now()
			track := NewTrack(origin)
			w, err := world.New(world.Options{
				Map: town, Params: world.Params{Seed: 7, NPCs: 60, WanderingVisitors: 1},
				Coordinator: coordinator.Options{Pacing: pace, LastTick: last, OnRelease: track.Release},
				OnDigest:    track.Digest,
			})
			if err != nil {
				t.Fatal(err)
			}
			s := Watch(w, overlay.Setup{}, 0, track)
			w.Start()
			if display == nil {
				<-w.Done()
			} else {
				series := display.Series()
				for w.Coordinator().Global() < last {
					series.Next()
					time.Sleep(time.Until(origin.Add(series.Shown())))
					s.Frame(time.Now(), display.Rate.Period())
					s.Moment(time.Now())
				}
				<-w.Done()
			}
			w.Stop()
			digests = track.Digests()
		})
		return digests
	}
	want := run(t, nil)
	if len(want) != last/int(world.DigestEvery) {
		t.Fatalf("%d digests of %d ticks", len(want), loop.Tick(last))
	}
	for _, p := range frametime.Presets() {
		t.Run(p.Name, func(t *testing.T) {
			if got := run(t, &p.Display); !slices.Equal(got, want) {
				t.Errorf("%v, want %v", got, want)
			}
		})
	}
}
