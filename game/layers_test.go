package game

import (
	"fmt"
	"image"
	"testing"

	"chronoscope/overlay"
	"chronoscope/routes"
)

// Every layer draws something that is gone without it, and its row in the legend
// and its key switch it.
func TestLayersShow(t *testing.T) {
	h := newHand(t)
	f := newFakeTown(smallTown(t), 120)
	f.pinned[routes.ZoneKey{X: 3, Y: 3}] = true
	f.pinned[routes.ZoneKey{X: 4, Y: 4}] = true
	f.world.Districts = []routes.District{{Name: "Nearby", Center: routes.Cell{X: 30, Y: 50}}}
	g := show(t, Options{World: World{Source: f}, Now: frozenClock}, MinWidth, MinHeight)
	var walker uint64
	inLoop(t, func() {
		g.showSidebar, g.showDock, g.showMinimap = false, false, false
		for l := range g.layers {
			g.layers[l] = true
		}
		g.cam.GoTo(64, 64)
		g.cam.Scale, g.cam.goal = 10, 10
		for i, l := range f.legs {
			x, y := l.AtFraction(600, 0)
			if l.Kind == routes.Route && f.moment.Tick+100 < l.End && near(x, 64, 25) && near(y, 64, 20) {
				walker = uint64(i)
			}
		}
		f.lag[walker] = 23
		g.choose(overlay.Selection{Kind: overlay.OneCharacter, Spawn: walker})
	})
	until(t, "the map over the whole window", func() bool { return g.at.view.Dx() == MinWidth })
	still(t, g)
	all := capture(t)
	for l := range overlay.LayerCount {
		t.Run(l.String(), func(t *testing.T) {
			if l == overlay.LaggardLayer {
				// A ring is drawn around those who are drawn one by one.
				inLoop(t, func() { g.cam.Scale = 10 })
			}
			inLoop(t, func() { g.toggleLayer(l) })
			still(t, g)
			without := capture(t)
			if n := differing(all, without, g.at.view, g.legendBox); n < 40 {
				t.Errorf("%d pixels differ", n)
			}
			inLoop(t, func() { g.toggleLayer(l); theLoop.still = false })
			still(t, g)
			if again := capture(t); differing(all, again, g.at.view, g.legendBox) != 0 {
				t.Error("shown again, it looks different")
			}
		})
	}
	inLoop(t, func() { theLoop.still = false })
	for l := range overlay.LayerCount {
		var row image.Rectangle
		inLoop(t, func() { row = g.legend.rows[l] })
		h.move(row.Min.Add(row.Size().Div(2)))
		h.press()
		h.release()
		until(t, fmt.Sprintf("%v hidden by a click", l), func() bool { return !g.layers[l] })
		h.do("key", fmt.Sprint(1+int(l)))
		until(t, fmt.Sprintf("%v shown by its key", l), func() bool { return g.layers[l] })
	}
}

// differing counts the pixels of the view that differ clearly, but for those in
// except.
func differing(a, b *image.RGBA, view, except image.Rectangle) int {
	n := 0
	for y := view.Min.Y; y < view.Max.Y; y++ {
		for x := view.Min.X; x < view.Max.X; x++ {
			if (image.Point{x, y}).In(except) {
				continue
			}
			i := a.PixOffset(x, y)
			for k := range 3 {
				if d := int(a.Pix[i+k]) - int(b.Pix[i+k]); d > 12 || d < -12 {
					n++
					break
				}
			}
		}
	}
	return n
}

func TestHeat(t *testing.T) {
	f := newFakeTown(smallTown(t), 50)
	g := testGame(t, f)
	now := frozenClock()
	h := &g.zones.heat
	lo, hi := routes.ZoneKey{X: 2, Y: 1}, routes.ZoneKey{X: 6, Y: 7}
	h.update(f, lo, hi, now)
	for y := range int32(8) {
		for x := range int32(8) {
			want := 0
			if x >= lo.X && y >= lo.Y && x <= hi.X && y <= hi.Y {
				want = int(f.Heat(routes.ZoneKey{X: x, Y: y}, routes.ZoneKey{X: x, Y: y}, nil)[0])
			}
			if got := h.count(x, y); got != want {
				t.Errorf("zone %d, %d: %d legs, want %d", x, y, got, want)
			}
		}
	}
	last := -1.0
	for n := range 2000 {
		tone := h.tone(float64(n))
		if tone < last || tone > 0.45 {
			t.Fatalf("%d legs: tone %v after %v", n, tone, last)
		}
		last = tone
	}
	// Numbers where they fit, tones together where zones are tiny.
	g.cam.Scale = 4
	if l := g.zones.warm(&g.mesh, g.cam, 1, nil, &g.words); len(l) == 0 {
		t.Error("no numbers in zones of 64 pixels")
	}
	g.cam.Scale = 2
	if l := g.zones.warm(&g.mesh, g.cam, 1, nil, &g.words); len(l) != 0 {
		t.Error("numbers in zones of 32 pixels")
	}
}
