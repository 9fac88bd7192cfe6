package scenario

import (
	"errors"
	"path/filepath"
	"strconv"
	"strings"

	"chronoscope/routes"
	"chronoscope/world"
)

// apply sets what a scenario file says. Its directory, where it has one, is
// what a map's file name is relative to.
func (t *Table) apply(data []byte, file, dir string) error {
	d, err := newDocument(data, file)
	if err != nil {
		return err
	}
	c := t.config
	t.applyTop(d, c)
	t.applyRows(d, "world", World)
	t.applyRows(d, "pacing", Pacing)
	applyStalls(d, c)
	if err := d.finish(t.hint); err != nil {
		return err
	}
	if m, ok := d.table("world")["map"].(string); ok && dir != "" && !isTown(m) && !filepath.IsAbs(m) {
		c.Map = filepath.Join(dir, m)
	}
	return nil
}

// topValues are the keys that stand outside any table and hold one value.
func topValues(c *Config) map[string]Value {
	return map[string]Value{
		"title": &heading{Text{&c.Title, "a short name"}},
		"about": &Text{&c.About, "some words"},
		"life": &Choice[world.Life]{&c.Params.Life,
			[]world.Life{world.LifeTown, world.LifeNight, world.LifeRush}},
		"crowd":              &Int[int]{P: &c.Params.Crowd, Max: world.MaxNPCs, Unit: "characters"},
		"wandering-visitors": &Int[int]{P: &c.Params.WanderingVisitors, Max: world.MaxVisitors},
	}
}

// heading is a text that is printed as it stands, in one line.
type heading struct{ Text }

var errHeading = errors.New("accepted is a short name without control characters")

func (v *heading) Set(text string) error {
	if !printable(text) {
		return errHeading
	}
	return v.Text.Set(text)
}

func (t *Table) applyTop(d *document, c *Config) {
	for name, v := range topValues(c) {
		if raw, ok := d.values[name]; ok {
			d.set(name, name, raw, v)
		}
	}
	if raw, ok := d.values["pins"]; ok {
		c.Params.Pins = nil
		d.pairs("pins", "pins", raw, func(x, y int32) {
			c.Params.Pins = append(c.Params.Pins, routes.ZoneKey{X: x, Y: y})
		})
	}
	if raw, ok := d.values["visitors"]; ok {
		c.Params.Visitors = nil
		applyVisitors(d, c, raw)
	}
	if n := len(c.Params.Visitors) + c.Params.WanderingVisitors; n > world.MaxVisitors {
		d.fail("visitors", "%d visitors, the wandering ones included: accepted are 0 to %d", n, world.MaxVisitors)
	}
}

// applyVisitors reads visitors = [{track = [[x, y], ...]}, ...].
func applyVisitors(d *document, c *Config, raw any) {
	d.know("visitors")
	list, ok := raw.([]any)
	if !ok {
		d.fail("visitors", "visitors: accepted is a list of {track = [[x, y], ...]}")
		return
	}
	for i, e := range list {
		at := join("visitors", strconv.Itoa(i))
		d.know(at)
		m, ok := e.(map[string]any)
		track, has := m["track"]
		if !ok || !has {
			d.fail(at, "visitors: accepted is {track = [[x, y], ...]}")
			continue
		}
		var v world.Visitor
		d.pairs(under(at, "track"), "track", track, func(x, y int32) {
			v.Track = append(v.Track, routes.Cell{X: x, Y: y})
		})
		if len(v.Track) == 0 {
			d.fail(under(at, "track"), "track: accepted is at least one [x, y]")
		}
		c.Params.Visitors = append(c.Params.Visitors, v)
	}
}

func plainPins(pins []routes.ZoneKey) [][2]int32 {
	list := make([][2]int32, len(pins))
	for i, z := range pins {
		list[i] = [2]int32{z.X, z.Y}
	}
	return list
}

func plainVisitors(visitors []world.Visitor) []map[string][][2]int32 {
	list := make([]map[string][][2]int32, len(visitors))
	for i, v := range visitors {
		track := make([][2]int32, len(v.Track))
		for j, c := range v.Track {
			track[j] = [2]int32{c.X, c.Y}
		}
		list[i] = map[string][][2]int32{"track": track}
	}
	return list
}

// applyRows reads the parameters of one kind from the table of that name.
func (t *Table) applyRows(d *document, section string, kind Kind) {
	m := d.table(section)
	for _, r := range t.rows {
		if raw, ok := m[r.Name]; ok && r.Kind == kind {
			d.set(join(section, r.Name), r.Name, raw, r.Value)
			t.given[r.Name] = true
		}
	}
}

func stallValues(s *world.Stalls) map[string]Value {
	return map[string]Value{
		"every": &Int[int]{P: &s.Every, Max: world.MaxStallEvery, Unit: "activities", Zero: "never"},
		"for":   &Duration{P: &s.For, Max: world.MaxStallFor, Zero: "none"},
		"in": &Choice[world.StallsIn]{&s.In,
			[]world.StallsIn{world.StallActive, world.StallWakes, world.StallBoth}},
		"seed": &Int[uint64]{P: &s.Seed, Max: 1<<64 - 1},
		"only": &Int[uint64]{P: &s.Only, Max: world.MaxNPCs, Zero: "all"},
	}
}

func applyStalls(d *document, c *Config) {
	m := d.table("stalls")
	if m == nil {
		return
	}
	for name, v := range stallValues(&c.Params.Stalls) {
		if raw, ok := m[name]; ok {
			d.set(join("stalls", name), "stalls."+name, raw, v)
		}
	}
	for _, name := range []string{"every", "for"} {
		if _, ok := m[name]; !ok {
			d.fail("stalls", "[stalls] lacks %q", name)
		}
	}
}

// hint says what may have been meant by an unknown key.
func (t *Table) hint(path []string) string {
	name := path[len(path)-1]
	if row := t.by[name]; row != nil {
		switch {
		case row.Kind == Program:
			return ": a flag only, -" + name
		case len(path) != 2 || path[0] != row.Kind.String():
			return ": it stands in [" + row.Kind.String() + "]"
		}
	}
	var names []string
	switch {
	case len(path) == 1:
		names = []string{"title", "about", "life", "crowd", "wandering-visitors", "pins", "visitors", "world", "pacing", "stalls"}
	case path[0] == "stalls":
		names = []string{"every", "for", "in", "seed", "only"}
	case path[0] == "visitors":
		names = []string{"track"}
	default:
		for _, r := range t.rows {
			if r.Kind.String() == path[0] {
				names = append(names, r.Name)
			}
		}
	}
	if near := closest(name, names); near != "" {
		return ", did you mean " + near + "?"
	}
	return ": accepted are " + strings.Join(names, ", ")
}
