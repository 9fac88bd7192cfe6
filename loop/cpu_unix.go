//go:build unix

package loop

import (
	"time"

	"golang.org/x/sys/unix"
)

// CPUTime is the processor time that this process has used so far, in user and
// system mode. It is 0 where the system doesn't say.
func CPUTime() time.Duration { return rusage(unix.RUSAGE_SELF) }

func rusage(who int) time.Duration {
	var u unix.Rusage
	if err := unix.Getrusage(who, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// kernel names the running kernel: "Linux 6.1.0".
func kernel() string {
	var u unix.Utsname
	if err := unix.Uname(&u); err != nil {
		return ""
	}
	return unix.ByteSliceToString(u.Sysname[:]) + " " + unix.ByteSliceToString(u.Release[:])
}
