// Package scenario holds the one table of parameters: what can be set, in
// which range, and where: by a flag, in a scenario file, in a panel.
//
// # Model
//
// A [Table] is a list of [Row]s, each bound to a variable of a configuration by
// its [Value]. [New] gives the rows that every program has, with the defaults
// and ranges that the packages below export, and the [Config] they are bound
// to; a program adds rows of its own by [Table.Add]. [Table.Parse] applies a
// scenario and then the flags, which win. [Table.HelpText] is the complete
// help, and what HelpText says is what Parse accepts, since both come from the
// rows.
//
// A parameter is of one of three kinds. World parameters are part of a world
// and constant while it runs. Pacing parameters change live and never enter a
// result. Program parameters belong to one program and never stand in a file.
//
// # Scenario files
//
// A scenario file is TOML. Every key is optional; one that is not listed here
// is refused, by file, line and column.
//
//	title = "A brake"                # a short name, for people
//	about = "What there is to see."  # a few words
//
//	life  = "town"                   # the shape of the days: town, night, rush
//	crowd = 400                      # so many characters, the first spawned, spend
//	                                 # their days around one market, which is pinned
//	pins  = [[8, 8], [9, 8]]         # zones, by column and row, active all the time
//	wandering-visitors = 4           # visitors on tracks drawn from the seed
//	visitors = [                     # visitors on given tracks: cells that are
//	  {track = [[10, 10], [90, 40]]},  # reached in turn, and back to the first
//	]
//
//	[stalls]               # characters that stop in the middle of what they do
//	every = 5000           # mean number of one character's activities between two
//	for   = "5ms"          # real time
//	in    = "both"         # active (ticks), wakes, or both
//	seed  = 1              # a stream of its own
//	only  = 1              # the spawn number of the one that stalls; 0 is all
//
//	[world]                # world parameters by their flags' names
//	npcs = 10000
//	map  = "berlin.map"    # a file's name is relative to the scenario's directory
//
//	[pacing]               # pacing parameters by their flags' names
//	tick-rate = 59.94
//	sleep-floor = "100us"
//
// Durations are strings as flags take them, numbers are numbers. The built-in
// scenarios, listed by [Builtin], are files of this form.
//
// # Errors
//
// Every mistake in arguments or files is a [*UsageError]: one line naming the
// flag, or file:line:column, and what is accepted. A program prints it after
// its own name and ends with exit code 2.
//
// # Concurrency
//
// Tables and configurations belong to one goroutine. A Config is plain values:
// copy it once it is parsed.
package scenario
