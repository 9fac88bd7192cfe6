package coordinator

import "time"

// The adaptive sleep between two checks, as functions.

// latenessWeight is the share of one late wake-up in the smoothed lateness:
// 1/16, so that it takes about sixteen late checks in a row to believe in them.
const latenessWeight = 16

// smoothLateness takes one wake-up's lateness (actual minus target) into the
// average. A sample counts for at most one check interval, so that a stall of
// seconds moves the average by a sixteenth of an interval, like any late check.
func smoothLateness(average, late, interval time.Duration) time.Duration {
	late = min(max(late, 0), interval)
	return average + (late-average)/latenessWeight
}

// checkSleep is how long to sleep after a check that took work, so that checks
// come interval apart: the work and the lateness that is to be expected are
// taken off, down to the floor.
func checkSleep(interval, work, lateness, floor time.Duration) time.Duration {
	return max(floor, interval-max(work, 0)-lateness)
}

// wakeAt is when to wake up next: after sleep, or at due if that comes first.
// A check is put off to a due tick that follows within floor of it, since two
// wake-ups that close are one too many. The floor holds in any case. A zero
// due, or one that has passed, means that no tick is waited for.
func wakeAt(now time.Time, sleep time.Duration, due time.Time, floor time.Duration) time.Time {
	at := now.Add(sleep)
	if due.After(now) && !due.After(at.Add(floor)) {
		at = due
	}
	if earliest := now.Add(floor); at.Before(earliest) {
		at = earliest
	}
	return at
}
