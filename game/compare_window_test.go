package game

import (
	"image"
	"testing"
	"time"

	"chronoscope/overlay"
)

// From a hand on the mouse to two captures over one another: captured in the
// panel, compared in the dock, one of them shifted by dragging its bar.
func TestCompareByHand(t *testing.T) {
	h := newHand(t)
	w := runningWorld(t)
	g := show(t, Options{World: World{Source: Watch(w, overlay.Setup{}, 0, nil)}}, MinWidth, MinHeight)
	t.Cleanup(g.dock.Compare.Close)
	inLoop(t, func() {
		var only overlay.Sections
		only[overlay.DisplaySection] = true
		g.panels.SetOpen(only)
	})
	press := func(what string, find func() image.Rectangle) {
		t.Helper()
		var b image.Rectangle
		until(t, what, func() bool { b = find(); return !b.Empty() })
		h.move(b.Min.Add(b.Size().Div(2)))
		h.press()
		h.release()
		h.move(image.Pt(g.at.view.Min.X+20, g.at.view.Max.Y-20))
	}
	inPanels := func(label string) { press(label, func() image.Rectangle { return g.panels.Find(label) }) }
	slot := func(i int) (s overlay.Slot) { inLoop(t, func() { s = g.slots.held[i] }); return s }
	for i, name := range []string{"A", "B"} {
		inPanels("begin " + name)
		until(t, "some frames", func() bool { return len(g.slots.fills[i].frames) > 12 })
		inPanels("end " + name)
		until(t, "a capture", func() bool { return g.slots.held[i].Capture != nil })
		if s := slot(i); s.Filling || len(s.Capture.Frames) < 12 {
			t.Fatalf("%s: %+v", name, s)
		}
		if i == 0 {
			inPanels(">") // another display for the second one
			until(t, "a virtual display", func() bool { return g.screen.virtual() })
		}
	}
	inPanels("30")
	until(t, "a cap", func() bool { return g.screen.cap.Valid() })

	inLoop(t, func() { g.showDock = true; g.dock.Choose(overlay.CompareTab) })
	var bar image.Rectangle
	until(t, "the comparison", func() bool { bar = g.dock.CompareBar(1); return !bar.Empty() })
	at := image.Pt(bar.Min.X+30, (bar.Min.Y+bar.Max.Y)/2)
	h.move(at)
	h.press()
	h.move(at.Add(image.Pt(60, 0)))
	until(t, "a shift to the right", func() bool { return g.dock.Compare.Offset(1) > 0 })
	h.release()
	var shifted time.Duration
	inLoop(t, func() { shifted = g.dock.Compare.Offset(1) })
	h.move(at.Add(image.Pt(-90, 0)))
	frame := 0
	inLoop(t, func() { frame = theLoop.frames })
	until(t, "some frames more", func() bool { return theLoop.frames > frame+3 })
	inLoop(t, func() {
		if got := g.dock.Compare.Offset(1); got != shifted || g.dock.Compare.Offset(0) != 0 {
			t.Errorf("after it was let go it went from %v to %v", shifted, got)
		}
	})
	inPanels("clear A")
	until(t, "an empty slot", func() bool { return g.slots.held[0].Capture == nil })
}
