package game

import (
	"image"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"chronoscope/coordinator"
	"chronoscope/loop"
	"chronoscope/overlay"
	"chronoscope/routes"
	"chronoscope/world"

	"github.com/hajimehoshi/ebiten/v2"
)

// hand moves the real pointer and presses real keys of the tests' display.
type hand struct{ t *testing.T }

func newHand(t *testing.T) hand {
	t.Helper()
	if _, err := exec.LookPath("xdotool"); err != nil {
		t.Skip("xdotool is not installed: real input isn't tested")
	}
	return hand{t}
}

func (h hand) do(args ...string) {
	h.t.Helper()
	if out, err := exec.CommandContext(h.t.Context(), "xdotool", args...).CombinedOutput(); err != nil {
		h.t.Fatalf("xdotool %v: %v\n%s", args, err, out)
	}
}

// move puts the pointer on a pixel of the window, and waits until the window
// has seen it there.
func (h hand) move(p image.Point) {
	h.t.Helper()
	var x, y int
	inLoop(h.t, func() { x, y = ebiten.WindowPosition() })
	h.do("mousemove", strconv.Itoa(x+p.X), strconv.Itoa(y+p.Y))
	until(h.t, "the pointer at "+p.String(), func() bool { return image.Pt(ebiten.CursorPosition()) == p })
}

func (h hand) press() {
	h.t.Helper()
	h.do("mousedown", "1")
	until(h.t, "the button down", func() bool { return ebiten.IsMouseButtonPressed(ebiten.MouseButtonLeft) })
}

func (h hand) release() {
	h.t.Helper()
	h.do("mouseup", "1")
	until(h.t, "the button up", func() bool { return !ebiten.IsMouseButtonPressed(ebiten.MouseButtonLeft) })
}

func runningWorld(t *testing.T) *world.World {
	t.Helper()
	w, err := world.New(world.Options{
		Map:         smallTown(t),
		Params:      world.Params{Seed: 7, NPCs: 100},
		Coordinator: coordinator.Options{},
	})
	if err != nil {
		t.Fatal(err)
	}
	w.Start()
	t.Cleanup(w.Stop)
	return w
}

// The whole way from a hand on the mouse to the coordinator's pace.
func TestDragTickRate(t *testing.T) {
	h := newHand(t)
	w := runningWorld(t)
	pace := func() loop.Rate { return w.Coordinator().Pacing().TickRate }
	if pace() != loop.Hz(60) {
		t.Fatalf("starts at %v", pace())
	}
	g := show(t, Options{World: World{Source: Watch(w, overlay.Setup{}, 0, nil)}}, MinWidth, MinHeight)
	var slider image.Rectangle
	until(t, "the slider", func() bool {
		slider = g.panels.RateSlider()
		return !slider.Empty()
	})
	// The thumb of 60 in 1..240 is about a quarter along.
	y := (slider.Min.Y + slider.Max.Y) / 2
	h.move(image.Pt(slider.Min.X+slider.Dx()*60/240, y))
	h.press()
	h.move(image.Pt(slider.Min.X+slider.Dx()*3/4, y))
	until(t, "a rate around 180", func() bool { r := pace().Float(); return r > 165 && r < 195 })
	h.move(image.Pt(slider.Max.X+50, y))
	until(t, "the highest rate", func() bool { return pace() == loop.Hz(overlay.MaxRate) })
	h.release()
	h.move(image.Pt(slider.Min.X+slider.Dx()/2, y))
	tick := w.Coordinator().Global()
	until(t, "ticks passing at the new rate", func() bool { return w.Coordinator().Global() > tick+20 })
	if pace() != loop.Hz(overlay.MaxRate) {
		t.Errorf("the rate followed the pointer to %v after the button was let go", pace())
	}
}

func TestDoubleClickPinsAndDragMoves(t *testing.T) {
	h := newHand(t)
	w := runningWorld(t)
	g := show(t, Options{World: World{Source: Watch(w, overlay.Setup{}, 0, nil)}}, MinWidth, MinHeight)
	var at image.Point
	var zone routes.ZoneKey
	inLoop(t, func() {
		at = g.at.view.Min.Add(g.at.view.Size().Div(2))
		zone = g.zones.under(g.cam, float64(at.X), float64(at.Y))
	})

	h.move(at)
	inLoop(t, func() { g.layers[overlay.CharacterLayer] = false; g.dots = nil })
	// A busy machine's window may see two clicks as one, or as too far apart: one
	// tries again then, as a person would.
	doubleClickFor := func(what string, done func() bool) {
		for range 20 {
			h.do("click", "--repeat", "2", "--delay", "60", "1")
			for range 40 {
				ok := false
				if inLoop(t, func() { ok = done() }); ok {
					return
				}
			}
		}
		t.Fatalf("double clicks don't lead to: %s", what)
	}
	doubleClickFor("the zone pinned", func() bool { return w.ZonePinned(zone) && g.zones.active[zone] })

	// A drag moves the map with the pointer and pins nothing.
	var x, y float64
	inLoop(t, func() { x, y = g.cam.ToMap(float64(at.X), float64(at.Y)) })
	h.press()
	to := at.Add(image.Pt(60, 35))
	h.move(to)
	h.release()
	var gx, gy float64
	inLoop(t, func() { gx, gy = g.cam.ToMap(float64(to.X), float64(to.Y)) })
	if !near(gx, x, 0.1) || !near(gy, y, 0.1) {
		t.Errorf("(%.2f, %.2f) was dragged along, (%.2f, %.2f) is there", x, y, gx, gy)
	}
	if n := len(w.Zones(nil)); n != 1 {
		t.Errorf("%d active zones after the drag, want the one pinned", n)
	}

	// The same place again lets it go.
	doubleClickFor("the zone let go", func() bool { return !w.ZonePinned(zone) })

	// The wheel zooms around the pointer.
	inLoop(t, func() { x, y = g.cam.ToMap(float64(to.X), float64(to.Y)) })
	var scale float64
	inLoop(t, func() { scale = g.cam.Scale })
	h.do("click", "4")
	until(t, "the zoom to end", func() bool { return !g.cam.zooming && g.cam.Scale > scale*1.2 })
	inLoop(t, func() { gx, gy = g.cam.ToMap(float64(to.X), float64(to.Y)) })
	if !near(gx, x, 0.01) || !near(gy, y, 0.01) {
		t.Errorf("the wheel moved (%.2f, %.2f) to (%.2f, %.2f)", x, y, gx, gy)
	}
}

func TestKeys(t *testing.T) {
	h := newHand(t)
	f := newFakeTown(smallTown(t), 50)
	f.moment.Paused, f.values.Paused = false, false
	g := show(t, Options{World: World{Source: f}}, MinWidth, MinHeight)
	h.move(g.at.view.Min.Add(g.at.view.Size().Div(2)))
	selected := func(spawn uint64) bool {
		return g.selection == overlay.Selection{Kind: overlay.OneCharacter, Spawn: spawn}
	}
	ordered := func(k overlay.CommandKind) bool { return f.orders[len(f.orders)-1].Kind == k }
	tests := []struct {
		key, what string
		cond      func() bool
	}{
		{"space", "paused", func() bool { return f.values.Paused }},
		{"period", "one step", func() bool { return f.steps == 1 }},
		{"comma", "ten steps", func() bool { return f.steps == 11 }},
		{"space", "running", func() bool { return !f.values.Paused }},
		{"plus", "faster", func() bool { return f.values.Pacing.TimeScale == 2 }},
		{"minus", "as before", func() bool { return f.values.Pacing.TimeScale == 1 }},
		{"bracketright", "a higher rate", func() bool { return f.values.Pacing.TickRate == loop.Hz(61) }},
		{"bracketleft", "a lower rate", func() bool { return f.values.Pacing.TickRate == loop.Hz(60) }},
		{"greater", "a higher threshold", func() bool { return f.values.Pacing.LagThreshold == 11 }},
		{"less", "a lower threshold", func() bool { return f.values.Pacing.LagThreshold == 10 }},
		{"p", "a pinned zone", func() bool { return len(f.pinned) == 1 }},
		{"Tab", "no panels", func() bool { return g.at.sidebar.Empty() }},
		{"h", "no dock", func() bool { return g.at.dock.Empty() }},
		{"l", "no legend", func() bool { return g.legendBox.Empty() }},
		{"F1", "the keys", func() bool { return g.showHelp }},
		{"Escape", "no keys", func() bool { return !g.showHelp }},
		{"Tab", "panels", func() bool { return !g.at.sidebar.Empty() && !g.panels.RateSlider().Empty() }},
		{"v", "no VSync", func() bool { return !g.vsync.is && !ebiten.IsVsyncEnabled() }},
		{"v", "VSync", func() bool { return g.vsync.is && ebiten.IsVsyncEnabled() }},
		{"Next", "zoomed out", func() bool { return !g.cam.zooming && g.pointer.byKeys }},
		{"Home", "the whole map", func() bool { return g.cam.X == 64 && g.cam.Y == 64 }},
		{"1", "no zones", func() bool { return !g.layers[overlay.ZoneLayer] }},
		{"8", "reach", func() bool { return g.layers[overlay.ReachLayer] }},
		{"m", "no minimap", func() bool { return g.minimap.box.Empty() }},
		{"t", "nobody to stall", func() bool { return g.hud.notice != "" && len(f.orders) == 1 }},
		{"n", "the first", func() bool { return selected(0) }},
		{"n", "the next", func() bool { return selected(1) && f.traced == 1 }},
		{"shift+n", "the one before", func() bool { return selected(0) }},
		{"shift+n", "round to the last", func() bool { return selected(49) }},
		{"c", "the map at it", func() bool { return near(g.cam.X, 0.5+float64(int(g.selected.dot.X)), 0.6) }},
		{"f", "followed", func() bool { return g.follow && g.follower.on }},
		{"Left", "not any more", func() bool { return !g.follow }},
		{"t", "a stall", func() bool { return ordered(overlay.Stall) }},
		{"o", "a stay", func() bool { return ordered(overlay.Hold) }},
		{"x", "no plan", func() bool { return ordered(overlay.Cancel) }},
		{"r", "armed", func() bool { return g.rerouting }},
		{"Escape", "disarmed, still selected", func() bool { return !g.rerouting && selected(49) }},
		{"r", "armed again", func() bool { return g.rerouting }},
		{"Return", "sent to the crosshair", func() bool { return ordered(overlay.Reroute) && !g.rerouting }},
		{"e", "asked", func() bool { return !g.endAsked.IsZero() && ordered(overlay.Reroute) }},
		{"e", "ended", func() bool { return ordered(overlay.End) }},
		{"Escape", "nobody selected", func() bool { return g.selection == overlay.Selection{} }},
		{"Return", "what is under the crosshair", func() bool { return g.selection.Kind != overlay.Nothing }},
	}
	for _, tt := range tests {
		h.do("key", tt.key)
		until(t, tt.key+": "+tt.what, tt.cond)
	}
}

// The sidebar can't be dragged away, and its own button collapses it.
func TestSidebarStays(t *testing.T) {
	h := newHand(t)
	g := show(t, Options{World: World{Source: newFakeTown(smallTown(t), 10)}}, MinWidth, MinHeight)
	title := image.Pt(g.at.sidebar.Min.X+150, 12)
	h.move(title)
	h.press()
	h.move(title.Add(image.Pt(-200, 100)))
	h.release()
	until(t, "the sidebar at its place", func() bool { return g.panels.RateSlider().In(g.at.sidebar) })
	h.move(image.Pt(g.at.sidebar.Min.X+12, 12))
	h.press()
	h.release()
	until(t, "no sidebar", func() bool { return g.at.sidebar.Empty() })
	var box image.Rectangle
	until(t, "its button", func() bool {
		for _, b := range g.buttons {
			if b.act == togglePanels {
				box = b.box
			}
		}
		return !box.Empty()
	})
	h.move(box.Min.Add(box.Size().Div(2)))
	h.press()
	h.release()
	until(t, "the sidebar again", func() bool { return !g.panels.RateSlider().Empty() })
}

// The badge of a brake leads to who holds the world.
func TestBrakeBadge(t *testing.T) {
	h := newHand(t)
	f := newFakeTown(smallTown(t), 50)
	f.moment = Moment{Tick: 700, Braking: true}
	f.values.Braking = true
	f.values.Laggards = append(f.values.Laggards, laggardRow(7))
	g := show(t, Options{World: World{Source: f}}, MinWidth, MinHeight)
	until(t, "the badge", func() bool { return !g.hud.badgeBox.Empty() && g.hud.hasBrake })
	h.move(g.hud.badgeBox.Min.Add(g.hud.badgeBox.Size().Div(2)))
	h.press()
	h.release()
	d, _ := f.Where(f.moment, 7)
	until(t, "the map at the laggard", func() bool {
		return near(g.cam.X, float64(d.X), 0.01) && near(g.cam.Y, float64(d.Y), 0.01)
	})
	inLoop(t, func() { f.moment.Braking, f.values.Braking, f.values.Laggards = false, false, nil })
	until(t, "no badge", func() bool { return g.hud.badgeBox.Empty() })
}

func TestEndsByItself(t *testing.T) {
	s, err := NewScreenshot(filepath.Join(t.TempDir(), "last.png"))
	if err != nil {
		t.Fatal(err)
	}
	now := frozenClock()
	show(t, Options{World: World{Source: newFakeTown(smallTown(t), 50)}, For: time.Minute, Screenshot: s, Now: func() time.Time { return now }}, MinWidth, MinHeight)
	inLoop(t, func() {
		if theLoop.result != nil {
			t.Error("ended before its time")
		}
		now = now.Add(time.Minute)
	})
	until(t, "the end", func() bool { return theLoop.result == ebiten.Termination })
	img := readPNG(t, s.Path())
	if img.Bounds().Size() != image.Pt(MinWidth, MinHeight) {
		t.Errorf("the screenshot is %v", img.Bounds())
	}
	colors := map[[4]uint32]bool{}
	for y := range MinHeight {
		for x := range MinWidth {
			r, g, b, a := img.At(x, y).RGBA()
			colors[[4]uint32{r, g, b, a}] = true
		}
	}
	if len(colors) < 200 {
		t.Errorf("%d colours in the screenshot: it is blank", len(colors))
	}
}

func TestFailingWorldEndsTheWindow(t *testing.T) {
	f := newFakeTown(smallTown(t), 50)
	show(t, Options{World: World{Source: f}}, MinWidth, MinHeight)
	want := &world.PanicError{Spawn: 3, Tick: 9}
	inLoop(t, func() { f.err = want; close(f.done) })
	until(t, "the error", func() bool { return theLoop.result == want })
}
