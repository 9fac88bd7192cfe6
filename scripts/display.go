//go:build ignore

// Display ends with exit code 0 where a window can be opened, else as the
// window program would.
package main

import _ "chronoscope/game/guard"

func main() {}
