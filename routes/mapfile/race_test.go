//go:build race

package mapfile_test

// raceEnabled: the race detector slows these tests down tenfold, so they take
// smaller samples with it.
const raceEnabled = true
