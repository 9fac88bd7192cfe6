package main

import (
	"bytes"
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
	if o := call(t.Context(), program{}, "capture-diff", "-h"); o.code != exitDone || !strings.Contains(o.stdout, "capture-diff A B") {
		t.Errorf("help: %d, %s%s", o.code, o.stdout, o.stderr)
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
		{"nothing", nil, "capture-diff: accepted is capture-diff A B"},
		{"one", []string{good}, "capture-diff: accepted is capture-diff A B"},
		{"five", []string{good, good, good, good, good}, "capture-diff: accepted is capture-diff A B"},
		{"a flag", []string{"-png", good, good}, "capture-diff: unknown flag -png: accepted is capture-diff A B"},
		{"no file", []string{good, none}, "capture-diff: " + none + ": no such file or directory"},
		{"a directory", []string{dir, good}, "capture-diff: " + dir + ": is a directory"},
		{"damaged", []string{good, damaged}, "capture-diff: " + damaged + ": damaged capture: its checksum is wrong"},
		{"text", []string{text, good}, "capture-diff: " + text + ": not a capture of frame times: accepted is"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := call(t.Context(), program{}, append([]string{"capture-diff"}, tt.files...)...)
			if o.code != exitRefused || o.stdout != "" || !strings.Contains(o.stderr, tt.want) || strings.Count(o.stderr, "\n") != 1 {
				t.Errorf("got %d, %q, %q; want %q", o.code, o.stdout, o.stderr, tt.want)
			}
		})
	}
}
