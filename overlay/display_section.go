package overlay

import (
	"fmt"
	"image"
	"slices"
	"strconv"
	"time"

	"chronoscope/loop/frametime"
)

// FrameCaps are the frame caps to choose from, frames a second; 0 is off.
var FrameCaps = [...]int{0, 30, 60, 90, 120, 144, 240}

func (s *page) displaySection() {
	v := s.v
	s.grid(-1, -1)
	if s.check("vsync", "VSync", v.VSync) {
		s.in.ToggleVSync = true
	}
	if s.check("fullscreen", "full screen", v.Fullscreen) {
		s.in.ToggleFullscreen = true
	}
	s.frameCap()
	s.display()
	s.row("refresh", refreshText(v))
	if v.Recording != nil {
		for _, b := range v.Recording.Badges {
			s.paragraph("! "+b.Text+": "+b.Why, warned)
		}
	}
	fps := "-"
	if v.FPS > 0 && !v.Paused {
		fps = PerSecond(v.FPS) + " per s, over 10 s"
	}
	s.row("frames", fps)
	s.row("window", fmt.Sprintf("%s x %s px, scale %.3g", Count(v.Width), Count(v.Height), v.Scale))
	s.row("draw calls", Count(v.Calls)+" a frame")
	s.row("vertices", Count(v.Vertices)+" a frame")
	s.row("drawing", drawText(v.DrawTime))
	s.note("How long frames take stands in the dock below the map (H).")
	s.captures()
}

// capName is a frame cap in a word.
func capName(perSecond int) string {
	if perSecond <= 0 {
		return "off"
	}
	return strconv.Itoa(perSecond)
}

// frameCap is the row of frame caps. One that isn't among them, as the command
// line can set, is said in its name.
func (s *page) frameCap() {
	widths := []int{76}
	for range FrameCaps {
		widths = append(widths, -1)
	}
	s.grid(widths...)
	name := "frame cap"
	if !slices.Contains(FrameCaps[:], s.v.FrameCap) {
		name = "cap " + capName(s.v.FrameCap)
	}
	s.text(name, Faint)
	for _, n := range FrameCaps {
		if s.option("cap "+capName(n), capName(n), s.v.FrameCap == n) {
			s.in.FrameCap, s.in.HasFrameCap = n, true
		}
	}
}

// display steps through what the window can run on: the real display, and
// virtual ones.
func (s *page) display() {
	v := s.v
	s.grid(76, 24, -1, 24)
	s.text("display", Faint)
	at := slices.Index(v.Displays, v.Display)
	step := 0
	if s.button("display before", "<") {
		step = -1
	}
	name := v.Display
	switch {
	case name == "":
		name = "-"
	case at > 0:
		name = "virtual " + name
	}
	// The name goes back to the real one.
	if s.option("display real", name, at > 0) && at > 0 {
		s.in.Display, s.in.HasDisplay = v.Displays[0], true
	}
	if s.button("display after", ">") {
		step = 1
	}
	if n := len(v.Displays); step != 0 && n > 0 {
		s.in.Display, s.in.HasDisplay = v.Displays[(max(at, 0)+step+n)%n], true
	}
	if at > 0 {
		s.note("Frames are counted on a display that isn't there; press its name to go back to the real one.")
	}
}

func drawText(d time.Duration) string {
	if d <= 0 {
		return "-"
	}
	return Precise(d) + " of the processor a frame"
}

// refreshText is the refresh as stated and as measured.
func refreshText(v *Values) string {
	stated, measured := "not stated", ""
	if rec := v.Recording; rec != nil {
		if rec.Stated.Valid() {
			stated = "stated " + RateText(rec.Stated) + " Hz"
		}
		if d := rec.Measured; d > 0 {
			measured = "measured " + strconv.FormatFloat(1/d.Seconds(), 'f', 2, 64) + " Hz"
		}
	}
	switch {
	case measured != "":
	case !v.VSync:
		measured = "unknown without VSync"
	default:
		measured = "measuring"
	}
	return stated + " / " + measured
}

// captures are the slots: what is in them, and what can be done with them.
func (s *page) captures() {
	s.title("captures")
	for i := range s.v.Slots {
		s.slot(i)
	}
	s.note("Compare them in the dock's tab Compare. Files are loaded by dropping them on the window, or with: capture load A FILE.")
}

func (s *page) slot(i int) {
	x, name := &s.v.Slots[i], SlotName(i)
	s.lines(14, -1)
	s.ctx.GridCell(func(b image.Rectangle) { s.write(name, b, Strong, left, slotInk[i]) })
	ink := Ink
	if x.Capture == nil && !x.Filling {
		ink = Faint
	}
	s.wrapped(slotText(x), Body, ink)
	s.grid(-1, -1, -1, -1)
	order := func(word string, kind CaptureKind, can bool) {
		if !can {
			s.text("", Faint)
			return
		}
		if s.button(word+" "+name, word+" "+name) {
			s.in.Capture = CaptureOrder{Kind: kind, Slot: i}
		}
	}
	if x.Filling {
		order("end", EndCapture, true)
	} else {
		order("begin", BeginCapture, true)
	}
	order("hold", HoldCapture, !x.Filling)
	order("save", SaveCapture, x.Capture != nil)
	order("clear", ClearCapture, x.Capture != nil || x.Filling)
}

// slotText is what is in a slot.
func slotText(x *Slot) string {
	switch {
	case x.Filling:
		s := "capturing: " + plural(x.Frames, "frame")
		if x.For > 0 {
			s += ", " + Span(x.For)
		}
		return s
	case x.Capture == nil:
		return "empty"
	}
	s := labelOf(x.Capture) + ": " + plural(len(x.Capture.Frames), "frame") + ", " + Span(lasted(x.Capture))
	if x.Capture.Meta.Display == frametime.Unknown && x.Capture.Meta.Source != "" {
		s += ", of " + x.Capture.Meta.Source
	}
	return s
}
