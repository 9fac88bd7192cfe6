package guard

import (
	_ "embed"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

//go:embed help.txt
var help string

// Help is the window program's help as it is printed where no display is: the
// text generated from the table of flags.
func Help() string { return help }

// Check says whether a window can be opened: nil, or an error of one line that
// says what is wrong with the display and names the way to run without one.
// env reads an environment variable ("" when unset), dial connects, greets and
// disconnects, goos is a runtime.GOOS. Systems whose windows don't need X11
// pass without a look.
func Check(env func(string) string, dial func(network, addr string) error, goos string) error {
	if !needsX11(goos) {
		return nil
	}
	name := env("DISPLAY")
	if name == "" {
		if env("WAYLAND_DISPLAY") != "" {
			return noDisplay("DISPLAY is not set; on Wayland the window needs XWayland, which sets it")
		}
		return noDisplay("DISPLAY is not set")
	}
	addrs := addresses(name, goos)
	if addrs == nil {
		return noDisplay(fmt.Sprintf("DISPLAY=%q is not the name of one", name))
	}
	for _, a := range addrs {
		switch err := dial(a.network, a.addr); {
		case err == nil:
			return nil
		case errors.Is(err, errRefused):
			return noDisplay(fmt.Sprintf("DISPLAY=%q refuses this user: no key for it in XAUTHORITY or ~/.Xauthority is right", name))
		}
	}
	return noDisplay(fmt.Sprintf("nothing answers at DISPLAY=%q", name))
}

func noDisplay(why string) error {
	return fmt.Errorf("chronoscope: no display (%s): go run ./headless runs the same world without one", why)
}

// needsX11 says whether Ebitengine opens its window through X11 there.
func needsX11(goos string) bool {
	switch goos {
	case "linux", "freebsd", "netbsd", "openbsd":
		return true
	}
	return false
}

// errRefused says that an X server answered, and not with a welcome.
var errRefused = errors.New("refused")

// address is a place where an X server may listen, as net.Dial takes it.
type address struct{ network, addr string }

// portBase is the TCP port of display 0.
const portBase = 6000

// addresses lists where a display may listen, in the order in which libxcb
// tries. A name is [host]:number[.screen] or the path of a socket; the host
// "unix" means none. An unreadable name has no addresses.
func addresses(name, goos string) []address {
	if path := strings.TrimPrefix(name, "unix:"); strings.HasPrefix(path, "/") {
		addrs := []address{{"unix", path}}
		if i := strings.LastIndexByte(path, '.'); i > 0 && digits(path[i+1:]) {
			addrs = append(addrs, address{"unix", path[:i]}) // .screen
		}
		return addrs
	}
	colon := strings.LastIndexByte(name, ':')
	if colon < 0 {
		return nil
	}
	host, number := name[:colon], name[colon+1:]
	number, screen, hasScreen := strings.Cut(number, ".")
	n, err := strconv.Atoi(number)
	if err != nil || !digits(number) || n > 65535-portBase || (hasScreen && !digits(screen)) {
		return nil
	}
	if slash := strings.LastIndexByte(host, '/'); slash >= 0 {
		host = host[slash+1:] // protocol/host
	}
	port := strconv.Itoa(portBase + n)
	if host != "" && host != "unix" {
		if strings.Contains(host, ":") && !strings.HasPrefix(host, "[") {
			host = "[" + host + "]" // a bare IPv6 address
		}
		return []address{{"tcp", host + ":" + port}}
	}
	socket := "/tmp/.X11-unix/X" + strconv.Itoa(n)
	var addrs []address
	if goos == "linux" {
		addrs = append(addrs, address{"unix", "@" + socket}) // abstract: needs no file
	}
	addrs = append(addrs, address{"unix", socket})
	if host == "" {
		addrs = append(addrs, address{"tcp", "localhost:" + port})
	}
	return addrs
}

// digits says whether s is a plain decimal number.
func digits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// wantsHelp says whether arguments (without the program's name) ask for help,
// in the spellings of package flag.
func wantsHelp(args []string) bool {
	for _, a := range args {
		switch a {
		case "-h", "--h", "-help", "--help":
			return true
		case "--":
			return false
		}
	}
	return false
}
