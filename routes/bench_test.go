package routes_test

import (
	"fmt"
	"runtime"
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

func BenchmarkPathFromSteps(b *testing.B) {
	// What a search costs beside the searching: neighbours, so nothing to expand.
	m := townLike(256)
	s := routes.NewSearcher(m)
	b.ReportAllocs()
	for b.Loop() {
		s.Find(routes.Cell{X: 3, Y: 0}, routes.Cell{X: 4, Y: 0})
	}
}

func BenchmarkCacheHit(b *testing.B) {
	m := townLike(256)
	c := newCache(b, m, routes.CacheOptions{})
	trips := sampleTrips(m, 64, 5)
	for _, trip := range trips {
		if _, err := c.Request(trip[0], trip[1], false).Result(); err != nil {
			b.Fatal(err)
		}
	}
	b.Run("one goroutine", func(b *testing.B) {
		b.ReportAllocs()
		i := 0
		for b.Loop() {
			c.Lookup(trips[i&63][0], trips[i&63][1])
			i++
		}
	})
	b.Run("parallel", func(b *testing.B) {
		b.ReportAllocs()
		b.RunParallel(func(pb *testing.PB) {
			for i := 0; pb.Next(); i++ {
				c.Lookup(trips[i&63][0], trips[i&63][1])
			}
		})
	})
	b.ReportMetric(float64(c.Stats().Bytes)/64, "B/path")
}

// crossTown is a path across the town of 256 x 256 on mixed ground.
func crossTown(b *testing.B) *routes.Path {
	b.Helper()
	p, err := routes.NewSearcher(townLike(256)).Find(routes.Cell{X: 0, Y: 85}, routes.Cell{X: 255, Y: 170})
	if err != nil {
		b.Fatal(err)
	}
	return p
}

func BenchmarkLeg(b *testing.B) {
	p := crossTown(b)
	l := routes.NewRoute(1, 1, p, 1000)
	l.Refine()
	now := l.Start
	next := func() loop.Tick {
		if now += 97; now >= l.End {
			now = l.Start + now%89
		}
		return now
	}
	var at routes.Point
	b.Run("At", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			at = l.At(next())
		}
	})
	b.Run("AtFraction", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			l.AtFraction(next(), 0.5)
		}
	})
	b.Run("Inside", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			l.Inside(next())
		}
	})
	b.Run("FirstEnter", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			l.FirstEnter(next(), func(z routes.ZoneKey) bool { return z.X == at.X })
		}
	})
	b.Run("NewRoute", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			l = routes.NewRoute(1, 1, p, 1000)
		}
	})
}

func BenchmarkRefine(b *testing.B) {
	p := crossTown(b)
	passages := 0
	b.ReportAllocs()
	for b.Loop() {
		b.StopTimer()
		fresh, err := routes.NewPath(p.Points(), p.Times(), p.Side())
		if err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
		passages = len(fresh.Passages())
	}
	b.ReportMetric(float64(passages), "passages")
	b.ReportMetric(float64(len(p.Points())), "points")
}

// scatter makes n legs over a map of 4096 x 4096 cells, 65,536 zones: routes
// through 20 zones each, or stays.
func scatter(b *testing.B, n int, stays bool) (*routes.Index, []*routes.Leg) {
	b.Helper()
	x := routes.NewIndex(&routes.Map{Width: 4096, Height: 4096}, 16)
	r := random(4711)
	legs := make([]*routes.Leg, n)
	var paths []*routes.Path // shared by many legs, as in a town
	for range 20_000 {
		from := routes.Cell{X: int32(r.below(4096 - 320)), Y: int32(r.below(4096))}.Center()
		to := routes.Point{X: from.X + 19*16*routes.CellUnits, Y: from.Y}
		p, err := routes.NewPath([]routes.Point{from, to}, []uint64{0, 5000 * routes.PlainCost}, 16)
		if err != nil {
			b.Fatal(err)
		}
		paths = append(paths, p)
	}
	for i := range legs {
		p := paths[r.below(len(paths))]
		if stays {
			legs[i] = routes.NewStay(uint64(i), 1, p.First(), 0, 1000, 16)
		} else {
			legs[i] = routes.NewRoute(uint64(i), 1, p, 0)
		}
	}
	return x, legs
}

// BenchmarkIndexMillion fills an index with a million legs, looks zones up, replaces
// legs, and weighs it.
func BenchmarkIndexMillion(b *testing.B) {
	for _, kind := range []struct {
		name  string
		stays bool
	}{{"routes of 20 zones", false}, {"stays", true}} {
		b.Run(kind.name, func(b *testing.B) {
			const n = 1_000_000
			x, legs := scatter(b, n, kind.stays)
			b.Run("insert", func(b *testing.B) {
				var st routes.IndexStats
				for b.Loop() {
					b.StopTimer()
					x, legs = scatter(b, n, kind.stays)
					runtime.GC()
					b.StartTimer()
					for _, l := range legs {
						x.Insert(l)
					}
				}
				st = x.Stats()
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(st.Entries), "ns/entry")
				b.ReportMetric(st.BytesPerEntry(), "B/entry")
			})
			b.Run("look up", func(b *testing.B) {
				r := random(5)
				var found []*routes.Leg
				sum := 0
				b.ReportAllocs()
				for b.Loop() {
					found = x.Lookup(routes.ZoneKey{X: int32(r.below(256)), Y: int32(r.below(256))}, found[:0])
					sum += len(found)
				}
				b.ReportMetric(float64(sum)/float64(b.N), "legs")
			})
			b.Run("replace", func(b *testing.B) {
				r := random(6)
				b.ReportAllocs()
				for b.Loop() {
					i := r.below(n)
					old := legs[i]
					if kind.stays {
						legs[i] = routes.NewStay(old.Owner, old.Number+1, old.Place(), 0, 1000, 16)
					} else {
						legs[i] = routes.NewRoute(old.Owner, old.Number+1, old.Path(), 0)
					}
					x.Insert(legs[i])
					x.Remove(old)
				}
				st := x.Stats()
				b.ReportMetric(float64(st.Dead)/float64(st.Entries), "dead/living")
				b.ReportMetric(st.BytesPerEntry(), "B/entry")
			})
			b.Run("collect", func(b *testing.B) {
				for b.Loop() {
					runtime.GC()
				}
				runtime.KeepAlive(x)
				runtime.KeepAlive(legs)
			})
		})
	}
}

func BenchmarkEnsurePlaces(b *testing.B) {
	for _, size := range []int32{256, 1024} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				b.StopTimer()
				m := townLike(size)
				b.StartTimer()
				if err := m.EnsurePlaces(1); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
