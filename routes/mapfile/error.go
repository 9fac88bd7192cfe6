package mapfile

import (
	"errors"
	"fmt"
	"strings"
)

// What can be wrong with a file beyond its spelling.
var (
	// ErrUnsupported: another format or another type of the same format.
	ErrUnsupported = errors.New("not supported")
	// ErrTooLarge: larger than the Limit allows.
	ErrTooLarge = errors.New("too large")
	// ErrNoGround: a map without a walkable cell.
	ErrNoGround = errors.New("no walkable cell")
)

// Error says what is wrong with a file, and where.
type Error struct {
	File   string
	Line   int // from 1; 0 when it concerns the whole file
	Column int // from 1; 0 when it concerns the whole line
	Reason string
	Err    error // one of the sentinels, an error of the system, or nil
}

// Error is one line: package, file, line, column, reason.
func (e *Error) Error() string {
	var s strings.Builder
	fmt.Fprintf(&s, "mapfile: %s", e.File)
	if e.Line > 0 {
		fmt.Fprintf(&s, ": line %d", e.Line)
	}
	if e.Column > 0 {
		fmt.Fprintf(&s, ", column %d", e.Column)
	}
	fmt.Fprintf(&s, ": %s", e.Reason)
	return s.String()
}

// Unwrap is the cause, if there is one that can be asked for.
func (e *Error) Unwrap() error { return e.Err }
