package game

import (
	"slices"
	"time"

	"chronoscope/loop"
	"chronoscope/loop/frametime"
)

// RealDisplay is the name of the display that is there.
const RealDisplay = "real"

// longestOutage is how long a virtual display in a window may show nothing.
const longestOutage = 30 * time.Second

// Displays are the names of the displays that a window can run on: the real one
// first, then the virtual ones.
func Displays() []string {
	list := []string{RealDisplay}
	for _, p := range frametime.Presets() {
		if live(p.Display) {
			list = append(list, p.Name)
		}
	}
	return list
}

// live says that a display can be waited for.
func live(d frametime.VirtualDisplay) bool {
	return !slices.ContainsFunc(d.Outages, func(o frametime.Outage) bool { return !o.Asleep && o.For > longestOutage })
}

// FrameCaps are the frame caps to choose from, frames a second; 0 is off.
func FrameCaps() []int { return []int{0, 30, 60, 90, 120, 144, 240} }

// MaxFrameCap bounds the frame cap, frames a second; the least is 1.
const MaxFrameCap = 1000

// screen is what frames are counted on: the real display, or a virtual one that
// says when each frame is shown. On a virtual display with VSync the refreshes
// come at its own instants, drawn or not; the window draws the newest of them as
// often as the machine can, and what the world shows at each is looked up by its
// releases. Without VSync nothing is waited for, so it makes no difference.
type screen struct {
	name   string
	preset frametime.VirtualDisplay
	series frametime.Series // while on
	on     bool
	start  int64           // the series' origin
	wall   int64           // the wall clock at start
	next   frametime.Stamp // of the frame after this one, once ready
	ready  bool
	capped time.Duration // what this frame waits for the cap, once ready

	cap     loop.Rate // not valid: off
	capFrom int64     // boundary 0 of its grid
	capLast int64     // the last target
	pacer   loop.Pacer
	sleep   func(until time.Time) // in place of the pacer; nil outside tests
}

// choose puts a display in place; the name is one of Displays.
func (s *screen) choose(name string) {
	s.name, s.on, s.ready = name, false, false
	s.preset = frametime.VirtualDisplay{}
	if p, ok := frametime.FindPreset(name); ok {
		s.preset = p.Display
	}
}

// virtual says that a virtual display was chosen.
func (s *screen) virtual() bool { return s.preset.Rate.Valid() }

// limit sets the frame cap, 0: off, counted from a stamp.
func (s *screen) limit(perSecond int, at int64) {
	s.cap = loop.Rate{}
	if perSecond > 0 {
		s.cap = loop.Hz(uint64(perSecond))
	}
	s.capFrom, s.capLast = at, at
}

// rate is the refresh rate of a virtual display now; not valid on the real one,
// and on one that refreshes when it likes.
func (s *screen) rate() loop.Rate {
	switch d := &s.preset; {
	case d.Fastest.Valid():
		return loop.Rate{}
	case d.Then.Valid() && s.on && s.series.Shown() >= d.Change:
		return d.Then
	default:
		return d.Rate
	}
}

// begin starts the display's clock so that its first frame is shown at a stamp.
func (s *screen) begin(at, wall int64) {
	s.series = *s.preset.Series()
	first := s.series.Next()
	s.start, s.wall = at-int64(first.At), wall-int64(first.Wall)
	s.on, s.ready = true, false
}

// prepare works out when the frame after this one is shown, if it is ready busy
// after this one was.
func (s *screen) prepare(busy time.Duration) {
	if s.ready {
		return
	}
	done := s.series.Shown() + max(busy, 1)
	for _, o := range s.preset.Outages {
		if o.Asleep && s.series.Shown() < o.At && o.At <= done {
			done += o.For // while the machine sleeps nothing is worked on
		}
	}
	at := done
	if s.cap.Valid() {
		// Between the refreshes: see frametime.Schedule.
		phase := min(s.cap.Period(), s.preset.Rate.Period()) / 2
		at = max(at, gridAfter(s.cap, at-phase)+phase)
	}
	s.capped = at - done
	s.next, s.ready = s.series.NextAfter(at), true
}

// shown is when the next frame is shown, and the wall clock then.
func (s *screen) shown() (at, wall int64) {
	return s.start + int64(s.next.At), s.wall + int64(s.next.Wall)
}

// gridAfter is the first boundary of a rate that isn't before d, at least 0.
func gridAfter(r loop.Rate, d time.Duration) time.Duration {
	if d <= 0 {
		return 0
	}
	k := r.TickAt(d)
	if at := r.Boundary(k); at >= d {
		return at
	}
	return r.Boundary(k + 1)
}

// capTarget is when the cap lets a frame go that was drawn at a stamp. A late one
// goes to the next target of the grid. With VSync on it goes at once and the grid
// begins anew with it: the grid's phase against the real display is unknown, and
// if its targets came just before frames are drawn, each frame would wait for one
// and miss a refresh meanwhile, so a cap at the refresh rate would halve the rate.
func (s *screen) capTarget(drawn int64, vsync bool) int64 {
	if vsync && drawn-s.capLast > int64(s.cap.Period()) {
		s.capFrom = drawn
	}
	s.capLast = s.capFrom + int64(gridAfter(s.cap, time.Duration(drawn-s.capFrom)))
	return s.capLast
}

// wait waits until an instant, as precisely as the system can.
func (s *screen) wait(until time.Time) {
	if s.sleep != nil {
		s.sleep(until)
		return
	}
	if s.pacer == nil {
		s.pacer = loop.Precise.New()
	}
	s.pacer.Wait(until, nil)
}

// rest gives back what waiting took, until something is waited for again. It
// belongs to the goroutine that waits.
func (s *screen) rest() {
	if s.pacer != nil {
		s.pacer.Close()
		s.pacer = nil
	}
}
