//go:build race

package world_test

// raceEnabled: the race detector slows these tests down several times, so the
// largest take fewer characters with it.
const raceEnabled = true
