package main

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
)

// samplePicture has a plot of every kind and strokes 0 to n-1.
func samplePicture(n int) *picture {
	top, tail := newPlot("Frame intervals", "time, s", "interval, ms"), newPlot("Tail", "lateness, us", "frames")
	logarithmic(&tail.X)
	logarithmic(&tail.Y)
	for i := range n {
		var a, b plotter.XYs
		for k := range 400 {
			x := float64(k) / 40
			a = append(a, plotter.XY{X: x, Y: 10000 + 500*float64(i) + 300*math.Sin(x+float64(i))})
			b = append(b, plotter.XY{X: 1 + float64(k)*10, Y: 1 + 1e5*math.Exp(-float64(k)/(10+10*float64(i)))})
		}
		addLine(top, "", append(a, plotter.XY{X: math.NaN(), Y: math.Inf(1)}), i)
		addLine(tail, "pacer "+string(rune('A'+i)), b, i)
	}
	addLine(tail, "nothing", nil, 0)
	p := &picture{title: "A title", lines: []string{"what this is"}, notes: []string{"how it was measured"},
		rows: []pictureRow{{height: 300, panels: []panel{top}}, {height: 340, panels: []panel{tail, newPlot("empty", "x", "y")}, shares: []float64{2, 1}}}}
	for i := range n {
		p.keys = append(p.keys, key{i, "capture " + string(rune('A'+i))})
	}
	return p
}

// decoded reads a PNG.
func decoded(t *testing.T, r io.Reader) *image.RGBA {
	t.Helper()
	m, err := png.Decode(r)
	if err != nil {
		t.Fatal(err)
	}
	rgba := image.NewRGBA(m.Bounds())
	draw.Draw(rgba, rgba.Bounds(), m, m.Bounds().Min, draw.Src)
	return rgba
}

// counted is how many pixels of an image have a colour.
func counted(m *image.RGBA, c color.RGBA) (n int) {
	for i := 0; i < len(m.Pix); i += 4 {
		if m.Pix[i] == c.R && m.Pix[i+1] == c.G && m.Pix[i+2] == c.B {
			n++
		}
	}
	return n
}

func TestPicture(t *testing.T) {
	var b bytes.Buffer
	p := samplePicture(5)
	if err := p.encode(&b); err != nil {
		t.Fatal(err)
	}
	m := decoded(t, &b)
	if got := m.Bounds().Size(); got != (image.Point{pictureWidth, int(p.height())}) {
		t.Errorf("size %v, want %d x %v", got, pictureWidth, p.height())
	}
	for i := range 6 {
		if n := counted(m, strokeOf(i).color); (n > 200) != (i < 5) {
			t.Errorf("stroke %d has %d pixels", i, n)
		}
	}
}

func TestPictureFile(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a.png")
	target, err := openWhole(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := samplePicture(1).save(target); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := png.DecodeConfig(bytes.NewReader(before)); err != nil {
		t.Fatal(err)
	}
	// What fails half way leaves what was there.
	if target, err = openWhole(name); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	err = target.fill(func(w io.Writer) error {
		io.WriteString(w, "half a pic")
		return broken
	})
	if !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
	if after, err := os.ReadFile(name); err != nil || !bytes.Equal(before, after) {
		t.Errorf("the old picture is gone: %v", err)
	}
	if got := files(t, dir); len(got) != 2 { // the directory itself, and the file
		t.Errorf("left behind: %q", got)
	}
}

func TestNumber(t *testing.T) {
	for _, tt := range []struct {
		v    float64
		want string
	}{
		{0, "0"}, {16.7, "16.7"}, {0.30000000000000004, "0.3"}, {999, "999"}, {1000, "1,000"}, {-1234567.5, "-1,234,567.5"},
		{100000, "100,000"}, {0.0001, "0.0001"}, {1e20, "1e+20"}, {1e-12, "1e-12"}, {math.Inf(1), "+Inf"}, {-999, "-999"},
	} {
		if got := number(tt.v); got != tt.want {
			t.Errorf("%v: %q, want %q", tt.v, got, tt.want)
		}
	}
}

func TestLogTicks(t *testing.T) {
	written := func(lo, hi float64) (s string) {
		for _, tick := range (logTicks{}).Ticks(lo, hi) {
			if !tick.IsMinor() {
				s += tick.Label + " "
			}
		}
		return s
	}
	for _, tt := range []struct {
		lo, hi float64
		want   string
	}{
		{1, 100, "1 2 5 10 20 50 100 "},
		{0.5, 9, "0.5 1 2 5 "},
		{1, 1e5, "1 10 100 1,000 10,000 100,000 "},
		{0, 10, ""}, {5, 5, ""}, {1, math.Inf(1), ""},
	} {
		if got := written(tt.lo, tt.hi); got != tt.want {
			t.Errorf("%v to %v: %q, want %q", tt.lo, tt.hi, got, tt.want)
		}
	}
}

func TestEvenTicks(t *testing.T) {
	for _, tt := range []struct {
		lo, hi float64
		about  int
		want   string
	}{
		{0, 10, 8, "0 1 2 3 4 5 6 7 8 9 10 "},
		{0, 37, 5, "0 5 10 15 20 25 30 35 "},
		{9700, 12800, 5, "10,000 10,500 11,000 11,500 12,000 12,500 "},
		{-1, 1, 5, "-1 -0.5 0 0.5 1 "},
		{0, 0.0095, 5, "0 0.002 0.004 0.006 0.008 "},
		{1, 1, 5, ""}, {0, math.Inf(1), 5, ""}, {math.NaN(), 1, 5, ""},
	} {
		s := ""
		for _, tick := range (evenTicks{tt.about}).Ticks(tt.lo, tt.hi) {
			if !tick.IsMinor() {
				s += tick.Label + " "
			}
		}
		if s != tt.want {
			t.Errorf("%v to %v: %q, want %q", tt.lo, tt.hi, s, tt.want)
		}
	}
}

func TestFitted(t *testing.T) {
	style := keyStyle()
	if got := fitted("short", style, 500); got != "short" {
		t.Errorf("%q", got)
	}
	long := strings.Repeat("long ", 100)
	got := fitted(long, style, 500)
	if w := style.Width(got); !strings.HasSuffix(got, "...") || w > 500 || w < 470 {
		t.Errorf("%q is %v wide", got, w)
	}
	p := picture{}
	for range 7 {
		p.keys = append(p.keys, key{0, strings.Repeat("w", 40)}, key{1, long})
	}
	n := 0
	for _, row := range p.keyRows() {
		for _, k := range row {
			if n++; k.x < pictureMargin || k.x+keyStroke+keyGap+style.Width(k.text) > pictureWidth-pictureMargin {
				t.Errorf("%q begins at %v", k.text, k.x)
			}
		}
	}
	if n != 14 {
		t.Errorf("%d keys", n)
	}
}

func TestLogScale(t *testing.T) {
	var s plot.Normalizer = logScale{}
	for _, tt := range []struct{ lo, hi, x, want float64 }{
		{1, 100, 10, 0.5}, {1, 100, 0, 0}, {1, 100, -5, 0}, {1, 1, 1, 0}, {1, 100, 1000, 1.5},
	} {
		if got := s.Normalize(tt.lo, tt.hi, tt.x); math.Abs(got-tt.want) > 1e-12 {
			t.Errorf("%v in %v to %v: %v, want %v", tt.x, tt.lo, tt.hi, got, tt.want)
		}
	}
}
