package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
)

// picture draws, for each rate and load, how far the pacers were from the
// schedule at which percentile.
func (r *pacingReport) picture() *picture {
	p := &picture{title: "How exactly ticks are paced", lines: []string{r.Platform.String(), "deviation from the schedule by percentile; both axes logarithmic"}}
	names := r.names()
	for i, name := range names {
		p.keys = append(p.keys, key{i, name})
	}
	lo, hi := math.Inf(1), 0.
	for _, row := range r.Rows {
		for _, v := range row.Curve {
			if v > 0 {
				lo, hi = min(lo, v), max(hi, v)
			}
		}
	}
	var row pictureRow
	for _, g := range r.groups() {
		if g[0].Rate == "" {
			continue
		}
		row.height = 420
		row.panels = append(row.panels, curvesOf(g, names, lo, hi))
		if len(row.panels) == 2 {
			p.rows = append(p.rows, row)
			row = pictureRow{}
		}
	}
	if len(row.panels) > 0 {
		p.rows = append(p.rows, row)
	}
	p.notes = append(p.notes, r.verdict()...)
	return p
}

// names are the pacers in their order.
func (r *pacingReport) names() []string {
	var list []string
	for _, row := range r.Rows {
		if row.Rate != "" && !slices.Contains(list, row.Pacer) {
			list = append(list, row.Pacer)
		}
	}
	return list
}

// curvesOf is the plot of one rate and load.
func curvesOf(g []pacingRow, names []string, lo, hi float64) *plot.Plot {
	title := fmt.Sprintf("%s Hz, load %g %%%s", g[0].Rate, g[0].Busy, garbageText(g[0].Garbage))
	p := newPlot(title, "percentile", "deviation, us")
	logarithmic(&p.Y)
	if lo < hi {
		p.Y.Min, p.Y.Max = lo, hi*1.2
	}
	p.X.Min, p.X.Max = 0, 4
	p.X.Tick.Marker = percentileTicks{}
	for _, row := range g {
		var points plotter.XYs
		for i, q := range curveQuantiles {
			if q >= 1 || (1-q)*float64(row.Frames-row.Skipped) < 1 {
				break // too few frames to tell
			}
			points = append(points, plotter.XY{X: -math.Log10(1 - q), Y: max(row.Curve[i], lo)})
		}
		addLine(p, "", points, slices.Index(names, row.Pacer))
	}
	return p
}

// percentileTicks marks P0, P90, P99 and so on, which lie as far apart.
type percentileTicks struct{}

// Ticks gives them all.
func (percentileTicks) Ticks(lo, hi float64) (ticks []plot.Tick) {
	for i, q := range []float64{0, 90, 99, 99.9, 99.99} {
		ticks = append(ticks, plot.Tick{Value: float64(i), Label: "P" + strconv.FormatFloat(q, 'g', -1, 64)})
	}
	return append(ticks, plot.Tick{Value: -math.Log10(0.5), Label: "P50"})
}
