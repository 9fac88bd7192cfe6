package game

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"chronoscope/coordinator"
	"chronoscope/loop"
	"chronoscope/overlay"
	"chronoscope/routes"
	"chronoscope/world"
	"chronoscope/world/scenario"
)

// commands lists everything that the command line can do: actions, then
// settings, over the values as they are now.
func (g *Game) commands() []command {
	list := slices.Concat(g.timeCommands(), g.selectionCommands(), g.worldCommands(), g.windowCommands(), g.captureCommands())
	return append(list, g.settings()...)
}

// do is an action without arguments.
func do(name, help string, f func(in *overlay.Intents)) command {
	return command{name: name, help: help, run: func(_ string, in *overlay.Intents) error { f(in); return nil }}
}

func (g *Game) timeCommands() []command {
	pause := func(want bool) func(in *overlay.Intents) {
		return func(in *overlay.Intents) { in.TogglePause = g.values.Paused != want }
	}
	scale := func(dir int) func(in *overlay.Intents) {
		return func(in *overlay.Intents) {
			in.Pace(&g.values).TimeScale = overlay.NextScale(g.values.Pacing.TimeScale, dir)
		}
	}
	return []command{
		do("pause", "hold the world", pause(true)),
		do("resume", "let the world go on", pause(false)),
		{name: "step", help: "run so many ticks and pause", accepted: fmt.Sprintf("1 to %d ticks", coordinator.MaxStep), optional: true,
			run: func(args string, in *overlay.Intents) error {
				n := 1
				if args != "" {
					if err := set("step", &scenario.Int[int]{P: &n, Min: 1, Max: coordinator.MaxStep, Unit: "ticks"}, args); err != nil {
						return err
					}
				}
				in.Step = n
				return nil
			}},
		do("faster", "the next time scale up", scale(+1)),
		do("slower", "the next time scale down", scale(-1)),
	}
}

// needCharacter says who is selected, or what to do about it.
func (g *Game) needCharacter(what string) (uint64, error) {
	if g.selection.Kind != overlay.OneCharacter {
		return 0, fmt.Errorf("%s: no character is selected: go and a spawn number selects one", what)
	}
	return g.selection.Spawn, nil
}

// ordering is an action for the selected character.
func (g *Game) ordering(name, help string, kind overlay.CommandKind, accepted string, read func(args string, c *overlay.Command) error) command {
	return command{name: name, help: help, accepted: accepted, run: func(args string, in *overlay.Intents) error {
		spawn, err := g.needCharacter(name)
		if err != nil {
			return err
		}
		c := overlay.Command{Kind: kind, Spawn: spawn}
		if read != nil {
			if err := read(args, &c); err != nil {
				return err
			}
		}
		in.Command = c
		return nil
	}}
}

func (g *Game) selectionCommands() []command {
	m, side := g.source.Map(), g.source.ZoneSide()
	stall := time.Duration(0)
	stallValue := &scenario.Duration{P: &stall, Min: time.Microsecond, Max: world.MaxStallFor}
	hold := loop.Tick(0)
	holdValue := &scenario.Int[loop.Tick]{P: &hold, Min: 1, Max: world.MaxHold, Unit: "ticks"}
	cells := fmt.Sprintf("X,Y: cells, 0,0 to %d,%d", m.Width-1, m.Height-1)
	zones := fmt.Sprintf("X,Y: zones, 0,0 to %d,%d", (m.Width-1)/side, (m.Height-1)/side)
	pin := func(on bool, name string) func(args string, in *overlay.Intents) error {
		return func(args string, in *overlay.Intents) error {
			k := g.selection.Zone
			if args == "" && g.selection.Kind != overlay.OneZone {
				x, y, _ := g.aim()
				k = g.zones.under(g.cam, x, y)
			} else if args != "" {
				var err error
				if k, err = g.zoneOf(name, args, zones); err != nil {
					return err
				}
			}
			if !g.zones.inside(m, k) {
				return fmt.Errorf("%s: the map isn't under the pointer: accepted are %s", name, zones)
			}
			in.Command = overlay.Command{Kind: overlay.PinZone, Zone: k, On: on}
			return nil
		}
	}
	return []command{
		{name: "go", help: "select a character and go there", accepted: "a spawn number",
			run: func(args string, in *overlay.Intents) error {
				n, err := strconv.ParseUint(strings.TrimPrefix(strings.ReplaceAll(args, " ", ""), "#"), 10, 64)
				if err != nil {
					return fmt.Errorf("go %s: accepted are spawn numbers, as 1234", args)
				}
				if _, ok := g.source.Where(g.moment, n); !ok {
					return fmt.Errorf("go %s: nobody lives with that spawn number", args)
				}
				in.GoTo, in.HasGoTo = n, true
				in.Select, in.HasSelect = overlay.Selection{Kind: overlay.OneCharacter, Spawn: n}, true
				return nil
			}},
		{name: "zone", help: "select a zone and go there", accepted: zones,
			run: func(args string, in *overlay.Intents) error {
				k, err := g.zoneOf("zone", args, zones)
				if err != nil {
					return err
				}
				in.Select, in.HasSelect = overlay.Selection{Kind: overlay.OneZone, Zone: k}, true
				g.cam.GoTo((float64(k.X)+0.5)*float64(side), (float64(k.Y)+0.5)*float64(side))
				return nil
			}},
		do("deselect", "select nothing", func(in *overlay.Intents) { in.Select, in.HasSelect = overlay.Selection{}, true }),
		do("laggard", "select who holds the world and go there", func(in *overlay.Intents) {
			if g.hud.hasBrake {
				in.GoTo, in.HasGoTo = g.hud.brakeBy, true
				in.Select, in.HasSelect = overlay.Selection{Kind: overlay.OneCharacter, Spawn: g.hud.brakeBy}, true
			} else {
				g.hud.say("nobody holds the world", g.now())
			}
		}),
		{name: "follow", help: "the camera goes with the selected character", accepted: "on or off", optional: true,
			words: []string{"on", "off"}, value: switched(g.follow), setting: true,
			run: func(args string, in *overlay.Intents) error {
				if _, err := g.needCharacter("follow"); err != nil {
					return err
				}
				want, err := parseOn("follow", args, g.follow)
				in.ToggleFollow = err == nil && want != g.follow
				return err
			}},
		g.ordering("stall", "hold the selected character up in the middle of its next tick", overlay.Stall, stallValue.Accepted()+", as 500ms",
			func(args string, c *overlay.Command) error {
				err := set("stall", stallValue, args)
				c.For = stall
				return err
			}),
		g.ordering("hold", "keep the selected character where it is for so many ticks", overlay.Hold, holdValue.Accepted(),
			func(args string, c *overlay.Command) error {
				err := set("hold", holdValue, args)
				c.Ticks = hold
				return err
			}),
		g.ordering("reroute", "send the selected character to a cell", overlay.Reroute, cells,
			func(args string, c *overlay.Command) error {
				x, y, ok := pair(args)
				if !ok || x < 0 || y < 0 || x >= m.Width || y >= m.Height {
					return fmt.Errorf("reroute %s: accepted are %s", args, cells)
				}
				c.To = routes.Cell{X: x, Y: y}
				return nil
			}),
		g.ordering("cancel", "the selected character drops what it is doing", overlay.Cancel, "", nil),
		g.ordering("end", "end the life of the selected character", overlay.End, "", nil),
		{name: "pin", help: "keep a zone active: the one named, the selected one, or the one pointed at", accepted: zones, optional: true, run: pin(true, "pin")},
		{name: "unpin", help: "let a zone sleep again", accepted: zones, optional: true, run: pin(false, "unpin")},
	}
}

// pair reads two whole numbers, as "12,34" or "12 34".
func pair(s string) (x, y int32, ok bool) {
	f := strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == ' ' })
	if len(f) != 2 {
		return 0, 0, false
	}
	a, err1 := strconv.ParseInt(f[0], 10, 32)
	b, err2 := strconv.ParseInt(f[1], 10, 32)
	return int32(a), int32(b), err1 == nil && err2 == nil
}

// zoneOf reads a zone of the map.
func (g *Game) zoneOf(name, args, accepted string) (routes.ZoneKey, error) {
	x, y, ok := pair(args)
	if k := (routes.ZoneKey{X: x, Y: y}); ok && g.zones.inside(g.source.Map(), k) {
		return k, nil
	}
	return routes.ZoneKey{}, fmt.Errorf("%s %s: accepted are %s", name, args, accepted)
}

func (g *Game) worldCommands() []command {
	number := func(name, help string, kind overlay.CommandKind) command {
		n := 0
		value := &scenario.Int[int]{P: &n, Min: 1, Max: world.MaxNPCs, Unit: "characters"}
		return command{name: name, help: help, accepted: value.Accepted(), run: func(args string, in *overlay.Intents) error {
			err := set(name, value, args)
			if err == nil {
				in.Command = overlay.Command{Kind: kind, N: n}
			}
			return err
		}}
	}
	return []command{
		number("spawn", "add so many characters", overlay.SpawnMore),
		number("remove", "end so many, the last spawned first", overlay.RemoveLast),
		{name: "new world", help: "begin another world; a scenario brings its own numbers, what isn't named stays", optional: true,
			accepted: "scenario=NAME map=NAME seed=N npcs=N zone-side=N, any of them", run: g.newWorld},
	}
}

// newWorld reads what another world is to be made of. A scenario that is named
// brings its own numbers; the others stay as they are.
func (g *Game) newWorld(args string, in *overlay.Intents) error {
	const accepted = "scenario, map, seed, npcs, zone-side"
	d := newDials(&g.values)
	fields := strings.Fields(args)
	for _, f := range fields {
		name, text, ok := strings.Cut(f, "=")
		if !ok || !slices.Contains(strings.Split(accepted, ", "), name) {
			return fmt.Errorf("new world %s: accepted are %s, each with = and a value", f, accepted)
		}
		if name == "scenario" {
			d.table, d.config = scenario.New()
			if err := d.table.Parse([]string{"-scenario=" + text}); err != nil {
				return fmt.Errorf("new world: %s", strings.TrimPrefix(err.Error(), "-"))
			}
		}
	}
	for _, f := range fields {
		if name, text, _ := strings.Cut(f, "="); name != "scenario" {
			if err := set(name, d.table.Lookup(name).Value, text); err != nil {
				return err
			}
		}
	}
	c := d.config
	in.Setup = overlay.Setup{
		Scenario: c.Scenario, Map: c.Map, Seed: c.Params.Seed, NPCs: c.Params.NPCs, ZoneSide: c.Params.ZoneSide,
	}
	in.HasSetup = true
	return nil
}

func (g *Game) windowCommands() []command {
	flag := func(name, help string, on *bool) command {
		return command{name: name, help: help, accepted: "on or off", optional: true, words: []string{"on", "off"}, value: switched(*on), setting: true,
			run: func(args string, _ *overlay.Intents) error {
				want, err := parseOn(name, args, *on)
				*on = want
				return err
			}}
	}
	tabNames := overlay.TabNames()
	var names, shown []string
	for l := range overlay.LayerCount {
		names = append(names, l.String())
		if g.layers[l] {
			shown = append(shown, l.String())
		}
	}
	return []command{
		do("fit", "the whole map", func(*overlay.Intents) { g.cam.Fit() }),
		{name: "layer", help: "show a layer of the map or hide it", accepted: strings.Join(names, ", ") + "; then on or off",
			words: names, value: strings.Join(shown, ", "), setting: true,
			run: func(args string, _ *overlay.Intents) error {
				name, rest, _ := strings.Cut(args, " ")
				l, ok := overlay.LayerNamed(name)
				if !ok {
					return fmt.Errorf("layer %s: accepted are %s", name, strings.Join(names, ", "))
				}
				want, err := parseOn("layer "+name, strings.TrimSpace(rest), g.layers[l])
				g.layers[l] = want
				return err
			}},
		{name: "dock", help: "what the dock shows", accepted: strings.Join(tabNames, ", ") + ", on or off", optional: true,
			words: tabNames, value: g.dock.Tab.Name(), setting: true,
			run: func(args string, _ *overlay.Intents) error {
				if i := slices.Index(tabNames, args); i >= 0 {
					g.dock.Choose(overlay.Tab(i))
					g.showDock = true
					return nil
				}
				want, err := parseOn("dock", args, g.showDock)
				if err != nil {
					return fmt.Errorf("dock %s: accepted are %s, on or off", args, strings.Join(tabNames, ", "))
				}
				g.showDock = want
				return nil
			}},
		{name: "span", help: "how much time the passages show", accepted: "- or +", words: []string{"-", "+"},
			value: overlay.Span(g.dock.Timeline.Span()), setting: true,
			run: func(args string, _ *overlay.Intents) error {
				switch args {
				case "-":
					g.dock.Zoom(-1)
				case "+":
					g.dock.Zoom(+1)
				default:
					return fmt.Errorf("span %s: accepted are - or +", args)
				}
				return nil
			}},
		g.graphCommand(),
		g.labCommand(),
		flag("panels", "the sidebar", &g.showSidebar),
		flag("minimap", "the whole map in a corner", &g.showMinimap),
		flag("legend", "what the figures mean", &g.showLegend),
		flag("help", "the list of keys", &g.showHelp),
	}
}
