package main

import (
	"bytes"
	"image"
	"image/color"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"chronoscope/loop"
	"chronoscope/loop/frametime"
)

// captureOf makes a capture of 5 s on a virtual display.
func captureOf(hz uint64) *frametime.Capture {
	frames := frametime.Schedule{Display: frametime.VirtualDisplay{Rate: loop.Hz(hz)}, VSync: true}.Frames(int(5 * hz))
	frametime.Drive(frames, frametime.NewSnapped(loop.Hz(60), loop.Hz(hz).Period()))
	c := &frametime.Capture{Frames: frames, Meta: frametime.Meta{Source: "chronoscope", Taken: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
		Seed: 7, Scenario: "town", Map: "a1", TickRate: loop.Hz(60), Display: frametime.Virtual, Stated: loop.Hz(hz)}}
	for i := range loop.Tick(5) {
		c.Digests = append(c.Digests, frametime.Digest{Tick: 60 * (i + 1), Sum: uint64(i) * 77})
	}
	return c
}

func writeCapture(t *testing.T, name string, c *frametime.Capture) string {
	t.Helper()
	var b bytes.Buffer
	if err := frametime.Write(&b, c); err != nil {
		t.Fatal(err)
	}
	return write(t, name, b.String())
}

func TestCaptureDiff(t *testing.T) {
	a, b := writeCapture(t, "a.capture", captureOf(60)), writeCapture(t, "b.capture", captureOf(120))
	other := captureOf(120)
	other.Digests[3].Sum++
	differs := writeCapture(t, "differs.capture", other)
	other = captureOf(120)
	other.Meta.Seed = 8
	stranger := writeCapture(t, "stranger.capture", other)
	var log bytes.Buffer
	if err := frametime.WriteMangoHud(&log, captureOf(60)); err != nil {
		t.Fatal(err)
	}
	mango := write(t, "log.csv", log.String())
	for _, tt := range []struct {
		name   string
		files  []string
		code   int
		stdout []string
		stderr string
	}{
		{"two displays", []string{a, b}, exitDone, []string{"a.capture, virtual 60 Hz: ", "b.capture, virtual 120 Hz: ", "average, fps 60.00 120.00 +60.00 +100.0 %",
			"A and B: simulation identical, presentation differs (5 digests, to tick 300)"}, ""},
		{"one file", []string{a, a}, exitDone, []string{"simulation and presentation identical"}, ""},
		{"another result", []string{a, b, differs}, exitFailed, []string{"A and C: simulation differs: the digests part at tick 240"},
			a + " and " + differs + " are of the same run, and their digests differ from tick 240 on"},
		{"another run", []string{a, stranger}, exitDone, []string{"not the same run, so their digests say nothing: the seeds are 7 and 8"}, ""},
		{"another program's", []string{a, mango, b, stranger}, exitDone, []string{"log.csv, unknown display", "doesn't say what ran"}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := call(t.Context(), program{}, append([]string{"capture-diff"}, tt.files...)...)
			if o.code != tt.code {
				t.Fatalf("got %d: %s%s", o.code, o.stdout, o.stderr)
			}
			for _, want := range tt.stdout {
				if !strings.Contains(strings.Join(strings.Fields(o.stdout), " "), want) {
					t.Errorf("no %q in\n%s", want, o.stdout)
				}
			}
			if tt.stderr == "" && o.stderr != "" || !strings.Contains(o.stderr, tt.stderr) || strings.Count(o.stderr, "\n") > 1 {
				t.Errorf("stderr %q", o.stderr)
			}
		})
	}
	if o := call(t.Context(), program{}, "capture-diff", a, "-h"); o.code != exitDone || o.stderr != "" || !strings.Contains(o.stdout, "capture-diff [flags] A B") ||
		!strings.Contains(o.stdout, "  -repeats VALUE") {
		t.Errorf("help: %d, %s%s", o.code, o.stdout, o.stderr)
	}
}

// The whole text of a comparison, within the noise of repeated runs and beyond.
func TestCaptureDiffText(t *testing.T) {
	named := func(name string, hz uint64) string {
		c := captureOf(hz)
		c.Meta.Name = name
		return writeCapture(t, name, c)
	}
	shaken := captureOf(60)
	for i := range shaken.Frames {
		shaken.Frames[i].DrawEnd += int64(i%2) * 1000
	}
	again := writeCapture(t, "again", shaken)
	a, b := named("sixty", 60), named("twice as fast", 120)
	o := call(t.Context(), program{}, "capture-diff", "-repeats", a+","+again, a, b)
	if o.code != exitDone || o.stderr != "" {
		t.Fatalf("%d, %s", o.code, o.stderr)
	}
	golden(t, "capturediff.golden", o.stdout)
	o = call(t.Context(), program{}, "capture-diff", a, again, "-repeats="+a, "-repeats", again)
	if text := strings.Join(strings.Fields(o.stdout), " "); o.code != exitDone || !strings.Contains(text, "busy, mean, ms 2.000 2.001 (+0.001) (+0.0 %)") {
		t.Errorf("no difference within the noise: %d, %s%s", o.code, o.stdout, o.stderr)
	}
}

// near counts the pixels of an image between two rows that have a colour, but
// for rounding.
func near(m *image.RGBA, top, bottom int, c color.RGBA) (n int) {
	for y := top; y < bottom; y++ {
		for x := range m.Bounds().Dx() {
			p := m.RGBAAt(x, y)
			if max(apart(p.R, c.R), apart(p.G, c.G), apart(p.B, c.B)) <= 2 {
				n++
			}
		}
	}
	return n
}

func apart(a, b uint8) int { return max(int(a)-int(b), int(b)-int(a)) }

// over is a colour with an opacity over the ground of a plot.
func over(c color.NRGBA) color.RGBA {
	mix := func(a, b uint8) uint8 { return uint8((int(a)*int(c.A) + int(b)*(255-int(c.A))) / 255) }
	return color.RGBA{mix(c.R, surfaceColor.R), mix(c.G, surfaceColor.G), mix(c.B, surfaceColor.B), 255}
}

func TestCaptureDiffPicture(t *testing.T) {
	a, b := writeCapture(t, "a.capture", captureOf(60)), writeCapture(t, "b.capture", captureOf(120))
	draw := func(args ...string) *image.RGBA {
		name := filepath.Join(t.TempDir(), "diff.png")
		o := call(t.Context(), program{}, append([]string{"capture-diff", "-png", name}, args...)...)
		if o.code != exitDone || o.stderr != "" || !strings.Contains(o.stdout, "average, fps") {
			t.Fatalf("%d, %s%s", o.code, o.stdout, o.stderr)
		}
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		return decoded(t, f)
	}
	m := draw(a, b)
	// The rows of the intervals, and of the ticks per frame below them. Frames
	// that count are as strong as they get, those of the first second faint.
	const lanes, strips, end = 140, 560, 780
	for _, tt := range []struct {
		name        string
		top, bottom int
		color       color.NRGBA
		least       int
	}{
		{"A's intervals", lanes, strips, strokeOf(0).wash(0.9), 1000},
		{"A's first second", lanes, strips, strokeOf(0).wash(0.3), 200},
		{"B's intervals", lanes, strips, strokeOf(1).wash(0.9), 700},
		{"A's ticks", strips, end, strokeOf(0).wash(0.75), 15000},
		{"B's ticks", strips, end, strokeOf(1).wash(0.75), 5000},
	} {
		if n := near(m, tt.top, tt.bottom, over(tt.color)); n < tt.least {
			t.Errorf("%s: %d pixels, want %d", tt.name, n, tt.least)
		}
	}
	for i := 2; i < frametime.MaxSlots; i++ {
		if n := counted(m, strokeOf(i).color); n > 0 {
			t.Errorf("%c, which there isn't, has %d pixels", 'A'+i, n)
		}
	}
	moved := draw(a, b, "-offset", "2s")
	if n, m := near(m, lanes, strips, over(strokeOf(0).wash(0.9))), near(moved, lanes, strips, over(strokeOf(0).wash(0.9))); m >= n*9/10 {
		t.Errorf("A has %d of %d pixels when B goes on for 2 s longer", m, n)
	}
}

func TestLaneTime(t *testing.T) {
	l := &lane{Capture: &frametime.Capture{Frames: []frametime.Frame{{Layout: 5e9, Next: 6e9}, {Layout: 6e9, Next: 8e9}}}, shift: 250 * time.Millisecond}
	if l.at(5e9) != 0.25 || l.end() != 3.25 {
		t.Errorf("begins at %v, ends at %v", l.at(5e9), l.end())
	}
	for _, stamp := range []int64{5e9, 7e9, -3e9} {
		if got := l.stamp(l.at(stamp)); got != stamp {
			t.Errorf("%d comes back as %d", stamp, got)
		}
	}
	empty := &lane{Capture: &frametime.Capture{}}
	if _, ok := empty.counting(); ok || empty.end() != 0 {
		t.Error("no frames, and yet something counts")
	}
}

// Captures without anything to draw.
func TestEmptyPicture(t *testing.T) {
	none := captureOf(60)
	none.Frames = none.Frames[:3] // of the first second, which doesn't count
	file := writeCapture(t, "none.capture", none)
	name := filepath.Join(t.TempDir(), "none.png")
	o := call(t.Context(), program{}, "capture-diff", file, file, "-png", name)
	if info, err := os.Stat(name); o.code != exitDone || err != nil || info.Size() < 1000 {
		t.Errorf("%d, %s, %v", o.code, o.stderr, err)
	}
}

func TestCaptureDiffRefuses(t *testing.T) {
	good := writeCapture(t, "a.capture", captureOf(60))
	var b bytes.Buffer
	if err := frametime.Write(&b, captureOf(60)); err != nil {
		t.Fatal(err)
	}
	damaged := write(t, "damaged.capture", b.String()[:b.Len()-9])
	none := filepath.Join(t.TempDir(), "none.capture")
	dir := t.TempDir()
	text := write(t, "text", "what\never\n")
	for _, tt := range []struct {
		name  string
		files []string
		want  string
	}{
		{"nothing", nil, "capture-diff: accepted is capture-diff A B [C [D]], files of captures"},
		{"one", []string{good}, "capture-diff: accepted is capture-diff A B"},
		{"five", []string{good, good, good, good, good}, "capture-diff: accepted is capture-diff A B"},
		{"unknown flag", []string{good, "-pgn", good}, "capture-diff: unknown flag -pgn: accepted are -h, -png, -repeats, -offset (./-pgn for a file of that name)"},
		{"no value", []string{good, good, "-png"}, "capture-diff: -png needs a value: accepted are a file name"},
		{"files that look like flags", []string{"--", good, "-png"}, "capture-diff: -png: no such file or directory"},
		{"picture in no directory", []string{good, good, "-png", filepath.Join(dir, "no", "a.png")}, "capture-diff: -png " + filepath.Join(dir, "no", "a.png") + ": no such file or directory"},
		{"picture is a directory", []string{"-png", dir, good, good}, "capture-diff: -png " + dir + ": is a directory"},
		{"picture over a capture", []string{"-png", good, good, good}, "capture-diff: -png " + good + ": that is the capture " + good},
		{"one repeat", []string{"-repeats", good, good, good}, "capture-diff: -repeats " + good + ": accepted are two or more file names"},
		{"empty repeats", []string{"-repeats", good + ",", good, good}, "capture-diff: -repeats " + good + ",: accepted are two or more file names with commas between them"},
		{"repeats of nothing", []string{"-repeats", none + "," + good, good, good}, "capture-diff: " + none + ": no such file or directory"},
		{"offset of what", []string{"-png", filepath.Join(dir, "a.png"), "-offset", "3", good, good}, "capture-diff: -offset 3: accepted are durations such as 250ms or -1.5s, -24h to 24h"},
		{"long offset", []string{"-png", filepath.Join(dir, "a.png"), "-offset", "-25h", good, good}, "capture-diff: -offset -25h: accepted are durations"},
		{"many offsets", []string{"-png", filepath.Join(dir, "a.png"), "-offset", "1s,2s", good, good}, "capture-diff: -offset 1s,2s: accepted are durations for B to B"},
		{"offset of no picture", []string{"-offset", "1s", good, good}, "capture-diff: -offset 1s: it moves captures in a picture, and there is no -png"},
		{"no file", []string{good, none}, "capture-diff: " + none + ": no such file or directory"},
		{"a directory", []string{dir, good}, "capture-diff: " + dir + ": is a directory"},
		{"damaged", []string{good, damaged}, "capture-diff: " + damaged + ": damaged capture: its checksum is wrong"},
		{"text", []string{text, good}, "capture-diff: " + text + ": not a capture of frame times: accepted is"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := call(t.Context(), program{}, append([]string{"capture-diff"}, tt.files...)...)
			if left := files(t, dir); len(left) != 1 {
				t.Errorf("left behind: %q", left)
			}
			if o.code != exitRefused || o.stdout != "" || !strings.Contains(o.stderr, tt.want) || strings.Count(o.stderr, "\n") != 1 {
				t.Errorf("got %d, %q, %q; want %q", o.code, o.stdout, o.stderr, tt.want)
			}
		})
	}
}

// Two runs without a window leave captures without frames, which have the same
// world, however fast they went.
func TestCaptureWithoutFrames(t *testing.T) {
	dir := t.TempDir()
	run := func(name string, flags ...string) string {
		path := filepath.Join(dir, name)
		args := append([]string{"-seed", "7", "-npcs", "60", "-map", "town:128", "-ai-cost", "0", "-ticks", "180", "-capture", path}, flags...)
		if o := inBubble(t, program{}, 0, args...); o.code != exitDone || o.stderr != "" {
			t.Fatalf("%d, %s", o.code, o.stderr)
		}
		return path
	}
	a, b := run("a"), run("b", "-max-speed")
	o := call(t.Context(), program{}, "capture-diff", a, b)
	if o.code != exitDone || !strings.Contains(o.stdout, "A and B: simulation identical (3 digests, to tick 180)") {
		t.Errorf("%d, %s%s", o.code, o.stdout, o.stderr)
	}
	if o := call(t.Context(), program{}, "-ticks", "60", "-capture", a, "-digests", a); o.code != exitRefused || !strings.Contains(o.stderr, "-capture") {
		t.Errorf("%d, %s", o.code, o.stderr)
	}
}
