package coordinator_test

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"chronoscope/coordinator"
	"chronoscope/loop"
)

// Benchmarks run in real time. Quote them beside the machine; ratios within
// one run carry over, absolute figures don't.

// crowd starts n members that do nothing in a tick but complete it.
func crowd(b *testing.B, o coordinator.Options, n int) (c *coordinator.Coordinator, stop func()) {
	b.Helper()
	c, err := coordinator.New(o)
	if err != nil {
		b.Fatal(err)
	}
	var wg sync.WaitGroup
	var ended atomic.Bool
	members := make([]*member, n)
	var joined sync.WaitGroup
	for i := range members {
		m := newMember(uint32(i), nil)
		members[i] = m
		joined.Add(1)
		wg.Go(func() {
			w := coordinator.NewWaiter()
			defer w.Close()
			m.progress.Publish(c.Global())
			c.Join(&m.progress)
			joined.Done()
			local := m.progress.Completed()
			for !ended.Load() {
				if local == c.Global() {
					c.Await(&m.progress, w)
					continue
				}
				local++
				c.Complete(&m.progress, local)
			}
			_ = c.Leave(&m.progress)
		})
	}
	joined.Wait()
	return c, func() {
		ended.Store(true)
		c.Stop()
		c.Wait()
		for _, m := range members {
			m.end()
		}
		wg.Wait()
	}
}

// A tick with 10,000 active members, from its release until everyone has
// completed it: at max speed, where the next is released at once.
func BenchmarkTickMaxSpeed(b *testing.B) {
	for _, wait := range []coordinator.Strategy{coordinator.Gate, coordinator.Poll} {
		for _, n := range []int{100, 10_000} {
			b.Run(fmt.Sprintf("%v/%d", wait, n), func(b *testing.B) {
				b.ReportAllocs()
				c, stop := crowd(b, coordinator.Options{MaxSpeed: true, Pacing: pacing(func(p *coordinator.Pacing) { p.Wait = wait })}, n)
				c.Start()
				from := c.Global()
				ticks := loop.Tick(0)
				for b.Loop() {
					ticks++
					for c.Global() < from+ticks {
						runtime.Gosched()
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(ticks)/float64(n), "ns/member")
				stop()
			})
		}
	}
}

// The same in steps of a paused coordinator: each operation is one release and
// the wait for the last member.
func BenchmarkTickRelease(b *testing.B) {
	for _, wait := range []coordinator.Strategy{coordinator.Gate, coordinator.Poll} {
		b.Run(wait.String(), func(b *testing.B) {
			const n = 10_000
			b.ReportAllocs()
			c, stop := crowd(b, coordinator.Options{Paused: true, Pacing: pacing(func(p *coordinator.Pacing) { p.Wait = wait })}, n)
			c.Start()
			var total time.Duration
			ticks := 0
			for b.Loop() {
				if err := c.Step(1); err != nil {
					b.Fatal(err)
				}
				ticks++
				for c.Global() < loop.Tick(ticks) || c.Stats().Incomplete > 0 {
					time.Sleep(50 * time.Microsecond)
				}
				total += time.Since(c.Released().Actual)
			}
			b.ReportMetric(float64(total.Nanoseconds())/float64(ticks)/n, "ns/member")
			stop()
		})
	}
}

// Wall-clock ticks at 60 Hz with 10,000 members: what share of a core they and
// the coordinator take, and how late releases are.
func BenchmarkTick60Hz(b *testing.B) {
	for _, wait := range []coordinator.Strategy{coordinator.Gate, coordinator.Poll} {
		b.Run(wait.String(), func(b *testing.B) {
			c, stop := crowd(b, coordinator.Options{Pacing: pacing(func(p *coordinator.Pacing) { p.Wait = wait })}, 10_000)
			c.Start()
			cpu := cpuTime()
			for b.Loop() {
				for g := c.Global(); c.Global() == g; {
					time.Sleep(time.Millisecond)
				}
			}
			b.ReportMetric(100*(cpuTime()-cpu).Seconds()/b.Elapsed().Seconds(), "%core")
			stop()
			st := c.Stats()
			b.ReportMetric(float64(st.ReleaseError.P99.Microseconds()), "us-late-p99")
			b.ReportMetric(float64(st.Brake.Episodes), "brakes")
		})
	}
}

// A wake registered and delivered, with 1,000,000 pending within five minutes.
func BenchmarkRegisterDeliver(b *testing.B) {
	b.ReportAllocs()
	c, err := coordinator.New(coordinator.Options{MaxSpeed: true})
	if err != nil {
		b.Fatal(err)
	}
	const pending, span = 1_000_000, 18_000
	dues := coordinator.NewDues()
	var s *coordinator.Scheduler
	var delivered atomic.Int64
	seed := uint64(1)
	random := func() uint64 { // xorshift
		seed ^= seed << 13
		seed ^= seed >> 7
		seed ^= seed << 17
		return seed
	}
	s = coordinator.NewScheduler(c, coordinator.SchedulerOptions{Dues: dues, Deliver: func(due loop.Tick, ids []coordinator.ObjectID) {
		for _, id := range ids {
			s.Register(due+1+loop.Tick(random()%span), id)
		}
		dues.SettleN(due, len(ids))
		delivered.Add(int64(len(ids)))
	}})
	for i := range pending {
		s.Register(1+loop.Tick(random()%span), coordinator.MakeObjectID(uint32(i), 1))
	}
	s.Start()
	if err := c.SetPacing(pacing(func(p *coordinator.Pacing) { p.Wait = coordinator.Gate })); err != nil {
		b.Fatal(err)
	}
	c.Start()
	from := delivered.Load()
	n := int64(0)
	for b.Loop() {
		n++
		for delivered.Load() < from+n {
			time.Sleep(10 * time.Microsecond)
		}
	}
	s.Stop()
	s.Wait()
	c.Stop()
	c.Wait()
}

func BenchmarkRegister(b *testing.B) {
	b.ReportAllocs()
	c, err := coordinator.New(coordinator.Options{})
	if err != nil {
		b.Fatal(err)
	}
	s := coordinator.NewScheduler(c, coordinator.SchedulerOptions{Dues: coordinator.NewDues()})
	n := uint64(0)
	for b.Loop() {
		n++
		s.Register(1+loop.Tick(n*2654435761%18_000), coordinator.ObjectID(n))
	}
	s.Stop()
	c.Stop()
}

func BenchmarkInboxNotifyTake(b *testing.B) {
	b.ReportAllocs()
	box := newBox(32)
	due := loop.Tick(0)
	for b.Loop() {
		due++
		_ = box.notify(noticeA, due)
		box.Take(nil)
		box.Settle()
	}
}

func BenchmarkInboxSendTake(b *testing.B) {
	b.ReportAllocs()
	box := newBox(32)
	var buf []coordinator.Event[int]
	due := loop.Tick(0)
	for b.Loop() {
		due++
		_ = box.Send(1, due)
		_, buf = box.Take(buf)
		box.Settle()
	}
}

func BenchmarkInboxPending(b *testing.B) {
	box := newBox(32)
	for b.Loop() {
		box.Pending()
	}
}

func BenchmarkDues(b *testing.B) {
	b.Run("one", func(b *testing.B) {
		b.ReportAllocs()
		d := coordinator.NewDues()
		t := loop.Tick(0)
		for b.Loop() {
			t++
			d.Open(t, 1)
			d.Settle(t)
		}
	})
	b.Run("parallel", func(b *testing.B) {
		b.ReportAllocs()
		d := coordinator.NewDues()
		var start atomic.Uint64
		b.RunParallel(func(pb *testing.PB) {
			t := loop.Tick(start.Add(7))
			for pb.Next() {
				t++
				d.Open(t, 1)
				d.Settle(t)
			}
		})
	})
	b.Run("past", func(b *testing.B) {
		d := coordinator.NewDues()
		d.Open(5, 1)
		for b.Loop() {
			d.Past(4)
		}
	})
}

func BenchmarkJoinLeave(b *testing.B) {
	b.ReportAllocs()
	c, err := coordinator.New(coordinator.Options{})
	if err != nil {
		b.Fatal(err)
	}
	for i := range uint32(10_000) {
		c.Join(&newMember(i, nil).progress)
	}
	m := newMember(20_000, nil)
	for b.Loop() {
		c.Join(&m.progress)
		_ = c.Leave(&m.progress)
	}
	c.Stop()
}

func BenchmarkStats(b *testing.B) {
	b.ReportAllocs()
	c, err := coordinator.New(coordinator.Options{})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		_ = c.Stats()
	}
	c.Stop()
}
