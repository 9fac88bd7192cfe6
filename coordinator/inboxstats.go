package coordinator

// Stopping says whether a stop is pending, for an owner that is busy and can't
// take its inbox yet.
func (b *Inbox[E]) Stopping() bool {
	if !b.Pending() {
		return false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.notices&NoticeStop != 0
}

// Lanes shows what both lanes hold: the notices pending, and the events queued
// or taken and not settled, of which the queue takes up to limit.
func (b *Inbox[E]) Lanes() (notices Notice, events, limit int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	events = int(b.inHand)
	if b.queue != nil {
		events += len(*b.queue)
	}
	return b.notices, events, int(b.limit)
}

// InboxStats are InboxCounters read at a moment.
type InboxStats struct {
	Sent, Handled, Rejected, Ended, Discarded uint64
	Pending                                   uint64
	Notices, Merged, Refused                  uint64
	High                                      int
}

// Stats reads the counters one by one: they add up at rest.
func (c *InboxCounters) Stats() InboxStats {
	return InboxStats{
		Sent:      c.Sent.Load(),
		Handled:   c.Handled.Load(),
		Rejected:  c.Rejected.Load(),
		Ended:     c.Ended.Load(),
		Discarded: c.Discarded.Load(),
		Pending:   uint64(max(c.Pending.Load(), 0)),
		Notices:   c.Notices.Load(),
		Merged:    c.Merged.Load(),
		Refused:   c.Refused.Load(),
		High:      int(c.High.Load()),
	}
}

// Plus adds up two sets of inboxes; High is the higher one.
func (s InboxStats) Plus(o InboxStats) InboxStats {
	return InboxStats{
		Sent:      s.Sent + o.Sent,
		Handled:   s.Handled + o.Handled,
		Rejected:  s.Rejected + o.Rejected,
		Ended:     s.Ended + o.Ended,
		Discarded: s.Discarded + o.Discarded,
		Pending:   s.Pending + o.Pending,
		Notices:   s.Notices + o.Notices,
		Merged:    s.Merged + o.Merged,
		Refused:   s.Refused + o.Refused,
		High:      max(s.High, o.High),
	}
}
