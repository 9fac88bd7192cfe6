package frametime

import (
	"fmt"
	"strings"
	"time"

	"chronoscope/loop"
)

// Schedule is a program that draws on a virtual display, worked out instead of
// run: each frame works, waits for the cap if there is one, and then for the
// display if VSync is on.
type Schedule struct {
	Display VirtualDisplay
	VSync   bool
	// Cap is the most frames a second; not valid: none. Its targets lie on a grid
	// of its own, and a frame that is late goes to the next one.
	Cap loop.Rate
	// Work is what a frame costs; 0 means DefaultWork. WorkJitter is how far it
	// is off, up to so much either way, by the display's seed.
	Work, WorkJitter time.Duration
}

// DefaultWork is what a frame of a Schedule costs unless it says so.
const DefaultWork = 2 * time.Millisecond

// capPhase is when the grid of the cap begins. With VSync on it lies between the
// refreshes. On them a frame that is let go a moment late would miss its
// refresh, be late for the next target too, and a cap at the refresh would halve
// the rate.
func (s *Schedule) capPhase() time.Duration {
	if !s.VSync {
		return s.Display.Phase
	}
	return s.Display.Phase + min(s.Cap.Period(), s.Display.Rate.Period())/2
}

// Frames are the first n frames, without a world: flags Focused and NoWorld, and
// VSyncAsked with VSync on. The clock of a display with trouble is read for
// Layout and Next; what lies between keeps its distance from Layout.
func (s Schedule) Frames(n int) []Frame {
	work := s.Work
	if work <= 0 {
		work = DefaultWork
	}
	chance := random(s.Display.Seed ^ 0x9e3779b97f4a7c15)
	screen := s.Display.Series()
	flags := Focused | NoWorld
	var at Stamp
	truth := s.Display.Phase // of at
	if s.VSync {
		flags |= VSyncAsked
		at = screen.Next()
		truth = screen.Shown()
	} else {
		at = Stamp{truth, truth}
	}
	frames := make([]Frame, 0, max(n, 0))
	for i := range max(n, 0) {
		cost := work
		if s.WorkJitter > 0 {
			cost = max(0, cost-s.WorkJitter+time.Duration(chance.below(2*uint64(s.WorkJitter)+1)))
		}
		ready := truth + cost
		free := ready
		if s.Cap.Valid() {
			free = s.target(ready)
		}
		next := Stamp{at.At + free - truth, at.Wall + free - truth}
		shown := free
		if s.VSync {
			next = screen.NextAfter(max(free, truth+1))
			shown = screen.Shown()
		}
		f := Frame{Seq: uint64(i), Layout: int64(at.At), Next: int64(next.At), Flags: flags, Updates: 1,
			Wall: int64(virtualEpoch + at.Wall), NextWall: int64(virtualEpoch + next.Wall)}
		f.UpdateStart = f.Layout
		f.UpdateEnd = f.Layout + int64(cost/2)
		f.DrawStart = f.UpdateEnd
		f.DrawEnd = f.Layout + int64(cost)
		f.CapEnd = f.Layout + int64(free-truth)
		f.MarkGap()
		frames = append(frames, f)
		at, truth = next, shown
	}
	return frames
}

// virtualEpoch is the wall clock at the start of a schedule: any instant but 0,
// which is unknown.
const virtualEpoch = time.Hour

// target is the first instant of the cap's grid that isn't before t.
func (s *Schedule) target(t time.Duration) time.Duration {
	phase := s.capPhase()
	if t <= phase {
		return phase
	}
	k := s.Cap.TickAt(t - phase)
	at := phase + s.Cap.Boundary(k)
	if at < t {
		at = phase + s.Cap.Boundary(k+1)
	}
	return at
}

// Drive lets a model make a world's ticks of a series of frames, in place.
func Drive(frames []Frame, m Model) {
	var tick loop.Tick
	for i := range frames {
		f := &frames[i]
		f.TickBefore = tick
		tick += loop.Tick(m.Frame(time.Duration(f.Layout)))
		f.TickAfter = tick
		f.Alpha = m.Alpha()
		f.Flags &^= NoWorld
	}
}

// Cell is one combination of the frame-rate matrix and what comes of it.
type Cell struct {
	Refresh loop.Rate
	VSync   bool
	Cap     loop.Rate // not valid: off

	FPS     float64
	Sigma   time.Duration
	Missed  int    // refreshes, an estimate
	Cadence string // of the first frames that count
	Defects Defects
}

// A cell looks at so many frames, after those in which the cap finds its phase.
const matrixFrames, matrixWarmup = 1200, 12

// Matrix is what becomes of a tick rate on {60, 120} Hz x VSync {on, off} x cap
// {off, 60, 120} with this module's frame-driven loop: frames of 2 ms, up to 0.3
// ms off, on displays whose stamps are up to 0.05 ms off. Missed refreshes are
// counted by the formula, to which a cap below the refresh looks the same. Defects are counted against the display with VSync on and against the
// cap with VSync off; with neither no cadence is right or wrong.
func Matrix(rate loop.Rate) []Cell {
	var cells []Cell
	for _, refresh := range []loop.Rate{loop.Hz(60), loop.Hz(120)} {
		for _, vsync := range []bool{true, false} {
			for _, limit := range []loop.Rate{{}, loop.Hz(60), loop.Hz(120)} {
				cells = append(cells, cell(rate, Cell{Refresh: refresh, VSync: vsync, Cap: limit}))
			}
		}
	}
	return cells
}

func cell(rate loop.Rate, c Cell) Cell {
	s := Schedule{Display: VirtualDisplay{Rate: c.Refresh, Jitter: 50 * time.Microsecond, Seed: 1}, VSync: c.VSync, Cap: c.Cap, WorkJitter: 300 * time.Microsecond}
	frames := s.Frames(matrixWarmup + matrixFrames)[matrixWarmup:]
	even := c.Cap // what the frames should come at
	if c.VSync && (!even.Valid() || even.Period() < c.Refresh.Period()) {
		even = c.Refresh
	}
	period := time.Duration(0)
	if even.Valid() {
		period = even.Period()
	}
	Drive(frames, NewSnapped(rate, period))
	f := Intervals(frames)
	c.FPS, c.Sigma = AverageFPS(f), Sigma(f)
	for _, d := range f {
		c.Missed += Missed(d, c.Refresh.Period())
	}
	ticks := TicksPerFrame(frames)[1:]
	c.Cadence = Cadence(ticks[:24])
	if even.Valid() {
		c.Defects = Uneven(ticks, rate, even)
	}
	return c
}

// MatrixText is the matrix as a table.
func MatrixText(cells []Cell) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-8s %-5s %-4s %8s %9s %6s  %-24s %s\n", "display", "vsync", "cap", "fps", "sigma ms", "missed", "ticks per frame", "odd/swaps")
	for _, c := range cells {
		vsync, limit := "off", "off"
		if c.VSync {
			vsync = "on"
		}
		if c.Cap.Valid() {
			limit = c.Cap.String()
		}
		fmt.Fprintf(&b, "%-8s %-5s %-4s %8.2f %9.3f %6d  %-24s %d/%d\n", c.Refresh.String()+" Hz", vsync, limit,
			c.FPS, millis(c.Sigma), c.Missed, c.Cadence, c.Defects.Odd, c.Defects.Swaps)
	}
	return b.String()
}
