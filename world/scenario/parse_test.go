package scenario_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"chronoscope/coordinator"
	"chronoscope/loop"
	"chronoscope/routes"
	"chronoscope/world"
	"chronoscope/world/scenario"
)

func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestFlags(t *testing.T) {
	table, c := scenario.New()
	err := table.Parse(strings.Fields("-npcs 10 --seed=18446744073709551615 -tick-rate 59.94 -lag-threshold=1000" +
		" -wait gate -policy slowdown -driver frame -path-cache 16 -ai-cost 0 -time-scale 0.1 -sleep-floor 1ms -pacer compensated -npcs 11" +
		" -wake-hysteresis 0 -min-residence 0 -map town:64 -scenario night"))
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		name      string
		got, want any
	}{
		{"npcs, the last of two", c.Params.NPCs, 11},
		{"seed", c.Params.Seed, uint64(1<<64 - 1)},
		{"tick rate", c.Pacing.TickRate, loop.Rate{Num: 60000, Den: 1001}},
		{"lag threshold", c.Pacing.LagThreshold, 1000},
		{"wait", c.Pacing.Wait, coordinator.Gate},
		{"pacer", c.Pacing.Pacer, loop.Compensated},
		{"policy", c.Pacing.Policy, loop.SlowDown},
		{"driver", c.Pacing.Driver, coordinator.ByFrame},
		{"path cache entries", c.Params.PathCacheEntries, 16},
		{"ai cost", c.AICost, time.Duration(0)},
		{"time scale", c.Pacing.TimeScale, 0.1},
		{"sleep floor", c.Pacing.SleepFloor, time.Millisecond},
		{"no hysteresis", c.Params.NoHysteresis, true},
		{"no residence", c.Params.NoResidence, true},
		{"map", c.Map, "town:64"},
		{"life of the scenario", c.Params.Life, world.LifeNight},
		{"untouched", c.Params.ZoneSide, world.DefaultZoneSide},
	} {
		if x.got != x.want {
			t.Errorf("%s: got %v, want %v", x.name, x.got, x.want)
		}
	}
	if err := c.Pacing.Validate(); err != nil {
		t.Error(err)
	}
	if err := c.Params.Validate(); err != nil {
		t.Error(err)
	}
}

// TestSleepRadiusFollows gives radii in a scenario and by flags: a sleep radius
// that nobody gave keeps its distance from the wake radius.
func TestSleepRadiusFollows(t *testing.T) {
	near := write(t, "near.toml", "[world]\nwake-radius = 10\n")
	both := write(t, "both.toml", "[world]\nwake-radius = 10\nsleep-radius = 60\n")
	for _, x := range []struct {
		args        string
		wake, sleep int32
	}{
		{"", 24, 32},
		{"-wake-radius 40", 40, 48},
		{"-wake-radius 4", 4, 12},
		{"-wake-radius 4096", 4096, 4096},
		{"-wake-radius 40 -sleep-radius 40", 40, 40},
		{"-sleep-radius 50", 24, 50},
		{"-scenario " + near, 10, 18},
		{"-wake-radius 20 -scenario " + near, 20, 28},
		{"-scenario " + both, 10, 60},
		{"-wake-radius 30 -scenario " + both, 30, 60},
	} {
		table, c := scenario.New()
		if err := table.Parse(strings.Fields(x.args)); err != nil {
			t.Errorf("%s: %v", x.args, err)
		} else if c.Params.WakeRadius != x.wake || c.Params.SleepRadius != x.sleep {
			t.Errorf("%s: radii %d and %d, want %d and %d", x.args, c.Params.WakeRadius, c.Params.SleepRadius, x.wake, x.sleep)
		}
	}
}

func TestBadFlags(t *testing.T) {
	dir := t.TempDir()
	narrow := write(t, "narrow.toml", "[world]\nwake-radius = 10\nsleep-radius = 20\n")
	lone := write(t, "lone.toml", "[stalls]\nevery = 5\nfor = \"1s\"\nonly = 8\n")
	for _, x := range []struct{ args, want string }{
		{"-lag-threshold 0", "-lag-threshold 0: accepted are 1 to 1000 ticks"},
		{"-lag-threshold=1001", "-lag-threshold 1001: accepted are 1 to 1000 ticks"},
		{"-lag-threshold 5x", "-lag-threshold 5x: accepted are 1 to 1000 ticks"},
		{"-lag-threshold +5", "-lag-threshold +5: accepted are 1 to 1000 ticks"},
		{"-npcs -1", "-npcs -1: accepted are 0 to 2000000"},
		{"-npcs 99999999999999999999999", "-npcs 99999999999999999999999: accepted are 0 to 2000000"},
		{"-npcs", "-npcs needs a value: accepted are 0 to 2000000"},
		{"-seed 0", "-seed 0: accepted are 1 to 18446744073709551615"},
		{"-npc 5", "unknown flag -npc, did you mean -npcs? (see -h)"},
		{"-xyzzyxyzzy", "unknown flag -xyzzyxyzzy (see -h)"},
		{"-gpu=1", "unknown flag -gpu"},
		{"town", `unexpected argument "town": only flags are accepted (see -h)`},
		{"-npcs 5 more", `unexpected argument "more"`},
		{"-", `unexpected argument "-"`},
		{"-tick-rate 0", "-tick-rate 0: accepted are 1 to 240 a second, also as 59.94 or 60000/1001"},
		{"-tick-rate 241", "-tick-rate 241: accepted are 1 to 240"},
		{"-tick-rate 1/0", "-tick-rate 1/0: accepted are 1 to 240"},
		{"-tick-rate NaN", "-tick-rate NaN: accepted are 1 to 240"},
		{"-time-scale 0", "-time-scale 0: accepted are 0.1 to 16"},
		{"-time-scale nan", "-time-scale nan: accepted are 0.1 to 16"},
		{"-policy skip", "-policy skip: accepted are catchup, drop, slowdown"},
		{"-driver me", "-driver me: accepted are coordinator, frame"},
		{"-pacer spin", "-pacer spin: accepted are sleep, ticker, compensated, hybrid, precise"},
		{"-wait spin", "-wait spin: accepted are poll, gate"},
		{"-ai-cost -1us", "-ai-cost -1us: accepted are 0 (none) to 100ms"},
		{"-ai-cost 5", "-ai-cost 5: accepted are 0 (none) to 100ms"},
		{"-path-cache 0", "-path-cache 0: accepted are 64KiB to 64GiB, or a bare number of entries, 1 to 100000000"},
		{"-path-cache 64MB", "-path-cache 64MB: accepted are 64KiB to 64GiB"},
		{"-wake-radius 40 -sleep-radius 32", "-sleep-radius 32: accepted are 40 (the wake radius) to 4096 cells"},
		{"-wake-radius 40 -scenario " + narrow, "-sleep-radius 20: accepted are 40 (the wake radius) to 4096 cells"},
		{"-npcs 7 -scenario " + lone, "scenario " + lone + ": [stalls] only = 8: accepted are 0 (all) to 7, the number of characters (-npcs)"},
		{"-map town:63", "-map town:63: accepted are town, town:SIZE (64 to 4096 cells), or a map file (.map)"},
		{"-map town:x", "-map town:x: accepted are town, town:SIZE"},
		{"-map=", "-map : accepted are town"},
		{"-scenario nigth", "-scenario nigth: accepted are brake, night, rush, town, or a file"},
		{"-scenario nowhere.toml", "-scenario nowhere.toml: no such file or directory"},
		{"-scenario " + dir, "-scenario " + dir + ": not a regular file"},
		{"-scenario brake -npcs 10", "-npcs 10: scenario brake needs at least 400, its crowd"},
	} {
		t.Run(x.args, func(t *testing.T) {
			table, _ := scenario.New()
			err := table.Parse(strings.Fields(x.args))
			var usage *scenario.UsageError
			if !errors.As(err, &usage) {
				t.Fatalf("got %v, want a usage error", err)
			}
			if !strings.HasPrefix(err.Error(), x.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("got  %s\nwant %s", err, x.want)
			}
		})
	}
}

func TestHelpAsked(t *testing.T) {
	for _, args := range []string{"-h", "--help", "-npcs 3 -help"} {
		table, _ := scenario.New()
		if err := table.Parse(strings.Fields(args)); !errors.Is(err, scenario.ErrHelp) {
			t.Errorf("%s: got %v, want ErrHelp", args, err)
		}
	}
}

const whole = `# every key there is
title = "All"
about = "Everything at once."
life = "rush"
crowd = 3
pins = [[8, 8], [-1, 2]]
wandering-visitors = 2
visitors = [
  # one that stands
  {track = [[10, 10]]},
  {track = [[1, 2], [3, 4]]},
]

[stalls]
every = 5000
for = "5ms"
in = "wakes"
seed = 9
only = 17

[world]
npcs = 10_000
path-cache = 16
ai-cost = "2us"
map = "maps/arena.map"

[pacing]
tick-rate = 59.94
time-scale = 2
sleep-floor = "100us"
wait = "gate"
`

func TestFile(t *testing.T) {
	file := write(t, "all.toml", whole)
	table, c := scenario.New()
	if err := table.Parse([]string{"-scenario", file, "-npcs", "77"}); err != nil {
		t.Fatal(err)
	}
	if c.Params.NPCs != 77 {
		t.Errorf("npcs %d: the flag should win over the file", c.Params.NPCs)
	}
	if c.Title != "All" || c.About != "Everything at once." || c.Params.Life != world.LifeRush || c.Params.Crowd != 3 {
		t.Errorf("top keys: %+v", c)
	}
	if p := c.Params.Pins; len(p) != 2 || p[1] != (routes.ZoneKey{X: -1, Y: 2}) {
		t.Errorf("pins %v", p)
	}
	if v := c.Params.Visitors; len(v) != 2 || len(v[1].Track) != 2 || v[1].Track[1] != (routes.Cell{X: 3, Y: 4}) {
		t.Errorf("visitors %v", v)
	}
	if c.Params.WanderingVisitors != 2 {
		t.Errorf("wandering visitors %d", c.Params.WanderingVisitors)
	}
	if want := (world.Stalls{Every: 5000, For: 5 * time.Millisecond, In: world.StallWakes, Seed: 9, Only: 17}); c.Params.Stalls != want {
		t.Errorf("stalls %+v, want %+v", c.Params.Stalls, want)
	}
	if c.Params.PathCacheEntries != 16 || c.Params.PathCacheBytes != 0 || c.AICost != 2*time.Microsecond {
		t.Errorf("cache %d %d, cost %v", c.Params.PathCacheEntries, c.Params.PathCacheBytes, c.AICost)
	}
	if want := filepath.Join(filepath.Dir(file), "maps/arena.map"); c.Map != want {
		t.Errorf("map %q, want %q: relative to the file", c.Map, want)
	}
	if c.Pacing.TickRate != (loop.Rate{Num: 60000, Den: 1001}) || c.Pacing.TimeScale != 2 || c.Pacing.Wait != coordinator.Gate {
		t.Errorf("pacing %+v", c.Pacing)
	}
}

// What editors on Windows write is read too.
func TestFileFromWindows(t *testing.T) {
	file := write(t, "w.toml", "\ufefftitle = 'Wide'\r\n[world]\r\nnpcs = 5\r\n")
	table, c := scenario.New()
	if err := table.Parse([]string{"-scenario", file}); err != nil {
		t.Fatal(err)
	}
	if c.Title != "Wide" || c.Params.NPCs != 5 {
		t.Errorf("title %q, npcs %d", c.Title, c.Params.NPCs)
	}
}

func TestFileMapFlagWins(t *testing.T) {
	file := write(t, "m.toml", "[world]\nmap = 'there.map'\n")
	table, c := scenario.New()
	if err := table.Parse([]string{"-map", "here.map", "-scenario", file}); err != nil {
		t.Fatal(err)
	}
	if c.Map != "here.map" {
		t.Errorf("map %q, want here.map", c.Map)
	}
}

func TestBadFiles(t *testing.T) {
	for _, x := range []struct{ name, text, want string }{
		{"unknown in a section", "[world]\nnpcs = 3\n  npc = 4\n", ":3:3: unknown key world.npc, did you mean npcs?"},
		{"unknown at the top", "lives = 3\n", ":1:1: unknown key lives, did you mean life?"},
		{"unknown section", "life = 'town'\n[worlds]\nnpcs = 3\n", ":2:2: unknown key worlds, did you mean world?"},
		{"unknown far from all", "[world]\nxyzzyxyzzyxyzzyxyzzy = 4\n", ":2:1: unknown key world.xyzzyxyzzyxyzzyxyzzy: accepted are map, npcs, seed"},
		{"in a visitor", "visitors = [{track = [[1, 2]], speed = 3}]\n", ":1:32: unknown key visitors.0.speed: accepted are track"},
		{"array of tables", "[[visitors]]\ntrack = [[1, 2]]\n[[visitors]]\ntrack = [[1, 2]]\nsize = 1\n", ":5:1: unknown key visitors.1.size"},
		{"wrong section", "[pacing]\nnpcs = 3\n", ":2:1: unknown key pacing.npcs: it stands in [world]"},
		{"no section", "tick-rate = 3\n", ":1:1: unknown key tick-rate: it stands in [pacing]"},
		{"flag only", "[world]\nrequest-queue = 3\n", ":2:1: unknown key world.request-queue: a flag only, -request-queue"},
		{"out of range", "\n[pacing]\nlag-threshold = 0\n", ":3:1: lag-threshold 0: accepted are 1 to 1000 ticks"},
		{"the first fault of two", "[pacing]\nlag-threshold = 0\n[world]\nnpcs = -1\n", ":2:1: lag-threshold 0"},
		{"the first fault of two kinds", "[pacing]\nlog = 0\n[world]\nnpcs = -1\n", ":2:1: unknown key pacing.log"},
		{"not a whole number", "[world]\nnpcs = 1.5\n", ":2:1: npcs: accepted is a whole number: 0 to 2000000"},
		{"a string for a number", "[world]\nnpcs = '5'\n", ":2:1: npcs: accepted is a whole number"},
		{"a number for a duration", "[pacing]\nsleep-floor = 5\n", ":2:1: sleep-floor: accepted is a string: "},
		{"a table for a number", "[world.npcs]\nx = 1\n", ":1:8: npcs: accepted is a whole number"},
		{"a number for a table", "world = 1\n", ":1:1: world: accepted is a table, [world]"},
		{"dotted", "world.npcs = -1\n", ":1:7: npcs -1: accepted are 0 to 2000000"},
		{"policy", "[pacing]\npolicy = 'skip'\n", ":2:1: policy skip: accepted are catchup, drop, slowdown"},
		{"life", "life = 'party'\n", ":1:1: life party: accepted are town, night, rush"},
		{"title of two lines", "title = \"a\\nb\"\n", `:1:1: title "a\nb": accepted is a short name without control characters`},
		{"commands for a terminal", "life = \"\\u001b[31m\"\n", `:1:1: life "\x1b[31m": accepted are town, night, rush`},
		{"pins no list", "pins = 3\n", ":1:1: pins: accepted is a list of [x, y]"},
		{"pin of one", "pins = [[1, 2],\n  [3]]\n", ": pins: accepted is [x, y], each -1048576 to 1048576"},
		{"pin of three", "pins = [[1, 2, 3]]\n", ": pins: accepted is [x, y]"},
		{"pin of text", "pins = [['a', 2]]\n", ": pins: accepted is [x, y]"},
		{"pin too far", "pins = [[1, 9999999999]]\n", ": pins: accepted is [x, y]"},
		{"pin no pair", "pins = [1, 2]\n", ": pins: accepted is [x, y]"},
		{"visitor count", "visitors = 3\n", ":1:1: visitors: accepted is a list of {track = [[x, y], ...]}"},
		{"visitor without track", "visitors = [{}]\n", ": visitors: accepted is {track = [[x, y], ...]}"},
		{"visitor with empty track", "visitors = [{track = []}]\n", ":1:14: track: accepted is at least one [x, y]"},
		{"too many visitors", "wandering-visitors = 65\n", ":1:1: wandering-visitors 65: accepted are 0 to 64"},
		{"too many together", "wandering-visitors = 64\nvisitors = [{track = [[1, 2]]}]\n", ":2:1: 65 visitors, the wandering ones included: accepted are 0 to 64"},
		{"stalls without for", "[stalls]\nevery = 5\n", `:1:2: [stalls] lacks "for"`},
		{"stalls in", "[stalls]\nevery = 5\nfor = '1ms'\nin = 'dreams'\n", ":4:1: stalls.in dreams: accepted are active, wakes, both"},
		{"no toml", "life = \n", ":1:"},
		{"a key twice", "life = 'town'\nlife = 'town'\n", ":2:"},
		{"a scenario in a scenario", "[world]\nscenario = 'town'\n", ":2:1: unknown key world.scenario: a flag only"},
	} {
		t.Run(x.name, func(t *testing.T) {
			file := write(t, "s.toml", x.text)
			table, _ := scenario.New()
			err := table.Parse([]string{"-scenario", file})
			var usage *scenario.UsageError
			if !errors.As(err, &usage) {
				t.Fatalf("got %v, want a usage error", err)
			}
			line, ok := strings.CutPrefix(err.Error(), file)
			if !ok || !strings.Contains(line, x.want) || strings.Contains(line, "\n") {
				t.Errorf("got  %s\nwant %s", line, x.want)
			}
			if strings.HasPrefix(line, ":0:") {
				t.Errorf("no position: %s", line)
			}
		})
	}
}

func TestLargeFileRefused(t *testing.T) {
	file := write(t, "s.toml", strings.Repeat("# much\n", 200_000))
	table, _ := scenario.New()
	if err := table.Parse([]string{"-scenario", file}); err == nil || !strings.Contains(err.Error(), "larger than 1MiB") {
		t.Errorf("got %v", err)
	}
}

func FuzzFile(f *testing.F) {
	f.Add(whole)
	for _, s := range []string{"", "a.b.c = 1", "[[visitors]]\n[visitors.x]\ny = 1", "x = [[1], {a = [2]}]", "[[a]]\n[[a.b]]\nc = 1\n[[a.b]]\nd = {e = 1}"} {
		f.Add(s)
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, text string) {
		file := filepath.Join(dir, "s.toml")
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		table, c := scenario.New()
		err := table.Parse([]string{"-scenario", file})
		var usage *scenario.UsageError
		switch {
		case err == nil:
			if err := c.Params.Validate(); err != nil {
				t.Errorf("accepted, but %v", err)
			}
		case !errors.As(err, &usage):
			t.Errorf("no usage error: %v", err)
		case strings.Contains(err.Error(), "\n"):
			t.Errorf("more than a line: %q", err)
		}
	})
}
