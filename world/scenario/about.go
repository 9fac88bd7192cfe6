package scenario

import (
	"fmt"

	"chronoscope/loop/frametime"
	"chronoscope/routes"
)

// About is what decides the result of a world, for the description of a capture:
// seed, scenario, map with its hash, and every parameter of the world.
func About(t *Table, c *Config, ground *routes.Map) frametime.Meta {
	m := frametime.Meta{Seed: c.Params.Seed, Scenario: c.Scenario, Map: fmt.Sprintf("%s %016x", ground.Name, ground.Hash())}
	for _, r := range t.Rows() {
		if r.Kind == World {
			m.World = append(m.World, frametime.Setting{Name: r.Name, Value: r.Value.String()})
		}
	}
	return m
}
