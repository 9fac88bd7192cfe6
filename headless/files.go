package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// A target is a file that a run is going to write: known to be writable before
// anything begins, complete or absent after.
type target struct {
	name string
	file *os.File // nil for one that is begun when all of it is known
	temp string   // the name it is written under until it is whole, "" for its own
	made bool     // the file wasn't there before
}

// openWhole sees to a file that appears under its name only when it is
// complete, and is begun by begin: a run that is killed leaves nothing of it.
// What is no regular file (a device, a pipe) is written in place.
func openWhole(name string) (*target, error) {
	// A link stays one: what it points to is replaced.
	if path, err := filepath.EvalSymlinks(name); err == nil {
		name = path
	}
	switch info, err := os.Stat(name); {
	case err == nil && info.IsDir():
		return nil, errors.New("is a directory")
	case err == nil && !info.Mode().IsRegular():
		f, err := os.OpenFile(name, os.O_WRONLY, 0)
		return &target{name: name, file: f}, bare(err)
	case err == nil:
		// A file that can't be written must not be replaced behind its
		// owner's back only because its directory can.
		f, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			return nil, bare(err)
		}
		f.Close()
	}
	t := &target{name: name}
	if err := t.make(); err != nil {
		return nil, err
	}
	t.abandon()
	return t, nil
}

// make makes the file that is going to have t's name.
func (t *target) make() error {
	f, err := os.CreateTemp(filepath.Dir(t.name), "."+filepath.Base(t.name)+".*")
	if err != nil {
		return bare(err)
	}
	t.file, t.temp = f, f.Name()
	return nil
}

// openGrowing opens a file that is written as the run goes on. What it held is
// kept until begin.
func openGrowing(name string) (*target, error) {
	_, err := os.Stat(name)
	made := errors.Is(err, fs.ErrNotExist)
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE, 0o666)
	if err != nil {
		return nil, bare(err)
	}
	return &target{name: name, file: f, made: made}, nil
}

// begin makes a growing file empty, or the file that will be whole.
func (t *target) begin() error {
	if t.file == nil {
		return t.make()
	}
	info, err := t.file.Stat()
	if err == nil && info.Mode().IsRegular() {
		err = t.file.Truncate(0)
	}
	return bare(err)
}

// finish closes the file and gives it its name.
func (t *target) finish() error {
	if t.temp != "" {
		// CreateTemp's 0600 is for secrets; this is an ordinary file. Where
		// that can't be changed it stays private.
		_ = t.file.Chmod(0o644)
	}
	if err := t.file.Close(); err != nil {
		return bare(err)
	}
	if t.temp == "" {
		return nil
	}
	if err := os.Rename(t.temp, t.name); err != nil {
		os.Remove(t.temp)
		return bare(err)
	}
	return nil
}

// is says whether t's open file is the regular file of that name.
func (t *target) is(name string) bool {
	a, err1 := t.file.Stat()
	b, err2 := os.Stat(name)
	return err1 == nil && err2 == nil && a.Mode().IsRegular() && os.SameFile(a, b)
}

// abandon leaves no trace.
func (t *target) abandon() {
	if t == nil || t.file == nil {
		return
	}
	t.file.Close()
	t.file = nil
	switch {
	case t.temp != "":
		os.Remove(t.temp)
	case t.made:
		os.Remove(t.name)
	}
}

// bare is an error of the file system without the operation and the name, which
// the message it goes into has said.
func bare(err error) error {
	var pe *fs.PathError
	var le *os.LinkError
	switch {
	case errors.As(err, &pe):
		return pe.Err
	case errors.As(err, &le):
		return le.Err
	}
	return err
}

// outputs are the files of one run.
type outputs struct {
	report  *target // nil for none or standard output
	digests *target
	capture *target
}

// openOutputs opens everything or nothing. Its error is one line that names
// the flag.
func openOutputs(s *settings) (outputs, error) {
	var o outputs
	var err error
	if s.report != "" && s.report != "-" {
		if o.report, err = openWhole(s.report); err != nil {
			return outputs{}, fmt.Errorf("-report %s: %w", s.report, err)
		}
	}
	if s.digests != "" {
		if o.digests, err = openGrowing(s.digests); err != nil {
			o.report.abandon()
			return outputs{}, fmt.Errorf("-digests %s: %w", s.digests, err)
		}
	}
	if o.report != nil && o.digests != nil && o.digests.is(o.report.name) {
		o.abandon()
		return outputs{}, fmt.Errorf("-digests %s: the report goes there already", s.digests)
	}
	if s.capture == "" {
		return o, nil
	}
	for _, other := range []string{s.report, s.digests} {
		if other != "" && other != "-" && sameFile(other, s.capture) {
			o.abandon()
			return outputs{}, fmt.Errorf("-capture %s: something else goes there already", s.capture)
		}
	}
	if o.capture, err = openWhole(s.capture); err != nil {
		o.abandon()
		return outputs{}, fmt.Errorf("-capture %s: %w", s.capture, err)
	}
	return o, nil
}

func (o *outputs) abandon() {
	o.report.abandon()
	o.digests.abandon()
	o.capture.abandon()
}

// reportWriter is where the report goes.
func (o *outputs) reportWriter(stdout io.Writer) io.Writer {
	if o.report != nil {
		return o.report.file
	}
	return stdout
}
