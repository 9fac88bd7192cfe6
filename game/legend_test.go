package game

import (
	"image"
	"testing"

	"chronoscope/overlay"
)

// In a small view the layers are one row of keys, each of which can be hit.
func TestLegendLeavesTheMap(t *testing.T) {
	tests := []struct {
		name    string
		w, h    int // the window
		compact bool
		share   float64 // of the view, at most
	}{
		{"as it starts", DefaultWidth, DefaultHeight, false, 0.12},
		{"the least window", MinWidth, MinHeight, true, 0.20},
		{"low", DefaultWidth, MinHeight, true, 0.12},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := show(t, Options{World: World{Source: newFakeTown(smallTown(t), 50)}}, tt.w, tt.h)
			still(t, g)
			var box, view image.Rectangle
			var rows [overlay.LayerCount + 1]image.Rectangle
			inLoop(t, func() { box, view, rows = g.legendBox, g.at.view, g.legend.rows })
			if box.Empty() {
				t.Fatal("there is no legend")
			}
			if got := float64(box.Dx()*box.Dy()) / float64(view.Dx()*view.Dy()); got > tt.share {
				t.Errorf("it covers %.0f %% of the view", got*100)
			}
			for i, r := range rows {
				if !r.In(box) || r.Dx() < 20 || r.Dy() < 19 {
					t.Errorf("layer %d is at %v in %v", i+1, r, box)
				}
				for j := range i {
					if r.Overlaps(rows[j]) {
						t.Errorf("layers %d and %d overlap: %v, %v", i+1, j+1, r, rows[j])
					}
				}
				if compact := r.Min.Y == rows[0].Min.Y; i > 0 && i < 5 && compact != tt.compact {
					t.Errorf("layer %d beside the first: %v", i+1, compact)
				}
				inLoop(t, func() { g.pointer.seen = r.Min.Add(image.Pt(3, 3)) })
				if got := g.pointedRow(); got != i+1 {
					t.Errorf("the pointer on layer %d is on row %d", i+1, got)
				}
			}
		})
	}
}
