package scenario_test

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chronoscope/world/scenario"
)

// update rewrites golden files: go test ./world/scenario -update.
var update = flag.Bool("update", false, "rewrite golden files")

func TestBuiltinScenarios(t *testing.T) {
	if want := []string{"brake", "night", "rush", "town"}; !slices.Equal(scenario.Builtin(), want) {
		t.Fatalf("built-in scenarios %v, want %v", scenario.Builtin(), want)
	}
	for _, name := range scenario.Builtin() {
		t.Run(name, func(t *testing.T) {
			table, c := scenario.New()
			if err := table.Parse([]string{"-scenario", name}); err != nil {
				t.Fatal(err)
			}
			if c.Title == "" || c.About == "" {
				t.Error("a built-in scenario has a title and a few words about it")
			}
			if err := c.Params.Validate(); err != nil {
				t.Error(err)
			}
		})
	}
}

// The help names the table's defaults, so the scenario that runs by default
// must not have others.
func TestDefaultScenarioKeepsDefaults(t *testing.T) {
	table, _ := scenario.New()
	if err := table.Parse(nil); err != nil {
		t.Fatal(err)
	}
	for _, r := range table.Rows() {
		if got := r.Value.String(); got != r.Default {
			t.Errorf("-%s is %s without flags, the help says %s", r.Name, got, r.Default)
		}
	}
}

func TestHelpText(t *testing.T) {
	table, _ := scenario.New()
	got := table.HelpText("Usage: example [flags]\n")
	if err := table.Parse([]string{"-npcs", "5"}); err != nil {
		t.Fatal(err)
	}
	if again := table.HelpText("Usage: example [flags]\n"); again != got {
		t.Error("the help depends on what has been set")
	}
	golden := filepath.Join("testdata", "help.golden")
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("the help changed (go test ./world/scenario -update rewrites it):\n%s", got)
	}
	for line := range strings.Lines(got) {
		if len(line) > 97 {
			t.Errorf("line of %d bytes: %s", len(line), line)
		}
	}
}

// Each default and each present value reads back as itself: what a report or a
// settings file says can be given as a flag.
func TestValuesReadBack(t *testing.T) {
	table, _ := scenario.New()
	var b bool
	table.Add(scenario.Row{Name: "switch", Group: "Run", Help: "a switch", Value: &scenario.Bool{P: &b}})
	for _, r := range table.Rows() {
		if err := r.Value.Set(r.Value.String()); err != nil {
			t.Errorf("-%s doesn't take its own default %q: %v", r.Name, r.Value, err)
		}
		if r.Value.String() != r.Default {
			t.Errorf("-%s: %q became %q", r.Name, r.Default, r.Value)
		}
		if r.Value.Accepted() == "" || r.Value.Forms() == 0 {
			t.Errorf("-%s has no range or no form in a file", r.Name)
		}
	}
	plain := table.Plain()
	if plain["npcs"] != 2000 || plain["tick-rate"] != "60" || plain["switch"] != false || plain["ai-cost"] != "1us" {
		t.Errorf("plain values %v", plain)
	}
}

func TestBoolFlag(t *testing.T) {
	for args, want := range map[string]bool{"-switch": true, "-switch=false": false, "--switch=true": true} {
		table, _ := scenario.New()
		var b bool
		table.Add(scenario.Row{Name: "switch", Group: "Run", Kind: scenario.Program, Help: "a switch", Value: &scenario.Bool{P: &b}})
		if err := table.Parse([]string{args}); err != nil || b != want {
			t.Errorf("%s: got %v, %v", args, b, err)
		}
	}
	table, _ := scenario.New()
	var b bool
	table.Add(scenario.Row{Name: "switch", Group: "Run", Help: "a switch", Value: &scenario.Bool{P: &b}})
	if err := table.Parse([]string{"-switch=maybe"}); err == nil || err.Error() != "-switch maybe: accepted are true or false" {
		t.Errorf("got %v", err)
	}
}

func TestAddRefusesMistakes(t *testing.T) {
	n := 0
	for name, row := range map[string]scenario.Row{
		"twice":    {Name: "npcs", Group: "World", Help: "again", Value: &scenario.Int[int]{P: &n}},
		"no group": {Name: "x", Help: "x", Value: &scenario.Int[int]{P: &n}},
		"no help":  {Name: "x", Group: "World", Value: &scenario.Int[int]{P: &n}},
		"no value": {Name: "x", Group: "World", Help: "x"},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			table, _ := scenario.New()
			table.Add(row)
		})
	}
}

func TestBytes(t *testing.T) {
	for text, want := range map[string]int64{"64MiB": 64 << 20, "1GiB": 1 << 30, "3KiB": 3072, "17B": 17, "2 MiB": 2 << 20} {
		got, err := scenario.ParseBytes(text)
		if err != nil || got != want {
			t.Errorf("%s: got %d, %v; want %d", text, got, err, want)
		}
		if back, err := scenario.ParseBytes(scenario.FormatBytes(want)); err != nil || back != want {
			t.Errorf("%d is written %s", want, scenario.FormatBytes(want))
		}
	}
	for _, text := range []string{"", "MiB", "64", "64MB", "-1MiB", "1.5MiB", "+1B", "99999999999GiB", "9999999999999B"} {
		if got, err := scenario.ParseBytes(text); err == nil {
			t.Errorf("%q: got %d, want an error", text, got)
		}
	}
}
