package overlay

import (
	"time"

	"chronoscope/loop"
	"chronoscope/loop/frametime"
)

// Recording is what was measured of frames and ticks, on one axis of time:
// stamps are monotonic nanoseconds since the window's origin. The window fills
// it; the dock draws it and changes nothing.
type Recording struct {
	// Frames are the last ones; the newest is complete.
	Frames *frametime.FrameRing
	// Releases are the last ticks, the oldest first.
	Releases []frametime.Release
	// Events are what happened, in order of At; a brake that lasts is the last
	// one of its kind.
	Events []Event

	Rate loop.Rate // of ticks, in force
	// Refresh is the display's period: stated, or else measured; 0 while unknown
	// and without VSync.
	Refresh  time.Duration
	Stated   loop.Rate     // what the system says, or the virtual display is; not valid: unknown
	Measured time.Duration // 0: not yet
	Kind     frametime.DisplayKind
	VSync    bool            // asked for
	Rules    frametime.Rules // Begin is where the present segment of statistics begins

	Now    int64 // the stamp of this frame's Layout
	Paused bool
	// Badges say where the platform doesn't keep a promise; each one a few words
	// with a longer explanation. Empty when nothing applies.
	Badges []Badge
	// Cost is what drawing the dock takes of the processor, in the mean of the
	// last second; 0 while unknown.
	Cost time.Duration
}

// Badge is a warning that applies now.
type Badge struct {
	Text string // "VSync not effective"
	Why  string // one sentence
}

// Event is something that happened at an instant, or lasted a while.
type Event struct {
	Kind EventKind
	At   int64
	End  int64  // At for an instant; 0 while it lasts
	Text string // "VSync off", "#1 234, 17 ticks behind"
}

// EventKind tells events apart.
type EventKind uint8

// The kinds of events.
const (
	SettingEvent EventKind = iota // a setting changed: a new segment
	CollectEvent                  // the garbage collector ended a cycle
	FaultEvent                    // a fault was begun by hand
	BrakeEvent                    // the world waited for a laggard
	PauseEvent                    // the user held the world
)

// Slot is a place for a capture of frame times, to be compared with others.
type Slot struct {
	// Capture is what is held; nil for an empty slot. It doesn't change any more.
	Capture *frametime.Capture
	// Filling says that a run is being captured into the slot, since Since.
	Filling bool
	Since   time.Time
	For     time.Duration // since then
	Frames  int           // captured so far
	// File is where it was loaded from or saved to; "" for neither.
	File string
}

// Slots are A to D.
type Slots [frametime.MaxSlots]Slot

// SlotName is "A" to "D".
func SlotName(i int) string { return string(rune('A' + i)) }

// CaptureOrder is what the user wants done with a slot.
type CaptureOrder struct {
	Kind CaptureKind
	Slot int    // 0 to MaxSlots-1
	Path string // of LoadCapture, and of SaveCapture and exports ("": a name is made up)
}

// CaptureKind is what an order asks for.
type CaptureKind uint8

// The orders.
const (
	NoCapture    CaptureKind = iota
	BeginCapture             // capture from now on, until EndCapture
	EndCapture               // hold what was captured
	HoldCapture              // hold what the graph shows, as far as its memory reaches
	ClearCapture
	SaveCapture      // in the lossless format
	LoadCapture      // of any known format
	ExportMangoHud   // CSV
	ExportPresentMon // CSV
	ExportTrace      // JSON for Perfetto
)
