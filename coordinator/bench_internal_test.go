package coordinator

import (
	"sync"
	"testing"
)

// One member's Complete, of 10,000 for each release. The release is in the
// figure, at a ten-thousandth.
func BenchmarkComplete(b *testing.B) {
	b.ReportAllocs()
	s := newStepper(b, Options{})
	ps := make([]*Progress, 10_000)
	for i := range ps {
		ps[i] = newParticipant(uint32(i), 1)
		s.Join(ps[i])
	}
	i := len(ps)
	for b.Loop() {
		if i == len(ps) {
			i = 0
			s.tick()
		}
		s.Complete(ps[i], s.Global())
		i++
	}
}

// The same by two goroutines at once, 5,000 members each; an operation is one
// tick of all.
func BenchmarkCompleteParallel(b *testing.B) {
	b.ReportAllocs()
	s := newStepper(b, Options{})
	ps := make([]*Progress, 10_000)
	for i := range ps {
		ps[i] = newParticipant(uint32(i), 1)
		s.Join(ps[i])
	}
	for b.Loop() {
		s.tick()
		var wg sync.WaitGroup
		for half := range 2 {
			wg.Go(func() {
				for _, p := range ps[half*5000:][:5000] {
					s.Complete(p, s.Global())
				}
			})
		}
		wg.Wait()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/10_000, "ns/member")
}

// One check of the coordinator: without anything to do, and with a release.
func BenchmarkCheck(b *testing.B) {
	b.Run("idle", func(b *testing.B) {
		b.ReportAllocs()
		s := newStepper(b, Options{})
		for b.Loop() {
			s.after(0)
		}
	})
	b.Run("release", func(b *testing.B) {
		b.ReportAllocs()
		s := newStepper(b, Options{})
		for b.Loop() {
			s.tick()
		}
	})
}

// What waking costs the coordinator: sixteen rings, whatever the crowd.
func BenchmarkRing(b *testing.B) {
	s := newStepper(b, Options{})
	for b.Loop() {
		s.members.ring()
	}
}
