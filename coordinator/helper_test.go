package coordinator_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"chronoscope/coordinator"
	"chronoscope/loop"
)

// tick is one nominal tick at the default rate.
var tick = loop.Hz(60).Period()

// testPacer is a sleeping pacer with a clock that can be set, wake-ups that can
// be late, and a hook that runs on the coordinator's goroutine after each check.
type testPacer struct {
	loop.SleepPacer
	offset    atomic.Int64                         // added to the clock
	oversleep func(target time.Time) time.Duration // nil: on time
	afterWork func()
}

func (p *testPacer) Now() time.Time { return time.Now().Add(time.Duration(p.offset.Load())) }

func (p *testPacer) Wait(target time.Time, wake <-chan struct{}) bool {
	if p.afterWork != nil {
		p.afterWork()
	}
	if p.oversleep != nil {
		target = target.Add(p.oversleep(target))
	}
	return p.SleepPacer.Wait(time.Now().Add(target.Sub(p.Now())), wake)
}

// member is a participant with a goroutine: it runs tick by tick, each taking
// as long as work says.
type member struct {
	progress coordinator.Progress
	bell     chan struct{}
	work     func(t loop.Tick) time.Duration // nil: no time
	ended    atomic.Bool
	ran      []loop.Tick
	leave    error
}

func newMember(slot uint32, work func(loop.Tick) time.Duration) *member {
	m := &member{bell: make(chan struct{}, 1), work: work}
	m.progress.Init(coordinator.ParticipantID{Object: coordinator.MakeObjectID(slot, 1)}, m.bell)
	return m
}

// stallAt makes one tick take d.
func stallAt(at loop.Tick, d time.Duration) func(loop.Tick) time.Duration {
	return func(t loop.Tick) time.Duration {
		if t == at {
			return d
		}
		return 0
	}
}

func (m *member) run(c *coordinator.Coordinator) {
	w := coordinator.NewWaiter()
	defer w.Close()
	m.progress.Publish(c.Global())
	c.Join(&m.progress)
	local := m.progress.Completed()
	for !m.ended.Load() {
		if local == c.Global() {
			c.Await(&m.progress, w)
			continue
		}
		local++
		if m.work != nil {
			if d := m.work(local); d > 0 {
				time.Sleep(d)
			}
		}
		m.ran = append(m.ran, local)
		c.Complete(&m.progress, local)
	}
	m.leave = c.Leave(&m.progress)
}

func (m *member) end() {
	m.ended.Store(true)
	select {
	case m.bell <- struct{}{}:
	default:
	}
}

// rig is a coordinator with members, in a bubble.
type rig struct {
	*coordinator.Coordinator
	t       *testing.T
	pacer   *testPacer
	members []*member
	wg      sync.WaitGroup
}

func newRig(t *testing.T, o coordinator.Options, members ...*member) *rig {
	t.Helper()
	r := &rig{t: t, pacer: &testPacer{}, members: members}
	if o.Pacer == nil {
		o.Pacer = r.pacer
	}
	c, err := coordinator.New(o)
	if err != nil {
		t.Fatal(err)
	}
	r.Coordinator = c
	return r
}

// start starts the members, then the coordinator.
func (r *rig) start() *rig {
	for _, m := range r.members {
		r.wg.Go(func() { m.run(r.Coordinator) })
	}
	synctest.Wait()
	r.Start()
	return r
}

// finish stops from the outside in.
func (r *rig) finish() {
	for _, m := range r.members {
		m.end()
	}
	r.wg.Wait()
	r.Stop()
	r.Wait()
}

func (r *rig) want(global loop.Tick) {
	r.t.Helper()
	synctest.Wait()
	if got := r.Global(); got != global {
		r.t.Errorf("global tick %d, want %d", got, global)
	}
}

// until sleeps until the global tick is at least g.
func (r *rig) until(g loop.Tick) {
	for r.Global() < g {
		time.Sleep(100 * time.Microsecond)
	}
	synctest.Wait()
}

// bubble runs f in virtual time.
func bubble(t *testing.T, f func(t *testing.T)) {
	t.Helper()
	synctest.Test(t, f)
}

func pacing(change func(p *coordinator.Pacing)) coordinator.Pacing {
	p := coordinator.DefaultPacing()
	change(&p)
	return p
}

// strategies runs f as a subtest under each strategy.
func strategies(t *testing.T, f func(t *testing.T, s coordinator.Strategy)) {
	for _, s := range []coordinator.Strategy{coordinator.Poll, coordinator.Gate} {
		t.Run(s.String(), func(t *testing.T) { bubble(t, func(t *testing.T) { f(t, s) }) })
	}
}
