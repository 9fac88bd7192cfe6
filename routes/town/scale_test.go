//go:build !race

package town_test

import (
	"testing"

	"chronoscope/routes"
)

// A large town is one connected country with many times the homes.
func TestLarge(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	m := generate(t, 1, 1024)
	homes := 0
	part := m.PartOf(m.Places[0].Cell)
	names := map[string]bool{}
	for _, p := range m.Places {
		if p.Kind == routes.Home {
			homes++
		}
		if m.PartOf(p.Cell) != part {
			t.Errorf("%s can't be reached", p.Name)
		}
		if names[p.Name] {
			t.Errorf("second place called %q", p.Name)
		}
		names[p.Name] = true
	}
	if homes < 5000 || homes > 12000 {
		t.Errorf("%d homes, want 5000 to 12000", homes)
	}
	if len(m.Districts) < 80 {
		t.Errorf("%d districts, want 80 at least", len(m.Districts))
	}
}
