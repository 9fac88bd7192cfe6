package game

import (
	"chronoscope/overlay"
)

// choose selects something, or nothing.
func (g *Game) choose(s overlay.Selection) {
	if s == g.selection {
		return
	}
	g.selection, g.follow, g.rerouting = s, false, false
	var spawn uint64
	if s.Kind == overlay.OneCharacter {
		spawn = s.Spawn
	}
	g.source.Trace(spawn)
}

// open asks for a new world.
func (g *Game) open(s overlay.Setup) {}
