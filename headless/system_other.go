//go:build !unix && !windows

package main

import (
	"os"
	"time"
)

// cpuTime is 0 where the system doesn't say how much was used.
func cpuTime() time.Duration { return 0 }

// isTerminal says no where there is no way to ask.
func isTerminal(*os.File) bool { return false }
