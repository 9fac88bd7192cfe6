package game

import (
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"os"
	"path/filepath"
)

// Screenshot is a picture to be written when the window closes. The file is
// opened at the start, under a temporary name in the same directory: a path
// that can't be written is known before anything runs, and nothing half
// written ever stands under the name asked for.
type Screenshot struct {
	path string
	file *os.File
}

// NewScreenshot prepares to write a PNG to path. The error says what is wrong
// with the path.
func NewScreenshot(path string) (*Screenshot, error) {
	if st, err := os.Stat(path); err == nil && !st.Mode().IsRegular() {
		return nil, fmt.Errorf("game: screenshot %s: not a regular file", path)
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".chronoscope-*.png")
	if err != nil {
		return nil, fmt.Errorf("game: screenshot %s: %w", path, pathCause(err))
	}
	return &Screenshot{path, f}, nil
}

// pathCause drops the temporary name from an error: the user asked for another.
func pathCause(err error) error {
	if pe, ok := errors.AsType[*os.PathError](err); ok {
		return pe.Err
	}
	return err
}

// Path is where the picture goes.
func (s *Screenshot) Path() string { return s.path }

// Write writes img and puts it under its name. It can be called once.
func (s *Screenshot) Write(img image.Image) error {
	err := errors.Join(encode(s.file, img), s.file.Chmod(0o644), s.file.Close())
	if err == nil {
		err = os.Rename(s.file.Name(), s.path)
	}
	if err != nil {
		os.Remove(s.file.Name())
		return fmt.Errorf("game: screenshot %s: %w", s.path, err)
	}
	s.file = nil
	return nil
}

// Discard removes the temporary file when there is no picture. After Write it
// does nothing.
func (s *Screenshot) Discard() {
	if s.file != nil {
		s.file.Close()
		os.Remove(s.file.Name())
		s.file = nil
	}
}

func encode(w io.Writer, img image.Image) error {
	e := png.Encoder{CompressionLevel: png.BestSpeed}
	return e.Encode(w, img)
}
