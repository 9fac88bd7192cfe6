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

// arrange divides a screen of w by h device pixels. dock is the dock's height in
// device-independent pixels, 0 when it is collapsed.
func arrange(w, h int, device float64, sidebar bool, dock float64) regions {
	r := regions{screen: image.Rect(0, 0, w, h)}
	r.scale = max(1, int(math.Round(device)))
	rest := r.screen
	if sidebar {
		x := max(w-overlay.SidebarWidth*r.scale, 0)
		r.sidebar = image.Rect(x, 0, w, h)
		rest.Max.X = x
	}
	if dock > 0 {
		y := max(h-int(dock*device), 0)
		r.dock = image.Rect(0, y, rest.Max.X, h)
		rest.Max.Y = y
	}
	y := min(int(barHeight*device), rest.Max.Y)
	r.bar = image.Rect(0, 0, rest.Max.X, y)
	r.view = image.Rect(0, y, rest.Max.X, rest.Max.Y)
	return r
}
