package coordinator_test

import (
	"errors"
	"testing"

	"chronoscope/coordinator"
	"chronoscope/loop"
)

// TestSettleBut settles what was taken bit by bit, as an owner does that keeps
// events for ticks to come.
func TestSettleBut(t *testing.T) {
	const limit = 3
	var b coordinator.Inbox[int]
	var counters coordinator.InboxCounters
	dues := coordinator.NewDues()
	b.Init(limit, dues, &counters)
	open := func(want ...loop.Tick) {
		t.Helper()
		if dues.Len() != len(want) {
			t.Errorf("%d dues are open, want those of %v", dues.Len(), want)
		}
		for _, at := range want {
			if dues.At(at) != 1 {
				t.Errorf("%d dues are open at tick %d", dues.At(at), at)
			}
		}
	}
	send := func(due loop.Tick, want error) {
		t.Helper()
		if err := b.Send(0, due); !errors.Is(err, want) {
			t.Errorf("sent: %v, want %v", err, want)
		}
	}

	dues.Open(4, 1)
	if err := b.Notify(1<<4, 4); err != nil {
		t.Fatal(err)
	}
	for due := loop.Tick(5); due < 5+limit; due++ {
		send(due, nil)
	}
	send(9, coordinator.ErrInboxFull)
	b.Take(nil)
	open(4)
	send(9, coordinator.ErrInboxFull) // as many are in hand
	b.SettleBut(limit, 5)             // the notice is done
	open(5)
	send(9, coordinator.ErrInboxFull)
	b.SettleBut(limit, 5) // nothing more
	open(5)
	b.SettleBut(1, 7)
	open(7)
	send(9, nil)
	open(7, 9)
	if s := counters.Stats(); s.Handled != 2 || s.Pending != 2 || s.Sent != s.Handled+s.Rejected+s.Pending {
		t.Errorf("%+v", s)
	}
	b.Take(nil)
	open(7)
	b.SettleBut(1, 9)
	open(9)
	b.Settle()
	open()
	if s := counters.Stats(); s.Handled != 4 || s.Pending != 0 {
		t.Errorf("%+v", s)
	}
	b.Close()
	b.SettleBut(1, 12)
	open()
}
