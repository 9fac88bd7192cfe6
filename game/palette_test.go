package game

import (
	"strings"
	"testing"
	"time"

	"chronoscope/coordinator"
	"chronoscope/loop"
	"chronoscope/overlay"
	"chronoscope/routes"
	"chronoscope/world"
	"chronoscope/world/scenario"
)

// lineGame is a window that is never opened, over a town of 50 with values in
// force.
func lineGame(t *testing.T) (*Game, *fakeTown) {
	t.Helper()
	f := newFakeTown(smallTown(t), 50)
	g, err := New(Options{World: World{Source: f}, Now: frozenClock})
	if err != nil {
		t.Fatal(err)
	}
	g.place(MinWidth, MinHeight, 1)
	v := &g.values
	v.Paused = false
	v.VSync = true
	v.Tuning = world.Tuning{WakeRadius: 24, SleepRadius: 32, WakeHysteresis: 120, MinResidence: 60, AIWork: 77}
	v.AICost = time.Microsecond
	return g, f
}

// typed runs a line and gives what it asks for, or what is shown as wrong.
func typed(g *Game, line string) (overlay.Intents, string) {
	var in overlay.Intents
	g.openPalette(line)
	e := g.palette.enter(&in)
	if e == nil && g.palette.fault == "" {
		e = g.palette.enter(&in) // its name was filled in first
	}
	if e == nil && g.palette.fault == "" {
		return in, "nothing was run"
	}
	return in, g.palette.fault
}

// Every setting of the panels: what is accepted becomes exactly one wish, what
// isn't says what would be.
func TestPaletteSettings(t *testing.T) {
	pace := func(f func(p *coordinator.Pacing)) func(g *Game) overlay.Intents {
		return func(g *Game) overlay.Intents {
			in := overlay.Intents{Pacing: g.values.Pacing, HasPacing: true}
			f(&in.Pacing)
			return in
		}
	}
	tune := func(f func(t *world.Tuning)) func(g *Game) overlay.Intents {
		return func(g *Game) overlay.Intents {
			in := overlay.Intents{Tuning: g.values.Tuning, HasTuning: true}
			f(&in.Tuning)
			return in
		}
	}
	is := func(in overlay.Intents) func(g *Game) overlay.Intents {
		return func(*Game) overlay.Intents { return in }
	}
	tests := []struct {
		good string
		want func(g *Game) overlay.Intents
		bad  []string
		says string // what is accepted
	}{
		{"tick-rate 59.94", pace(func(p *coordinator.Pacing) { p.TickRate = loop.Rate{Num: 60000, Den: 1001} }),
			[]string{"tick-rate 0", "tick-rate 241", "tick-rate fast", "tick-rate -1"}, "accepted are 1 to 240 a second"},
		{"time-scale 2", pace(func(p *coordinator.Pacing) { p.TimeScale = 2 }), []string{"time-scale 0", "time-scale 17", "time-scale NaN"}, "accepted are 0.1 to 16"},
		{"lag-threshold 20", pace(func(p *coordinator.Pacing) { p.LagThreshold = 20 }), []string{"lag-threshold 0", "lag-threshold 1001", "lag-threshold 1.5"}, "accepted are 1 to 1000 ticks"},
		{"policy slowdown", pace(func(p *coordinator.Pacing) { p.Policy = loop.SlowDown }), []string{"policy hurry"}, "accepted are catchup, drop, slowdown"},
		{"driver frame", pace(func(p *coordinator.Pacing) { p.Driver = coordinator.ByFrame }), []string{"driver me"}, "accepted are coordinator, frame"},
		{"max-catch-up 4", pace(func(p *coordinator.Pacing) { p.MaxCatchUp = 4 }), []string{"max-catch-up 0", "max-catch-up 1001"}, "accepted are 1 to 1000 ticks"},
		{"checks-per-tick 20", pace(func(p *coordinator.Pacing) { p.ChecksPerTick = 20 }), []string{"checks-per-tick 0", "checks-per-tick 101"}, "accepted are 1 to 100"},
		{"sleep-floor 200us", pace(func(p *coordinator.Pacing) { p.SleepFloor = 200 * time.Microsecond }), []string{"sleep-floor 200", "sleep-floor 1s"}, "accepted are 1us to 100ms"},
		{"wait gate", pace(func(p *coordinator.Pacing) { p.Wait = coordinator.Gate }), []string{"wait long"}, "accepted are poll, gate"},
		{"wake-radius 30", tune(func(t *world.Tuning) { t.WakeRadius = 30 }), []string{"wake-radius 0", "wake-radius 5000"}, "accepted are 1 to 4096 cells"},
		{"sleep-radius 50", tune(func(t *world.Tuning) { t.SleepRadius = 50 }), []string{"sleep-radius x"}, "accepted are 1 to 4096 cells"},
		{"wake-hysteresis 0", tune(func(t *world.Tuning) { t.WakeHysteresis = 0 }), []string{"wake-hysteresis -1"}, "accepted are 0 to 1000000 ticks"},
		{"min-residence 0", tune(func(t *world.Tuning) { t.MinResidence = 0 }), []string{"min-residence all"}, "accepted are 0 to 1000000 ticks"},
		{"active-budget 100", tune(func(t *world.Tuning) { t.ActiveBudget = 100 }), []string{"active-budget -1", "active-budget 2000001"}, "accepted are 0 (no limit) to 2000000 characters"},
		{"ai-cost 10us", is(overlay.Intents{AICost: 10 * time.Microsecond, HasAICost: true}), []string{"ai-cost 1s", "ai-cost 10"}, "accepted are 0 (none) to 100ms"},
		{"vsync off", is(overlay.Intents{ToggleVSync: true}), []string{"vsync maybe"}, "accepted are on or off"},
		{"vsync on", is(overlay.Intents{}), nil, ""},
		{"fullscreen", is(overlay.Intents{ToggleFullscreen: true}), []string{"fullscreen 1"}, "accepted are on or off"},
		{"camera-wakes on", is(overlay.Intents{ToggleCamera: true}), []string{"camera-wakes 2"}, "accepted are on or off"},
		{"spawn 100", is(overlay.Intents{Command: overlay.Command{Kind: overlay.SpawnMore, N: 100}}), []string{"spawn 0", "spawn 3000000"}, "accepted are 1 to 2000000 characters"},
		{"remove 100", is(overlay.Intents{Command: overlay.Command{Kind: overlay.RemoveLast, N: 100}}), []string{"remove none"}, "accepted are 1 to 2000000 characters"},
		{"new world seed=5 npcs=3000 map=town:128 scenario=brake zone-side=8",
			is(overlay.Intents{HasSetup: true, Setup: overlay.Setup{Scenario: "brake", Map: "town:128", Seed: 5, NPCs: 3000, ZoneSide: 8}}),
			[]string{"new world seed", "new world color=red"}, "accepted are scenario, map, seed, npcs, zone-side"},
		{"new world seed=6", is(overlay.Intents{HasSetup: true, Setup: overlay.Setup{Scenario: "town", Map: "town", Seed: 6, NPCs: 50, ZoneSide: 16}}),
			[]string{"new world seed=0"}, "accepted are 1 to 18446744073709551615"},
		{"new world npcs=60 scenario=night", func(*Game) overlay.Intents {
			table, c := scenario.New()
			if err := table.Parse([]string{"-scenario", "night"}); err != nil {
				t.Fatal(err)
			}
			return overlay.Intents{HasSetup: true, Setup: overlay.Setup{Scenario: "night", Map: c.Map, Seed: c.Params.Seed, NPCs: 60, ZoneSide: c.Params.ZoneSide}}
		}, []string{"new world scenario=", "new world npcs=0x"}, "accepted are"},
		{"new world", is(overlay.Intents{HasSetup: true, Setup: overlay.Setup{Scenario: "town", Map: "town", Seed: 7, NPCs: 50, ZoneSide: 16}}),
			[]string{"new world scenario=moon"}, "accepted are " + strings.Join(scenario.Builtin(), ", ")},
	}
	for _, tt := range tests {
		t.Run(tt.good, func(t *testing.T) {
			g, _ := lineGame(t)
			in, fault := typed(g, tt.good)
			if want := tt.want(g); fault != "" || in != want {
				t.Errorf("%q\ngot  %+v\nwant %+v", fault, in, want)
			}
			for _, bad := range tt.bad {
				in, fault := typed(g, bad)
				if !strings.Contains(fault, tt.says) || strings.Contains(fault, "\n") {
					t.Errorf("%s: says %q, want %q in it", bad, fault, tt.says)
				}
				if in != (overlay.Intents{}) {
					t.Errorf("%s: asks for %+v", bad, in)
				}
			}
		})
	}
	t.Run("radii that contradict", func(t *testing.T) {
		g, _ := lineGame(t)
		for _, line := range []string{"wake-radius 40", "sleep-radius 10"} {
			if in, fault := typed(g, line); !strings.Contains(fault, "at least the wake radius") || in.HasTuning {
				t.Errorf("%s: %q, %+v", line, fault, in)
			}
		}
	})
}

// What is done with who or what is selected.
func TestPaletteActions(t *testing.T) {
	someone := overlay.Selection{Kind: overlay.OneCharacter, Spawn: 9}
	zone := overlay.Selection{Kind: overlay.OneZone, Zone: routes.ZoneKey{X: 2, Y: 3}}
	order := func(c overlay.Command) overlay.Intents {
		c.Spawn = 9
		return overlay.Intents{Command: c}
	}
	tests := []struct {
		line string
		sel  overlay.Selection
		want overlay.Intents
		says string
	}{
		{"pause", overlay.Selection{}, overlay.Intents{TogglePause: true}, ""},
		{"resume", overlay.Selection{}, overlay.Intents{}, ""}, // it runs
		{"step 10", overlay.Selection{}, overlay.Intents{Step: 10}, ""},
		{"step", overlay.Selection{}, overlay.Intents{Step: 1}, ""},
		{"step 0", overlay.Selection{}, overlay.Intents{}, "accepted are 1 to 1000000 ticks"},
		{"go 17", overlay.Selection{}, overlay.Intents{GoTo: 17, HasGoTo: true, Select: overlay.Selection{Kind: overlay.OneCharacter, Spawn: 17}, HasSelect: true}, ""},
		{"go #17", overlay.Selection{}, overlay.Intents{GoTo: 17, HasGoTo: true, Select: overlay.Selection{Kind: overlay.OneCharacter, Spawn: 17}, HasSelect: true}, ""},
		{"go 1 234", overlay.Selection{}, overlay.Intents{}, "nobody lives"},
		{"go home", overlay.Selection{}, overlay.Intents{}, "accepted are spawn numbers"},
		{"zone 2,3", overlay.Selection{}, overlay.Intents{Select: zone, HasSelect: true}, ""},
		{"zone 2,99", overlay.Selection{}, overlay.Intents{}, "0,0 to 7,7"},
		{"deselect", someone, overlay.Intents{HasSelect: true}, ""},
		{"follow", someone, overlay.Intents{ToggleFollow: true}, ""},
		{"follow off", someone, overlay.Intents{}, ""},
		{"follow", zone, overlay.Intents{}, "no character is selected"},
		{"stall 500ms", someone, order(overlay.Command{Kind: overlay.Stall, For: 500 * time.Millisecond}), ""},
		{"stall 11m", someone, overlay.Intents{}, "accepted are 1us to 10m"},
		{"stall 500ms", overlay.Selection{}, overlay.Intents{}, "no character is selected"},
		{"hold 600", someone, order(overlay.Command{Kind: overlay.Hold, Ticks: 600}), ""},
		{"hold 0", someone, overlay.Intents{}, "accepted are 1 to 604800 ticks"},
		{"reroute 60,70", someone, order(overlay.Command{Kind: overlay.Reroute, To: routes.Cell{X: 60, Y: 70}}), ""},
		{"reroute 60,128", someone, overlay.Intents{}, "cells, 0,0 to 127,127"},
		{"reroute there", someone, overlay.Intents{}, "cells, 0,0 to 127,127"},
		{"cancel", someone, order(overlay.Command{Kind: overlay.Cancel}), ""},
		{"end", someone, order(overlay.Command{Kind: overlay.End}), ""},
		{"end", zone, overlay.Intents{}, "no character is selected"},
		{"end now", someone, overlay.Intents{}, "takes nothing after it"},
		{"pin", zone, overlay.Intents{Command: overlay.Command{Kind: overlay.PinZone, Zone: zone.Zone, On: true}}, ""},
		{"unpin 1,1", zone, overlay.Intents{Command: overlay.Command{Kind: overlay.PinZone, Zone: routes.ZoneKey{X: 1, Y: 1}}}, ""},
		{"pin 8,0", zone, overlay.Intents{}, "0,0 to 7,7"},
		{"dance", overlay.Selection{}, overlay.Intents{}, "no command \"dance\""},
		{"layer reach maybe", overlay.Selection{}, overlay.Intents{}, "accepted are on or off"},
		{"layer sky", overlay.Selection{}, overlay.Intents{}, "accepted are zones, heat"},
		{"dock sideways", overlay.Selection{}, overlay.Intents{}, "accepted are frames, passages, ticks, compare, lab, on or off"},
	}
	for _, tt := range tests {
		t.Run(tt.line, func(t *testing.T) {
			g, _ := lineGame(t)
			g.selection = tt.sel
			in, fault := typed(g, tt.line)
			if in != tt.want || (fault == "") != (tt.says == "") || !strings.Contains(fault, tt.says) {
				t.Errorf("got  %+v, %q\nwant %+v, %q", in, fault, tt.want, tt.says)
			}
		})
	}
}

// What changes the window itself.
func TestPaletteWindow(t *testing.T) {
	g, _ := lineGame(t)
	for _, tt := range []struct {
		line string
		ok   func() bool
	}{
		{"layer heat", func() bool { return g.layers[overlay.HeatLayer] }},
		{"layer heat on", func() bool { return g.layers[overlay.HeatLayer] }},
		{"layer heat off", func() bool { return !g.layers[overlay.HeatLayer] }},
		{"dock ticks", func() bool { return g.dock.Tab == overlay.TickTab && g.showDock }},
		{"dock off", func() bool { return !g.showDock }},
		{"dock passages", func() bool { return g.dock.Tab == overlay.PassageTab && g.showDock }},
		{"span +", func() bool { return g.dock.Timeline.Span() == time.Minute }},
		{"span -", func() bool { return g.dock.Timeline.Span() == 30*time.Second }},
		{"panels", func() bool { return !g.showSidebar }},
		{"legend off", func() bool { return !g.showLegend }},
		{"minimap off", func() bool { return !g.showMinimap }},
		{"help on", func() bool { return g.showHelp }},
		{"zone 0,7", func() bool { return true }},
	} {
		if _, fault := typed(g, tt.line); fault != "" || !tt.ok() {
			t.Errorf("%s: %q", tt.line, fault)
		}
	}
}

// Every flag of a setting that a panel has is on the list, with its value, and
// every name on it can be typed.
func TestPaletteList(t *testing.T) {
	g, _ := lineGame(t)
	g.openPalette("")
	p := &g.palette
	names := map[string]bool{}
	for i := range p.entries {
		e := &p.entries[i]
		if names[e.name] || e.name == "" || e.help == "" || e.run == nil {
			t.Errorf("%q lacks something, or is there twice", e.name)
		}
		if e.setting && e.value == "" {
			t.Errorf("%s has no value", e.name)
		}
		names[e.name] = true
		p.set(e.name)
		if got, _ := p.named(); got != e || p.chosen() != e {
			t.Errorf("typing %q finds %+v", e.name, got)
		}
	}
	table, _ := scenario.New()
	for _, r := range table.Rows() {
		if r.Kind == scenario.Pacing && !names[r.Name] {
			t.Errorf("%s can't be set", r.Name)
		}
	}
}

func TestPaletteTyping(t *testing.T) {
	g, _ := lineGame(t)
	p := &g.palette
	first := func() string {
		if c := p.chosen(); c != nil {
			return c.name
		}
		return "-"
	}
	g.openPalette("go ")
	for _, c := range "12\n" {
		p.insert(c)
	}
	if p.text() != "go 12" || first() != "go" || len(p.shown) != 1 {
		t.Errorf("%q chooses %s of %d", p.text(), first(), len(p.shown))
	}
	p.erase(true)
	if p.text() != "go " {
		t.Errorf("a word less is %q", p.text())
	}
	p.set("lag")
	if first() != "laggard" {
		t.Errorf("lag chooses %s", first())
	}
	p.choose(+1)
	if first() != "lag-threshold" {
		t.Errorf("the next is %s", first())
	}
	p.complete()
	if p.text() != "lag-threshold " {
		t.Errorf("completed to %q", p.text())
	}
	p.complete()
	if p.text() != "lag-threshold 10" {
		t.Errorf("completed to %q, want the present value", p.text())
	}
	p.set("wait p")
	p.complete()
	if p.text() != "wait poll" {
		t.Errorf("completed to %q", p.text())
	}
	p.complete()
	if p.text() != "wait gate" {
		t.Errorf("completed to %q, want the other one", p.text())
	}
	p.set("abc")
	p.move(-1)
	p.insert('x')
	p.move(-100)
	p.erase(false)
	p.move(+2)
	p.erase(false)
	if p.text() != "axc" {
		t.Errorf("edited to %q, want axc", p.text())
	}
	p.set("zzz")
	p.choose(+1)
	if first() != "-" {
		t.Errorf("zzz chooses %s", first())
	}
	for range 500 {
		p.insert('z')
	}
	if len(p.line) != lineLimit {
		t.Errorf("%d characters were taken", len(p.line))
	}
	// What is only partly typed is filled in by Enter, and asked for again.
	g.openPalette("tick")
	var in overlay.Intents
	if e := p.enter(&in); e != nil || p.text() != "tick-rate " || p.fault != "" {
		t.Errorf("Enter on a part gives %+v, %q, %q", e, p.text(), p.fault)
	}
	if e := p.enter(&in); e != nil || !strings.Contains(p.fault, "accepted are 1 to 240") {
		t.Errorf("Enter without a value gives %+v, %q", e, p.fault)
	}
	p.insert('5')
	if e := p.enter(&in); e == nil || in.Pacing.TickRate != loop.Hz(5) {
		t.Errorf("Enter gives %+v, %+v", e, in.Pacing)
	}
}
