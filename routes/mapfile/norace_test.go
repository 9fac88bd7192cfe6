//go:build !race

package mapfile_test

const raceEnabled = false
