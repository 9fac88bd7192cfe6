//go:build !race

package physics_test

// runs is how many runs on each display are compared.
const runs = 100
