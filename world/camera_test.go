package world_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"chronoscope/loop"
	"chronoscope/routes"
	"chronoscope/world"
)

func area(x0, y0, x1, y1 int32) *world.Area {
	return &world.Area{Lo: routes.Cell{X: x0, Y: y0}, Hi: routes.Cell{X: x1, Y: y1}}
}

// filmed lists the columns of zones that the camera holds.
func (b *bench) filmed() (xs []int32) {
	for _, z := range b.Zones(nil) {
		if z.Camera {
			xs = append(xs, z.Zone.X)
		}
	}
	slices.Sort(xs)
	return slices.Compact(xs)
}

func span(lo, hi int32) (xs []int32) {
	for x := lo; x <= hi; x++ {
		xs = append(xs, x)
	}
	return xs
}

// TestCamera moves a camera over a street of zones of 4 cells, while the world
// stands: it wakes what it touches, lets go of what is farther away than the
// radii differ, and of all at nil; what else holds a zone is of its own.
func TestCamera(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := shortMemory(40, 2, 2)
		o.Map, o.ZoneSide, o.WakeRadius, o.SleepRadius = corridor(), 4, 3, 8
		o.Pins = []routes.ZoneKey{{X: 26}}
		b := halted(t, o)
		b.settle(t)
		for _, tc := range []struct {
			name string
			area *world.Area
			want []int32
		}{
			{"nothing yet", nil, nil},
			{"a single cell", area(100, 3, 100, 3), span(25, 25)},
			{"up to a border", area(100, 0, 103, 7), span(25, 25)},
			{"over it", area(100, 0, 104, 7), span(25, 26)},
			{"5 cells on: zone 25 stays", area(109, 0, 112, 7), span(25, 28)},
			{"6 cells on: it sleeps", area(110, 0, 112, 7), span(26, 28)},
			{"back, within what is left", area(104, 0, 105, 7), span(26, 27)},
			{"far away", area(400, 0, 1000, 1000), span(100, 103)},
			{"outside, near", area(418, 0, 500, 5), span(103, 103)},
			{"outside, far", area(1<<31-9, -1<<31, 1<<31-1, 1<<31-1), nil},
			{"everything", area(-1<<31, -1<<31, 1<<31-1, 1<<31-1), span(0, 103)},
			{"let go", nil, nil},
			{"let go again", nil, nil},
		} {
			if err := b.SetCamera(tc.area); err != nil {
				t.Fatalf("%s: %v", tc.name, err)
			}
			if tc.area != nil {
				*tc.area = world.Area{} // it is the caller's again
			}
			b.settle(t)
			if got := b.filmed(); !slices.Equal(got, tc.want) {
				t.Errorf("%s: columns %v, want %v", tc.name, got, tc.want)
			}
			if !b.ZonePinned(routes.ZoneKey{X: 26}) || !b.ZoneActive(routes.ZoneKey{X: 26}) || b.ZonePinned(routes.ZoneKey{X: 27}) {
				t.Errorf("%s: the pin is lost", tc.name)
			}
			now := b.Coordinator().Global()
			for spawn, m := range b.living() {
				if b.ZoneActive(routes.ZoneAt(m.Leg.At(now), 4)) && m.Mode != world.Active {
					t.Errorf("%s: character %d is %v in an active zone", tc.name, spawn, m.Mode)
				}
			}
		}
		if n := b.Coordinator().Global(); n != 0 {
			t.Errorf("%d ticks were released", n)
		}
		b.pass(t, 5)
		r := b.close()
		r.sound(t)
		if r.stats.ZonesActive != 1 {
			t.Errorf("%d zones are active", r.stats.ZonesActive)
		}
	})
}

func TestCameraRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := open(t, options(1, 0))
		for _, wrong := range []*world.Area{area(5, 0, 4, 9), area(0, 5, 9, 4)} {
			if err := b.SetCamera(wrong); err == nil || !strings.Contains(err.Error(), "camera") {
				t.Errorf("%+v: %v", wrong, err)
			}
		}
		b.close()
		if err := b.SetCamera(area(0, 0, 1, 1)); !errors.Is(err, world.ErrStopped) {
			t.Errorf("after the end: %v", err)
		}
	})
}

// TestCameraCoalesces moves the camera a hundred thousand times faster than
// anyone looks: what counts is where it ends, and nothing piles up.
func TestCameraCoalesces(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := shortMemory(40, 2, 2)
		o.Map, o.ZoneSide = corridor(), 4
		b := halted(t, o)
		b.settle(t)
		var movers sync.WaitGroup
		for i := range int32(4) {
			movers.Go(func() {
				for x := range int32(25_000) {
					_ = b.SetCamera(area(x%400, 0, x%400+i, 7))
				}
			})
		}
		movers.Wait()
		// So far from wherever they were that no zone of theirs stays.
		must(t, b.SetCamera(area(412, 0, 415, 7)))
		b.settle(t)
		if got := b.filmed(); !slices.Equal(got, span(103, 103)) {
			t.Errorf("columns %v", got)
		}
		n := testing.AllocsPerRun(100, func() { must(t, b.SetCamera(area(412, 0, 415, 7))) })
		if n > 1 { // the area of the call
			t.Errorf("%v allocations for a camera that stands", n)
		}
		s := b.close().stats
		if s.Inbox.Pending != 0 || s.Inbox.High > 1 {
			t.Errorf("inboxes: %+v", s.Inbox)
		}
	})
}

// TestCameraSweepsInPieces wakes a map of so many zones that the keeper can't do
// it between two ticks: the world goes on meanwhile, and all are awake, or
// asleep again, in the end.
func TestCameraSweepsInPieces(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := shortMemory(20, 2, 2)
		o.Life = world.LifeNight
		m := &routes.Map{Name: "plain", Width: 512, Height: 512, Cost: routes.DefaultCosts()}
		m.Terrain = slices.Repeat([]routes.Terrain{routes.Field}, 512*512)
		for i := range int32(8) {
			m.Places = append(m.Places, routes.Place{Name: "door", Kind: routes.PlaceKind(i % 2), Cell: routes.Cell{X: i * 60, Y: i * 60}})
		}
		o.Map, o.ZoneSide = m, 2
		b := halted(t, o)
		must(t, b.SetCamera(area(0, 0, 511, 511)))
		b.settle(t)
		if s := b.Stats(); s.ZonesActive != 256*256 || s.Active != 20 {
			t.Errorf("%d zones active, %d characters", s.ZonesActive, s.Active)
		}
		// Away before it is done, to the other end and to nothing.
		for _, a := range []*world.Area{area(0, 0, 255, 255), nil, area(0, 0, 511, 511), area(300, 300, 301, 301), nil} {
			must(t, b.SetCamera(a))
			b.release(t, 1)
		}
		b.pass(t, 5)
		if s := b.Stats(); s.ZonesActive != 0 || s.Active != 0 || len(b.Zones(nil)) != 0 {
			t.Errorf("%d zones are still active, %d characters", s.ZonesActive, s.Active)
		}
		b.close().sound(t)
	})
}

// TestCameraJumps has a camera jump across more than 100 zones within a tick,
// time and again: at the new place a viewer gets exactly those who stand there,
// and they are active.
func TestCameraJumps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := shortMemory(100, 2, 2)
		o.Map, o.ZoneSide, o.Life = corridor(), 2, world.LifeRush
		o.WakeRadius, o.SleepRadius = 2, 4
		b := halted(t, o)
		b.pass(t, world.RushAt+100) // everyone is on the way
		random := rand.New(rand.NewPCG(6, 7))
		seen, moving, left := 0, 0, true
		viewer := b.Viewer()
		for jump := range 120 {
			x := random.Int32N(60)
			if left = !left; left {
				x += 260
			}
			lo, hi := routes.Cell{X: x}, routes.Cell{X: x + 80, Y: 7}
			exact := func() []uint64 {
				t.Helper()
				synctest.Wait()
				var got []uint64
				for _, m := range viewer.Visible(lo, hi, nil) {
					got = append(got, m.Spawn)
				}
				slices.Sort(got)
				if want := b.inZones(routes.ZoneKey{X: lo.X / 2}, routes.ZoneKey{X: hi.X / 2, Y: 3}); !slices.Equal(got, want) {
					t.Fatalf("jump %d: %v are drawn, %v stand there", jump, got, want)
				}
				return got
			}
			exact()
			if jump%2 == 0 {
				b.release(t, 1)
			}
			must(t, b.SetCamera(&world.Area{Lo: lo, Hi: hi}))
			exact()
			b.settle(t)
			seen += len(exact())
			now := b.Coordinator().Global()
			for spawn, m := range b.living() {
				z := routes.ZoneAt(m.Leg.At(now), 2)
				filmed := z.X >= lo.X/2 && z.X <= hi.X/2
				if filmed && (!b.ZoneActive(z) || m.Mode != world.Active || m.Completed != now) {
					t.Fatalf("jump %d: character %d under the camera is %v at %d", jump, spawn, m.Mode, m.Completed)
				}
				if filmed && m.Leg.Kind == routes.Route {
					moving++
				}
			}
			b.pass(t, 1+loop.Tick(jump%7))
			if n := len(b.filmed()); n > 43 {
				t.Fatalf("jump %d: %d columns are active", jump, n)
			}
		}
		b.drawnOnce(t)
		b.close().sound(t)
		if seen < 1000 || moving < 100 {
			t.Errorf("only %d were seen in 120 jumps, %d moving", seen, moving)
		}
	})
}

// TestCameraSweepsForADay lets a day pass with no zone active but those under a
// camera that never stands still: all legs begin and end at the ticks at which
// they do while nobody looks.
func TestCameraSweepsForADay(t *testing.T) {
	last, enough := loop.TicksPerDay, uint64(200)
	if world.RaceEnabled {
		last, enough = last/4, enough/4
	}
	play := func(sweeps bool) (r result) {
		synctest.Test(t, func(t *testing.T) {
			b := halted(t, shortMemory(12, 30, 20))
			x := int32(0)
			for b.Coordinator().Global() < last {
				if x += 5; sweeps {
					must(t, b.SetCamera(area(x%80-16, 10, x%80, 50)))
				}
				b.pass(t, 120)
			}
			r = b.close()
			r.sound(t)
		})
		return r
	}
	plain, swept := play(false), play(true)
	same(t, "swept", plain, swept)
	if plain.stats.Activations != 0 {
		t.Error("a zone was active while nobody looked")
	}
	s := swept.stats
	if s.Activated < enough || s.Deactivated < enough || s.LegsStarted != plain.stats.LegsStarted {
		t.Errorf("%d activated, %d deactivated, %d legs, %d while nobody looks", s.Activated, s.Deactivated, s.LegsStarted, plain.stats.LegsStarted)
	}
}
