// Package mapfile reads maps that people already have.
//
// # Model
//
// Open reads a Moving AI .map of type octile: a header (type, height, width,
// map) and a grid of characters, of which '.', 'G' and 'S' can be walked on
// and '@', 'O', 'T' and 'W' can't. S becomes Swamp, which is slower in the
// default cost model and equal under routes.UniformCosts, the benchmark's
// rule. Blocked ground next to walkable ground becomes Wall, the rest Void, so
// that rooms have walls and the outside stays dark; T becomes Tree and W
// Water. Line ends may be LF or CRLF.
//
// ReadScen reads a Moving AI .scen, a list of trips with their published
// optimal lengths. A length has the precision in which its file prints it, and
// Trip.Judge compares in that precision and by the benchmark's rule; rows that
// have no route, blocked end points or a length below the strict optimum are
// told apart from wrong ones. FindMap says which map a list is for, CheckSize
// refuses rows that ask for scaling.
//
// Info holds what "map info" prints, all of it counted.
//
// # Concurrency
//
// Nothing is started or kept; every function may be called from several
// goroutines at once.
//
// # Errors
//
// A file that can't be used gives one *Error, which prints file, line and,
// where it helps, column and reason on one line. ErrUnsupported,
// ErrTooLarge and ErrNoGround can be asked for with errors.Is. Sizes are
// checked against a Limit before anything of that size is allocated.
//
// # Testing
//
// Small maps and lists in testdata, fuzzing of both readers, and, where the
// third-party collection lies beside the module, all of its maps and lists.
package mapfile
