package physics

import (
	"math"
	"slices"
)

// Spread is how far runs are apart at their ends.
type Spread struct {
	Runs int
	// Identical: every step of every run ended in the very same state, bit for
	// bit, contacts included.
	Identical bool
	// X and Y are the standard deviations of where each body is (divided by the
	// number of runs), in centimetres.
	X, Y [Bodies]float64
	// Contacts is the mean number of steps with a contact, ContactVariance
	// its variance.
	Contacts, ContactVariance float64
}

// Zero says that nothing is apart.
func (s *Spread) Zero() bool {
	return s.X == [Bodies]float64{} && s.Y == [Bodies]float64{} && s.ContactVariance == 0
}

// SpreadOf measures runs. None have no spread.
func SpreadOf(runs []*Run) Spread {
	s := Spread{Runs: len(runs), Identical: true}
	if len(runs) == 0 {
		return s
	}
	for i := range Bodies {
		_, v := moments(runs, func(r *Run) float64 { return r.Last().Bodies[i].X })
		s.X[i] = math.Sqrt(v)
		_, v = moments(runs, func(r *Run) float64 { return r.Last().Bodies[i].Y })
		s.Y[i] = math.Sqrt(v)
	}
	s.Contacts, s.ContactVariance = moments(runs, func(r *Run) float64 { return float64(r.Contacts) })
	for _, r := range runs[1:] {
		if r.Contacts != runs[0].Contacts || !slices.Equal(r.Path, runs[0].Path) {
			s.Identical = false
		}
	}
	return s
}

// moments are the mean and the variance of a figure. It is measured from the
// first run's, so that equal figures have a variance of exactly 0.
func moments(runs []*Run, figure func(*Run) float64) (mean, variance float64) {
	first := figure(runs[0])
	sum := 0.0
	for _, r := range runs {
		sum += figure(r) - first
	}
	off := sum / float64(len(runs))
	for _, r := range runs {
		d := figure(r) - first - off
		variance += d * d
	}
	return first + off, variance / float64(len(runs))
}
