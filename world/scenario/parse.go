package scenario

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"chronoscope/assets"
)

// Parse applies the arguments, without the program's name, to the values: the
// scenario first (the one that the arguments name, or the default), then the
// flags, which win. Whatever the values held before, saved settings for
// instance, loses to both. The error is ErrHelp or a *UsageError; the values
// are then in an unknown state and nothing should be started from them.
func (t *Table) Parse(args []string) error {
	list, err := t.scan(args)
	if err != nil {
		return err
	}
	for _, a := range list {
		if a.row.Name == "scenario" {
			if err := a.set(); err != nil {
				return err
			}
		}
	}
	t.given = make(map[string]bool)
	if err := t.loadScenario(t.config.Scenario); err != nil {
		return err
	}
	for _, a := range list {
		if err := a.set(); err != nil {
			return err
		}
		t.given[a.row.Name] = true
	}
	if t.given["wake-radius"] && !t.given["sleep-radius"] {
		t.config.widen()
	}
	if err := t.config.check(); err != nil {
		return err
	}
	t.config.finish()
	return nil
}

// loadScenario applies a scenario by name, or from a file. What looks like a
// file name (a separator or an extension in it) is one.
func (t *Table) loadScenario(name string) error {
	if slices.Contains(Builtin(), name) {
		data, err := fs.ReadFile(assets.Scenarios(), name+".toml")
		if err != nil {
			return usagef("-scenario %s: %v", name, err)
		}
		return t.apply(data, name+".toml", "")
	}
	data, err := readFile(name)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) && !strings.ContainsAny(name, `./\`) {
			return usagef("-scenario %s: accepted are %s, or a file", name, builtinNames())
		}
		return usagef("-scenario %s: %v", name, reason(err))
	}
	return t.apply(data, name, filepath.Dir(name))
}

// maxFile bounds a scenario file, so that a wrong name is no gigabyte read.
const maxFile = 1 << 20

var errTooLarge = errors.New("larger than 1MiB, which no scenario is")

func readFile(name string) ([]byte, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("not a regular file")
	}
	if info.Size() > maxFile {
		return nil, errTooLarge
	}
	return os.ReadFile(name)
}

// reason is an error of the file system without the name, which the caller
// has said already.
func reason(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}

// Builtin are the names of the built-in scenarios, in order.
func Builtin() []string {
	list, err := fs.Glob(assets.Scenarios(), "*.toml")
	if err != nil {
		return nil
	}
	for i, name := range list {
		list[i] = strings.TrimSuffix(name, ".toml")
	}
	return list
}

func builtinNames() string { return strings.Join(Builtin(), ", ") }
