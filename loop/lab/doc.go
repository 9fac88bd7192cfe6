// Package lab has experiments on time: the right loop beside the wrong ones,
// overload policies under a load, loop models on virtual displays, and the
// pacers measured while they run.
//
// # Model
//
// Loops, Overload and OnDisplay are worked out: they are told how much time a
// step costs and burn none of it, so a death spiral of minutes takes
// microseconds and a bounded amount of memory. Pacers is the one experiment that
// is real: each kind of pacer waits on a goroutine of its own, and a Window keeps
// how late it was in the last half minute.
//
// # Concurrency
//
// Everything belongs to one goroutine, but for Pacers, whose methods may be
// called from any. Only StartPacers starts goroutines: one for each kind, and
// none is left once Stop and Wait have returned. Nobody waits for a reader.
//
// # Errors
//
// What is out of range is refused in one line that names it, its value and its
// range.
//
// # Testing
//
// All but Pacers is a pure function of its options. PacerOptions.New puts pacers
// of a test's own in place of those that spin on the real clock.
package lab
