package main

import (
	"fmt"
	"sync/atomic"
	"time"

	"chronoscope/coordinator"
	"chronoscope/game"
	"chronoscope/overlay"
	"chronoscope/routes"
	"chronoscope/world"
	"chronoscope/world/scenario"
)

// worlds makes the worlds that the window shows, from the program's arguments.
type worlds struct {
	args []string
	// origin is what stamps count from.
	origin time.Time
	// stuck is set when a world didn't stop in time.
	stuck atomic.Bool
}

// another makes the world of a setup: everything else is as the arguments say.
func (ws *worlds) another(s overlay.Setup, pace coordinator.Pacing) (game.World, error) {
	table, config := newTable(&settings{}, nil)
	args := append(append([]string(nil), ws.args...),
		"-scenario="+s.Scenario, "-map="+s.Map, fmt.Sprint("-seed=", s.Seed), fmt.Sprint("-npcs=", s.NPCs), fmt.Sprint("-zone-side=", s.ZoneSide))
	if err := table.Parse(args); err != nil {
		return game.World{}, err
	}
	config.Pacing = pace
	ground, err := config.OpenMap()
	if err != nil {
		return game.World{}, err
	}
	return ws.start(table, config, ground)
}

// start makes a world and sets it going.
func (ws *worlds) start(table *scenario.Table, config *scenario.Config, ground *routes.Map) (game.World, error) {
	options := config.Options(ground)
	options.AIWork = world.Calibrate(config.AICost)
	track := game.NewTrack(ws.origin)
	options.OnDigest, options.Coordinator.OnRelease = track.Digest, track.Release
	w, err := world.New(options)
	if err != nil {
		return game.World{}, err
	}
	w.Start()
	return game.World{
		Source: game.Watch(w, setupOf(config), config.AICost, track),
		Title:  "Chronoscope: " + ground.Name,
		Stop:   func() { ws.stop(w) },
		Track:  track,
		About:  scenario.About(table, config, ground),
	}, nil
}

// setupOf is what a configuration says of a world's making.
func setupOf(c *scenario.Config) overlay.Setup {
	return overlay.Setup{Scenario: c.Scenario, Map: c.Map, Seed: c.Params.Seed, NPCs: c.Params.NPCs, ZoneSide: c.Params.ZoneSide}
}

// builtin are the built-in scenarios as setups, each with its own numbers.
func builtin() []overlay.Setup {
	var list []overlay.Setup
	for _, name := range scenario.Builtin() {
		table, config := scenario.New()
		// Tests have parsed each of them.
		if table.Parse([]string{"-scenario=" + name}) == nil {
			list = append(list, setupOf(config))
		}
	}
	return list
}

// stopLimit is how long a world may take to stop before the program ends
// without it: a character may be in the middle of a long stall.
const stopLimit = 10 * time.Second

// stop ends a world's goroutines, or gives up waiting for them.
func (ws *worlds) stop(w *world.World) {
	done := make(chan struct{})
	go func() {
		w.Stop()
		close(done)
	}()
	limit := time.NewTimer(stopLimit)
	defer limit.Stop()
	select {
	case <-done:
	case <-limit.C:
		ws.stuck.Store(true)
	}
}
