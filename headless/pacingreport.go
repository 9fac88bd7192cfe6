package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"chronoscope/loop"
)

// pacingVersion is the version of the JSON.
const pacingVersion = 1

// pacingReport is everything that was measured. Its JSON is stable: fields are
// added, and a change of meaning is another version. Times are in microseconds.
type pacingReport struct {
	Version  int          `json:"version"`
	Taken    time.Time    `json:"taken"`
	Platform platformJSON `json:"platform"`
	// Quantiles, 0 to 1, are those that the rows' curves are told at.
	Quantiles []float64   `json:"curve_quantiles"`
	Rows      []pacingRow `json:"rows"`
	Timers    *timerStudy `json:"timers,omitempty"`
}

type platformJSON struct {
	OS         string `json:"os"`
	Arch       string `json:"arch"`
	Kernel     string `json:"kernel"`
	Go         string `json:"go"`
	CPUs       int    `json:"cpus"`
	GOMAXPROCS int    `json:"gomaxprocs"`
}

// pacingRow is one pacer at one rate under one load.
type pacingRow struct {
	Pacer   string  `json:"pacer"`
	Rate    string  `json:"rate,omitempty"` // frames a second; "" for the timer
	Busy    float64 `json:"load_percent"`   // asked for
	Made    float64 `json:"load_made_percent"`
	Garbage float64 `json:"garbage_mib_per_second"`
	Frames  int     `json:"frames"`
	Skipped int     `json:"skipped"`

	Mean      float64 `json:"mean_us"` // of the deviations, with their sign
	Sigma     float64 `json:"sigma_us"`
	P50       float64 `json:"p50_us"` // of the deviations without
	P99       float64 `json:"p99_us"`
	P9999     float64 `json:"p9999_us"`
	Max       float64 `json:"max_us"`
	Sum       float64 `json:"sum_us"`
	Intervals float64 `json:"interval_p99_us"`
	Drift     float64 `json:"accumulated_us"`
	CPU       float64 `json:"cpu_percent"` // of one core

	Curve []float64 `json:"curve_us,omitempty"` // of the deviations without sign, at the report's Quantiles
}

// curveQuantiles are those that a row's curve is told at.
var curveQuantiles = [...]float64{0, 0.25, 0.5, 0.75, 0.9, 0.95, 0.98, 0.99, 0.995, 0.998, 0.999, 0.9995, 0.9999, 1}

func us(d time.Duration) float64 { return math.Round(float64(d)) / 1e3 }

func (r *pacingReport) add(name string, m *loop.Report) {
	row := pacingRow{
		Pacer: name, Busy: 100 * m.Load.Busy, Made: math.Round(1000*m.Busy) / 10, Garbage: float64(m.Load.Garbage) / (1 << 20),
		Frames: m.Frames, Skipped: m.Skipped,
		Mean: us(m.Signed.Mean), Sigma: us(m.Signed.Sigma), P50: us(m.Absolute.P50), P99: us(m.Absolute.P99), P9999: us(m.Absolute.P9999),
		Max: us(m.Absolute.Max), Sum: us(m.Absolute.Sum), Intervals: us(m.Interval.P99), Drift: us(m.Accumulated), CPU: math.Round(1000*m.CPU) / 10,
	}
	if m.Rate.Valid() {
		row.Rate = m.Rate.String()
	}
	for _, q := range curveQuantiles {
		row.Curve = append(row.Curve, us(m.Quantile(q)))
	}
	r.Rows = append(r.Rows, row)
}

// group are the rows of one rate and load, in order.
func (r *pacingReport) groups() [][]pacingRow {
	var list [][]pacingRow
	for i, row := range r.Rows {
		if i > 0 && row.Rate == r.Rows[i-1].Rate && row.Busy == r.Rows[i-1].Busy {
			list[len(list)-1] = append(list[len(list)-1], row)
			continue
		}
		list = append(list, []pacingRow{row})
	}
	return list
}

func named(group []pacingRow, name string) (pacingRow, bool) {
	for _, row := range group {
		if row.Pacer == name {
			return row, true
		}
	}
	return pacingRow{}, false
}

// text is the report for a terminal.
func (r *pacingReport) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\ndeviations from the schedule in us; CPU in %% of a core\n", r.Platform.String())
	for _, g := range r.groups() {
		first := g[0]
		b.WriteString("\n")
		switch {
		case first.Rate == "":
			fmt.Fprintf(&b, "lateness of a timer, load %g %%%s\n", first.Busy, garbageText(first.Garbage))
		default:
			fmt.Fprintf(&b, "%s Hz, load %g %% (made %.1f %%)%s, %d frames\n", first.Rate, first.Busy, first.Made, garbageText(first.Garbage), first.Frames)
		}
		w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprintln(w, "\tmean\tsigma\tP50\tP99\tP99.99\tmax\tskipped\tdrift\tCPU\tP99 / ticker\t")
		ticker, has := named(g, loop.Ticker.String())
		for _, row := range g {
			ratio := "-"
			if has && ticker.P99 > 0 {
				ratio = strconv.FormatFloat(row.P99/ticker.P99, 'f', 3, 64)
			}
			tail := number1(row.P9999)
			if !row.tells() {
				tail = "n/a"
			}
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%d\t%s\t%.1f\t%s\t\n", row.Pacer, number1(row.Mean), number1(row.Sigma),
				number1(row.P50), number1(row.P99), tail, number1(row.Max), row.Skipped, number1(row.Drift), row.CPU, ratio)
		}
		// A builder takes everything.
		w.Flush()
	}
	if verdict := r.verdict(); len(verdict) > 0 {
		b.WriteString("\nthe goals, in this run:\n")
		for _, line := range verdict {
			b.WriteString("  " + line + "\n")
		}
	}
	if r.Timers != nil {
		b.WriteString("\n" + r.Timers.text())
	}
	return b.String()
}

func garbageText(mib float64) string {
	if mib == 0 {
		return ""
	}
	return fmt.Sprintf(", %g MiB of garbage a second", mib)
}

func number1(v float64) string {
	if math.Abs(v) < 10 {
		return strconv.FormatFloat(v, 'f', 2, 64)
	}
	return strconv.FormatFloat(v, 'f', 1, 64)
}

// The goals for the precise pacer.
const (
	goalRatio = 1. / 20 // of the ticker's P99, idle, at 60 and 120 Hz
	goalCPU   = 3.      // % of a core, likewise
	goalTail  = 2.      // times pure spin's P99.99, idle
	// tailFrames are enough to tell P99.99 from the maximum, if barely.
	tailFrames = 10_000
)

// verdict says of each goal whether this run met it, or that it doesn't tell.
func (r *pacingReport) verdict() []string {
	var list []string
	say := func(word, format string, args ...any) {
		list = append(list, fmt.Sprintf("%-8s  ", word)+fmt.Sprintf(format, args...))
	}
	met := func(ok bool) string {
		if ok {
			return "met"
		}
		return "not met"
	}
	for _, g := range r.groups() {
		precise, ok := named(g, loop.Precise.String())
		if !ok || precise.Rate == "" {
			continue
		}
		at := fmt.Sprintf("%s Hz, load %g %%%s", precise.Rate, precise.Busy, garbageText(precise.Garbage))
		ticker, ok := named(g, loop.Ticker.String())
		if ok && ticker.P99 > 0 {
			ratio := precise.P99 / ticker.P99
			switch {
			case precise.loaded():
				say(met(ratio <= 1 && precise.Skipped <= ticker.Skipped), "%s: precise is never worse than the ticker: P99 %s us, %.3f of its; %d frames skipped, %d by it",
					at, number1(precise.P99), ratio, precise.Skipped, ticker.Skipped)
			case precise.Rate == "60" || precise.Rate == "120":
				floor := ""
				if spin, ok := named(g, spinName); ok && spin.P99 > 0 {
					floor = fmt.Sprintf(" (pure spin: 1/%.1f)", ticker.P99/spin.P99)
				}
				say(met(ratio <= goalRatio && precise.CPU <= goalCPU), "%s: P99 at most 1/20 of the ticker's for at most 3 %% of a core: 1/%.1f for %.1f %%%s",
					at, 1/max(ratio, 1e-9), precise.CPU, floor)
			}
		}
		spin, ok := named(g, spinName)
		if !ok || precise.loaded() || spin.P9999 <= 0 {
			continue
		}
		const tail = "%s: P99.99 at most twice pure spin's: "
		if !precise.tells() || !spin.tells() {
			say("untold", tail+"that takes %d frames (-frames)", at, tailFrames)
			continue
		}
		say(met(precise.P9999 <= goalTail*spin.P9999), tail+"%s us, %.2f times", at, number1(precise.P9999), precise.P9999/spin.P9999)
	}
	return list
}

// loaded says whether anything ran beside the pacer.
func (r *pacingRow) loaded() bool { return r.Busy > 0 || r.Garbage > 0 }

// tells says whether there were frames enough for P99.99; of fewer it would be the
// longest. A thousandth of them may have been skipped.
func (r *pacingRow) tells() bool {
	return r.Frames >= tailFrames && r.Frames-r.Skipped >= tailFrames-tailFrames/1000
}

func (r *pacingReport) writeJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(r)
}

// writeCSV writes a line for each row.
func (r *pacingReport) writeCSV(w io.Writer) error {
	c := csv.NewWriter(w)
	// Write's errors come again from Error.
	c.Write([]string{"pacer", "rate", "load_percent", "load_made_percent", "garbage_mib_per_second", "frames", "skipped", "mean_us", "sigma_us",
		"p50_us", "p99_us", "p9999_us", "max_us", "sum_us", "interval_p99_us", "accumulated_us", "cpu_percent"})
	f := func(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
	for _, x := range r.Rows {
		c.Write([]string{x.Pacer, x.Rate, f(x.Busy), f(x.Made), f(x.Garbage), strconv.Itoa(x.Frames), strconv.Itoa(x.Skipped), f(x.Mean), f(x.Sigma),
			f(x.P50), f(x.P99), f(x.P9999), f(x.Max), f(x.Sum), f(x.Intervals), f(x.Drift), f(x.CPU)})
	}
	c.Flush()
	return c.Error()
}
