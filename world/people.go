package world

import (
	"cmp"
	"slices"
	"sync"
	"sync/atomic"

	"chronoscope/coordinator"
	"chronoscope/loop"
)

// peopleShards is the number of parts the population is divided into, by spawn
// number: each has a lock, a list and a digest of its own.
const peopleShards = 64

// slotsPerBlock is how many slots are made at once.
const slotsPerBlock = 4096

// people finds characters by id and by spawn number, and keeps those that have
// ended until nobody asks for them.
type people struct {
	blocks atomic.Pointer[[]*[slotsPerBlock]slot] // grows by replacement

	mu   sync.Mutex // the slots
	used uint32
	free []uint32

	shards [peopleShards]peopleShard
}

// slot is a place for a character; its generation grows with each that has it.
type slot struct {
	character  atomic.Pointer[character]
	generation uint32 // guarded by people.mu
}

type peopleShard struct {
	mu   sync.Mutex
	list []*character // ascending by spawn number, ended ones among them
	// gone counts those in list that have ended.
	gone int
}

// claim gives out a slot: the id of a character to come.
func (p *people) claim() coordinator.ObjectID {
	p.mu.Lock()
	defer p.mu.Unlock()
	var n uint32
	if k := len(p.free); k > 0 {
		n = p.free[k-1]
		p.free = p.free[:k-1]
	} else {
		n = p.used
		p.used++
		if n%slotsPerBlock == 0 {
			p.growLocked()
		}
	}
	s := p.slot(n)
	s.generation++
	return coordinator.MakeObjectID(n, s.generation)
}

// add makes c, whose slot is claimed, known to everyone. Spawn numbers must
// ascend.
func (p *people) add(c *character) {
	p.slot(c.id.Slot()).character.Store(c)
	sh := &p.shards[c.spawn%peopleShards]
	sh.mu.Lock()
	sh.list = append(sh.list, c)
	sh.mu.Unlock()
}

func (p *people) growLocked() {
	var blocks []*[slotsPerBlock]slot
	if b := p.blocks.Load(); b != nil {
		blocks = slices.Clone(*b)
	}
	blocks = append(blocks, new([slotsPerBlock]slot))
	p.blocks.Store(&blocks)
}

func (p *people) slot(n uint32) *slot {
	b := p.blocks.Load()
	if b == nil || int(n/slotsPerBlock) >= len(*b) {
		return nil
	}
	return &(*b)[n/slotsPerBlock][n%slotsPerBlock]
}

// find gives the living character with an id, nil when it has ended: its slot
// may be another's by now.
func (p *people) find(id coordinator.ObjectID) *character {
	s := p.slot(id.Slot())
	if s == nil {
		return nil
	}
	if c := s.character.Load(); c != nil && c.id == id {
		return c
	}
	return nil
}

// bySpawn gives the character with a spawn number, ended or not, while it is
// remembered.
func (p *people) bySpawn(spawn uint64) *character {
	sh := &p.shards[spawn%peopleShards]
	sh.mu.Lock()
	defer sh.mu.Unlock()
	i, ok := slices.BinarySearchFunc(sh.list, spawn, func(c *character, s uint64) int { return cmp.Compare(c.spawn, s) })
	if !ok {
		return nil
	}
	return sh.list[i]
}

// end frees the slot of a character that has ended. A slot whose generations
// are used up is retired. Its record stays until nobody asks for ticks before
// its end any more; up to past that is so now, 0 for none.
func (p *people) end(c *character, past loop.Tick) {
	p.mu.Lock()
	n := c.id.Slot()
	s := p.slot(n)
	s.character.Store(nil)
	if s.generation != 1<<32-1 {
		p.free = append(p.free, n)
	}
	p.mu.Unlock()

	sh := &p.shards[c.spawn%peopleShards]
	sh.mu.Lock()
	sh.gone++
	if past > 0 {
		sh.forgetLocked(past)
	}
	sh.mu.Unlock()
}

// forget drops those that ended at or before t, up to which all digests are
// taken.
func (p *people) forget(t loop.Tick) {
	for i := range p.shards {
		sh := &p.shards[i]
		sh.mu.Lock()
		sh.forgetLocked(t)
		sh.mu.Unlock()
	}
}

// forgetLocked waits until they make up a good part of the shard: dropping
// takes a walk through it.
func (sh *peopleShard) forgetLocked(t loop.Tick) {
	if sh.gone <= len(sh.list)/4 {
		return
	}
	before := len(sh.list)
	sh.list = slices.DeleteFunc(sh.list, func(c *character) bool { return loop.Tick(c.ended.Load()) <= t })
	sh.gone -= before - len(sh.list)
}

// each calls f for every character that is remembered, shard by shard in
// ascending spawn numbers within a shard, under the shard's lock: f must be
// short.
func (p *people) each(f func(*character)) {
	for i := range p.shards {
		p.eachIn(i, f)
	}
}

func (p *people) eachIn(shard int, f func(*character)) {
	sh := &p.shards[shard]
	sh.mu.Lock()
	defer sh.mu.Unlock()
	for _, c := range sh.list {
		f(c)
	}
}
