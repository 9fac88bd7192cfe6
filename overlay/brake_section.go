package overlay

import (
	"chronoscope/coordinator"
	"chronoscope/world/scenario"
)

// How many laggards and brakes are listed.
const (
	laggardRows = 8
	episodeRows = 6
)

func (s *page) brakeSection() {
	v, f := s.v, &s.p.fields
	now := v.Pacing.LagThreshold
	set := func(n int) {
		if n = min(max(n, MinThreshold), MaxThreshold); n != now {
			s.in.Pace(v).LagThreshold = n
		}
	}
	s.grid(nameWidth, -1, 22, 22, 66)
	s.text("threshold, ticks", Faint)
	at, moved, nudge := s.slider("threshold", logarithmic(float64(now), MinThreshold, MaxThreshold), "")
	if moved {
		set(thresholdAt(at))
	}
	if nudge != 0 {
		set(now + nudge)
	}
	if s.button("less", "-") {
		set(now - 1)
	}
	if s.button("more", "+") {
		set(now + 1)
	}
	typed := now
	s.value(&f.threshold, "threshold typed", Count(now),
		&scenario.Int[int]{P: &typed, Min: coordinator.MinLagThreshold, Max: coordinator.MaxLagThreshold, Unit: "ticks"},
		func() { set(typed) })
	s.refusal(&f.threshold)

	if v.Braking {
		s.rowIn("now", "BRAKING: no tick is released", warned)
	} else {
		s.row("now", "ticks pass")
	}
	s.row("time braked", Percent(v.BrakeShare)+", in all "+Span(v.BrakeTotal))
	s.row("brakes so far", Thousands(v.Episodes))
	if v.BrakeLongest > 0 {
		s.row("longest", Brief(v.BrakeLongest))
	}

	s.title("laggards")
	if len(v.Laggards) == 0 {
		s.note("no laggards")
	}
	n := min(len(v.Laggards), laggardRows)
	s.ctx.Loop(n, func(i int) {
		l := &v.Laggards[i]
		s.grid(nameWidth, -1, 70)
		s.who(place("laggard", i), l)
		s.text(Behind(l.Lag), Ink)
		s.text(Span(l.For), Ink)
	})
	if more := max(v.LaggardCount, len(v.Laggards)) - n; more > 0 {
		s.note("and " + Count(more) + " more")
	}

	s.title("last brakes")
	if len(v.Last) == 0 {
		s.note("no brake yet: stall somebody (T), or run the scenario brake")
	}
	s.ctx.Loop(min(len(v.Last), episodeRows), func(i int) {
		e := &v.Last[i]
		s.grid(nameWidth, -1)
		s.who(place("cause", i), &e.Cause)
		s.text(Brief(e.Length)+", "+Span(e.Ago)+" ago", Ink)
		s.note("held tick " + Thousands(uint64(e.Tick)) + ", at most " + plural(e.Laggards, "laggard"))
	})
}

// who names a participant in the next cell; a character can be clicked, which
// goes there and selects it.
func (s *page) who(name string, l *LaggardRow) {
	if !l.Placed {
		s.text(l.Name, Ink)
		return
	}
	if s.button(name, l.Name) {
		s.visit(l.Spawn)
	}
}

// visit goes to a character and selects it.
func (s *page) visit(spawn uint64) {
	s.in.GoTo, s.in.HasGoTo = spawn, true
	s.in.Select, s.in.HasSelect = Selection{Kind: OneCharacter, Spawn: spawn}, true
}
