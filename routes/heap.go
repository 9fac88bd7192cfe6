package routes

// visit is a cell that waits to be expanded.
type visit struct {
	f, g uint64 // estimate of the whole, and cost so far
	cell int32
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

// visitHeap is a heap with four children a node: half as deep as a binary one,
// and the children of a node lie in two cache lines.
type visitHeap []visit

func (h *visitHeap) push(v visit) {
	s := append(*h, v)
	i := len(s) - 1
	for i > 0 {
		up := (i - 1) / 4
		if !v.before(&s[up]) {
			break
		}
		s[i] = s[up]
		i = up
	}
	s[i] = v
	*h = s
}

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
		first := 4*i + 1
		if first >= n {
			break
		}
		least := first
		for c := first + 1; c < min(first+4, n); c++ {
			if s[c].before(&s[least]) {
				least = c
			}
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
