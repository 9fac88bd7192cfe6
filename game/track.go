package game

import (
	"slices"
	"sync"
	"time"

	"chronoscope/coordinator"
	"chronoscope/loop/frametime"
	"chronoscope/world"
)

// Track keeps what a world tells of itself as it runs: when its ticks were
// released, and its digests. The world writes it, the window reads it, and
// neither waits for the other.
type Track struct {
	origin   time.Time
	releases *frametime.ReleaseRing

	mu      sync.Mutex
	digests []frametime.Digest
}

// maxDigests bounds what is kept of a world that runs for days: 24 hours at 60
// ticks a second.
const maxDigests = 86400

// NewTrack makes a track whose stamps count from origin, which is to be that of
// the window: see Options.Origin.
func NewTrack(origin time.Time) *Track {
	return &Track{origin: origin, releases: frametime.NewReleaseRing(0)}
}

// Release is for coordinator.Options.OnRelease.
func (t *Track) Release(r coordinator.Release) {
	t.releases.Push(frametime.Release{
		Tick: r.Tick, Scheduled: int64(r.Scheduled.Sub(t.origin)), Released: int64(r.Actual.Sub(t.origin)), Brake: int64(r.Braked),
	})
}

// Digest is for world.Options.OnDigest.
func (t *Track) Digest(d world.Digest) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.digests) == maxDigests {
		t.digests = slices.Delete(t.digests, 0, maxDigests/2)
	}
	t.digests = append(t.digests, frametime.Digest{Tick: d.Tick, Sum: d.Sum})
}

// Digests gives copies of those that are kept, in order of their ticks.
func (t *Track) Digests() []frametime.Digest {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.digests)
}
