package coordinator

import (
	"math/rand/v2"
	"slices"
	"testing"

	"chronoscope/loop"

	"pgregory.net/rapid"
)

// The storage agrees with map[Tick][]ID, near, far, and across the ring's edge.
func TestWakesAgainstMap(t *testing.T) {
	const ring = 64
	rapid.Check(t, func(t *rapid.T) {
		start := rapid.SampledFrom([]loop.Tick{0, 7, ring - 3, 1 << 41}).Draw(t, "start")
		w := newWakes(start, ring)
		model := map[loop.Tick][]ObjectID{}
		next, pending := ObjectID(0), 0
		distance := rapid.OneOf(rapid.Uint64Range(1, 20), rapid.Uint64Range(1, 20),
			rapid.Uint64Range(ring-3, ring+20), rapid.Uint64Range(1, 4*ring))
		for range rapid.IntRange(1, 30).Draw(t, "rounds") {
			for range rapid.IntRange(0, 30).Draw(t, "adds") {
				at := w.floor + loop.Tick(distance.Draw(t, "distance"))
				next++
				w.add(at, next)
				model[at] = append(model[at], next)
				pending++
			}
			for range rapid.SampledFrom([]int{0, 1, 5, ring / 2, 2 * ring}).Draw(t, "steps") {
				got := w.take(nil)
				if want := model[w.floor]; !slices.Equal(got, want) {
					t.Fatalf("tick %d: %v, want %v", w.floor, got, want)
				}
				pending -= len(got)
				delete(model, w.floor)
			}
			if w.len != pending {
				t.Fatalf("%d pending, want %d", w.len, pending)
			}
		}
	})
}

// In the steady state storing and taking out makes no garbage, near or far.
func TestWakesAllocateNothing(t *testing.T) {
	for _, span := range []uint64{600, 4096} {
		w := newWakes(0, 1024)
		r := rand.New(rand.NewPCG(1, 2))
		add := func(id ObjectID) { w.add(w.floor+1+loop.Tick(r.Uint64N(span)), id) }
		for i := range 20_000 {
			add(ObjectID(i))
		}
		var ids []ObjectID
		tick := func() {
			ids = w.take(ids[:0])
			for _, id := range ids {
				add(id)
			}
		}
		for range span + span/2 {
			tick()
		}
		if n := testing.AllocsPerRun(1000, tick); n != 0 {
			t.Errorf("span %d: %v allocations a tick", span, n)
		}
		if w.len != 20_000 {
			t.Errorf("%d pending", w.len)
		}
	}
}
