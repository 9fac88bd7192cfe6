package overlay

// Redraw says when what stays on the screen from frame to frame has to be drawn
// anew. The zero Redraw asks for nothing until it is touched.
type Redraw struct {
	updates int // that are still followed by a drawing
	due     bool
}

// Touch says that something changes what is seen, and that it takes up to so
// many updates until all of it can be seen.
func (r *Redraw) Touch(updates int) { r.updates = max(r.updates, updates) }

// Pending says whether updates are still wanted.
func (r *Redraw) Pending() bool { return r.updates > 0 }

// Updated notes an update: after it, what was touched is due.
func (r *Redraw) Updated() {
	if r.updates > 0 {
		r.updates--
		r.due = true
	}
}

// Due says whether there is something to draw.
func (r *Redraw) Due() bool { return r.due }

// Drawn says that it was drawn.
func (r *Redraw) Drawn() { r.due = false }
