package game

import (
	"time"

	"chronoscope/overlay"
)

// drawCost is what drawing a frame costs: the calls and vertices of the last
// one, and the processor's time, smoothed over some.
type drawCost struct {
	overlay.Counter
	mean time.Duration
}

// note takes the figures of a frame.
func (c *drawCost) note(n overlay.Counter, took time.Duration) {
	c.Counter = n
	if c.mean == 0 {
		c.mean = took
	}
	c.mean += (took - c.mean) / 8
}
