package game

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Output is a file to be written once, whole or not at all: a path that can't be
// written is known before anything runs. It is written under a temporary name in
// the same directory, so nothing half written ever stands under the name asked
// for, and a program that is killed leaves nothing there.
type Output struct{ what, path string }

// NewOutput prepares to write a file; what names it in errors. The error says
// what is wrong with the path.
func NewOutput(what, path string) (*Output, error) {
	o := &Output{what, path}
	if st, err := os.Stat(path); err == nil && !st.Mode().IsRegular() {
		return nil, fmt.Errorf("game: %s %s: not a regular file", what, path)
	}
	f, err := o.create()
	if err != nil {
		return nil, err
	}
	f.Close()
	os.Remove(f.Name())
	return o, nil
}

// create makes the temporary file.
func (o *Output) create() (*os.File, error) {
	f, err := os.CreateTemp(filepath.Dir(o.path), ".chronoscope-*")
	if err != nil {
		return nil, fmt.Errorf("game: %s %s: %w", o.what, o.path, pathCause(err))
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

// Path is where the file goes.
func (o *Output) Path() string { return o.path }

// Clashes says that another output goes to the same place, however that is
// written. (Two names of one file are two places: each is replaced, not written
// over.)
func (o *Output) Clashes(other *Output) bool {
	if o == nil || other == nil || filepath.Base(o.path) != filepath.Base(other.path) {
		return false
	}
	a, err1 := os.Stat(filepath.Dir(o.path))
	b, err2 := os.Stat(filepath.Dir(other.path))
	return err1 == nil && err2 == nil && os.SameFile(a, b)
}

// Write lets a function write the file and puts it under its name.
func (o *Output) Write(content func(io.Writer) error) error {
	f, err := o.create()
	if err != nil {
		return err
	}
	err = errors.Join(content(f), f.Chmod(0o644), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), o.path)
	}
	if err != nil {
		os.Remove(f.Name())
		return fmt.Errorf("game: %s %s: %w", o.what, o.path, pathCause(err))
	}
	return nil
}
