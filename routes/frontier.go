package routes

// visit is a cell that waits to be expanded.
type visit struct {
	f, g uint64 // estimate of the whole, and cost so far
	cell int32
	next int32 // in the frontier's pool: the next of its bucket
}

// before is the order of expansion: the lower estimate, then the one that has
// come further, then the lower cell. No two waiting visits are equal in it.
func (a *visit) before(b *visit) bool {
	if a.f != b.f {
		return a.f < b.f
	}
	if a.g != b.g {
		return a.g > b.g
	}
	return a.cell < b.cell
}

// frontier is the priority queue of a search whose estimates never fall: visits
// wait unsorted in buckets by f, and only those of the lowest bucket are in a
// heap. The order in which they leave is exactly that of before; with a
// single heap a search across a town takes twice as long, most of it in mispredicted
// branches.
//
// The buckets are a ring: what waits is never further above the visit just taken
// than one step can raise f. They are lists in one pool, so that the memory is that
// of the most visits that ever waited at once, not of the fullest state of each
// bucket.
type frontier struct {
	heap    visitHeap
	pool    []visit // [0] is unused: 0 ends a list
	free    int32   // list of unused places in the pool
	buckets []int32 // a power of two of them: the first of each list
	now     uint64  // number of the lowest bucket: its f without the lower bits
	waiting int     // visits in buckets, the heap's not counted
}

// bucketBits makes buckets 1/256 of a plain cell wide: a few visits each on a town
// of 256 x 256. From 1/64 to 1/512 the time hardly changes.
const bucketBits = CostBits - 8

// newFrontier makes a queue for steps that raise f by at most rise.
func newFrontier(rise uint64) frontier {
	n := uint64(2)
	for n < rise>>bucketBits+2 {
		n *= 2
	}
	return frontier{buckets: make([]int32, n), pool: make([]visit, 1)}
}

// reset empties the queue and puts the first visit in.
func (q *frontier) reset(v visit) {
	clear(q.buckets)
	q.pool, q.free = q.pool[:1], 0
	q.heap = append(q.heap[:0], v)
	q.now, q.waiting = v.f>>bucketBits, 0
}

// push adds a visit whose f is not below that of the last one taken.
func (q *frontier) push(v visit) {
	b := v.f >> bucketBits
	if b == q.now {
		q.heap.push(v)
		return
	}
	first := &q.buckets[b&uint64(len(q.buckets)-1)]
	v.next = *first
	at := q.free
	if at != 0 {
		q.free = q.pool[at].next
		q.pool[at] = v
	} else {
		at = int32(len(q.pool))
		q.pool = append(q.pool, v)
	}
	*first = at
	q.waiting++
}

// pop takes the first visit; false when none waits. Visits that a cheaper one to
// the same cell has made needless, two in five on a town, mostly don't get as far as
// the heap.
func (q *frontier) pop(nodes []node) (visit, bool) {
	for len(q.heap) == 0 {
		if q.waiting == 0 {
			return visit{}, false
		}
		q.now++
		first := &q.buckets[q.now&uint64(len(q.buckets)-1)]
		for at := *first; at != 0; {
			v := &q.pool[at]
			if v.g == nodes[v.cell].cost {
				q.heap.push(*v)
			}
			next := v.next
			v.next, q.free = q.free, at
			at = next
			q.waiting--
		}
		*first = 0
	}
	return q.heap.pop(), true
}

// visitHeap is a binary heap.
type visitHeap []visit

func (h *visitHeap) push(v visit) {
	s := append(*h, v)
	i := len(s) - 1
	for i > 0 {
		up := (i - 1) / 2
		if !v.before(&s[up]) {
			break
		}
		s[i] = s[up]
		i = up
	}
	s[i] = v
	*h = s
}

// pop takes the first of a heap that isn't empty.
func (h *visitHeap) pop() visit {
	s := *h
	top := s[0]
	n := len(s) - 1
	v := s[n]
	s = s[:n]
	*h = s
	if n == 0 {
		return top
	}
	i := 0
	for {
		least := 2*i + 1
		if least >= n {
			break
		}
		if r := least + 1; r < n && s[r].before(&s[least]) {
			least = r
		}
		if !s[least].before(&v) {
			break
		}
		s[i] = s[least]
		i = least
	}
	s[i] = v
	return top
}
