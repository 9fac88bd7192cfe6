//go:build !unix && !windows

package main

import "os"

// isTerminal says no where there is no way to ask.
func isTerminal(*os.File) bool { return false }
