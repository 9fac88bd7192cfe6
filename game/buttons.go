package game

import (
	"image"
	"slices"

	"chronoscope/overlay"

	"github.com/hajimehoshi/ebiten/v2"
)

// action is what a button does; most have a key as well.
type action uint8

const (
	showBrake action = iota
	togglePanels
	toggleDock
	toggleLegend
	toggleHelp
	openCommand
)

// button is a place to click in the frame that was drawn last.
type button struct {
	box   image.Rectangle
	label string
	act   action
	on    bool // what it toggles is shown
	lit   bool // the pointer is over it
}

func (g *Game) press(a action) {
	switch a {
	case showBrake:
		by := g.hud.brakeBy
		g.apply(overlay.Intents{
			GoTo: by, HasGoTo: true,
			Select: overlay.Selection{Kind: overlay.OneCharacter, Spawn: by}, HasSelect: true,
		}, g.now())
	case togglePanels:
		g.showSidebar = !g.showSidebar
	case toggleDock:
		g.showDock = !g.showDock
	case toggleLegend:
		g.showLegend = !g.showLegend
	case toggleHelp:
		g.showHelp = !g.showHelp
	case openCommand:
		g.openPalette("")
	}
}

// drawButtons draws the small buttons in the lower right corner of the view:
// what the keys show and hide, for the mouse. A lit mark says what is shown.
func (g *Game) drawButtons(screen *ebiten.Image) {
	u := g.device
	last := append(g.lastButtons[:0], g.buttons...)
	g.lastButtons = last
	g.buttons = g.buttons[:0]
	if !g.hud.badgeBox.Empty() && g.hud.hasBrake {
		g.buttons = append(g.buttons, button{box: g.hud.badgeBox, act: showBrake})
	}
	var all image.Rectangle
	right, bottom := float64(g.at.view.Max.X)-10*u, float64(g.at.view.Max.Y)-10*u
	for _, b := range [...]button{
		{label: "F1 keys", act: toggleHelp, on: g.showHelp},
		{label: "/ command", act: openCommand, on: g.palette.open},
		{label: "Tab panels", act: togglePanels, on: g.showSidebar},
		{label: "H dock", act: toggleDock, on: g.showDock},
		{label: "L legend", act: toggleLegend, on: g.showLegend},
	} {
		w, h := g.let.Width(b.label, overlay.Body)+12*u, 24*u
		b.box = image.Rect(int(right-w), int(bottom-h), int(right), int(bottom))
		if b.box.Overlaps(g.legendBox) {
			break // no room: the keys still do it
		}
		right -= w + 4*u
		b.lit = g.pointer.seen.In(b.box)
		all = all.Union(b.box)
		g.buttons = append(g.buttons, b)
	}
	if !slices.Equal(g.buttons, last) {
		g.renderButtons(all)
	}
	g.buttonPlate.draw(screen, ebiten.BlendSourceOver, g.mesh.Count)
}

// renderButtons draws the buttons within box onto their plate.
func (g *Game) renderButtons(box image.Rectangle) {
	dst := g.buttonPlate.anew(box)
	if dst == nil {
		return
	}
	g.mesh.Reset()
	for _, b := range g.buttons {
		if b.label == "" {
			continue // the badge: the bar draws it
		}
		c := overlay.Alpha(overlay.Surface, 0.88)
		if b.lit {
			c = overlay.Line
		}
		fill(&g.mesh, b.box, c)
		if b.on {
			mark := b.box
			mark.Min.Y = mark.Max.Y - int(max(2*g.device, 1))
			fill(&g.mesh, mark, overlay.Signal)
		}
	}
	g.mesh.Draw(dst, g.white)
	for _, b := range g.buttons {
		if b.label != "" {
			mid := b.box.Min.Add(b.box.Max).Div(2)
			g.let.DrawCentered(dst, b.label, float64(mid.X), float64(mid.Y), overlay.Body, overlay.Ink)
		}
	}
}
