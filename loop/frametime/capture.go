package frametime

import (
	"fmt"
	"slices"
	"time"

	"chronoscope/loop"
)

// DisplayKind tells apart where frames were shown.
type DisplayKind uint8

// The kinds of display.
const (
	Real     DisplayKind = iota
	Emulated             // its swap control waits on a grid, without a screen
	Virtual              // VirtualDisplay
	Unknown              // another program's file doesn't say
)

// String reads "real", "emulated", "virtual" or "unknown".
func (k DisplayKind) String() string {
	switch k {
	case Real:
		return "real"
	case Emulated:
		return "emulated"
	case Virtual:
		return "virtual"
	case Unknown:
		return "unknown"
	}
	return fmt.Sprintf("DisplayKind(%d)", uint8(k))
}

// Setting is a parameter and its value as text.
type Setting struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Change is a setting that took effect at a stamp.
type Change struct {
	At int64 `json:"at"`
	Setting
}

// The settings that figures depend on, in Meta.Changes.
const (
	TickRateSetting = "tick-rate"
	RefreshSetting  = "refresh" // the stated rate, or "" when it became unknown
)

// Digest is the fingerprint of a world at a tick.
type Digest struct {
	Tick loop.Tick `json:"tick"`
	Sum  uint64    `json:"sum"`
}

// Meta says where a capture comes from and what ran. Text is free of control
// characters once it has gone through a file.
type Meta struct {
	Name   string    `json:"name"`
	Taken  time.Time `json:"taken"`
	Source string    `json:"source"` // the program that measured
	Note   string    `json:"note,omitempty"`

	// What decides the simulation's result. Two captures are of the same run
	// when all of it agrees; see SameRun.
	Seed     uint64    `json:"seed"`
	Scenario string    `json:"scenario"`
	Map      string    `json:"map"`      // its hash, or a name
	World    []Setting `json:"world"`    // parameters of the world
	Demo     string    `json:"demo"`     // the hash of a demo that was played, "" for none
	Commands int       `json:"commands"` // given by hand

	// What only shows it.
	TickRate loop.Rate   `json:"tick_rate"` // at the beginning
	Settings []Setting   `json:"settings"`  // pacing and window, at the beginning
	Changes  []Change    `json:"changes"`   // in order of At
	Display  DisplayKind `json:"display"`
	Monitor  string      `json:"monitor"`
	Stated   loop.Rate   `json:"stated"`   // the refresh the system states at the beginning; the zero Rate: none
	Measured int64       `json:"measured"` // the refresh period as measured, ns; 0: not
	Overlay  bool        `json:"overlay"`  // panels and graphs were drawn

	Renderer   string `json:"renderer"`
	OS         string `json:"os"`
	Arch       string `json:"arch"`
	GoVersion  string `json:"go_version"`
	CPUs       int    `json:"cpus"`
	GOMAXPROCS int    `json:"gomaxprocs"`

	Rules Rules `json:"rules"` // what is left out of its figures
}

// Capture is a run of frames with everything one needs to compare it with
// another, on whatever display that was.
type Capture struct {
	Meta     Meta
	Frames   []Frame   // in order of Seq
	Releases []Release // in order
	Digests  []Digest  // in order of Tick
	Inputs   []Input
}

// Title is its name and what it was shown on: "morning, virtual 120 Hz". What
// comes from a display that isn't there says so.
func (c *Capture) Title() string {
	on := c.DisplayLabel()
	if c.Meta.Name == "" {
		return on
	}
	return c.Meta.Name + ", " + on
}

// DisplayLabel names the display: "60 Hz", "emulated 60 Hz", "virtual 120 Hz",
// "virtual VRR 48-144".
// The stated rate comes first, then the measured one.
func (c *Capture) DisplayLabel() string {
	label := "unknown display"
	if p := c.Refresh(); p > 0 {
		label = RefreshLabel(p)
	} else if i := slices.IndexFunc(c.Meta.Settings, func(s Setting) bool { return s.Name == "display" }); i >= 0 && c.Meta.Display == Virtual {
		label = c.Meta.Settings[i].Value // one whose refresh varies
	}
	if c.Meta.Display == Emulated || c.Meta.Display == Virtual {
		label = c.Meta.Display.String() + " " + label
	}
	return label
}

// Refresh is the refresh period at the beginning: stated, or else measured; 0
// when neither is known.
func (c *Capture) Refresh() time.Duration {
	if c.Meta.Stated.Valid() {
		return c.Meta.Stated.Period()
	}
	return max(time.Duration(c.Meta.Measured), 0)
}

// Segment is a part of a capture between changes of a setting.
type Segment struct {
	Frames  []Frame   // the capture's own memory
	Rate    loop.Rate // ticks per second; not valid: unknown
	Refresh loop.Rate // not valid: unknown
}

// Segments cuts a capture where a setting changed. Frames belong to the segment
// in which they began.
func (c *Capture) Segments() []Segment {
	s := Segment{Rate: c.Meta.TickRate, Refresh: c.Meta.Stated}
	if !s.Refresh.Valid() {
		s.Refresh, _ = RefreshRate(c.Refresh())
	}
	var list []Segment
	rest := c.Frames
	for _, change := range c.Meta.Changes {
		n, _ := slices.BinarySearchFunc(rest, change.At, func(f Frame, at int64) int {
			if f.Layout < at {
				return -1
			}
			return 1
		})
		if n > 0 {
			s.Frames, rest = rest[:n], rest[n:]
			list = append(list, s)
		}
		switch change.Name {
		case TickRateSetting:
			s.Rate, _ = loop.ParseRate(change.Value)
		case RefreshSetting:
			s.Refresh, _ = loop.ParseRefresh(change.Value)
		}
	}
	if len(rest) > 0 {
		s.Frames = rest
		list = append(list, s)
	}
	return list
}
