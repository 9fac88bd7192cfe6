//go:build !race

package town_test

const raceEnabled = false
