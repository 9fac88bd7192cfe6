package game

import (
	"cmp"

	"chronoscope/loop/frametime"
	"chronoscope/overlay"

	"github.com/hajimehoshi/ebiten/v2"
)

// World is a running world, made for the window.
type World struct {
	Source Source
	Title  string // of the window
	// Track is told of releases and digests; nil: captures have none.
	Track *Track
	// About says what decides the world's result, for captures: seed, scenario,
	// map and parameters.
	About frametime.Meta
	// Stop ends it; called once, on a goroutine of its own when another world
	// takes its place.
	Stop func()
}

// opening is a world that is being made.
type opening struct {
	done chan opened // nil while none is being made
}

type opened struct {
	world World
	err   error
}

// open has another world made; the window goes on showing the present one
// meanwhile.
func (g *Game) open(s overlay.Setup) {
	if g.o.Open == nil || g.opening.done != nil {
		return
	}
	done := make(chan opened, 1)
	g.opening.done = done
	g.values.Opening, g.values.Refused = true, ""
	pace := g.values.Pacing
	go func() {
		w, err := g.o.Open(s, pace)
		done <- opened{w, err}
	}()
}

// arrive shows the world that was asked for, when it is ready.
func (g *Game) arrive() {
	select {
	case o := <-g.opening.done:
		g.opening.done = nil
		g.values.Opening = false
		if o.err != nil {
			g.values.Refused = o.err.Error()
			g.hud.say(o.err.Error(), g.now())
			return
		}
		g.endCaptures()
		g.stops.Go(g.world.Stop)
		g.world = o.world
		ebiten.SetWindowTitle(g.title())
		g.show()
	default:
	}
}

// settleWorlds waits for a world that is being made, so that no goroutine of
// it outlives the window, and ends the one that is shown.
func (g *Game) settleWorlds() {
	if g.opening.done != nil {
		if o := <-g.opening.done; o.err == nil {
			g.stops.Go(o.world.Stop)
		}
		g.opening.done = nil
	}
	g.stops.Go(g.world.Stop)
	g.stops.Wait()
}

func (g *Game) title() string { return cmp.Or(g.world.Title, "Chronoscope") }

// show starts to show g.world.
func (g *Game) show() {
	g.source = g.world.Source
	g.rec.follow(g.world.Track)
	g.orders, g.worldSince = 0, g.rec.stamp(g.now())
	m := g.source.Map()
	g.cam = NewCamera(m.Width, m.Height)
	g.ground = newGround(m)
	g.crowd = newCrowd(m, g.source.ZoneSide())
	g.census = newCensus(m, g.source.ZoneSide())
	g.zones = newZoneLayer(g.source.ZoneSide())
	g.names = newNames(m)
	g.minimap.blank()
	g.flow, g.selected, g.follower, g.waking, g.hint = flow{}, selected{}, follower{}, waking{}, hint{}
	g.selection, g.follow, g.rerouting, g.lastTick = overlay.Selection{}, false, false, 0
	g.rate.reset()
	g.retained = retained{}
	g.fitted = false
	if !g.at.view.Empty() {
		g.cam.SetView(g.at.view, g.device)
		g.cam.Open()
		g.fitted = true
	}
	// The panels run before the next Draw, and a control would take what it
	// doesn't know for its lowest value.
	g.source.Values(&g.values)
}
