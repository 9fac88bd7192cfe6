package loop

import (
	"time"

	"golang.org/x/sys/unix"
)

// threadTime is the processor time of the calling thread, and whether the system
// says it.
func threadTime() (time.Duration, bool) { return rusage(unix.RUSAGE_THREAD), true }
