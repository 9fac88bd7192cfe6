// Chronoscope opens a window on a running town: a coordinator that releases
// ticks, a goroutine for each character, and panels to change the pace.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	_ "chronoscope/game/guard" // first: says in one line that there is no display

	"chronoscope/coordinator"
	"chronoscope/game"
	"chronoscope/world"
	"chronoscope/world/scenario"
)

// Exit codes.
const (
	exitDone    = 0
	exitFailed  = 1
	exitRefused = 2

	exitInterrupt = 130
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run is the program; it gives the exit code.
func run(args []string, stdout, stderr io.Writer) int {
	complain := func(code int, err error) int {
		fmt.Fprintf(stderr, "chronoscope: %s\n", strings.ReplaceAll(err.Error(), "\n", " "))
		return code
	}
	var s settings
	table, config := newTable(&s, nil)
	switch err := table.Parse(args); {
	case errors.Is(err, scenario.ErrHelp):
		io.WriteString(stdout, table.HelpText(usage))
		return exitDone
	case err != nil:
		return complain(exitRefused, err)
	}
	path := ""
	if s.limit == 0 {
		// Runs without hands neither follow nor change what a person has set.
		path = savedPath()
		saved, err := recall(path)
		if err != nil {
			complain(exitDone, err)
		}
		table, config = newTable(&s, saved)
		if err := table.Parse(args); err != nil {
			return complain(exitRefused, err)
		}
	}
	ground, err := config.OpenMap()
	if err != nil {
		return complain(exitRefused, err)
	}
	var shot *game.Screenshot
	if s.screenshot != "" {
		if shot, err = game.NewScreenshot(s.screenshot); err != nil {
			return complain(exitRefused, err)
		}
	}
	var capture *game.Output
	if s.capture != "" {
		if capture, err = game.NewOutput("capture", s.capture); err != nil {
			return complain(exitRefused, err)
		}
		if shot != nil && capture.Clashes(shot.Output) {
			return complain(exitRefused, fmt.Errorf("-capture %s: the screenshot goes there already", s.capture))
		}
	}
	ws := &worlds{args: args, origin: time.Now()}
	first, err := ws.start(table, config, ground)
	if err != nil {
		return complain(exitRefused, err)
	}
	// The first interrupt closes the window in good order, so that captures and
	// settings are written; after it the signals have their usual effect again.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	err = game.Run(game.Options{
		World:      first,
		Open:       ws.another,
		Scenarios:  builtin(),
		Look:       s.worn(),
		Remember:   remember(path),
		For:        s.limit,
		Screenshot: shot,
		Capture:    capture,
		Display:    s.display,
		FrameCap:   s.frameCap,
		Origin:     ws.origin,
		Interrupt:  ctx.Done(),
	})
	if err != nil {
		code := complain(exitFailed, err)
		if crash, ok := errors.AsType[*world.PanicError](err); ok {
			io.WriteString(stderr, crash.Stack)
		}
		return code
	}
	if ws.stuck.Load() {
		return complain(exitFailed, fmt.Errorf("a world did not stop within %v", stopLimit))
	}
	if ctx.Err() != nil {
		return exitInterrupt
	}
	return exitDone
}

// newTable is the table of this program's parameters, with what was saved as
// first values.
func newTable(s *settings, saved *savedSettings) (*scenario.Table, *scenario.Config) {
	table, config := scenario.New()
	table.Add(s.rows()...)
	if saved != nil {
		s.wear(saved.look)
		// recall has applied it once: it has no error.
		_ = saved.apply(table, config)
	}
	return table, config
}

// remember writes what changes in the window to a file; nil without one.
func remember(path string) func(game.Look, coordinator.Pacing) error {
	if path == "" {
		return nil
	}
	return func(l game.Look, p coordinator.Pacing) error {
		return save(path, l, scenario.PacingTexts(p))
	}
}
