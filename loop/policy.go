package loop

import "fmt"

// Policy names what becomes of ticks that came due while nothing could run
// them, because the machine stalled or a step cost more than its length. It
// changes the pace of a world, never what happens in a tick.
type Policy uint8

// The policies. The zero Policy is CatchUp.
const (
	// CatchUp runs the missed ticks as fast as it can, up to a cap beyond
	// which they are dropped and counted. Time is made good, at the risk of a
	// spiral when a step costs more than its length.
	CatchUp Policy = iota
	// Drop forgets the missed ticks and counts them: logical time falls
	// behind the wall clock, and no burst follows.
	Drop
	// SlowDown chases no backlog: the step stretches towards the real frame
	// time, within a limit, and comes back when there is time again.
	SlowDown
	policyCount
)

// Policies lists every policy in order.
func Policies() []Policy { return []Policy{CatchUp, Drop, SlowDown} }

// Valid says whether p is one of the policies.
func (p Policy) Valid() bool { return p < policyCount }

// String reads "catchup", "drop" or "slowdown".
func (p Policy) String() string {
	switch p {
	case CatchUp:
		return "catchup"
	case Drop:
		return "drop"
	case SlowDown:
		return "slowdown"
	}
	return fmt.Sprintf("policy(%d)", uint8(p))
}
