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
}

// maxLimit is a year, beyond which -for is a typing mistake.
const maxLimit = 8760 * time.Hour

// rows are the settings as rows of the table.
func (s *settings) rows() []scenario.Row {
	const window = "Window"
	s.wear(game.DefaultLook())
	return []scenario.Row{
		{Name: "vsync", Group: window, Kind: scenario.Program,
			Help:  "one frame per refresh of the display; with -vsync=false frames come as fast as they can",
			Value: &scenario.Bool{P: &s.vsync}},
		{Name: "size", Group: window, Kind: scenario.Program,
			Help:  "width and height of the window, in device-independent pixels",
			Value: &s.size},
		{Name: "for", Group: window, Kind: scenario.Program,
			Help:  "close the window after so much real time",
			Value: &scenario.Duration{P: &s.limit, Min: time.Millisecond, Max: maxLimit, Zero: "no end"}},
		{Name: "screenshot", Group: window, Kind: scenario.Program,
			Help:  "write the last frame as a PNG when the window closes",
			Value: &scenario.Text{P: &s.screenshot, Hint: "a file name"}},
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
Exit codes: 0 closed, 1 the run failed, 2 refused arguments or files, or no display.
`
