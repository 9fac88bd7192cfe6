//go:build (linux && !android) || freebsd || netbsd || openbsd

package guard

import (
	"net"
	"os"
	"runtime"
	"strings"
	"time"
)

// dialTimeout bounds the wait for a display on another machine that doesn't
// answer. A local socket answers or refuses at once.
const dialTimeout = 3 * time.Second

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

// dial says whether something listens at an address.
func dial(network, addr string) error {
	c, err := net.DialTimeout(network, addr, dialTimeout)
	if err != nil {
		return err
	}
	return c.Close()
}
