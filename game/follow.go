package game

import "math"

// followEase is how fast the camera closes in on who is followed, per second.
const followEase = 6.0

// follower keeps the camera on somebody. The camera makes every move of the one
// it follows at once, and takes back what lies between them little by little: so
// it lags behind nobody, however fast the world runs.
type follower struct {
	on   bool
	x, y float64 // where the one followed was in the last frame
}

// step moves the camera for dt seconds of real time; (x, y) is where the one
// followed is.
func (f *follower) step(cam *Camera, x, y, dt float64) {
	if !f.on {
		f.on = true
		f.x, f.y = x, y
	}
	k := 1 - math.Exp(-max(dt, 0)*followEase)
	cam.Shift(x-f.x+(f.x-cam.X)*k, y-f.y+(f.y-cam.Y)*k)
	f.x, f.y = x, y
}

// stop leaves the camera where it is.
func (f *follower) stop() { f.on = false }
