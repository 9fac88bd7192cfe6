//go:build (linux && !android) || freebsd || netbsd || openbsd

package guard

import (
	"encoding/binary"
	"errors"
	"io"
	"strconv"
	"strings"
)

// greetings are the first messages to an X server that may be welcome: with
// each key that an authority file has for displays of this number, then without
// one. The X library picks among the same, so if none is welcome it can't open
// the display either. Keys for others are left out: a forwarded display
// complains about wrong ones on the user's terminal.
func greetings(authority []byte, number string) [][]byte {
	var all [][]byte
	for rest := authority; len(rest) >= 2; {
		rest = rest[2:] // the address family
		var field [4]string
		for i := range field { // address, display, name and data of the key
			if len(rest) < 2 {
				return append(all, greeting("", ""))
			}
			n := int(binary.BigEndian.Uint16(rest))
			if len(rest) < 2+n {
				return append(all, greeting("", ""))
			}
			field[i], rest = string(rest[2:2+n]), rest[2+n:]
		}
		if field[1] == "" || field[1] == number {
			all = append(all, greeting(field[2], field[3]))
		}
	}
	return append(all, greeting("", ""))
}

// displayNumber is the number of the display that listens at an address.
func displayNumber(network, addr string) string {
	number := addr[len(strings.TrimRight(addr, "0123456789")):]
	if port, err := strconv.Atoi(number); err == nil && network == "tcp" {
		number = strconv.Itoa(port - portBase)
	}
	return number
}

// greeting asks for version 11 with a key.
func greeting(name, data string) []byte {
	b := []byte{'l', 0, 11, 0, 0, 0}
	b = binary.LittleEndian.AppendUint16(b, uint16(len(name)))
	b = binary.LittleEndian.AppendUint16(b, uint16(len(data)))
	b = append(b, 0, 0)
	for _, s := range []string{name, data} {
		b = append(b, s...)
		b = append(b, make([]byte, -len(s)&3)...)
	}
	return b
}

var errNoServer = errors.New("no X server")

// greet sends a greeting. It returns errRefused when the answer is no welcome,
// and another error when there is none.
func greet(c io.ReadWriter, greeting []byte) error {
	if _, err := c.Write(greeting); err != nil {
		return err
	}
	var answer [1]byte
	if _, err := io.ReadFull(c, answer[:]); err != nil {
		return err
	}
	switch answer[0] {
	case 1: // welcome
		return nil
	case 0, 2: // no, and: authenticate further
		return errRefused
	}
	return errNoServer
}
