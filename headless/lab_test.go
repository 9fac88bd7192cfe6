package main

import (
	"context"
	"encoding/csv"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"chronoscope/loop"
	"chronoscope/loop/frametime"
	"chronoscope/loop/physics"
)

func TestLabMatrix(t *testing.T) {
	o := call(t.Context(), program{}, "lab", "matrix")
	if want := frametime.MatrixText(frametime.Matrix(loop.Hz(60))); o.code != exitDone || o.stderr != "" || o.stdout != want {
		t.Errorf("%d, %s%s", o.code, o.stdout, o.stderr)
	}
	o = call(t.Context(), program{}, "lab", "matrix", "-rate", "30")
	if row := "60 Hz    on    off     60.00     0.039      0  010101010101010101010101 0/0"; !strings.Contains(o.stdout, row) {
		t.Errorf("no %q in\n%s", row, o.stdout)
	}
}

func TestLabDisplays(t *testing.T) {
	o := call(t.Context(), program{}, "lab", "displays")
	if o.code != exitDone || o.stderr != "" {
		t.Fatalf("%d, %s", o.code, o.stderr)
	}
	golden(t, "displays.golden", o.stdout)
	// The rows that everybody quotes.
	for _, want := range []string{
		"144 Hz plain accumulator 60.0 0010100101010010100101010010100101010010 0/0",
		"starved 12.5 fps half-tick early step 31.3 4141",
		"jitter 0.3 ms snapped, off the boundary 60.0 1111111111111111111111111111111111111111 0/0",
	} {
		if !slices.ContainsFunc(strings.Split(o.stdout, "\n"), func(line string) bool {
			return strings.HasPrefix(strings.Join(strings.Fields(line), " "), want)
		}) {
			t.Errorf("no row %q", want)
		}
	}
	o = call(t.Context(), program{}, "lab", "displays", "-rate=30")
	if !strings.Contains(strings.Join(strings.Fields(o.stdout), " "), "60 Hz plain accumulator 30.0 0101") {
		t.Errorf("at 30:\n%.1500s", o.stdout)
	}
}

func TestLabModels(t *testing.T) {
	models := labModels(loop.Hz(30), 0)
	if len(models) != len(frametime.Models(loop.Hz(30), 0)) {
		t.Errorf("%d models", len(models))
	}
	for _, m := range models {
		want := loop.Hz(30)
		if strings.Contains(m.Name(), "64 Hz") {
			want = loop.Hz(64)
		}
		if m.rate != want {
			t.Errorf("%s makes %v", m.Name(), m.rate)
		}
	}
}

func TestLabPhysics(t *testing.T) {
	dir := t.TempDir()
	picture, table := filepath.Join(dir, "p.png"), filepath.Join(dir, "p.csv")
	o := call(t.Context(), program{}, "lab", "physics", "-runs", "3", "-seed", "9", "-png", picture, "-csv", table)
	if o.code != exitDone || o.stderr != "" {
		t.Fatalf("%d, %s", o.code, o.stderr)
	}
	text := strings.Join(strings.Fields(o.stdout), " ")
	for _, want := range []string{
		"friction 0.3, restitution 0.5, seed 9.",
		"all together 75 step 120 0 0 0 0 ",
		"165 Hz 3 step 120 0 0 0 0 ",
		"60 Hz, 2 ms off 3 frame 120 ",
		"each of the displays above once 25 2 s ",
		"At frame 120 variable runs have got through",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, o.stdout)
		}
	}
	if yes, no := strings.Count(text, " 0 yes"), strings.Count(text, " no "); yes != 26 || no != 7 {
		t.Errorf("%d rows without a spread, %d with one:\n%s", yes, no, o.stdout)
	}
	f, err := os.Open(table)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll() // as many fields in every row
	if err != nil || len(rows) != 1+25*3+3*2*3+25 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	seen := map[string]map[string]bool{"fixed": {}, "variable": {}}
	for _, r := range rows[1:] {
		seen[r[0]][r[5]] = true
		if x, err := strconv.ParseFloat(r[5], 64); err != nil || x == 0 {
			t.Errorf("box_x_cm %q", r[5])
		}
	}
	if len(seen["fixed"]) != 1 || len(seen["variable"]) < 20 {
		t.Errorf("%d places after fixed steps, %d after variable ones", len(seen["fixed"]), len(seen["variable"]))
	}
	g, err := os.Open(picture)
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	m := decoded(t, g)
	for i := range physics.Bodies {
		if n := counted(m, strokeOf(i).color); n < 400 {
			t.Errorf("body %d has %d pixels", i, n)
		}
	}
}

// Whoever changes the seed changes the variable runs.
func TestLabPhysicsSeed(t *testing.T) {
	var texts []string
	for _, seed := range []string{"1", "1", "2"} {
		o := call(t.Context(), program{}, "lab", "physics", "-runs", "2", "-seed", seed)
		_, text, _ := strings.Cut(o.stdout, "variable steps on")
		texts = append(texts, text)
	}
	if texts[0] != texts[1] || texts[0] == texts[2] {
		t.Errorf("seed 1, 1 and 2:\n%s\n%s\n%s", texts[0], texts[1], texts[2])
	}
}

func TestLabPhysicsInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	name := filepath.Join(t.TempDir(), "p.png")
	o := call(ctx, program{}, "lab", "physics", "-runs", "1000", "-png", name)
	if o.code != exitInterrupt || o.stdout != "" || o.stderr != "chronoscope: lab physics: interrupted\n" {
		t.Errorf("%+v", o)
	}
	if _, err := os.Stat(name); err == nil {
		t.Error("half a picture is there")
	}
}

func TestLabHelp(t *testing.T) {
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"lab", "-h"}, "go run ./headless lab physics [-runs 100]"},
		{[]string{"lab", "matrix", "-h"}, "  -rate VALUE (60)"},
		{[]string{"lab", "displays", "-rate", "30", "--help"}, "  -rate VALUE (60)"},
		{[]string{"lab", "physics", "-help"}, "  -runs VALUE (100)"},
	} {
		if o := call(t.Context(), program{}, tt.args...); o.code != exitDone || o.stderr != "" || !strings.Contains(o.stdout, tt.want) {
			t.Errorf("%q: %+v", tt.args, o)
		}
	}
}

func TestLabRefuses(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	for _, tt := range []struct{ args, want string }{
		{"", "lab: accepted are lab matrix, lab displays, lab physics (see lab -h)"},
		{"bench", `lab: unknown experiment "bench": accepted are lab matrix`},
		{"-rate 60 matrix", `lab: unknown experiment "-rate": accepted are lab matrix`},
		{"matrix -rate 0", "lab matrix: -rate 0: accepted are "},
		{"matrix 60", `lab matrix: unexpected argument "60": only flags are accepted (see lab matrix -h)`},
		{"matrix -runs 3", "lab matrix: unknown flag -runs: accepted are -h, -rate"},
		{"displays -rate fast", "lab displays: -rate fast: accepted are "},
		{"displays -rate", "lab displays: -rate needs a value: accepted are "},
		{"physics -runs 1", "lab physics: -runs 1: accepted are 2 to 1000"},
		{"physics -runs 1001", "lab physics: -runs 1001: accepted are 2 to 1000"},
		{"physics -seed -1", "lab physics: -seed -1: accepted are 0 to 18446744073709551615"},
		{"physics -csv " + in("no/a.csv"), "lab physics: -csv " + in("no/a.csv") + ": no such file or directory"},
		{"physics -png " + dir, "lab physics: -png " + dir + ": is a directory"},
		{"physics -png " + in("a") + " -csv " + in("a"), "lab physics: -csv " + in("a") + ": the picture goes there already"},
		{"physics -png " + in("a") + " -csv " + dir + "/./a", "lab physics: -csv " + dir + "/./a: the picture goes there already"},
	} {
		t.Run(tt.args, func(t *testing.T) {
			o := call(t.Context(), program{}, append([]string{"lab"}, strings.Fields(tt.args)...)...)
			if o.code != exitRefused || o.stdout != "" || !strings.HasPrefix(o.stderr, "chronoscope: "+tt.want) || strings.Count(o.stderr, "\n") != 1 {
				t.Errorf("got %d, %.100q, %q; want %q", o.code, o.stdout, o.stderr, tt.want)
			}
			if left := files(t, dir); len(left) != 1 {
				t.Errorf("left behind: %q", left)
			}
		})
	}
}

// A disk that is full ends with one line that names the flag.
func TestLabFullDisk(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("no device that is always full")
	}
	for _, flag := range []string{"-png", "-csv"} {
		o := call(t.Context(), program{}, "lab", "physics", "-runs", "2", flag, "/dev/full")
		if want := "chronoscope: lab physics: " + flag + " /dev/full: no space left on device\n"; o.code != exitFailed || o.stderr != want {
			t.Errorf("got %d, %q, want %q", o.code, o.stderr, want)
		}
	}
}

func TestSigmaText(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 1e-300: "1e-300", 0.018424: "0.0184", 583.7: "584"} {
		if got := sigma(v); got != want {
			t.Errorf("%v: %q, want %q", v, got, want)
		}
	}
	if atEnd() != "2 s" || physicsEnd != 2*time.Second || atFrame("frame") != "frame 120" {
		t.Errorf("%s, %v, %s", atEnd(), physicsEnd, atFrame("frame"))
	}
}
