package game

import (
	"image"
	"math"

	"chronoscope/overlay"
)

// barHeight is the height of the line above the map, in device-independent
// pixels.
const barHeight = 36

// regions is where everything is, in device pixels.
type regions struct {
	screen  image.Rectangle
	bar     image.Rectangle // the line above the map
	view    image.Rectangle // the map
	dock    image.Rectangle // empty when collapsed
	sidebar image.Rectangle // empty when collapsed
	scale   int             // of the panels
}

// arrange divides a screen of w by h device pixels.
func arrange(w, h int, device float64, sidebar, dock bool) regions {
	r := regions{screen: image.Rect(0, 0, w, h)}
	r.scale = max(1, int(math.Round(device)))
	rest := r.screen
	if sidebar {
		x := max(w-overlay.SidebarWidth*r.scale, 0)
		r.sidebar = image.Rect(x, 0, w, h)
		rest.Max.X = x
	}
	if dock {
		high := min(max(0.3*float64(h)/device, overlay.MinDockHeight), overlay.DockHeight)
		y := max(h-int(high*device), 0)
		r.dock = image.Rect(0, y, rest.Max.X, h)
		rest.Max.Y = y
	}
	y := min(int(barHeight*device), rest.Max.Y)
	r.bar = image.Rect(0, 0, rest.Max.X, y)
	r.view = image.Rect(0, y, rest.Max.X, rest.Max.Y)
	return r
}
