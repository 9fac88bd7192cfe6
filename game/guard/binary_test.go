//go:build linux && !android

package guard_test

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"chronoscope/game/guard"
)

// result is what a program left behind.
type result struct {
	exit           int
	stdout, stderr string
}

// runWith runs a program with DISPLAY and WAYLAND_DISPLAY as given, or unset
// where empty.
func runWith(t *testing.T, program, display, wayland string, args ...string) result {
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
	if wayland != "" {
		cmd.Env = append(cmd.Env, "WAYLAND_DISPLAY="+wayland)
	}
	var out, errs strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return result{cmd.ProcessState.ExitCode(), out.String(), errs.String()}
}

// deadDisplay is a name that no server answers to.
func deadDisplay(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("unix", filepath.Join(t.TempDir(), "s:0"))
	if err != nil {
		t.Fatal(err)
	}
	name := l.Addr().String()
	l.Close()
	return name
}

// checkWithoutDisplay runs a program that imports the guard where no display
// is, in every way.
func checkWithoutDisplay(t *testing.T, program string) {
	dead := deadDisplay(t)
	line := func(why string) result {
		return result{2, "", "chronoscope: no display (" + why + suffix + "\n"}
	}
	tests := []struct {
		name             string
		display, wayland string
		args             []string
		want             result
	}{
		{"unset", "", "", nil, line("DISPLAY is not set")},
		{"dead", dead, "", nil, line(fmt.Sprintf("nothing answers at DISPLAY=%q", dead))},
		{"Wayland alone", "", "wayland-0", nil, line("DISPLAY is not set; on Wayland the window needs XWayland, which sets it")},
		{"other arguments", "", "", []string{"-x", "help", "--", "-h"}, line("DISPLAY is not set")},
		{"-h", "", "", []string{"-h"}, result{0, guard.Help(), ""}},
		{"--h", "", "", []string{"--h"}, result{0, guard.Help(), ""}},
		{"-help", dead, "", []string{"-npcs", "5", "-help"}, result{0, guard.Help(), ""}},
		{"--help", "", "wayland-0", []string{"--help"}, result{0, guard.Help(), ""}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := runWith(t, program, tt.display, tt.wayland, tt.args...); got != tt.want {
				t.Errorf("got  %+v\nwant %+v", got, tt.want)
			}
		})
	}
}

// This test's own binary under another name: the initialisation takes it for a
// program.
func TestInit(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(t.TempDir(), "program")
	copyFile(t, self, program)
	checkWithoutDisplay(t, program)

	t.Run("live", func(t *testing.T) {
		socket := filepath.Join(t.TempDir(), "s:0")
		l, err := net.Listen("unix", socket)
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		// The guard lets it pass, so it runs as what it is: a test binary
		// without a test to run.
		got := runWith(t, program, socket, "", "-test.run=^$")
		if got.exit != 0 || strings.Contains(got.stderr, "no display") {
			t.Errorf("got %+v, want the program to go on", got)
		}
	})
	t.Run("test binary", func(t *testing.T) {
		if got := runWith(t, self, "", "", "-test.run=^$"); got.exit != 0 {
			t.Errorf("got %+v, want a test binary to go on", got)
		}
	})
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	in, err := os.Open(from)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY, 0o755)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(out, in); err != nil {
		t.Fatal(err)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
}

// The window program: the guard is initialised before Ebitengine.
func TestBeforeEbitengine(t *testing.T) {
	program := filepath.Join(t.TempDir(), "chronoscope")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", program, ".")
	build.Dir = filepath.Join("..", "..")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	checkWithoutDisplay(t, program)
}
