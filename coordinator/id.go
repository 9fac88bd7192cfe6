package coordinator

import "fmt"

// An ObjectID names one life of a slot: slot in the low 32 bits, generation in
// the high 32. Generation 0 is invalid, so the zero ObjectID names nothing. A
// slot that is used again gets a new generation; whoever hands out slots
// retires one before its generation wraps.
type ObjectID uint64

// MakeObjectID puts an id together. A generation of 0 gives an invalid id.
func MakeObjectID(slot, generation uint32) ObjectID {
	return ObjectID(generation)<<32 | ObjectID(slot)
}

// Slot is the place in its owner's table, used again after an end.
func (id ObjectID) Slot() uint32 { return uint32(id) }

// Generation counts the lives of the slot, from 1; 0 for an invalid id.
func (id ObjectID) Generation() uint32 { return uint32(id >> 32) }

// Valid says whether the id can name something.
func (id ObjectID) Valid() bool { return id.Generation() != 0 }

// String reads "slot.generation", or "none" for an invalid id.
func (id ObjectID) String() string {
	if !id.Valid() {
		return "none"
	}
	return fmt.Sprintf("%d.%d", id.Slot(), id.Generation())
}

// Kind says what a participant is, so that a system participant never collides
// with a character.
type Kind uint8

// The kinds of participants.
const (
	KindCharacter Kind = iota
	KindScheduler
	KindKeeper
	KindAvatars
	KindGatherer
)

// String is the kind in lower case, as logs and panels show it.
func (k Kind) String() string {
	switch k {
	case KindCharacter:
		return "character"
	case KindScheduler:
		return "scheduler"
	case KindKeeper:
		return "keeper"
	case KindAvatars:
		return "avatars"
	case KindGatherer:
		return "gatherer"
	}
	return fmt.Sprintf("kind(%d)", uint8(k))
}

// A ParticipantID names a participant. Object is invalid for system
// participants, of which there is one of each kind.
type ParticipantID struct {
	Kind   Kind
	Object ObjectID
}

// String reads "character 12.3", or "scheduler" where there is no object.
func (id ParticipantID) String() string {
	if !id.Object.Valid() {
		return id.Kind.String()
	}
	return id.Kind.String() + " " + id.Object.String()
}
