package overlay_test

import (
	"testing"

	"chronoscope/overlay"
)

func TestRedraw(t *testing.T) {
	// Each step: touch for so many updates (0: none), then an update (u), or a
	// frame (f) that draws what is due.
	tests := []struct {
		name  string
		touch int
		steps string
		drawn string // per frame: whether it drew
	}{
		{"untouched", 0, "ufufff", "...."},
		{"nothing before the update", 1, "ffuff", "..#."},
		{"once for one update", 1, "ufufuf", "#.."},
		{"again after each update", 3, "ufufufuf", "###."},
		{"frames between updates", 2, "uffuffuff", "#.#..."},
		{"updates between frames", 3, "uuufuf", "#."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var r overlay.Redraw
			r.Touch(tt.touch)
			drawn := ""
			for _, s := range tt.steps {
				switch {
				case s == 'u':
					r.Updated()
				case r.Due():
					drawn += "#"
					r.Drawn()
				default:
					drawn += "."
				}
			}
			if drawn != tt.drawn {
				t.Errorf("%s drew %s, want %s", tt.steps, drawn, tt.drawn)
			}
		})
	}
	t.Run("a short touch doesn't cut a long one short", func(t *testing.T) {
		var r overlay.Redraw
		r.Touch(2)
		r.Touch(1)
		r.Updated()
		r.Drawn()
		if r.Updated(); !r.Due() {
			t.Error("not due after the second update")
		}
	})
}
