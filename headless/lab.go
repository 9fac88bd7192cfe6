package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"chronoscope/loop"
	"chronoscope/loop/frametime"
	"chronoscope/world/scenario"
)

const labUsage = `Experiments on time, worked out and not waited for.

Usage:
  go run ./headless lab matrix [-rate 60]
      What becomes of a tick rate on 60 and 120 Hz, with and without VSync and frame caps.
  go run ./headless lab displays [-rate 60]
      Every virtual display under every loop model: ticks a second, ticks per frame, defects.
  go run ./headless lab physics [-runs 100] [-seed 1] [-png F] [-csv F]
      How far runs of the same scene are apart, under fixed and under variable steps.

Each has a help of its own (-h).
`

// lab runs an experiment.
func (p *program) lab(ctx context.Context, args []string) int {
	accepted := "accepted are lab matrix, lab displays, lab physics (see lab -h)"
	if len(args) == 0 {
		return p.refuse(errors.New("lab: " + accepted))
	}
	switch {
	case args[0] == "matrix":
		return p.labOfRate("lab matrix", matrixUsage, args[1:], func(rate loop.Rate) string { return frametime.MatrixText(frametime.Matrix(rate)) })
	case args[0] == "displays":
		return p.labOfRate("lab displays", displaysUsage, args[1:], displaysText)
	case args[0] == "physics":
		return p.labPhysics(ctx, args[1:])
	case asksHelp(args[0]):
		io.WriteString(p.stdout, labUsage)
		return exitDone
	}
	return p.refuse(fmt.Errorf("lab: unknown experiment %q: %s", args[0], accepted))
}

const matrixUsage = `What becomes of a tick rate on {60, 120} Hz x VSync {on, off} x cap {off, 60, 120}, with this program's
frame-driven loop, on virtual displays: frames of 2 ms work, up to 0.3 ms off, stamps up to 0.05 ms off,
1,200 frames in each row.

Usage:
  go run ./headless lab matrix [flags]

Missed refreshes are an estimate by the formula, to which a cap below the refresh looks the same. Odd
frames and swaps are counted against the display with VSync on, and against the cap with VSync off.
`

const displaysUsage = `Every virtual display under every loop model: ticks a second over 20 s (to within one tick in that time),
the ticks of the first 40 frames after the first, and what is uneven in all of them.

Usage:
  go run ./headless lab displays [flags]

Odd frames have ticks that are neither the floor nor the ceiling of rate / refresh; swaps are two
neighbours of which one has a tick of the other. They are counted where the display has one rate, for the
rate that the model makes ("clamp 250 ms, 64 Hz" makes 64 whatever the rate is).
`

// labOfRate is an experiment that takes a tick rate and gives a text.
func (p *program) labOfRate(name, usage string, args []string, text func(loop.Rate) string) int {
	rate := loop.Hz(60)
	sub := newSubcommand(name, usage, scenario.Row{Name: "rate", Help: "ticks a second", Value: &scenario.Rate{P: &rate}})
	if code, ok := p.begin(sub, args); !ok {
		return code
	}
	io.WriteString(p.stdout, text(rate))
	return exitDone
}

// begin parses the arguments of a sub-command without operands. It is false when
// there is nothing more to do, with the exit code.
func (p *program) begin(sub *subcommand, args []string) (code int, ok bool) {
	switch operands, err := sub.parse(args); {
	case errors.Is(err, scenario.ErrHelp):
		io.WriteString(p.stdout, sub.help())
		return exitDone, false
	case err != nil:
		return p.refuse(err), false
	case len(operands) > 0:
		return p.refuse(sub.refusal("unexpected argument %q: only flags are accepted (see %s -h)", operands[0], sub.name)), false
	}
	return exitDone, true
}

// A labModel is a loop model with the rate that its defects are counted for.
type labModel struct {
	frametime.Model
	rate loop.Rate
}

// labModels are all models, made anew.
func labModels(rate loop.Rate, refresh time.Duration) []labModel {
	var list []labModel
	clamped := frametime.NewClamped().Name()
	for _, m := range frametime.Models(rate, refresh) {
		made := rate
		if m.Name() == clamped {
			made = loop.Hz(64)
		}
		list = append(list, labModel{m, made})
	}
	return list
}

const (
	displaySpan    = 20 * time.Second // of each display
	displayCadence = 40               // frames whose ticks are written out
)

// displaysText is the table of every display under every model.
func displaysText(rate loop.Rate) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "display\tloop model\tticks/s\tticks per frame\todd/swaps")
	for _, p := range frametime.Presets() {
		d := p.Display
		stamps := d.Stamps(max(displayCadence+2, int(d.Rate.TickAt(displaySpan))))
		span := stamps[len(stamps)-1] - stamps[0]
		for _, m := range labModels(rate, d.Rate.Period()) {
			// The first frame is where a model begins to count.
			ticks := frametime.Run(m, stamps)[1:]
			sum := 0
			for _, n := range ticks {
				sum += n
			}
			defects := "-"
			if !d.Fastest.Valid() && !d.Then.Valid() {
				u := frametime.Uneven(ticks, m.rate, d.Rate)
				defects = fmt.Sprintf("%d/%d", u.Odd, u.Swaps)
			}
			fmt.Fprintf(w, "%s\t%s\t%.1f\t%s\t%s\n", p.Name, m.Name(), float64(sum)/span.Seconds(), frametime.Cadence(ticks[:displayCadence]), defects)
		}
	}
	// A builder takes everything.
	w.Flush()
	return b.String()
}
