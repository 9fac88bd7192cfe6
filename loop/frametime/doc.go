// Package frametime says what frame times mean: averages, percentiles, lows,
// stutter, cadence, the display's refresh; and what a display that isn't there
// would do, and what ways to make ticks of frames make of it.
//
// # Model
//
// A frame interval is the time from one frame to the next. Every figure is a
// function of a series of them, named as the field names it and computed as the
// comment of its function says, with its source. What can't be told from too
// few frames is not told: such functions give false, to be shown as "n/a".
//
// A [VirtualDisplay] gives the instants of frames, by a seed where chance has a
// part. A [Model] turns instants into ticks as some engine does. Both are pure,
// so what a 120 Hz display shows can be worked out on any machine, as fast as
// it goes.
//
// # Concurrency
//
// Functions only read their arguments, unless they say otherwise. Nothing here
// starts a goroutine or reads a clock.
//
// # Errors
//
// There are none: impossible series (empty, or of no time) give 0 or false.
package frametime
