// Package frametime says what frame times mean: how they are recorded, which of
// them count, averages, percentiles, lows, stutter, cadence, the display's
// refresh; what a display that isn't there would do, and what ways to make ticks
// of frames make of it; and how a run of frames travels, as a file, to other
// programs, and beside another run.
//
// # Model
//
// A [Frame] is one frame with its stamps, from one Layout to the next; a
// [Release] one tick with its schedule. [FrameRing] and [ReleaseRing] keep the
// last of them; pushing allocates nothing. [Rules] say which frames enter
// figures, and count the others by [Reason].
//
// A frame interval is the time from one frame to the next. Every figure is a
// function of a series of them, named as the field names it and computed as the
// comment of its function says, with its source. What can't be told from too
// few frames is not told: such functions give false, shown as "n/a". Three
// different things are called "1 % low"; each is labelled with its method. What
// is concluded and not measured is labelled an estimate.
//
// A [VirtualDisplay] gives the instants of frames, by a seed where chance has a
// part; a [Schedule] the frames of a program on it, with VSync and a cap or
// without. A [Model] turns instants into ticks as some engine does. All are pure,
// so what a 120 Hz display shows can be worked out on any machine, as fast as it
// goes; a [Series] gives the same frames one by one, at real speed.
//
// A [Capture] is a run with everything it takes to compare it. [Write] and
// [Decode] are its own lossless format, [Read] takes those of MangoHud and
// PresentMon too; [WriteMangoHud], [WritePresentMon] and [WriteTrace] hand it to
// other programs. [Compare] puts up to four beside each other, and [Prove] says
// whether their worlds went the same way although they looked different.
//
// # Concurrency
//
// Functions only read their arguments, unless they say otherwise. Nothing here
// starts a goroutine or reads a clock. A FrameRing, a Series and a Model belong
// to one goroutine; a ReleaseRing to one that pushes and any number that read,
// none of whom waits for another.
//
// # Errors
//
// Figures have none: impossible series (empty, or of no time) give 0 or false.
// Files are refused with [ErrFormat], [ErrVersion], [ErrDamaged] or
// [ErrTooLarge] and one line that says what is wrong; whatever the bytes are,
// nothing panics, memory stays within some times what they unpack to, and their
// text is stripped of what steers a terminal.
//
// # Testing
//
// The figures are checked against values worked out by hand; cadences of every
// preset and model, the frame-rate matrix and a comparison are golden files in
// testdata (go test -update writes them anew). The importers and the decoder are
// fuzzed. A file of version 1 stands in testdata and must be read for ever.
package frametime
