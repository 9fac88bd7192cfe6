package world

import "math/bits"

// Randomness is a function of (seed, spawn number, purpose, that number), so
// no draw depends on how many came before it.

// purpose separates the streams of one character.
type purpose uint64

const (
	forHome purpose = iota + 1
	forWork
	forMarket
	forTavern
	forDay
	forEntry
	forVisit
	forTrack
	forStall
)

// mix64 is the finalizer of SplitMix64 (Steele, Lea, Flood: "Fast splittable
// pseudorandom number generators", 2014): a bijection in which every input bit
// reaches every output bit.
func mix64(x uint64) uint64 {
	x ^= x >> 30
	x *= 0xbf58476d1ce4e5b9
	x ^= x >> 27
	x *= 0x94d049bb133111eb
	return x ^ x>>31
}

// golden is 2^64 divided by the golden ratio, SplitMix64's increment.
const golden = 0x9e3779b97f4a7c15

// draw is the number that a character draws for a purpose, the n-th time.
func draw(seed, spawn uint64, p purpose, n uint64) uint64 {
	x := mix64(seed + golden)
	x = mix64(x ^ (spawn + golden*uint64(p)))
	return mix64(x ^ (n*golden + 1))
}

// below scales a draw to [0, n) by multiplication (Lemire, "Fast random
// integer generation in an interval", 2019, without the rejection: the bias is
// below n/2^64). n must not be 0.
func below(x uint64, n int) int {
	hi, _ := bits.Mul64(x, uint64(n))
	return int(hi)
}
