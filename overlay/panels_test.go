package overlay_test

import (
	"image"
	"testing"

	"chronoscope/coordinator"
	"chronoscope/loop"
	"chronoscope/overlay"
)

func values() *overlay.Values {
	return &overlay.Values{
		Pacing:       coordinator.DefaultPacing(),
		Laggards:     []overlay.LaggardRow{{Name: "#7", Spawn: 7, Placed: true, Lag: 12}, {Name: "wake scheduler", Lag: 11}},
		LaggardCount: 40,
	}
}

// Nobody touches anything: no intent may come out, whatever is shown.
func TestPanelsAskForNothingByThemselves(t *testing.T) {
	tests := []struct {
		name   string
		change func(*overlay.Values)
	}{
		{"as it is", func(*overlay.Values) {}},
		{"a fractional rate", func(v *overlay.Values) { v.Pacing.TickRate = overlay.NTSC() }},
		{"the lowest rate", func(v *overlay.Values) { v.Pacing.TickRate = loop.Hz(1) }},
		{"the highest threshold", func(v *overlay.Values) { v.Pacing.LagThreshold = 1000 }},
		{"paused", func(v *overlay.Values) { v.Paused = true }},
		{"no laggards", func(v *overlay.Values) { v.Laggards = nil }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v := values()
			tt.change(v)
			var p overlay.Panels
			for i := range 5 {
				in, err := p.Update(v, image.Rect(1000, 0, 1340, 900), 1)
				if err != nil {
					t.Fatal(err)
				}
				if in != (overlay.Intents{}) {
					t.Fatalf("update %d asks for %+v", i, in)
				}
			}
		})
	}
}

func TestPanelsFollowTheirPlace(t *testing.T) {
	var p overlay.Panels
	v := values()
	for _, place := range []struct {
		r     image.Rectangle
		scale int
	}{
		{image.Rect(1100, 0, 1440, 900), 1},
		{image.Rect(620, 0, 960, 600), 1},
		{image.Rect(2200, 0, 2880, 1800), 2},
		{image.Rect(1100, 0, 1440, 900), 1},
	} {
		// The frame of the change still shows the old place.
		for range 2 {
			if _, err := p.Update(v, place.r, place.scale); err != nil {
				t.Fatal(err)
			}
		}
		s := p.RateSlider()
		if s.Empty() || !s.In(place.r) {
			t.Errorf("slider at %v with the sidebar at %v", s, place.r)
		}
		if s.Dx() < 150*place.scale {
			t.Errorf("slider %d pixels wide at scale %d: too short to drag", s.Dx(), place.scale)
		}
	}
	if _, err := p.Update(v, image.Rectangle{}, 1); err != nil {
		t.Fatal(err)
	}
	if s := p.RateSlider(); !s.Empty() {
		t.Errorf("hidden panels have a slider at %v", s)
	}
}
