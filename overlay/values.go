package overlay

import (
	"time"

	"chronoscope/loop"
)

// Values is what the panels show. The window fills it five times a second from
// what the simulation publishes.
type Values struct {
	// Time.
	Tick      loop.Tick
	Rate      loop.Rate // nominal ticks per second at time scale 1
	Actual    float64   // measured ticks per second; 0 while unknown
	TimeScale float64
	Paused    bool

	// Brake.
	LagThreshold int // ticks
	Braking      bool
	BrakeShare   float64 // of the running time, 0..1
	Episodes     uint64
	Laggards     []LaggardRow // the furthest behind first
	LaggardCount int          // all of them; Laggards may hold fewer

	// Display.
	VSync   bool          // as asked for
	FPS     float64       // over the last 10 s; 0 while unknown
	Refresh time.Duration // estimated; 0 while unknown
	Width   int           // of the window, device pixels
	Height  int
	Scale   float64 // device pixels in a device-independent one

	// World.
	Characters Characters
	Zones      int // active
	Pinned     int // of them by hand or by scenario
	Legs       uint64
	Seed       uint64
	Map        string
	MapWidth   int32 // cells
	MapHeight  int32
	ZoneSide   int32 // cells
}

// Characters counts characters by mode.
type Characters struct{ Active, Sleeping, Waking, Ended int }

// Living is how many haven't ended.
func (c Characters) Living() int { return c.Active + c.Sleeping + c.Waking }

// LaggardRow is one participant that is too far behind.
type LaggardRow struct {
	Name  string // "#1234", or what the participant is
	Spawn uint64
	// Placed says that it is a character, which has a place to go to.
	Placed bool
	Lag    loop.Tick
	For    time.Duration
}

// Intents is what the user asked for in one frame. The zero value asks for
// nothing; each field has a value that means so.
type Intents struct {
	Rate         loop.Rate // not valid: leave it
	TimeScale    float64   // 0: leave it
	LagThreshold int       // 0: leave it
	TogglePause  bool
	Step         int // ticks to run while paused
	ToggleVSync  bool
	Collapse     bool // hide the sidebar
	GoTo         uint64
	HasGoTo      bool // GoTo names a character to show
}

// TimeScales are the steps of the time scale on keys and buttons.
var TimeScales = [...]float64{0.1, 0.25, 0.5, 1, 2, 4, 8, 16}

// NextScale is the step above f (dir > 0) or below it (dir < 0); at either end
// it stays there.
func NextScale(f float64, dir int) float64 {
	if dir > 0 {
		for _, s := range TimeScales {
			if s > f*1.0001 {
				return s
			}
		}
		return TimeScales[len(TimeScales)-1]
	}
	for i := len(TimeScales) - 1; i >= 0; i-- {
		if TimeScales[i] < f*0.9999 {
			return TimeScales[i]
		}
	}
	return TimeScales[0]
}
