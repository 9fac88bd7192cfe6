package game

import (
	"image"
	"testing"

	"chronoscope/overlay"
	"chronoscope/routes"

	"github.com/hajimehoshi/ebiten/v2"
)

// With the command line open, keys go to it and nowhere else.
func TestCommandLineKeys(t *testing.T) {
	h := newHand(t)
	f := newFakeTown(smallTown(t), 50)
	f.moment.Paused, f.values.Paused = false, false
	g := show(t, Options{World: World{Source: f}}, MinWidth, MinHeight)
	h.move(g.at.view.Min.Add(g.at.view.Size().Div(2)))
	inLoop(t, func() { g.showWelcome = true })
	p := &g.palette
	steps := []struct {
		key, what string
		cond      func() bool
	}{
		{"j", "the next instrument, and no card any more", func() bool { return g.dock.Tab == overlay.PassageTab && !g.showWelcome }},
		{"j", "the one after it", func() bool { return g.dock.Tab == overlay.TickTab }},
		{"j", "captures compared", func() bool { return g.dock.Tab == overlay.CompareTab }},
		{"j", "the lab", func() bool { return g.dock.Tab == overlay.LabTab }},
		{"j", "the first", func() bool { return g.dock.Tab == overlay.FrameTab }},
		{"h", "no dock", func() bool { return !g.showDock }},
		{"j", "the dock as it was", func() bool { return g.showDock && g.dock.Tab == overlay.FrameTab }},
		{"slash", "the line", func() bool { return p.open && p.text() == "" }},
		{"l", "a letter", func() bool { return p.text() == "l" }},
		{"a", "another", func() bool { return p.text() == "la" }},
		{"g", "a third", func() bool { return p.text() == "lag" }},
		{"Down", "the second choice", func() bool { return p.chosen() != nil && p.chosen().name == "lag-threshold" }},
		{"Tab", "its name", func() bool { return p.text() == "lag-threshold " }},
		{"0", "a number", func() bool { return p.text() == "lag-threshold 0" }},
		{"Return", "what is accepted", func() bool { return p.open && p.fault == "lag-threshold 0: accepted are 1 to 1000 ticks" }},
		{"BackSpace", "one less", func() bool { return p.text() == "lag-threshold " && p.fault == "" }},
		{"7", "another number", func() bool { return p.text() == "lag-threshold 7" }},
		{"Return", "done", func() bool { return !p.open && f.values.Pacing.LagThreshold == 7 }},
		{"ctrl+k", "the line again", func() bool { return p.open }},
		{"space", "a space", func() bool { return p.text() == " " }},
		{"p", "a letter", func() bool { return p.text() == " p" }},
		{"Escape", "nothing", func() bool { return !p.open }},
		{"g", "go", func() bool { return p.open && p.text() == "go " }},
		{"9", "a number", func() bool { return p.text() == "go 9" }},
		{"Return", "who it is", func() bool {
			return !p.open && g.selection == overlay.Selection{Kind: overlay.OneCharacter, Spawn: 9}
		}},
	}
	for _, s := range steps {
		if s.key == "ctrl+k" {
			// Held for a moment, as by a hand: xdotool lets it go within a frame.
			h.do("keydown", "ctrl", "key", "k", "sleep", "0.1", "keyup", "ctrl")
		} else {
			h.do("key", s.key)
		}
		until(t, s.key+": "+s.what, s.cond)
	}
	inLoop(t, func() {
		if f.values.Paused || len(f.pinned) > 0 || len(f.orders) > 0 || !g.showLegend || g.at.sidebar.Empty() {
			t.Error("what was typed has done something else, too")
		}
	})
}

// The dock by mouse: titles, span, rows, scrolling.
func TestDockByMouse(t *testing.T) {
	h := newHand(t)
	f := newFakeTown(smallTown(t), 400)
	zone := routes.ZoneKey{X: 3, Y: 4}
	g := show(t, Options{World: World{Source: f}}, MinWidth, MinHeight)
	inLoop(t, func() { g.choose(overlay.Selection{Kind: overlay.OneZone, Zone: zone}) })
	click := func(p image.Point) {
		h.move(p)
		h.press()
		h.release()
	}
	dock := g.at.dock
	// The second title.
	click(dock.Min.Add(image.Pt(140, 13)))
	until(t, "the passages", func() bool { return g.dock.Tab == overlay.PassageTab })
	until(t, "its rows", func() bool { return g.dock.Timeline.Rows() > 8 })
	row := dock.Min.Add(image.Pt(60, 26+20+9))
	var first overlay.Selection
	inLoop(t, func() { first, _ = g.dock.Hit(row) })
	if first.Kind != overlay.OneCharacter {
		t.Fatalf("the first row selects %+v", first)
	}

	// The wheel scrolls the rows and leaves the map alone.
	h.move(row)
	var scale float64
	inLoop(t, func() { scale = g.cam.Scale })
	h.do("click", "5")
	var second overlay.Selection
	until(t, "another row", func() bool { second, _ = g.dock.Hit(row); return second != first })
	inLoop(t, func() {
		if g.cam.Scale != scale || g.cam.zooming {
			t.Error("the map zoomed")
		}
	})
	span := g.dock.Timeline.Span()
	h.do("keydown", "Control_L")
	h.do("click", "5")
	until(t, "a longer span", func() bool { return g.dock.Timeline.Span() > span })
	h.do("keyup", "Control_L")
	click(image.Pt(dock.Max.X-12-24-64-12, dock.Min.Y+13))
	until(t, "the span as it was", func() bool { return g.dock.Timeline.Span() == span })

	// A click on a row selects its character, whose zones follow.
	click(row)
	until(t, "the character", func() bool { return g.selection == second })
	until(t, "its zones", func() bool { s, _ := g.dock.Hit(row); return s.Kind == overlay.OneZone })
}

// A command that is clicked runs, or has its name filled in; a click beside the
// list closes it and does nothing else.
func TestCommandLineByMouse(t *testing.T) {
	h := newHand(t)
	f := newFakeTown(smallTown(t), 50)
	f.moment.Paused, f.values.Paused = false, false
	g := show(t, Options{World: World{Source: f}}, MinWidth, MinHeight)
	click := func(p image.Point) {
		h.move(p)
		h.press()
		h.release()
	}
	var button image.Rectangle
	until(t, "its button", func() bool {
		for _, b := range g.buttons {
			if b.act == openCommand {
				button = b.box
			}
		}
		return !button.Empty()
	})
	middle := func(r image.Rectangle) image.Point { return r.Min.Add(r.Size().Div(2)) }
	click(middle(button))
	until(t, "the line", func() bool { return g.palette.open && !g.palette.rows.Empty() })
	at := g.palette.rows.Min.Add(image.Pt(30, listRow/2))
	click(at.Add(image.Pt(0, 2*listRow))) // step
	until(t, "a step", func() bool { return !g.palette.open && f.steps == 1 })

	click(middle(button))
	until(t, "the line again", func() bool { return g.palette.open && !g.palette.rows.Empty() })
	click(at.Add(image.Pt(0, 5*listRow))) // go
	until(t, "what it needs", func() bool { return g.palette.open && g.palette.text() == "go " })
	beside := g.at.view.Max.Sub(image.Pt(g.at.view.Dx()/2, 60))
	click(beside)
	until(t, "no line", func() bool { return !g.palette.open })
	inLoop(t, func() {
		if g.selection.Kind != overlay.Nothing || g.pointer.down || ebiten.IsMouseButtonPressed(ebiten.MouseButtonLeft) {
			t.Error("the click went on to the map")
		}
	})
}
