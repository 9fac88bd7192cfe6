package game

import (
	"time"

	"chronoscope/coordinator"
	"chronoscope/loop"
	"chronoscope/overlay"
	"chronoscope/routes"
	"chronoscope/world"
)

// Mode is how a character is drawn.
type Mode uint8

// The modes, from the least to the most eye-catching.
const (
	Resting Mode = iota // asleep, staying somewhere
	Walking             // asleep, on the way
	Active              // awake, running every tick
	modeCount
)

// Dot is a character as the map shows it.
type Dot struct {
	X, Y   float32 // cells
	DX, DY float32 // heading, any length; only of an active one
	Spawn  uint64
	Lag    int32 // ticks behind; above 0 only for a laggard
	Mode   Mode
	// Detailed: it sleeps on a detailed schedule, since the budget of active
	// characters is spent.
	Detailed bool
}

// Moment is the instant a frame shows.
type Moment struct {
	Tick loop.Tick
	// Alpha is how far the world is on the way from Tick to the next one,
	// 0..1; it stands still while the world is paused or braking.
	Alpha   float64
	Paused  bool
	Braking bool
	// Lag is that of who is furthest behind, Laggards how many hold the world.
	Lag      loop.Tick
	Laggards int
}

// Zone is an active zone.
type Zone struct {
	Key    routes.ZoneKey
	Pinned bool
	Camera bool // active because of the camera
}

// Visitor is a point around which zones wake up.
type Visitor struct {
	X, Y   float64 // cells
	Radius float64 // cells
}

// Source is what the window needs of a running world. Everything it reads is
// published: a window never stops the world, and changes nothing by looking.
// All methods are called from the window's goroutine.
type Source interface {
	Map() *routes.Map
	ZoneSide() int32 // cells
	// Moment is the instant to draw at real time now.
	Moment(now time.Time) Moment
	// Dots appends who stands in the cells lo..hi (both included) at m.
	Dots(m Moment, lo, hi routes.Cell, dst []Dot) []Dot
	Zones(dst []Zone) []Zone
	Visitors(dst []Visitor) []Visitor
	// Values fills in the simulation's part of what the panels show.
	Values(v *overlay.Values)
	// Where finds one character.
	Where(m Moment, spawn uint64) (Dot, bool)

	// Character gives the details of one, Zone those of a zone with at most
	// limit rows; false when there is none. asked says that the character's
	// passages are wanted even if nobody has needed them yet.
	Character(spawn uint64, asked bool) (world.Detail, bool)
	Zone(z routes.ZoneKey, limit int) (world.ZoneDetail, bool)
	// Trace has notes kept of what happens to one character; 0: to nobody.
	Trace(spawn uint64)
	// Heat appends the numbers of registered legs of the zones between two,
	// both included, row by row.
	Heat(lo, hi routes.ZoneKey, dst []int32) []int32
	// Legs appends up to limit legs that touch the zones between two.
	Legs(lo, hi routes.ZoneKey, limit int, dst []*routes.Leg) []*routes.Leg

	// Frame is called at the start of each Draw; with driver frame it makes
	// ticks due. refresh is the display's estimated period, 0 if unknown.
	Frame(now time.Time, refresh time.Duration)

	// What the user asks for. Errors are for the user.
	SetPacing(coordinator.Pacing) error
	SetPaused(bool) error
	Step(n int) error
	SetTuning(world.Tuning) error
	SetAICost(time.Duration) error
	// SetCamera lets the camera, over the cells lo..hi, wake zones (on), or
	// not.
	SetCamera(on bool, lo, hi routes.Cell) error
	Order(overlay.Command) error

	// Done is closed when the world has ended by itself; Err says why, nil
	// when it simply reached its last tick.
	Done() <-chan struct{}
	Err() error
}
