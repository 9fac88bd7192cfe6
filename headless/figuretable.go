package main

import (
	"fmt"
	"math"
	"slices"

	"chronoscope/loop/frametime"
)

// figures are those of the comparison that a picture has room for.
func figures() []string {
	return []string{"average", "P50", "P99", "P99.9", "longest", "sigma", "1 % low, average", "stutter time", "missed refreshes",
		"animation error, mean", "cadence, odd frames", "effective speed", "tick error, P99"}
}

// figureTable is a short table of the comparison: of two captures with their
// difference, of more the values alone.
func figureTable(cmp *frametime.Comparison) panel {
	t := &table{title: "Figures"}
	header := []string{""}
	for i := range cmp.Titles {
		header = append(header, letter(i))
	}
	two := len(cmp.Titles) == 2
	if two {
		header = append(header, "B - A")
	}
	t.add(header...)
	for _, r := range cmp.Rows {
		if !slices.Contains(figures(), r.Figures[0].Name) || !slices.ContainsFunc(r.Figures, func(f frametime.Figure) bool { return f.OK }) {
			continue
		}
		cells := []string{r.Figures[0].Label()}
		for _, f := range r.Figures {
			cells = append(cells, f.String())
		}
		if two {
			cells = append(cells, share(r.Diffs[0]))
		}
		t.add(cells...)
	}
	return t
}

// share is a difference as a share of the first value, in brackets when it is
// noise.
func share(d frametime.Difference) string {
	s := ""
	switch {
	case !d.OK:
	case d.Abs == 0 || d.RelOK && math.Abs(d.Rel) < 0.0005:
		s = "0 %"
	case d.RelOK && math.Abs(d.Rel) < 10:
		s = fmt.Sprintf("%+.1f %%", 100*d.Rel)
	case d.RelOK:
		s = "x " + number(math.Round(1+d.Rel))
	}
	if d.Noise && s != "" {
		s = "(" + s + ")"
	}
	return s
}
