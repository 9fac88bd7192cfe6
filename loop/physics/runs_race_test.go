//go:build race

package physics_test

// runs is how many runs on each display are compared: few, since the race
// detector makes them ten times as slow and there is one goroutine.
const runs = 4
