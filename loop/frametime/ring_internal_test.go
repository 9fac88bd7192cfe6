package frametime

import (
	"testing"

	"chronoscope/loop"
)

// However far the writer gets while somebody reads, what is told is whole: each
// release is the one of its number.
func TestWriterOvertakesReader(t *testing.T) {
	const size = 8
	for before := range uint64(3 * size) {
		for during := range uint64(2 * size) {
			r := NewReleaseRing(size)
			push := func(n uint64) {
				for range n {
					i := int64(r.Pushed())
					r.Push(Release{Tick: loop.Tick(i), Scheduled: 2 * i, Released: 3 * i, Brake: i % 3})
				}
			}
			push(before)
			end := r.Pushed()
			from := kept(end, size)
			push(during)
			list := r.copy(from, end, nil)
			lost := r.lost(from, end)
			for i, x := range list[lost:] {
				n := int64(from+lost) + int64(i)
				if want := (Release{loop.Tick(n), 2 * n, 3 * n, n % 3}); x != want {
					t.Fatalf("%d pushed, %d more while reading: %+v, want %+v", before, during, x, want)
				}
			}
			// One push may be under way at any time: its slot is never told.
			if reach := from + size - 1; during > 0 && end+during > reach && lost == 0 && from < end {
				t.Fatalf("%d pushed, %d more: nothing is lost of %d to %d", before, during, from, end)
			}
		}
	}
}
