package game

import (
	"testing"

	"chronoscope/loop"
	"chronoscope/overlay"
	"chronoscope/routes"
)

func TestVisits(t *testing.T) {
	a, b, c := routes.ZoneKey{X: 1}, routes.ZoneKey{X: 2}, routes.ZoneKey{X: 2, Y: 1}
	got := visits([]routes.ZonePassage{
		{Zone: a, Enter: 0, Exit: 1200}, {Zone: b, Enter: 1200, Exit: 1300}, {Zone: c, Enter: 1300, Exit: 1300},
		{Zone: a, Enter: 1300, Exit: 1400}, {Zone: b, Enter: 1400, Exit: loop.MaxTick},
	})
	want := []visit{
		{zone: a, texts: []string{"[0, 1 200)", "[1 300, 1 400)"}},
		{zone: b, texts: []string{"[1 200, 1 300)", "[1 400, no end)"}},
		{zone: c, texts: []string{"[1 300, 1 300)"}, brief: true},
	}
	if len(got) != len(want) {
		t.Fatalf("%d zones, want %d", len(got), len(want))
	}
	for i, w := range want {
		g := got[i]
		if g.zone != w.zone || g.brief != w.brief || len(g.texts) != len(w.texts) || len(g.passages) != len(w.texts) {
			t.Fatalf("zone %d: %+v, want %+v", i, g, w)
		}
		for k := range w.texts {
			if g.texts[k] != w.texts[k] {
				t.Errorf("zone %d: %q, want %q", i, g.texts[k], w.texts[k])
			}
		}
	}
	for _, tt := range []struct {
		t    loop.Tick
		want [3]overlay.Phase
	}{
		{0, [3]overlay.Phase{overlay.IsNow, overlay.IsToCome, overlay.IsToCome}},
		{1250, [3]overlay.Phase{overlay.IsToCome, overlay.IsNow, overlay.IsToCome}}, // it comes back to the first
		{1300, [3]overlay.Phase{overlay.IsNow, overlay.IsToCome, overlay.IsPast}},
		{5000, [3]overlay.Phase{overlay.IsPast, overlay.IsNow, overlay.IsPast}},
	} {
		for i := range got {
			if p := got[i].phase(tt.t); p != tt.want[i] {
				t.Errorf("tick %d, zone %d: phase %d, want %d", tt.t, i, p, tt.want[i])
			}
		}
	}
}

// The selected character's zones are drawn in the colours of their phases, one
// without a tick with dashes, and the intervals are written where they fit.
func TestDrawPassages(t *testing.T) {
	g := testGame(t, newFakeTown(smallTown(t), 10))
	g.moment.Tick = 1250
	a, b, c := routes.ZoneKey{X: 3, Y: 3}, routes.ZoneKey{X: 4, Y: 3}, routes.ZoneKey{X: 4, Y: 4}
	g.selected.visits = visits([]routes.ZonePassage{
		{Zone: a, Enter: 1000, Exit: 1200}, {Zone: b, Enter: 1200, Exit: 1300}, {Zone: c, Enter: 1290, Exit: 1290},
	})
	draw := func(scale float64) {
		g.cam.Center(64, 64)
		g.cam.Scale = scale
		g.labels = g.labels[:0]
		g.mesh.Reset()
		g.drawPassages()
	}
	draw(12)
	want := map[string]overlay.Phase{"[1 000, 1 200)": overlay.IsPast, "[1 200, 1 300)": overlay.IsNow, "[1 290, 1 290)": overlay.IsToCome}
	if len(g.labels) != len(want) {
		t.Errorf("%d labels, want %d", len(g.labels), len(want))
	}
	for _, l := range g.labels {
		if p, ok := want[l.s]; !ok || l.c != p.Color() {
			t.Errorf("%q in %v", l.s, l.c)
		}
	}
	// Filled: five quads each; dashed: many.
	if n := len(g.mesh.Vertices) / 4; n < 2*5+12 {
		t.Errorf("%d quads: nothing is dashed", n)
	}
	draw(2)
	if len(g.labels) != 0 || len(g.mesh.Vertices) == 0 {
		t.Errorf("from afar %d labels, %d vertices", len(g.labels), len(g.mesh.Vertices))
	}
	for _, p := range []overlay.Phase{overlay.IsPast, overlay.IsToCome} {
		if p.Color() == overlay.ZoneEdge {
			t.Errorf("the colour of an active zone means something else")
		}
	}
}
