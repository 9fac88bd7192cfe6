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

// Screenshot is a picture to be written when the window closes. A path that
// can't be written is known before anything runs. The file is written under a
// temporary name in the same directory, so nothing half written ever stands
// under the name asked for, and a program that is killed leaves nothing.
type Screenshot struct {
	path string
}

// NewScreenshot prepares to write a PNG to path. The error says what is wrong
// with the path.
func NewScreenshot(path string) (*Screenshot, error) {
	if st, err := os.Stat(path); err == nil && !st.Mode().IsRegular() {
		return nil, fmt.Errorf("game: screenshot %s: not a regular file", path)
	}
	s := &Screenshot{path}
	f, err := s.create()
	if err != nil {
		return nil, err
	}
	f.Close()
	os.Remove(f.Name())
	return s, nil
}

// create makes the temporary file.
func (s *Screenshot) create() (*os.File, error) {
	f, err := os.CreateTemp(filepath.Dir(s.path), ".chronoscope-*.png")
	if err != nil {
		return nil, fmt.Errorf("game: screenshot %s: %w", s.path, pathCause(err))
	}
	return f, nil
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

// Write writes img and puts it under its name.
func (s *Screenshot) Write(img image.Image) error {
	f, err := s.create()
	if err != nil {
		return err
	}
	err = errors.Join(encode(f, img), f.Chmod(0o644), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), s.path)
	}
	if err != nil {
		os.Remove(f.Name())
		return fmt.Errorf("game: screenshot %s: %w", s.path, err)
	}
	return nil
}

func encode(w io.Writer, img image.Image) error {
	e := png.Encoder{CompressionLevel: png.BestSpeed}
	return e.Encode(w, img)
}
