// Package routes knows where everybody is at any tick: maps, shortest paths, the
// legs of characters' lives, the zones they touch and when.
//
// # Model
//
// A [Map] is a grid of ground, each kind with a cost. A [Searcher] finds the
// cheapest [Path] between two cells: 8-connected, a diagonal step only between two
// open cells. A [Cache] keeps paths and has missing ones searched for. A [Leg] is a
// character on the way along a path, or staying at a place, as a function from tick
// to position on [Start, End). An [Index] knows which legs touch which zone. Which
// ticks a leg spends in which zone, its passages, is worked out only when somebody
// asks: once per path, for all its legs.
//
// All that a result can depend on is integer arithmetic: positions in 1/1024 of a
// cell, costs and times with 32 fractional bits. A path is a pure function of
// (map, from, to), so neither a cache's size nor the order of requests can change a
// world. Positions and zones round down, also below zero.
//
// # Positions between points
//
// A path keeps the points at which its direction or the cost of the ground changes.
// The ground changes half-way between two cells' centres, since a step spends half
// of itself in each of its cells. At a tick the position is p + (q - p)*passed/whole
// on the segment from p to q, each coordinate rounded down; only the time within
// the segment counts, so it is the same whoever asks and in whatever order. A zone's
// borders are whole numbers, so rounding down never moves a position into another
// zone; that is why passages can be worked out from the borders alone and still agree
// with the position at every tick.
//
// # Concurrency
//
// Map, Path and Leg are constant once shared; any goroutine may read them. A
// Searcher serves one goroutine at a time. Cache and Index are safe for all. Only a
// Cache has goroutines, its search slots; Close ends them. No call of the package
// waits except [Search.Result], [Cache.Close], and [Path.Passages] while somebody
// else is working out the same list.
//
// One owner inserts a leg into an index and takes it out. A look-up that begins
// after an Insert returned finds the leg; one that begins after a Remove doesn't.
// An Insert into several zones is not one step: a look-up meanwhile may find the leg
// in some of them.
//
// # Errors
//
// [ErrOutside], [ErrBlocked] and [ErrUnreachable] say why there is no path; they name
// the cells and cost no search. [ErrClosed] and [ErrAbandoned] end searches that
// won't run. [ErrNoGround] and [ErrNoPlaces] refuse maps on which nobody could walk.
//
// # Testing
//
// The search is held against brute force on small random maps and against published
// lengths on real ones; passages against every tick and every zone of random
// polylines, in rational arithmetic. Third-party maps are read from a folder beside
// the module, where there is one.
package routes
