package overlay

import (
	"time"

	"chronoscope/loop"
	"chronoscope/loop/frametime"
)

// sampleSlots are runs of one world on virtual displays: 60 Hz, 120 Hz, one that
// refreshes when it likes, and one that starves; all with the same digests.
func sampleSlots(frames int) (s Slots) {
	for i, name := range []string{"60 Hz", "120 Hz", "VRR 48-144", "starved 12.5 fps"} {
		if p, ok := frametime.FindPreset(name); ok {
			s[i].Capture = sampleCapture(p.Display, frames)
			s[i].Frames = frames
		}
	}
	return s
}

// sampleCapture is a run on a virtual display, as the window would hold it.
func sampleCapture(d frametime.VirtualDisplay, n int) *frametime.Capture {
	rate := loop.Hz(60)
	d.Jitter, d.Seed = max(d.Jitter, 40*time.Microsecond), 7
	frames := frametime.Schedule{Display: d, VSync: true, Work: 4 * time.Millisecond, WorkJitter: 1500 * time.Microsecond}.Frames(n)
	frametime.Drive(frames, frametime.NewSnapped(rate, d.Rate.Period()))
	c := &frametime.Capture{Frames: frames}
	end := frames[len(frames)-1].Next
	for t := loop.Tick(1); int64(rate.Boundary(t)) < end; t++ {
		at := int64(rate.Boundary(t))
		c.Releases = append(c.Releases, frametime.Release{Tick: t, Scheduled: at, Released: at + int64(t*7919%900)*1000})
		if t%60 == 0 {
			c.Digests = append(c.Digests, frametime.Digest{Tick: t, Sum: uint64(t) * 0x9e3779b97f4a7c15})
		}
	}
	c.Meta = frametime.Meta{
		Name: "A", Source: "Chronoscope", Scenario: "town", Map: "town", Seed: 1, TickRate: rate, Display: frametime.Virtual,
		Measured: int64(d.Rate.Period()), Settings: []frametime.Setting{{Name: "vsync", Value: "on"}, {Name: "frame-cap", Value: "off"}},
		Renderer: "OpenGL, in software", OS: "linux", Arch: "amd64", GoVersion: "go1.26", CPUs: 8, GOMAXPROCS: 8,
	}
	if !d.Fastest.Valid() {
		c.Meta.Stated = d.Rate
	}
	return c
}
