package game

import (
	"image"
	"slices"
	"testing"
	"time"

	"chronoscope/overlay"
	"chronoscope/routes"
)

// testGame is a window that isn't shown: what a frame builds can be looked at.
func testGame(t testing.TB, s Source) *Game {
	t.Helper()
	g, err := New(Options{World: World{Source: s}, Now: frozenClock})
	if err != nil {
		t.Fatal(err)
	}
	g.place(MinWidth, MinHeight, 1)
	g.moment = s.Moment(frozenClock())
	g.figure = glyphsFor(g.cam.Scale, g.device)
	return g
}

// build builds a frame's map without drawing it.
func build(g *Game) {
	g.figure = glyphsFor(g.cam.Scale, g.device)
	g.updateSelected(g.drawnAt)
	g.ask()
	g.buildUnder()
	g.buildFigures()
	g.placeLabels()
}

func TestHits(t *testing.T) {
	cam := testCamera()
	cam.X, cam.Y, cam.Scale = 100, 100, 20
	c := newCrowd(testGround(), 16)
	at := func(spawn uint64, mode Mode, dx float32) Dot {
		ox, oy := scatter(spawn)
		return Dot{X: 100 - ox + dx/20, Y: 100 - oy, Spawn: spawn, Mode: mode}
	}
	mx, my := cam.middle()
	tests := []struct {
		name string
		dots []Dot
		unit float64
		want []uint64
	}{
		{"the nearest", []Dot{at(1, Resting, 6), at(2, Resting, 2), at(3, Resting, -4)}, 1, []uint64{2, 3, 1}},
		{"too far", []Dot{at(1, Active, 10.5)}, 1, nil},
		{"not on a dense display", []Dot{at(1, Active, 10.5)}, 2, []uint64{1}},
		{"active before walking before resting", []Dot{at(1, Resting, 0), at(2, Active, 8), at(3, Walking, 4)}, 1, []uint64{2, 3, 1}},
		{"at one place by number", []Dot{at(9, Walking, 0), at(4, Walking, 0)}, 1, []uint64{4, 9}},
		{"nobody", nil, 1, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []uint64
			for _, h := range hits(tt.dots, c, cam, tt.unit, mx, my, nil) {
				got = append(got, h.spawn)
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
	t.Run("not in a tile", func(t *testing.T) {
		for i := range c.tile {
			c.tile[i] = true
		}
		if h := hits([]Dot{at(1, Active, 0)}, c, cam, 1, mx, my, nil); len(h) != 0 {
			t.Errorf("hit %v, who isn't drawn", h)
		}
	})
}

func TestPickCycles(t *testing.T) {
	pile := []hit{{spawn: 5}, {spawn: 2}, {spawn: 8}}
	tests := []struct {
		name     string
		found    []hit
		selected uint64
		again    bool
		want     uint64
		ok       bool
	}{
		{"the first", pile, 0, false, 5, true},
		{"another spot", pile, 5, false, 5, true},
		{"the next", pile, 5, true, 2, true},
		{"round", pile, 8, true, 5, true},
		{"who is selected has gone", pile, 77, true, 5, true},
		{"nobody", nil, 5, true, 0, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got, ok := pick(tt.found, tt.selected, tt.again); got != tt.want || ok != tt.ok {
				t.Errorf("got %d, %v, want %d, %v", got, ok, tt.want, tt.ok)
			}
		})
	}
}

func TestNeighbour(t *testing.T) {
	dots := []Dot{{Spawn: 40}, {Spawn: 7}, {Spawn: 12}}
	tests := []struct {
		name      string
		from      uint64
		has, back bool
		want      uint64
	}{
		{"from nobody", 0, false, false, 7},
		{"from nobody back", 0, false, true, 40},
		{"next", 7, true, false, 12},
		{"from one not in view", 20, true, false, 40},
		{"round", 40, true, false, 7},
		{"back", 12, true, true, 7},
		{"back round", 7, true, true, 40},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got, ok := neighbour(dots, tt.from, tt.has, tt.back); got != tt.want || !ok {
				t.Errorf("got %d, %v, want %d", got, ok, tt.want)
			}
		})
	}
	if _, ok := neighbour(nil, 3, true, false); ok {
		t.Error("found somebody among nobody")
	}
}

// screenOf is where a character is drawn.
func screenOf(g *Game, spawn uint64) image.Point {
	d, _ := g.source.Where(g.moment, spawn)
	ox, oy := scatter(spawn)
	x, y := g.cam.ToScreen(float64(d.X+ox), float64(d.Y+oy))
	return image.Pt(int(x), int(y))
}

func TestClick(t *testing.T) {
	f := newFakeTown(smallTown(t), 1)
	g := testGame(t, f)
	g.cam.GoTo(64, 64)
	d, _ := f.Where(f.moment, 0)
	g.cam.Center(float64(d.X), float64(d.Y))
	build(g)
	now := frozenClock()
	click := func(p image.Point, after time.Duration) {
		now = now.Add(after)
		g.click(p, now)
	}
	someone := screenOf(g, 0)
	ground := someone.Add(image.Pt(60, 40))
	zone := g.zones.under(g.cam, float64(ground.X), float64(ground.Y))
	expect := func(what string, want overlay.Selection) {
		t.Helper()
		if g.selection != want {
			t.Errorf("%s: selected %+v, want %+v", what, g.selection, want)
		}
	}
	char := overlay.Selection{Kind: overlay.OneCharacter}
	area := overlay.Selection{Kind: overlay.OneZone, Zone: zone}

	click(someone, time.Second)
	expect("a character", char)
	click(someone, 50*time.Millisecond)
	expect("the same again at once", char)
	click(ground, time.Second)
	expect("the ground", area)
	click(ground, time.Second)
	expect("the same zone", overlay.Selection{})
	click(ground, time.Second)
	expect("once more", area)
	if len(f.orders) != 0 {
		t.Fatalf("clicks ordered %+v", f.orders)
	}
	click(ground, 100*time.Millisecond)
	expect("a double click", area)
	if !f.pinned[zone] {
		t.Error("a double click pins nothing")
	}
	g.zones.update(f)
	click(ground, time.Second)
	click(ground, 100*time.Millisecond)
	if f.pinned[zone] {
		t.Error("another doesn't let go")
	}

	g.choose(char)
	g.rerouting = true
	click(ground, time.Second)
	x, y := g.cam.ToMap(float64(ground.X), float64(ground.Y))
	want := overlay.Command{Kind: overlay.Reroute, To: routes.Cell{X: int32(x), Y: int32(y)}}
	if got := f.orders[len(f.orders)-1]; got != want || g.rerouting {
		t.Errorf("ordered %+v, want %+v; armed %v", got, want, g.rerouting)
	}
	expect("after a reroute", char)
}

func TestCommandKeys(t *testing.T) {
	f := newFakeTown(smallTown(t), 5)
	g := testGame(t, f)
	now := frozenClock()
	g.commandKey(overlay.Stall, now)
	if len(f.orders) != 0 || g.hud.notice == "" {
		t.Errorf("with nobody selected: %+v, notice %q", f.orders, g.hud.notice)
	}
	g.choose(overlay.Selection{Kind: overlay.OneCharacter, Spawn: 3})
	if f.traced != 3 {
		t.Errorf("traces %d", f.traced)
	}
	g.commandKey(overlay.Stall, now)
	g.commandKey(overlay.Hold, now)
	g.commandKey(overlay.Cancel, now)
	g.commandKey(overlay.End, now)
	g.commandKey(overlay.End, now.Add(endWithin+time.Millisecond)) // too late: asks again
	want := []overlay.Command{
		{Kind: overlay.Stall, Spawn: 3, For: stallFor}, {Kind: overlay.Hold, Spawn: 3, Ticks: holdFor}, {Kind: overlay.Cancel, Spawn: 3},
	}
	if !slices.Equal(f.orders, want) {
		t.Fatalf("ordered %+v, want %+v", f.orders, want)
	}
	g.commandKey(overlay.End, now.Add(endWithin+time.Second))
	if last := f.orders[len(f.orders)-1]; last != (overlay.Command{Kind: overlay.End, Spawn: 3}) {
		t.Errorf("E twice ordered %+v", last)
	}
}
