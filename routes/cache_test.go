package routes_test

import (
	"errors"
	"math"
	"runtime"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"chronoscope/routes"
)

func newCache(t testing.TB, m *routes.Map, options routes.CacheOptions) *routes.Cache {
	t.Helper()
	c, err := routes.NewCache(m, options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// sampleTrips are trips between walkable cells of m.
func sampleTrips(m *routes.Map, n int, seed random) (trips [][2]routes.Cell) {
	for len(trips) < n {
		a := routes.Cell{X: int32(seed.below(int(m.Width))), Y: int32(seed.below(int(m.Height)))}
		b := routes.Cell{X: int32(seed.below(int(m.Width))), Y: int32(seed.below(int(m.Height)))}
		if m.Reachable(a, b) == nil {
			trips = append(trips, [2]routes.Cell{a, b})
		}
	}
	return trips
}

// Whatever the bounds, in whatever order, from whichever goroutine: the same
// paths, and the bounds hold. Dropped paths stay usable.
func TestCacheAnswersDontDependOnItsSize(t *testing.T) {
	m := townLike(64)
	trips := sampleTrips(m, 40, 7)
	s := routes.NewSearcher(m)
	s.Side = 8
	want := make([]*routes.Path, len(trips))
	for i, trip := range trips {
		var err error
		if want[i], err = s.Find(trip[0], trip[1]); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		name    string
		options routes.CacheOptions
	}{
		{"roomy", routes.CacheOptions{}},
		{"one entry", routes.CacheOptions{MaxEntries: 1}},
		{"five entries", routes.CacheOptions{MaxEntries: 5, Searches: 3}},
		{"10 kB", routes.CacheOptions{MaxBytes: 10_000, Searches: 1}},
		{"nothing fits", routes.CacheOptions{MaxBytes: 1}},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.options.ZoneSide = 8
			c := newCache(t, m, test.options)
			var held [4][]*routes.Path
			var wg sync.WaitGroup
			for g := range held {
				wg.Go(func() {
					r := random(g + 1)
					for range 120 {
						i := r.below(len(trips))
						p, ok := c.Lookup(trips[i][0], trips[i][1])
						if !ok {
							var err error
							if p, err = c.Request(trips[i][0], trips[i][1], r.below(3) == 0).Result(); err != nil {
								t.Error(err)
								return
							}
						}
						if !slices.Equal(p.Points(), want[i].Points()) || !slices.Equal(p.Zones(), want[i].Zones()) {
							t.Errorf("trip %d: another path", i)
						}
						held[g] = append(held[g], p)
					}
				})
			}
			wg.Wait()
			st := c.Stats()
			if test.options.MaxEntries > 0 && st.Entries > test.options.MaxEntries || test.options.MaxBytes > 0 && st.Bytes > test.options.MaxBytes {
				t.Errorf("bounds %+v, holds %+v", test.options, st)
			}
			if st.Hits+st.Misses+st.Joined != 4*120 || st.Searches != st.Misses || st.Running != 0 || st.Waiting != 0 {
				t.Errorf("of 480 requests: %+v", st)
			}
			if test.name == "roomy" {
				if st.Misses > uint64(len(trips)) || st.Evictions != 0 {
					t.Errorf("%+v", st)
				}
			} else if test.name != "nothing fits" && st.Evictions == 0 {
				t.Errorf("nothing evicted: %+v", st)
			}
			for _, p := range held[0] {
				checkPassages(t, routes.NewRoute(1, 1, p, 3), 8)
			}
		})
	}
}

// All who ask for one path at once share one search and its result.
func TestCacheSearchesOnce(t *testing.T) {
	m := townLike(128)
	c := newCache(t, m, routes.CacheOptions{Searches: 4})
	var wg sync.WaitGroup
	paths := make([]*routes.Path, 50)
	for i := range paths {
		wg.Go(func() {
			p, err := c.Request(routes.Cell{}, routes.Cell{X: 127, Y: 127}, i%2 == 0).Result()
			if err != nil {
				t.Error(err)
			}
			paths[i] = p
		})
	}
	wg.Wait()
	for _, p := range paths {
		if p != paths[0] {
			t.Fatal("two paths")
		}
	}
	if st := c.Stats(); st.Searches != 1 || st.Misses != 1 || st.Hits+st.Joined != 49 {
		t.Errorf("%+v", st)
	}
	if p, err := c.Request(routes.Cell{X: 127, Y: 127}, routes.Cell{}, false).Result(); err != nil || p == paths[0] {
		t.Errorf("the way back: %v, %v", p, err)
	}
	if st := c.Stats(); st.Entries != 2 || st.HitRatio() != float64(st.Hits)/51 {
		t.Errorf("there and back: %+v, hit ratio %v", st, st.HitRatio())
	}
	if (routes.CacheStats{}).HitRatio() != 1 {
		t.Error("hit ratio before the first request")
	}
}

// Requests of active characters don't wait for those of others, with one slot or
// several, and one that waits is moved up when an active character asks as well.
func TestCacheServesActiveFirst(t *testing.T) {
	m := townLike(128)
	for _, searches := range []int{1, 2} {
		c := newCache(t, m, routes.CacheOptions{Searches: searches})
		trips := sampleTrips(m, 1500, 99) // all different, or the last might be done already
		slices.SortFunc(trips, func(a, b [2]routes.Cell) int { return int(m.Width)*int(a[0].Y-b[0].Y) + int(a[0].X-b[0].X) })
		trips = slices.CompactFunc(trips, func(a, b [2]routes.Cell) bool { return a[0] == b[0] })
		var queued []*routes.Search
		for _, trip := range trips {
			queued = append(queued, c.Request(trip[0], trip[1], false))
		}
		if st := c.Stats(); st.Waiting < 1000 {
			t.Fatalf("%d searches: only %d wait", searches, st.Waiting)
		}
		last := len(trips) - 1
		same := c.Request(trips[last][0], trips[last][1], true)
		if same != queued[last] {
			t.Errorf("%d searches: two searches for one path", searches)
		}
		if _, err := same.Result(); err != nil {
			t.Error(err)
		}
		if _, err := c.Request(routes.Cell{}, routes.Cell{X: 127, Y: 127}, true).Result(); err != nil {
			t.Error(err)
		}
		if st := c.Stats(); st.Waiting < 500 {
			t.Errorf("%d searches: %d still wait after the active ones were served", searches, st.Waiting)
		}
		c.Close()
	}
}

// Closing ends what waits, leaves no goroutine (see TestMain), and may be
// repeated.
func TestCacheClose(t *testing.T) {
	m := townLike(128)
	c := newCache(t, m, routes.CacheOptions{Searches: 2})
	kept, err := c.Request(routes.Cell{}, routes.Cell{X: 9, Y: 0}, true).Result()
	if err != nil {
		t.Fatal(err)
	}
	var all []*routes.Search
	for _, trip := range sampleTrips(m, 400, 5) {
		all = append(all, c.Request(trip[0], trip[1], len(all)%5 == 0))
	}
	c.Close()
	closed := 0
	for _, s := range all {
		select {
		case <-s.Done():
		default:
			t.Fatal("still waits after Close")
		}
		p, err := s.Result()
		if (p == nil) == (err == nil) || err != nil && !errors.Is(err, routes.ErrClosed) {
			t.Fatalf("%v, %v", p, err)
		}
		if err != nil {
			closed++
		}
	}
	if closed == 0 {
		t.Error("nothing was cut short")
	}
	if st := c.Stats(); st.Running != 0 || st.Waiting != 0 {
		t.Errorf("%+v", st)
	}
	if p, ok := c.Lookup(routes.Cell{}, routes.Cell{X: 9, Y: 0}); !ok || p != kept {
		t.Error("what was kept is gone")
	}
	if _, err := c.Request(routes.Cell{}, routes.Cell{X: 8, Y: 1}, true).Result(); !errors.Is(err, routes.ErrClosed) {
		t.Errorf("request after Close: %v", err)
	}
	c.Close()
}

// A long search under way stops within a moment, not at its end.
func TestCacheCloseStopsASearch(t *testing.T) {
	m := &routes.Map{Width: 1024, Height: 1024, Cost: routes.DefaultCosts(), Terrain: make([]routes.Terrain, 1024*1024)}
	for i := range m.Terrain {
		m.Terrain[i] = routes.Swamp
	}
	m.Terrain[0] = routes.Road // the estimate is a quarter of the truth: every cell is expanded
	c := newCache(t, m, routes.CacheOptions{Searches: 1})
	s := c.Request(routes.Cell{X: 10, Y: 0}, routes.Cell{X: 1023, Y: 1023}, false)
	for c.Stats().Running == 0 {
		runtime.Gosched()
	}
	c.Close()
	if _, err := s.Result(); !errors.Is(err, routes.ErrClosed) {
		t.Errorf("%v", err)
	}
}

// A search that nobody waits for leaves the queue; one that somebody still waits
// for runs.
func TestCacheAbandon(t *testing.T) {
	m := townLike(128)
	c := newCache(t, m, routes.CacheOptions{Searches: 1})
	for _, trip := range sampleTrips(m, 500, 3) {
		c.Request(trip[0], trip[1], false)
	}
	before := c.Stats()
	a, b := routes.Cell{X: 1, Y: 0}, routes.Cell{X: 120, Y: 1}
	given := c.Request(a, b, false)
	given.Abandon()
	if _, err := given.Result(); !errors.Is(err, routes.ErrAbandoned) {
		t.Fatalf("given up: %v", err)
	}
	shared := c.Request(a, b, false)
	if shared == given || c.Request(a, b, true) != shared {
		t.Fatal("an abandoned search is handed out, or a living one isn't")
	}
	shared.Abandon()
	if p, err := shared.Result(); err != nil || p.From != a {
		t.Fatalf("one of two gave up: %v, %v", p, err)
	}
	shared.Abandon() // the other one, too late to matter
	if _, ok := c.Lookup(a, b); !ok {
		t.Error("not kept")
	}
	c.Request(a, b, false).Abandon() // a hit: nothing to give up
	active := c.Request(b, a, true)
	active.Abandon()
	st := c.Stats()
	if st.Abandoned < 1 || st.Abandoned > 2 || st.Waiting > before.Waiting {
		t.Errorf("before %+v, now %+v", before, st)
	}
}

// The cache works in a bubble of virtual time: its goroutines wait in a way that
// lets the clock advance.
func TestCacheInABubble(t *testing.T) {
	m := townLike(64) // made outside
	synctest.Test(t, func(t *testing.T) {
		c, err := routes.NewCache(m, routes.CacheOptions{Searches: 3})
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		begin := time.Now()
		time.Sleep(time.Hour)
		s := c.Request(routes.Cell{}, routes.Cell{X: 63, Y: 63}, false)
		select {
		case <-s.Done():
		case <-time.After(time.Hour):
			t.Error("no result within an hour")
		}
		if since := time.Since(begin); since != time.Hour {
			t.Errorf("%v passed", since)
		}
		synctest.Wait()
		if st := c.Stats(); st.Searches != 1 || st.Expanded == 0 {
			t.Errorf("%+v", st)
		}
	})
}

func TestCacheRefusesAtOnce(t *testing.T) {
	m := draw(t,
		"..#.",
		"..#.")
	c := newCache(t, m, routes.CacheOptions{})
	for _, test := range []struct {
		from, to routes.Cell
		want     error
	}{
		{routes.Cell{X: -1}, routes.Cell{}, routes.ErrOutside},
		{routes.Cell{}, routes.Cell{X: 2}, routes.ErrBlocked},
		{routes.Cell{}, routes.Cell{X: 3}, routes.ErrUnreachable},
	} {
		s := c.Request(test.from, test.to, false)
		select {
		case <-s.Done():
		default:
			t.Errorf("%v to %v: not done at once", test.from, test.to)
		}
		if _, err := s.Result(); !errors.Is(err, test.want) {
			t.Errorf("%v to %v: %v, want %v", test.from, test.to, err, test.want)
		}
		s.Abandon()
		if _, ok := c.Lookup(test.from, test.to); ok {
			t.Errorf("%v to %v is in the cache", test.from, test.to)
		}
	}
	if st := c.Stats(); st.Refused != 3 || st.Misses != 0 {
		t.Errorf("%+v", st)
	}
}

func TestCacheOptions(t *testing.T) {
	m := draw(t, "..")
	for _, test := range []struct {
		options routes.CacheOptions
		want    string
	}{
		{routes.CacheOptions{MaxEntries: -1}, "routes: cache MaxEntries -1: must be 0 or more"},
		{routes.CacheOptions{MaxBytes: -1}, "routes: cache MaxBytes -1: must be 0 or more"},
		{routes.CacheOptions{Searches: 257}, "routes: cache Searches 257: must be 0..256"},
		{routes.CacheOptions{Searches: -1}, "routes: cache Searches -1: must be 0..256"},
		{routes.CacheOptions{ZoneSide: -4}, "routes: zone side -4: must be 1..1048576 cells"},
	} {
		if _, err := routes.NewCache(m, test.options); err == nil || err.Error() != test.want {
			t.Errorf("%+v: %v, want %s", test.options, err, test.want)
		}
	}
	if err := (routes.CacheOptions{MaxEntries: 3, MaxBytes: math.MaxInt64, Searches: 2, ZoneSide: 1}).Validate(); err != nil {
		t.Error(err)
	}
	if _, err := routes.NewCache(&routes.Map{}, routes.CacheOptions{}); err == nil {
		t.Error("a cache for no map")
	}
}

func TestCacheHitAllocatesNothing(t *testing.T) {
	m := townLike(64)
	c := newCache(t, m, routes.CacheOptions{})
	to := routes.Cell{X: 63, Y: 63}
	if _, err := c.Request(routes.Cell{}, to, false).Result(); err != nil {
		t.Fatal(err)
	}
	if n := testing.AllocsPerRun(100, func() { c.Lookup(routes.Cell{}, to) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
