package main

import (
	"errors"
	"flag"
	"fmt"
	"image/png"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"chronoscope/game/guard"
	"chronoscope/loop/frametime"
	_ "chronoscope/overlay/xvfb" // gives the tests a display
	"chronoscope/world/scenario"
)

var update = flag.Bool("update", false, "write the help that game/guard embeds anew")

// What is printed for -h where there is no display is the real help.
func TestEmbeddedHelp(t *testing.T) {
	table, _ := scenario.New()
	var s settings
	table.Add(s.rows()...)
	want := table.HelpText(usage)
	if *update {
		if err := os.WriteFile(filepath.Join("game", "guard", "help.txt"), []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if guard.Help() != want {
		t.Errorf("game/guard/help.txt is not the help of the flags: go test . -update writes it")
	}
}

// result is what a call left behind.
type result struct {
	exit           int
	stdout, stderr string
}

// call runs the program in this process, as far as it gets without a window.
func call(args ...string) result {
	var out, errs strings.Builder
	code := run(args, &out, &errs)
	return result{code, out.String(), errs.String()}
}

func TestRefusals(t *testing.T) {
	dir := t.TempDir()
	tests := []struct {
		name string
		args []string
		want []string // parts of the one line
	}{
		{"unknown flag", []string{"-vsnc"}, []string{"-vsnc", "-vsync"}},
		{"a flag of the other program", []string{"-max-speed"}, []string{"-max-speed"}},
		{"rate", []string{"-tick-rate", "500"}, []string{"-tick-rate 500", "240"}},
		{"size too small", []string{"-size", "10x10"}, []string{"-size 10x10", "960x600", "8192x8192"}},
		{"size without height", []string{"-size", "1200"}, []string{"-size 1200"}},
		{"time", []string{"-for", "-3s"}, []string{"-for -3s"}},
		{"vsync", []string{"-vsync=maybe"}, []string{"-vsync maybe", "true"}},
		{"map", []string{"-map", filepath.Join(dir, "no.map")}, []string{"-map", "no.map"}},
		{"display", []string{"-display", "121"}, []string{"-display 121", "real", "120 Hz"}},
		{"frame cap", []string{"-frame-cap", "-1"}, []string{"-frame-cap -1", "0 (off)", "1000"}},
		{"capture into nowhere", []string{"-capture", filepath.Join(dir, "no", "x.capture")}, []string{"capture", "x.capture"}},
		{"capture and screenshot in one file", []string{"-capture", filepath.Join(dir, "x"), "-screenshot", filepath.Join(dir, "x")}, []string{"-capture", "screenshot"}},
		{"capture and screenshot in one file, written otherwise", []string{"-capture", dir + "/./x", "-screenshot", filepath.Join(dir, "x")}, []string{"-capture", "screenshot"}},
		{"screenshot into nowhere", []string{"-screenshot", filepath.Join(dir, "no", "x.png")}, []string{"screenshot", "x.png"}},
		{"screenshot over a directory", []string{"-screenshot", dir}, []string{"screenshot", dir}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := call(tt.args...)
			if got.exit != exitRefused || got.stdout != "" || strings.Count(got.stderr, "\n") != 1 {
				t.Fatalf("exit %d, stdout %q, stderr %q: want exit 2 and one line", got.exit, got.stdout, got.stderr)
			}
			for _, part := range tt.want {
				if !strings.Contains(got.stderr, part) {
					t.Errorf("%q does not say %q", got.stderr, part)
				}
			}
		})
	}
	if list, err := os.ReadDir(dir); err != nil || len(list) != 0 {
		t.Errorf("left behind: %v, %v", list, err)
	}
}

func TestHelp(t *testing.T) {
	got := call("-h")
	if got.exit != exitDone || got.stderr != "" || !strings.Contains(got.stdout, "-screenshot VALUE") || !strings.Contains(got.stdout, "-npcs VALUE (2000)") {
		t.Errorf("%+v", got)
	}
}

func TestSize(t *testing.T) {
	tests := []struct {
		text string
		want size // zero: refused
	}{
		{"1440x900", size{1440, 900}},
		{"960x600", size{960, 600}},
		{"8192x8192", size{8192, 8192}},
		{"959x600", size{}},
		{"960x599", size{}},
		{"8193x900", size{}},
		{"1440", size{}},
		{"1440x", size{}},
		{"x900", size{}},
		{"1440x900x2", size{}},
		{"-1440x900", size{}},
		{"99999999999x900", size{}},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			var s size
			err := s.Set(tt.text)
			if s != tt.want || (err == nil) != (tt.want != size{}) {
				t.Errorf("got %v, %v", s, err)
			}
			if err == nil && s.String() != tt.text {
				t.Errorf("written as %q", s.String())
			}
		})
	}
}

func build(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "chronoscope")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", path, ".").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return path
}

// start runs the built program on a display; "" is none.
func start(t *testing.T, program, display string, args ...string) result {
	t.Helper()
	return startThen(t, func(*exec.Cmd) {}, program, display, args...)
}

// startThen does something with the program once it has been started.
func startThen(t *testing.T, then func(*exec.Cmd), program, display string, args ...string) result {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, args...)
	for _, kv := range os.Environ() {
		if !strings.HasPrefix(kv, "DISPLAY=") && !strings.HasPrefix(kv, "WAYLAND_DISPLAY=") {
			cmd.Env = append(cmd.Env, kv)
		}
	}
	if display != "" {
		cmd.Env = append(cmd.Env, "DISPLAY="+display)
	}
	var out, errs strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	then(cmd)
	err := cmd.Wait()
	if exit := new(exec.ExitError); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return result{cmd.ProcessState.ExitCode(), out.String(), errs.String()}
}

func TestBuiltProgram(t *testing.T) {
	program := build(t)

	t.Run("without a display", func(t *testing.T) {
		l, err := net.Listen("unix", filepath.Join(t.TempDir(), "s:0"))
		if err != nil {
			t.Fatal(err)
		}
		dead := l.Addr().String()
		l.Close()
		for _, display := range []string{"", dead} {
			got := start(t, program, display)
			if got.exit != exitRefused || got.stdout != "" || strings.Count(got.stderr, "\n") != 1 ||
				!strings.Contains(got.stderr, "go run ./headless") {
				t.Errorf("DISPLAY=%q: %+v, want exit 2 and one line that names go run ./headless", display, got)
			}
		}
	})
	t.Run("ends by itself and leaves a picture", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "shot.png")
		const w, h = 1000, 640
		got := start(t, program, os.Getenv("DISPLAY"), "-npcs", "200", "-map", "town:128", "-for", "1s",
			"-size", fmt.Sprintf("%dx%d", w, h), "-screenshot", path)
		if got.exit != exitDone || got.stdout != "" {
			t.Fatalf("%+v, want exit 0", got)
		}
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		img, err := png.Decode(f)
		if err != nil {
			t.Fatal(err)
		}
		if s := img.Bounds().Size(); s.X != w || s.Y != h {
			t.Errorf("the picture is %v, want %d x %d", s, w, h)
		}
		colors := map[[3]uint32]int{}
		for y := range h {
			for x := range w {
				r, g, b, _ := img.At(x, y).RGBA()
				colors[[3]uint32{r >> 8, g >> 8, b >> 8}]++
			}
		}
		most := 0
		for _, n := range colors {
			most = max(most, n)
		}
		if len(colors) < 200 || most > w*h*3/4 {
			t.Errorf("%d colours, the most frequent on %d of %d pixels: it is blank", len(colors), most, w*h)
		}
	})
	t.Run("an interrupt closes it in good order", func(t *testing.T) {
		if _, err := exec.LookPath("xdotool"); err != nil {
			t.Skip("xdotool is not installed: when the window is there isn't known")
		}
		path := filepath.Join(t.TempDir(), "x.capture")
		got := startThen(t, func(cmd *exec.Cmd) {
			for exec.CommandContext(t.Context(), "xdotool", "search", "--onlyvisible", "--pid", fmt.Sprint(cmd.Process.Pid)).Run() != nil {
				time.Sleep(50 * time.Millisecond)
			}
			time.Sleep(time.Second) // some frames
			cmd.Process.Signal(syscall.SIGTERM)
		}, program, os.Getenv("DISPLAY"), "-npcs", "50", "-map", "town:128", "-for", "60s", "-size", "960x600", "-capture", path)
		if got.exit != exitInterrupt || strings.Contains(got.stderr, "chronoscope") {
			t.Errorf("%+v, want exit 130 and no complaint", got)
		}
		if f, err := os.Open(path); err != nil {
			t.Error(err)
		} else if c, err := frametime.Read(f); err != nil || len(c.Frames) == 0 {
			t.Errorf("%v, %v", c, err)
		}
	})
	t.Run("captures on two displays", func(t *testing.T) {
		var captures []*frametime.Capture
		for _, hz := range []string{"60", "120"} {
			path := filepath.Join(t.TempDir(), hz+".capture")
			got := start(t, program, os.Getenv("DISPLAY"), "-npcs", "200", "-map", "town:128", "-seed", "3", "-for", "4s",
				"-size", "960x600", "-display", hz, "-capture", path)
			if got.exit != exitDone || got.stdout != "" {
				t.Fatalf("%+v, want exit 0", got)
			}
			f, err := os.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			c, err := frametime.Read(f)
			f.Close()
			if err != nil {
				t.Fatal(err)
			}
			if want := "virtual " + hz + " Hz"; c.Title() != want || c.Meta.Display != frametime.Virtual {
				t.Errorf("it is called %q, want %q", c.Title(), want)
			}
			if len(c.Releases) < 60 || len(c.Digests) < 2 || c.Meta.Seed != 3 || c.Meta.Commands != 0 || len(c.Meta.World) == 0 {
				t.Errorf("%d releases, %d digests, %+v", len(c.Releases), len(c.Digests), c.Meta)
			}
			captures = append(captures, c)
		}
		if p := frametime.Prove(captures[0], captures[1]); p.Verdict != frametime.Identical || p.Alike {
			t.Errorf("the runs: %v", p)
		}
		// Not every frame is drawn in time everywhere, but most are.
		a, b := median(captures[0]), median(captures[1])
		if a != 16666667*time.Nanosecond && a != 16666666*time.Nanosecond || b != 8333333*time.Nanosecond && b != 8333334*time.Nanosecond {
			t.Errorf("median intervals %v and %v", a, b)
		}
	})
}

func median(c *frametime.Capture) time.Duration {
	m, _ := frametime.Percentile(frametime.Intervals(c.Frames), 0.5)
	return m
}
