package world

import "chronoscope/coordinator"

// Find is a character by its object, as the coordinator's laggards name it;
// false when it has ended.
func (w *World) Find(id coordinator.ObjectID) (Mark, bool) {
	c := w.people.find(id)
	if c == nil {
		return Mark{}, false
	}
	m := c.mark(w.coord.Global())
	return m, m.Leg != nil && m.Mode != Ended
}
