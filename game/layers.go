package game

import "chronoscope/overlay"

// layerNames are what the layers are called, in the order of their keys.
var layerNames = [overlay.LayerCount]string{"zones", "legs", "routes", "passages", "characters", "places", "laggards", "reach"}

// toggle shows a layer, or hides it.
func (g *Game) toggle(l overlay.Layer) {
	if l < overlay.LayerCount {
		g.layers[l] = !g.layers[l]
	}
}
