package overlay

import (
	"fmt"
	"time"

	"chronoscope/loop"
	"chronoscope/world"
	"chronoscope/world/scenario"
)

// aiCosts are those on buttons.
var aiCosts = [...]time.Duration{0, time.Microsecond, 10 * time.Microsecond, 100 * time.Microsecond}

func (s *page) worldSection() {
	s.population()
	s.zones()
	s.tuning()
	s.newWorld()
}

func (s *page) population() {
	v, f := s.v, &s.p.fields
	c := v.Characters
	s.row("characters", Count(c.Living())+" living, "+Count(c.Ended)+" ended")
	s.rowIn("active", Count(c.Active), Awake)
	sleeping := Count(c.Sleeping)
	if c.Detailed > 0 {
		sleeping += ", " + Count(c.Detailed) + " on detailed schedules"
	}
	s.rowIn("sleeping", sleeping, Walking)
	s.row("waking", Count(c.Waking))

	spawn := func(n int) { s.in.Command = Command{Kind: SpawnMore, N: n} }
	remove := func(n int) { s.in.Command = Command{Kind: RemoveLast, N: n} }
	s.grid(-1, -1, -1, -1)
	for _, n := range [...]int{100, 1000} {
		if s.button(place("spawn", n), "+ "+Count(n)) {
			spawn(n)
		}
	}
	for _, n := range [...]int{100, 1000} {
		if s.button(place("remove", n), "- "+Count(n)) {
			remove(n)
		}
	}
	s.grid(nameWidth, -1, -1, -1)
	s.text("how many", Faint)
	n := f.addN
	s.value(&f.add, "how many", Count(n), &scenario.Int[int]{P: &n, Min: 1, Max: world.MaxNPCs, Unit: "characters"},
		func() { f.addN = n })
	if s.button("spawn", "spawn") {
		spawn(f.addN)
	}
	if s.button("remove", "remove") {
		remove(f.addN)
	}
	s.refusal(&f.add)
}

// zones counts what zones have come to.
func (s *page) zones() {
	v := s.v
	s.title("zones")
	active := "none: pin one (P), or let the camera wake them"
	if v.Zones > 0 {
		active = Count(v.Zones) + ", " + Count(v.Pinned) + " of them pinned"
	}
	s.row("active", active)
	s.row("side", plural(int(v.Setup.ZoneSide), "cell"))
	s.row("legs started", Thousands(v.Legs))
	s.row("stalls", Thousands(v.Stalls))
	refined := Thousands(v.Refinements)
	if v.Refinements > 0 {
		refined += ", P99 " + Precise(v.RefineP99)
	}
	s.row("legs refined", refined)
	s.grid(-1)
	if s.check("camera", "the camera wakes zones", v.CameraWakes) {
		s.in.ToggleCamera = true
	}
}

// tuning is how closely characters are simulated.
func (s *page) tuning() {
	v, f := s.v, &s.p.fields
	s.title("how closely")
	cost := v.AICost
	s.valueRow(&f.aiCost, "AI cost per tick", Precise(cost), &scenario.Duration{P: &cost, Max: world.MaxAICost, Zero: "none"},
		func() { s.in.AICost, s.in.HasAICost = cost, true })
	s.grid(nameWidth, -1, -1, -1, -1)
	s.text("", Faint)
	for _, d := range aiCosts {
		label := Precise(d)
		if s.option("AI "+label, label, v.AICost == d) {
			s.in.AICost, s.in.HasAICost = d, true
		}
	}

	// One change at a time: each starts from what is in force, or what was
	// asked for already in this frame.
	t := v.Tuning
	set := func(change func(*world.Tuning)) func() {
		return func() {
			if !s.in.HasTuning {
				s.in.Tuning, s.in.HasTuning = v.Tuning, true
			}
			change(&s.in.Tuning)
		}
	}
	wake, sleep := t.WakeRadius, t.SleepRadius
	s.valueRow(&f.wake, "wake radius", plural(int(wake), "cell"),
		&within{&scenario.Int[int32]{P: &wake, Max: world.MaxRadius, Unit: "cells"}, func() error {
			if wake > t.SleepRadius {
				return fmt.Errorf("accepted are 0 to %d cells, the sleep radius", t.SleepRadius)
			}
			return nil
		}}, set(func(t *world.Tuning) { t.WakeRadius = wake }))
	s.valueRow(&f.sleep, "sleep radius", plural(int(sleep), "cell"),
		&within{&scenario.Int[int32]{P: &sleep, Max: world.MaxRadius, Unit: "cells"}, func() error {
			if sleep < t.WakeRadius {
				return fmt.Errorf("accepted are %d (the wake radius) to %d cells", t.WakeRadius, world.MaxRadius)
			}
			return nil
		}}, set(func(t *world.Tuning) { t.SleepRadius = sleep }))
	hysteresis := t.WakeHysteresis
	s.valueRow(&f.hysteresis, "hysteresis", plural(int(hysteresis), "tick"),
		&scenario.Int[loop.Tick]{P: &hysteresis, Max: world.MaxWakeHysteresis, Unit: "ticks"},
		set(func(t *world.Tuning) { t.WakeHysteresis = hysteresis }))
	residence := t.MinResidence
	s.valueRow(&f.residence, "least residence", plural(int(residence), "tick"),
		&scenario.Int[loop.Tick]{P: &residence, Max: world.MaxMinResidence, Unit: "ticks"},
		set(func(t *world.Tuning) { t.MinResidence = residence }))
	budget := t.ActiveBudget
	shown := "no limit"
	if budget > 0 {
		shown = Count(budget) + " active at most"
	}
	s.valueRow(&f.budget, "active budget", shown,
		&scenario.Int[int]{P: &budget, Max: world.MaxNPCs, Unit: "characters", Zero: "no limit"},
		set(func(t *world.Tuning) { t.ActiveBudget = budget }))
}

// within is a parameter whose range depends on another one.
type within struct {
	scenario.Value
	check func() error
}

// Set reads it and then looks at the other one.
func (w *within) Set(text string) error {
	if err := w.Value.Set(text); err != nil {
		return err
	}
	return w.check()
}
