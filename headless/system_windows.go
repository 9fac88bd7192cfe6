package main

import (
	"os"
	"syscall"
	"time"
)

// cpuTime is the processor time that this process has used, in user and kernel
// mode.
func cpuTime() time.Duration {
	var created, exited, kernel, user syscall.Filetime
	h, err := syscall.GetCurrentProcess()
	if err == nil {
		err = syscall.GetProcessTimes(h, &created, &exited, &kernel, &user)
	}
	if err != nil {
		return 0
	}
	return ticks(kernel) + ticks(user)
}

// ticks reads a length of time in units of 100 ns. (Filetime.Nanoseconds is for
// dates and subtracts the year 1601.)
func ticks(f syscall.Filetime) time.Duration {
	return time.Duration(uint64(f.HighDateTime)<<32|uint64(f.LowDateTime)) * 100
}

// isTerminal says whether a line that is written over and over makes sense on f.
func isTerminal(f *os.File) bool {
	var mode uint32
	return syscall.GetConsoleMode(syscall.Handle(f.Fd()), &mode) == nil
}
