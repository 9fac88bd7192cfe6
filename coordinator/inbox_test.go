package coordinator_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	"unsafe"

	"chronoscope/coordinator"
	"chronoscope/loop"
)

const (
	noticeA = 1 << (2 + iota)
	noticeB
)

type box struct {
	coordinator.Inbox[int]
	dues     *coordinator.Dues
	counters *coordinator.InboxCounters
}

func newBox(limit int) *box {
	b := &box{dues: coordinator.NewDues(), counters: new(coordinator.InboxCounters)}
	b.Init(limit, b.dues, b.counters)
	return b
}

// notify opens the due and hands the notice over.
func (b *box) notify(n coordinator.Notice, due loop.Tick) error {
	b.dues.Open(due, 1)
	return b.Notify(n, due)
}

func (b *box) ledger(t *testing.T) {
	t.Helper()
	c := b.counters
	if sent, out := c.Sent.Load(), c.Handled.Load()+c.Rejected.Load()+c.Discarded.Load()+uint64(c.Pending.Load()); sent != out {
		t.Errorf("%d sent = %d handled + %d rejected + %d discarded + %d pending: %d", sent,
			c.Handled.Load(), c.Rejected.Load(), c.Discarded.Load(), c.Pending.Load(), out)
	}
}

func TestInboxNoticesMerge(t *testing.T) {
	b := newBox(4)
	if b.Pending() {
		t.Error("something is pending in a new inbox")
	}
	ok(t, b.notify(noticeA, 20))
	ok(t, b.notify(noticeB, 10))
	ok(t, b.notify(noticeA, 30))
	// The oldest due stays, the others are settled; each counts once.
	if o, is := b.Oldest(); o != 10 || !is || b.dues.Len() != 1 || b.dues.At(10) != 1 {
		t.Errorf("oldest %d %v, %d dues open", o, is, b.dues.Len())
	}
	if len(b.Bell()) != 1 || !b.Pending() {
		t.Error("the bell wasn't rung")
	}
	n, events := b.Take(nil)
	if n != noticeA|noticeB || len(events) != 0 || b.Pending() {
		t.Errorf("took %b, %v", n, events)
	}
	if b.dues.At(10) != 1 {
		t.Error("taking settles")
	}
	// What is taken stands beside what comes later: the older of both.
	ok(t, b.notify(noticeA, 5))
	if o, _ := b.Oldest(); o != 5 || b.dues.Len() != 2 {
		t.Errorf("oldest %d, %d dues open", o, b.dues.Len())
	}
	b.Take(nil)
	if b.dues.Len() != 1 || b.dues.At(5) != 1 {
		t.Errorf("%d dues open, %d at 5: want the older one", b.dues.Len(), b.dues.At(5))
	}
	ok(t, b.notify(noticeA, 7))
	b.Take(nil)
	if o, _ := b.Oldest(); o != 5 || b.dues.Len() != 1 {
		t.Errorf("oldest %d, %d dues open", o, b.dues.Len())
	}
	b.Settle()
	if _, is := b.Oldest(); is || b.dues.Len() != 0 {
		t.Error("settled, and something is open")
	}
	b.Settle()
	b.Signal(noticeA) // without a due
	if n, _ := b.Take(nil); n != noticeA || b.dues.Len() != 0 {
		t.Errorf("took %b", n)
	}
	if n, m := b.counters.Notices.Load(), b.counters.Merged.Load(); n != 6 || m != 2 {
		t.Errorf("%d notices, %d merged", n, m)
	}
}

func TestInboxEventOrder(t *testing.T) {
	b := newBox(10)
	ok(t, b.notify(noticeA, 6))
	for i, due := range []loop.Tick{9, 7, 9, 8, 7, 9} {
		ok(t, b.Send(i, due))
	}
	if b.dues.Len() != 7 {
		t.Errorf("%d dues open, want 7", b.dues.Len())
	}
	n, events := b.Take(make([]coordinator.Event[int], 0, 8))
	var order []int
	for _, e := range events {
		order = append(order, e.Value)
	}
	if n != noticeA || !slices.Equal(order, []int{1, 4, 3, 0, 2, 5}) {
		t.Errorf("took %b %v", n, events)
	}
	// One due stands for all that were taken: the oldest.
	if o, _ := b.dues.Oldest(); o != 6 || b.dues.Len() != 1 {
		t.Errorf("oldest %d of %d", o, b.dues.Len())
	}
	if p := b.counters.Pending.Load(); p != 6 {
		t.Errorf("%d pending, want the 6 in hand", p)
	}
	b.Settle()
	if h := b.counters.Handled.Load(); h != 6 || b.dues.Len() != 0 || b.counters.High.Load() != 6 {
		t.Errorf("%d handled, %d open, high %d", h, b.dues.Len(), b.counters.High.Load())
	}
	b.ledger(t)
	// The same memory again.
	ok(t, b.Send(1, 10))
	if got := testing.AllocsPerRun(100, func() {
		_ = b.Send(2, 11)
		_, events = b.Take(events)
		b.Settle()
	}); got != 0 {
		t.Errorf("%v allocations for an event sent and taken", got)
	}
	if got := testing.AllocsPerRun(100, func() {
		_ = b.notify(noticeA, 12)
		_, events = b.Take(events)
		b.Settle()
	}); got != 0 {
		t.Errorf("%v allocations for a notice sent and taken", got)
	}
}

// A full event lane can't hold up stop or end.
func TestFullInboxStillEnds(t *testing.T) {
	bubble(t, func(t *testing.T) {
		b := newBox(4)
		ended := make(chan coordinator.Notice)
		go func() {
			time.Sleep(time.Second) // the flood comes first
			for {
				<-b.Bell()
				if n, _ := b.Take(nil); n&(coordinator.NoticeEnd|coordinator.NoticeStop) != 0 {
					b.Close()
					ended <- n
					return
				}
			}
		}()
		for i := range 100 {
			if err := b.Send(i, 1); i >= 4 && !errors.Is(err, coordinator.ErrInboxFull) {
				t.Fatalf("event %d: %v, want ErrInboxFull", i, err)
			}
		}
		b.Signal(coordinator.NoticeEnd)
		b.Signal(coordinator.NoticeStop)
		if n := <-ended; n != coordinator.NoticeEnd|coordinator.NoticeStop {
			t.Errorf("ended by %b", n)
		}
		b.ledger(t)
		if n := b.dues.Len(); n != 0 {
			t.Errorf("%d dues left open", n)
		}
	})
}

// A flood takes bounded memory; what is refused is counted, and no
// notice is lost.
func TestInboxFlood(t *testing.T) {
	for _, limit := range []int{0, 1, 32} {
		b := newBox(limit)
		want := limit
		if want == 0 {
			want = coordinator.DefaultInboxLimit
		}
		var full int
		for i := range 10_000 {
			if errors.Is(b.Send(i, loop.Tick(i)), coordinator.ErrInboxFull) {
				full++
			}
			ok(t, b.notify(noticeA, loop.Tick(i)))
		}
		n, events := b.Take(nil)
		if len(events) != want || full != 10_000-want || n != noticeA {
			t.Errorf("limit %d: %d events, %d refused, notices %b", limit, len(events), full, n)
		}
		if r := b.counters.Rejected.Load(); r != uint64(full) || b.counters.High.Load() != int64(want) {
			t.Errorf("%d rejected, high %d", r, b.counters.High.Load())
		}
		b.Settle()
		b.ledger(t)
		if b.dues.Len() != 0 {
			t.Errorf("%d dues left open", b.dues.Len())
		}
	}
}

// Ended ten times at once, it ends once.
func TestEndedManyTimes(t *testing.T) {
	b := newBox(8)
	for i := range 5 {
		ok(t, b.Send(i, 3))
	}
	ok(t, b.notify(noticeA, 2))
	var wg sync.WaitGroup
	discarded := make(chan int, 10)
	for range 10 {
		wg.Go(func() {
			b.Signal(coordinator.NoticeEnd)
			discarded <- b.Close()
		})
	}
	wg.Wait()
	close(discarded)
	sum := 0
	for n := range discarded {
		sum += n
	}
	if sum != 5 || b.counters.Discarded.Load() != 5 || b.dues.Len() != 0 {
		t.Errorf("%d discarded, %d counted, %d dues open", sum, b.counters.Discarded.Load(), b.dues.Len())
	}
	b.Signal(noticeA)
	if n, e := b.Take(nil); n != 0 || len(e) != 0 || b.Pending() {
		t.Errorf("a closed inbox holds %b %v", n, e)
	}
	if err := b.Send(1, 4); !errors.Is(err, coordinator.ErrEnded) {
		t.Errorf("send: %v", err)
	}
	if err := b.notify(noticeA, 4); !errors.Is(err, coordinator.ErrEnded) || b.dues.Len() != 0 {
		t.Errorf("notify: %v, %d dues open", err, b.dues.Len())
	}
	if b.counters.Ended.Load() != 1 || b.counters.Refused.Load() < 1 {
		t.Errorf("%d ended, %d refused", b.counters.Ended.Load(), b.counters.Refused.Load())
	}
	b.ledger(t)
	// The slot is used again.
	b.Init(2, b.dues, b.counters)
	ok(t, b.Send(1, 5))
	if n, e := b.Take(nil); n != 0 || len(e) != 1 || e[0].Due != 5 {
		t.Errorf("the new life took %b %v", n, e)
	}
}

// Sending while it ends: delivered, or refused, or discarded; never
// neither, never two of them.
func TestSendWhileEnding(t *testing.T) {
	for range 200 {
		b := newBox(1000)
		const senders, each = 4, 50
		var wg sync.WaitGroup
		var accepted, refused [senders]int
		for s := range senders {
			wg.Go(func() {
				for i := range each {
					switch err := b.Send(s*each+i, loop.Tick(i)); {
					case err == nil:
						accepted[s]++
					case errors.Is(err, coordinator.ErrEnded):
						refused[s]++
					default:
						t.Errorf("send: %v", err)
					}
				}
			})
		}
		taken := map[int]bool{}
		discarded := 0
		wg.Go(func() {
			for range 3 {
				_, events := b.Take(nil)
				for _, e := range events {
					if taken[e.Value] {
						t.Errorf("event %d came twice", e.Value)
					}
					taken[e.Value] = true
				}
				b.Settle()
			}
			discarded = b.Close()
		})
		wg.Wait()
		in, out := 0, 0
		for s := range senders {
			in += accepted[s]
			out += refused[s]
		}
		if in+out != senders*each || in != len(taken)+discarded {
			t.Fatalf("%d accepted, %d refused; %d taken, %d discarded", in, out, len(taken), discarded)
		}
		b.ledger(t)
		if b.dues.Len() != 0 {
			t.Fatalf("%d dues left open", b.dues.Len())
		}
	}
}

// A notice that comes exactly while its owner falls asleep isn't lost.
func TestNoticeWhileFallingAsleep(t *testing.T) {
	bubble(t, func(t *testing.T) {
		b := newBox(4)
		var seen coordinator.Notice
		handled := 0
		done := make(chan struct{})
		go func() { // falls asleep each time there is nothing to do
			defer close(done)
			for {
				if !b.Pending() {
					<-b.Bell()
				}
				n, events := b.Take(nil)
				seen |= n
				handled += len(events)
				b.Settle()
				if n&coordinator.NoticeStop != 0 {
					return
				}
			}
		}()
		const rounds = 2000
		var wg sync.WaitGroup
		for range 3 {
			wg.Go(func() {
				for i := range rounds {
					_ = b.notify(noticeA, loop.Tick(i))
					if i%100 == 0 {
						time.Sleep(time.Millisecond)
					}
				}
			})
		}
		wg.Wait()
		synctest.Wait() // asleep for good, if one was lost
		if b.Pending() || b.dues.Len() != 0 {
			t.Errorf("asleep with a notice pending: %d dues open", b.dues.Len())
		}
		b.Signal(coordinator.NoticeStop)
		<-done
		if seen != noticeA|coordinator.NoticeStop || handled != 0 {
			t.Errorf("seen %b", seen)
		}
	})
}

// The ledger holds whatever senders, taker and end do at once, and every due
// is settled in the end.
func TestInboxLedger(t *testing.T) {
	dues, counters := coordinator.NewDues(), new(coordinator.InboxCounters)
	var boxes [8]coordinator.Inbox[int]
	for i := range boxes {
		boxes[i].Init(1+i, dues, counters)
	}
	var senders, owners sync.WaitGroup
	for s := range 4 {
		senders.Go(func() {
			r := rand.New(rand.NewPCG(uint64(s), 1))
			for range 5000 {
				b := &boxes[r.IntN(len(boxes))]
				due := loop.Tick(r.IntN(200))
				if r.IntN(3) == 0 {
					dues.Open(due, 1)
					_ = b.Notify(noticeA, due)
				} else {
					_ = b.Send(1, due)
				}
			}
		})
	}
	stop := make(chan struct{})
	var heads [len(boxes)]int
	for i := range boxes {
		owners.Go(func() {
			r := rand.New(rand.NewPCG(uint64(i), 2))
			var buf []coordinator.Event[int]
			for {
				select {
				case <-stop:
					boxes[i].Close()
					return
				case <-boxes[i].Bell():
				}
				_, buf = boxes[i].Take(buf)
				heads[i] += len(buf)
				if r.IntN(4) > 0 {
					boxes[i].Settle()
				}
				if i%2 == 1 && r.IntN(2000) == 0 {
					boxes[i].Close()
				}
			}
		})
	}
	senders.Wait()
	close(stop)
	owners.Wait()
	sent, handled := counters.Sent.Load(), counters.Handled.Load()
	rejected, discarded, pending := counters.Rejected.Load(), counters.Discarded.Load(), counters.Pending.Load()
	if pending != 0 || sent != handled+rejected+discarded {
		t.Errorf("%d sent = %d handled + %d rejected + %d discarded + %d pending", sent, handled, rejected, discarded, pending)
	}
	taken := 0
	for _, n := range heads {
		taken += n
	}
	if uint64(taken) != handled {
		t.Errorf("%d taken, %d counted as handled", taken, handled)
	}
	if handled == 0 || rejected == 0 || dues.Len() != 0 {
		t.Errorf("%d handled, %d rejected, %d dues left open", handled, rejected, dues.Len())
	}
}

func TestInboxMisuse(t *testing.T) {
	b := newBox(1)
	defer func() {
		if recover() == nil {
			t.Error("Init of an inbox in use: want a panic")
		}
	}()
	b.Init(1, b.dues, b.counters)
}

// What a sleeping character carries is small.
func TestSizes(t *testing.T) {
	if n := unsafe.Sizeof(coordinator.Progress{}); n > 40 {
		t.Errorf("a Progress takes %d bytes, want 40", n)
	}
	if n := unsafe.Sizeof(coordinator.Inbox[int]{}); n > 72 {
		t.Errorf("an Inbox takes %d bytes, want 72", n)
	}
	t.Log(unsafe.Sizeof(coordinator.Progress{}), unsafe.Sizeof(coordinator.Inbox[int]{}))
	b := newBox(4)
	b.Ring()
	if len(b.Bell()) != 1 || b.Pending() {
		t.Error("Ring rings, and nothing else")
	}
}
