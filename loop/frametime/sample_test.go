package frametime_test

import (
	"time"

	"chronoscope/loop"
	"chronoscope/loop/frametime"
)

// sample is a capture of n frames at 60 ticks a second on a virtual display of
// some Hz, the same whenever it is asked for.
func sample(hz uint64, n int) *frametime.Capture {
	display := frametime.VirtualDisplay{Rate: loop.Hz(hz), Jitter: 80 * time.Microsecond, MissEvery: 97, Seed: hz}
	frames := frametime.Schedule{Display: display, VSync: true, WorkJitter: ms}.Frames(n)
	frametime.Drive(frames, frametime.NewSnapped(loop.Hz(60), loop.Hz(hz).Period()))
	c := &frametime.Capture{
		Meta: frametime.Meta{
			Name: "sample", Taken: time.Date(2026, 3, 4, 5, 6, 7, 8, time.UTC), Source: "chronoscope",
			Seed: 1<<64 - 1, Scenario: "rush-hour", Map: "00ff00ff00ff00ff",
			World:    []frametime.Setting{{Name: "npcs", Value: "1000"}},
			TickRate: loop.Hz(60),
			Settings: []frametime.Setting{{Name: "vsync", Value: "true"}, {Name: "pacer", Value: "precise"}},
			Display:  frametime.Virtual, Monitor: "none", Stated: loop.Hz(hz), Measured: int64(loop.Hz(hz).Period()),
			Renderer: "software", OS: "linux", Arch: "amd64", GoVersion: "go1.26", CPUs: 2, GOMAXPROCS: 2,
		},
		Frames: frames,
	}
	for i := range 300 {
		at := int64(loop.Hz(60).Boundary(loop.Tick(i)))
		late := int64(i*7919%400) * 1000
		r := frametime.Release{Tick: loop.Tick(i), Scheduled: at, Released: at + late}
		if i%100 == 50 {
			r.Brake = 5_000_000
		}
		c.Releases = append(c.Releases, r)
	}
	for i := range 5 {
		c.Digests = append(c.Digests, frametime.Digest{Tick: loop.Tick(60 * (i + 1)), Sum: 0x9e3779b97f4a7c15 * uint64(i+1)})
	}
	for i := range int64(20) {
		at := frames[min(int(i), n-1)].Layout + i*1000
		c.Inputs = append(c.Inputs, frametime.Input{Seen: at, Taken: at + 3_000_000, Drawn: at + 9_000_000, Shown: at + 16_000_000 + i})
	}
	return c
}
