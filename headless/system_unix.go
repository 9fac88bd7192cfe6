//go:build unix

package main

import (
	"os"

	"golang.org/x/sys/unix"
)

// isTerminal says whether a line that is written over and over makes sense on f.
func isTerminal(f *os.File) bool {
	_, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ)
	return err == nil
}
