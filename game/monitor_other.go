//go:build !linux

package game

import "chronoscope/loop"

// monitor would ask the system for the display's refresh rate. There is no way
// to on this one without a fork of the window library, so it is measured.
type monitor struct{}

func (m *monitor) quiet() {}

func (m *monitor) ask(done func()) { done() }

func (m *monitor) rate() loop.Rate { return loop.Rate{} }
