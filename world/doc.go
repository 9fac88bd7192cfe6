// Package world is the running system: one goroutine per character, the zones
// that decide who is simulated closely, digests of what happened, and the
// values that viewers read. It knows nothing of windows.
//
// # Model
//
// A character's life is a chain of legs (package routes): it stays somewhere,
// or walks a path. What comes next is a function of the world's seed, its
// spawn number and the legs before, and takes effect at the tick it is dated,
// whenever it is handled. Most characters sleep: nothing ticks them, their leg
// says where they are at any tick, and the scheduler wakes them when it ends.
// Characters in an active zone are active: they run every tick of their own,
// one by one, and the world waits for one that falls too far behind.
//
// A zone is active because it is pinned or because a visitor is near. When it
// becomes active, the index says whose legs touch it; their owners refine them
// to passages and decide for themselves: passed, inside, or to be woken at the
// tick of entering.
//
// A command changes a plan: the leg under way is cut where the step that is
// being taken ends, and another one follows. Each is dated a tick, and taken at
// that tick.
//
// Being looked at, or waiting for a busy machine, changes nothing of this: two
// worlds with the same parameters have the same digests.
//
// # Concurrency
//
// Each character's goroutine alone changes the character. Legs are immutable;
// mode, leg, position and lag are published in atomics, so that viewers stop
// nobody. The zone keeper alone changes the set of active zones. Marking a zone
// active comes before looking up its legs, publishing a leg comes before
// looking at the active zones: neither can miss the other. Commands come
// through the coordinator, which dates them between two ticks.
//
// A digest of a tick is taken when everyone has passed it: the scheduler has
// handed out its dues, none of them is open, active characters have completed
// it. The gatherer does this beside the running world and holds it only when
// more than a few digests are open.
//
// Stop ends characters, gatherer, keeper, scheduler and coordinator, in this
// order, and returns when all goroutines are gone.
//
// # Errors
//
// New reports parameters out of range and visitors' tracks that have no path.
// Commands report ErrStopped, a full inbox, an unknown spawn number, a cell that
// can't be reached. A
// character that panics ends the run: Done is closed, Err tells of it.
//
// # Testing
//
// Everything waits on channels and timers, so a world runs in a
// testing/synctest bubble. Simulated work is a number of rounds that the
// caller gives (see Calibrate), not a time.
package world
