package overlay

import (
	"image"

	"github.com/ebitengine/debugui"
	"github.com/hajimehoshi/ebiten/v2"
)

// SidebarWidth is the width of the panels in device-independent pixels.
const SidebarWidth = 340

// Section is one panel of the sidebar.
type Section int

// The sections, from top to bottom.
const (
	TimeSection Section = iota
	BrakeSection
	DisplaySection
	WorldSection
	LabSection
	InspectorSection
	SectionCount
)

// SectionNames are the names of all sections, in their order.
func SectionNames() []string { return append([]string(nil), sectionNames[:]...) }

// Sections says which sections are unfolded.
type Sections [SectionCount]bool

// DefaultSections are those of a first start.
func DefaultSections() Sections {
	return Sections{TimeSection: true, BrakeSection: true, DisplaySection: true}
}

var sectionNames = [SectionCount]string{"time", "brake", "display", "world", "lab", "inspector"}

// String is the section's name, in lower case.
func (s Section) String() string {
	if s >= 0 && s < SectionCount {
		return sectionNames[s]
	}
	return "no section"
}

// SectionNamed finds a section by its name.
func SectionNamed(name string) (Section, bool) {
	for s := range SectionCount {
		if sectionNames[s] == name {
			return s, true
		}
	}
	return 0, false
}

// Panels is the sidebar.
//
// debugui lays its widgets out, scrolls them and says which was pressed; what
// they look like is painted over its frames, with the window's own lettering
// and colours. It has neither fields that refuse what they can't read nor a
// way to its widgets by keyboard: those are here, too.
//
// debugui windows can be dragged and resized by their user and know nothing of
// the window around them. The sidebar has a fixed place, so each Update
// compares where the window is with where it belongs, and moves it back by
// showing it under its other name: a new debugui window starts at the bounds
// it is given. How far it is scrolled, which would be lost, is kept here.
type Panels struct {
	ui     debugui.DebugUI
	second bool         // which of the two names is in use
	scroll *image.Point // to be set in the next Update; nil: as it is

	letters *Lettering
	white   *ebiten.Image
	mesh    Mesh
	marks   []mark
	scale   int
	window  image.Rectangle // where the debugui window was in the last Update
	body    image.Rectangle // what of it shows widgets

	ready    bool
	open     Sections
	help     Sections
	selected Selection // of the last Update
	reveal   int       // Updates until the inspector is scrolled to; 0: not

	keys   keyboard
	edit   editor
	done   entry // what was typed to the end in this Update
	held   grip  // the slider that is dragged
	rate   image.Rectangle
	fields fields
	sure   int // Updates for which a second click ends the character
	draft  draft

	captured debugui.InputCapturingState
	typing   bool // the keyboard was the panels' in the last Update
	redraw   Redraw
	place    image.Rectangle // where they were in the last Update
}

// How many Updates it takes until a change can be seen in full: one that shows
// it and one that lays out what it has moved; a sidebar that is put elsewhere
// changes its name first, and gets its scrolling back last.
const (
	settleUpdates = 2
	moveUpdates   = 5
)

// Touch says that the values have changed: the panels are drawn anew after the
// next Update.
func (p *Panels) Touch() { p.redraw.Touch(1) }

// Stale says whether the panels may look different from when they were drawn
// last. Until then they needn't be drawn where the last drawing still stands.
func (p *Panels) Stale() bool { return p.redraw.Due() }

// Capturing says whether the pointer is over the sidebar or the keyboard
// belongs to it, as of the last Update: then the map must not react.
func (p *Panels) Capturing() (pointer, keyboard bool) {
	return p.captured&debugui.InputCapturingStateHover != 0 || p.held.on,
		p.captured&debugui.InputCapturingStateFocus != 0 || p.typing
}

// RateSlider is where the tick-rate slider was drawn, in device pixels; empty
// while it isn't shown.
func (p *Panels) RateSlider() image.Rectangle { return p.rate }

// Find is where a text is written, in device pixels; empty while it can't be
// seen as a whole. Of several it is the first.
func (p *Panels) Find(text string) image.Rectangle {
	for i := range p.marks {
		if m := &p.marks[i]; m.s == text && m.box.In(p.body) {
			return p.device(m.box)
		}
	}
	return image.Rectangle{}
}

// Open says which sections are unfolded.
func (p *Panels) Open() Sections {
	p.init()
	return p.open
}

// SetOpen unfolds and folds sections.
func (p *Panels) SetOpen(s Sections) {
	p.init()
	if s != p.open {
		p.open = s
		p.redraw.Touch(settleUpdates)
	}
}

func (p *Panels) init() {
	if !p.ready {
		p.ready, p.open = true, DefaultSections()
		p.fields.defaults()
	}
}

// Update runs the panels for one frame. What has changed in v since the last
// Touch may show only after the next one. r is where the sidebar belongs, in
// device pixels; scale is the whole-numbered scale of the widgets; an empty r
// hides them. It must be called exactly once in each of Ebitengine's Updates.
func (p *Panels) Update(v *Values, r image.Rectangle, scale int) (Intents, error) {
	return p.run(v, r, scale, p.listen(!r.Empty()))
}

// run is Update after the keyboard was read; typing says that it was the
// panels'.
func (p *Panels) run(v *Values, r image.Rectangle, scale int, typing bool) (Intents, error) {
	p.init()
	if p.letters == nil {
		let, err := NewLettering()
		if err != nil {
			return Intents{}, err
		}
		p.letters, p.white = let, White()
	}
	p.sure = max(p.sure-1, 0)
	p.follow(v)
	if !typing && p.idle(r, scale) {
		return Intents{}, nil
	}
	p.letters.SetScale(float64(scale))
	p.scale, p.rate = scale, image.Rectangle{}
	p.marks = p.marks[:0]

	var in Intents
	state, err := p.ui.Update(func(ctx *debugui.Context) error {
		ctx.SetScale(scale)
		if !r.Empty() {
			p.show(ctx, v, &in, image.Rect(r.Min.X/scale, r.Min.Y/scale, r.Max.X/scale, r.Max.Y/scale))
		}
		return nil
	})
	p.settle()
	p.typing = typing || p.edit.field != nil || p.keys.on
	if state != 0 || p.captured != 0 || p.typing {
		p.redraw.Touch(settleUpdates) // anything may react to the pointer or to keys
	}
	if r != p.place {
		p.place = r
		p.redraw.Touch(moveUpdates)
	}
	p.redraw.Updated()
	p.captured = state
	return in, err
}

// idle says whether another Update would come to the same: nothing was touched
// and nobody points at the panels. Laying them out takes some tenths
// of a millisecond, 60 times a second too much for what rarely changes.
func (p *Panels) idle(r image.Rectangle, scale int) bool {
	return r == p.place && scale == p.scale && !p.redraw.Pending() &&
		p.captured == 0 && !p.typing && !p.held.on && p.done.field == nil &&
		!image.Pt(ebiten.CursorPosition()).In(r) && len(ebiten.AppendTouchIDs(nil)) == 0
}

// show lays the window out, at home or on its way there.
func (p *Panels) show(ctx *debugui.Context, v *Values, in *Intents, home image.Rectangle) {
	shown := false
	contents := func(l debugui.ContainerLayout) {
		shown = true
		p.window, p.body = l.Bounds, l.BodyBounds
		if l.Bounds != home {
			p.second = !p.second
			p.scroll = &l.ScrollOffset
		} else if p.scroll != nil {
			ctx.SetScroll(*p.scroll)
			p.scroll = nil
		}
		s := page{p: p, ctx: ctx, v: v, in: in, scrolled: l.ScrollOffset.Y}
		s.sections()
	}
	// Two calls, because a debugui window is known by where it is called.
	if p.second {
		ctx.Window("", home, contents)
	} else {
		ctx.Window("", home, contents)
	}
	if !shown {
		// Its own collapse button was clicked: the map gets the room.
		in.Collapse = true
		p.second = !p.second
	}
}

// revealUpdates is how long it takes until an unfolded section has been laid
// out and can be scrolled to.
const revealUpdates = 3

// follow unfolds the inspector when something is newly selected.
func (p *Panels) follow(v *Values) {
	if v.Selection == p.selected {
		p.reveal = max(p.reveal-1, 0)
		return
	}
	p.selected, p.sure = v.Selection, 0
	if v.Selection.Kind != Nothing {
		p.open[InspectorSection] = true
		p.reveal = revealUpdates
		p.redraw.Touch(moveUpdates)
	}
}

// Draw draws the sidebar over dst.
func (p *Panels) Draw(dst *ebiten.Image) {
	p.ui.Draw(dst)
	p.paint(dst)
	p.redraw.Drawn()
}

func (s *page) sections() {
	w := s.p.window
	s.mark(mark{box: image.Rect(w.Min.X+24, w.Min.Y, w.Max.X, w.Min.Y+24), s: "Chronoscope", style: Large, c: Ink, title: true})
	for i := range SectionCount {
		s.section = i
		s.ctx.IDScope(sectionNames[i], func() { s.panel(i) })
	}
}

// titles head the sections; definitions are what their question marks unfold.
var titles = [SectionCount]string{"Time", "Brake", "Display", "World", "Lab", "Inspector"}

var definitions = [SectionCount]string{
	"The coordinator releases one tick after the other at the tick rate times the speed. " +
		"Nothing here is part of the world's result: it is the same at any rate.",
	"An active character that is more than the threshold behind the global tick holds the world: " +
		"no tick is released until it has caught up. One that sleeps never holds it.",
	"With VSync a frame waits for the display's next refresh; a frame cap lets at most so many go a second. " +
		"The refresh is measured as the median of the last 120 frame intervals with VSync. A virtual display " +
		"says itself when each frame is shown, so 60 and 120 Hz can be compared on any machine. " +
		"Ticks and frames don't depend on each other.",
	"Each character is a goroutine. In an active zone it runs every tick; elsewhere it sleeps " +
		"until its next activity, and is drawn where its leg puts it. Which zones are active changes " +
		"how closely it is simulated, never where it goes.",
	"Loops, pacers and ways to wait, run beside the world and compared in the dock's tab Lab. " +
		"The world doesn't notice, but for the processor's time that they take.",
	"What the selected character or zone is doing, as it publishes it. To look changes nothing; " +
		"the orders here are dated the next tick.",
}

// panel shows a section: its title, and its contents when it is unfolded.
func (s *page) panel(i Section) {
	p := s.p
	if s.heading(titles[i], p.open[i]) {
		p.open[i] = !p.open[i]
		p.redraw.Touch(settleUpdates)
	}
	if !p.open[i] {
		return
	}
	if p.help[i] {
		s.note(definitions[i])
	}
	switch i {
	case TimeSection:
		s.timeSection()
	case BrakeSection:
		s.brakeSection()
	case DisplaySection:
		s.displaySection()
	case WorldSection:
		s.worldSection()
	case LabSection:
		s.labSection()
	case InspectorSection:
		s.inspector()
	}
	s.gap()
}
