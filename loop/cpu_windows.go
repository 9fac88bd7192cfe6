package loop

import (
	"fmt"
	"syscall"
	"time"

	"golang.org/x/sys/windows"
)

// CPUTime is the processor time that this process has used so far, in user and
// kernel mode. It is 0 where the system doesn't say.
func CPUTime() time.Duration {
	var created, exited, kernel, user syscall.Filetime
	h, err := syscall.GetCurrentProcess()
	if err == nil {
		err = syscall.GetProcessTimes(h, &created, &exited, &kernel, &user)
	}
	if err != nil {
		return 0
	}
	return filetime(kernel) + filetime(user)
}

// filetime reads a length of time in units of 100 ns. (Filetime.Nanoseconds is
// for dates and subtracts the year 1601.)
func filetime(f syscall.Filetime) time.Duration {
	return time.Duration(uint64(f.HighDateTime)<<32|uint64(f.LowDateTime)) * 100
}

// kernel names the running system: "Windows 10.0.19045".
func kernel() string {
	v := windows.RtlGetVersion()
	return fmt.Sprintf("Windows %d.%d.%d", v.MajorVersion, v.MinorVersion, v.BuildNumber)
}
