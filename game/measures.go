package game

import (
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"chronoscope/loop"
	"chronoscope/loop/frametime"
	"chronoscope/overlay"
)

// figureSpan is how far back the figures in the panels reach.
const figureSpan = 10 * time.Second

// refreshLeast is from how many frames on the refresh is guessed.
const refreshLeast = 10

// frameSums is memory for figures.
type frameSums struct{ all, waited []time.Duration }

// frameDone is told of each frame that is complete.
func (g *Game) frameDone(f *frametime.Frame) {
	g.slots.frame(f)
	g.endFull()
}

// measure renews the figures of frames.
func (g *Game) measure(v *overlay.Values, now time.Time) {
	r, f := &g.rec, &g.figures
	f.all, f.waited = r.recent(figureSpan, g.screen.cap.Valid(), f.all, f.waited)
	v.FPS = frametime.AverageFPS(f.all)
	r.Measured = 0
	if len(f.waited) >= refreshLeast {
		slices.Sort(f.waited)
		r.Measured = frametime.RefreshOf(f.waited)
	}
	r.Rate, r.Stated, r.Kind, r.VSync = v.Pacing.TickRate, g.stated(), g.kind(), g.vsync.want
	r.Refresh = g.period()
	r.Paused = v.Paused
	v.Refresh = r.Refresh
	v.Display, v.FrameCap = g.screen.name, 0
	if g.screen.cap.Valid() {
		v.FrameCap = int(g.screen.cap.Num)
	}
	g.slots.count(now)
	v.Slots = g.slots.held
	r.Badges = g.badges.look(g, now, r.Badges[:0])
}

// finishCapture writes the capture of the whole run.
func (g *Game) finishCapture() {
	if g.o.Capture == nil {
		return
	}
	err := g.endCaptureOfRun()
	if err != nil && g.err == nil {
		g.err = err
	}
}

func (g *Game) endCaptureOfRun() error {
	if g.slots.run.on {
		if err := g.endRun(); err != nil {
			return fmt.Errorf("capture %s: %w", g.o.Capture.Path(), err)
		}
	}
	c := g.slots.whole
	if c == nil {
		return fmt.Errorf("capture %s: %w", g.o.Capture.Path(), errNoFrames)
	}
	return g.o.Capture.Write(func(w io.Writer) error { return frametime.Write(w, c) })
}

// emulationVariable says, in hertz, that vertical sync is emulated by a library
// loaded before the program.
const emulationVariable = "EMULATED_DISPLAY_HZ"

// emulatedRate is the rate of an emulated display; not valid where none is.
func emulatedRate() loop.Rate {
	r, err := loop.ParseRefresh(os.Getenv(emulationVariable))
	if err != nil {
		return loop.Rate{}
	}
	return r
}
