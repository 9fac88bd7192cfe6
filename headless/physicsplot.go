package main

import (
	"fmt"
	"math"
	"slices"

	"chronoscope/loop/physics"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
)

// The part of the scene that is shown, in cm.
const (
	lowest, highest = -20, 180
	leftmost        = -400
	rightmost       = 300
)

// plot draws all runs over one another: height and sideways, fixed beside ever
// more uneven frames.
func (l *physicsLab) plot() *picture {
	fixed := series{name: fmt.Sprintf("Fixed 1/60 s, %d displays", len(l.fixed)), Spread: l.all()}
	for _, s := range l.fixed {
		fixed.runs = append(fixed.runs, s.runs...)
	}
	columns := []series{fixed}
	for _, s := range l.variable {
		if s.shaken && s.at == atEnd() {
			s.name = "Variable, " + s.name
			columns = append(columns, s)
		}
	}
	// The first column has the names of the axes.
	shares := []float64{1.12, 1, 1, 1}
	heights, sideways := pictureRow{height: 420, shares: shares}, pictureRow{height: 420, shares: shares}
	var away []string
	for i, c := range columns {
		y, x := "", ""
		if i == 0 {
			y, x = "height, cm", "sideways, cm"
		}
		apart := fmt.Sprintf("Sigma at the end: box %s, ball %s cm", sigma(c.X[physics.Box]), sigma(c.X[physics.Ball]))
		heights.panels = append(heights.panels, runsPlot(c.name, y, c.runs, lowest, highest, func(p physics.Place) float64 { return p.Y }))
		sideways.panels = append(sideways.panels, runsPlot(apart, x, c.runs, leftmost, rightmost, func(p physics.Place) float64 { return p.X }))
		if n := outside(c.runs); n > 0 {
			away = append(away, fmt.Sprintf("%d of %d (%s)", n, len(c.runs), c.name))
		}
	}
	p := &picture{
		title: "The same scene, over and over",
		lines: []string{fmt.Sprintf("A box falls on a floor, a ball on the box: friction %v, restitution %v, %s of the scene's time, %d runs on each display, seed %d.",
			physics.Friction, physics.Restitution, atEnd(), l.runs, l.seed)},
		keys: []key{{physics.Box, "box"}, {physics.Ball, "ball"}},
		rows: []pictureRow{heights, sideways},
		notes: []string{
			fmt.Sprintf("Fixed: %s runs, %s. Variable: each step is as long as the frame before took, at most %d ms.",
				number(float64(fixed.Runs)), identity(fixed.Identical), physics.MaxFrame.Milliseconds()),
		},
	}
	if len(away) > 0 {
		text := "Bodies left the picture in "
		for i, s := range away {
			if i > 0 {
				text += ", "
			}
			text += s
		}
		p.notes = append(p.notes, text+".")
	}
	return p
}

// identity says whether runs lie over one another.
func identity(identical bool) string {
	if identical {
		return "which lie exactly over one another"
	}
	return "which differ"
}

// outside counts the runs in which a body is out of the picture at some time.
func outside(runs []*physics.Run) (n int) {
	for _, r := range runs {
		if slices.ContainsFunc(r.Path, func(s physics.Sample) bool {
			return slices.ContainsFunc(s.Bodies[:], func(p physics.Place) bool {
				return p.Y < lowest || p.Y > highest || p.X < leftmost || p.X > rightmost
			})
		}) {
			n++
		}
	}
	return n
}

// faintest is how strong one run of many is drawn.
const faintest = 0.2

// runsPlot draws a coordinate of both bodies in all runs over time. Runs that
// went exactly the same way are one line, as strong as all of them.
func runsPlot(title, y string, runs []*physics.Run, lo, hi float64, coordinate func(physics.Place) float64) *plot.Plot {
	p := newPlot(title, "time, s", y)
	p.Title.TextStyle.Font.Size = textSize - 1
	type way struct {
		run  *physics.Run
		runs int
	}
	var ways []way
	for _, r := range runs {
		i := slices.IndexFunc(ways, func(w way) bool { return slices.Equal(w.run.Path, r.Path) })
		if i < 0 {
			ways = append(ways, way{r, 1})
		} else {
			ways[i].runs++
		}
	}
	for _, w := range ways {
		for body := range physics.Bodies {
			var points plotter.XYs
			for _, s := range w.run.Path {
				points = append(points, plotter.XY{X: s.At.Seconds(), Y: coordinate(s.Bodies[body])})
			}
			line := addLine(p, "", points, body)
			line.Color = strokeOf(body).wash(1 - math.Pow(1-faintest, float64(w.runs)))
		}
	}
	p.X.Min, p.X.Max = 0, physicsEnd.Seconds()
	p.Y.Min, p.Y.Max = lo, hi
	p.X.Tick.Marker = evenTicks{4}
	return p
}
