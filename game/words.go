package game

import "chronoscope/overlay"

// wordLimit bounds the numbers kept as text.
const wordLimit = 4096

// words keeps numbers as text, so that those which stay cost nothing.
type words struct{ shorts map[int]string }

// short is overlay.Short.
func (w *words) short(n int) string {
	if s, ok := w.shorts[n]; ok {
		return s
	}
	if w.shorts == nil || len(w.shorts) >= wordLimit {
		w.shorts = map[int]string{}
	}
	s := overlay.Short(n)
	w.shorts[n] = s
	return s
}
