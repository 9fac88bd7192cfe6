package world

import "time"

// simulate stands for what an active character thinks in a tick: real work of
// the processor, a chain of rounds each needing the one before. Its result is
// kept by the caller so that no compiler drops it.
func simulate(rounds int, x uint64) uint64 {
	for range rounds {
		x = mix64(x + golden)
	}
	return x
}

// Calibrate gives the number of rounds of work (Params.AIWork) that take about
// cost on this machine, from the best of several short runs of about a
// millisecond each. It reads the clock: a program's start is its place, not a
// test in virtual time.
func Calibrate(cost time.Duration) int {
	if cost <= 0 {
		return 0
	}
	const rounds = 400_000
	best := time.Duration(1<<63 - 1)
	var sink uint64
	for range 8 {
		t := time.Now()
		sink = simulate(rounds, sink)
		best = min(best, time.Since(t))
	}
	// The sink enters the result by nothing, but the compiler can't know.
	if sink == 1 && best == 0 {
		return 1
	}
	return max(1, int(float64(cost)/float64(max(best, 1))*rounds))
}
