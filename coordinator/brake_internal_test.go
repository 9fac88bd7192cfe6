package coordinator

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"

	"chronoscope/loop"
)

// stepper drives a coordinator by hand, check by check, with a clock that only
// moves when told to.
type stepper struct {
	*Coordinator
	clock *handClock
}

type handClock struct{ at time.Time }

func (h *handClock) Now() time.Time                       { return h.at }
func (h *handClock) Wait(time.Time, <-chan struct{}) bool { panic("not started") }
func (h *handClock) Close()                               {}

func newStepper(t testing.TB, o Options) stepper {
	t.Helper()
	clock := &handClock{time.Unix(1_000_000, 0)}
	o.Pacer, o.RequestsOnly = clock, true
	c, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Stop)
	return stepper{c, clock}
}

// after lets time pass and checks once.
func (s stepper) after(d time.Duration) {
	s.clock.at = s.clock.at.Add(d)
	s.check(wakeup{}, true)
}

// tick lets one nominal tick pass.
func (s stepper) tick() { s.after(s.pace.nominalTick() + time.Nanosecond) }

func newParticipant(slot, generation uint32) *Progress {
	p := new(Progress)
	p.Init(ParticipantID{Object: MakeObjectID(slot, generation)}, make(chan struct{}, 1))
	return p
}

// lag puts p n ticks behind, which braces the brake's request.
func (s stepper) lag(p *Progress, n int) {
	for range n {
		s.tick()
	}
	s.Complete(p, p.Completed()+1)
}

func TestThreshold(t *testing.T) {
	for _, threshold := range []int{1, 10, 1000} {
		pace := DefaultPacing()
		pace.LagThreshold = threshold
		s := newStepper(t, Options{Pacing: pace})
		p := newParticipant(1, 1)
		s.Join(p)
		// One more than the threshold, less the tick it completes: no brake.
		s.lag(p, threshold+1)
		s.after(0)
		if s.brake.on || len(s.requests) != 0 {
			t.Errorf("threshold %d: a brake at lag %d", threshold, s.Global()-p.Completed())
		}
		s.lag(p, 2)
		s.after(0)
		if !s.brake.on {
			t.Errorf("threshold %d: no brake at lag %d", threshold, s.Global()-p.Completed())
		}
		held := s.Global()
		for range 10 {
			s.tick()
		}
		if s.Global() != held {
			t.Errorf("global tick %d, held at %d", s.Global(), held)
		}
		// Below the threshold is not caught up.
		s.Complete(p, held-1)
		s.tick()
		if !s.brake.on || s.Global() != held {
			t.Error("lifted before it had caught up")
		}
		s.Complete(p, held)
		s.after(0)
		if s.brake.on || s.Global() != held+1 {
			t.Errorf("braking %v at %d: want it lifted, and one tick at once", s.brake.on, s.Global())
		}
		s.after(s.pace.nominalTick() - 1)
		if s.Global() != held+1 {
			t.Error("a second tick before its time")
		}
		s.after(1)
		if s.Global() != held+2 {
			t.Error("no tick a whole tick later")
		}
		if e := s.brake.last(); len(e) != 1 || e[0].Tick != held || e[0].End.IsZero() {
			t.Errorf("episodes %+v", e)
		}
	}
}

// A participant asks once per episode, and again in the next.
func TestAsksOncePerEpisode(t *testing.T) {
	s := newStepper(t, Options{})
	p := newParticipant(1, 1)
	s.Join(p)
	for episode := range 3 {
		s.lag(p, 15)
		for range 3 {
			s.Complete(p, p.Completed()+1)
			s.RequestBrake(p)
		}
		if n := len(s.requests); n != 1 {
			t.Fatalf("episode %d: %d requests under way, want 1", episode, n)
		}
		s.after(0)
		s.Complete(p, p.Completed()+1)
		if n := len(s.requests); n != 0 || !s.brake.on {
			t.Fatalf("episode %d: %d requests while it holds the brake", episode, n)
		}
		s.Complete(p, s.Global())
		s.after(0)
		if s.brake.on {
			t.Fatalf("episode %d isn't over", episode)
		}
		s.Complete(p, s.Global())
	}
	if s.brake.count != 3 {
		t.Errorf("%d episodes, want 3", s.brake.count)
	}
	// Caught up by the time the request is looked at: no brake, and the next
	// request counts.
	s.lag(p, 15)
	s.Complete(p, s.Global())
	s.after(0)
	if s.brake.on || s.brake.count != 3 {
		t.Error("a brake for one that has caught up")
	}
	s.lag(p, 15)
	s.after(0)
	if !s.brake.on {
		t.Error("no brake: the participant believes it has asked already")
	}
}

// Repeats are merged, whatever comes along the channel.
func TestRepeatsMerge(t *testing.T) {
	s := newStepper(t, Options{})
	p := newParticipant(1, 1)
	s.Join(p)
	s.lag(p, 15)
	s.after(0)
	since := s.Laggards()[0].Since
	again := func() {
		for range 3 {
			if err := s.send(request{kind: requestBrake, generation: p.Generation(), participant: participant{p, p.ID()}}); err != nil {
				t.Fatal(err)
			}
		}
		s.after(time.Second)
	}
	again()
	if l := s.Laggards(); len(l) != 1 || !l[0].Since.Equal(since) || l[0].Held <= 0 || s.brake.count != 1 {
		t.Errorf("laggards %+v, want one since %v", l, since)
	}
	// A new life takes the old one's place, with a time of its own.
	if err := s.Leave(p); err != nil {
		t.Fatal(err)
	}
	<-s.requests // its unregister, as if it came later
	p.Publish(3)
	s.Join(p)
	again()
	if l := s.Laggards(); len(l) != 1 || l[0].Since.Equal(since) || len(s.brake.set) != 1 || len(s.brake.at) != 1 {
		t.Errorf("laggards %+v, want the new life", l)
	}
	s.Complete(p, s.Global())
	s.after(0)
	if s.brake.on {
		t.Error("not lifted")
	}
}

// RequestBrake holds at any lag, and only while there is some.
func TestRequestBrake(t *testing.T) {
	s := newStepper(t, Options{})
	p := newParticipant(1, 1)
	s.RequestBrake(p) // no member
	s.Join(p)
	s.RequestBrake(p) // nothing to hold
	s.after(0)
	if s.brake.on || len(s.requests) != 0 {
		t.Error("a brake at lag 0")
	}
	s.tick()
	s.RequestBrake(p)
	s.tick()
	if !s.brake.on || s.Global() != 1 {
		t.Errorf("braking %v at %d, want it at lag 1", s.brake.on, s.Global())
	}
	s.Complete(p, 1)
	s.after(0)
	if s.brake.on {
		t.Error("not lifted")
	}
}

// A brake, the end, the slot used again, and requests of the old life that
// come late: none of it touches the new participant.
func TestOldGenerationTouchesNothing(t *testing.T) {
	for _, c := range []struct {
		name   string
		before func(s stepper, p *Progress) // what the old life leaves behind
	}{
		{"registered", func(s stepper, p *Progress) { s.after(0) }},
		{"asked", func(stepper, *Progress) {}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newStepper(t, Options{})
			p := newParticipant(7, 1)
			s.Join(p)
			first := p.Generation()
			s.lag(p, 15)
			c.before(s, p)
			old := p.ID()
			ok := s.Leave(p) // its unregister stays in the queue
			if ok != nil {
				t.Fatal(ok)
			}
			p.Init(ParticipantID{Object: MakeObjectID(7, 2)}, make(chan struct{}, 1))
			p.Publish(2)
			s.Join(p)
			if p.Generation() != first+1 || p.ID() == old {
				t.Fatalf("generation %d of %v after %d of %v", p.Generation(), p.ID(), first, old)
			}
			// The new one lags and asks at once, behind the old unregister.
			s.Complete(p, 3)
			s.after(0)
			if l := s.Laggards(); !s.brake.on || len(l) != 1 || l[0].ID != p.ID() {
				t.Fatalf("laggards %+v, want the new one", l)
			}
			if _, again := p.ask(); again {
				t.Error("the old life's end made the new one forget that it has asked")
			}
			// A leave of the old life that comes later still does nothing.
			if err := s.send(request{kind: requestLeave, generation: first, participant: participant{p, old}}); err != nil {
				t.Fatal(err)
			}
			if err := s.send(request{kind: requestBrake, generation: first, participant: participant{p, old}}); err != nil {
				t.Fatal(err)
			}
			s.after(0)
			if l := s.Laggards(); !s.brake.on || len(l) != 1 || l[0].ID != p.ID() {
				t.Fatalf("laggards %+v after a late unregister, want the new one", l)
			}
			s.Complete(p, s.Global())
			s.after(0)
			if s.brake.on {
				t.Error("not lifted")
			}
			// It may ask again.
			s.lag(p, 15)
			s.after(0)
			if !s.brake.on {
				t.Error("the new one's second request is lost")
			}
		})
	}
}

// Two lives of one slot, each with its own Progress, at once.
func TestTwoLivesOfOneSlot(t *testing.T) {
	s := newStepper(t, Options{})
	a, b := newParticipant(3, 1), newParticipant(3, 2)
	s.Join(a)
	s.Join(b)
	for range 15 {
		s.tick()
	}
	s.Complete(a, 1)
	s.Complete(b, 1)
	s.after(0)
	if err := s.Leave(a); err != nil {
		t.Fatal(err)
	}
	s.after(0)
	if l := s.Laggards(); len(l) != 1 || l[0].ID != b.ID() || !s.brake.on {
		t.Errorf("laggards %+v, want %v", l, b.ID())
	}
	if err := s.Leave(b); err != nil {
		t.Fatal(err)
	}
	s.after(0)
	if s.brake.on {
		t.Error("an eternal brake")
	}
}

// A register and its unregister stay in order, also across checks, and many
// times over.
func TestRegisterUnregisterOrder(t *testing.T) {
	s := newStepper(t, Options{RequestsPerCheck: 1})
	p := newParticipant(1, 1)
	for range 5 {
		for range 15 {
			s.tick()
		}
		p.Publish(s.Global() - 15)
		s.Join(p)
		s.Complete(p, p.Completed()+1)
		if err := s.Leave(p); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(s.requests); n == 0 {
		t.Fatal("nothing under way")
	}
	for range 12 {
		s.after(0)
	}
	if s.brake.on || len(s.brake.set) != 0 || len(s.brake.at) != 0 {
		t.Errorf("left behind: %v", s.brake.set)
	}
	if n := len(s.requests); n != 0 {
		t.Errorf("%d requests left", n)
	}
	g := s.Global()
	s.tick()
	if s.Global() <= g {
		t.Error("no tick any more")
	}
}

// One that has left holds nothing from then on, even while its unregister
// waits behind a flood; and its leaving is what the lift's delay counts from.
func TestLeaveBehindFlood(t *testing.T) {
	for _, flood := range []int{0, 20} {
		s := newStepper(t, Options{RequestsPerCheck: 1})
		p := newParticipant(1, 1)
		s.Join(p)
		s.lag(p, 15)
		s.after(0)
		held := s.Global()
		for range flood {
			k := &call{f: func() error { return nil }, done: make(chan struct{})}
			if err := s.send(request{kind: requestCall, call: k}); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.Leave(p); err != nil {
			t.Fatal(err)
		}
		// Its Progress serves another life meanwhile.
		p.Init(ParticipantID{Object: MakeObjectID(1, 2)}, make(chan struct{}, 1))
		p.Publish(0)
		s.Join(p)
		s.after(0)
		if s.brake.on || s.Global() != held+1 {
			t.Errorf("flood of %d: braking %v at %d, held at %d", flood, s.brake.on, s.Global(), held)
		}
		if n := s.meter.lift.quantiles().Count; flood == 0 && n != 1 {
			t.Errorf("%d lift delays measured, want 1", n)
		}
	}
}

// A leave that empties the set and a request in the same check: one episode.
func TestEpisodeGoesOn(t *testing.T) {
	s := newStepper(t, Options{})
	a, b := newParticipant(1, 1), newParticipant(2, 1)
	s.Join(a)
	s.Join(b)
	s.lag(a, 15)
	s.after(0)
	held := s.Global()
	s.Complete(b, 1)
	if err := s.Leave(a); err != nil {
		t.Fatal(err)
	}
	s.tick()
	if s.Global() != held || s.brake.count != 1 {
		t.Errorf("global tick %d, %d episodes: want %d and 1", s.Global(), s.brake.count, held)
	}
}

// Who holds the brake for long is named, and logged once an episode.
func TestBrakeNamed(t *testing.T) {
	var log bytes.Buffer
	s := newStepper(t, Options{BrakeNamed: time.Second, Logger: slog.New(slog.NewTextHandler(&log, nil))})
	var ps []*Progress
	for i := range uint32(namedKept + 4) {
		ps = append(ps, newParticipant(i, 5))
		s.Join(ps[i])
	}
	s.lag(ps[1], 15)
	s.after(0)
	for _, p := range ps {
		s.Complete(p, 2)
	}
	s.after(500 * time.Millisecond)
	if n := s.Stats().Brake.Named; len(n) != 0 || log.Len() != 0 {
		t.Errorf("named %v after half a second: %s", n, log.String())
	}
	s.Complete(ps[1], 3)
	s.after(600 * time.Millisecond)
	st := s.Stats()
	if n := st.Brake.Named; len(n) != 1 || n[0].ID != ps[1].ID() || n[0].Completed != 3 {
		t.Errorf("named %+v, want %v at 3", n, ps[1].ID())
	}
	if st.Brake.Stalled != 0 {
		t.Errorf("stalled for %v, though one made progress", st.Brake.Stalled)
	}
	for range 50 {
		s.after(100 * time.Millisecond)
	}
	st = s.Stats()
	if n := st.Brake.Named; len(n) != namedKept || n[0].ID != ps[1].ID() {
		t.Errorf("%d named, the first %v: want %d, %v", len(n), n[0].ID, namedKept, ps[1].ID())
	}
	if st.Brake.Stalled < 4*time.Second || st.Brake.Stalled > 5*time.Second {
		t.Errorf("stalled for %v, want about 5s", st.Brake.Stalled)
	}
	if st.Brake.Total < 6*time.Second || st.Brake.Longest != st.Brake.Total || st.Brake.Share <= 0.9 || !st.Braking {
		t.Errorf("brake %+v", st.Brake)
	}
	if n := strings.Count(log.String(), "\n"); n != 1 || !strings.Contains(log.String(), "character 1.5") {
		t.Errorf("log: %s", log.String())
	}
}

// The rings of episodes and laggards are bounded.
func TestBrakeMemoryIsBounded(t *testing.T) {
	s := newStepper(t, Options{})
	p := newParticipant(1, 1)
	s.Join(p)
	for range episodesKept + 10 {
		s.lag(p, 15)
		s.after(0)
		s.Complete(p, s.Global())
		s.after(time.Millisecond)
		s.Complete(p, s.Global())
	}
	e := s.brake.last()
	if len(e) != episodesKept || s.brake.count != episodesKept+10 {
		t.Fatalf("%d episodes kept of %d", len(e), s.brake.count)
	}
	for i := range e[1:] {
		if !e[i+1].Start.After(e[i].Start) {
			t.Fatalf("episode %d doesn't come after %d", i+1, i)
		}
	}
	for range 2 * recentKept {
		s.tick()
		s.Complete(p, s.Global())
	}
	s.publish(s.last)
	r := s.Stats().Recent
	if len(r) != recentKept || r[recentKept-1].Tick != s.Global() || r[0].Tick != s.Global()-recentKept+1 {
		t.Errorf("%d releases kept, the last %d of %d", len(r), r[len(r)-1].Tick, s.Global())
	}
}

// A crowd of laggards is shown at once when small, every 50 ms when large, and
// its end at once.
func TestLaggardsShown(t *testing.T) {
	s := newStepper(t, Options{})
	var ps []*Progress
	for i := range uint32(showAlways + 36) {
		ps = append(ps, newParticipant(i, 1))
		s.Join(ps[i])
	}
	for range 15 {
		s.tick()
	}
	for _, p := range ps[:showAlways] {
		s.Complete(p, 1)
	}
	s.after(0)
	if n := len(s.Laggards()); n != showAlways {
		t.Errorf("%d laggards shown, want %d", n, showAlways)
	}
	for _, p := range ps[showAlways:] {
		s.Complete(p, 1)
	}
	s.after(0)
	if n := len(s.Laggards()); n != showAlways {
		t.Errorf("%d laggards shown at once, want still %d", n, showAlways)
	}
	s.after(showEvery)
	if n := len(s.Laggards()); n != len(ps) {
		t.Errorf("%d laggards shown, want %d", n, len(ps))
	}
	for _, p := range ps {
		s.Complete(p, s.Global())
	}
	s.after(0)
	if n := len(s.Laggards()); n != 0 {
		t.Errorf("%d laggards shown after the brake", n)
	}
}

// The backlog of a catch-up is dropped, and counted, when a brake comes.
func TestBrakeLeavesNoDebt(t *testing.T) {
	s := newStepper(t, Options{})
	p := newParticipant(1, 1)
	s.Join(p)
	for range 15 {
		s.tick()
	}
	s.after(5 * s.pace.nominalTick()) // one released, four left
	s.Complete(p, 1)
	s.after(0)
	g := s.Global()
	s.after(10 * time.Second)
	s.Complete(p, g)
	s.after(0)
	if s.Global() != g+1 || s.meter.dropped != 4 {
		t.Errorf("global tick %d, %d dropped: want %d and 4", s.Global(), s.meter.dropped, g+1)
	}
	s.after(s.pace.nominalTick())
	s.after(0)
	if s.Global() != g+2 {
		t.Errorf("global tick %d, want %d", s.Global(), g+2)
	}
}

// The per-tick path makes no garbage: the check that releases, a member's
// Complete, and the look at what is global.
func TestTickAllocatesNothing(t *testing.T) {
	for _, wait := range []Strategy{Poll, Gate} {
		for _, fast := range []bool{false, true} {
			pace := DefaultPacing()
			pace.Wait = wait
			s := newStepper(t, Options{Pacing: pace, MaxSpeed: fast})
			var ps []*Progress
			for i := range uint32(100) {
				ps = append(ps, newParticipant(i, 1))
				s.Join(ps[i])
			}
			s.meter.published = s.last.Add(time.Hour) // ten times a second, not every tick
			w := NewWaiter()
			w.wait(0, ps[0].bell)
			before := s.Global()
			n := testing.AllocsPerRun(200, func() {
				s.tick()
				for _, p := range ps {
					s.Complete(p, s.Global())
				}
				for i := range s.members.shards {
					s.members.shards[i].ringMembers()
				}
				s.Await(ps[0], w)
				_ = s.Released()
			})
			w.Close()
			if n != 0 {
				t.Errorf("%v, max speed %v: %v allocations a tick", wait, fast, n)
			}
			if s.Global() < before+200 {
				t.Errorf("only %d ticks", s.Global()-before)
			}
		}
	}
}

func TestReleasedIsConsistent(t *testing.T) {
	var b releaseBoard
	b.post(releaseNote{})
	done := make(chan struct{})
	go func() {
		defer close(done)
		for i := range 200_000 {
			d := time.Duration(i)
			b.post(releaseNote{tick: uint64(i), scheduled: d, actual: d, period: d, frozen: i%2 == 1})
		}
	}()
	last := uint64(0)
	for running := true; running; {
		select {
		case <-done:
			running = false
		default:
		}
		n := b.read()
		d := time.Duration(n.tick)
		if n.scheduled != d || n.actual != d || n.period != d || n.frozen != (n.tick%2 == 1) || n.tick < last {
			t.Fatalf("torn: %+v after %d", n, last)
		}
		last = n.tick
	}
	if last != 199_999 {
		t.Errorf("the last note read is %d", last)
	}
}

func TestQuantiles(t *testing.T) {
	h := newHistogram()
	for i := range 1000 {
		h.record(time.Duration(i+1) * time.Millisecond)
	}
	h.record(-time.Hour)
	h.record(time.Hour)
	q := h.quantiles()
	near := func(what string, got, want time.Duration) {
		if got < want-want/50 || got > want+want/50 {
			t.Errorf("%s %v, want %v", what, got, want)
		}
	}
	near("P50", q.P50, 500*time.Millisecond)
	near("P99", q.P99, 990*time.Millisecond)
	near("max", q.Max, time.Minute)
	if q.Count != 1002 {
		t.Errorf("count %d", q.Count)
	}
	if n := h.h.ByteSize(); n > 24<<10 {
		t.Errorf("a histogram takes %d bytes", n)
	}
	var m meter
	m.init(anchor)
	for i := range 30 {
		m.rate(anchor.Add(time.Duration(i)*100*time.Millisecond), loop.Tick(6*i))
	}
	if r := m.rate(anchor.Add(3*time.Second), 180); r < 59.9 || r > 60.1 {
		t.Errorf("rate %v, want 60", r)
	}
}
