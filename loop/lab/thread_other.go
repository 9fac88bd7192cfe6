//go:build !linux

package lab

import "time"

// threadTold says whether the system tells what one thread has used.
const threadTold = false

// threadTime is 0: unknown.
func threadTime() time.Duration { return 0 }
