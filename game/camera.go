package game

import (
	"image"
	"math"

	"chronoscope/routes"
)

// Zoom 1 shows a cell CellPixels wide, in device-independent pixels. The range
// is what the wheel and the keys can reach.
const (
	CellPixels = 16
	MinZoom    = 1.0 / 16
	MaxZoom    = 16.0
)

// zoomEase is how fast a zoom under way closes in on its goal, per second: it
// halves the rest in 40 ms, fast enough not to lag behind the wheel, slow
// enough that the eye can follow.
const zoomEase = 17.0

// Camera maps cells to device pixels. It is pure arithmetic: real time comes
// in through Advance. Its methods take and return device pixels of the window.
type Camera struct {
	// X and Y are the place, in cells, in the middle of the view.
	X, Y float64
	// Scale is device pixels per cell.
	Scale float64

	view   image.Rectangle
	device float64 // device pixels in a device-independent one

	// A zoom under way: the scale it goes to, and the point of the view and
	// of the map that stay together on the way.
	goal           float64
	holdX, holdY   float64
	holdMX, holdMY float64
	zooming        bool

	mapW, mapH float64
	// Gliding by keys: the speed asked for and the one reached, in
	// device-independent pixels per second.
	askX, askY     float64
	speedX, speedY float64
}

// NewCamera looks at the middle of a map of w by h cells.
func NewCamera(w, h int32) *Camera {
	return &Camera{
		X: float64(w) / 2, Y: float64(h) / 2, Scale: CellPixels, goal: CellPixels, device: 1,
		mapW: float64(w), mapH: float64(h),
	}
}

// SetView says where on the screen the map is drawn and how many device pixels
// a device-independent one has. The place in the middle stays there.
func (c *Camera) SetView(r image.Rectangle, device float64) {
	if device > 0 && device != c.device {
		c.Scale *= device / c.device
		c.goal *= device / c.device
		c.device = device
		c.zooming = false
	}
	if r != c.view {
		c.view = r
		c.zooming = false
		c.Scale = c.limit(c.Scale)
	}
}

// View is where the map is drawn.
func (c *Camera) View() image.Rectangle { return c.view }

// Zoom is the scale relative to CellPixels per cell.
func (c *Camera) Zoom() float64 { return c.Scale / (CellPixels * c.device) }

func (c *Camera) limit(scale float64) float64 {
	return min(max(scale, MinZoom*CellPixels*c.device), MaxZoom*CellPixels*c.device)
}

func (c *Camera) middle() (x, y float64) {
	return float64(c.view.Min.X+c.view.Max.X) / 2, float64(c.view.Min.Y+c.view.Max.Y) / 2
}

// ToScreen is where a place of the map is drawn.
func (c *Camera) ToScreen(x, y float64) (sx, sy float64) {
	mx, my := c.middle()
	return mx + (x-c.X)*c.Scale, my + (y-c.Y)*c.Scale
}

// ToMap is the place, in cells, drawn at a point of the screen.
func (c *Camera) ToMap(sx, sy float64) (x, y float64) {
	mx, my := c.middle()
	return c.X + (sx-mx)/c.Scale, c.Y + (sy-my)/c.Scale
}

// Visible are the cells that touch the view: lo and hi both belong to it. They
// may lie outside the map.
func (c *Camera) Visible() (lo, hi routes.Cell) {
	x0, y0 := c.ToMap(float64(c.view.Min.X), float64(c.view.Min.Y))
	x1, y1 := c.ToMap(float64(c.view.Max.X), float64(c.view.Max.Y))
	return routes.Cell{X: int32(math.Floor(x0)), Y: int32(math.Floor(y0))},
		routes.Cell{X: int32(math.Floor(x1)), Y: int32(math.Floor(y1))}
}

// Pan moves the map by dx, dy device pixels, as a drag does.
func (c *Camera) Pan(dx, dy float64) {
	c.X -= dx / c.Scale
	c.Y -= dy / c.Scale
	c.zooming = false
	c.goal = c.Scale
	c.contain()
}

// contain keeps the middle of the view on the map, so that it can't be lost.
func (c *Camera) contain() {
	c.X = min(max(c.X, 0), c.mapW)
	c.Y = min(max(c.Y, 0), c.mapH)
}

// ZoomBy starts to zoom by factor; what is drawn at (sx, sy) stays there. Calls
// before it has got there add up.
func (c *Camera) ZoomBy(factor, sx, sy float64) {
	if !c.zooming {
		c.goal = c.Scale
	}
	c.goal = c.limit(c.goal * factor)
	c.holdX, c.holdY = sx, sy
	c.holdMX, c.holdMY = c.ToMap(sx, sy)
	c.zooming = true
}

// Fit shows the whole map at once, with a margin, as far as the range of zoom
// allows.
func (c *Camera) Fit() {
	c.X, c.Y = c.mapW/2, c.mapH/2
	c.zooming = false
	if c.view.Empty() {
		return
	}
	s := min(float64(c.view.Dx())/c.mapW, float64(c.view.Dy())/c.mapH) * 0.96
	c.Scale = c.limit(s)
	c.goal = c.Scale
}

// GoTo looks at a place, close enough to see who stands there.
func (c *Camera) GoTo(x, y float64) {
	c.X, c.Y = x, y
	c.zooming = false
	c.Scale = c.limit(max(c.Scale, CellPixels*c.device))
	c.goal = c.Scale
	c.contain()
}

// Center looks at a place, at the scale there is.
func (c *Camera) Center(x, y float64) {
	c.X, c.Y = x, y
	c.zooming = false
	c.goal = c.Scale
	c.contain()
}

// Shift moves the view by dx, dy cells; a zoom under way goes on.
func (c *Camera) Shift(dx, dy float64) {
	c.X, c.Y = c.X+dx, c.Y+dy
	c.holdMX, c.holdMY = c.holdMX+dx, c.holdMY+dy
	c.contain()
}

// Open is the first view: the whole map, unless characters would be too small
// to be told apart: then as much of its middle as leaves them openCell wide.
func (c *Camera) Open() {
	c.Fit()
	if least := openCell * c.device; c.Scale < least {
		c.Scale = c.limit(least)
		c.goal = c.Scale
	}
}

// openCell is the least width of a cell in the first view, in device-independent
// pixels.
const openCell = 5.5

// Glide sets the speed at which keys move the view, in device-independent
// pixels per second.
func (c *Camera) Glide(vx, vy float64) { c.askX, c.askY = vx, vy }

// Advance carries zooming and gliding on by dt seconds of real time.
func (c *Camera) Advance(dt float64) {
	dt = min(max(dt, 0), 0.25) // a suspended program must not jump across the map
	// The speed follows the keys within some 60 ms: no jerk at start and end.
	k := 1 - math.Exp(-dt*zoomEase)
	c.speedX += (c.askX - c.speedX) * k
	c.speedY += (c.askY - c.speedY) * k
	if c.askX == 0 && c.askY == 0 && math.Hypot(c.speedX, c.speedY) < 4 {
		c.speedX, c.speedY = 0, 0
	}
	if c.speedX != 0 || c.speedY != 0 {
		c.X += c.speedX * c.device * dt / c.Scale
		c.Y += c.speedY * c.device * dt / c.Scale
		c.holdMX += c.speedX * c.device * dt / c.Scale
		c.holdMY += c.speedY * c.device * dt / c.Scale
		c.contain()
	}
	if !c.zooming {
		return
	}
	ratio := c.goal / c.Scale
	if math.Abs(math.Log(ratio)) < 0.002 {
		c.Scale = c.goal
		c.zooming = false
	} else {
		c.Scale *= math.Pow(ratio, k)
	}
	mx, my := c.middle()
	c.X = c.holdMX - (c.holdX-mx)/c.Scale
	c.Y = c.holdMY - (c.holdY-my)/c.Scale
	c.contain()
}
