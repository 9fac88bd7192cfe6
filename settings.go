package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"chronoscope/game"
	"chronoscope/world/scenario"
)

// settings are the parameters that this program alone has.
type settings struct {
	look       game.Look // but for what has a flag
	vsync      bool
	size       size
	limit      time.Duration // 0 = no end
	screenshot string        // "" = none
	capture    string        // "" = none
	display    string        // one of game.Displays
	frameCap   int           // frames a second, 0 = off
}

// maxLimit is a year, beyond which -for is a typing mistake.
const maxLimit = 8760 * time.Hour

// rows are the settings as rows of the table.
func (s *settings) rows() []scenario.Row {
	const window = "Window"
	s.wear(game.DefaultLook())
	s.display = game.RealDisplay
	return []scenario.Row{
		{Name: "vsync", Group: window, Kind: scenario.Program,
			Help:  "one frame per refresh of the display; with -vsync=false frames come as fast as they can",
			Value: &scenario.Bool{P: &s.vsync}},
		{Name: "frame-cap", Group: window, Kind: scenario.Program,
			Help:  "the most frames a second, whatever the display can",
			Value: &scenario.Int[int]{P: &s.frameCap, Max: game.MaxFrameCap, Zero: "off", Unit: "frames a second"}},
		{Name: "display", Group: window, Kind: scenario.Program,
			Help:  "run on a virtual display, so that what 120 Hz looks like can be seen and measured on any machine",
			Value: &display{&s.display}},
		{Name: "size", Group: window, Kind: scenario.Program,
			Help:  "width and height of the window, in device-independent pixels",
			Value: &s.size},
		{Name: "for", Group: window, Kind: scenario.Program,
			Help:  "close the window after so much real time",
			Value: &scenario.Duration{P: &s.limit, Min: time.Millisecond, Max: maxLimit, Zero: "no end"}},
		{Name: "screenshot", Group: window, Kind: scenario.Program,
			Help:  "write the last frame as a PNG when the window closes",
			Value: &scenario.Text{P: &s.screenshot, Hint: "a file name"}},
		{Name: "capture", Group: window, Kind: scenario.Program,
			Help:  "write the frame times of the whole run, for capture-diff and for the slots of another window",
			Value: &scenario.Text{P: &s.capture, Hint: "a file name"}},
	}
}

// wear takes a look as the first value of what has a flag, and as it is for the
// rest.
func (s *settings) wear(l game.Look) {
	s.look, s.vsync, s.size = l, l.VSync, size{l.Width, l.Height}
}

// worn is the look that the window starts with.
func (s *settings) worn() game.Look {
	l := s.look
	l.VSync, l.Width, l.Height = s.vsync, s.size.w, s.size.h
	l.Welcome = l.Welcome && s.limit == 0 // nobody is there to read it
	return l
}

// display is the display that the window runs on as a parameter: its name, or
// that of a virtual one without its unit.
type display struct{ name *string }

// Set finds the display.
func (d *display) Set(text string) error {
	for _, name := range game.Displays() {
		if text == name || text+" Hz" == name {
			*d.name = name
			return nil
		}
	}
	return scenario.ErrRefused
}

func (d *display) String() string { return *d.name }

// Accepted is the list, for help and errors.
func (d *display) Accepted() string { return strings.Join(game.Displays(), ", ") }

// Plain is the value for a report.
func (d *display) Plain() any { return d.String() }

// Forms says how a file would write it; none does.
func (d *display) Forms() scenario.Forms { return scenario.Quoted }

// size is a window's width and height as a parameter: "1440x900".
type size struct{ w, h int }

// errSize is what Set answers, whatever is wrong: Accepted says what is right.
var errSize = fmt.Errorf("accepted are WIDTHxHEIGHT, %dx%d to %dx%d", game.MinWidth, game.MinHeight, game.MaxSide, game.MaxSide)

// Set reads WIDTHxHEIGHT.
func (s *size) Set(text string) error {
	a, b, ok := strings.Cut(text, "x")
	w, err1 := strconv.ParseUint(a, 10, 31)
	h, err2 := strconv.ParseUint(b, 10, 31)
	if !ok || err1 != nil || err2 != nil || w < game.MinWidth || h < game.MinHeight || w > game.MaxSide || h > game.MaxSide {
		return errSize
	}
	s.w, s.h = int(w), int(h)
	return nil
}

func (s *size) String() string { return fmt.Sprintf("%dx%d", s.w, s.h) }

// Accepted is the range, for help and errors.
func (s *size) Accepted() string {
	return strings.TrimPrefix(errSize.Error(), "accepted are ")
}

// Plain is the value for a report.
func (s *size) Plain() any { return s.String() }

// Forms says how a file would write it; none does.
func (s *size) Forms() scenario.Forms { return scenario.Quoted }

const usage = `Chronoscope: a world of characters, a goroutine each, in a window.

Usage:
  go run . [flags]

A flag wins over the scenario. Where there is no display, go run ./headless runs the same world.
Exit codes: 0 closed, 1 the run failed, 2 refused arguments or files, or no display, 130 interrupted.
`
