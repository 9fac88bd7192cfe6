package loop

import "time"

// A Pacer waits until an absolute target on the monotonic clock. A pacer
// belongs to one goroutine.
type Pacer interface {
	// Now reads the clock that targets refer to.
	Now() time.Time
	// Wait returns true once target has come (at once when it has passed), or
	// false as soon as wake can be received from, whichever is first. False
	// means that one value was received, or that wake is closed; on true
	// nothing was received. A nil wake never ends the wait.
	Wait(target time.Time, wake <-chan struct{}) bool
	// Close frees what the pacer holds (a timer, a file).
	Close()
}
