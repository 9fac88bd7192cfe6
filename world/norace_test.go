//go:build !race

package world

// RaceEnabled: the race detector slows these tests down several times, so the
// largest are smaller with it. It is exported for the tests outside.
const RaceEnabled = false
