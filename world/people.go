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

// add gives c a slot and puts it into its shard. Spawn numbers must ascend.
func (p *people) add(c *character) coordinator.ObjectID {
	p.mu.Lock()
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
	id := coordinator.MakeObjectID(n, s.generation)
	s.character.Store(c)
	p.mu.Unlock()

	sh := &p.shards[c.spawn%peopleShards]
	sh.mu.Lock()
	sh.list = append(sh.list, c)
	sh.mu.Unlock()
	return id
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
// are used up is retired.
func (p *people) end(c *character) {
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
	sh.mu.Unlock()
}

// forget drops those that ended at or before floor, the next digest tick, once
// they make up a good part of a shard.
func (p *people) forget(floor loop.Tick) {
	for i := range p.shards {
		sh := &p.shards[i]
		sh.mu.Lock()
		if sh.gone > len(sh.list)/4 {
			before := len(sh.list)
			sh.list = slices.DeleteFunc(sh.list, func(c *character) bool {
				return loop.Tick(c.ended.Load()) <= floor
			})
			sh.gone -= before - len(sh.list)
		}
		sh.mu.Unlock()
	}
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
