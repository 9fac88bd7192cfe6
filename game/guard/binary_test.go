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
	"slices"
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
		answer(l, func([]byte) byte { return 1 })
		// The guard lets it pass, so it runs as what it is: a test binary
		// without a test to run.
		got := runWith(t, program, socket, "", "-test.run=^$")
		if got.exit != 0 || strings.Contains(got.stderr, "no display") {
			t.Errorf("got %+v, want the program to go on", got)
		}
	})
	t.Run("keys", func(t *testing.T) {
		dir := t.TempDir()
		t.Setenv("XAUTHORITY", filepath.Join(dir, "authority"))
		key := func(number, data string) string {
			var b strings.Builder
			b.WriteString("\x01\x00")
			for _, s := range []string{"host", number, "KEY", data} {
				b.WriteString(string([]byte{0, byte(len(s))}) + s)
			}
			return b.String()
		}
		keys := key("1", "other") + key("0", "wrong") + key("0", "right")
		greeted := func(data string) string {
			name := "KEY"
			if data == "" {
				name = ""
			}
			pad := func(s string) string { return s + strings.Repeat("\x00", -len(s)&3) }
			return "l\x00\x0b\x00\x00\x00" + string([]byte{byte(len(name)), 0, byte(len(data)), 0, 0, 0}) + pad(name) + pad(data)
		}
		wrong, right, none := greeted("wrong"), greeted("right"), greeted("")
		for i, tt := range []struct {
			file    string
			welcome string
			tried   []string
			open    bool
		}{
			{"", none, []string{none}, true},
			{keys, right, []string{wrong, right}, true},
			{keys, none, []string{wrong, right, none}, true},
			{keys[:len(keys)-3], "", []string{wrong, none}, false},
			{"", "", []string{none}, false},
		} {
			if err := os.WriteFile(os.Getenv("XAUTHORITY"), []byte(tt.file), 0o600); err != nil {
				t.Fatal(err)
			}
			socket := filepath.Join(dir, fmt.Sprintf("s%d:0", i))
			l, err := net.Listen("unix", socket)
			if err != nil {
				t.Fatal(err)
			}
			var tried []string
			done := answer(l, func(b []byte) byte {
				tried = append(tried, string(b))
				if string(b) == tt.welcome {
					return 1
				}
				return 0
			})
			got := runWith(t, program, socket, "", "-test.run=^$")
			l.Close()
			<-done
			if !slices.Equal(tried, tt.tried) {
				t.Errorf("%d: greeted with %q, want %q", i, tried, tt.tried)
			}
			refused := result{2, "", fmt.Sprintf("chronoscope: no display (DISPLAY=%q refuses this user: no key for it in XAUTHORITY or ~/.Xauthority is right%s\n", socket, suffix)}
			if tt.open && got.exit != 0 || !tt.open && got != refused {
				t.Errorf("%d: got %+v", i, got)
			}
		}
	})
	t.Run("closes", func(t *testing.T) {
		socket := filepath.Join(t.TempDir(), "s:0")
		l, err := net.Listen("unix", socket)
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		go func() {
			for {
				c, err := l.Accept()
				if err != nil {
					return
				}
				c.Close()
			}
		}()
		want := result{2, "", fmt.Sprintf("chronoscope: no display (nothing answers at DISPLAY=%q%s\n", socket, suffix)}
		if got := runWith(t, program, socket, ""); got != want {
			t.Errorf("got %+v, want %+v", got, want)
		}
	})
	t.Run("test binary", func(t *testing.T) {
		if got := runWith(t, self, "", "", "-test.run=^$"); got.exit != 0 {
			t.Errorf("got %+v, want a test binary to go on", got)
		}
	})
}

// answer is an X server that answers each greeting with one byte, until l is
// closed; what it returns is closed after that.
func answer(l net.Listener, verdict func(greeting []byte) byte) <-chan struct{} {
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			b := make([]byte, 4096)
			n, _ := c.Read(b)
			_, _ = c.Write([]byte{verdict(b[:n])})
			c.Close()
		}
	}()
	return done
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
