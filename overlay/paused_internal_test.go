package overlay

import (
	"image"
	"slices"
	"testing"
	"time"

	"chronoscope/coordinator"
)

// While the world is paused no figure is left standing from before: what
// measures the passing of time is blank.
func TestNoStaleFiguresWhilePaused(t *testing.T) {
	var d Dock
	for range 300 {
		d.Strip.Push(Frame{Interval: 16 * time.Millisecond, Ticks: 1})
	}
	v := &Values{Pacing: coordinator.DefaultPacing(), Actual: 59.9, Speed: 1, FPS: 62.5, Tick: 1000}
	var p Panels
	look := func() (dock, panels []string) {
		now := time.Unix(1000, 0)
		d.Refresh(v.Paused)
		d.Show(v, now)
		f := &d.frames
		dock = []string{f.average, f.p99, f.longest, d.ticks.rows[0][1]}
		p.Touch()
		for range settleUpdates + 1 {
			if _, err := p.Update(v, image.Rect(0, 0, SidebarWidth, 900), 1); err != nil {
				t.Fatal(err)
			}
			p.Touch()
		}
		for i := range p.marks {
			panels = append(panels, p.marks[i].s)
		}
		return dock, panels
	}
	dock, panels := look()
	if want := []string{"62.5 per s", "16.0 ms", "16.0 ms", "59.9 of 60"}; !slices.Equal(dock, want) {
		t.Fatalf("running, the dock says %q, want %q", dock, want)
	}
	for _, s := range []string{"59.9 per s", "62.5 per s, over 10 s"} {
		if !slices.Contains(panels, s) {
			t.Fatalf("running, the panels lack %q in %q", s, panels)
		}
	}
	v.Paused = true
	dock, panels = look()
	if want := []string{"-", "-", "-", "- of 60"}; !slices.Equal(dock, want) {
		t.Errorf("paused, the dock says %q, want %q", dock, want)
	}
	for _, s := range []string{"59.9 per s", "62.5 per s, over 10 s"} {
		if slices.Contains(panels, s) {
			t.Errorf("paused, the panels still say %q", s)
		}
	}
}
