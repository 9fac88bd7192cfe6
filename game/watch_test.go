package game

import (
	"testing"
	"time"

	"chronoscope/coordinator"
	"chronoscope/loop"
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
