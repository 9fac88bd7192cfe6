package overlay

import (
	"path/filepath"
	"strings"

	"chronoscope/routes/town"
	"chronoscope/world"
	"chronoscope/world/scenario"
)

// draft is the world that the user is putting together.
type draft struct {
	setup Setup
	from  Setup // what was running when it was begun
}

// newWorld is what it takes a new world to change.
func (s *page) newWorld() {
	v, f, d := s.v, &s.p.fields, &s.p.draft
	if d.from != v.Setup {
		*d = draft{v.Setup, v.Setup} // another world runs
	}
	s.title("a new world")
	s.scenarios()
	s.valueRow(&f.mapName, "map", mapText(d.setup.Map), &townOrFile{scenario.Text{P: &d.setup.Map, Hint: "town, town:SIZE, or a map file"}}, func() {})
	s.valueRow(&f.seed, "seed", Thousands(d.setup.Seed), &scenario.Int[uint64]{P: &d.setup.Seed, Min: 1, Max: 1<<64 - 1}, func() {})
	s.valueRow(&f.npcs, "population", Count(d.setup.NPCs), &scenario.Int[int]{P: &d.setup.NPCs, Max: world.MaxNPCs, Unit: "characters"}, func() {})
	s.valueRow(&f.side, "zone side", plural(int(d.setup.ZoneSide), "cell"),
		&scenario.Int[int32]{P: &d.setup.ZoneSide, Min: world.MinZoneSide, Max: world.MaxZoneSide, Unit: "cells"}, func() {})
	if v.Opening {
		s.paragraph("making the new world...", Walking)
		return
	}
	if v.Refused != "" {
		s.paragraph(v.Refused, warned)
	}
	if diff := differences(v.Setup, d.setup); diff != "" {
		s.note("differs from the running one: " + diff)
		s.grid(-1, -1)
		if s.button("start it", "start it") {
			s.in.Setup, s.in.HasSetup = d.setup, true
		}
		if s.button("as it runs", "as it runs") {
			*d = draft{v.Setup, v.Setup}
		}
		return
	}
	s.note("the same as the running one, from its beginning:")
	s.grid(-1, -1)
	if s.button("start it", "start it") {
		s.in.Setup, s.in.HasSetup = d.setup, true
	}
}

// scenarios are those to choose from, with the present one among them if it is
// a file.
func (s *page) scenarios() {
	v, d := s.v, &s.p.draft
	s.lines(-1)
	s.text("scenario", Faint)
	s.grid(-1, -1, -1)
	listed := false
	choose := func(c Setup) {
		listed = listed || c.Scenario == v.Setup.Scenario
		if s.option("scenario "+c.Scenario, fileText(c.Scenario), c.Scenario == d.setup.Scenario) {
			d.setup = c
		}
	}
	for _, c := range v.Scenarios {
		choose(c)
	}
	if !listed && v.Setup.Scenario != "" {
		choose(v.Setup)
	}
}

// fileText is the name of a built-in scenario or map, or of a file without its
// folders.
func fileText(name string) string { return filepath.Base(name) }

func mapText(name string) string {
	if name == "" {
		return "-"
	}
	return fileText(name)
}

// differences says what a draft changes: "seed 1 -> 2, zone side 16 -> 32".
func differences(now, want Setup) string {
	var d []string
	add := func(name, a, b string) {
		if a != b {
			d = append(d, name+" "+a+" -> "+b)
		}
	}
	add("scenario", fileText(now.Scenario), fileText(want.Scenario))
	add("map", mapText(now.Map), mapText(want.Map))
	add("seed", Thousands(now.Seed), Thousands(want.Seed))
	add("population", Count(now.NPCs), Count(want.NPCs))
	add("zone side", Count(int(now.ZoneSide)), Count(int(want.ZoneSide)))
	if len(d) == 0 && now != want {
		return "a file of the same name" // in another folder
	}
	return strings.Join(d, ", ")
}

// townOrFile is the name of a map: a town of an impossible size is refused
// before anything is opened.
type townOrFile struct{ scenario.Text }

// Set reads a name.
func (m *townOrFile) Set(text string) error {
	if text == town.Name || strings.HasPrefix(text, town.Name+":") {
		if _, err := town.ParseName(text); err != nil {
			return err
		}
	}
	return m.Text.Set(text)
}
