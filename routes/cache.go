package routes

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"
)

// ErrClosed is the result of searches that a Close cut short.
var ErrClosed = errors.New("routes: path cache closed")

// ErrAbandoned is the result of a search that all who waited for it gave up
// before it began.
var ErrAbandoned = errors.New("routes: search abandoned")

// DefaultCacheBytes is the bound of a cache that names none: 64 MiB, some 30,000
// ways across a town.
const DefaultCacheBytes = 64 << 20

// maxSearches bounds the search goroutines: each may hold 16 bytes of working
// memory per cell of the map.
const maxSearches = 256

// CacheOptions says how a Cache is built. The zero value is usable.
type CacheOptions struct {
	// MaxEntries bounds the number of paths kept. More saves searches. 0: only
	// MaxBytes bounds.
	MaxEntries int
	// MaxBytes bounds the memory of the paths kept, passages included. 0:
	// DefaultCacheBytes.
	MaxBytes int64
	// Searches is the number of searches that may run at once, 1..256, each with
	// a goroutine and working memory of 16 bytes a cell. 0: GOMAXPROCS.
	Searches int
	// ZoneSide is the zones' side in cells. 0: DefaultZoneSide.
	ZoneSide int32
}

// Validate says whether every field is in its range.
func (o CacheOptions) Validate() error {
	switch {
	case o.MaxEntries < 0:
		return fmt.Errorf("routes: cache MaxEntries %d: must be 0 or more", o.MaxEntries)
	case o.MaxBytes < 0:
		return fmt.Errorf("routes: cache MaxBytes %d: must be 0 or more", o.MaxBytes)
	case o.Searches < 0 || o.Searches > maxSearches:
		return fmt.Errorf("routes: cache Searches %d: must be 0..%d", o.Searches, maxSearches)
	case o.ZoneSide != 0:
		return checkSide(o.ZoneSide)
	}
	return nil
}

// Cache keeps paths by their ends, within bounds, and has missing ones searched
// by its own goroutines. What it answers doesn't depend on its size: a path is a
// pure function of (map, from, to), and one that is dropped stays usable for the
// legs that hold it.
type Cache struct {
	m       *Map
	options CacheOptions
	settled chan struct{} // closed: the Done of searches that never had to run
	stop    atomic.Bool   // looked at by running searches
	workers sync.WaitGroup

	mu      sync.Mutex
	kept    map[cacheKey]int // where in ring
	ring    []cacheEntry     // the clock's dial; entries without a path are free
	free    []int
	hand    int
	pending map[cacheKey]*Search // queued or running
	active  searchQueue          // requests of active characters
	others  searchQueue
	anyone  sync.Cond // for goroutines that search for all
	keeper  sync.Cond // for the one that is kept for active characters
	idle    bool      // the kept one waits, and nobody has signalled it
	closed  bool
	stats   CacheStats
}

type cacheKey struct{ from, to int32 }

// cacheEntry is a path on the dial. used is set by every hit; the hand clears it
// and drops a path that it finds unused.
type cacheEntry struct {
	key   cacheKey
	path  *Path
	bytes int64
	used  bool
}

// entryBytes is what an entry of the dial and of the map occupies.
const entryBytes = int64(unsafe.Sizeof(cacheEntry{})) + 32

// CacheStats are counters since the cache was made and levels of now.
type CacheStats struct {
	Hits      uint64 // answered from the cache
	Misses    uint64 // had to be searched for
	Joined    uint64 // met a search under way for the same path
	Refused   uint64 // no such way, said at once
	Searches  uint64 // searches that found their path
	Evictions uint64 // paths dropped for room
	Abandoned uint64 // searches given up before they began
	Expanded  uint64 // cells expanded by all searches
	Entries   int    // paths kept
	Bytes     int64  // memory of the paths kept
	Running   int    // searches running now
	Waiting   int    // searches queued now
}

// HitRatio is hits / all requests for existing ways, 1 before the first.
func (s CacheStats) HitRatio() float64 {
	if s.Hits+s.Misses+s.Joined == 0 {
		return 1
	}
	return float64(s.Hits) / float64(s.Hits+s.Misses+s.Joined)
}

// NewCache makes a cache for m and starts its search goroutines.
func NewCache(m *Map, options CacheOptions) (*Cache, error) {
	if err := m.Validate(); err != nil {
		return nil, err
	}
	if err := options.Validate(); err != nil {
		return nil, err
	}
	if options.MaxBytes == 0 {
		options.MaxBytes = DefaultCacheBytes
	}
	if options.Searches == 0 {
		options.Searches = min(runtime.GOMAXPROCS(0), maxSearches)
	}
	if options.ZoneSide == 0 {
		options.ZoneSide = DefaultZoneSide
	}
	c := &Cache{
		m: m, options: options,
		settled: make(chan struct{}),
		kept:    make(map[cacheKey]int),
		pending: make(map[cacheKey]*Search),
	}
	close(c.settled)
	c.anyone.L, c.keeper.L = &c.mu, &c.mu
	m.ground() // here, so that the searches share it
	for i := range options.Searches {
		// One is kept for active characters. Of a single one nothing can be set
		// aside: it serves them first, so they wait for one other search at most.
		kept := i == 0 && options.Searches > 1
		c.workers.Go(func() { c.work(kept) })
	}
	return c, nil
}

// Close ends the cache: running searches stop, queued ones are dropped, all with
// ErrClosed. When it returns the search goroutines are gone. Paths handed out,
// Lookup and Stats stay usable; Request answers ErrClosed for what isn't kept.
func (c *Cache) Close() {
	c.stop.Store(true)
	c.mu.Lock()
	c.closed = true
	var dropped []*Search
	for _, queue := range [2]*searchQueue{&c.active, &c.others} {
		for s := queue.take(); s != nil; s = queue.take() {
			delete(c.pending, s.key)
			s.running = true
			dropped = append(dropped, s)
		}
	}
	c.stats.Waiting = 0
	c.anyone.Broadcast()
	c.keeper.Broadcast()
	c.mu.Unlock()
	for _, s := range dropped {
		s.finish(nil, ErrClosed)
	}
	c.workers.Wait()
}

// Lookup gives the path if the cache has it. Only a hit is counted: a caller
// that then asks by Request is counted there.
func (c *Cache) Lookup(from, to Cell) (*Path, bool) {
	if !c.m.In(from) || !c.m.In(to) {
		return nil, false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	p := c.hitLocked(cacheKey{c.m.index(from), c.m.index(to)})
	return p, p != nil
}

func (c *Cache) hitLocked(key cacheKey) *Path {
	i, ok := c.kept[key]
	if !ok {
		return nil
	}
	c.ring[i].used = true
	c.stats.Hits++
	return c.ring[i].path
}

// Request asks for a path and never waits. What is known, or known not to exist
// (ErrOutside, ErrBlocked, ErrUnreachable), is there at once; otherwise one search
// serves all who ask for the same path while it is under way. active puts it
// before all requests that aren't, also when it already waits among them.
//
// A search waits in memory until it runs or everybody who asked for it has called
// Abandon; so the queue is as long as there are characters waiting.
func (c *Cache) Request(from, to Cell, active bool) *Search {
	if err := c.m.Reachable(from, to); err != nil {
		c.mu.Lock()
		c.stats.Refused++
		c.mu.Unlock()
		return &Search{done: c.settled, err: err}
	}
	key := cacheKey{c.m.index(from), c.m.index(to)}
	c.mu.Lock()
	defer c.mu.Unlock()
	if p := c.hitLocked(key); p != nil {
		return &Search{done: c.settled, path: p}
	}
	if c.closed {
		return &Search{done: c.settled, err: ErrClosed}
	}
	s := c.pending[key]
	if s != nil {
		c.stats.Joined++
		s.asked++
		if !active || s.active || s.running {
			return s
		}
		c.others.remove(s)
	} else {
		c.stats.Misses++
		c.stats.Waiting++
		s = &Search{cache: c, key: key, from: from, to: to, asked: 1, done: make(chan struct{})}
		c.pending[key] = s
	}
	s.active = active
	switch {
	case !active:
		c.others.add(s)
		c.anyone.Signal()
	case c.idle:
		c.active.add(s)
		c.idle = false
		c.keeper.Signal()
	default:
		c.active.add(s)
		c.anyone.Signal()
	}
	return s
}

// Stats returns the counters. It costs one lock, whatever the size.
func (c *Cache) Stats() CacheStats {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.stats
	s.Entries = len(c.kept)
	return s
}

// work is a search goroutine: one slot. kept serves active characters only.
func (c *Cache) work(kept bool) {
	searcher := NewSearcher(c.m)
	searcher.Side = c.options.ZoneSide
	searcher.stop = &c.stop
	for {
		s := c.next(kept)
		if s == nil {
			return
		}
		p, err := searcher.Find(s.from, s.to)
		c.mu.Lock()
		delete(c.pending, s.key)
		c.stats.Running--
		c.stats.Expanded += uint64(searcher.expanded)
		if err == nil {
			c.stats.Searches++
			c.keepLocked(s.key, p)
		}
		c.mu.Unlock()
		s.finish(p, err)
	}
}

// next waits for a search to run; nil when the cache is closed.
func (c *Cache) next(kept bool) *Search {
	c.mu.Lock()
	defer c.mu.Unlock()
	for !c.closed {
		s := c.active.take()
		if s == nil && !kept {
			s = c.others.take()
		}
		if s != nil {
			s.running = true
			c.stats.Waiting--
			c.stats.Running++
			return s
		}
		if kept {
			c.idle = true
			c.keeper.Wait()
		} else {
			c.anyone.Wait()
		}
	}
	return nil
}

// keepLocked puts a path on the dial, after making room. A path that is larger
// than the whole bound isn't kept.
func (c *Cache) keepLocked(key cacheKey, p *Path) {
	bytes := int64(p.Bytes()) + entryBytes
	if bytes > c.options.MaxBytes {
		return
	}
	for c.stats.Bytes+bytes > c.options.MaxBytes || c.options.MaxEntries > 0 && len(c.kept) >= c.options.MaxEntries {
		c.evictLocked()
	}
	e := cacheEntry{key: key, path: p, bytes: bytes}
	i := len(c.ring)
	if n := len(c.free); n > 0 {
		i = c.free[n-1]
		c.free = c.free[:n-1]
		c.ring[i] = e
	} else {
		c.ring = append(c.ring, e)
	}
	c.kept[key] = i
	c.stats.Bytes += bytes
}

// evictLocked drops one path that wasn't used since the hand last passed it.
func (c *Cache) evictLocked() {
	for {
		if c.hand++; c.hand >= len(c.ring) {
			c.hand = 0
		}
		e := &c.ring[c.hand]
		if e.path == nil {
			continue
		}
		if e.used {
			e.used = false
			continue
		}
		delete(c.kept, e.key)
		c.stats.Bytes -= e.bytes
		c.stats.Evictions++
		c.free = append(c.free, c.hand)
		*e = cacheEntry{}
		return
	}
}
