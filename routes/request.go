package routes

// Search is a request for a path, shared by all who ask for the same one while
// it is under way.
type Search struct {
	cache    *Cache // nil when it was settled at once
	key      cacheKey
	from, to Cell
	done     chan struct{}
	path     *Path // like err, written before done is closed
	err      error

	// Guarded by the cache's mutex.
	asked      int // how many wait for it
	active     bool
	running    bool // out of the queue
	prev, next *Search
}

// Done is closed when the result is there.
func (s *Search) Done() <-chan struct{} { return s.done }

// Result waits for the path. Errors: ErrOutside, ErrBlocked, ErrUnreachable;
// ErrClosed when the cache was closed before; ErrAbandoned when all gave it up.
func (s *Search) Result() (*Path, error) {
	<-s.done
	return s.path, s.err
}

// Abandon takes back one Request: its caller won't wait any longer. A search that
// nobody waits for is taken out of the queue; one that runs goes on, and its path
// is kept for others. Each caller of Request calls it at most once.
func (s *Search) Abandon() {
	c := s.cache
	if c == nil {
		return
	}
	c.mu.Lock()
	s.asked--
	drop := s.asked == 0 && !s.running
	if drop {
		if s.active {
			c.active.remove(s)
		} else {
			c.others.remove(s)
		}
		s.running = true
		delete(c.pending, s.key)
		c.stats.Waiting--
		c.stats.Abandoned++
	}
	c.mu.Unlock()
	if drop {
		s.finish(nil, ErrAbandoned)
	}
}

// finish publishes the result. It is called once, by whoever took the search out
// of the queue.
func (s *Search) finish(p *Path, err error) {
	s.path, s.err = p, err
	close(s.done)
}

// searchQueue is a first-in, first-out list of searches, linked through them, so
// that one can leave from the middle.
type searchQueue struct{ first, last *Search }

func (q *searchQueue) add(s *Search) {
	s.prev, s.next = q.last, nil
	if q.last == nil {
		q.first = s
	} else {
		q.last.next = s
	}
	q.last = s
}

func (q *searchQueue) remove(s *Search) {
	if s.prev == nil {
		q.first = s.next
	} else {
		s.prev.next = s.next
	}
	if s.next == nil {
		q.last = s.prev
	} else {
		s.next.prev = s.prev
	}
	s.prev, s.next = nil, nil
}

// take removes the first, nil when there is none.
func (q *searchQueue) take() *Search {
	s := q.first
	if s != nil {
		q.remove(s)
	}
	return s
}
