package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"chronoscope/loop"
	"chronoscope/routes"
	"chronoscope/world"
	"chronoscope/world/scenario"
)

// Exit codes.
const (
	exitDone      = 0
	exitFailed    = 1
	exitRefused   = 2
	exitInterrupt = 130
)

// program is one call of the command.
type program struct {
	stdout, stderr io.Writer
	terminal       bool // stderr is one: show progress
	// openMap is nil outside tests, which bring grounds of their own.
	openMap func(*scenario.Config) (*routes.Map, error)
	// brief is for tests: what pacing measures for a fixed time takes a tenth of it.
	brief bool
}

// run does what the arguments ask for and gives the exit code. The context's
// end is an interrupt.
func (p *program) run(ctx context.Context, args []string) int {
	table, config := scenario.New()
	var s settings
	table.Add(s.rows()...)
	refuseFrames(table)
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		if args[0] == "map" && slices.ContainsFunc(args, asksHelp) {
			args = []string{"-h"}
		} else {
			return p.command(ctx, args)
		}
	}
	switch err := table.Parse(args); {
	case errors.Is(err, scenario.ErrHelp):
		io.WriteString(p.stdout, table.HelpText(usage))
		return exitDone
	case err != nil:
		return p.refuse(err)
	}
	if s.report != "" && s.report == s.digests {
		return p.refuse(fmt.Errorf("-digests %s: the report goes there already", s.digests))
	}
	open := p.openMap
	if open == nil {
		open = (*scenario.Config).OpenMap
	}
	// A large town takes its time; until it stands nothing is lost by an end.
	var m *routes.Map
	var err error
	opened := make(chan struct{})
	go func() {
		m, err = open(config)
		close(opened)
	}()
	select {
	case <-opened:
	case <-ctx.Done():
		return p.complain(exitInterrupt, "interrupted before the run began")
	}
	if err != nil {
		return p.refuse(err)
	}
	r := &session{program: p, settings: &s, table: table, config: config, ground: m}
	return r.run(ctx)
}

// asksHelp says whether an argument of a sub-command asks for help.
func asksHelp(arg string) bool {
	return arg == "-h" || arg == "--h" || arg == "-help" || arg == "--help"
}

// command runs a sub-command.
func (p *program) command(ctx context.Context, args []string) int {
	switch args[0] {
	case "capture-diff":
		return p.captureDiff(args[1:])
	case "lab":
		return p.lab(ctx, args[1:])
	case "pacing":
		return p.pacing(ctx, args[1:])
	}
	if args[0] != "map" {
		return p.refuse(fmt.Errorf("unknown sub-command %q: accepted are map info FILE, pacing, capture-diff A B, lab matrix, lab displays, lab physics (see -h)", args[0]))
	}
	if len(args) < 2 || args[1] != "info" {
		return p.refuse(fmt.Errorf("unknown sub-command %q: accepted is map info FILE (see -h)", strings.Join(args[:min(2, len(args))], " ")))
	}
	return p.mapInfo(args[2:])
}

// refuse says in one line what is wrong with the arguments.
func (p *program) refuse(err error) int { return p.complain(exitRefused, err.Error()) }

func (p *program) complain(code int, text string) int {
	fmt.Fprintf(p.stderr, "chronoscope: %s\n", strings.ReplaceAll(text, "\n", " "))
	return code
}

// session is one run of a world.
type session struct {
	*program
	settings *settings
	table    *scenario.Table
	config   *scenario.Config
	ground   *routes.Map

	out     outputs
	digests digestWriter
	track   tracker
	world   *world.World
	still   standstill
	started time.Time
	cpu     time.Duration // used before the first tick
	cpuLast time.Duration // used when the last one was seen to be released
	report  report
}

// How a run ends.
const (
	endTicks     = "ticks"
	endTime      = "time"
	endInterrupt = "interrupt"
	endFailure   = "failure"
)

// lookEvery is how often the run is looked at: progress line, standstill,
// trouble with files.
const lookEvery = 100 * time.Millisecond

func (r *session) run(ctx context.Context) int {
	var err error
	if r.out, err = openOutputs(r.settings); err != nil {
		return r.refuse(err)
	}
	options := r.config.Options(r.ground)
	options.AIWork = world.Calibrate(r.config.AICost)
	options.Coordinator.MaxSpeed = r.settings.maxSpeed
	options.Coordinator.LastTick = r.settings.ticks
	if r.settings.digests != "" {
		options.OnDigest = r.digests.take
	}
	if r.settings.capture != "" {
		r.track.origin = time.Now()
		options.Coordinator.OnRelease = r.track.release
		take := options.OnDigest
		options.OnDigest = func(d world.Digest) {
			r.track.digest(d)
			if take != nil {
				take(d)
			}
		}
	}
	empty, err := emptyFootprint(options)
	if err == nil {
		r.world, err = world.New(options)
	}
	if err == nil {
		err = r.beginDigests()
	}
	if err != nil {
		r.out.abandon()
		if r.world != nil {
			r.world.Stop()
		}
		return r.refuse(r.config.Refused(err))
	}
	r.announce()
	r.world.Populate()
	r.still.limit = r.settings.brakeLimit
	r.cpu, r.started = loop.CPUTime(), time.Now()
	r.world.Start()
	r.report = report{Version: reportVersion, Scenario: r.config.Scenario, Map: factsOf(r.ground),
		Machine: thisMachine(), Parameters: r.table.Plain()}
	r.watch(ctx)
	if r.cpuLast == 0 {
		r.cpuLast = loop.CPUTime()
	}
	r.report.CPUSeconds = (r.cpuLast - r.cpu).Seconds()
	wall := time.Since(r.started)
	if r.report.End == endTicks {
		// What came after the last release was rest, not run.
		wall = r.world.Coordinator().Released().Actual.Sub(r.started)
	}
	return r.finish(empty, wall)
}

// announce says what is going to run.
func (r *session) announce() {
	c := r.config
	fmt.Fprintf(r.talk(), "scenario %s (%s), map %s (%d x %d), %d characters, seed %d\n",
		c.Scenario, c.Title, c.Map, r.ground.Width, r.ground.Height, c.Params.NPCs, c.Params.Seed)
}

// talk is where text for people goes: not where the report goes.
func (r *session) talk() io.Writer {
	if r.settings.report == "-" {
		return r.stderr
	}
	return r.stdout
}

// beginDigests empties the digests' file and writes its header.
func (r *session) beginDigests() error {
	if r.out.digests == nil {
		return nil
	}
	r.digests.w = r.out.digests.file
	err := r.out.digests.begin()
	if err == nil {
		err = bare(r.digests.begin())
	}
	if err != nil {
		return fmt.Errorf("-digests %s: %w", r.settings.digests, err)
	}
	return nil
}

// watch lets the world run to its end and sets the report's End and Failure.
func (r *session) watch(ctx context.Context) {
	line := progress{}
	if r.terminal {
		line.w = r.stderr
	}
	defer line.clear()
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	var limit <-chan time.Time
	if r.settings.limit > 0 {
		t := time.NewTimer(r.settings.limit)
		defer t.Stop()
		limit = t.C
	}
	for {
		select {
		case <-ctx.Done():
			r.report.End = endInterrupt
			return
		case <-r.world.Done():
			r.report.End = endTicks
			return
		case <-limit:
			r.report.End = endTime
			return
		case now := <-tick.C:
			st, laggards := r.world.Stats(), r.world.Coordinator().Laggards()
			ended := r.settings.ticks > 0 && st.Tick >= r.settings.ticks
			if ended && r.cpuLast == 0 {
				r.cpuLast = loop.CPUTime()
			}
			if r.stuck(now, &st, len(laggards) > 0 || r.settings.maxSpeed || ended) {
				r.fail("no progress for %v at tick %d: %s", r.settings.brakeLimit, st.Tick, holder(r.world))
				return
			}
			if err := r.digests.failed(); err != nil {
				r.fail("-digests %s: %v", r.settings.digests, err)
				return
			}
			line.show(moment{tick: st.Tick, last: r.settings.ticks, elapsed: now.Sub(r.started),
				limit: r.settings.limit, active: st.Active, laggards: len(laggards)})
		}
	}
}

func (r *session) stuck(now time.Time, st *world.Stats, mustMove bool) bool {
	return r.still.look(now, pulseOf(st, r.world.Coordinator().Laggards()), mustMove)
}

// fail notes why the run failed; the first reason stands.
func (r *session) fail(format string, args ...any) {
	r.report.End = endFailure
	if r.report.Failure == "" {
		r.report.Failure = fmt.Sprintf(format, args...)
	}
}

// finish brings the world to rest, stops it, writes the report and says how it
// went.
func (r *session) finish(empty footprint, wall time.Duration) int {
	r.rest()
	crash, crashed := errors.AsType[*world.PanicError](r.world.Err())
	if crashed {
		r.report.End = endFailure
		r.report.Failure = fmt.Sprintf("character %d panicked at tick %d: %v", crash.Spawn, crash.Tick, crash.Value)
	}
	st := r.world.Stats()
	r.report.fill(st)
	if d := r.world.Digest(); d != (world.Digest{}) {
		r.report.Digest, r.report.DigestTick = hexDigest(d.Sum), uint64(d.Tick)
	}
	r.report.Memory = memoryReport(measure(st.Cache), empty, st.Active+st.Sleeping+st.Waking, residentBytes())
	if !r.stop() {
		r.fail("the world did not stop within %v: %s", stopLimit, holder(r.world))
	} else {
		r.report.Coverage = coverageOf(r.world.Coverage())
	}
	// The coordinator's last snapshot is the one it publishes at its end.
	r.report.timing(r.world.Coordinator().Stats(), wall)
	// Of a run that has failed already this says nothing, and changes nothing.
	if wrong := r.report.imbalance(); wrong != "" {
		r.fail("%s", wrong)
	}
	return r.close(crash)
}

// rest lets everyone pass the last tick that was released, so that the ledgers
// are exact. A world that has failed is left as it is.
func (r *session) rest() {
	if r.report.End == endFailure || r.report.End == endTicks {
		return // it has come to rest by itself, or never will
	}
	if err := r.world.Coordinator().Pause(); err != nil {
		r.fail("%v", err)
		return
	}
	giveUp, rested := make(chan struct{}), make(chan bool, 1)
	go func() { rested <- r.world.Rest(giveUp) }()
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		select {
		case ok := <-rested:
			if !ok {
				r.fail("the world ended before it came to rest")
			}
			return
		case now := <-tick.C:
			st := r.world.Stats()
			if r.stuck(now, &st, true) {
				r.fail("no progress for %v at tick %d: %s", r.settings.brakeLimit, st.Tick, holder(r.world))
				close(giveUp)
				<-rested
				return
			}
		}
	}
}

// stopLimit is how long a world may take to stop before the program ends
// without it.
const stopLimit = 10 * time.Second

// stop ends the world's goroutines; false when they wouldn't go.
func (r *session) stop() bool {
	stopped := make(chan struct{})
	go func() {
		r.world.Stop()
		close(stopped)
	}()
	t := time.NewTimer(stopLimit)
	defer t.Stop()
	select {
	case <-stopped:
		return true
	case <-t.C:
		return false
	}
}

// close writes what is to be written and gives the exit code.
func (r *session) close(crash *world.PanicError) int {
	if t := r.out.digests; t != nil {
		err := r.digests.failed()
		if e := t.finish(); err == nil {
			err = e
		}
		if err != nil {
			r.fail("-digests %s: %v", r.settings.digests, err)
		}
	}
	if t := r.out.capture; t != nil {
		if err := t.fill(func(w io.Writer) error { return r.track.write(w, r) }); err != nil {
			r.fail("-capture %s: %v", r.settings.capture, err)
		}
	}
	var reportErr error
	if r.settings.report != "" {
		reportErr = r.writeReport()
	}
	r.report.summarize(r.talk())
	code := exitDone
	if r.report.End == endInterrupt {
		code = exitInterrupt
	}
	if r.report.Failure != "" {
		code = r.complain(exitFailed, r.report.Failure)
		if crash != nil {
			io.WriteString(r.stderr, crash.Stack)
		}
	}
	if reportErr != nil {
		code = r.complain(exitFailed, fmt.Sprintf("-report %s: %v", r.settings.report, reportErr))
	}
	return code
}

func (r *session) writeReport() error {
	if r.out.report != nil {
		if err := r.out.report.begin(); err != nil {
			return err
		}
	}
	if err := r.report.write(r.out.reportWriter(r.stdout)); err != nil {
		r.out.report.abandon()
		return bare(err)
	}
	if r.out.report != nil {
		return r.out.report.finish()
	}
	return nil
}
