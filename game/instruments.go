package game

import (
	"image"
	"time"

	"chronoscope/overlay"

	"github.com/hajimehoshi/ebiten/v2"
	"github.com/hajimehoshi/ebiten/v2/inpututil"
)

// instant is the frame's instant as the dock takes it.
func (g *Game) instant(now time.Time) overlay.Instant {
	return overlay.Instant{
		Tick: g.moment.Tick, Alpha: g.moment.Alpha, Rate: g.values.Pacing.TickRate, Now: now, Paused: g.moment.Paused,
	}
}

func (g *Game) drawDock(screen *ebiten.Image, now time.Time, stays bool) {
	begun := time.Now()
	g.dock.Point(g.pointer.seen)
	g.dock.Draw(screen, g.white, g.let, g.at.dock, g.instant(now), stays)
	if took := time.Since(begun); g.rec.Cost == 0 {
		g.rec.Cost = took
	} else {
		g.rec.Cost += (took - g.rec.Cost) / 32
	}
}

// instruments gives the mouse to what lies over the map or below it: the list of
// commands, the dock, the card of a first start. true when it was theirs.
func (g *Game) instruments(in *overlay.Intents, at image.Point, overPanels bool) bool {
	_, wheel := ebiten.Wheel()
	click := inpututil.IsMouseButtonJustPressed(ebiten.MouseButtonLeft)
	if !click && wheel == 0 || overPanels {
		return false
	}
	if click {
		g.showWelcome = false
	}
	if g.palette.open {
		switch {
		case click && !g.clickPalette(in, at):
			g.palette.close()
			return at.In(g.at.view) // a click beside it only closes it
		case wheel > 0:
			g.palette.choose(-1)
		case wheel < 0:
			g.palette.choose(+1)
		}
		return true
	}
	if !at.In(g.at.dock) {
		return false
	}
	if click {
		if s, ok := g.dock.Click(at); ok {
			in.Select, in.HasSelect = s, true
		}
	}
	g.dock.Wheel(wheel, ebiten.IsKeyPressed(ebiten.KeyControl))
	return true
}

// instrumentKeys reads the keys of the dock and of the command line; true when
// the keyboard is the command line's.
func (g *Game) instrumentKeys(in *overlay.Intents, now time.Time) bool {
	pressed := inpututil.IsKeyJustPressed
	// In a slow frame it is let go before it is looked at.
	control := ebiten.IsKeyPressed(ebiten.KeyControl) || pressed(ebiten.KeyControl) || inpututil.IsKeyJustReleased(ebiten.KeyControl)
	if g.showWelcome && len(inpututil.AppendJustPressedKeys(nil)) > 0 {
		g.showWelcome = false
	}
	if g.palette.open {
		g.paletteKeys(in, now)
		return true
	}
	if control && pressed(ebiten.KeyK) {
		g.openPalette("")
		return true
	}
	if pressed(ebiten.KeyJ) {
		if g.showDock {
			g.dock.Cycle()
		}
		g.showDock = true
	}
	return false
}

// instrumentChar is what a typed character does; true when it was taken.
func (g *Game) instrumentChar(c rune) bool {
	switch {
	case g.palette.open:
		g.palette.insert(c)
	case c == '/':
		g.openPalette("")
	case c == 'g', c == 'G':
		g.openPalette("go ")
	default:
		return false
	}
	return true
}
