package overlay

import (
	"fmt"
	"strings"
	"time"

	"chronoscope/coordinator/waiting"
	"chronoscope/loop"
	"chronoscope/loop/lab"
	"chronoscope/world/scenario"
)

// labFields are the fields of the lab's section.
type labFields struct {
	rate, work, frame          field
	step, cost, loaded, stepsN field
	members, span              field
}

// wish is the settings to ask for.
func (s *page) wish() *LabSettings { return s.in.Lab.Wish(&s.v.Lab) }

func (s *page) labSection() {
	v := &s.v.Lab
	s.grid(-1, -1, -1)
	for p := range LabPageCount {
		if s.option("page "+p.String(), labPageTitles[p], v.Settings.Page == p) {
			s.wish().Page = p
		}
	}
	if v.Settings.Page != OverloadPage {
		s.labRate()
	}
	switch v.Settings.Page {
	case LoopPage:
		s.loopControls()
	case OverloadPage:
		s.overloadControls()
	case WaitingPage:
		s.waitingControls()
	case DisplayPage:
		s.displayControls()
	default:
		s.pacerControls()
	}
	if v.Refused != "" {
		s.paragraph(v.Refused, warned)
	}
	s.note("The dock's tab Lab shows it (J, or /lab).")
}

// labRate is the rate of the experiments: a number, or the world's.
func (s *page) labRate() {
	v, f := &s.v.Lab, &s.p.fields.lab
	follows := !v.Settings.Rate.Valid()
	shown := RateText(v.Rate)
	if follows {
		shown += ", the world's"
	}
	s.grid(nameWidth, -1, 84)
	s.text("rate per s", Faint)
	s.typeIn(&f.rate, "lab rate", shown, v.Rate.String(), func(text string) error {
		r, err := ParseLabRate(text)
		if err == nil {
			s.wish().Rate = r
		}
		return err
	})
	if s.option("lab rate of the world", "the world's", follows) {
		s.wish().Rate = loop.Rate{}
		if follows {
			s.wish().Rate = v.Rate // let go of it
		}
	}
	s.refusal(&f.rate)
}

// ParseLabRate reads a rate of the lab; "world" is the world's, which is not
// valid. The error says what is accepted.
func ParseLabRate(text string) (loop.Rate, error) {
	var r loop.Rate
	if strings.EqualFold(strings.TrimSpace(text), "world") {
		return r, nil
	}
	v := scenario.Rate{P: &r}
	if err := read(&v, text); err != nil {
		return loop.Rate{}, fmt.Errorf("%w, or world", err)
	}
	return r, nil
}

func (s *page) pacerControls() {
	v := &s.v.Lab
	s.grid(nameWidth, -1)
	if v.PacersOn {
		s.text("running", Walking)
		if s.button("stop the pacers", "stop") {
			s.in.Lab.Pacers = TurnOff
		}
	} else {
		s.text("stopped", Faint)
		if s.button("start the pacers", "start") {
			s.in.Lab.Pacers = TurnOn
		}
	}
	if len(v.Pacers) == 0 {
		s.note("Five ways to wait for the next tick, each on a goroutine of its own. They run until they are stopped; hybrid and precise spin, which costs some of a core.")
		return
	}
	for i := range v.Pacers {
		p := &v.Pacers[i]
		text := "learning"
		if p.Histogram.Count() > 0 {
			text = "P50 " + Precise(p.P50) + ", P99 " + Precise(p.P99)
		}
		s.row(p.Kind.String(), text)
	}
}

// labDuration is a row for a time that can be typed over.
func (s *page) labDuration(f *field, name string, at, low, high time.Duration, set func(*LabSettings, time.Duration)) {
	d := at
	s.valueRow(f, name, Precise(d), &scenario.Duration{P: &d, Min: low, Max: high}, func() { set(s.wish(), d) })
}

// labCount is the same for a count.
func (s *page) labCount(f *field, name string, at, low, high int, unit string, set func(*LabSettings, int)) {
	n := at
	s.valueRow(f, name, Count(n)+" "+unit, &scenario.Int[int]{P: &n, Min: low, Max: high, Unit: unit}, func() { set(s.wish(), n) })
}

func (s *page) loopControls() {
	v, f := &s.v.Lab, &s.p.fields.lab
	s.labDuration(&f.work, "work a step", v.Settings.Work, 0, lab.MaxWork, func(o *LabSettings, d time.Duration) { o.Work = d })
	s.labDuration(&f.frame, "a frame", v.Settings.Frame, lab.MinFrame, lab.MaxFrame, func(o *LabSettings, d time.Duration) { o.Frame = d })
	s.grid(nameWidth, -1, -1, -1, -1)
	s.text("slow motion", Faint)
	for _, n := range SlowMotions {
		if s.option("slow "+Count(n), slowText(n), v.Settings.Slow == n) {
			s.wish().Slow = n
		}
	}
	s.grid(nameWidth, -1)
	s.text("", Faint)
	if s.button("begin the loops again", "from the beginning") {
		s.wish().Again++
	}
	s.note("One right loop and the two wrong ones that everybody writes once: they drift by the work, or by the rest of each frame.")
}

func (s *page) overloadControls() {
	v, f := &s.v.Lab, &s.p.fields.lab
	o := v.Settings.Overload
	s.labDuration(&f.step, "step", o.Step, lab.MinStep, lab.MaxStep, func(o *LabSettings, d time.Duration) { o.Overload.Step = d })
	s.labDuration(&f.cost, "work a step", o.Work, 0, lab.MaxWork, func(o *LabSettings, d time.Duration) { o.Overload.Work = d })
	s.labCount(&f.loaded, "for so many", o.Loaded, 1, lab.MaxOverloadFrames, "frames", func(o *LabSettings, n int) { o.Overload.Loaded = n })
	s.labCount(&f.stepsN, "cap", o.Cap, 1, lab.MaxOverloadCap, "steps", func(o *LabSettings, n int) { o.Overload.Cap = n })
	s.note("A step that costs more than its length makes each frame longer, and so the next one's backlog. It is worked out: the processor isn't burnt.")
}

func (s *page) waitingControls() {
	v, f := &s.v.Lab, &s.p.fields.lab
	s.labCount(&f.members, "members", v.Settings.Members, 1, waiting.MaxMembers, "members", func(o *LabSettings, n int) { o.Members = n })
	s.labDuration(&f.span, "for each", v.Settings.For, waiting.MinFor, waiting.MaxFor, func(o *LabSettings, d time.Duration) { o.For = d })
	s.grid(nameWidth, -1)
	if v.Waiting.Running {
		s.text(Percent(v.Waiting.Part)+" done", Walking)
		if s.button("stop the waiting", "stop") {
			s.in.Lab.Waiting = TurnOff
		}
	} else {
		s.text("stopped", Faint)
		if s.button("start the waiting", "start") {
			s.in.Lab.Waiting = TurnOn
		}
	}
	for i := range v.Waiting.Results {
		r := &v.Waiting.Results[i]
		s.row(r.Strategy.String(), "P50 "+Precise(r.P50)+", P99 "+Precise(r.P99))
	}
	s.note("A coordinator of its own, with members that do nothing but wait; the world isn't asked.")
}

func (s *page) displayControls() {
	v := &s.v.Lab
	s.grid(nameWidth, 24, -1, 24)
	s.text("display", Faint)
	if s.button("display before", "<") {
		s.wish().Display = NextDisplay(v.Settings.Display, -1)
	}
	s.text(v.Settings.Display, Ink)
	if s.button("display after", ">") {
		s.wish().Display = NextDisplay(v.Settings.Display, +1)
	}
	s.grid(nameWidth, -1, -1)
	s.text("show", Faint)
	if s.option("loop models", "loop models", !v.Settings.Matrix) {
		s.wish().Matrix = false
	}
	if s.option("the matrix", "matrix", v.Settings.Matrix) {
		s.wish().Matrix = true
	}
	s.note("What engines' loops make of a display that need not be there, and the matrix of refresh, VSync and frame cap.")
}
