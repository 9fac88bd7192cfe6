package overlay

// Counter counts draw calls and their vertices. A line of text is one call,
// though its letters are drawn one by one: the graphics driver gets them
// together.
type Counter struct{ Calls, Vertices int }

// Add counts one call of so many vertices; on a nil Counter it does nothing.
func (c *Counter) Add(vertices int) {
	if c != nil {
		c.Calls++
		c.Vertices += vertices
	}
}
