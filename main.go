// Chronoscope opens a window on a running town: a coordinator that releases
// ticks, a goroutine for each character, and panels to change the pace.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	_ "chronoscope/game/guard" // first: says in one line that there is no display

	"chronoscope/game"
	"chronoscope/overlay"
	"chronoscope/world"
	"chronoscope/world/scenario"
)

// Exit codes.
const (
	exitDone    = 0
	exitFailed  = 1
	exitRefused = 2
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run is the program; it gives the exit code.
func run(args []string, stdout, stderr io.Writer) int {
	complain := func(code int, err error) int {
		fmt.Fprintf(stderr, "chronoscope: %s\n", strings.ReplaceAll(err.Error(), "\n", " "))
		return code
	}
	table, config := scenario.New()
	var s settings
	table.Add(s.rows()...)
	switch err := table.Parse(args); {
	case errors.Is(err, scenario.ErrHelp):
		io.WriteString(stdout, table.HelpText(usage))
		return exitDone
	case err != nil:
		return complain(exitRefused, err)
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
	options := config.Options(ground)
	options.AIWork = world.Calibrate(config.AICost)
	w, err := world.New(options)
	if err != nil {
		return complain(exitRefused, err)
	}
	w.Start()
	setup := overlay.Setup{
		Scenario: config.Scenario, Map: config.Map, Seed: options.Seed, NPCs: options.NPCs, ZoneSide: options.ZoneSide,
	}
	err = game.Run(game.Options{
		Source:     game.Watch(w, setup, config.AICost),
		Title:      "Chronoscope: " + ground.Name,
		Width:      s.size.w,
		Height:     s.size.h,
		NoVSync:    !s.vsync,
		For:        s.limit,
		Screenshot: shot,
	})
	stopped := stop(w)
	if err != nil {
		code := complain(exitFailed, err)
		if crash, ok := errors.AsType[*world.PanicError](err); ok {
			io.WriteString(stderr, crash.Stack)
		}
		return code
	}
	if !stopped {
		return complain(exitFailed, fmt.Errorf("the world did not stop within %v", stopLimit))
	}
	return exitDone
}

// stopLimit is how long a world may take to stop before the program ends
// without it: a character may be in the middle of a long stall.
const stopLimit = 10 * time.Second

// stop ends the world's goroutines; false when they wouldn't go.
func stop(w *world.World) bool {
	done := make(chan struct{})
	go func() {
		w.Stop()
		close(done)
	}()
	limit := time.NewTimer(stopLimit)
	defer limit.Stop()
	select {
	case <-done:
		return true
	case <-limit.C:
		return false
	}
}
