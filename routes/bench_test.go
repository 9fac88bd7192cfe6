package routes_test

import (
	"fmt"
	"testing"

	"chronoscope/loop"
	"chronoscope/routes"
)

func BenchmarkSearch(b *testing.B) {
	for _, size := range []int32{256, 1024} {
		m := townLike(size)
		n := size - 1
		for _, way := range []struct {
			name     string
			from, to routes.Cell
		}{
			{"corner to corner", routes.Cell{X: 0, Y: 0}, routes.Cell{X: n, Y: n}},
			{"wood to swamp", routes.Cell{X: 0, Y: n / 3}, routes.Cell{X: n, Y: 2 * n / 3}},
			{"along the town", routes.Cell{X: 0, Y: n / 4}, routes.Cell{X: n, Y: n / 4}},
			{"near home", routes.Cell{X: n/2 + 6, Y: n / 4}, routes.Cell{X: n/2 + 38, Y: n/4 + 20}},
		} {
			b.Run(fmt.Sprintf("%d/%s", size, way.name), func(b *testing.B) {
				s := routes.NewSearcher(m)
				if _, err := s.Find(way.from, way.to); err != nil {
					b.Fatal(err)
				}
				b.ReportAllocs()
				for b.Loop() {
					s.Find(way.from, way.to)
				}
				b.ReportMetric(float64(s.Expanded()), "cells")
			})
		}
	}
}

var _ = loop.Tick(0)
