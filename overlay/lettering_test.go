package overlay_test

import (
	"testing"

	"chronoscope/overlay"
)

func TestDigitsStandStill(t *testing.T) {
	l, err := overlay.NewLettering()
	if err != nil {
		t.Fatal(err)
	}
	for _, scale := range []float64{1, 1.25, 2} {
		l.SetScale(scale)
		for _, st := range []overlay.Style{overlay.Small, overlay.Body, overlay.Strong, overlay.Large} {
			want := l.Width("0", st)
			for d := '1'; d <= '9'; d++ {
				if got := l.Width(string(d), st); got != want {
					t.Errorf("scale %v, size %v: %c is %v wide, 0 is %v", scale, st.Size, d, got, want)
				}
			}
		}
	}
}

func TestLetteringScale(t *testing.T) {
	l, err := overlay.NewLettering()
	if err != nil {
		t.Fatal(err)
	}
	small, one := overlay.Style{Size: 3}, l.Width("tick 123", overlay.Small)
	if got := l.Width("tick 123", small); got != one {
		t.Errorf("text of size 3 is %v wide, want %v: nothing is under %d px", got, one, overlay.MinSize)
	}
	l.SetScale(2)
	if got := l.Width("tick 123", overlay.Small); got < 1.9*one || got > 2.1*one {
		t.Errorf("at scale 2 %v wide, at 1 %v", got, one)
	}
	l.SetScale(0)
	if l.Scale() != 2 {
		t.Errorf("a scale of 0 was taken")
	}
	if n := testing.AllocsPerRun(20, func() { l.Width("tick 123", overlay.Small) }); n != 0 {
		t.Errorf("%v allocations for a line that is laid out already", n)
	}
}
