package game

import (
	"strings"
	"testing"
	"time"

	"chronoscope/loop"
	"chronoscope/overlay"
	"chronoscope/routes"
	"chronoscope/world"
)

// placed is a town in which every leg leads to a place with a name.
type placed struct {
	*fakeTown
	place string
}

func (p placed) Character(spawn uint64, asked bool) (world.Detail, bool) {
	d, ok := p.fakeTown.Character(spawn, asked)
	d.Place = p.place
	return d, ok
}

func TestDescribe(t *testing.T) {
	f := newFakeTown(smallTown(t), 3)
	p, err := routes.NewSearcher(f.world).Find(f.world.Places[0].Cell, f.world.Places[3].Cell)
	if err != nil {
		t.Fatal(err)
	}
	walk := routes.NewRoute(1, 1, p, 1000)
	f.legs = []*routes.Leg{
		routes.NewStay(0, 1, routes.Point{}, 0, loop.MaxTick, 16), walk, routes.NewStay(2, 1, routes.Point{}, 0, 1720, 16),
	}
	left := func(t loop.Tick) string { return overlay.Span(loopTime(walk.End - t)) }
	tests := []struct {
		spawn uint64
		place string
		tick  loop.Tick
		want  string
	}{
		{0, "", 1000, "#0 staying"},
		{0, "The Iron Lion", 1000, "#0 at The Iron Lion"},
		{1, "Mill Lane", 1000, "#1 walking to Mill Lane, there in " + left(1000)},
		{1, "", 1030, "#1 on the way, there in " + left(1030)},
		{1, "Mill Lane", walk.End, "#1 at Mill Lane"},
		{2, "home", 1000, "#2 at home, for 12 s more"},
		{77, "home", 1000, "#77"},
	}
	for _, tt := range tests {
		t.Run(tt.want, func(t *testing.T) {
			f.moment.Tick = tt.tick
			g := testGame(t, placed{f, tt.place})
			if got := g.describe(tt.spawn); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

// loopTime is how long ticks take at 60 a second.
func loopTime(n loop.Tick) time.Duration { return time.Duration(n) * 1e9 / 60 }

func TestHintSaysWhatAClickDoes(t *testing.T) {
	f := newFakeTown(smallTown(t), 3)
	g := testGame(t, f)
	g.choose(overlay.Selection{Kind: overlay.OneCharacter, Spawn: 2})
	g.found = []hit{{spawn: 1}, {spawn: 2}}
	tests := []struct {
		name string
		key  hintKey
		want []string
	}{
		{"a zone", hintKey{}, []string{"zone 0, 0", "click: select", "double click or P: pin"}},
		{"a zone, by keys", hintKey{byKeys: true}, []string{"Enter: select", "P: pin"}},
		{"a pile", hintKey{someone: true, spawn: 1}, []string{"#1", "click: select", "the next of 2"}},
		{"where to", hintKey{rerouting: true}, []string{"click: where #2 is to go", "Esc"}},
		{"a layer", hintKey{row: 2}, []string{"registered", "click: show"}},
		{"end", hintKey{ended: true}, []string{"E again: #2 ends"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := g.hintText(tt.key)
			for _, w := range tt.want {
				if !strings.Contains(got, w) {
					t.Errorf("%q doesn't say %q", got, w)
				}
			}
		})
	}
	for row, text := range rowTexts {
		if (text == "") != (row == 0) {
			t.Errorf("row %d of the legend: %q", row, text)
		}
	}
	f.pinned[routes.ZoneKey{}] = true
	g.zones.update(f)
	if got := g.hintText(hintKey{}); !strings.Contains(got, "pinned") || !strings.Contains(got, "unpin") {
		t.Errorf("%q of a pinned zone", got)
	}
}

// A map with nobody on it says why, and what would fill it.
func TestEmptyText(t *testing.T) {
	full := overlay.Values{Characters: overlay.Characters{Sleeping: 1}}
	all := overlay.DefaultLayers()
	tests := []struct {
		name   string
		values overlay.Values
		layers overlay.Layers
		want   string
	}{
		{"somebody", full, all, ""},
		{"nobody", overlay.Values{}, all, "nobody lives here"},
		{"all ended", overlay.Values{Characters: overlay.Characters{Ended: 9}}, all, "nobody lives here"},
		{"another world is on its way", overlay.Values{Opening: true}, all, "making another world"},
		{"hidden", full, overlay.Layers{overlay.PlaceLayer: true}, "hidden"},
		{"only zones", full, overlay.Layers{overlay.ZoneLayer: true}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := &Game{values: tt.values, layers: tt.layers, crowd: &crowd{}, census: &census{}}
			if got := g.emptyText(); (got == "") != (tt.want == "") || !strings.Contains(got, tt.want) {
				t.Errorf("says %q, want %q", got, tt.want)
			}
		})
	}
	g := &Game{values: full, layers: all, crowd: &crowd{sweeping: true}, census: &census{}}
	if got := g.emptyText(); !strings.Contains(got, "counting") {
		t.Errorf("says %q before the first count", got)
	}
	if g.census.whole = 1; g.emptyText() != "" {
		t.Errorf("says %q after it", g.emptyText())
	}
}
