package main

import (
	"io"
	"runtime"
	"sync"
	"time"

	"chronoscope/coordinator"
	"chronoscope/loop/frametime"
	"chronoscope/world"
	"chronoscope/world/scenario"
)

// tracker keeps releases and digests of a run for a capture without frames, to be
// compared with one of a window. It is written by the world's goroutines.
type tracker struct {
	mu       sync.Mutex
	origin   time.Time
	releases []frametime.Release
	digests  []frametime.Digest
}

// release takes the newest one; of a run that is longer than a capture can be the
// beginning is kept.
func (t *tracker) release(r coordinator.Release) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.releases) < frametime.MaxRing {
		t.releases = append(t.releases, frametime.Release{
			Tick: r.Tick, Scheduled: int64(r.Scheduled.Sub(t.origin)), Released: int64(r.Actual.Sub(t.origin)), Brake: int64(r.Braked),
		})
	}
}

func (t *tracker) digest(d world.Digest) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.digests = append(t.digests, frametime.Digest{Tick: d.Tick, Sum: d.Sum})
}

// write writes the capture of a run.
func (t *tracker) write(w io.Writer, r *session) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	m := scenario.About(r.table, r.config, r.ground)
	m.Taken, m.Source, m.Note = time.Now(), "Chronoscope headless", "no frames: a run without a window"
	m.TickRate, m.Display = r.config.Pacing.TickRate, frametime.Unknown
	for name, text := range scenario.PacingTexts(r.config.Pacing) {
		m.Settings = append(m.Settings, frametime.Setting{Name: name, Value: text})
	}
	m.OS, m.Arch, m.GoVersion = runtime.GOOS, runtime.GOARCH, runtime.Version()
	m.CPUs, m.GOMAXPROCS = runtime.NumCPU(), runtime.GOMAXPROCS(0)
	return frametime.Write(w, &frametime.Capture{Meta: m, Releases: t.releases, Digests: t.digests})
}
