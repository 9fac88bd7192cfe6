package loop

import (
	"fmt"
	"strings"
)

// PacerKind names a way to wait.
type PacerKind uint8

// The kinds of pacers, from the cheapest to the most precise.
const (
	Sleep       PacerKind = iota // SleepPacer
	Ticker                       // TickerPacer
	Compensated                  // CompensatedPacer
	Hybrid                       // HybridPacer
	Precise                      // PrecisePacer
	pacerKindCount
)

// PacerKinds lists every kind in order.
func PacerKinds() []PacerKind { return []PacerKind{Sleep, Ticker, Compensated, Hybrid, Precise} }

var pacerNames = [pacerKindCount]string{"sleep", "ticker", "compensated", "hybrid", "precise"}

// Valid says whether k is one of the kinds.
func (k PacerKind) Valid() bool { return k < pacerKindCount }

// String reads "sleep", "ticker", "compensated", "hybrid" or "precise".
func (k PacerKind) String() string {
	if k.Valid() {
		return pacerNames[k]
	}
	return fmt.Sprintf("pacer(%d)", uint8(k))
}

// ParsePacer finds a kind by its name. The error quotes the text and lists the
// names.
func ParsePacer(name string) (PacerKind, error) {
	for k, n := range pacerNames {
		if n == name {
			return PacerKind(k), nil
		}
	}
	return Sleep, fmt.Errorf("loop: pacer %q: want %s", name, strings.Join(pacerNames[:], ", "))
}

// New makes a pacer of the kind; one that isn't any is Sleep.
func (k PacerKind) New() Pacer {
	switch k {
	case Ticker:
		return NewTickerPacer()
	case Compensated:
		return NewCompensatedPacer()
	case Hybrid:
		return NewHybridPacer()
	case Precise:
		return NewPrecisePacer()
	}
	return NewSleepPacer()
}
