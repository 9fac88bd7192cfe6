// Package loop turns wall-clock time into whole ticks.
//
// # Model
//
// A [Tick] numbers game time; game time is a tick number everywhere. A [Rate]
// is an exact fraction of ticks per second and gives the instant of every
// tick's boundary without accumulating a rounding error. A [Loop] is told what
// time it is and says how many fixed steps are due; it checks what steps cost
// against a budget (package budget). A [WorldClock] does the same for frames of
// scaled time, by one of the overload policies, and a [Snapper] makes frame times
// even. [AfterWork] and [NoCarry] are loops as they should not be, to be watched.
// A [Pacer] waits until an instant: [SleepPacer] for nothing, [HybridPacer] and
// [PrecisePacer] closer to it for some of the processor's time. A [Policy] names
// what happens to ticks that came due while nobody could run them. [TownTimeAt]
// reads a tick as a date on the town's clock, which moves one second a tick at any
// tick rate.
//
// Time comes in as an argument: apart from a Pacer, nothing here reads a clock.
//
// # Concurrency
//
// Tick, Rate, TownTime and Policy are plain values. A Loop and a Pacer belong
// to one goroutine each and are not safe for use by several. Nothing here
// starts a goroutine. A Pacer waits without holding a lock; only [Pacer.Wait]
// blocks, and the channel handed to it ends the wait.
//
// What is not promised: that a wait ends close to its target. The runtime and
// the operating system decide that (about a millisecond late is usual on
// Linux). The schedule itself never drifts, since boundaries are computed from
// the tick number and never from the time of the last wake-up.
//
// # Errors
//
// [ParseRate] answers text it can't use with an error of one line that quotes
// the text and names what is accepted. Nothing else
// fails: constructors replace impossible arguments by documented defaults, and
// instants beyond the longest [time.Duration] saturate.
//
// # Testing
//
// Loop and Rate are pure, so tests hand them instants. [SleepPacer] uses only
// the standard timers, so inside a testing/synctest bubble it waits in virtual
// time.
package loop
