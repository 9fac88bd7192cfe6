//go:build unix

package game

import (
	"path/filepath"
	"syscall"
	"testing"
)

// Files that can't be read say so, and are not waited for.
func TestLoadWhatIsNoFile(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	for _, path := range []string{pipe, dir} {
		if _, err := loadCapture(path); err == nil || err.Error() != path+": not a regular file" {
			t.Errorf("%v", err)
		}
	}
}
