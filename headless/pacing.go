package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"
	"runtime/pprof"
	"slices"
	"strconv"
	"strings"
	"time"

	"chronoscope/loop"
	"chronoscope/world/scenario"
)

const pacingUsage = `How exactly ticks can be paced here: each pacer waits for the boundaries of a schedule, under each load, and
what it missed them by is measured. A row of pure spin stands in every table: no pacer gets below it.

Usage:
  go run ./headless pacing [flags]

Loads are made inside the program: as many threads as GOMAXPROCS compute for a share of their time; with
-garbage, as much is allocated and dropped besides. CPU is a share of one core, without what the busy
threads used. The last row of a load is the lateness of a timer of 1 ms. Deviations are in microseconds.
Without flags it takes some twelve minutes; with -load 0 two. P99.99 is told from 10,000 frames on, and says more
about the machine than about the pacer: compare it with pure spin's.
`

// The defaults and ranges of the flags.
const (
	defaultPacingSpan = 8 * time.Second // of each row, unless -frames says otherwise
	leastFrames       = 10
	mostTimers        = 200_000
	defaultTimers     = 10_000
)

func defaultLoads() []float64 { return []float64{0, 30, 50, 70, 90, 95} }

// pacingRun is what is to be measured, and what was.
type pacingRun struct {
	rates   []loop.Rate
	frames  int // 0: as many as last for defaultPacingSpan
	loads   []float64
	garbage int // bytes a second
	pacers  []loop.PacerKind
	timers  int // a second; 0: no study
	json    string
	csv     string
	png     string
	profile string

	row   time.Duration // of the timer of 1 ms, at most
	study time.Duration // of many timers, each way

	report pacingReport
}

// pacerName is a row's first column.
const (
	spinName  = "pure spin"
	timerName = "timer of 1 ms"
)

func (p *program) pacing(ctx context.Context, args []string) int {
	r := pacingRun{rates: []loop.Rate{loop.Hz(60), loop.Hz(120)}, loads: defaultLoads(), pacers: loop.PacerKinds(), timers: defaultTimers, row: timerRowSpan, study: studySpan}
	if p.brief {
		r.row, r.study = r.row/10, r.study/10
	}
	sub := newSubcommand("pacing", pacingUsage, r.rows()...)
	if code, ok := p.begin(sub, args); !ok {
		return code
	}
	files, err := r.open(sub)
	if err != nil {
		return p.refuse(err)
	}
	line := progress{}
	if p.terminal {
		line.w = p.stderr
	}
	err = r.measure(ctx, &line)
	line.clear()
	if profile := files.profile; profile != nil {
		pprof.StopCPUProfile()
		if err := profile.finish(); err != nil {
			return p.complain(exitFailed, fmt.Sprintf("pacing: -cpuprofile %s: %v", r.profile, err))
		}
	}
	if err != nil && !errors.Is(err, context.Canceled) {
		files.abandon()
		return p.complain(exitFailed, "pacing: "+err.Error())
	}
	io.WriteString(p.stdout, r.report.text())
	code := exitDone
	for _, f := range []struct {
		flag, name string
		t          *target
		write      func(io.Writer) error
	}{{"json", r.json, files.json, r.report.writeJSON}, {"csv", r.csv, files.csv, r.report.writeCSV}, {"png", r.png, files.png, r.report.picture().encode}} {
		if f.t == nil {
			continue
		}
		if err := f.t.fill(f.write); err != nil {
			code = p.complain(exitFailed, fmt.Sprintf("pacing: -%s %s: %v", f.flag, f.name, err))
		}
	}
	if err != nil {
		return p.complain(exitInterrupt, "pacing: interrupted: what was measured until then stands above")
	}
	return code
}

// rows are the flags.
func (r *pacingRun) rows() []scenario.Row {
	return []scenario.Row{
		{Name: "rate", Help: "frames a second, one or several with commas", Value: &parsedList[loop.Rate]{p: &r.rates, parse: parseMeasuredRate,
			hint: fmt.Sprintf("rates above 0 and up to %d, as 60,59.94,1000", loop.MaxMeasuredRate)}},
		{Name: "frames", Help: "frames of each row; more of them tell rarer troubles and take longer",
			Value: &scenario.Int[int]{P: &r.frames, Max: loop.MaxMeasuredFrames, Zero: "as many as take 8 s"}},
		{Name: "load", Help: "how busy the other threads are, in % of their time, one or several with commas", Value: &parsedList[float64]{p: &r.loads, parse: parseLoad,
			hint: "shares of 0 to 95, as 0,50,95"}},
		{Name: "garbage", Help: "what is allocated and dropped besides, in MiB a second", Value: &mebibytes{&r.garbage}},
		{Name: "pacers", Help: "which pacers, with commas", Value: &parsedList[loop.PacerKind]{p: &r.pacers, parse: parsePacer,
			hint: strings.Join(pacerNames(), ", ")}},
		{Name: "timers", Help: "deadlines a second in the study of many timers", Value: &scenario.Int[int]{P: &r.timers, Max: mostTimers, Zero: "no study"}},
		{Name: "json", Help: "write everything that was measured as JSON", Value: &scenario.Text{P: &r.json, Hint: "a file name"}},
		{Name: "csv", Help: "write a line for each row as CSV", Value: &scenario.Text{P: &r.csv, Hint: "a file name"}},
		{Name: "png", Help: "draw the percentiles into a picture of that name", Value: &scenario.Text{P: &r.png, Hint: "a file name"}},
		{Name: "cpuprofile", Help: "write a profile of where the processor's time went", Value: &scenario.Text{P: &r.profile, Hint: "a file name"}},
	}
}

func pacerNames() []string {
	var names []string
	for _, k := range loop.PacerKinds() {
		names = append(names, k.String())
	}
	return names
}

func parsePacer(s string) (loop.PacerKind, error) { return loop.ParsePacer(s) }

func parseLoad(s string) (float64, error) {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || !(v >= 0 && v <= 100*loop.MaxBusy) {
		return 0, scenario.ErrRefused
	}
	return v, nil
}

// parseMeasuredRate reads what loop.ParseRate does, and whole numbers beyond.
func parseMeasuredRate(s string) (loop.Rate, error) {
	if n, err := strconv.ParseUint(s, 10, 32); err == nil && n > 0 && n <= loop.MaxMeasuredRate {
		return loop.Hz(n), nil
	}
	return loop.ParseRate(s)
}

// parsedList is a flag of several values, each of them once, with commas between
// them.
type parsedList[T comparable] struct {
	p     *[]T
	parse func(string) (T, error)
	hint  string
}

// Set reads the whole list anew.
func (v *parsedList[T]) Set(text string) error {
	var list []T
	for _, part := range strings.Split(text, ",") {
		x, err := v.parse(strings.TrimSpace(part))
		if err != nil {
			return scenario.ErrRefused
		}
		if slices.Contains(list, x) {
			return fmt.Errorf("%s is there twice", strings.TrimSpace(part))
		}
		list = append(list, x)
	}
	*v.p = list
	return nil
}

func (v *parsedList[T]) String() string {
	var parts []string
	for _, x := range *v.p {
		parts = append(parts, fmt.Sprint(x))
	}
	return strings.Join(parts, ",")
}
func (v *parsedList[T]) Accepted() string      { return v.hint }
func (v *parsedList[T]) Plain() any            { return v.String() }
func (v *parsedList[T]) Forms() scenario.Forms { return scenario.Quoted }

// mebibytes is a flag in MiB whose value is in bytes.
type mebibytes struct{ p *int }

// Set reads a number of MiB.
func (v *mebibytes) Set(text string) error {
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || !(n >= 0 && n <= loop.MaxGarbage>>20) {
		return scenario.ErrRefused
	}
	*v.p = int(n * (1 << 20))
	return nil
}

func (v *mebibytes) String() string { return strconv.FormatFloat(float64(*v.p)/(1<<20), 'g', -1, 64) }
func (v *mebibytes) Accepted() string {
	return fmt.Sprintf("0 to %d MiB a second", loop.MaxGarbage>>20)
}
func (v *mebibytes) Plain() any            { return float64(*v.p) / (1 << 20) }
func (v *mebibytes) Forms() scenario.Forms { return scenario.Quoted }

// pacingFiles are the files that were asked for; nil: not.
type pacingFiles struct{ json, csv, png, profile *target }

func (f *pacingFiles) abandon() {
	for _, t := range []*target{f.json, f.csv, f.png} {
		t.abandon()
	}
}

// open sees to the files before anything is measured, and starts the profile.
func (r *pacingRun) open(sub *subcommand) (files pacingFiles, err error) {
	if r.frames > 0 && r.frames < leastFrames {
		return files, sub.refusal("-frames %d: accepted are 0 (as many as take 8 s) or %d to %d", r.frames, leastFrames, loop.MaxMeasuredFrames)
	}
	names := map[string]string{}
	for _, f := range []struct {
		flag, name string
		t          **target
	}{{"json", r.json, &files.json}, {"csv", r.csv, &files.csv}, {"png", r.png, &files.png}, {"cpuprofile", r.profile, &files.profile}} {
		if f.name == "" {
			continue
		}
		for name, flag := range names {
			if sameFile(name, f.name) {
				return files, sub.refusal("-%s %s: what -%s says goes there already", f.flag, f.name, flag)
			}
		}
		names[f.name] = f.flag
		if *f.t, err = openWhole(f.name); err != nil {
			return files, sub.refusal("-%s %s: %w", f.flag, f.name, err)
		}
	}
	if t := files.profile; t != nil {
		if err = t.begin(); err == nil {
			err = pprof.StartCPUProfile(t.file)
		}
		if err != nil {
			return files, sub.refusal("-cpuprofile %s: %w", r.profile, err)
		}
	}
	return files, nil
}

// measure fills in the report. With ctx's error it has what was measured until
// then.
func (r *pacingRun) measure(ctx context.Context, line *progress) error {
	r.report = pacingReport{Version: pacingVersion, Quantiles: curveQuantiles[:], Platform: platformOf(loop.ThisPlatform()), Taken: time.Now().UTC().Truncate(time.Second)}
	total := 0 * time.Second
	for _, rate := range r.rates {
		total += time.Duration(len(r.loads)*(len(r.pacers)+1)) * r.span(rate)
	}
	total += time.Duration(len(r.loads)) * r.row
	if r.timers > 0 {
		total += 2 * (studyLead + r.study)
	}
	begun := time.Now()
	show := func(what string) {
		left := max(total-time.Since(begun), 0).Round(time.Second)
		line.replace(fmt.Sprintf("%s, about %v left", what, left))
	}
	for _, share := range r.loads {
		load := loop.Load{Busy: share / 100, Garbage: r.garbage}
		for _, rate := range r.rates {
			measure := func(name string, p loop.Pacer) error {
				show(fmt.Sprintf("%s at %v Hz, load %g %%", name, rate, share))
				got, err := loop.Measure(ctx, p, rate, r.count(rate), load)
				p.Close()
				if got.Woken > 0 {
					r.report.add(name, &got)
				}
				return err
			}
			for _, k := range r.pacers {
				if err := measure(k.String(), k.New()); err != nil {
					return err
				}
			}
			if err := measure(spinName, loop.SpinPacer{}); err != nil {
				return err
			}
		}
		show(fmt.Sprintf("timers of 1 ms, load %g %%", share))
		// A timer may take twenty times as long as it should under load.
		within, cancel := context.WithTimeout(ctx, r.row)
		got, err := loop.MeasureTimer(within, time.Millisecond, int(r.row/(2*time.Millisecond)), load)
		cancel()
		if got.Woken > 0 {
			r.report.add(timerName, &got)
		}
		if err != nil && (ctx.Err() != nil || !errors.Is(err, context.DeadlineExceeded)) {
			return err
		}
	}
	if r.timers > 0 {
		show("many timers")
		study, err := studyTimers(ctx, r.timers, r.study)
		if err != nil {
			return err
		}
		r.report.Timers = study
	}
	return nil
}

// timerRowSpan is how long the row of the 1 ms timer takes at most.
const timerRowSpan = 4 * time.Second

// count is how many frames are measured at a rate.
func (r *pacingRun) count(rate loop.Rate) int {
	if r.frames > 0 {
		return r.frames
	}
	return max(int(math.Round(rate.Float()*defaultPacingSpan.Seconds())), leastFrames)
}

// span is how long that takes, with the frames before the first that counts.
func (r *pacingRun) span(rate loop.Rate) time.Duration {
	frames := r.count(rate)
	return time.Duration(float64(frames+loop.WarmUp(frames)) / rate.Float() * float64(time.Second))
}

// platformText is one line about where it was measured.
func (p *platformJSON) String() string {
	return fmt.Sprintf("%s/%s, %s, %s, %d processors, GOMAXPROCS %d", p.OS, p.Arch, p.Kernel, p.Go, p.CPUs, p.GOMAXPROCS)
}

func platformOf(p loop.Platform) platformJSON {
	return platformJSON{OS: p.GOOS, Arch: p.GOARCH, Kernel: p.Kernel, Go: runtime.Version(), CPUs: runtime.NumCPU(), GOMAXPROCS: p.GOMAXPROCS}
}
