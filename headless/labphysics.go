package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"chronoscope/loop/frametime"
	"chronoscope/loop/physics"
	"chronoscope/world/scenario"
)

const physicsUsage = `Physics stability: a box falls on the floor and a ball on the box, with friction 0.3 and restitution 0.5,
over and over. Under steps of a 60th of a second, driven by this program's frame-driven loop, on every
virtual display; and under variable steps, as long as the frame before took, at most 33 ms. Printed is how
far the runs are apart: the standard deviation of each body's place in cm, at frame 120 and at 2 s of the
scene's own time, and the steps with a contact.

Usage:
  go run ./headless lab physics [flags]

Each run on a display has another seed and phase, and frames that are at least 0.3 ms off.
Exit codes: 0 fixed steps have no spread at all, 1 they have, or a file could not be written, 2 refused
arguments or files, 130 interrupted.
`

const maxRuns = 1000

// physicsEnd is where variable runs are compared besides at frame 120: as much
// of the scene's time as 120 fixed steps.
const physicsEnd = physics.Frames * time.Second / physics.Rate

// atEnd and atFrame name where runs are compared.
func atEnd() string { return number(physicsEnd.Seconds()) + " s" }

func atFrame(what string) string { return fmt.Sprintf("%s %d", what, physics.Frames) }

// A physicsLab is one call of lab physics, and what came of it.
type physicsLab struct {
	runs     int
	seed     uint64
	png, csv string
	picture  *target
	table    *target

	fixed    []series // a display each
	variable []series
}

// A series is runs that were meant to be the same.
type series struct {
	name string
	at   string // where they are compared: "step 120", "2 s"
	runs []*physics.Run
	// shaken: on one display whose frames come unevenly.
	shaken bool
	physics.Spread
}

func (p *program) labPhysics(ctx context.Context, args []string) int {
	l := physicsLab{runs: 100, seed: 1}
	sub := newSubcommand("lab physics", physicsUsage,
		scenario.Row{Name: "runs", Help: "runs on each display: more of them tell the spread better and take longer", Value: &scenario.Int[int]{P: &l.runs, Min: 2, Max: maxRuns}},
		scenario.Row{Name: "seed", Help: "seed of jitter and phases", Value: &scenario.Int[uint64]{P: &l.seed, Max: 1<<64 - 1}},
		scenario.Row{Name: "png", Help: "draw all runs over one another into a picture of that name", Value: &scenario.Text{P: &l.png, Hint: "a file name"}},
		scenario.Row{Name: "csv", Help: "write the end of each run as CSV", Value: &scenario.Text{P: &l.csv, Hint: "a file name"}})
	if code, ok := p.begin(sub, args); !ok {
		return code
	}
	if err := l.open(sub); err != nil {
		return p.refuse(err)
	}
	if !l.run(ctx) {
		return p.complain(exitInterrupt, "lab physics: interrupted")
	}
	io.WriteString(p.stdout, l.text())
	code := exitDone
	for _, f := range []struct {
		flag, name string
		t          *target
		write      func(io.Writer) error
	}{{"png", l.png, l.picture, l.plot().encode}, {"csv", l.csv, l.table, l.writeCSV}} {
		if f.t == nil {
			continue
		}
		if err := f.t.fill(f.write); err != nil {
			code = p.complain(exitFailed, sub.refusal("-%s %s: %w", f.flag, f.name, err).Error())
		}
	}
	if all := l.all(); !all.Identical || !all.Zero() {
		return p.complain(exitFailed, "lab physics: fixed steps left different states, which they must not")
	}
	return code
}

// open sees to the files before anything is worked out.
func (l *physicsLab) open(sub *subcommand) (err error) {
	if l.png != "" {
		if l.picture, err = openWhole(l.png); err != nil {
			return sub.refusal("-png %s: %w", l.png, err)
		}
	}
	if l.csv != "" {
		if l.table, err = openWhole(l.csv); err != nil {
			return sub.refusal("-csv %s: %w", l.csv, err)
		}
	}
	if l.picture != nil && l.table != nil && sameFile(l.picture.name, l.table.name) {
		return sub.refusal("-csv %s: the picture goes there already", l.csv)
	}
	return nil
}

// sameFile says whether two names are of one file, whether or not it is there.
func sameFile(a, b string) bool {
	same := func(a, b string) bool {
		x, err1 := os.Stat(a)
		y, err2 := os.Stat(b)
		return err1 == nil && err2 == nil && os.SameFile(x, y)
	}
	return same(a, b) || filepath.Base(a) == filepath.Base(b) && same(filepath.Dir(a), filepath.Dir(b))
}

// run works everything out; false when it was interrupted.
func (l *physicsLab) run(ctx context.Context) bool {
	for _, p := range frametime.Presets() {
		s := series{name: p.Name, at: atFrame("step")}
		for i := range l.runs {
			if ctx.Err() != nil {
				return false
			}
			s.runs = append(s.runs, physics.Fixed(physics.On(p.Display, l.seed, i), physics.Frames))
		}
		l.fixed = append(l.fixed, s)
	}
	for _, p := range physics.Shaken() {
		frame := series{name: p.Name, at: atFrame("frame"), shaken: true}
		until := series{name: p.Name, at: atEnd(), shaken: true}
		for i := range l.runs {
			if ctx.Err() != nil {
				return false
			}
			d := physics.On(p.Display, l.seed, i)
			frame.runs = append(frame.runs, physics.Variable(d, physics.Frames))
			until.runs = append(until.runs, physics.VariableUntil(d, physicsEnd))
		}
		l.variable = append(l.variable, frame, until)
	}
	each := series{name: "each of the displays above once", at: atEnd()}
	for _, p := range frametime.Presets() {
		each.runs = append(each.runs, physics.VariableUntil(p.Display, physicsEnd))
	}
	l.variable = append(l.variable, each)
	for _, list := range [][]series{l.fixed, l.variable} {
		for i := range list {
			list[i].Spread = physics.SpreadOf(list[i].runs)
		}
	}
	return true
}

// all is the spread of all fixed runs on all displays together.
func (l *physicsLab) all() physics.Spread {
	var runs []*physics.Run
	for _, s := range l.fixed {
		runs = append(runs, s.runs...)
	}
	return physics.SpreadOf(runs)
}

// text is what was measured.
func (l *physicsLab) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "A box and a ball on a floor, friction %v, restitution %v, seed %d. Sigma is in cm; 0 is exactly 0.\n\n", physics.Friction, physics.Restitution, l.seed)
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	heading := func(what string) {
		fmt.Fprintf(w, "%s\truns\tat\tbox x\tbox y\tball x\tball y\tcontact steps\tvariance\tthe same\n", what)
	}
	heading("fixed steps of 1/60 s on")
	all := series{name: "all together", at: atFrame("step"), Spread: l.all()}
	for _, s := range append(l.fixed[:len(l.fixed):len(l.fixed)], all) {
		s.write(w)
	}
	fmt.Fprintln(w)
	heading("variable steps on")
	for _, s := range l.variable {
		s.write(w)
	}
	// A builder takes everything.
	w.Flush()
	var shortest, longest time.Duration
	for _, s := range l.variable {
		if s.at != atFrame("frame") {
			continue
		}
		for _, r := range s.runs {
			at := r.Last().At
			if shortest == 0 || at < shortest {
				shortest = at
			}
			longest = max(longest, at)
		}
	}
	fmt.Fprintf(&b, `
"The same": every step of every run ended in the same state, bit for bit. That is a property of the fixed
step and says nothing of its accuracy; and of this build: other processors may round differently.
At frame %d variable runs have got through %.2f to %.2f s of the scene's time, so a part of their spread is
how far they got; at %s it isn't. Steps with a contact are of another length there and compare only
within a row.
`, physics.Frames, shortest.Seconds(), longest.Seconds(), atEnd())
	return b.String()
}

// write is a row of the table.
func (s *series) write(w io.Writer) {
	same := "no"
	if s.Identical {
		same = "yes"
	}
	fmt.Fprintf(w, "  %s\t%d\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", s.name, s.Runs, s.at,
		sigma(s.X[physics.Box]), sigma(s.Y[physics.Box]), sigma(s.X[physics.Ball]), sigma(s.Y[physics.Ball]),
		strconv.FormatFloat(s.Contacts, 'f', 1, 64), sigma(s.ContactVariance), same)
}

// sigma is a figure that says 0 only when it is 0.
func sigma(v float64) string {
	if v == 0 {
		return "0"
	}
	return strconv.FormatFloat(v, 'g', 3, 64)
}

// writeCSV writes where each run ended.
func (l *physicsLab) writeCSV(w io.Writer) error {
	b := bufio.NewWriter(w)
	fmt.Fprintln(b, "steps,display,at,run,time_s,box_x_cm,box_y_cm,box_angle_rad,ball_x_cm,ball_y_cm,ball_angle_rad,contact_steps")
	full := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	write := func(steps string, list []series) {
		for _, s := range list {
			for i, r := range s.runs {
				end := r.Last()
				fmt.Fprintf(b, "%s,%s,%s,%d,%s", steps, strings.ReplaceAll(s.name, ",", ""), s.at, i, full(end.At.Seconds()))
				for _, body := range end.Bodies {
					fmt.Fprintf(b, ",%s,%s,%s", full(body.X), full(body.Y), full(body.Angle))
				}
				fmt.Fprintf(b, ",%d\n", r.Contacts)
			}
		}
	}
	write("fixed", l.fixed)
	write("variable", l.variable)
	return b.Flush()
}
