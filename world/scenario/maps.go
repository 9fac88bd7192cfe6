package scenario

import (
	"strings"

	"chronoscope/coordinator"
	"chronoscope/routes"
	"chronoscope/routes/mapfile"
	"chronoscope/routes/town"
	"chronoscope/world"
)

// townSeed is what the built-in town is drawn from: the same town, with the
// same names, in every run; -seed is for who lives there.
const townSeed = 1

// mapName is the name of a map: only the town's form can be wrong before a
// file is opened.
type mapName struct{ Text }

// Set refuses a town of an impossible size.
func (v *mapName) Set(text string) error {
	if _, err := town.ParseName(text); err != nil && isTown(text) {
		return ErrRefused
	}
	return v.Text.Set(text)
}

// isTown says whether a map is the built-in town rather than a file.
func isTown(name string) bool { return name == town.Name || strings.HasPrefix(name, town.Name+":") }

// LoadMap gives the ground that the configuration names as it is, and what its
// file says about it. The error is a *UsageError that names the map.
func (c *Config) LoadMap() (*routes.Map, mapfile.Info, error) {
	if isTown(c.Map) {
		o, err := town.ParseName(c.Map)
		if err == nil {
			o.Seed = townSeed
			var m *routes.Map
			if m, err = town.Generate(o); err == nil {
				return m, mapfile.Info{Format: "built-in town"}, nil
			}
		}
		return nil, mapfile.Info{}, usagef("-map %s: %s", c.Map, plainly(err, c.Map))
	}
	m, info, err := mapfile.Open(c.Map)
	if err != nil {
		return nil, mapfile.Info{}, usagef("-map %s: %s", c.Map, plainly(err, c.Map))
	}
	return m, info, nil
}

// OpenMap is LoadMap for a world to play on: the ground has places that can be
// reached from each other, its own or drawn from the seed, and the scenario's
// visitors stand on it.
func (c *Config) OpenMap() (*routes.Map, error) {
	m, _, err := c.LoadMap()
	if err != nil {
		return nil, err
	}
	if err := m.Validate(); err != nil {
		return nil, usagef("-map %s: %s", c.Map, plainly(err, c.Map))
	}
	if err := m.EnsurePlaces(c.Params.Seed); err != nil {
		return nil, usagef("-map %s: %s", c.Map, plainly(err, c.Map))
	}
	for i, v := range c.Params.Visitors {
		for _, cell := range v.Track {
			if !m.Walkable(cell) {
				return nil, usagef("scenario %s on map %s: visitor %d can't walk on cell (%d, %d)", c.Scenario, c.Map, i+1, cell.X, cell.Y)
			}
		}
	}
	return m, nil
}

// plainly is an error without what the line it goes into has said already: the
// package and the file's name.
func plainly(err error, file string) string {
	s := err.Error()
	for _, prefix := range []string{"mapfile: ", "routes: ", "town: ", file + ": "} {
		s = strings.TrimPrefix(s, prefix)
	}
	return s
}

// Options is what a world is built from. The program adds what is its own: the
// work of a tick (world.Calibrate of AICost), the last tick, who takes digests.
func (c *Config) Options(m *routes.Map) world.Options {
	return world.Options{
		Params: c.Params,
		Map:    m,
		Coordinator: coordinator.Options{
			Pacing:           c.Pacing,
			RequestQueue:     c.RequestQueue,
			RequestsPerCheck: c.RequestsPerCheck,
		},
	}
}

// Refused is the error of a world that wouldn't be built from these options
// because of what the scenario asks for (a pin outside the map, a visitor who
// can't walk), in words for who wrote it. Another error is given back as it is.
func (c *Config) Refused(err error) error {
	text, ok := strings.CutPrefix(err.Error(), "world: ")
	if !ok {
		return err
	}
	return usagef("scenario %s on map %s: %s", c.Scenario, c.Map, text)
}
