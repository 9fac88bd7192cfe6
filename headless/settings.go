package main

import (
	"errors"
	"time"

	"chronoscope/coordinator"
	"chronoscope/loop"
	"chronoscope/world/scenario"
)

// settings are the parameters that this program alone has.
type settings struct {
	ticks      loop.Tick     // 0 = no end
	limit      time.Duration // 0 = no end
	maxSpeed   bool
	brakeLimit time.Duration
	report     string // "" = none, "-" = standard output
	digests    string // "" = none
	capture    string // "" = none
}

const (
	// maxLimit is a year, beyond which -for is a typing mistake.
	maxLimit = 8760 * time.Hour

	defaultBrakeLimit = 30 * time.Second
	minBrakeLimit     = 10 * time.Millisecond
	maxBrakeLimit     = 24 * time.Hour
)

// rows are the settings as rows of the table.
func (s *settings) rows() []scenario.Row {
	s.brakeLimit = defaultBrakeLimit
	const (
		run    = "Run"
		output = "Output"
	)
	return []scenario.Row{
		{Name: "ticks", Group: run, Kind: scenario.Program,
			Help:  "end when everyone has passed this tick; with -for, whichever comes first",
			Value: &scenario.Int[loop.Tick]{P: &s.ticks, Max: coordinator.MaxLastTick, Unit: "ticks", Zero: "no end"}},
		{Name: "for", Group: run, Kind: scenario.Program,
			Help:  "end after so much real time from the first tick",
			Value: &scenario.Duration{P: &s.limit, Min: time.Millisecond, Max: maxLimit, Zero: "no end"}},
		{Name: "max-speed", Group: run, Kind: scenario.Program,
			Help:  "release a tick as soon as everyone has completed the last, whatever the tick rate",
			Value: &scenario.Bool{P: &s.maxSpeed}},
		{Name: "brake-limit", Group: run, Kind: scenario.Program,
			Help:  "give up, with exit code 1, when a braked world made no progress at all for so long",
			Value: &scenario.Duration{P: &s.brakeLimit, Min: minBrakeLimit, Max: maxBrakeLimit}},
		{Name: "report", Group: output, Kind: scenario.Program,
			Help:  "write a report of the run as JSON",
			Value: &scenario.Text{P: &s.report, Hint: "a file name, or - for standard output"}},
		{Name: "digests", Group: output, Kind: scenario.Program,
			Help:  "write the world's digest at every 60th tick and at the last one as CSV",
			Value: &scenario.Text{P: &s.digests, Hint: "a file name"}},
		{Name: "capture", Group: output, Kind: scenario.Program,
			Help:  "write releases and digests as a capture without frames, for capture-diff",
			Value: &scenario.Text{P: &s.capture, Hint: "a file name"}},
	}
}

// refuseFrames leaves the parameter driver the one value that makes sense
// without a window, wherever it is set: by a flag or in a scenario file.
func refuseFrames(t *scenario.Table) {
	row := t.Lookup("driver")
	row.Value = windowless{row.Value}
}

// windowless is the driver of a program that draws no frames.
type windowless struct{ scenario.Value }

var errNoFrames = errors.New("only a window has frames, and this is the program without one: accepted is coordinator")

// Set refuses what the window alone can do.
func (v windowless) Set(text string) error {
	if text == coordinator.ByFrame.String() {
		return errNoFrames
	}
	return v.Value.Set(text)
}

// Accepted is what is left.
func (v windowless) Accepted() string { return coordinator.ByCoordinator.String() }

const usage = `Chronoscope without a window: a world of characters, a goroutine each, run and reported.

Usage:
  go run ./headless [flags]
  go run ./headless map info FILE [FILE.scen]
  go run ./headless pacing [flags]
  go run ./headless capture-diff [-png F] [-offset LIST] [-repeats LIST] A B [C [D]]
  go run ./headless lab matrix [-rate R]
  go run ./headless lab displays [-rate R]
  go run ./headless lab physics [-runs N] [-seed S] [-png F] [-csv F]

Without -ticks or -for it runs until it is interrupted. A flag wins over the scenario.
capture-diff and each lab have a help of their own (lab physics -h).
Exit codes: 0 done, 1 the run failed or digests differ, 2 refused arguments or files, 130 interrupted.
`
