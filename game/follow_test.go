package game

import (
	"math"
	"testing"

	"chronoscope/overlay"
	"chronoscope/routes"
)

// The camera comes to who is followed within a second and stays there, however
// fast they move and whatever the frame rate.
func TestFollow(t *testing.T) {
	for _, fps := range []float64{20, 60, 240} {
		for _, speed := range []float64{0, 5, 80} { // cells a second
			cam := testCamera()
			cam.Scale = 16
			var f follower
			x, y := 20.0, 100.0
			last := math.Inf(1)
			for range int(fps * 1.5) {
				x += speed / fps
				f.step(cam, x, y, 1/fps)
				d := math.Hypot(cam.X-x, cam.Y-y)
				if d > last+1e-9 {
					t.Fatalf("%v frames a second, speed %v: the distance grows from %v to %v", fps, speed, last, d)
				}
				last = d
			}
			if last > 0.02 {
				t.Errorf("%v frames a second, speed %v: still %v cells apart", fps, speed, last)
			}
		}
	}
}

// A zoom under way and following don't pull at each other.
func TestFollowWhileZooming(t *testing.T) {
	cam := testCamera()
	var f follower
	x := 100.0
	cam.Center(x, 60)
	f.step(cam, x, 60, 0)
	mx, my := cam.middle()
	cam.ZoomBy(4, mx, my)
	for range 60 {
		x += 0.05
		cam.Advance(1.0 / 60)
		f.step(cam, x, 60, 1.0/60)
		if d := math.Abs(cam.X - x); d > 1e-6 {
			t.Fatalf("%v cells apart", d)
		}
	}
	if cam.Zoom() != 4 {
		t.Errorf("zoom %v, want 4", cam.Zoom())
	}
}

func TestFollowStops(t *testing.T) {
	f := newFakeTown(smallTown(t), 5)
	g := testGame(t, f)
	g.choose(overlay.Selection{Kind: overlay.OneCharacter, Spawn: 2})
	g.apply(overlay.Intents{ToggleFollow: true}, frozenClock())
	g.followSelected(1e9)
	g.followSelected(1e9)
	d, _ := f.Where(f.moment, 2)
	if !g.follow || !near(g.cam.X, float64(d.X), 0.1) || !near(g.cam.Y, float64(d.Y), 0.1) {
		t.Fatalf("follows: %v; at (%v, %v), want (%v, %v)", g.follow, g.cam.X, g.cam.Y, d.X, d.Y)
	}
	g.unfollow()
	g.cam.Pan(100, 0)
	x := g.cam.X
	g.followSelected(1e9)
	if g.cam.X != x {
		t.Error("moved by hand, and pulled back")
	}
	g.apply(overlay.Intents{ToggleFollow: true}, frozenClock())
	g.choose(overlay.Selection{Kind: overlay.OneZone, Zone: routes.ZoneKey{X: 1}})
	if g.follow {
		t.Error("follows a zone")
	}
}

// The world is told what the camera sees only when asked to, when that has
// changed, and not in each frame.
func TestWakeUnderCamera(t *testing.T) {
	f := newFakeTown(smallTown(t), 5)
	g := testGame(t, f)
	now := frozenClock()
	g.wakeUnderCamera(now)
	if f.camera {
		t.Fatal("the camera wakes zones without being asked to")
	}
	told := func() routes.Cell { return g.waking.lo }
	g.cameraWakes = true
	g.wakeUnderCamera(now)
	first := told()
	if lo, _ := g.cam.Visible(); !f.camera || first != lo {
		t.Fatalf("told %v, the view begins at %v", first, lo)
	}
	g.cam.Center(20, 20)
	g.wakeUnderCamera(now.Add(cameraEvery / 2))
	if told() != first {
		t.Error("told twice within a tenth of a second")
	}
	g.wakeUnderCamera(now.Add(cameraEvery))
	if told() == first {
		t.Error("not told of the new view")
	}
	g.cameraWakes = false
	g.wakeUnderCamera(now.Add(cameraEvery))
	if f.camera {
		t.Error("the camera still wakes zones")
	}
}
