package frametime_test

import (
	"testing"
	"time"

	"chronoscope/loop"
	"chronoscope/loop/frametime"
)

// What VSync and a frame cap make of 60 ticks a second on 60 and 120 Hz.
func TestMatrix(t *testing.T) {
	cells := frametime.Matrix(loop.Hz(60))
	golden(t, "matrix.txt", frametime.MatrixText(cells))
	if len(cells) != 12 {
		t.Fatalf("%d cells", len(cells))
	}
	for _, c := range cells {
		want := c.Refresh.Float()
		switch {
		case c.VSync && c.Cap.Valid():
			want = min(want, c.Cap.Float())
		case c.Cap.Valid():
			want = c.Cap.Float()
		case !c.VSync:
			want = 500
		}
		if !near(c.FPS, want, want/400) {
			t.Errorf("%v Hz, VSync %v, cap %v: %.2f frames a second, want %v", c.Refresh, c.VSync, c.Cap, c.FPS, want)
		}
		if c.Defects != (frametime.Defects{}) {
			t.Errorf("%v Hz, VSync %v, cap %v: %+v in %s", c.Refresh, c.VSync, c.Cap, c.Defects, c.Cadence)
		}
	}
}

// The wait for the display isn't work, nor is the wait of the cap.
func TestWaitIsNoWork(t *testing.T) {
	for _, tt := range []struct {
		name                string
		s                   frametime.Schedule
		busy, capWait, wait time.Duration
	}{
		{"VSync", frametime.Schedule{VSync: true}, 2 * ms, 0, 8 * ms},
		{"cap", frametime.Schedule{Cap: loop.Hz(50)}, 2 * ms, 18 * ms, 0},
		{"both", frametime.Schedule{VSync: true, Cap: loop.Hz(50)}, 2 * ms, 13 * ms, 5 * ms},
		{"neither", frametime.Schedule{}, 2 * ms, 0, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.s.Display = frametime.VirtualDisplay{Rate: loop.Hz(100)}
			frames := tt.s.Frames(20)
			for i := range frames[1:] {
				f := &frames[i+1]
				if f.Busy() != tt.busy || f.CapWait() != tt.capWait || f.Wait() != tt.wait {
					t.Fatalf("frame %d: busy %v, cap %v, wait %v", i, f.Busy(), f.CapWait(), f.Wait())
				}
				if f.Busy()+f.CapWait()+f.Wait() != f.Interval() {
					t.Fatalf("frame %d: the parts are not the interval %v", i, f.Interval())
				}
			}
		})
	}
	unknown := frametime.Frame{Layout: 0, Next: int64(8 * ms), Flags: frametime.NoStamps}
	if unknown.Busy() != 0 || unknown.Wait() != 0 || unknown.CapWait() != 0 {
		t.Error("a frame without stamps tells its work")
	}
}

// A frame that is ready late is shown at a later refresh, and a late one is
// late for the cap as well, but not for good.
func TestLateFrames(t *testing.T) {
	s := frametime.Schedule{Display: frametime.VirtualDisplay{Rate: loop.Hz(100)}, VSync: true, Work: 12 * ms}
	for i, f := range s.Frames(5) {
		if f.Interval() != 20*ms {
			t.Errorf("frame %d: %v", i, f.Interval())
		}
	}
	s = frametime.Schedule{Display: frametime.VirtualDisplay{Rate: loop.Hz(100)}, Cap: loop.Hz(100), Work: 12 * ms}
	for i, f := range s.Frames(5) {
		if f.Interval() != 20*ms {
			t.Errorf("capped frame %d: %v", i, f.Interval())
		}
	}
	vrr := frametime.Schedule{Display: frametime.VirtualDisplay{Rate: loop.Hz(48), Fastest: loop.Hz(144)}, VSync: true, Work: 12 * ms}
	for i, f := range vrr.Frames(5) {
		if f.Interval() != 12*ms {
			t.Errorf("on a variable refresh frame %d: %v", i, f.Interval())
		}
	}
}
