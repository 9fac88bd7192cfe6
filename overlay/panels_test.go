package overlay_test

import (
	"image"
	"testing"

	"chronoscope/loop"
	"chronoscope/overlay"
)

// Nobody touches anything: no intent may come out, whatever is shown.
func TestPanelsAskForNothingByThemselves(t *testing.T) {
	tests := []struct {
		name   string
		change func(*overlay.Values)
	}{
		{"as it is", func(*overlay.Values) {}},
		{"nothing known", func(v *overlay.Values) { *v = overlay.Values{} }},
		{"a fractional rate", func(v *overlay.Values) { v.Pacing.TickRate = overlay.NTSC() }},
		{"an odd rate", func(v *overlay.Values) { v.Pacing.TickRate = loop.Rate{Num: 61234, Den: 1000} }},
		{"the lowest rate", func(v *overlay.Values) { v.Pacing.TickRate = loop.Hz(1) }},
		{"the highest threshold", func(v *overlay.Values) { v.Pacing.LagThreshold = overlay.MaxThreshold }},
		{"a speed between the steps", func(v *overlay.Values) { v.Pacing.TimeScale = 1.37 }},
		{"paused", func(v *overlay.Values) { v.Paused = true }},
		{"slowing down", func(v *overlay.Values) { v.Pacing.Policy, v.Stretch = loop.SlowDown, 2.5 }},
		{"no laggards", func(v *overlay.Values) { v.Laggards, v.Braking = nil, false }},
		{"a character", func(v *overlay.Values) { v.Selection = aCharacter }},
		{"a character on the way", func(v *overlay.Values) { v.Selection = aCharacter; v.Rerouting, v.Follow = true, true }},
		{"a character not looked up yet", func(v *overlay.Values) { v.Selection = overlay.Selection{Kind: overlay.OneCharacter, Spawn: 9} }},
		{"one that has ended", func(v *overlay.Values) { v.Selection, v.Gone = aCharacter, true }},
		{"a zone", func(v *overlay.Values) { v.Selection = aZone }},
		{"a zone not looked up yet", func(v *overlay.Values) { v.Selection = overlay.Selection{Kind: overlay.OneZone} }},
		{"a sleeping zone", func(v *overlay.Values) { v.Selection, v.Zone.Active = aZone, false }},
		{"a new world", func(v *overlay.Values) { v.Opening = true }},
		{"no new world", func(v *overlay.Values) { v.Refused = "world: no" }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v := fullValues()
			tt.change(v)
			var p overlay.Panels
			p.SetOpen(everySection())
			for i := range 8 {
				p.Touch()
				p.Touch()
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

// Another selection, and back, while everything is open.
func TestPanelsAskForNothingWhenSelectionsChange(t *testing.T) {
	v := fullValues()
	var p overlay.Panels
	p.SetOpen(everySection())
	for i, s := range []overlay.Selection{{}, aCharacter, aZone, {Kind: overlay.OneCharacter, Spawn: 3}, aCharacter, {}} {
		v.Selection = s
		for range 3 {
			p.Touch()
			in, err := p.Update(v, image.Rect(1000, 0, 1340, 900), 1)
			if err != nil {
				t.Fatal(err)
			}
			if in != (overlay.Intents{}) {
				t.Fatalf("selection %d asks for %+v", i, in)
			}
		}
	}
}

func TestPanelsFollowTheirPlace(t *testing.T) {
	var p overlay.Panels
	v := fullValues()
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
		if s.Dx() < 140*place.scale {
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

func TestSections(t *testing.T) {
	var p overlay.Panels
	if p.Open() != overlay.DefaultSections() {
		t.Errorf("open at first: %v", p.Open())
	}
	want := overlay.Sections{overlay.WorldSection: true}
	p.SetOpen(want)
	v := fullValues()
	update := func() {
		for range 6 {
			if _, err := p.Update(v, image.Rect(1100, 0, 1440, 900), 1); err != nil {
				t.Fatal(err)
			}
		}
	}
	update()
	if p.Open() != want || !p.RateSlider().Empty() {
		t.Errorf("open: %v, rate slider at %v", p.Open(), p.RateSlider())
	}
	// What is selected unfolds the inspector, once: it can be folded again.
	want[overlay.InspectorSection] = true
	v.Selection = aCharacter
	update()
	if p.Open() != want {
		t.Errorf("with a character selected, open: %v", p.Open())
	}
	want[overlay.InspectorSection] = false
	p.SetOpen(want)
	update()
	if p.Open() != want {
		t.Errorf("folded again, open: %v", p.Open())
	}
	v.Selection = overlay.Selection{}
	update()
	if p.Open() != want {
		t.Errorf("with nothing selected, open: %v", p.Open())
	}
	for s := range overlay.SectionCount {
		if got, ok := overlay.SectionNamed(s.String()); !ok || got != s {
			t.Errorf("%v reads back as %v, %v", s, got, ok)
		}
	}
	if _, ok := overlay.SectionNamed("laboratory"); ok {
		t.Error("a section laboratory")
	}
}

func BenchmarkPanels(b *testing.B) {
	v := fullValues()
	v.Selection = aCharacter
	var p overlay.Panels
	p.SetOpen(everySection())
	b.ReportAllocs()
	for b.Loop() {
		p.Touch()
		if _, err := p.Update(v, image.Rect(1100, 0, 1440, 900), 1); err != nil {
			b.Fatal(err)
		}
	}
}
