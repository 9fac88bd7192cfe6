// Package coordinator releases the ticks of a world, holds them back when
// someone lags, and wakes sleepers.
//
// # Model
//
// The global tick is the last released one: a number that grows by one and is
// written by the coordinator's goroutine alone. A participant (an active
// character, the wake scheduler, the players, the digest gatherer) shows its
// last wholly done tick in a [Progress] and runs the ticks up to the global
// one, in order:
//
//	for !ended {
//		if local < c.Global() {
//			run(local + 1)
//			local++
//			c.Complete(&progress, local)
//			continue
//		}
//		c.Await(&progress, waiter)
//	}
//
// The coordinator looks ten times a tick. At each check it takes the waiting
// requests, looks at the laggards, and releases a tick if one is due and
// nobody holds the brake. A participant more than a threshold behind asks for
// the brake once; it holds until that participant has caught up, or left. When
// the last laggard is gone one tick is released at once and the next a whole
// tick later: braking leaves no debt. Ticks missed because the coordinator
// itself could not run are worked off one a check, or dropped and counted, as
// the policy says; with SlowDown ticks become longer for as long as that lasts.
// Pause, step, scale and rate are live, and pausing wins.
//
// With driver ByFrame the coordinator's own clock makes nothing due: whoever
// draws frames counts ticks and feeds them, and everything else stays the same.
//
// At max speed a tick is released as soon as every member has completed the
// last one; the member set knows, since it counts per shard who has not.
//
// The [Scheduler] is asked for wakes by tick and hands them over when their
// tick has come, or at once when it had passed. What it hands over, and every
// event, has a due tick; [Dues] counts what is open, run-wide. An [Inbox] has
// one lane of merging notices, which is never full, and a bounded one of
// events.
//
// # Concurrency
//
// A coordinator has one goroutine for ticks and laggards, and 16 that ring
// members' bells and wait for nobody. A scheduler has one. Everything may be
// called from any goroutine, except where a method says that it is the
// owner's: a Progress, a Waiter and the reading side of an Inbox belong to one
// goroutine each.
//
// Requests to the coordinator travel in one bounded channel, so those of one
// sender stay in order; a sender waits while it is full. The coordinator always
// drains it, never waits for a participant, and sends to nobody in a way that
// could block. A participant that holds the brake must not wait for a later
// tick, nor for another participant, to finish its tick: nobody could release
// it. No lock is held while another is taken, nor while sending or waiting.
//
// Complete publishes a tick after everything done in it; whoever sees
// Completed at t sees all that was done up to t. Promised order: +1 for the
// global tick, FIFO per sender for requests, (due, arrival) for the events of
// one Take, registration order for the wakes of one tick. Not promised: any
// order between members in a tick, or when exactly a brake engages (the
// threshold is soft: ticks may be released until a request is seen).
//
// Stop from the outside in: participants, scheduler, coordinator last. What
// waits for a coordinator that has stopped returns [ErrStopped].
//
// # Errors
//
// Options and Pacing name the field, the value and the range. Misuse that would
// falsify the world (completing a tick that was not released, joining twice,
// settling a due that is not open) panics.
//
// # Testing
//
// All waits go through channels and timers, so everything runs in a synctest
// bubble with its virtual time. A [loop.Pacer] that is handed in brings its own
// clock and lateness; the arithmetic of due ticks, overload and sleep is in
// plain functions.
package coordinator
