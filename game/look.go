package game

import (
	"time"

	"chronoscope/coordinator"
	"chronoscope/overlay"

	"github.com/hajimehoshi/ebiten/v2"
)

// Look is what a window looks like, as far as it is remembered from one start
// to the next.
type Look struct {
	// Width and Height are in device-independent pixels, of the window when it
	// isn't fullscreen.
	Width, Height int
	Fullscreen    bool
	VSync         bool
	Sidebar       bool
	Dock          bool
	Legend        bool
	Minimap       bool
	Welcome       bool // the card of a first start is to be shown
	Tab           overlay.Tab
	Layers        overlay.Layers
	Sections      overlay.Sections // of the panels, that are unfolded
}

// DefaultLook is that of a first start.
func DefaultLook() Look {
	return Look{
		Width: DefaultWidth, Height: DefaultHeight, VSync: true,
		Sidebar: true, Dock: true, Legend: true, Minimap: true, Welcome: true, Layers: overlay.DefaultLayers(),
		Sections: overlay.DefaultSections(),
	}
}

// look is the window's present look.
func (g *Game) look() Look {
	l := Look{
		Width: g.o.Look.Width, Height: g.o.Look.Height, Fullscreen: ebiten.IsFullscreen(), VSync: g.vsync.want,
		Sidebar: g.showSidebar, Dock: g.showDock, Legend: g.showLegend,
		Minimap: g.showMinimap, Welcome: g.showWelcome, Tab: g.dock.Tab, Layers: g.layers,
		Sections: g.panels.Open(),
	}
	if !l.Fullscreen {
		if w, h := ebiten.WindowSize(); w >= MinWidth && h >= MinHeight {
			l.Width, l.Height = w, h
		}
	}
	return l
}

// wear puts a look on, but for what belongs to the window itself.
func (g *Game) wear(l Look) {
	g.vsync = vsync{want: l.VSync, is: l.VSync}
	g.showSidebar, g.showDock, g.showLegend, g.layers = l.Sidebar, l.Dock, l.Legend, l.Layers
	g.showMinimap, g.showWelcome = l.Minimap, l.Welcome
	g.dock.Choose(l.Tab)
	g.panels.SetOpen(l.Sections)
}

// rememberEvery is how long what has changed may go unremembered: a crash
// loses that much, and a slider that is dragged writes no more often.
const rememberEvery = 2 * time.Second

// memory hands what has changed to Options.Remember.
type memory struct {
	look Look
	pace coordinator.Pacing
	at   time.Time
	set  bool
}

// remember looks whether there is something new to remember; at once says that
// it may not wait.
func (g *Game) remember(now time.Time, atOnce bool) {
	if g.o.Remember == nil || !atOnce && now.Sub(g.memory.at) < rememberEvery {
		return
	}
	m := memory{g.look(), g.values.Pacing, now, true}
	changed := g.memory.set && (m.look != g.memory.look || m.pace != g.memory.pace)
	g.memory = m
	if !changed {
		return
	}
	if err := g.o.Remember(m.look, m.pace); err != nil {
		g.hud.say(err.Error(), now)
	}
}
