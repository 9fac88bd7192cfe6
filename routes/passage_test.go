package routes_test

import (
	"math/big"
	"slices"
	"sort"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"chronoscope/loop"
	"chronoscope/routes"
)

// way is a random polyline with its times.
type way struct {
	points []routes.Point
	times  []uint64
	side   int32
}

// ways draws polylines: across negative and positive ground, often exactly on
// zone borders and corners, with points repeated at once or after a wait, and with
// speeds from a crawl to many zones a tick.
func ways() *rapid.Generator[way] {
	return rapid.Custom(func(t *rapid.T) way {
		side := rapid.Int32Range(1, 5).Draw(t, "side")
		s := side * routes.CellUnits
		coordinate := rapid.OneOf(
			rapid.Int32Range(-3*s, 3*s),
			rapid.Map(rapid.Int32Range(-3, 3), func(k int32) int32 { return k*s - 1 }),
			rapid.Map(rapid.Int32Range(-6, 6), func(k int32) int32 { return k * s / 2 }), // diagonals between these meet corners
		)
		w := way{side: side, points: []routes.Point{{X: coordinate.Draw(t, "x"), Y: coordinate.Draw(t, "y")}}, times: []uint64{0}}
		for range rapid.IntRange(0, 6).Draw(t, "segments") {
			last, time := w.points[len(w.points)-1], w.times[len(w.times)-1]
			next := last
			switch rapid.IntRange(0, 5).Draw(t, "segment") {
			case 0: // stays
				w.points = append(w.points, last)
				w.times = append(w.times, time+rapid.SampledFrom([]uint64{0, 1, routes.PlainCost, 3 * routes.PlainCost / 2}).Draw(t, "wait"))
				continue
			case 1: // diagonal by whole zones, so through corners where it starts on one
				k := rapid.Int32Range(1, 2).Draw(t, "zones") * s
				next.X += rapid.SampledFrom([]int32{-k, k}).Draw(t, "dx")
				next.Y += rapid.SampledFrom([]int32{-k, k}).Draw(t, "dy")
			case 2: // back to where it began
				next = w.points[0]
			default:
				next = routes.Point{X: coordinate.Draw(t, "x"), Y: coordinate.Draw(t, "y")}
			}
			w.points = append(w.points, next)
			w.times = append(w.times, time+rapid.OneOf(
				rapid.Uint64Range(1, 40*routes.PlainCost),
				rapid.Map(rapid.Uint64Range(1, 20), func(n uint64) uint64 { return n * routes.PlainCost }),
				rapid.Uint64Range(1, routes.PlainCost),
			).Draw(t, "time"))
		}
		return w
	})
}

func (w way) path(t interface{ Fatal(...any) }) *routes.Path {
	p, err := routes.NewPath(w.points, w.times, w.side)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// position is where the polyline is at a tick, by rational arithmetic.
func (w way) position(t loop.Tick) routes.Point {
	time := new(big.Int).Lsh(new(big.Int).SetUint64(uint64(t)), routes.CostBits)
	for i := 1; i < len(w.points); i++ {
		from, to := new(big.Int).SetUint64(w.times[i-1]), new(big.Int).SetUint64(w.times[i])
		if time.Cmp(to) >= 0 {
			continue
		}
		passed, whole := new(big.Int).Sub(time, from), new(big.Int).Sub(to, from)
		along := func(a, b int32) int32 {
			v := new(big.Int).Mul(big.NewInt(int64(b)-int64(a)), passed)
			v.Add(v, new(big.Int).Mul(big.NewInt(int64(a)), whole))
			// whole > 0, so Euclidean division rounds down.
			return int32(v.Div(v, whole).Int64())
		}
		return routes.Point{X: along(w.points[i-1].X, w.points[i].X), Y: along(w.points[i-1].Y, w.points[i].Y)}
	}
	return w.points[len(w.points)-1]
}

// edge is an end of the part of a segment within a zone: a fraction of the
// segment, and whether that very point belongs to the part.
type edge struct {
	num, den int64
	closed   bool
}

func (a edge) compare(b edge) int {
	switch l, r := a.num*b.den, b.num*a.den; {
	case l < r:
		return -1
	case l > r:
		return 1
	}
	return 0
}

// within is the part of [0, 1] in which from + (to-from)*part lies in [low, high).
func within(from, to, low, high int64) (first, last edge, ok bool) {
	first, last = edge{0, 1, true}, edge{1, 1, true}
	d := to - from
	switch {
	case d == 0:
		return first, last, low <= from && from < high
	case d > 0:
		if from < low {
			first = edge{low - from, d, true}
		}
		if to >= high {
			last = edge{high - from, d, false}
		}
	default:
		if from >= high {
			first = edge{from - high, -d, false}
		}
		if to < low {
			last = edge{from - low, -d, true}
		}
	}
	c := first.compare(last)
	return first, last, c < 0 || c == 0 && first.closed && last.closed
}

// zones is the sequence of zones along the polyline, by intersecting every
// segment with every square near it.
func (w way) zones() []routes.ZoneKey {
	list := []routes.ZoneKey{routes.ZoneAt(w.points[0], w.side)}
	s := int64(w.side) * routes.CellUnits
	for i := 1; i < len(w.points); i++ {
		a, b := w.points[i-1], w.points[i]
		za, zb := routes.ZoneAt(a, w.side), routes.ZoneAt(b, w.side)
		type part struct {
			zone  routes.ZoneKey
			first edge
		}
		var parts []part
		for y := min(za.Y, zb.Y); y <= max(za.Y, zb.Y); y++ {
			for x := min(za.X, zb.X); x <= max(za.X, zb.X); x++ {
				fx, lx, okx := within(int64(a.X), int64(b.X), int64(x)*s, int64(x+1)*s)
				fy, ly, oky := within(int64(a.Y), int64(b.Y), int64(y)*s, int64(y+1)*s)
				if !okx || !oky {
					continue
				}
				first, last := fx, lx
				if c := fx.compare(fy); c < 0 || c == 0 && !fy.closed {
					first = fy
				}
				if c := lx.compare(ly); c > 0 || c == 0 && !ly.closed {
					last = ly
				}
				if c := first.compare(last); c < 0 || c == 0 && first.closed && last.closed {
					parts = append(parts, part{routes.ZoneKey{X: x, Y: y}, first})
				}
			}
		}
		sort.Slice(parts, func(i, j int) bool {
			c := parts[i].first.compare(parts[j].first)
			return c < 0 || c == 0 && parts[i].first.closed && !parts[j].first.closed
		})
		for _, p := range parts {
			if p.zone != list[len(list)-1] {
				list = append(list, p.zone)
			}
		}
	}
	return list
}

// checkPassages holds a leg against its positions at all its ticks.
func checkPassages(t interface {
	Fatalf(string, ...any)
	Helper()
}, l *routes.Leg, side int32) []routes.ZonePassage {
	t.Helper()
	list := l.Passages(nil)
	if len(list) == 0 || list[0].Enter != l.Start || list[len(list)-1].Exit != l.End {
		t.Fatalf("passages %v of a leg on [%d, %d)", list, l.Start, l.End)
	}
	for i, p := range list {
		if p.Exit < p.Enter || i > 0 && (p.Enter != list[i-1].Exit || p.Zone == list[i-1].Zone) {
			t.Fatalf("passages %d and before: %v", i, list[max(i-1, 0):i+1])
		}
	}
	for now := l.Start; now < l.End; now++ {
		var holding []routes.ZonePassage
		for _, p := range list {
			if p.Enter <= now && now < p.Exit {
				holding = append(holding, p)
			}
		}
		at := l.At(now)
		if len(holding) != 1 || holding[0].Zone != routes.ZoneAt(at, side) {
			t.Fatalf("tick %d at %v, in zone %v: passages %v of %v", now, at, routes.ZoneAt(at, side), holding, list)
		}
		if p, ok := l.Inside(now); !ok || p != holding[0] {
			t.Fatalf("inside at %d: %v, %v; want %v", now, p, ok, holding[0])
		}
	}
	return list
}

// The rule of passages against brute force over all ticks and all zones, for
// random polylines.
func TestPassagesOfAnyPolyline(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := ways().Draw(t, "way")
		p := w.path(t)
		start := loop.Tick(rapid.Uint64Range(0, 1<<40).Draw(t, "start"))
		l := routes.NewRoute(7, 3, p, start)
		if l.End-l.Start != p.Ticks() || l.End <= l.Start {
			t.Fatalf("leg on [%d, %d) of %d ticks", l.Start, l.End, p.Ticks())
		}
		if total := w.times[len(w.times)-1]; uint64(p.Ticks()-1)<<routes.CostBits >= max(total, 1) || uint64(p.Ticks())<<routes.CostBits < total {
			t.Fatalf("%d ticks for %d", p.Ticks(), total)
		}
		for now := l.Start; now < l.End; now++ {
			if got, want := l.At(now), w.position(now-l.Start); got != want {
				t.Fatalf("at tick %d of %d: %v, want %v", now-l.Start, p.Ticks(), got, want)
			}
		}
		if l.At(l.Start) != w.points[0] || l.At(l.End) != w.points[len(w.points)-1] || l.At(loop.MaxTick) != l.Place() {
			t.Fatalf("ends %v, %v", l.At(l.Start), l.At(l.End))
		}
		list := checkPassages(t, l, w.side)
		var visited []routes.ZoneKey
		for _, p := range list {
			visited = append(visited, p.Zone)
		}
		if want := w.zones(); !slices.Equal(visited, want) {
			t.Fatalf("passages through %v, brute force %v", visited, want)
		}
		var touched []routes.ZoneKey
		for _, z := range visited {
			if !slices.Contains(touched, z) {
				touched = append(touched, z)
			}
		}
		if !slices.Equal(touched, p.Zones()) || !slices.Equal(touched, l.AppendZones(nil)) {
			t.Fatalf("touches %v, passages through %v", p.Zones(), touched)
		}
		for _, z := range touched {
			if !l.Touches(z) {
				t.Fatalf("doesn't touch %v", z)
			}
		}
	})
}

// Mirrored polylines: floor division isn't symmetric, so a mirrored way has its
// own passages, and they obey the same rule.
func TestPassagesOfMirroredPolylines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := ways().Draw(t, "way")
		for i, p := range w.points {
			w.points[i] = routes.Point{X: -p.X, Y: -p.Y}
		}
		l := routes.NewRoute(1, 1, w.path(t), 5)
		checkPassages(t, l, w.side)
		for now := l.Start; now < l.End; now++ {
			if got, want := l.At(now), w.position(now-l.Start); got != want {
				t.Fatalf("at tick %d: %v, want %v", now-l.Start, got, want)
			}
		}
	})
}

// What is special about borders, by hand. Zones have a side of 1 cell, 1024 units.
func TestPassagesAtBorders(t *testing.T) {
	type passage = routes.ZonePassage
	zone := func(x, y int32) routes.ZoneKey { return routes.ZoneKey{X: x, Y: y} }
	const tick = routes.PlainCost
	tests := []struct {
		name   string
		points []routes.Point
		times  []uint64
		want   []passage
	}{
		{"a single point takes one tick", []routes.Point{{X: 5, Y: 5}}, []uint64{0}, []passage{{zone(0, 0), 0, 1}}},
		{"onto a border at a whole tick", []routes.Point{{X: 0}, {X: 1024}}, []uint64{0, 4 * tick}, []passage{
			{zone(0, 0), 0, 4}, {zone(1, 0), 4, 4}}},
		{"up, over a border at a tick", []routes.Point{{X: 0}, {X: 2047}}, []uint64{0, 2047 * tick / 256}, []passage{
			{zone(0, 0), 0, 4}, {zone(1, 0), 4, 8}}},
		{"down, the border's tick still belongs to the upper zone", []routes.Point{{X: 2047}, {X: -1}}, []uint64{0, 2048 * tick}, []passage{
			{zone(1, 0), 0, 1024}, {zone(0, 0), 1024, 2048}, {zone(-1, 0), 2048, 2048}}},
		{"down from a border", []routes.Point{{X: 1024}, {X: 0}}, []uint64{0, 4 * tick}, []passage{
			{zone(1, 0), 0, 1}, {zone(0, 0), 1, 4}}},
		{"through a corner down right: nothing between", []routes.Point{{X: 512, Y: 512}, {X: 1536, Y: 1536}}, []uint64{0, 4 * tick}, []passage{
			{zone(0, 0), 0, 2}, {zone(1, 1), 2, 4}}},
		{"through a corner up left: the corner is the first zone's", []routes.Point{{X: 1536, Y: 1536}, {X: 512, Y: 512}}, []uint64{0, 4 * tick}, []passage{
			{zone(1, 1), 0, 3}, {zone(0, 0), 3, 4}}},
		{"a mere corner, between ticks", []routes.Point{{X: 1536, Y: 512}, {X: 512, Y: 1536}}, []uint64{0, 3 * tick}, []passage{
			{zone(1, 0), 0, 2}, {zone(1, 1), 2, 2}, {zone(0, 1), 2, 3}}},
		{"a mere corner, at a tick", []routes.Point{{X: 1536, Y: 512}, {X: 512, Y: 1536}}, []uint64{0, 4 * tick}, []passage{
			{zone(1, 0), 0, 2}, {zone(1, 1), 2, 3}, {zone(0, 1), 3, 4}}},
		{"a mere corner, the other way", []routes.Point{{X: 512, Y: 1536}, {X: 1536, Y: 512}}, []uint64{0, 4 * tick}, []passage{
			{zone(0, 1), 0, 2}, {zone(1, 1), 2, 3}, {zone(1, 0), 3, 4}}},
		{"along a border", []routes.Point{{X: 512, Y: 1024}, {X: 1536, Y: 1024}}, []uint64{0, 4 * tick}, []passage{
			{zone(0, 1), 0, 2}, {zone(1, 1), 2, 4}}},
		{"many zones in less than a tick", []routes.Point{{X: 0}, {X: 3 * 1024}}, []uint64{0, tick / 2}, []passage{
			{zone(0, 0), 0, 1}, {zone(1, 0), 1, 1}, {zone(2, 0), 1, 1}, {zone(3, 0), 1, 1}}},
		{"below zero", []routes.Point{{X: -1, Y: -1}, {X: -1025, Y: -1}}, []uint64{0, 4 * tick}, []passage{
			{zone(-1, -1), 0, 4}, {zone(-2, -1), 4, 4}}},
		{"there and back", []routes.Point{{X: 512}, {X: 1536}, {X: 1536}, {X: 512}}, []uint64{0, 2 * tick, 5 * tick, 7 * tick}, []passage{
			{zone(0, 0), 0, 1}, {zone(1, 0), 1, 7}, {zone(0, 0), 7, 7}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p, err := routes.NewPath(test.points, test.times, 1)
			if err != nil {
				t.Fatal(err)
			}
			if got := p.Passages(); !slices.Equal(got, test.want) {
				t.Errorf("got  %v\nwant %v", got, test.want)
			}
			checkPassages(t, routes.NewRoute(1, 1, p, 0), 1)
		})
	}
}

func TestNewPathErrors(t *testing.T) {
	a, b := routes.Point{X: 1}, routes.Point{X: 2}
	for _, test := range []struct {
		name   string
		points []routes.Point
		times  []uint64
		side   int32
		want   string
	}{
		{"nothing", nil, nil, 0, "routes: path of 0 points and 0 times: must be as many, at least 1"},
		{"a time missing", []routes.Point{a, b}, []uint64{0}, 0, "routes: path of 2 points and 1 times: must be as many, at least 1"},
		{"late start", []routes.Point{a}, []uint64{3}, 0, "routes: path starts at time 3: must be 0"},
		{"back in time", []routes.Point{a, b, a}, []uint64{0, 5, 4}, 0, "routes: path point 2 at time 4: must be later than 5"},
		{"in no time", []routes.Point{a, b}, []uint64{0, 0}, 0, "routes: path point 1 at time 0: must be later than 0"},
		{"too long", []routes.Point{a, a}, []uint64{0, 1<<63 + 1}, 0, "routes: path ends at time 9223372036854775809: must be at most 2^63"},
		{"zone side", []routes.Point{a}, []uint64{0}, -1, "routes: zone side -1: must be 1..1048576 cells"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if _, err := routes.NewPath(test.points, test.times, test.side); err == nil || err.Error() != test.want {
				t.Errorf("got %v, want %s", err, test.want)
			}
		})
	}
}

// The longest coordinates there are don't overflow.
func TestPassagesOfTheWidestSegment(t *testing.T) {
	const far = 1 << 31
	w := way{side: routes.MaxZoneSide, points: []routes.Point{{X: -far, Y: far - 1}, {X: far - 1, Y: -far}}, times: []uint64{0, 1 << 63}}
	p := w.path(t)
	var visited []routes.ZoneKey
	for _, passage := range p.Passages() {
		visited = append(visited, passage.Zone)
	}
	if len(visited) < 4 || visited[0] != routes.ZoneAt(w.points[0], w.side) || visited[len(visited)-1] != routes.ZoneAt(w.points[1], w.side) {
		t.Errorf("zones %v", visited)
	}
	l := routes.NewRoute(1, 1, p, 0)
	for _, now := range []loop.Tick{0, 1, 1 << 20, 1<<30 - 1, 1 << 30, 1<<31 - 1} {
		if got, want := l.At(now), w.position(now); got != want {
			t.Errorf("at %d: %v, want %v", now, got, want)
		}
		if in, ok := l.Inside(now); !ok || in.Zone != routes.ZoneAt(l.At(now), w.side) {
			t.Errorf("at %d: inside %v, %v", now, in, ok)
		}
	}
}

// Everybody who asks for a path's passages at once gets the same list.
func TestPassagesAreSharedWork(t *testing.T) {
	m := townLike(96)
	p, err := routes.NewSearcher(m).Find(routes.Cell{}, routes.Cell{X: 95, Y: 95})
	if err != nil {
		t.Fatal(err)
	}
	bytes := p.Bytes()
	if p.Refined() {
		t.Error("refined before anybody asked")
	}
	l := routes.NewRoute(1, 1, p, 10)
	var firsts [8]bool
	var lists [8][]routes.ZonePassage
	var wg sync.WaitGroup
	for i := range firsts {
		wg.Go(func() {
			firsts[i] = l.Refine()
			lists[i] = p.Passages()
		})
	}
	wg.Wait()
	first := 0
	for i := range firsts {
		if firsts[i] {
			first++
		}
		if &lists[i][0] != &lists[0][0] {
			t.Error("worked out twice")
		}
	}
	if first != 1 {
		t.Errorf("%d callers refined the leg, want 1", first)
	}
	if !p.Refined() || !l.Refined() || p.Bytes() != bytes {
		t.Errorf("refined %v, %v; %d bytes, before %d", p.Refined(), l.Refined(), p.Bytes(), bytes)
	}
	// Another leg on the path: refined by itself, once, without new work.
	other := routes.NewRoute(2, 1, p, 20)
	if other.Refined() || !other.Refine() || other.Refine() {
		t.Error("the second leg isn't refined once")
	}
}
