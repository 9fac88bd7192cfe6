package game

import (
	"image"
	"testing"

	"chronoscope/routes"
)

func TestMinimapBox(t *testing.T) {
	tests := []struct {
		name string
		view image.Rectangle
		unit float64
		w, h int32
		want image.Point // its size
	}{
		{"square", image.Rect(0, 36, 1100, 732), 1, 256, 256, image.Pt(180, 180)},
		{"wide", image.Rect(0, 36, 1100, 732), 1, 512, 128, image.Pt(180, 45)},
		{"dense display", image.Rect(0, 72, 2200, 1464), 2, 256, 256, image.Pt(360, 360)},
		{"the least window", image.Rect(0, 36, 620, 432), 1, 256, 256, image.Pt(110, 110)},
		{"no room", image.Rect(0, 36, 500, 432), 1, 256, 256, image.Point{}},
		{"flat", image.Rect(0, 36, 1100, 300), 1, 256, 256, image.Point{}},
		{"a mere strip", image.Rect(0, 36, 1100, 732), 1, 4096, 1, image.Pt(180, 1)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := minimapBox(tt.view, tt.unit, tt.w, tt.h)
			if got.Size() != tt.want {
				t.Errorf("%v, want %v", got.Size(), tt.want)
			}
			if !got.Empty() && (!got.In(tt.view) || got.Max.Y > tt.view.Max.Y-int(36*tt.unit)) {
				t.Errorf("%v covers the buttons of %v", got, tt.view)
			}
		})
	}
}

func TestMinimapMapping(t *testing.T) {
	m := minimap{box: image.Rect(900, 500, 1080, 590)}
	for y := m.box.Min.Y; y < m.box.Max.Y; y += 7 {
		for x := m.box.Min.X; x < m.box.Max.X; x += 7 {
			cx, cy := m.toMap(image.Pt(x, y), 512, 256)
			if cx < 0 || cy < 0 || cx >= 512 || cy >= 256 {
				t.Fatalf("(%d, %d) is (%v, %v), off the map", x, y, cx, cy)
			}
			if bx, by := m.toBox(cx, cy, 512, 256); int(bx) != x || int(by) != y {
				t.Fatalf("(%d, %d) comes back as (%v, %v)", x, y, bx, by)
			}
		}
	}
	if x, y := m.toMap(image.Pt(990, 545), 512, 256); !near(x, 257.4, 0.5) || !near(y, 129.4, 0.5) {
		t.Errorf("the middle is (%v, %v)", x, y)
	}
}

func TestPaintMinimap(t *testing.T) {
	m := testGround()
	for y := range 256 {
		for x := range 128 {
			m.Terrain[y*256+x] = routes.Water
		}
	}
	pix := make([]byte, 16*16*4)
	paintMinimap(m, 16, 16, pix)
	for i := range 256 {
		want := groundColors[routes.Field]
		if i%16 < 8 {
			want = groundColors[routes.Water]
		}
		if p := pix[4*i : 4*i+4]; p[0] != want.R || p[1] != want.G || p[2] != want.B || p[3] != 0xFF {
			t.Fatalf("pixel %d is %v, want %v", i, p, want)
		}
	}
}

// The pointer in the minimap moves the view, and a drag goes on moving it.
func TestMinimapMovesTheView(t *testing.T) {
	h := newHand(t)
	f := newFakeTown(smallTown(t), 20)
	g := show(t, Options{World: World{Source: f}}, MinWidth, MinHeight)
	var box image.Rectangle
	until(t, "the minimap", func() bool { box = g.minimap.box; return !box.Empty() })
	inLoop(t, func() { g.follow = true })
	at := func(p image.Point) func() bool {
		return func() bool {
			x, y := g.minimap.toMap(p, 128, 128)
			return near(g.cam.X, x, 0.01) && near(g.cam.Y, y, 0.01)
		}
	}
	p := box.Min.Add(image.Pt(20, 30))
	h.move(p)
	h.press()
	until(t, "the view where it was pressed", at(p))
	q := box.Min.Add(image.Pt(90, 60))
	h.move(q)
	until(t, "the view where it was dragged", at(q))
	h.move(image.Pt(300, 150)) // outside: as far as the map goes
	until(t, "the view at the map's corner", func() bool { return g.cam.X == 0 && g.cam.Y == 0 })
	h.release()
	h.move(q)
	until(t, "let go", func() bool { return !g.pointer.down })
	inLoop(t, func() {
		if g.cam.X != 0 || g.follow || len(f.orders) != 0 {
			t.Errorf("x %v, follows %v, orders %v", g.cam.X, g.follow, f.orders)
		}
	})
	h.do("key", "m")
	until(t, "no minimap", func() bool { return g.minimap.box.Empty() })
}
