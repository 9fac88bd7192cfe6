package game

import (
	"errors"
	"fmt"
	"strings"

	"chronoscope/overlay"
	"chronoscope/world"
	"chronoscope/world/scenario"
)

// dials is the table of parameters over a copy of the values in force: the same
// parsers, ranges and words as on the program's command line.
type dials struct {
	table  *scenario.Table
	config *scenario.Config
	budget int // of active characters
}

// newDials copies what is in force.
func newDials(v *overlay.Values) dials {
	table, c := scenario.New()
	c.Pacing, c.AICost = v.Pacing, v.AICost
	t := &v.Tuning
	c.Params.WakeRadius, c.Params.SleepRadius = t.WakeRadius, t.SleepRadius
	c.Params.WakeHysteresis, c.Params.MinResidence = t.WakeHysteresis, t.MinResidence
	s := &v.Setup
	c.Scenario, c.Map, c.Params.Seed, c.Params.NPCs, c.Params.ZoneSide = s.Scenario, s.Map, s.Seed, s.NPCs, s.ZoneSide
	return dials{table, c, t.ActiveBudget}
}

// set stores a text in a value. An error says what is accepted.
func set(name string, v scenario.Value, text string) error {
	switch err := v.Set(text); {
	case err == nil:
		return nil
	case errors.Is(err, scenario.ErrRefused):
		return fmt.Errorf("%s %s: accepted are %s", name, text, v.Accepted())
	default:
		return fmt.Errorf("%s %s: %w", name, text, err)
	}
}

// dial is a setting: its value in d, and how it becomes an intent.
type dial struct {
	name   string
	help   string // where the table has no row for it
	choice bool   // one of a few words
	// value is bound to d, or to more.
	value func(d *dials) scenario.Value
	ask   func(d *dials, v *overlay.Values, in *overlay.Intents) error
}

// askPacing asks for what is in d.config.Pacing.
func askPacing(d *dials, v *overlay.Values, in *overlay.Intents) error {
	*in.Pace(v) = d.config.Pacing
	return nil
}

// askTuning asks for the tuning that the copy holds.
func askTuning(d *dials, v *overlay.Values, in *overlay.Intents) error {
	p := &d.config.Params
	if p.SleepRadius < p.WakeRadius {
		return fmt.Errorf("wake radius %d, sleep radius %d: the sleep radius must be at least the wake radius", p.WakeRadius, p.SleepRadius)
	}
	in.Tuning, in.HasTuning = v.Tuning, true
	in.Tuning.WakeRadius, in.Tuning.SleepRadius = p.WakeRadius, p.SleepRadius
	in.Tuning.WakeHysteresis, in.Tuning.MinResidence = p.WakeHysteresis, p.MinResidence
	return nil
}

// row is a value of the table by its name.
func row(name string) func(d *dials) scenario.Value {
	return func(d *dials) scenario.Value { return d.table.Lookup(name).Value }
}

// settings are the settings of the command line, by the names of the flags.
func (g *Game) settings() []command {
	v := &g.values
	list := []dial{
		{name: "tick-rate", value: row("tick-rate"), ask: askPacing},
		{name: "time-scale", value: row("time-scale"), ask: askPacing},
		{name: "lag-threshold", value: row("lag-threshold"), ask: askPacing},
		{name: "policy", choice: true, value: row("policy"), ask: askPacing},
		{name: "driver", choice: true, value: row("driver"), ask: askPacing},
		{name: "max-catch-up", value: row("max-catch-up"), ask: askPacing},
		{name: "checks-per-tick", value: row("checks-per-tick"), ask: askPacing},
		{name: "sleep-floor", value: row("sleep-floor"), ask: askPacing},
		{name: "pacer", choice: true, value: row("pacer"), ask: askPacing},
		{name: "wait", choice: true, value: row("wait"), ask: askPacing},
		{name: "wake-radius", value: row("wake-radius"), ask: askTuning},
		{name: "sleep-radius", value: row("sleep-radius"), ask: askTuning},
		{name: "wake-hysteresis", value: row("wake-hysteresis"), ask: askTuning},
		{name: "min-residence", value: row("min-residence"), ask: askTuning},
		{name: "active-budget",
			help: "the most characters active at a time; one more follows a detailed schedule",
			value: func(d *dials) scenario.Value {
				return &scenario.Int[int]{P: &d.budget, Max: maxBudget, Unit: "characters", Zero: "no limit"}
			},
			ask: func(d *dials, v *overlay.Values, in *overlay.Intents) error {
				in.Tuning, in.HasTuning = v.Tuning, true
				in.Tuning.ActiveBudget = d.budget
				return nil
			}},
		{name: "ai-cost", value: row("ai-cost"),
			ask: func(d *dials, v *overlay.Values, in *overlay.Intents) error {
				in.AICost, in.HasAICost = d.config.AICost, true
				return nil
			}},
	}
	entries := make([]command, 0, len(list)+4)
	for _, l := range list {
		entries = append(entries, g.dial(l))
	}
	return append(entries,
		g.onOff("vsync", "one frame per refresh of the display", v.VSync, func(in *overlay.Intents) { in.ToggleVSync = true }),
		g.onOff("fullscreen", "the window over the whole screen", v.Fullscreen, func(in *overlay.Intents) { in.ToggleFullscreen = true }),
		g.onOff("camera-wakes", "the camera wakes the zones that it shows; it changes no result", v.CameraWakes,
			func(in *overlay.Intents) { in.ToggleCamera = true }),
	)
}

// maxBudget bounds the active budget: there are never more characters.
const maxBudget = world.MaxNPCs

// dial makes a setting of a parameter.
func (g *Game) dial(l dial) command {
	d := newDials(&g.values)
	value := l.value(&d)
	e := command{name: l.name, help: l.help, accepted: value.Accepted(), value: value.String(), setting: true}
	if r := d.table.Lookup(l.name); r != nil && e.help == "" {
		e.help = r.Help
	}
	if l.choice {
		e.words = strings.Split(e.accepted, ", ")
	}
	e.run = func(args string, in *overlay.Intents) error {
		if err := set(l.name, value, args); err != nil {
			return err
		}
		return l.ask(&d, &g.values, in)
	}
	return e
}

// onOff makes a setting of a switch; without a word after it, it changes over.
func (g *Game) onOff(name, help string, on bool, flip func(in *overlay.Intents)) command {
	return command{
		name: name, help: help, accepted: "on or off", optional: true, words: []string{"on", "off"}, value: switched(on), setting: true,
		run: func(args string, in *overlay.Intents) error {
			want, err := parseOn(name, args, on)
			if err == nil && want != on {
				flip(in)
			}
			return err
		},
	}
}

func switched(on bool) string {
	if on {
		return "on"
	}
	return "off"
}

// parseOn reads on or off, or nothing for the other one than now.
func parseOn(name, args string, now bool) (bool, error) {
	switch args {
	case "":
		return !now, nil
	case "on", "true":
		return true, nil
	case "off", "false":
		return false, nil
	}
	return now, fmt.Errorf("%s %s: accepted are on or off", name, args)
}
