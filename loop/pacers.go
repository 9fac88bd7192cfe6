package loop

import "fmt"

// PacerKind names a way to wait.
type PacerKind uint8

// The kinds of pacers, from the cheapest to the most precise.
const (
	Sleep   PacerKind = iota // SleepPacer
	Hybrid                   // HybridPacer
	Precise                  // PrecisePacer
	pacerKindCount
)

// PacerKinds lists every kind in order.
func PacerKinds() []PacerKind { return []PacerKind{Sleep, Hybrid, Precise} }

var pacerNames = [pacerKindCount]string{"sleep", "hybrid", "precise"}

// String reads "sleep", "hybrid" or "precise".
func (k PacerKind) String() string {
	if k < pacerKindCount {
		return pacerNames[k]
	}
	return fmt.Sprintf("pacer(%d)", uint8(k))
}

// New makes a pacer of the kind; one that isn't any is Sleep.
func (k PacerKind) New() Pacer {
	switch k {
	case Hybrid:
		return NewHybridPacer()
	case Precise:
		return NewPrecisePacer()
	}
	return NewSleepPacer()
}
