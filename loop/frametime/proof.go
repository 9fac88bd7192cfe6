package frametime

import (
	"fmt"
	"slices"

	"chronoscope/loop"
)

// Verdict is what two captures' digests say.
type Verdict uint8

// The verdicts.
const (
	// Incomparable: they aren't of the same run, or have no digest in common.
	Incomparable Verdict = iota
	// Identical: the worlds went the same way, digest for digest.
	Identical
	// Differ: they were the same run and didn't: the simulation depended on
	// something that it must not depend on.
	Differ
)

// Proof is the comparison of two captures' worlds.
type Proof struct {
	Verdict Verdict
	// Why they are incomparable.
	Why string
	// Common is how many ticks have a digest in both, up to Last. First is the
	// first of them at which the digests differ.
	Common      int
	Last, First loop.Tick
	// Alike: their frames are the same too. Unseen: one of them has none, so
	// nothing is known of how it looked.
	Alike, Unseen bool
}

// SameRun says whether two captures are of the same run, so that their worlds
// must have gone the same way: the same demo, or the same seed, scenario, map and
// parameters of the world, and no commands by hand. Else it says what isn't the
// same.
func SameRun(a, b *Meta) (bool, string) {
	if a.Scenario == "" && a.Map == "" || b.Scenario == "" && b.Map == "" {
		return false, "one of them doesn't say what ran"
	}
	switch {
	case a.Map != b.Map:
		return false, fmt.Sprintf("the maps are %s and %s", a.Map, b.Map)
	case a.Demo != b.Demo:
		return false, fmt.Sprintf("the demos are %s and %s", orNone(a.Demo), orNone(b.Demo))
	case a.Demo != "":
		return true, ""
	case a.Scenario != b.Scenario:
		return false, fmt.Sprintf("the scenarios are %s and %s", a.Scenario, b.Scenario)
	case a.Seed != b.Seed:
		return false, fmt.Sprintf("the seeds are %d and %d", a.Seed, b.Seed)
	case a.Commands != 0 || b.Commands != 0:
		return false, "commands were given by hand"
	}
	sorted := func(s []Setting) []Setting {
		return slices.SortedFunc(slices.Values(s), func(a, b Setting) int {
			switch {
			case a.Name < b.Name:
				return -1
			case a.Name > b.Name:
				return 1
			}
			return 0
		})
	}
	x, y := sorted(a.World), sorted(b.World)
	for i := range max(len(x), len(y)) {
		switch {
		case i >= len(x):
			return false, fmt.Sprintf("only one has %s", y[i].Name)
		case i >= len(y):
			return false, fmt.Sprintf("only one has %s", x[i].Name)
		case x[i].Name != y[i].Name:
			return false, fmt.Sprintf("only one has %s", min(x[i].Name, y[i].Name))
		case x[i].Value != y[i].Value:
			return false, fmt.Sprintf("%s is %s and %s", x[i].Name, x[i].Value, y[i].Value)
		}
	}
	return true, ""
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

// Prove compares the digests of two captures at every tick that both have one
// for.
func Prove(a, b *Capture) Proof {
	same, why := SameRun(&a.Meta, &b.Meta)
	if !same {
		return Proof{Why: why}
	}
	p := Proof{Verdict: Identical, Alike: slices.Equal(a.Frames, b.Frames), Unseen: len(a.Frames) == 0 || len(b.Frames) == 0}
	for i, j := 0, 0; i < len(a.Digests) && j < len(b.Digests); {
		x, y := a.Digests[i], b.Digests[j]
		switch {
		case x.Tick < y.Tick:
			i++
			continue
		case x.Tick > y.Tick:
			j++
			continue
		}
		p.Common++
		p.Last = x.Tick
		if x.Sum != y.Sum && p.Verdict == Identical {
			p.Verdict, p.First = Differ, x.Tick
		}
		i, j = i+1, j+1
	}
	if p.Common == 0 {
		return Proof{Why: "they have no digest of the same tick"}
	}
	return p
}

// String says it in a line.
func (p Proof) String() string {
	switch {
	case p.Verdict == Differ:
		return fmt.Sprintf("simulation differs: the digests part at tick %d (%d compared, to tick %d)", p.First, p.Common, p.Last)
	case p.Verdict == Identical && p.Unseen:
		return fmt.Sprintf("simulation identical (%d digests, to tick %d)", p.Common, p.Last)
	case p.Verdict == Identical && p.Alike:
		return fmt.Sprintf("simulation and presentation identical (%d digests, to tick %d)", p.Common, p.Last)
	case p.Verdict == Identical:
		return fmt.Sprintf("simulation identical, presentation differs (%d digests, to tick %d)", p.Common, p.Last)
	}
	return "not the same run, so their digests say nothing: " + p.Why
}
