package town

import "math/bits"

// rng is a splitmix64 stream (Steele, Lea, Flood: Fast Splittable
// Pseudorandom Number Generators, 2014): small, and the same everywhere.
type rng struct{ state uint64 }

func (r *rng) next() uint64 {
	r.state += 0x9e3779b97f4a7c15
	return mix(r.state)
}

// below is a number in [0, n); n must be positive.
func (r *rng) below(n int) int {
	hi, _ := bits.Mul64(r.next(), uint64(n))
	return int(hi)
}

// between is a number in [lo, hi].
func (r *rng) between(lo, hi int) int { return lo + r.below(hi-lo+1) }

// chance is true num times in den.
func (r *rng) chance(num, den int) bool { return r.below(den) < num }

// mix is the finalizer of splitmix64: every input bit moves every output bit.
func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// hash is a number that depends on seed and a cell only, for decisions that
// must not depend on the order in which cells are visited.
func hash(seed uint64, x, y int) uint64 {
	return mix(mix(seed+uint64(uint32(x))*0x9e3779b97f4a7c15) + uint64(uint32(y))*0xd1b54a32d192ed03)
}

// oneIn is true for about one cell in n.
func oneIn(seed uint64, x, y, n int) bool { return hash(seed, x, y)%uint64(n) == 0 }

// noise is smooth value noise in [0, 1024): random numbers on a lattice of
// period cells, blended by a smoothstep in between.
func noise(seed uint64, x, y, period int) int {
	gx, gy := floorDiv(x, period), floorDiv(y, period)
	u, v := smooth((x-gx*period)*1024/period), smooth((y-gy*period)*1024/period)
	a := int(hash(seed, gx, gy) & 1023)
	b := int(hash(seed, gx+1, gy) & 1023)
	c := int(hash(seed, gx, gy+1) & 1023)
	d := int(hash(seed, gx+1, gy+1) & 1023)
	top := a*1024 + (b-a)*u
	bottom := c*1024 + (d-c)*u
	return (top*1024 + (bottom-top)*v) >> 20
}

// smooth is 3t^2 - 2t^3 for t in [0, 1024].
func smooth(t int) int { return t * t * (3*1024 - 2*t) >> 20 }

// rough is two octaves of noise in [0, 1024).
func rough(seed uint64, x, y, period int) int {
	return (noise(seed, x, y, period)*2 + noise(seed^0x55, x, y, max(period*2/5, 2))) / 3
}

// sine is sin(deg) * 1024 by Bhaskara's approximation (error below 0.2 %).
func sine(deg int) int {
	deg = ((deg % 360) + 360) % 360
	if deg >= 180 {
		return -sine(deg - 180)
	}
	p := deg * (180 - deg)
	return 1024 * 4 * p / (40500 - p)
}

func cosine(deg int) int { return sine(deg + 90) }

// floorDiv rounds towards minus infinity.
func floorDiv(a, b int) int {
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return q
}

// isqrt is the whole part of the square root of n >= 0.
func isqrt(n int) int {
	x := n
	for y := (x + 1) / 2; y < x; y = (x + n/x) / 2 {
		x = y
	}
	return x
}

func abs(a int) int { return max(a, -a) }
