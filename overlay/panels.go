package overlay

import (
	"image"

	"github.com/ebitengine/debugui"
	"github.com/hajimehoshi/ebiten/v2"
)

// SidebarWidth is the width of the panels in device-independent pixels.
const SidebarWidth = 340

// The ranges of the controls. What is typed or dragged outside is refused or
// clamped before it becomes an intent.
const (
	MinRate, MaxRate           = 1, 240  // ticks per second
	MinThreshold, MaxThreshold = 1, 1000 // ticks
)

// sections are the panels, in order.
const (
	timeSection = iota
	brakeSection
	displaySection
	worldSection
	sectionCount
)

// Panels is the sidebar.
//
// debugui windows can be dragged and resized by their user and know nothing of
// the window around them. The sidebar has a fixed place, so each Update
// compares where the window is with where it belongs, and moves it back by
// showing it under its other name: a new debugui window starts at the bounds
// it is given. What such a change would lose (which sections are open, how far
// it is scrolled) is kept here.
type Panels struct {
	ui     debugui.DebugUI
	second bool // which of the two names is in use
	scroll image.Point

	// initial is whether a section was open when the current debugui window
	// came into being, open whether it is now.
	initial, open [sectionCount]bool
	help          [sectionCount]bool
	ready         bool

	rate      rateControl
	threshold int
	captured  debugui.InputCapturingState

	redraw Redraw
	place  image.Rectangle // where they were in the last Update
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

// Capturing says whether the pointer is over the sidebar or one of its widgets
// has the keyboard, as of the last Update: then the map must not react.
func (p *Panels) Capturing() (pointer, keyboard bool) {
	return p.captured&debugui.InputCapturingStateHover != 0, p.captured&debugui.InputCapturingStateFocus != 0
}

// RateSlider is where the tick-rate slider was drawn, in device pixels; empty
// while it isn't shown.
func (p *Panels) RateSlider() image.Rectangle { return p.rate.bounds }

// Update runs the panels for one frame. r is where the sidebar belongs, in
// device pixels; scale is the whole-numbered scale of the widgets; an empty r
// hides them. It must be called exactly once in each of Ebitengine's Updates.
func (p *Panels) Update(v *Values, r image.Rectangle, scale int) (Intents, error) {
	if !p.ready {
		p.ready = true
		p.open = [sectionCount]bool{true, true, true, true}
		p.initial = p.open
	}
	var in Intents
	p.rate.bounds = image.Rectangle{}
	state, err := p.ui.Update(func(ctx *debugui.Context) error {
		ctx.SetScale(scale)
		if r.Empty() {
			return nil
		}
		home := image.Rect(r.Min.X/scale, r.Min.Y/scale, r.Max.X/scale, r.Max.Y/scale)
		shown := false
		show := func(l debugui.ContainerLayout) {
			shown = true
			if l.Bounds != home {
				p.second = !p.second
				p.scroll = l.ScrollOffset
				p.initial = p.open
			} else if p.scroll != (image.Point{}) {
				ctx.SetScroll(p.scroll)
				p.scroll = image.Point{}
			}
			p.sections(ctx, v, &in, scale)
		}
		// Two calls, because a debugui window is known by where it is called.
		if p.second {
			ctx.Window("Chronoscope", home, show)
		} else {
			ctx.Window("Chronoscope", home, show)
		}
		if !shown {
			// Its own collapse button was clicked: the map gets the room.
			in.Collapse = true
			p.second = !p.second
			p.initial = p.open
		}
		return nil
	})
	if state != 0 || p.captured != 0 {
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

// Draw draws the sidebar over dst.
func (p *Panels) Draw(dst *ebiten.Image) {
	p.ui.Draw(dst)
	p.redraw.Drawn()
}

func (p *Panels) sections(ctx *debugui.Context, v *Values, in *Intents, scale int) {
	open := [sectionCount]bool{}
	ctx.Header("Time", p.initial[timeSection], func() {
		open[timeSection] = true
		p.timePanel(ctx, v, in, scale)
	})
	ctx.Header("Brake", p.initial[brakeSection], func() {
		open[brakeSection] = true
		p.brakePanel(ctx, v, in)
	})
	ctx.Header("Display", p.initial[displaySection], func() {
		open[displaySection] = true
		p.displayPanel(ctx, v, in)
	})
	ctx.Header("World", p.initial[worldSection], func() {
		open[worldSection] = true
		p.worldPanel(ctx, v)
	})
	p.open = open
}

// caption is the first line of a section: a word on what it is about, and a
// button that unfolds its definition.
func (p *Panels) caption(ctx *debugui.Context, section int, line, definition string) {
	ctx.SetGridLayout([]int{-1, 24}, nil)
	ctx.Text(line)
	ctx.IDScope(line, func() {
		ctx.Button("?").On(func() { p.help[section] = !p.help[section] })
	})
	if p.help[section] {
		ctx.SetGridLayout([]int{-1}, nil)
		ctx.Text(definition)
	}
}

// row is a line of a name and a value.
func row(ctx *debugui.Context, name, value string) {
	ctx.Text(name)
	ctx.Text(value)
}

// rows starts lines of a name and a value.
func rows(ctx *debugui.Context) { ctx.SetGridLayout([]int{118, -1}, nil) }
