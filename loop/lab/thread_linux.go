package lab

import (
	"time"

	"golang.org/x/sys/unix"
)

// threadTold says whether the system tells what one thread has used.
const threadTold = true

// threadTime is the processor time of the calling thread.
func threadTime() time.Duration {
	var u unix.Rusage
	if unix.Getrusage(unix.RUSAGE_THREAD, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
