package world

import (
	"chronoscope/loop"
	"chronoscope/routes"
)

// Tuning is what can be changed while a world runs: how closely characters are
// simulated and what that costs. It is live and no part of a world's result.
type Tuning struct {
	WakeRadius, SleepRadius int32     // cells
	WakeHysteresis          loop.Tick // ticks
	MinResidence            loop.Tick // ticks
	// ActiveBudget is the most characters that are active at a time; one that
	// would be one more follows a detailed schedule. 0: no limit.
	ActiveBudget int
	// AIWork is the number of rounds of the work loop in an active
	// character's tick; see Calibrate.
	AIWork int
}

// Tuning is the tuning in force, or about to be.
func (w *World) Tuning() Tuning { return Tuning{} }

// SetTuning changes it. The error names the field; nothing is changed then.
func (w *World) SetTuning(t Tuning) error { return nil }

// Area is a rectangle of cells, both corners included.
type Area struct{ Lo, Hi routes.Cell }

// SetCamera makes a viewer's camera wake the zones that area touches, or, with
// nil, none. A zone stays until the area is farther away than the difference
// of the two radii.
func (w *World) SetCamera(area *Area) error { return nil }
