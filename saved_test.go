package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chronoscope/coordinator"
	"chronoscope/game"
	"chronoscope/loop"
	"chronoscope/overlay"
	"chronoscope/world/scenario"
)

func TestSettingsComeBack(t *testing.T) {
	path := filepath.Join(t.TempDir(), "deep", "settings.toml")
	look := game.Look{Width: 1200, Height: 700, Fullscreen: true, Dock: true, Minimap: true, Tab: overlay.TickTab, Layers: overlay.Layers{overlay.HeatLayer: true},
		Sections: overlay.Sections{overlay.WorldSection: true}}
	pace := coordinator.DefaultPacing()
	pace.TickRate, pace.LagThreshold, pace.Wait = loop.Rate{Num: 60000, Den: 1001}, 7, coordinator.Gate
	if err := remember(path)(look, pace); err != nil {
		t.Fatal(err)
	}
	saved, err := recall(path)
	if err != nil {
		t.Fatal(err)
	}
	var s settings
	table, config := newTable(&s, saved)
	if err := table.Parse(nil); err != nil {
		t.Fatal(err)
	}
	if s.worn() != look || config.Pacing != pace {
		t.Errorf("came back as %+v and %+v", s.worn(), config.Pacing)
	}
	// Flags win.
	table, config = newTable(&s, saved)
	if err := table.Parse([]string{"-vsync", "-size", "1000x600", "-tick-rate", "30"}); err != nil {
		t.Fatal(err)
	}
	if l := s.worn(); !l.VSync || l.Width != 1000 || l.Height != 600 || !l.Fullscreen || config.Pacing.TickRate != loop.Hz(30) || config.Pacing.LagThreshold != 7 {
		t.Errorf("with flags: %+v and %+v", l, config.Pacing)
	}
	// The help shows the program's defaults, whatever was saved.
	if table.Lookup("tick-rate").Default != "60" || table.Lookup("size").Default != "1440x900" {
		t.Errorf("defaults: %q, %q", table.Lookup("tick-rate").Default, table.Lookup("size").Default)
	}
	// A scenario wins as well.
	file := filepath.Join(t.TempDir(), "s.toml")
	if err := os.WriteFile(file, []byte("[pacing]\nlag-threshold = 30\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	table, config = newTable(&s, saved)
	if err := table.Parse([]string{"-scenario", file}); err != nil || config.Pacing.LagThreshold != 30 || config.Pacing.Wait != coordinator.Gate {
		t.Errorf("with a scenario: %v, %+v", err, config.Pacing)
	}
}

func TestBrokenSettingsAreSetAside(t *testing.T) {
	tests := []struct {
		name, text string
		want       []string
	}{
		{"no TOML", "window = [", []string{"line 1"}},
		{"unknown key", "[window]\nvsnc = true\n", []string{"line 2", "window.vsnc"}},
		{"unknown table", "[world]\nseed = 3\n", []string{"world"}},
		{"size", "[window]\nsize = \"3x3\"\n", []string{"window.size", "960x600"}},
		{"layer", "[window]\nlayers = [\"clouds\"]\n", []string{"window.layers", "clouds"}},
		{"tab", "[window]\ntab = \"maps\"\n", []string{"window.tab", "maps", "ticks"}},
		{"type", "[window]\nvsync = 3\n", []string{"line 2"}},
		{"rate", "[pacing]\ntick-rate = \"900\"\n", []string{"pacing.tick-rate", "900", "240"}},
		{"world parameter", "[pacing]\nseed = \"900\"\n", []string{"pacing.seed"}},
		{"endless", strings.Repeat("# long\n", maxSaved), []string{"bytes"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "settings.toml")
			if err := os.WriteFile(path, []byte(tt.text), 0o600); err != nil {
				t.Fatal(err)
			}
			saved, err := recall(path)
			if saved != nil || err == nil || strings.Contains(err.Error(), "\n") {
				t.Fatalf("%v, %v: want one line", saved, err)
			}
			for _, part := range append(tt.want, path, "set aside as "+path+".broken") {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("%q does not say %q", err, part)
				}
			}
			if got, err := os.ReadFile(path + ".broken"); err != nil || string(got) != tt.text {
				t.Errorf("the file's content is lost: %v", err)
			}
			if saved, err := recall(path); saved != nil || err != nil {
				t.Errorf("the second start: %v, %v", saved, err)
			}
		})
	}
}

// Every built-in scenario can be chosen for another world, and a setup leads to
// a world that is made as it says.
func TestSetups(t *testing.T) {
	list := builtin()
	if len(list) != len(scenario.Builtin()) {
		t.Fatalf("%d setups for %v", len(list), scenario.Builtin())
	}
	ws := &worlds{args: []string{"-wait", "gate", "-seed", "3"}}
	s := list[0]
	s.NPCs, s.Seed, s.Map = 5000, 9, "town:96"
	pace := coordinator.DefaultPacing()
	pace.LagThreshold = 21
	w, err := ws.another(s, pace)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Stop()
	var v overlay.Values
	w.Source.Values(&v)
	if v.Setup != s || v.Pacing != pace || v.Characters.Living() != 5000 || v.MapWidth != 96 {
		t.Errorf("made %+v with %+v, %d living on %d", v.Setup, v.Pacing, v.Characters.Living(), v.MapWidth)
	}
	s.Map = "nowhere.map"
	if _, err := ws.another(s, pace); err == nil || !strings.Contains(err.Error(), "nowhere.map") {
		t.Errorf("a map that isn't there: %v", err)
	}
}
