package mapfile

import (
	"errors"
	"math"

	"chronoscope/routes"
)

// Verdict is what came of walking a trip.
type Verdict uint8

// The verdicts. Match and None agree with the list; Blocked and Shorter are
// known defects of some lists; Longer and NoWay would be defects of the search.
const (
	Match   Verdict = iota // the length found is the one printed
	None                   // listed with length 0, and there is no way
	Blocked                // an end of the trip can't be walked on
	Shorter                // the list is below the strict optimum
	Longer                 // the list is above what was found
	NoWay                  // listed with a length, but there is no way
)

var verdictNames = [...]string{"match", "none", "blocked", "shorter", "longer", "no way"}

// String is the verdict in a word or two.
func (v Verdict) String() string {
	if int(v) < len(verdictNames) {
		return verdictNames[v]
	}
	return "unknown"
}

// Tolerance is half a unit of the last digit that the length was printed with,
// in cells.
func (t *Trip) Tolerance() float64 { return 0.5 * math.Pow10(-t.Decimals) }

// What the writers of lists had for sqrt(2): those with 8 decimals rounded it to
// 9, those with fewer kept it in single precision. A hundred diagonal steps
// show the difference in the sixth digit, a thousand in the seventh decimal.
const (
	nineDecimals    = 1.414213562
	singlePrecision = 11863283.0 / (1 << 23)
)

// Agrees says whether a way of so many straight and diagonal steps has the
// length printed.
func (t *Trip) Agrees(straight, diagonal int) bool {
	root := singlePrecision
	if t.Decimals >= 8 {
		root = nineDecimals
	}
	// A hair more, since neither side of the comparison is exact in binary.
	most := t.Tolerance() * (1 + 1e-6)
	s, d := float64(straight), float64(diagonal)
	return math.Abs(s+d*math.Sqrt2-t.Length) <= most || math.Abs(s+d*root-t.Length) <= most
}

// Judge walks the trip on the map of s and compares. Published lengths hold for
// routes.UniformCosts. The path is nil when there is
// none.
func (t *Trip) Judge(s *routes.Searcher) (Verdict, *routes.Path) {
	p, err := s.Find(t.From, t.To)
	switch {
	case errors.Is(err, routes.ErrBlocked), errors.Is(err, routes.ErrOutside):
		return Blocked, nil
	case err != nil && t.Length == 0:
		return None, nil
	case err != nil:
		return NoWay, nil
	case t.Agrees(p.Straight, p.Diagonal):
		return Match, p
	case t.Length < p.Length():
		return Shorter, p
	}
	return Longer, p
}
