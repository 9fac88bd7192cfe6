//go:build !race

package frametime_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"chronoscope/loop/frametime"
)

// Files that would take the machine's memory are refused before they do.
func TestTooLarge(t *testing.T) {
	_, bomb := frametime.Decode(pack(make([]byte, frametime.MaxContent+1)))
	_, endless := frametime.Read(zeros{})
	_, rows := frametime.Import([]byte("fps,frametime\n" + strings.Repeat(",1\n", frametime.MaxRows+1)))
	c := sample(60, 1)
	c.Meta.Note = strings.Repeat("x", 17<<20)
	for name, err := range map[string]error{"unpacked": bomb, "file": endless, "rows": rows, "written": frametime.Write(io.Discard, c)} {
		if !errors.Is(err, frametime.ErrTooLarge) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

type zeros struct{}

func (zeros) Read(b []byte) (int, error) { return len(b), nil }
