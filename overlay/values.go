package overlay

import (
	"time"

	"chronoscope/coordinator"
	"chronoscope/loop"
	"chronoscope/routes"
	"chronoscope/world"
)

// Values is what the instruments show. The window fills it five times a second
// from what the simulation publishes.
type Values struct {
	// Time.
	Tick         loop.Tick
	Actual       float64 // measured ticks per second; 0 while unknown
	Speed        float64 // effective: game time over the nominal; 0 while unknown
	Paused       bool
	Pacing       coordinator.Pacing // in force
	Checks       coordinator.CheckStats
	ReleaseError coordinator.Quantiles
	Dropped      uint64  // ticks that were due and never released
	Stretch      float64 // of a tick under policy SlowDown; 1: none

	// Brake.
	Braking      bool
	BrakeShare   float64 // of the running time, 0..1
	BrakeTotal   time.Duration
	BrakeLongest time.Duration
	Episodes     uint64
	Last         []EpisodeRow          // the last ones, newest first
	Laggards     []LaggardRow          // the longest first
	LaggardCount int                   // all of them; Laggards may hold fewer
	Recent       []coordinator.Release // the last releases, oldest first

	// Display.
	VSync      bool // as asked for
	Fullscreen bool
	FPS        float64       // over the last 10 s; 0 while unknown
	Refresh    time.Duration // estimated; 0 while unknown, as without VSync
	Width      int           // of the window, device pixels
	Height     int
	Scale      float64       // device pixels in a device-independent one
	Calls      int           // draw calls of the last frame
	Vertices   int           // in them
	DrawTime   time.Duration // of the processor, for the last frame

	// Recording of frames and ticks, and what was captured of them.
	Recording *Recording
	Slots     Slots
	// FrameCap is the most frames a second; 0: off. Display names the virtual
	// display that the window runs on, "real" for none.
	FrameCap int
	Display  string
	Displays []string // that can be chosen, "real" first

	Lab LabValues

	// World.
	Characters  Characters
	Zones       int // active
	Pinned      int // of them by hand or by scenario
	CameraWakes bool
	Legs        uint64
	Stalls      uint64
	Refinements uint64
	RefineP99   time.Duration
	Map         string
	MapWidth    int32 // cells
	MapHeight   int32
	Tuning      world.Tuning
	AICost      time.Duration // what Tuning.AIWork comes to
	// Setup is what the world was made of. Opening says that another one is
	// being made, Refused why the last one wasn't.
	Setup     Setup
	Scenarios []Setup // that can be chosen from, with their own numbers
	Opening   bool
	Refused   string

	// Selection, with the details of what is selected.
	Selection Selection
	Character world.Detail
	Zone      world.ZoneDetail
	Gone      bool // the selected character has ended
	Follow    bool
	Rerouting bool // the next click on the map says where to
}

// Characters counts characters by mode. Detailed ones are among the sleeping.
type Characters struct{ Active, Sleeping, Waking, Ended, Detailed int }

// Living is how many haven't ended.
func (c Characters) Living() int { return c.Active + c.Sleeping + c.Waking }

// LaggardRow is one participant that is too far behind.
type LaggardRow struct {
	Name  string // "#1 234", or what the participant is
	Spawn uint64
	// Placed says that it is a character, which has a place to go to.
	Placed bool
	Lag    loop.Tick
	For    time.Duration
}

// EpisodeRow is one brake that is over.
type EpisodeRow struct {
	Tick     loop.Tick // that was held
	Ago      time.Duration
	Length   time.Duration
	Cause    LaggardRow // the first laggard
	Laggards int        // the most at once
}

// Setup is what a world is made of. It takes a new world to change it.
type Setup struct {
	Scenario string
	Map      string
	Seed     uint64
	NPCs     int
	ZoneSide int32 // cells
}

// Selection is what the user has selected.
type Selection struct {
	Kind  SelectionKind
	Spawn uint64         // of a character
	Zone  routes.ZoneKey // of a zone
}

// SelectionKind is the kind of what is selected.
type SelectionKind uint8

// The kinds of selections.
const (
	Nothing SelectionKind = iota
	OneCharacter
	OneZone
)

// Layer is something that the map shows or not.
type Layer uint8

// The layers, in the order of their keys 1 to 8.
const (
	ZoneLayer      Layer = iota // the grid, active zones tinted
	HeatLayer                   // registered legs of each zone
	RouteLayer                  // routes
	PassageLayer                // of the selection: when it is in which zone
	CharacterLayer              // characters
	PlaceLayer                  // names of places and districts
	LaggardLayer                // rings around laggards
	ReachLayer                  // how far active characters perceive
	LayerCount
)

// Layers says which layers are shown.
type Layers [LayerCount]bool

// DefaultLayers are those of a first start.
func DefaultLayers() Layers {
	return Layers{ZoneLayer: true, RouteLayer: true, PassageLayer: true, CharacterLayer: true, PlaceLayer: true, LaggardLayer: true}
}

// Command is an order to the world, dated when it is given.
type Command struct {
	Kind  CommandKind
	Spawn uint64         // the character it is for
	Zone  routes.ZoneKey // the zone it is for
	On    bool           // of PinZone
	For   time.Duration  // of Stall
	Ticks loop.Tick      // of Hold
	To    routes.Cell    // of Reroute
	N     int            // of SpawnMore and RemoveLast
}

// CommandKind is what a command asks for.
type CommandKind uint8

// The commands.
const (
	NoCommand CommandKind = iota
	Stall
	Hold
	Reroute
	Cancel
	End
	SpawnMore
	RemoveLast
	PinZone
)

// Intents is what the user asked for in one frame. The zero value asks for
// nothing.
type Intents struct {
	Pacing    coordinator.Pacing
	HasPacing bool // Pacing is wanted, whole

	TogglePause      bool
	Step             int // ticks to run while paused
	ToggleVSync      bool
	ToggleFullscreen bool
	Collapse         bool // hide the sidebar

	FrameCap    int
	HasFrameCap bool
	Display     string
	HasDisplay  bool
	Capture     CaptureOrder
	Lab         LabOrder

	Select    Selection
	HasSelect bool
	GoTo      uint64
	HasGoTo   bool // GoTo names a character to show
	// ToggleFollow: the camera follows the selected character, or stops to.
	ToggleFollow bool
	// ArmReroute: the next click on the map says where the selected character
	// is to go; a second time it disarms.
	ArmReroute bool

	Command Command

	Tuning       world.Tuning // AIWork is not looked at: see AICost
	HasTuning    bool
	AICost       time.Duration
	HasAICost    bool
	ToggleCamera bool // whether the camera wakes zones
	Setup        Setup
	HasSetup     bool // a new world is wanted
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

// Pace is the pacing to ask for: it starts from the one in force, or from what
// was asked for already in this frame.
func (in *Intents) Pace(v *Values) *coordinator.Pacing {
	if !in.HasPacing {
		in.Pacing, in.HasPacing = v.Pacing, true
	}
	return &in.Pacing
}
