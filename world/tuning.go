package world

import (
	"fmt"

	"chronoscope/loop"
)

// Tuning is what can be changed while a world runs: how closely characters are
// simulated and what that costs. It is live and no part of a world's result.
// Ranges are those of Params; 0 is 0 here, not a default.
type Tuning struct {
	WakeRadius, SleepRadius int32     // cells
	WakeHysteresis          loop.Tick // ticks
	MinResidence            loop.Tick // ticks
	// ActiveBudget is the most characters that are active at a time; one that
	// would be one more follows a detailed schedule: it stays asleep and says
	// where it is at each zone border it passes. 0: no limit. When the budget
	// is lowered, those above it fall asleep as soon as they have been active
	// for MinResidence; when it is raised, those that have been waiting take the
	// room at once.
	ActiveBudget int
	// AIWork is the number of rounds of the work loop in an active
	// character's tick; see Calibrate.
	AIWork int
}

// tuning is the part of the parameters that can be changed later.
func (p Params) tuning() Tuning {
	return Tuning{
		WakeRadius: p.WakeRadius, SleepRadius: p.SleepRadius,
		WakeHysteresis: p.WakeHysteresis, MinResidence: p.MinResidence,
		ActiveBudget: p.ActiveBudget, AIWork: p.AIWork,
	}
}

// Validate names the first field that is out of its range, by its flag.
func (t Tuning) Validate() error {
	for _, f := range []struct {
		name      string
		v, lo, hi int64
		unit      string
	}{
		{"wake-radius", int64(t.WakeRadius), 1, int64(MaxRadius), " cells"},
		{"sleep-radius", int64(t.SleepRadius), int64(t.WakeRadius), int64(MaxRadius), " cells"},
		{"wake-hysteresis", int64(t.WakeHysteresis), 0, int64(MaxWakeHysteresis), " ticks"},
		{"min-residence", int64(t.MinResidence), 0, int64(MaxMinResidence), " ticks"},
		{"active-budget", int64(t.ActiveBudget), 0, MaxActiveBudget, " characters"},
		{"ai-work", int64(t.AIWork), 0, maxAIWork, " rounds"},
	} {
		if f.v < f.lo || f.v > f.hi {
			return fmt.Errorf("world: %s %d: accepted are %d to %d%s", f.name, f.v, f.lo, f.hi, f.unit)
		}
	}
	return nil
}

// Tuning is the tuning in force.
func (w *World) Tuning() Tuning { return *w.tuning.Load() }

// SetTuning changes the tuning: characters see it at their next tick or wake,
// and the zones are looked over at once, also while the world is paused. The
// error names the field that is out of range, and nothing is changed then;
// ErrStopped after Stop.
func (w *World) SetTuning(t Tuning) error {
	if err := t.Validate(); err != nil {
		return err
	}
	if w.stopped() {
		return ErrStopped
	}
	w.tuning.Store(&t)
	w.keeper.ask()
	return nil
}
