package game

import (
	"image"
	"math"
	"testing"

	"chronoscope/overlay"

	"pgregory.net/rapid"
)

func near(a, b, tolerance float64) bool { return math.Abs(a-b) <= tolerance }

func testCamera() *Camera {
	c := NewCamera(256, 128)
	c.SetView(image.Rect(0, 36, 1100, 736), 1)
	return c
}

func TestCameraRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := testCamera()
		c.X, c.Y = rapid.Float64Range(0, 256).Draw(t, "x"), rapid.Float64Range(0, 128).Draw(t, "y")
		c.Scale = rapid.Float64Range(1, 256).Draw(t, "scale")
		sx, sy := rapid.Float64Range(-500, 2000).Draw(t, "sx"), rapid.Float64Range(-500, 2000).Draw(t, "sy")
		x, y := c.ToMap(sx, sy)
		if bx, by := c.ToScreen(x, y); !near(bx, sx, 1e-6) || !near(by, sy, 1e-6) {
			t.Fatalf("(%v, %v) comes back as (%v, %v)", sx, sy, bx, by)
		}
	})
}

// What is under the pointer stays there while a zoom is under way, as long as
// the middle of the view stays on the map.
func TestZoomKeepsWhatIsUnderThePointer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := testCamera()
		c.X, c.Y, c.Scale = 128, 64, rapid.Float64Range(8, 100).Draw(t, "scale")
		sx, sy := rapid.Float64Range(450, 650).Draw(t, "sx"), rapid.Float64Range(300, 480).Draw(t, "sy")
		x, y := c.ToMap(sx, sy)
		for range rapid.IntRange(1, 6).Draw(t, "notches") {
			c.ZoomBy(rapid.SampledFrom([]float64{wheelStep, 1 / wheelStep}).Draw(t, "notch"), sx, sy)
			c.Advance(rapid.Float64Range(0, 0.05).Draw(t, "dt"))
			if gx, gy := c.ToMap(sx, sy); !near(gx, x, 1e-6) || !near(gy, y, 1e-6) {
				t.Fatalf("(%v, %v) has become (%v, %v)", x, y, gx, gy)
			}
		}
	})
}

func TestZoom(t *testing.T) {
	finish := func(c *Camera) {
		for range 100 {
			c.Advance(1.0 / 60)
		}
	}
	t.Run("reaches its goal", func(t *testing.T) {
		c := testCamera()
		c.ZoomBy(2, 550, 386)
		c.Advance(1.0 / 60)
		if c.Scale <= CellPixels || c.Scale >= 2*CellPixels {
			t.Errorf("after one frame %v, want it on its way from 16 to 32", c.Scale)
		}
		finish(c)
		if c.Scale != 2*CellPixels || c.Zoom() != 2 {
			t.Errorf("scale %v, zoom %v, want 32 and 2", c.Scale, c.Zoom())
		}
	})
	t.Run("notches add up", func(t *testing.T) {
		c := testCamera()
		c.ZoomBy(2, 550, 386)
		c.ZoomBy(2, 550, 386)
		if finish(c); c.Scale != 4*CellPixels {
			t.Errorf("scale %v, want 64", c.Scale)
		}
	})
	t.Run("ends at the range", func(t *testing.T) {
		c := testCamera()
		c.ZoomBy(1e9, 550, 386)
		if finish(c); c.Zoom() != MaxZoom {
			t.Errorf("zoom %v, want %v", c.Zoom(), MaxZoom)
		}
		c.ZoomBy(1e-9, 550, 386)
		if finish(c); c.Zoom() != MinZoom {
			t.Errorf("zoom %v, want %v", c.Zoom(), MinZoom)
		}
	})
	t.Run("a drag ends it", func(t *testing.T) {
		c := testCamera()
		c.ZoomBy(2, 550, 386)
		c.Pan(10, 0)
		s := c.Scale
		if finish(c); c.Scale != s {
			t.Errorf("scale went on from %v to %v", s, c.Scale)
		}
	})
}

func TestFit(t *testing.T) {
	tests := []struct {
		name string
		w, h int32
		view image.Rectangle
	}{
		{"wide map", 256, 64, image.Rect(0, 36, 1100, 736)},
		{"high map", 64, 256, image.Rect(0, 36, 1100, 736)},
		{"narrow view", 128, 128, image.Rect(0, 36, 400, 736)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := NewCamera(tt.w, tt.h)
			c.SetView(tt.view, 1)
			c.Fit()
			x0, y0 := c.ToScreen(0, 0)
			x1, y1 := c.ToScreen(float64(tt.w), float64(tt.h))
			got := image.Rect(int(x0), int(y0), int(x1), int(y1))
			if !got.In(tt.view) || (got.Dx() < tt.view.Dx()*9/10 && got.Dy() < tt.view.Dy()*9/10) {
				t.Errorf("the map is drawn at %v in %v", got, tt.view)
			}
		})
	}
	t.Run("as far as the zoom goes", func(t *testing.T) {
		c := NewCamera(4096, 4096)
		c.SetView(image.Rect(0, 0, 500, 500), 1)
		if c.Fit(); c.Zoom() != MinZoom {
			t.Errorf("zoom %v, want %v", c.Zoom(), MinZoom)
		}
	})
}

func TestPan(t *testing.T) {
	c := testCamera()
	x, y := c.ToMap(300, 300)
	c.Pan(40, -25)
	if gx, gy := c.ToMap(340, 275); !near(gx, x, 1e-9) || !near(gy, y, 1e-9) {
		t.Errorf("the place under the pointer moved from (%v, %v) to (%v, %v)", x, y, gx, gy)
	}
	c.Pan(1e9, -1e9)
	if c.X != 0 || c.Y != 128 {
		t.Errorf("the middle of the view is (%v, %v), off the map", c.X, c.Y)
	}
}

func TestGlide(t *testing.T) {
	c := testCamera()
	c.Glide(600, 0)
	for range 120 {
		c.Advance(1.0 / 120)
	}
	// A second at 600 pixels a second is 37.5 cells, less what starting takes.
	if d := c.X - 128; d < 34 || d > 37.5 {
		t.Errorf("glided %v cells in a second, want about 36", d)
	}
	c.Glide(0, 0)
	for range 120 {
		c.Advance(1.0 / 120)
	}
	x := c.X
	if c.Advance(1); c.X != x {
		t.Errorf("still gliding a second after the key was let go")
	}
	c.Glide(600, 0)
	if c.Advance(3600); c.X-x > 20 {
		t.Errorf("a suspended hour moved the map by %v cells", c.X-x)
	}
}

func TestSetView(t *testing.T) {
	c := testCamera()
	c.SetView(image.Rect(0, 36, 1440, 900), 1)
	if x, y := c.ToMap(720, 468); x != 128 || y != 64 {
		t.Errorf("the middle shows (%v, %v) after a change of size, want (128, 64)", x, y)
	}
	z := c.Zoom()
	c.SetView(image.Rect(0, 72, 2880, 1800), 2)
	if c.Zoom() != z || c.Scale != 2*CellPixels {
		t.Errorf("on a display of twice the density zoom %v and scale %v, want %v and 32", c.Zoom(), c.Scale, z)
	}
	lo, hi := c.Visible()
	if lo.X != 83 || hi.X != 173 {
		t.Errorf("columns %d to %d visible, want 83 to 173", lo.X, hi.X)
	}
}

func TestGoTo(t *testing.T) {
	c := testCamera()
	c.Fit()
	c.GoTo(10, 20)
	if c.X != 10 || c.Y != 20 || c.Zoom() != 1 {
		t.Errorf("at (%v, %v) and zoom %v, want (10, 20) and 1", c.X, c.Y, c.Zoom())
	}
}

func TestArrange(t *testing.T) {
	tests := []struct {
		name          string
		w, h          int
		device        float64
		sidebar, dock bool
		view          image.Rectangle
	}{
		{"everything", 1440, 900, 1, true, true, image.Rect(0, 36, 1100, 680)},
		{"no panels", 1440, 900, 1, false, true, image.Rect(0, 36, 1440, 680)},
		{"the map alone", 1440, 900, 1, false, false, image.Rect(0, 36, 1440, 900)},
		{"dense display", 2880, 1800, 2, true, true, image.Rect(0, 72, 2200, 1360)},
		{"a low window", 960, 600, 1, true, true, image.Rect(0, 36, 620, 420)},
		{"panels at whole scales", 1440, 900, 1.25, true, false, image.Rect(0, 45, 1100, 900)},
		{"absurdly small", 100, 20, 1, true, true, image.Rect(0, 0, 0, 0)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dock := 0.0
			if tt.dock {
				dock = (&overlay.Dock{}).Height(float64(tt.h) / tt.device)
			}
			r := arrange(tt.w, tt.h, tt.device, tt.sidebar, dock)
			if r.view != tt.view {
				t.Errorf("view %v, want %v", r.view, tt.view)
			}
			for _, other := range []image.Rectangle{r.bar, r.dock, r.sidebar} {
				if r.view.Overlaps(other) {
					t.Errorf("view %v overlaps %v", r.view, other)
				}
			}
		})
	}
}
