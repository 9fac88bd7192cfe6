package town_test

import (
	"fmt"
	"testing"

	"chronoscope/routes/town"
)

func BenchmarkGenerate(b *testing.B) {
	for _, size := range []int32{64, 256, 1024} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := town.Generate(town.Options{Seed: 1, Size: size}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(size*size), "ns/cell")
		})
	}
}
