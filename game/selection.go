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

// zoneRows is how many legs of a selected zone are asked for.
const zoneRows = 400

// examine fills in the details of what is selected.
func (g *Game) examine(v *overlay.Values) {
	v.Selection, v.Follow, v.Rerouting, v.CameraWakes = g.selection, g.follow, g.rerouting, g.cameraWakes
	switch g.selection.Kind {
	case overlay.OneCharacter:
		d, ok := g.source.Character(g.selection.Spawn, true)
		if v.Gone = !ok; ok {
			v.Character = d
		}
	case overlay.OneZone:
		v.Zone, _ = g.source.Zone(g.selection.Zone, zoneRows)
	}
}
