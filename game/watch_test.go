package game

import (
	"math"
	"testing"
	"time"

	"chronoscope/coordinator"
	"chronoscope/loop"
	"chronoscope/overlay"
	"chronoscope/routes"
	"chronoscope/world"
)

func TestAlpha(t *testing.T) {
	due := time.Unix(1000, 0)
	const period = 20 * time.Millisecond
	tests := []struct {
		name   string
		now    time.Duration
		period time.Duration
		want   float64
	}{
		{"at the tick", 0, period, 0},
		{"in between", 5 * time.Millisecond, period, 0.25},
		{"the next is late", 50 * time.Millisecond, period, 1},
		{"released early", -5 * time.Millisecond, period, 0},
		{"no period yet", 5 * time.Millisecond, 0, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := alphaAt(due.Add(tt.now), due, tt.period); got != tt.want {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

// While the world stands still nobody moves, and nobody jumps when it stops.
func TestAlphaStandsStill(t *testing.T) {
	s := &watched{}
	due := time.Unix(1000, 0)
	at := func(tick loop.Tick, frozen bool, after time.Duration) float64 {
		s.advance(coordinator.ReleaseInfo{Tick: tick, Scheduled: due, Period: 20 * time.Millisecond, Frozen: frozen}, due.Add(after))
		return s.alpha
	}
	const m = time.Millisecond
	if a := at(5, false, 10*m); a != 0.5 {
		t.Errorf("running: %v, want 0.5", a)
	}
	if a := at(5, true, 300*m); a != 0.5 {
		t.Errorf("frozen: %v, want 0.5 still", a)
	}
	if a := at(6, true, 301*m); a != 0 {
		t.Errorf("stepped to the next tick: %v, want 0", a)
	}
	if a := at(7, false, 15*m); a != 0.75 {
		t.Errorf("running again: %v, want 0.75", a)
	}
}

// With the frames' clock a frame shows the instant it has made due, whether or
// not the coordinator has been quick enough to release the tick before the look.
func TestFrameShowsWhatItHasMadeDue(t *testing.T) {
	due := time.Unix(1000, 0)
	const period = 20 * time.Millisecond
	tests := []struct {
		name     string
		released loop.Tick // after tick 7, at due
		fed      int       // ticks after 7
		kept     loop.Tick // of those that are due
		after    time.Duration
		tick     loop.Tick
		alpha    float64
	}{
		{"nothing was due", 7, 0, 8, 15 * time.Millisecond, 7, 0.75},
		{"nothing was due, and the frame is late", 7, 0, 8, 25 * time.Millisecond, 7, 1},
		{"released before the look", 8, 1, 8, 25 * time.Millisecond, 8, 0.25},
		{"released after it", 7, 1, 8, 25 * time.Millisecond, 8, 0.25},
		{"several, none released", 7, 3, 8, 65 * time.Millisecond, 10, 0.25},
		{"several, one released", 8, 3, 8, 65 * time.Millisecond, 10, 0.25},
		{"a slow frame's worth", 7, 6, 8, 125 * time.Millisecond, 13, 0.25},
		{"a flood", 7, 100, 8, 2005 * time.Millisecond, 15, 0.25},
		{"several, of which one is kept", 7, 3, 1, 65 * time.Millisecond, 8, 0.25},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := &watched{ahead: tt.kept}
			if tt.fed > 0 {
				s.fed = due.Add(time.Duration(tt.fed) * period)
			}
			r := coordinator.ReleaseInfo{Tick: tt.released, Scheduled: due.Add(time.Duration(tt.released-7) * period), Period: period}
			s.advance(r, due.Add(tt.after))
			if s.tick != tt.tick || math.Abs(s.alpha-tt.alpha) > 1e-9 {
				t.Errorf("shows tick %d and %v, want %d and %v", s.tick, s.alpha, tt.tick, tt.alpha)
			}
			// A hold keeps what is shown.
			r.Frozen = true
			s.advance(r, due.Add(time.Hour))
			if s.tick != tt.tick || math.Abs(s.alpha-tt.alpha) > 1e-9 {
				t.Errorf("held, it shows tick %d and %v", s.tick, s.alpha)
			}
		})
	}
}

// While more is due than will be released the picture waits, and never goes back.
func TestFrameShowsAFlood(t *testing.T) {
	due := time.Unix(1000, 0)
	const period = 20 * time.Millisecond
	s := &watched{ahead: 2}
	r := coordinator.ReleaseInfo{Tick: 7, Scheduled: due, Period: period}
	last := 0.0
	for i := range 40 {
		now := due.Add(period/2 + time.Duration(i)*period/2)
		s.fed = due.Add(now.Sub(due).Truncate(period))
		s.advance(r, now)
		if shown := float64(s.tick) + s.alpha; shown < last || shown > 10 {
			t.Fatalf("frame %d shows %v after %v", i, shown, last)
		} else {
			last = shown
		}
	}
	if last != 9.5 {
		t.Errorf("it ends at %v", last)
	}
}

func TestDotOfAMark(t *testing.T) {
	m := testGround()
	p, err := routes.NewSearcher(m).Find(routes.Cell{X: 10, Y: 10}, routes.Cell{X: 20, Y: 10})
	if err != nil {
		t.Fatal(err)
	}
	way := routes.NewRoute(1, 1, p, 100)
	stay := routes.NewStay(1, 1, routes.Cell{X: 3, Y: 4}.Center(), 0, loop.MaxTick, 16)
	id := coordinator.MakeObjectID(3, 1)
	s := &watched{lag: map[coordinator.ObjectID]int32{id: 14}}
	now := Moment{Tick: 124, Alpha: 0.5} // two cells and half a tick
	const half = 0.5 / routes.TicksPerCell
	tests := []struct {
		name string
		mark world.Mark
		want Dot
	}{
		{"at rest", world.Mark{Mode: world.Sleeping, Leg: stay}, Dot{X: 3.5, Y: 4.5, Mode: Resting}},
		{"asleep on the way", world.Mark{Mode: world.Sleeping, Leg: way}, Dot{X: 12.5 + half, Y: 10.5, Mode: Walking}},
		{"arrived, not woken yet", world.Mark{Mode: world.Sleeping, Leg: routes.NewRoute(1, 1, p, 0)}, Dot{X: 20.5, Y: 10.5, Mode: Resting}},
		{"active", world.Mark{Mode: world.Active, Leg: way, Completed: 124}, Dot{X: 12.5 + half, Y: 10.5, DX: 1, Mode: Active}},
		{"active, about to run the tick", world.Mark{Mode: world.Active, Leg: way, Completed: 123}, Dot{X: 12.5 + half, Y: 10.5, DX: 1, Mode: Active}},
		{"one behind that will catch up", world.Mark{Mode: world.Active, Leg: way, Completed: 122}, Dot{X: 12.5, Y: 10.5, DX: 1, Mode: Active}},
		{"a laggard stands where it has got to", world.Mark{Mode: world.Active, Object: id, Leg: way, Completed: 110}, Dot{X: 11.5, Y: 10.5, DX: 1, Mode: Active, Lag: 14}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := s.dot(now, &tt.mark)
			if !near(float64(got.X), float64(tt.want.X), 1e-3) || !near(float64(got.Y), float64(tt.want.Y), 1e-3) {
				t.Errorf("at (%v, %v), want (%v, %v)", got.X, got.Y, tt.want.X, tt.want.Y)
			}
			got.X, got.Y = tt.want.X, tt.want.Y
			if got != tt.want {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
		})
	}
}

// What is drawn moves evenly although ticks are released late: the share of a
// tick counts from when the tick was due. Here each release comes up to a third
// of a tick late; counted from the release, everyone would stop and jump.
func TestMotionIsEven(t *testing.T) {
	m := testGround()
	p, err := routes.NewSearcher(m).Find(routes.Cell{X: 10, Y: 10}, routes.Cell{X: 200, Y: 10})
	if err != nil {
		t.Fatal(err)
	}
	leg := routes.NewRoute(1, 1, p, 0)
	start := time.Unix(1000, 0)
	for _, rate := range []int{1, 7, 60, 240} {
		period := time.Second / time.Duration(rate)
		late := func(n loop.Tick) time.Duration { return time.Duration(mix64(uint64(n))%333) * period / 1000 }
		s := &watched{lag: map[coordinator.ObjectID]int32{}}
		tick := loop.Tick(0)
		worst := 0.0
		for at := time.Duration(0); at < 20*period; at += period / 37 {
			for at >= time.Duration(tick+1)*period+late(tick+1) {
				tick++
			}
			s.advance(coordinator.ReleaseInfo{Tick: tick, Scheduled: start.Add(time.Duration(tick) * period), Period: period}, start.Add(at))
			d := s.dot(Moment{Tick: tick, Alpha: s.alpha}, &world.Mark{Mode: world.Sleeping, Leg: leg})
			// While a release is overdue nobody can move on: that is all that may
			// be missing.
			want := min(float64(at)/float64(period), float64(tick)+1)
			worst = max(worst, math.Abs((float64(d.X)-10.5)*routes.TicksPerCell-want))
		}
		if worst > 0.01 {
			t.Errorf("%d ticks a second: up to %.3f ticks from where it is at that instant", rate, worst)
		}
	}
}

// Falling asleep, waking up and being a tick or two behind move nobody, and a
// laggard never goes back.
func TestMotionIsContinuous(t *testing.T) {
	m := testGround()
	p, err := routes.NewSearcher(m).Find(routes.Cell{X: 10, Y: 10}, routes.Cell{X: 20, Y: 10})
	if err != nil {
		t.Fatal(err)
	}
	leg := routes.NewRoute(1, 1, p, 0)
	s := &watched{lag: map[coordinator.ObjectID]int32{}}
	for tick := loop.Tick(5); tick < 90; tick++ {
		for _, alpha := range []float64{0, 0.3, 0.99} {
			at := Moment{Tick: tick, Alpha: alpha}
			asleep := s.dot(at, &world.Mark{Mode: world.Sleeping, Leg: leg})
			for behind := range loop.Tick(2) {
				awake := s.dot(at, &world.Mark{Mode: world.Active, Leg: leg, Completed: tick - behind})
				if awake.X != asleep.X || awake.Y != asleep.Y {
					t.Fatalf("tick %d + %v, %d behind: awake at %v, asleep at %v", tick, alpha, behind, awake.X, asleep.X)
				}
			}
		}
	}
	last := float32(0)
	for tick := loop.Tick(50); tick < 70; tick++ { // it has stopped at 50
		for _, alpha := range []float64{0, 0.25, 0.5, 0.75} {
			d := s.dot(Moment{Tick: tick, Alpha: alpha}, &world.Mark{Mode: world.Active, Leg: leg, Completed: 50})
			if d.X < last {
				t.Fatalf("tick %d + %v: went back from %v to %v", tick, alpha, last, d.X)
			}
			last = d.X
		}
	}
	if x, _ := leg.AtFraction(50+drawnAhead, 0); !near(float64(last), x, 1e-4) {
		t.Errorf("stands at %v, want %v", last, x)
	}
}

// Someone who braked the world and ended keeps its number in the list of brakes.
func TestCauseThatHasEnded(t *testing.T) {
	w := runningWorld(t)
	s := Watch(w, overlay.Setup{}, 0, nil).(*watched)
	d, ok := w.Inspect(42)
	if !ok {
		t.Fatal("nobody has spawn number 42")
	}
	cause := &coordinator.Laggard{ID: coordinator.ParticipantID{Kind: coordinator.KindCharacter, Object: d.Mark.Object}}
	now := time.Unix(1000, 0)
	name := func() string {
		known := make(map[coordinator.ObjectID]uint64)
		r := s.row(cause, now, known)
		s.braked = known
		return r.Name
	}
	if got := name(); got != "#42" {
		t.Errorf("alive: %q", got)
	}
	if err := w.End(42); err != nil {
		t.Fatal(err)
	}
	for limit := time.Now().Add(waitLimit); ; time.Sleep(time.Millisecond) {
		if _, ok := w.Inspect(42); !ok {
			break
		}
		if time.Now().After(limit) {
			t.Fatal("it doesn't end")
		}
	}
	for range 2 {
		if got := name(); got != "#42, ended" {
			t.Errorf("ended: %q", got)
		}
	}
	s.braked = nil
	if r := s.row(cause, now, make(map[coordinator.ObjectID]uint64)); r.Name != "one now ended" || r.Placed {
		t.Errorf("never seen alive: %+v", r)
	}
}
