package overlay

import (
	"image"
	"slices"
	"testing"
	"time"

	"chronoscope/coordinator"
	"chronoscope/loop"
	"chronoscope/loop/frametime"
)

// sampleRecording is a recording of a display without a window: frames that take
// some work, a tick released for each period.
func sampleRecording(d frametime.VirtualDisplay, n int) *Recording {
	rate := loop.Hz(60)
	frames := frametime.Schedule{Display: d, VSync: true, Work: 4 * time.Millisecond, WorkJitter: time.Millisecond}.Frames(n)
	frametime.Drive(frames, frametime.NewSnapped(rate, d.Rate.Period()))
	rec := &Recording{Frames: frametime.NewFrameRing(0), Rate: rate, Refresh: d.Rate.Period(), Stated: d.Rate, Measured: d.Rate.Period(), Kind: frametime.Virtual, VSync: true}
	for i := range frames {
		rec.Frames.Push(&frames[i])
		rec.Now = frames[i].Next
	}
	for t := loop.Tick(1); int64(rate.Boundary(t)) < rec.Now; t++ {
		at := int64(rate.Boundary(t))
		rec.Releases = append(rec.Releases, frametime.Release{Tick: t, Scheduled: at, Released: at + int64(t*7919%900)*1000})
	}
	return rec
}

// Figures go blank while the world is paused, never stale.
func TestNoStaleFiguresWhilePaused(t *testing.T) {
	d := Dock{Recording: sampleRecording(frametime.VirtualDisplay{Rate: loop.Hz(60)}, 600)}
	shown := func() (n int) {
		for _, r := range d.frames.rows {
			if r[1] != "-" {
				n++
			}
		}
		return n
	}
	d.Refresh()
	if n := shown(); n < len(figureRows)-2 { // P99.9 of so few frames isn't told
		t.Fatalf("%d of %d figures while it runs: %v", n, len(figureRows), d.frames.rows)
	}
	d.Recording.Paused = true
	d.Refresh()
	if n := shown(); n != 0 || d.frames.bins != nil {
		t.Errorf("%d figures while paused: %v", n, d.frames.rows)
	}
	d.Recording.Paused = false
	d.Refresh()
	if shown() < len(figureRows)-2 {
		t.Error("no figures after the pause")
	}
}

// The panels don't say how fast it goes while it doesn't.
func TestNoStalePanelsWhilePaused(t *testing.T) {
	v := &Values{Pacing: coordinator.DefaultPacing(), Actual: 59.9, Speed: 1, FPS: 62.5, Tick: 1000}
	var p Panels
	look := func() (panels []string) {
		p.Touch()
		for range settleUpdates + 1 {
			if _, err := p.Update(v, image.Rect(0, 0, SidebarWidth, 900), 1); err != nil {
				t.Fatal(err)
			}
			p.Touch()
		}
		for i := range p.marks {
			panels = append(panels, p.marks[i].s)
		}
		return panels
	}
	figures := []string{"59.9 per s", "62.5 per s, over 10 s"}
	panels := look()
	for _, s := range figures {
		if !slices.Contains(panels, s) {
			t.Fatalf("running, the panels lack %q in %q", s, panels)
		}
	}
	v.Paused = true
	panels = look()
	for _, s := range figures {
		if slices.Contains(panels, s) {
			t.Errorf("paused, the panels still say %q", s)
		}
	}
	var d Dock
	d.Show(v, time.Unix(1000, 0))
	if got := d.ticks.rows[0][1]; got != "- of 60" {
		t.Errorf("paused, the dock says %q", got)
	}
}
