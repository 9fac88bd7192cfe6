package game

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"chronoscope/coordinator"
	"chronoscope/loop"
	"chronoscope/loop/frametime"
	"chronoscope/world/scenario"

	"github.com/hajimehoshi/ebiten/v2"
	"github.com/hajimehoshi/ebiten/v2/inpututil"
)

// nextFrame completes the frame before and begins another: the first thing that
// happens in one, at now by the clock.
func (g *Game) nextFrame(now time.Time) {
	r, s := &g.rec, &g.screen
	at, wall := r.stamp(now), time.Now().UnixNano()
	r.Now = at
	if r.open && !r.drew {
		return // it was never drawn, so it goes on
	}
	g.slots.hear(r.listen())
	switch {
	case !g.throughDisplay():
		s.on = false
		g.turn(at, at, wall)
	case !s.on || !r.open || at-r.cur.Layout > int64(longestOutage):
		// It comes into force, or nobody has looked for too long.
		s.begin(at, wall)
		g.turn(at, at, wall)
	default:
		g.refreshes(at)
	}
}

// turn ends a frame at a stamp, if there is one, and begins the next; real is
// the stamp by the clock.
func (g *Game) turn(at, real, wall int64) {
	r := &g.rec
	if r.open {
		r.end(at, wall)
	}
	g.noteSettings(at)
	r.begin(at, real, wall)
	f := &r.cur
	if g.focused() {
		f.Flags |= frametime.Focused
	}
	if g.vsync.is {
		f.Flags |= frametime.VSyncAsked
	}
}

// refreshes lets the refreshes of a virtual display come that were due by a
// stamp of the clock. The real frame that begins draws the newest of them, or,
// when there was none, the frame before once more.
func (g *Game) refreshes(now int64) {
	r, s := &g.rec, &g.screen
	s.prepare(time.Duration(r.cur.DrawEnd - r.cur.Layout))
	undrawn := false
	before := s.series
	for {
		at, wall := s.shown()
		if at > now {
			break
		}
		if undrawn {
			g.lookUp()
		}
		g.turn(at, now, wall)
		before, undrawn, s.ready = s.series, true, false
		s.prepare(0)
	}
	if undrawn {
		// What comes after the frame that is drawn depends on what that takes.
		s.series, s.ready = before, false
	}
}

// lookUp notes what a refresh shows of the world that isn't drawn.
func (g *Game) lookUp() {
	r := &g.rec
	t := r.at(r.cur.Layout)
	g.source.Frame(t, g.pace())
	r.cur.Flags |= frametime.NoStamps
	r.show(g.source.Moment(t), g.values.Dropped)
}

// throughDisplay says that it is a virtual display that shows the frames.
func (g *Game) throughDisplay() bool { return g.screen.virtual() && g.vsync.is }

// shownAt is the instant that the frame under way shows: that of the virtual
// display's refresh, or now.
func (g *Game) shownAt(now time.Time) time.Time {
	if g.throughDisplay() && g.screen.on && g.rec.open {
		return g.rec.at(g.rec.cur.Layout)
	}
	return now
}

// beginUpdate and endUpdate stamp an Update, beginDraw and endDraw a Draw. A
// frame that is drawn once more keeps its first stamps.
func (g *Game) beginUpdate(now time.Time) {
	r := &g.rec
	g.updates++
	r.beginUpdate(now)
	if len(g.justPressed()) > 0 ||
		inpututil.IsMouseButtonJustPressed(ebiten.MouseButtonLeft) || inpututil.IsMouseButtonJustPressed(ebiten.MouseButtonRight) {
		r.sawInput(r.stamp(now) + r.shift)
	}
}

// justPressed are the keys that this Update has seen go down.
func (g *Game) justPressed() []ebiten.Key {
	g.keysDown = inpututil.AppendJustPressedKeys(g.keysDown[:0])
	return g.keysDown
}

func (g *Game) endUpdate() {
	r := &g.rec
	if r.open && !r.drew {
		r.cur.Updates++
		r.cur.UpdateEnd = r.stamp(g.now()) + r.shift
	}
}

func (g *Game) beginDraw(now time.Time) {
	r := &g.rec
	if !r.open || r.drew {
		return
	}
	f := &r.cur
	f.DrawStart = r.stamp(now) + r.shift
	if f.Updates == 0 {
		f.UpdateStart, f.UpdateEnd = f.DrawStart, f.DrawStart
	}
}

// endDraw stamps the end of the drawing and waits for the frame cap, and for a
// virtual display.
func (g *Game) endDraw(readBack bool) {
	r, s := &g.rec, &g.screen
	if !r.open {
		return
	}
	if !r.drew {
		f := &r.cur
		f.DrawEnd = r.stamp(g.now()) + r.shift
		f.CapEnd = f.DrawEnd
		if readBack {
			f.Flags |= frametime.ReadBack
		}
		r.show(g.moment, g.values.Dropped)
		r.drew = true
	}
	switch {
	case g.throughDisplay() && s.on:
		s.prepare(time.Duration(r.cur.DrawEnd - r.cur.Layout))
		r.cur.CapEnd = r.cur.DrawEnd + int64(s.capped)
		at, _ := s.shown()
		s.wait(r.at(min(at, r.stamp(g.now())+int64(longestWait))))
	case s.cap.Valid():
		s.wait(r.at(s.capTarget(r.cur.DrawEnd, g.vsync.is)))
		r.cur.CapEnd = r.stamp(g.now())
	}
}

// longestWait is how long a frame waits for a display that shows nothing: the
// window goes on reacting.
const longestWait = 100 * time.Millisecond

// period is the display's refresh period, 0 while unknown: as it is stated, or
// else measured.
func (g *Game) period() time.Duration {
	if !g.vsync.is {
		return 0 // frames come when they can
	}
	if r := g.stated(); r.Valid() {
		return r.Period()
	}
	if g.screen.virtual() {
		return 0 // it varies
	}
	return g.rec.Measured
}

// pace is what frames are meant to be apart by a multiple of, for a world that
// they drive: the refresh, or else the frame cap; 0 while unknown.
func (g *Game) pace() time.Duration {
	if p := g.period(); p > 0 || !g.screen.cap.Valid() {
		return p
	}
	return g.screen.cap.Period()
}

// stated is the refresh rate that is known without measuring; not valid: none.
func (g *Game) stated() loop.Rate {
	switch {
	case g.screen.virtual():
		return g.screen.rate()
	case g.override.Valid():
		return g.override
	case g.emulated.Valid():
		return g.emulated
	}
	return g.monitor.rate()
}

// kind is what kind of display frames are shown on.
func (g *Game) kind() frametime.DisplayKind {
	if g.screen.virtual() {
		return frametime.Virtual
	}
	return g.realKind()
}

// realKind is what the real display is: one that is emulated says so.
func (g *Game) realKind() frametime.DisplayKind {
	if g.emulated.Valid() {
		return frametime.Emulated
	}
	return frametime.Real
}

// The settings that a capture's description is made of, beside frametime's.
const (
	displaySetting = "display"
	capSetting     = "frame-cap"
	panelsSetting  = "panels"
	dockSetting    = "dock"
)

// inForce is everything that frame times depend on, to be compared.
type inForce struct {
	pacing        coordinator.Pacing
	vsync         bool
	cap           loop.Rate
	display       string
	stated        loop.Rate
	screen        [2]int
	sidebar, dock bool
}

// noteSettings begins a segment of statistics when a setting has changed.
func (g *Game) noteSettings(at int64) {
	now := inForce{
		g.values.Pacing, g.vsync.is, g.screen.cap, cmp.Or(g.screen.name, RealDisplay), g.stated(),
		[2]int{g.at.screen.Dx(), g.at.screen.Dy()}, g.showSidebar, g.showDock,
	}
	if now == g.settingsNow || g.at.screen.Empty() {
		return // or the window isn't there yet
	}
	g.settingsNow = now
	g.rec.set(now.list(), at)
}

// list is the settings by name.
func (s *inForce) list() []frametime.Setting {
	texts := scenario.PacingTexts(s.pacing)
	var list []frametime.Setting
	for name, text := range texts {
		list = append(list, frametime.Setting{Name: name, Value: text})
	}
	slices.SortFunc(list, func(a, b frametime.Setting) int { return cmp.Compare(a.Name, b.Name) })
	rate := func(r loop.Rate, none string) string {
		if !r.Valid() {
			return none
		}
		return r.String()
	}
	onOff := func(b bool) string {
		if b {
			return "on"
		}
		return "off"
	}
	return append(list,
		frametime.Setting{Name: "vsync", Value: onOff(s.vsync)},
		frametime.Setting{Name: capSetting, Value: rate(s.cap, "off")},
		frametime.Setting{Name: displaySetting, Value: s.display},
		frametime.Setting{Name: frametime.RefreshSetting, Value: rate(s.stated, "")},
		frametime.Setting{Name: "size", Value: strconv.Itoa(s.screen[0]) + "x" + strconv.Itoa(s.screen[1])},
		frametime.Setting{Name: panelsSetting, Value: onOff(s.sidebar)},
		frametime.Setting{Name: dockSetting, Value: onOff(s.dock)},
	)
}
