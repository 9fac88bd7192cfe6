package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"chronoscope/game"
	"chronoscope/overlay"
	"chronoscope/world/scenario"
)

// What is remembered from one start to the next stands in a TOML file in the
// user's configuration directory: how the window looks, and the pacing. What a
// world is made of is never in it. Scenario and flags win over it.

// savedFile is what the file holds.
type savedFile struct {
	Window savedWindow       `toml:"window"`
	Pacing map[string]string `toml:"pacing"` // by the flags' names
}

type savedWindow struct {
	Size       string   `toml:"size"`
	Fullscreen bool     `toml:"fullscreen"`
	VSync      bool     `toml:"vsync"`
	Panels     bool     `toml:"panels"`
	Dock       bool     `toml:"dock"`
	Legend     bool     `toml:"legend"`
	Minimap    bool     `toml:"minimap"`
	Welcome    bool     `toml:"welcome"` // the card of a first start
	Tab        string   `toml:"tab"`     // of the dock
	Layers     []string `toml:"layers"`
	Unfolded   []string `toml:"unfolded"` // of the panels
}

const savedHead = "# How Chronoscope's window was left. It may be edited, or deleted.\n\n"

// maxSaved bounds the file, so that a wrong one is no gigabyte read.
const maxSaved = 1 << 16

// savedPath is where the file stands, "" where a system has no place for it.
func savedPath() string {
	dir, err := os.UserConfigDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "chronoscope", "settings.toml")
}

// savedSettings are settings read from the file.
type savedSettings struct {
	look   game.Look
	pacing map[string]string
}

// recall reads the file; nil when there is none. A file that can't be used is
// set aside under another name, which the error says.
func recall(path string) (*savedSettings, error) {
	if path == "" {
		return nil, nil
	}
	s, err := readSaved(path)
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	aside := path + ".broken"
	if moved := os.Rename(path, aside); moved != nil {
		return nil, fmt.Errorf("settings %s: %v; it is ignored, and can't be set aside: %v", path, err, cause(moved))
	}
	return nil, fmt.Errorf("settings %s: %v; set aside as %s", path, err, aside)
}

// readSaved reads and checks the file.
func readSaved(path string) (*savedSettings, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, cause(err)
	}
	if !info.Mode().IsRegular() || info.Size() > maxSaved {
		return nil, fmt.Errorf("not a regular file of at most %d bytes", maxSaved)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, cause(err)
	}
	f := savedFile{Window: windowOf(game.DefaultLook())}
	d := toml.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&f); err != nil {
		return nil, decodeCause(err)
	}
	s := &savedSettings{pacing: f.Pacing}
	if s.look, err = f.Window.look(); err != nil {
		return nil, err
	}
	// Whether the pacing can be used is asked of the rows it is for.
	table, config := scenario.New()
	if err := s.apply(table, config); err != nil {
		return nil, err
	}
	return s, nil
}

// decodeCause is the first thing wrong with a file, with its line.
func decodeCause(err error) error {
	if strict, ok := errors.AsType[*toml.StrictMissingError](err); ok && len(strict.Errors) > 0 {
		e := strict.Errors[0]
		line, column := e.Position()
		return fmt.Errorf("line %d, column %d: unknown key %s", line, column, strings.Join(e.Key(), "."))
	}
	if e, ok := errors.AsType[*toml.DecodeError](err); ok {
		line, column := e.Position()
		return fmt.Errorf("line %d, column %d: %s", line, column, strings.TrimPrefix(e.Error(), "toml: "))
	}
	return err
}

func windowOf(l game.Look) savedWindow {
	w := savedWindow{
		Size: (&size{l.Width, l.Height}).String(), Fullscreen: l.Fullscreen, VSync: l.VSync,
		Panels: l.Sidebar, Dock: l.Dock, Legend: l.Legend,
		Minimap: l.Minimap, Welcome: l.Welcome, Tab: l.Tab.Name(), Layers: []string{}, Unfolded: []string{},
	}
	for layer, on := range l.Layers {
		if on {
			w.Layers = append(w.Layers, overlay.Layer(layer).String())
		}
	}
	for i, open := range l.Sections {
		if open {
			w.Unfolded = append(w.Unfolded, overlay.Section(i).String())
		}
	}
	return w
}

func (w *savedWindow) look() (game.Look, error) {
	var at size
	if err := at.Set(w.Size); err != nil {
		return game.Look{}, fmt.Errorf("window.size %q: %w", w.Size, err)
	}
	l := game.Look{
		Width: at.w, Height: at.h, Fullscreen: w.Fullscreen, VSync: w.VSync,
		Sidebar: w.Panels, Dock: w.Dock, Legend: w.Legend,
		Minimap: w.Minimap, Welcome: w.Welcome,
	}
	tab := slices.Index(overlay.TabNames(), w.Tab)
	if tab < 0 {
		return l, fmt.Errorf("window.tab %q: accepted are %s", w.Tab, strings.Join(overlay.TabNames(), ", "))
	}
	l.Tab = overlay.Tab(tab)
	for _, name := range w.Layers {
		layer, ok := overlay.LayerNamed(name)
		if !ok {
			return l, fmt.Errorf("window.layers: unknown layer %q", name)
		}
		l.Layers[layer] = true
	}
	for _, name := range w.Unfolded {
		i, ok := overlay.SectionNamed(name)
		if !ok {
			return l, fmt.Errorf("window.unfolded: unknown panel %q: accepted are %s", name, strings.Join(overlay.SectionNames(), ", "))
		}
		l.Sections[i] = true
	}
	return l, nil
}

// apply sets the pacing, before scenario and flags do.
func (s *savedSettings) apply(t *scenario.Table, c *scenario.Config) error {
	for name, text := range s.pacing {
		row := t.Lookup(name)
		if row == nil || row.Kind != scenario.Pacing {
			return fmt.Errorf("pacing.%s: no such setting", name)
		}
		if err := row.Value.Set(text); err != nil {
			return fmt.Errorf("pacing.%s %q: accepted are %s", name, text, row.Value.Accepted())
		}
	}
	if err := c.Pacing.Validate(); err != nil {
		return err
	}
	return nil
}

// save writes the file anew, whole or not at all.
func save(path string, l game.Look, pacing map[string]string) error {
	if path == "" {
		return nil
	}
	data, err := toml.Marshal(savedFile{windowOf(l), pacing})
	if err == nil {
		err = writeWhole(path, append([]byte(savedHead), data...))
	}
	if err != nil {
		return fmt.Errorf("settings %s: %w", path, cause(err))
	}
	return nil
}

func writeWhole(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".settings-*")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// cause is an error of the file system without the name, which is said apart.
func cause(err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Err
	}
	if le, ok := errors.AsType[*os.LinkError](err); ok {
		return le.Err
	}
	return err
}
