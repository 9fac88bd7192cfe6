//go:build unix

package mapfile_test

import (
	"path/filepath"
	"syscall"
	"testing"

	"chronoscope/routes/mapfile"
)

// Opening a pipe would wait for somebody to write into it.
func TestPipeIsNotOpened(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe.map")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	_, _, err := mapfile.Open(pipe)
	checkError(t, err, "mapfile: "+pipe+": ", "is not a regular file", nil)
	_, err = mapfile.ReadScen(pipe)
	checkError(t, err, "mapfile: "+pipe+": ", "is not a regular file", nil)
}
