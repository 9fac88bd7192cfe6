package coordinator

import (
	"slices"
	"sync"
	"sync/atomic"

	"chronoscope/loop"
)

// Notice is a set of "look at your state" hints. Equal ones merge.
type Notice uint16

// The package's own notices. The other bits, from 1<<2 on, are the owner's.
const (
	NoticeStop Notice = 1 << iota // the run ends
	NoticeEnd                     // the owner is to end
)

// Event is one entry of the event lane.
type Event[E any] struct {
	Due   loop.Tick
	Value E
}

// Inbox is what reaches a character: notices, which merge, need constant
// memory and are never lost, and a bounded queue of events. Stop and end are
// notices, so a full queue can't hold them up. Nothing sent to it ever blocks.
//
// Any goroutine sends; Take, Settle, SettleBut and the wait on Bell are the
// owner's.
// Close is for whoever ends the owner, once or many times.
//
// An idle inbox takes 72 bytes besides its bell; the queue is made at the
// first event and grows up to the limit.
type Inbox[E any] struct {
	state    atomic.Uint32 // what is pending: closedState, noticeState, events * eventState
	limit    int32
	bell     chan struct{}
	dues     *Dues
	counters *InboxCounters

	mu      sync.Mutex // guards what follows, and the writing of state
	notices Notice
	closed  bool
	inHand  uint32    // events taken and not settled
	due     loop.Tick // of the pending notices; MaxTick: none
	taken   loop.Tick // the oldest that was taken and not settled; MaxTick: none
	queue   *[]Event[E]
}

const (
	closedState = 1 << iota
	noticeState
	eventState
)

// InboxCounters are shared by many inboxes. At rest
// Sent = Handled + Rejected + Discarded + Pending.
type InboxCounters struct {
	Sent      atomic.Uint64 // events offered
	Handled   atomic.Uint64 // events taken and settled
	Rejected  atomic.Uint64 // events refused: full, or closed
	Ended     atomic.Uint64 // of Rejected, those refused by a closed inbox
	Discarded atomic.Uint64 // events still queued when their inbox was closed
	Pending   atomic.Int64  // events queued, or taken and not settled
	Notices   atomic.Uint64 // notices accepted
	Merged    atomic.Uint64 // of Notices, those that found one pending
	Refused   atomic.Uint64 // notices that came to a closed inbox
	High      atomic.Int64  // the longest queue there was
}

// DefaultInboxLimit is the length of the event lane where Init is given 0.
const DefaultInboxLimit = 32

// Init readies an inbox, or one that was closed for a new owner. limit bounds
// the event lane, DefaultInboxLimit if below 1; dues and counters are shared
// by all inboxes of a run.
func (b *Inbox[E]) Init(limit int, dues *Dues, counters *InboxCounters) {
	if limit < 1 {
		limit = DefaultInboxLimit
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.bell != nil && !b.closed {
		panic("coordinator: Init of an inbox that is in use")
	}
	if b.bell == nil {
		b.bell = make(chan struct{}, 1)
	}
	b.limit, b.dues, b.counters = int32(min(limit, maxInboxLimit)), dues, counters
	b.notices, b.closed, b.inHand, b.queue = 0, false, 0, nil
	b.due, b.taken = loop.MaxTick, loop.MaxTick
	b.state.Store(0)
}

const maxInboxLimit = 1 << 28

// Bell is rung at every notice and event: one slot, never closed. A ring may
// be for nothing; look again.
func (b *Inbox[E]) Bell() chan struct{} { return b.bell }

// Ring rings the bell and nothing else.
func (b *Inbox[E]) Ring() { ring(b.bell) }

// Pending says whether Take would find something. It costs one atomic load.
func (b *Inbox[E]) Pending() bool { return b.state.Load()&^closedState != 0 }

// Notify adds a notice with a due that the caller has opened (MaxTick for
// none). From here on the due is the inbox's: where one is pending already the
// older stays and the other is settled. ErrEnded says that the inbox is
// closed; the due is settled then too.
func (b *Inbox[E]) Notify(n Notice, due loop.Tick) error {
	b.mu.Lock()
	if b.closed {
		b.mu.Unlock()
		b.counters.Refused.Add(1)
		b.dues.Settle(due)
		return ErrEnded
	}
	merged := b.state.Load()&noticeState != 0
	b.notices |= n
	surplus := max(b.due, due)
	b.due = min(b.due, due)
	b.markLocked()
	b.mu.Unlock()
	ring(b.bell)
	b.counters.Notices.Add(1)
	if merged {
		b.counters.Merged.Add(1)
	}
	b.dues.Settle(surplus)
	return nil
}

// Signal adds a notice without a due. A closed inbox ignores it.
func (b *Inbox[E]) Signal(n Notice) {
	// MaxTick is no due, and there is nothing to tell the caller.
	_ = b.Notify(n, loop.MaxTick)
}

// Send adds an event dated due, and opens that due. With ErrInboxFull (the queue
// is full, or the owner has as many events in hand) the sender keeps the event
// and tries again at its next tick; with ErrEnded it is of no use any more.
// Either way nothing was opened.
func (b *Inbox[E]) Send(e E, due loop.Tick) error {
	b.counters.Sent.Add(1)
	if err := b.refuses(); err != nil {
		return b.reject(err)
	}
	// The due is open before anybody can settle it, and it is not opened under
	// the inbox's lock.
	b.dues.Open(due, 1)
	b.mu.Lock()
	err := b.refuses()
	if err == nil && b.inHand >= uint32(b.limit) {
		err = ErrInboxFull
	}
	if err != nil {
		b.mu.Unlock()
		b.dues.Settle(due)
		return b.reject(err)
	}
	if b.queue == nil {
		b.queue = new([]Event[E])
	}
	*b.queue = append(*b.queue, Event[E]{due, e})
	length := len(*b.queue)
	b.markLocked()
	b.counters.Pending.Add(1)
	b.mu.Unlock()
	ring(b.bell)
	raise(&b.counters.High, int64(length))
	return nil
}

// refuses says why an event can't be taken in now.
func (b *Inbox[E]) refuses() error {
	switch s := b.state.Load(); {
	case s&closedState != 0:
		return ErrEnded
	case s/eventState >= uint32(b.limit):
		return ErrInboxFull
	}
	return nil
}

func (b *Inbox[E]) reject(err error) error {
	b.counters.Rejected.Add(1)
	if err == ErrEnded {
		b.counters.Ended.Add(1)
	}
	return err
}

// markLocked publishes what is pending.
func (b *Inbox[E]) markLocked() {
	var s uint32
	if b.closed {
		s |= closedState
	}
	if b.notices != 0 || b.due != loop.MaxTick {
		s |= noticeState
	}
	if b.queue != nil {
		s |= uint32(len(*b.queue)) * eventState
	}
	b.state.Store(s)
}

// Take takes all that is pending: the notices, and the events by (due, order
// of arrival), in buf's memory where that suffices. The oldest of all dues
// taken stays open until Settle; the others, which it stands for, are settled
// here.
func (b *Inbox[E]) Take(buf []Event[E]) (Notice, []Event[E]) {
	events := buf[:0]
	b.mu.Lock()
	n, was, pending := b.notices, b.taken, b.due
	b.notices, b.due = 0, loop.MaxTick
	oldest := min(was, pending)
	if b.queue != nil {
		events = append(events, *b.queue...)
		clear(*b.queue)
		*b.queue = (*b.queue)[:0]
		b.inHand += uint32(len(events))
	}
	for i := range events {
		oldest = min(oldest, events[i].Due)
	}
	b.taken = oldest
	b.markLocked()
	b.mu.Unlock()

	slices.SortStableFunc(events, func(x, y Event[E]) int {
		switch {
		case x.Due < y.Due:
			return -1
		case x.Due > y.Due:
			return 1
		}
		return 0
	})
	// One due at oldest stays open.
	if was != oldest {
		b.dues.Settle(was)
	}
	kept := was == oldest
	if pending != oldest || kept {
		b.dues.Settle(pending)
	}
	kept = kept || pending == oldest
	for i := 0; i < len(events); {
		run := i + 1
		for run < len(events) && events[run].Due == events[i].Due {
			run++
		}
		settle := run - i
		if events[i].Due == oldest && !kept {
			settle--
		}
		b.dues.SettleN(events[i].Due, settle)
		i = run
	}
	return n, events
}

// Settle says that everything taken so far has been done, and what follows
// from it published and registered.
func (b *Inbox[E]) Settle() {
	b.mu.Lock()
	due, handled := b.taken, b.inHand
	b.taken, b.inHand = loop.MaxTick, 0
	b.mu.Unlock()
	b.handled(handled)
	b.dues.Settle(due)
}

// SettleBut says that of everything taken so far all has been done but some
// events, the oldest of them dated due: that due alone stays open.
func (b *Inbox[E]) SettleBut(events int, due loop.Tick) {
	b.dues.Open(due, 1)
	b.mu.Lock()
	surplus, handled := due, uint32(0)
	if b.taken < due {
		surplus, b.taken = b.taken, due
	}
	if left := uint32(events); b.inHand > left {
		handled, b.inHand = b.inHand-left, left
	}
	b.mu.Unlock()
	b.handled(handled)
	b.dues.Settle(surplus)
}

func (b *Inbox[E]) handled(n uint32) {
	if n > 0 {
		b.counters.Handled.Add(uint64(n))
		b.counters.Pending.Add(-int64(n))
	}
}

// Oldest is the oldest due that is pending, or taken and not settled.
func (b *Inbox[E]) Oldest() (loop.Tick, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	oldest := min(b.due, b.taken)
	if b.queue != nil {
		for i := range *b.queue {
			oldest = min(oldest, (*b.queue)[i].Due)
		}
	}
	return oldest, oldest != loop.MaxTick
}

// Close ends the inbox: what is sent later is refused, events still queued are
// discarded, and every due is settled. Events in the owner's hand count as
// handled. It says how many were discarded; 0 at every call but the first.
func (b *Inbox[E]) Close() (discarded int) {
	b.mu.Lock()
	if b.closed {
		b.mu.Unlock()
		return 0
	}
	b.closed = true
	var events []Event[E]
	if b.queue != nil {
		events = *b.queue
	}
	due, taken, handled := b.due, b.taken, b.inHand
	b.notices, b.due, b.taken, b.inHand, b.queue = 0, loop.MaxTick, loop.MaxTick, 0, nil
	b.markLocked()
	b.mu.Unlock()

	b.handled(handled)
	b.counters.Discarded.Add(uint64(len(events)))
	b.counters.Pending.Add(-int64(len(events)))
	for i := range events {
		b.dues.Settle(events[i].Due)
	}
	b.dues.Settle(due)
	b.dues.Settle(taken)
	return len(events)
}
