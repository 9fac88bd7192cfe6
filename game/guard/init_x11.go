//go:build (linux && !android) || freebsd || netbsd || openbsd

package guard

import (
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// dialTimeout bounds the wait for a display on another machine that doesn't
// answer. A local socket answers or refuses at once.
const dialTimeout = 3 * time.Second

// greetTimeout bounds the wait for what a server says: long, for a busy one.
const greetTimeout = 10 * time.Second

func init() {
	if strings.HasSuffix(os.Args[0], ".test") {
		return // a test binary: its tests say what they need
	}
	err := Check(os.Getenv, dial, runtime.GOOS)
	switch {
	case err == nil:
		return
	case wantsHelp(os.Args[1:]):
		os.Stdout.WriteString(help)
		os.Exit(0)
	default:
		os.Stderr.WriteString(err.Error() + "\n")
		os.Exit(2)
	}
}

// dial says whether an X server listens at an address and lets in the user,
// with a key or without.
func dial(network, addr string) error {
	var refused error
	for _, g := range greetings(authority(), displayNumber(network, addr)) {
		c, err := net.DialTimeout(network, addr, dialTimeout)
		if err != nil {
			return err
		}
		_ = c.SetDeadline(time.Now().Add(greetTimeout))
		err = greet(c, g)
		c.Close()
		if err == nil {
			return nil
		}
		if refused != errRefused {
			refused = err
		}
	}
	return refused
}

// authority is the contents of the file of keys, nil where there is none.
func authority() []byte {
	name := os.Getenv("XAUTHORITY")
	if name == "" {
		name = filepath.Join(os.Getenv("HOME"), ".Xauthority")
	}
	data, _ := os.ReadFile(name)
	return data
}
