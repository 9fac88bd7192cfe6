package coordinator

import "errors"

// What a caller may test for with errors.Is.
var (
	// ErrStopped: the coordinator was asked to stop; the request was not, and
	// will not be, carried out.
	ErrStopped = errors.New("coordinator: stopped")
	// ErrNotPaused: a step was asked for while ticks are being released.
	ErrNotPaused = errors.New("coordinator: step while not paused")
	// ErrInboxFull: the event lane is full. The sender keeps the event and
	// tries again at its next tick.
	ErrInboxFull = errors.New("coordinator: inbox full")
	// ErrEnded: the receiver has ended; nothing sent to it will be handled.
	ErrEnded = errors.New("coordinator: receiver ended")
)
