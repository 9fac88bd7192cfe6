package coordinator

import (
	"sync"
	"sync/atomic"
	"time"

	"chronoscope/loop"
)

const (
	// shardCount is the number of parts of the member set, each with a waker:
	// with 16 a release costs 16 rings instead of one per member, and 10,000
	// members are rung by both cores at once.
	shardCount = 16

	// A shard's word is tick << countBits | count. 22 bits hold 4 million
	// members a shard; the 42 that are left hold MaxLastTick.
	countBits = 22
	countMask = 1<<countBits - 1
)

// MaxLastTick is the last tick that can be released: 2^42-1, some 580 years at
// 240 ticks a second.
const MaxLastTick = loop.Tick(1<<(64-countBits) - 1)

// memberSet knows every participant, and for each shard how many members have
// not completed the released tick. That number and the tick it refers to share
// one atomic word, so a member that completes a tick while the next one is
// being released is never counted for the wrong one.
type memberSet struct {
	shards [shardCount]shard
	count  atomic.Int64
}

type shard struct {
	word atomic.Uint64
	_    [56]byte // the word is written at every tick of every member

	mu      sync.Mutex
	members []*Progress     // guarded by mu, and so is each one's index
	bells   []chan struct{} // guarded by mu: members[i].bell
	_       [8]byte

	wake    chan struct{}   // 1 slot; rung to have the bells rung
	ringing []chan struct{} // scratch of the waker
	_       [32]byte
}

func word(t loop.Tick, count int) uint64 { return uint64(t)<<countBits | uint64(count) }

func wordTick(w uint64) loop.Tick { return loop.Tick(w >> countBits) }

func (m *memberSet) init() {
	for i := range m.shards {
		m.shards[i].wake = make(chan struct{}, 1)
	}
}

// of picks the shard: a slot has its shard, whatever its generation.
func (m *memberSet) of(p *Progress) uint8 {
	return uint8((p.object.Slot() + uint32(p.kind)) % shardCount)
}

// join adds p, which stands at its completed tick.
func (m *memberSet) join(p *Progress) {
	p.shard = m.of(p)
	s := &m.shards[p.shard]
	s.mu.Lock()
	p.index = int32(len(s.members))
	s.members = append(s.members, p)
	s.bells = append(s.bells, p.bell)
	for {
		w := s.word.Load()
		if p.Completed() >= wordTick(w) || s.word.CompareAndSwap(w, w+1) {
			break
		}
	}
	s.mu.Unlock()
	m.count.Add(1)
}

// leave removes p and says whether its shard has nobody to wait for any more
// because of it.
func (m *memberSet) leave(p *Progress) (last bool) {
	s := &m.shards[p.shard]
	s.mu.Lock()
	end := len(s.members) - 1
	moved := s.members[end]
	s.members[p.index], s.bells[p.index] = moved, s.bells[end]
	moved.index = p.index
	s.members[end], s.bells[end] = nil, nil
	s.members, s.bells = s.members[:end], s.bells[:end]
	last = s.done(p.Completed(), loop.MaxTick)
	s.mu.Unlock()
	m.count.Add(-1)
	return last
}

// complete counts a member that went from tick before to tick now, and says
// whether it was the last one of its shard.
func (m *memberSet) complete(p *Progress, before, now loop.Tick) (last bool) {
	return m.shards[p.shard].done(before, now)
}

// done takes one off the count if the released tick lies in (before, now].
func (s *shard) done(before, now loop.Tick) (last bool) {
	for {
		w := s.word.Load()
		if t := wordTick(w); before >= t || now < t {
			return false
		}
		if s.word.CompareAndSwap(w, w-1) {
			return w&countMask == 1
		}
	}
}

// open begins tick t: nobody has completed it. It is called before t can be
// seen by members, so nobody is counted early.
func (m *memberSet) open(t loop.Tick) {
	for i := range m.shards {
		s := &m.shards[i]
		s.mu.Lock()
		s.word.Store(word(t, len(s.members)))
		s.mu.Unlock()
	}
}

// allDone says whether there are members, and every one has completed t, the
// released tick. Of several shards' last finishers at once, at least one sees
// it so.
func (m *memberSet) allDone(t loop.Tick) bool {
	if m.count.Load() == 0 {
		return false
	}
	for i := range m.shards {
		if m.shards[i].word.Load() != word(t, 0) {
			return false
		}
	}
	return true
}

// incomplete counts the members that have not completed the released tick.
func (m *memberSet) incomplete() (n int) {
	for i := range m.shards {
		n += int(m.shards[i].word.Load() & countMask)
	}
	return n
}

// ring has every member's bell rung, by the wakers.
func (m *memberSet) ring() {
	for i := range m.shards {
		ring(m.shards[i].wake)
	}
}

// ringMembers rings the bell of each member. The list is copied, so that no
// lock is held while sending; whoever leaves meanwhile may be rung for nothing.
func (s *shard) ringMembers() {
	s.mu.Lock()
	s.ringing = append(s.ringing[:0], s.bells...)
	s.mu.Unlock()
	for _, b := range s.ringing {
		ring(b)
	}
}

// ring puts a token into a 1-slot channel unless there is one.
func ring(bell chan struct{}) {
	select {
	case bell <- struct{}{}:
	default:
	}
}

// askBehind marks the members that are more than threshold ticks behind global
// and haven't asked for the brake as asking for it, and appends a request for
// each. That is done under the shard's lock: meanwhile nobody leaves, to come
// back with another tick or as somebody else. Shards in which everyone has
// completed global are passed over.
func (m *memberSet) askBehind(global, threshold loop.Tick, at time.Duration, dst []request) []request {
	for i := range m.shards {
		s := &m.shards[i]
		if s.word.Load()&countMask == 0 {
			continue
		}
		s.mu.Lock()
		for _, p := range s.members {
			if p.Completed()+threshold >= global {
				continue
			}
			// It may be asking itself at this moment: one of us does.
			if generation, ok := p.ask(); ok {
				dst = append(dst, request{kind: requestBrake, generation: generation, participant: participant{p, p.ID()}, at: at})
			}
		}
		s.mu.Unlock()
	}
	return dst
}
