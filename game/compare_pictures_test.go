package game

import (
	"fmt"
	"image"
	"image/draw"
	"testing"
	"time"

	"chronoscope/loop"
	"chronoscope/loop/frametime"
	"chronoscope/overlay"
)

// scheduled is a run on a preset, worked out instead of waited for.
func scheduled(t *testing.T, name string, n int) *frametime.Capture {
	t.Helper()
	p, ok := frametime.FindPreset(name)
	if !ok {
		t.Fatal(name)
	}
	d, rate := p.Display, loop.Hz(60)
	d.Jitter, d.Seed = max(d.Jitter, 40*time.Microsecond), 7
	s := frametime.Schedule{Display: d, VSync: true, Work: 4 * time.Millisecond, WorkJitter: 1500 * time.Microsecond}
	c := &frametime.Capture{Frames: s.Frames(n)}
	frametime.Drive(c.Frames, frametime.NewSnapped(rate, d.Rate.Period()))
	for k := loop.Tick(1); int64(rate.Boundary(k)) < c.Frames[n-1].Next; k++ {
		at := int64(rate.Boundary(k))
		c.Releases = append(c.Releases, frametime.Release{Tick: k, Scheduled: at, Released: at + int64(k*7919%900)*1000})
		if k%60 == 0 {
			c.Digests = append(c.Digests, frametime.Digest{Tick: k, Sum: uint64(k)})
		}
	}
	c.Meta = frametime.Meta{
		Name: "A", Source: "Chronoscope", Scenario: "town", Map: "town", Seed: 1, TickRate: rate, Display: frametime.Virtual,
		Settings: []frametime.Setting{{Name: "vsync", Value: "on"}, {Name: "frame-cap", Value: "off"}},
	}
	if d.Fastest.Valid() {
		p, _ := frametime.Percentile(frametime.Intervals(c.Frames), 0.5)
		c.Meta.Measured = int64(p)
	} else {
		c.Meta.Stated = d.Rate
	}
	return c
}

// The tab of comparison and the panel of captures in all their views.
func TestComparePictures(t *testing.T) {
	if *picturesTo == "" {
		t.Skip("no pictures are wanted: -pictures DIR takes them")
	}
	for _, size := range []image.Point{{1440, 900}, {960, 600}} {
		g := show(t, Options{World: aWorld(t, "-npcs", "300")}, size.X, size.Y)
		a := &album{tour: &tour{hand: hand{t: t}, g: g}}
		view := func(name string, f func()) {
			inLoop(t, func() {
				f()
				g.dock.Choose(overlay.CompareTab)
			})
			wait(500 * time.Millisecond)
			img := capture(t)
			a.keep(fmt.Sprintf("compare-%d-%s", size.X, name), img)
			crop := image.NewRGBA(image.Rectangle{Max: g.at.dock.Size()})
			draw.Draw(crop, crop.Bounds(), img, g.at.dock.Min, draw.Src)
			a.keep(fmt.Sprintf("dock-%d-%s", size.X, name), crop)
		}
		fill := func(n int, names ...string) {
			g.slots.held = overlay.Slots{}
			for i, name := range names {
				g.slots.held[i] = overlay.Slot{Capture: scheduled(t, name, n), Frames: n}
			}
			var only overlay.Sections
			only[overlay.DisplaySection] = true
			g.panels.SetOpen(only)
		}
		view("empty", func() { fill(1) })
		view("one", func() { fill(600, "60 Hz") })
		view("two", func() { fill(1200, "60 Hz", "120 Hz") })
		view("two-zoomed", func() { g.dock.CompareSpan(2*time.Second, 300*time.Millisecond) })
		view("two-curves", func() { g.dock.SetCompareView(overlay.CurveView) })
		view("two-table", func() { g.dock.SetCompareView(overlay.TableView) })
		view("four", func() {
			fill(600, "60 Hz", "120 Hz", "VRR 48-144", "starved 12.5 fps")
			g.dock.SetCompareView(overlay.LaneView)
		})
		view("four-log", func() {
			g.dock.SetCompareLog(true)
			g.dock.SetOffset(1, 2350*time.Millisecond)
		})
		view("four-under", func() {
			theLoop.still = true // the real pointer is elsewhere
			g.pointer.seen = g.at.dock.Min.Add(image.Pt(300, 100))
		})
		inLoop(t, func() { theLoop.still = false })
		view("four-curves", func() { g.dock.SetCompareView(overlay.CurveView) })
		view("four-table", func() { g.dock.SetCompareView(overlay.TableView) })
		view("filling", func() {
			g.slots.held[2] = overlay.Slot{Filling: true, Since: g.now()}
			g.slots.fills[2].on = true
			g.screen.choose("120 Hz")
		})
		inLoop(t, func() { theLoop.game = nil })
		g.settleWorlds()
	}
}
