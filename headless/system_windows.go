package main

import (
	"os"
	"syscall"
)

// isTerminal says whether a line that is written over and over makes sense on f.
func isTerminal(f *os.File) bool {
	var mode uint32
	return syscall.GetConsoleMode(syscall.Handle(f.Fd()), &mode) == nil
}
