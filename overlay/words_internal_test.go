package overlay

import (
	"testing"
	"time"

	"chronoscope/loop"
	"chronoscope/routes"
	"chronoscope/world"
)

func TestTense(t *testing.T) {
	p := func(a, b loop.Tick) routes.ZonePassage { return routes.ZonePassage{Enter: a, Exit: b} }
	tests := []struct {
		p    routes.ZonePassage
		now  loop.Tick
		want string
	}{
		{p(10, 20), 9, "to come"},
		{p(10, 20), 10, "now"},
		{p(10, 20), 19, "now"},
		{p(10, 20), 20, "past"},
		{p(10, 10), 9, "to come"},
		{p(10, 10), 10, "to come"},
		{p(10, 10), 11, "past"},
		{p(0, loop.MaxTick), 5, "now"},
	}
	for _, tt := range tests {
		if got := Tense(tt.p, tt.now); got != tt.want {
			t.Errorf("Tense(%v, %d) = %q, want %q", tt.p, tt.now, got, tt.want)
		}
	}
}

func TestWords(t *testing.T) {
	tests := []struct{ name, got, want string }{
		{"now", until(5, 5), "now"},
		{"one tick", until(6, 5), "in 1 tick"},
		{"later", until(1_205, 5), "in 1 200 ticks"},
		{"before", until(5, 7), "2 ticks ago"},
		{"never", until(loop.MaxTick, 7), "never"},
		{"half open", spanText(1_000, 2_000), "[1 000, 2 000)"},
		{"without end", spanText(1, loop.MaxTick), "[1, no end)"},
		{"clock", clock(0), "day 1 06:00"},
		{"no clock", clock(loop.MaxTick), "never"},
		{"touched", passageText(7, 7, 5), "[7, 7) touched"},
		{"to come", passageText(7, 9, 5), "[7, 9) in 2 ticks"},
		{"there", passageText(7, 9, 8), "[7, 9)"},
		{"one", plural(1, "cell"), "1 cell"},
		{"none", plural(0, "cell"), "0 cells"},
		{"a leg", noteText(world.Note{Tick: 5, Handled: 5, Kind: world.NoteLeg, Leg: 12, N: 1_000}), "leg 12 began, 1 000 ticks"},
		{"late", noteText(world.Note{Tick: 5, Handled: 6, Kind: world.NoteActive}), "became active, handled 1 tick later"},
		{"a stall", noteText(world.Note{Kind: world.NoteStall, N: 1_500}), "stalled for 1.5 s"},
		{"a hold", noteText(world.Note{Kind: world.NoteHold, N: 1}), "told to stay for 1 tick"},
		{"unheard of", noteText(world.Note{Kind: 200}), "something else"},
		{"no difference", differences(Setup{Seed: 1}, Setup{Seed: 1}), ""},
		{"differences", differences(Setup{Seed: 1, ZoneSide: 16, Map: "town"}, Setup{Seed: 2, ZoneSide: 32, Map: "town"}), "seed 1 -> 2, zone side 16 -> 32"},
		{"another file", differences(Setup{Map: "a/x.map"}, Setup{Map: "b/x.map"}), "a file of the same name"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.got != tt.want {
				t.Errorf("%q, want %q", tt.got, tt.want)
			}
		})
	}
	// Every kind has words of its own.
	seen := map[string]world.NoteKind{}
	for k := world.NoteWoke; k <= world.NoteEnd; k++ {
		s := noteText(world.Note{Kind: k})
		if other, ok := seen[s]; ok {
			t.Errorf("notes %d and %d both read %q", other, k, s)
		}
		seen[s] = k
	}
}

func TestPrecise(t *testing.T) {
	tests := []struct {
		d    time.Duration
		want string
	}{
		{-1, "0"}, {0, "0"}, {999, "999 ns"}, {time.Microsecond, "1 us"}, {12340, "12.3 us"}, {100 * time.Microsecond, "100 us"},
		{999_400, "999 us"}, {999_600, "1 ms"}, {16_666 * time.Microsecond, "16.7 ms"}, {9_996 * time.Microsecond, "10 ms"},
		{999_600 * time.Microsecond, "1 s"}, {2500 * time.Millisecond, "2.5 s"}, {185 * time.Second, "3 min 05 s"},
	}
	for _, tt := range tests {
		if got := Precise(tt.d); got != tt.want {
			t.Errorf("Precise(%v) = %q, want %q", tt.d, got, tt.want)
		}
	}
	if a, b := Brief(120*time.Millisecond), Brief(1500*time.Millisecond); a != "120 ms" || b != "1.5 s" {
		t.Errorf("Brief gives %q and %q", a, b)
	}
}
