package overlay

// Fit is s, or as much of its beginning as fits into a width in device pixels,
// with three dots after it.
func (l *Lettering) Fit(s string, st Style, width float64) string {
	const dots = "..."
	b := l.lay(s, st)
	if b.width <= width {
		return s
	}
	width -= l.Width(dots, st)
	cut := 0
	for _, g := range b.glyphs {
		if g.OriginX > width {
			break
		}
		cut = g.StartIndexInBytes // all before it fits
	}
	return s[:cut] + dots
}
