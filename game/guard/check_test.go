package guard_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"chronoscope/game/guard"
)

const suffix = "): go run ./headless runs the same world without one"

func TestCheck(t *testing.T) {
	tests := []struct {
		name    string
		goos    string // "" = linux
		display string
		wayland string
		alive   string   // the one address that answers
		dialed  []string // all that must be tried, in order
		want    string   // of the error, between "no display (" and the suffix; "" = no error
	}{
		{name: "not set", want: "DISPLAY is not set"},
		{name: "not set on Wayland", wayland: "wayland-0", want: "DISPLAY is not set; on Wayland the window needs XWayland, which sets it"},
		{name: "Wayland and a live display", display: ":0", wayland: "wayland-0", alive: "unix @/tmp/.X11-unix/X0",
			dialed: []string{"unix @/tmp/.X11-unix/X0"}},
		{name: "abstract socket", display: ":0", alive: "unix @/tmp/.X11-unix/X0", dialed: []string{"unix @/tmp/.X11-unix/X0"}},
		{name: "socket file", display: ":1.0", alive: "unix /tmp/.X11-unix/X1",
			dialed: []string{"unix @/tmp/.X11-unix/X1", "unix /tmp/.X11-unix/X1"}},
		{name: "local port", display: ":2", alive: "tcp localhost:6002",
			dialed: []string{"unix @/tmp/.X11-unix/X2", "unix /tmp/.X11-unix/X2", "tcp localhost:6002"}},
		{name: "dead", display: ":99",
			dialed: []string{"unix @/tmp/.X11-unix/X99", "unix /tmp/.X11-unix/X99", "tcp localhost:6099"},
			want:   `nothing answers at DISPLAY=":99"`},
		{name: "dead on Wayland", display: ":99", wayland: "wayland-0",
			dialed: []string{"unix @/tmp/.X11-unix/X99", "unix /tmp/.X11-unix/X99", "tcp localhost:6099"},
			want:   `nothing answers at DISPLAY=":99"`},
		{name: "no abstract sockets", goos: "freebsd", display: ":0",
			dialed: []string{"unix /tmp/.X11-unix/X0", "tcp localhost:6000"},
			want:   `nothing answers at DISPLAY=":0"`},
		{name: "explicit unix", display: "unix:3",
			dialed: []string{"unix @/tmp/.X11-unix/X3", "unix /tmp/.X11-unix/X3"},
			want:   `nothing answers at DISPLAY="unix:3"`},
		{name: "forwarded", display: "localhost:10.0", alive: "tcp localhost:6010", dialed: []string{"tcp localhost:6010"}},
		{name: "forwarded, dead", display: "localhost:10.0", dialed: []string{"tcp localhost:6010"},
			want: `nothing answers at DISPLAY="localhost:10.0"`},
		{name: "protocol", display: "tcp/far:0", alive: "tcp far:6000", dialed: []string{"tcp far:6000"}},
		{name: "IPv6", display: "::1:4", alive: "tcp [::1]:6004", dialed: []string{"tcp [::1]:6004"}},
		{name: "IPv6 in brackets", display: "[::1]:4", alive: "tcp [::1]:6004", dialed: []string{"tcp [::1]:6004"}},
		{name: "path", display: "/run/x/s:0", alive: "unix /run/x/s:0", dialed: []string{"unix /run/x/s:0"}},
		{name: "path with screen", display: "unix:/run/x/s:0.1", alive: "unix /run/x/s:0",
			dialed: []string{"unix /run/x/s:0.1", "unix /run/x/s:0"}},
		{name: "no number", display: "foo", want: `DISPLAY="foo" is not the name of one`},
		{name: "empty number", display: ":", want: `DISPLAY=":" is not the name of one`},
		{name: "letters", display: ":x", want: `DISPLAY=":x" is not the name of one`},
		{name: "signed", display: ":+1", want: `DISPLAY=":+1" is not the name of one`},
		{name: "empty screen", display: ":0.", want: `DISPLAY=":0." is not the name of one`},
		{name: "beyond the ports", display: ":59536", want: `DISPLAY=":59536" is not the name of one`},
		{name: "two lines", display: "a\nb", want: `DISPLAY="a\nb" is not the name of one`},
		{name: "windows", goos: "windows"},
		{name: "darwin", goos: "darwin"},
		{name: "js", goos: "js"},
		{name: "android", goos: "android"},
		{name: "openbsd", goos: "openbsd", want: "DISPLAY is not set"},
		{name: "netbsd", goos: "netbsd", want: "DISPLAY is not set"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			env := func(name string) string {
				switch name {
				case "DISPLAY":
					return tt.display
				case "WAYLAND_DISPLAY":
					return tt.wayland
				}
				t.Errorf("read %s from the environment", name)
				return ""
			}
			var dialed []string
			dial := func(network, addr string) error {
				dialed = append(dialed, network+" "+addr)
				if network+" "+addr == tt.alive {
					return nil
				}
				return errors.New("refused")
			}
			goos := tt.goos
			if goos == "" {
				goos = "linux"
			}
			err := guard.Check(env, dial, goos)
			if !slices.Equal(dialed, tt.dialed) {
				t.Errorf("dialed %q, want %q", dialed, tt.dialed)
			}
			if tt.want == "" {
				if err != nil {
					t.Errorf("error %q, want none", err)
				}
				return
			}
			if want := "chronoscope: no display (" + tt.want + suffix; err == nil || err.Error() != want {
				t.Errorf("error %v\nwant  %s", err, want)
			}
		})
	}
}

func TestHelp(t *testing.T) {
	if h := guard.Help(); !strings.Contains(h, "\nUsage:\n") || !strings.HasSuffix(h, "\n") {
		t.Errorf("help %q has no usage, or doesn't end its last line", h)
	}
}
