//go:build !linux

package loop

// PrecisePacer is a HybridPacer here; see its comment for Linux.
type PrecisePacer struct{ *HybridPacer }

// NewPrecisePacer returns the most precise pacer there is on this system.
func NewPrecisePacer() *PrecisePacer { return &PrecisePacer{NewHybridPacer()} }
