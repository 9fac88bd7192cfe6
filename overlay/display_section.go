package overlay

import (
	"fmt"
	"time"
)

func (s *page) displaySection() {
	v := s.v
	s.grid(-1, -1)
	if s.check("vsync", "VSync", v.VSync) {
		s.in.ToggleVSync = true
	}
	if s.check("fullscreen", "full screen", v.Fullscreen) {
		s.in.ToggleFullscreen = true
	}
	fps := "-"
	if v.FPS > 0 && !v.Paused {
		fps = PerSecond(v.FPS) + " per s, over 10 s"
	}
	s.row("frames", fps)
	s.row("refresh", refreshText(v.Refresh, v.VSync))
	s.row("window", fmt.Sprintf("%s x %s px, scale %.3g", Count(v.Width), Count(v.Height), v.Scale))
	s.row("draw calls", Count(v.Calls)+" a frame")
	s.row("vertices", Count(v.Vertices)+" a frame")
	s.row("drawing", drawText(v.DrawTime))
	s.note("How long frames take stands in the dock below the map (H).")
}

func drawText(d time.Duration) string {
	if d <= 0 {
		return "-"
	}
	return Precise(d) + " of the processor a frame"
}

func refreshText(d time.Duration, vsync bool) string {
	switch {
	case !vsync:
		return "unknown without VSync"
	case d <= 0:
		return "measuring"
	}
	return "about " + PerSecond(1/d.Seconds()) + " Hz (" + Millis(d) + " ms)"
}
