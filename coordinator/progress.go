package coordinator

import (
	"fmt"
	"sync/atomic"

	"chronoscope/loop"
)

// Progress is what a participant lets the coordinator see of itself: who it
// is, and the last tick it has wholly done. It has a stable address from Init
// on and is never copied (go vet says so). It takes 40 bytes, since a sleeping
// character carries one too.
//
// Init, Publish, and the coordinator's Join, Complete, Leave, RequestBrake and
// Await are for the owner's goroutine alone; the getters are for anyone.
type Progress struct {
	object    ObjectID
	bell      chan struct{}
	completed atomic.Uint64
	// state: participant generation << 32 | flags. The owner joins and leaves;
	// askedFlag is set by the owner as it sends a brake request and cleared by
	// the coordinator once nothing of that request is left.
	state atomic.Uint64
	index int32 // place in the shard's list; guarded by the shard's mutex
	shard uint8 // set by Join
	kind  Kind
}

const (
	joinedFlag = 1 << iota
	askedFlag

	generationShift = 32
)

// Init names the participant and gives it the signal channel of its owner:
// capacity 1, rung without blocking, never closed. The completed tick becomes
// 0. A Progress may be used again for another participant once it has left;
// its participant generation goes on counting.
func (p *Progress) Init(id ParticipantID, bell chan struct{}) {
	if p.Joined() {
		panic(fmt.Sprintf("coordinator: Init of %v, which is joined", p.ID()))
	}
	if cap(bell) != 1 {
		panic(fmt.Sprintf("coordinator: the bell of %v has capacity %d, want 1", id, cap(bell)))
	}
	p.object, p.kind, p.bell = id.Object, id.Kind, bell
	p.completed.Store(0)
}

// ID is what Init was given.
func (p *Progress) ID() ParticipantID { return ParticipantID{p.kind, p.object} }

// Generation counts the joins so far. It has nothing to do with the object's
// generation: a character joins each time it becomes active.
func (p *Progress) Generation() uint32 { return uint32(p.state.Load() >> generationShift) }

// Completed is the last tick that is wholly done.
func (p *Progress) Completed() loop.Tick { return loop.Tick(p.completed.Load()) }

// Joined says whether the participant is a member now.
func (p *Progress) Joined() bool { return p.state.Load()&joinedFlag != 0 }

// Publish says "I stand at t" from outside the member set: when waking up,
// before Join, and when falling asleep, after Leave. Ticks slept through are
// not run, so t may jump. A member's ticks are published by Complete alone.
func (p *Progress) Publish(t loop.Tick) {
	if p.Joined() {
		panic(fmt.Sprintf("coordinator: Publish(%d) by %v, which is joined", t, p.ID()))
	}
	p.completed.Store(uint64(t))
}

// ask marks that a brake request of this generation is under way. It says no
// when one is already, or when p is no member.
func (p *Progress) ask() (generation uint32, ok bool) {
	for {
		s := p.state.Load()
		if s&joinedFlag == 0 || s&askedFlag != 0 {
			return 0, false
		}
		if p.state.CompareAndSwap(s, s|askedFlag) {
			return uint32(s >> generationShift), true
		}
	}
}

// answered clears the mark again, unless p belongs to a later generation by now.
func (p *Progress) answered(generation uint32) {
	for {
		s := p.state.Load()
		if uint32(s>>generationShift) != generation || s&askedFlag == 0 {
			return
		}
		if p.state.CompareAndSwap(s, s&^askedFlag) {
			return
		}
	}
}

// current says whether p is still the member that generation meant.
func (p *Progress) current(generation uint32) bool {
	s := p.state.Load()
	return uint32(s>>generationShift) == generation && s&joinedFlag != 0
}

// joins starts a new generation.
func (p *Progress) joins() {
	if s := p.state.Load(); s&joinedFlag == 0 {
		p.state.Store((s>>generationShift+1)<<generationShift | joinedFlag)
		return
	}
	panic(fmt.Sprintf("coordinator: Join of %v, which is joined", p.ID()))
}

// leaves ends the generation and says whether it may have left a request or a
// laggard behind.
func (p *Progress) leaves() (generation uint32, asked bool) {
	for {
		s := p.state.Load()
		if s&joinedFlag == 0 {
			panic(fmt.Sprintf("coordinator: Leave of %v, which is not joined", p.ID()))
		}
		if p.state.CompareAndSwap(s, s&^(joinedFlag|askedFlag)) {
			return uint32(s >> generationShift), s&askedFlag != 0
		}
	}
}
