package routes

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Visits leave in exactly the order of before, as from a sorted list, with pushes
// between the pops and estimates that go round the ring many times.
func TestFrontierOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rise := rapid.Uint64Range(0, 20<<bucketBits).Draw(t, "rise")
		q := newFrontier(rise)
		nodes := make([]node, 64) // every cell may wait once; its node holds its cost
		var list []visit
		last := visit{f: rapid.Uint64Range(0, 9*PlainCost).Draw(t, "f")}
		push := func(v visit) {
			nodes[v.cell].cost = v.g
			list = append(list, v)
		}
		push(last)
		q.reset(last)
		for cell := int32(1); cell < 64; {
			for range rapid.IntRange(0, 5).Draw(t, "pushes") {
				if cell == 64 {
					break
				}
				f := last.f + rapid.OneOf(rapid.Uint64Range(0, rise), rapid.SampledFrom([]uint64{0, rise})).Draw(t, "rise")
				v := visit{f: f, g: rapid.Uint64Range(0, 3).Draw(t, "g"), cell: cell}
				push(v)
				q.push(v)
				cell++
			}
			if len(list) == 0 {
				break
			}
			slices.SortFunc(list, func(a, b visit) int {
				return cmp.Or(cmp.Compare(a.f, b.f), cmp.Compare(b.g, a.g), cmp.Compare(a.cell, b.cell))
			})
			v, ok := q.pop(nodes)
			v.next = 0 // the pool's own affair
			if !ok || v != list[0] {
				t.Fatalf("got %+v, %v; want %+v", v, ok, list[0])
			}
			last, list = v, list[1:]
		}
		for range list {
			if _, ok := q.pop(nodes); !ok {
				t.Fatal("visits are lost")
			}
		}
		if v, ok := q.pop(nodes); ok {
			t.Fatalf("got %+v from an empty queue", v)
		}
	})
}

// A search number that comes round doesn't take old nodes for its own.
func TestSearchNumberWraps(t *testing.T) {
	m := &Map{Width: 5, Height: 1, Terrain: []Terrain{Field, Field, Field, Field, Field}, Cost: DefaultCosts()}
	s := NewSearcher(m)
	for _, run := range []uint32{0, math.MaxUint32 - 1} {
		s.run = run
		for range 3 {
			if p, err := s.Find(Cell{X: 4}, Cell{}); err != nil || p.Straight != 4 {
				t.Fatalf("search %d: %v, %v", s.run, p, err)
			}
		}
	}
}

// A slot of the index whose generation is about to come round is retired: an entry
// left from its first use can't become current again.
func TestSlotIsRetired(t *testing.T) {
	var s slots
	a, b := &Leg{}, &Leg{}
	first := s.take(a)
	s.at(first.slot).generation.Store(math.MaxUint32 - 1)
	s.release(first.slot)
	second := s.take(b)
	if second.slot == first.slot {
		t.Fatal("given away again")
	}
	s.release(second.slot)
	if third := s.take(a); third.slot != second.slot || third.generation != second.generation+1 {
		t.Fatalf("%+v after %+v", third, second)
	}
	if !s.dead(second) || s.at(second.slot).living(second.generation) != nil {
		t.Error("an old generation is current")
	}
	if got := s.appendLiving(nil, []entry{second, {second.slot, second.generation + 1}}); len(got) != 1 || got[0] != a {
		t.Errorf("living: %v", got)
	}
}

// The table grows without disturbing what is in it.
func TestSlotsGrow(t *testing.T) {
	var s slots
	legs := make([]Leg, 2<<slotChunkBits+1)
	entries := make([]entry, len(legs))
	for i := range legs {
		entries[i] = s.take(&legs[i])
	}
	for i, l := range s.appendLiving(nil, entries) {
		if l != &legs[i] {
			t.Fatalf("slot %d", i)
		}
	}
	if got := s.bytes(); got != 3<<slotChunkBits*16 {
		t.Errorf("%d bytes", got)
	}
}
