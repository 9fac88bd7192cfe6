package overlay

import (
	"fmt"
	"time"

	"chronoscope/coordinator"
	"chronoscope/loop"
	"chronoscope/world/scenario"
)

// fields are the sidebar's fields.
type fields struct {
	rate, scale, steps, catchUp, checks, floor field
	threshold                                  field
	add, aiCost, wake, sleep                   field
	hysteresis, residence, budget              field
	mapName, seed, npcs, side                  field
	goTo, stall, hold                          field
	lab                                        labFields

	// What the next press of a button works with.
	stepN   int
	addN    int
	goSpawn uint64
	stallD  time.Duration
	holdT   loop.Tick
}

// What those are to begin with.
const (
	defaultSteps = 60 // ticks
	defaultAdd   = 500
	defaultStall = 500 * time.Millisecond
	defaultHold  = 600 // ticks
)

func (f *fields) defaults() {
	f.stepN, f.addN, f.goSpawn, f.stallD, f.holdT = defaultSteps, defaultAdd, 1, defaultStall, defaultHold
}

func (s *page) timeSection() {
	v, f := s.v, &s.p.fields
	pace := v.Pacing

	s.grid(nameWidth, -1, 46)
	s.text("tick rate per s", Faint)
	at, moved, nudge := s.slider("rate", linear(pace.TickRate.Float(), MinRate, MaxRate), "")
	s.p.rate = s.p.device(s.last)
	if r := rateAt(at); moved && r != pace.TickRate {
		s.in.Pace(v).TickRate = r
	}
	if nudge != 0 {
		s.in.Pace(v).TickRate = stepRate(pace.TickRate, nudge)
	}
	rate := pace.TickRate
	s.value(&f.rate, "rate typed", RateText(rate), &scenario.Rate{P: &rate}, func() { s.in.Pace(v).TickRate = rate })
	s.refusal(&f.rate)
	s.grid(nameWidth, -1, -1, -1, -1)
	s.text("", Faint)
	for _, c := range [...]struct {
		name string
		r    loop.Rate
	}{{"30", loop.Hz(30)}, {"59.94", NTSC()}, {"60", loop.Hz(60)}, {"120", loop.Hz(120)}} {
		if s.option("rate "+c.name, c.name, pace.TickRate == c.r) {
			s.in.Pace(v).TickRate = c.r
		}
	}

	s.grid(nameWidth, -1, -1, -1, 60)
	s.text("speed", Faint)
	if s.button("slower", "slower") {
		s.in.Pace(v).TimeScale = NextScale(pace.TimeScale, -1)
	}
	if s.option("x1", "x1", pace.TimeScale == 1) {
		s.in.Pace(v).TimeScale = 1
	}
	if s.button("faster", "faster") {
		s.in.Pace(v).TimeScale = NextScale(pace.TimeScale, +1)
	}
	scale := pace.TimeScale
	s.value(&f.scale, "speed typed", Factor(scale),
		&scenario.Float{P: &scale, Min: coordinator.MinTimeScale, Max: coordinator.MaxTimeScale},
		func() { s.in.Pace(v).TimeScale = scale })
	s.refusal(&f.scale)

	s.grid(nameWidth, -1, -1, 60)
	label := "pause"
	if v.Paused {
		label = "resume"
	}
	if s.option("pause", label, v.Paused) {
		s.in.TogglePause = true
	}
	if s.button("step", "step 1") {
		s.in.Step = 1
	}
	many := s.button("step many", "step "+Count(f.stepN))
	steps := f.stepN
	s.value(&f.steps, "steps typed", Count(steps), &scenario.Int[int]{P: &steps, Min: 1, Max: coordinator.MaxStep, Unit: "ticks"},
		func() { f.stepN = steps })
	if many {
		s.in.Step = f.stepN
	}
	s.refusal(&f.steps)

	s.measured()
	s.watching()
}

// measured is what became of what was asked for.
func (s *page) measured() {
	v := s.v
	s.title("measured")
	actual, speed := "-", "-"
	if v.Actual > 0 && !v.Paused {
		actual = PerSecond(v.Actual) + " per s"
	}
	if v.Speed > 0 && !v.Paused {
		speed = Factor(v.Speed)
	}
	s.row("tick", Thousands(uint64(v.Tick)))
	s.row("town time", loop.TownTimeAt(v.Tick).String())
	s.row("tick rate", actual)
	s.row("effective speed", speed)
	s.row("release error", quantiles(v.ReleaseError))
	s.row("ticks dropped", Thousands(v.Dropped))
	if v.Pacing.Policy == loop.SlowDown {
		s.row("tick stretched", Factor(v.Stretch))
	}
}

// watching is how ticks come due and how closely the coordinator looks.
func (s *page) watching() {
	v, f := s.v, &s.p.fields
	pace := v.Pacing
	s.title("how ticks come due")
	policies := loop.Policies()
	labels := make([]string, len(policies))
	holds := -1
	for i, p := range policies {
		labels[i] = p.String()
		if p == pace.Policy {
			holds = i
		}
	}
	if i := s.options("when late", labels, holds); i >= 0 {
		s.in.Pace(v).Policy = policies[i]
	}
	catchUp := pace.MaxCatchUp
	s.valueRow(&f.catchUp, "catch up at most", plural(catchUp, "tick"),
		&scenario.Int[int]{P: &catchUp, Min: coordinator.MinMaxCatchUp, Max: coordinator.MaxMaxCatchUp, Unit: "ticks"},
		func() { s.in.Pace(v).MaxCatchUp = catchUp })
	if i := s.options("clock", []string{"coordinator", "frame"}, int(pace.Driver)); i >= 0 {
		s.in.Pace(v).Driver = coordinator.Driver(i)
	}
	if i := s.options("waiting", []string{coordinator.Poll.String(), coordinator.Gate.String()}, int(pace.Wait)); i >= 0 {
		s.in.Pace(v).Wait = coordinator.Strategy(i)
	}
	s.pacers()
	checks := pace.ChecksPerTick
	s.valueRow(&f.checks, "checks per tick", Count(checks),
		&scenario.Int[int]{P: &checks, Min: coordinator.MinChecksPerTick, Max: coordinator.MaxChecksPerTick},
		func() { s.in.Pace(v).ChecksPerTick = checks })
	floor := pace.SleepFloor
	s.valueRow(&f.floor, "sleep floor", Precise(floor),
		&scenario.Duration{P: &floor, Min: coordinator.MinSleepFloor, Max: coordinator.MaxSleepFloor},
		func() { s.in.Pace(v).SleepFloor = floor })
	s.row("check interval", checkText(v.Checks))
}

// pacers are the ways of the coordinator to wait for its next check, in two rows.
func (s *page) pacers() {
	name := "pacer"
	for _, row := range [...][]loop.PacerKind{{loop.Sleep, loop.Ticker, loop.Hybrid}, {loop.Compensated, loop.Precise}} {
		labels, holds := make([]string, len(row)), -1
		for i, k := range row {
			labels[i] = k.String()
			if k == s.v.Pacing.Pacer {
				holds = i
			}
		}
		if i := s.options(name, labels, holds); i >= 0 {
			s.in.Pace(s.v).Pacer = row[i]
		}
		name = ""
	}
}

func checkText(c coordinator.CheckStats) string {
	s := "target " + Precise(c.Target)
	if c.Interval.Count > 0 {
		s += fmt.Sprintf(", P50 %s, P99 %s", Precise(c.Interval.P50), Precise(c.Interval.P99))
	}
	return s
}

func quantiles(q coordinator.Quantiles) string {
	if q.Count == 0 {
		return "-"
	}
	return fmt.Sprintf("P50 %s, P99 %s, max %s", Precise(q.P50), Precise(q.P99), Precise(q.Max))
}
