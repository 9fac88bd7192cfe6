package game

import (
	"bytes"
	"image"
	"testing"
	"time"

	"chronoscope/coordinator"
	"chronoscope/loop"
	"chronoscope/overlay"
	"chronoscope/routes"

	"github.com/hajimehoshi/ebiten/v2"
)

func TestKeptGround(t *testing.T) {
	base := groundKey{x: 10, y: 20, scale: 4, device: 1, view: image.Rect(0, 36, 800, 600)}
	var k keptGround
	step := func(what string, key groundKey, settled bool, want groundStep) {
		t.Helper()
		if got := k.next(key, settled); got != want {
			t.Errorf("%s: step %d, want %d", what, got, want)
		}
	}
	step("new", base, false, drawGround)
	step("not whole yet", base, false, drawGround)
	step("whole", base, true, keepGround)
	step("stands", base, true, copyGround)
	step("stands on", base, true, copyGround)
	for _, change := range []struct {
		what string
		to   func(*groundKey)
	}{
		{"panned across", func(k *groundKey) { k.x++ }},
		{"panned down", func(k *groundKey) { k.y++ }},
		{"zoomed", func(k *groundKey) { k.scale *= 1.01 }},
		{"on another display", func(k *groundKey) { k.device = 2 }},
		{"a larger view", func(k *groundKey) { k.view.Max.X++ }},
	} {
		moved := base
		change.to(&moved)
		step(change.what, moved, true, drawGround)
		step(change.what+", stands", moved, true, keepGround)
		step(change.what+", kept", moved, true, copyGround)
		step(change.what+", and back", base, true, drawGround)
		step(change.what+", and back, stands", base, true, keepGround)
	}
}

func TestRetainedStays(t *testing.T) {
	a, b := new(ebiten.Image), new(ebiten.Image)
	at := arrange(1440, 900, 1, true, overlay.DockHeight)
	base := retained{screen: a, at: at, device: 1}
	tests := []struct {
		name string
		now  retained
		want bool
	}{
		{"the same", base, true},
		{"another screen", retained{screen: b, at: at, device: 1}, false},
		{"no dock", retained{screen: a, at: arrange(1440, 900, 1, true, 0), device: 1}, false},
		{"another scale", retained{screen: a, at: at, device: 1.5}, false},
		{"the list of keys", retained{screen: a, at: at, device: 1, help: true}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := base
			if got := r.stays(tt.now); got != tt.want {
				t.Errorf("stays %v, want %v", got, tt.want)
			}
			if got := r.stays(tt.now); got != !tt.now.help {
				t.Errorf("stays %v in the second frame", got)
			}
		})
	}
	t.Run("the list of keys goes", func(t *testing.T) {
		r := base
		r.help = true
		if r.stays(base) {
			t.Error("what it covered is taken for whole")
		}
	})
}

func TestBarStays(t *testing.T) {
	now := frozenClock()
	tests := []struct {
		name   string
		change func(h *hud)
		screen bool
		paused bool
		want   bool
	}{
		{"nothing new", func(*hud) {}, true, false, true},
		{"gone from the screen", func(*hud) {}, false, false, false},
		{"paused", func(*hud) {}, true, true, false},
		{"the frame around the map alone", func(h *hud) { h.brakeOn = true }, true, false, true},
		{"numbers", func(h *hud) { h.refresh(&overlay.Values{Pacing: coordinator.DefaultPacing()}, 1, now) }, true, false, false},
		{"a notice", func(h *hud) { h.say("no", now) }, true, false, false},
		{"a notice that is over", func(h *hud) { h.say("no", now.Add(-time.Minute)) }, true, false, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var h hud
			h.barStays(false, false, false, now)
			tt.change(&h)
			if got := h.barStays(tt.screen, tt.paused, false, now); got != tt.want {
				t.Errorf("stays %v, want %v", got, tt.want)
			}
			if !h.barStays(true, tt.paused, false, now) {
				t.Error("doesn't stay in the next frame")
			}
		})
	}
}

// The bar never shows newer numbers than the panels beside it.
func TestBarWaits(t *testing.T) {
	now := frozenClock()
	var h hud
	h.barStays(false, false, false, now)
	h.refresh(&overlay.Values{Pacing: coordinator.DefaultPacing()}, 1, now)
	if !h.barStays(true, false, true, now) {
		t.Error("drawn before the panels")
	}
	if h.barStays(true, false, false, now) {
		t.Error("not drawn with the panels")
	}
	h.refresh(&overlay.Values{Pacing: coordinator.DefaultPacing()}, 1, now)
	if h.barStays(true, true, true, now) {
		t.Error("a pause waits")
	}
}

// Whatever has changed, the window shows what it would if everything in it were
// drawn anew.
func TestKeptIsWhatWouldBeDrawn(t *testing.T) {
	h := newHand(t)
	f := newFakeTown(smallTown(t), 200)
	f.moment.Paused, f.values.Paused = false, false
	now := frozenClock()
	g := show(t, Options{World: World{Source: f}, Now: func() time.Time { return now }}, MinWidth, MinHeight)
	// A collection, which comes when it likes, would leave its mark in the graph.
	inLoop(t, func() { g.rec.gc = nil; g.rec.gcs = 0 })
	// Panels under the pointer are always drawn anew.
	h.move(image.Pt(g.at.view.Min.X+20, g.at.view.Min.Y+20))
	until(t, "panels left alone", func() bool { pointer, keys := g.panels.Capturing(); return !pointer && !keys })
	steps := []struct {
		name   string
		change func()
	}{
		{"as it starts", func() {}},
		{"moved", func() { g.cam.Pan(31, 17) }},
		{"zoomed", func() { g.cam.GoTo(60, 60) }},
		{"other numbers", func() { f.values.Legs, f.values.Pacing.LagThreshold = 987654, 99; f.moment.Tick++ }},
		{"a brake", func() {
			f.moment.Braking, f.values.Braking = true, true
			f.values.Laggards = append(f.values.Laggards, laggardRow(7))
			f.values.LaggardCount = 1
		}},
		{"no brake", func() {
			f.moment.Braking, f.values.Braking, f.values.Laggards, f.values.LaggardCount = false, false, nil, 0
		}},
		{"a notice", func() { g.hud.say("not now", now) }},
		{"paused", func() { f.moment.Paused, f.values.Paused = true, true }},
		{"keys", func() { g.showHelp = true }},
		{"no keys", func() { g.showHelp = false }},
		{"no legend", func() { g.showLegend = false }},
		{"legend", func() { g.showLegend = true }},
		{"no sidebar", func() { g.showSidebar = false }},
		{"sidebar", func() { g.showSidebar = true }},
		{"no dock", func() { g.showDock = false }},
		{"dock", func() { g.showDock = true }},
		{"passages", func() { g.dock.Choose(overlay.PassageTab) }},
		{"of a zone", func() { g.choose(overlay.Selection{Kind: overlay.OneZone, Zone: routes.ZoneKey{X: 3, Y: 4}}) }},
		{"time has passed", func() { f.moment.Tick += 40 }},
		{"the pointer over a row", func() { g.pointer.seen = image.Pt(300, g.at.dock.Min.Y+60) }},
		{"scrolled", func() { g.dock.Wheel(-1, false) }},
		{"zoomed out", func() { g.dock.Zoom(+1) }},
		{"of a character", func() { g.choose(overlay.Selection{Kind: overlay.OneCharacter, Spawn: 8}) }},
		{"a command line", func() { g.openPalette("lag") }},
		{"no command line", func() { g.palette.close() }},
		{"a card", func() { g.showWelcome = true }},
		{"no card", func() { g.showWelcome = false }},
		{"ticks", func() { g.dock.Choose(overlay.TickTab) }},
		{"released", func() {
			for i := range 200 {
				at := now.Add(time.Duration(i) * 16 * time.Millisecond)
				f.values.Recent = append(f.values.Recent, coordinator.Release{Tick: loop.Tick(i), Scheduled: at, Actual: at.Add(time.Duration(i%7) * time.Millisecond)})
			}
			now = now.Add(4 * time.Second)
		}},
		{"braked", func() {
			f.values.Last = []overlay.EpisodeRow{{Tick: 150, Ago: time.Second, Length: 300 * time.Millisecond, Cause: laggardRow(7)}}
		}},
	}
	// frames waits until so many more updates, and then frames, have passed.
	frames := func(n int) {
		from := 0
		for range n {
			inLoop(t, func() { from = theLoop.frames })
		}
		until(t, "frames", func() bool { return theLoop.frames >= from+n && g.ground.settled })
	}
	for _, s := range steps {
		t.Run(s.name, func(t *testing.T) {
			inLoop(t, func() {
				s.change()
				now = now.Add(time.Second) // numbers are due
			})
			frames(8)
			kept := capture(t)
			inLoop(t, func() {
				g.retained = retained{}
				g.ground.kept.key = groundKey{}
				g.legend.key = legendKey{}
				g.buttonPlate.blank()
				g.buttons = nil
			})
			frames(1)
			drawn := capture(t)
			if !bytes.Equal(kept.Pix, drawn.Pix) {
				share, _ := difference(kept, drawn)
				t.Errorf("differs from what would be drawn, %.3f %% by much", 100*share)
			}
		})
	}
}
