package main

import (
	"errors"
	"fmt"
	"math"
	"os"
	"strings"

	"chronoscope/routes"
	"chronoscope/routes/mapfile"
	"chronoscope/world/scenario"
)

// mapInfo prints what is known of a map, and of the trips in a list given after
// it or standing beside it under the name FILE.scen.
func (p *program) mapInfo(args []string) int {
	if len(args) < 1 || len(args) > 2 {
		return p.refuse(errors.New("map info: accepted is map info FILE [FILE.scen]"))
	}
	name := args[0]
	config := scenario.Defaults()
	config.Map = name
	m, info, err := config.LoadMap()
	if err != nil {
		// The message names the flag, which stands for the argument here.
		return p.refuse(fmt.Errorf("map info: %s", strings.TrimPrefix(err.Error(), "-map ")))
	}
	list := name + ".scen"
	if len(args) == 2 {
		list = args[1]
	} else if _, err := os.Stat(list); err != nil {
		list = ""
	}
	var trips []mapfile.Trip
	if list != "" {
		if trips, err = mapfile.ReadScen(list); err != nil {
			return p.refuse(fmt.Errorf("map info: %s", strings.TrimPrefix(err.Error(), "mapfile: ")))
		}
	}
	var b strings.Builder
	line := func(key, format string, args ...any) {
		fmt.Fprintf(&b, "%-11s %s\n", key, fmt.Sprintf(format, args...))
	}
	line("map", "%s", name)
	line("format", "%s", info.Format)
	line("size", "%d x %d", m.Width, m.Height)
	cells := int(m.Width) * int(m.Height)
	line("walkable", "%d of %d cells (%.1f %%)", m.WalkableCells(), cells, 100*float64(m.WalkableCells())/float64(max(cells, 1)))
	line("components", "%d", m.Parts())
	line("largest", "%d cells", m.LargestPart())
	given := len(m.Places)
	switch err := m.EnsurePlaces(config.Params.Seed); {
	case err != nil:
		line("places", "nobody can live here: %v", err)
	case given == 0:
		line("places", "none of its own; %d are drawn with seed %d", len(m.Places), config.Params.Seed)
	default:
		line("places", "%d of its own, %d of them out of reach", given, m.DroppedPlaces)
	}
	line("hash", "%s", hexDigest(m.Hash()))
	if list != "" {
		line("trips", "%s", describe(m, trips, list))
	}
	fmt.Fprint(p.stdout, b.String())
	return exitDone
}

// describe sums up a list of trips: how many, how long, and how many of them
// could not be walked on this map.
func describe(m *routes.Map, trips []mapfile.Trip, list string) string {
	longest, elsewhere, blocked := 0.0, 0, 0
	for _, t := range trips {
		longest = math.Max(longest, t.Length)
		switch {
		case t.Width != m.Width || t.Height != m.Height:
			elsewhere++
		case m.Reachable(t.From, t.To) != nil:
			blocked++
		}
	}
	s := fmt.Sprintf("%d in %s, the longest %.8g cells", len(trips), list, longest)
	if elsewhere > 0 {
		s += fmt.Sprintf(", %d for a map of another size", elsewhere)
	}
	if blocked > 0 {
		s += fmt.Sprintf(", %d without a way", blocked)
	}
	return s
}
