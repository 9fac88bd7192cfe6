package game

import (
	"cmp"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"chronoscope/loop"
	"chronoscope/loop/frametime"
	"chronoscope/overlay"

	"github.com/hajimehoshi/ebiten/v2"
)

// slots are the captures A to D.
type slots struct {
	held  overlay.Slots
	fills [frametime.MaxSlots]filling
}

// filling is a capture under way.
type filling struct {
	on       bool
	frames   []frametime.Frame
	releases []frametime.Release
}

// hear tells the captures under way of releases.
func (s *slots) hear(list []frametime.Release) {
	for i := range s.fills {
		if f := &s.fills[i]; f.on {
			f.releases = append(f.releases, list...)
		}
	}
}

// frame tells them of a frame.
func (s *slots) frame(x *frametime.Frame) (full int) {
	full = -1
	for i := range s.fills {
		if f := &s.fills[i]; f.on {
			if f.frames = append(f.frames, *x); len(f.frames) == frametime.MaxRing {
				full = i
			}
		}
	}
	return full
}

// count writes how many frames the captures under way have, and how long they
// have been.
func (s *slots) count(now time.Time) {
	for i := range s.fills {
		if s.fills[i].on {
			s.held[i].For = now.Sub(s.held[i].Since)
			s.held[i].Frames = len(s.fills[i].frames)
		}
	}
}

// capture does what was asked for with a slot.
func (g *Game) capture(o overlay.CaptureOrder) error {
	if o.Kind == overlay.NoCapture {
		return nil
	}
	if o.Slot < 0 || o.Slot >= frametime.MaxSlots {
		return fmt.Errorf("capture: accepted are slots A to %s", overlay.SlotName(frametime.MaxSlots-1))
	}
	s, name := &g.slots.held[o.Slot], overlay.SlotName(o.Slot)
	switch o.Kind {
	case overlay.BeginCapture:
		if s.Filling {
			return fmt.Errorf("capture %s: it is under way already", name)
		}
		*s = overlay.Slot{Filling: true, Since: g.now()}
		g.slots.fills[o.Slot] = filling{on: true}
		return nil
	case overlay.EndCapture:
		if !s.Filling {
			return fmt.Errorf("capture %s: none is under way", name)
		}
		return g.endCapture(o.Slot)
	case overlay.HoldCapture:
		frames := g.rec.Frames.AppendTo(nil)
		first, _ := slices.BinarySearchFunc(frames, g.worldSince, func(f frametime.Frame, at int64) int {
			return cmp.Compare(f.Layout, at)
		})
		return g.hold(o.Slot, frames[first:], slices.Clone(g.rec.Releases))
	case overlay.ClearCapture:
		*s, g.slots.fills[o.Slot] = overlay.Slot{}, filling{}
		return nil
	case overlay.LoadCapture:
		c, err := loadCapture(o.Path)
		if err != nil {
			return err
		}
		g.slots.fills[o.Slot] = filling{}
		*s = overlay.Slot{Capture: c, Frames: len(c.Frames), File: o.Path}
		return nil
	}
	if s.Capture == nil {
		return fmt.Errorf("capture %s: it is empty: begin one, hold what the graph shows, or load a file", name)
	}
	path, err := writeCapture(s.Capture, o, name)
	if err != nil {
		return err
	}
	if o.Kind == overlay.SaveCapture {
		s.File = path
	}
	g.hud.say("capture "+name+" written to "+path, g.now())
	return nil
}

// endCapture holds what was captured into a slot.
func (g *Game) endCapture(i int) error {
	f := &g.slots.fills[i]
	frames, releases := f.frames, f.releases
	*f = filling{}
	g.slots.held[i] = overlay.Slot{}
	return g.hold(i, frames, releases)
}

// endCaptures ends all that are under way: the world they are of is over.
func (g *Game) endCaptures() {
	for i := range g.slots.fills {
		if g.slots.fills[i].on {
			_ = g.endCapture(i) // without a frame there is nothing to hold
		}
	}
}

// hold makes a capture of a run of frames.
func (g *Game) hold(i int, frames []frametime.Frame, releases []frametime.Release) error {
	name := overlay.SlotName(i)
	if len(frames) == 0 {
		return fmt.Errorf("capture %s: no frame has been recorded", name)
	}
	c := &frametime.Capture{Meta: g.about(frames[0].Layout), Frames: frames}
	from, to := frames[0].Layout, frames[len(frames)-1].Next
	for _, r := range releases {
		if r.Released >= from && r.Released < to {
			c.Releases = append(c.Releases, r)
		}
	}
	for _, in := range g.rec.inputs {
		if in.Seen >= from && in.Shown <= to {
			c.Inputs = append(c.Inputs, in)
		}
	}
	if t := g.world.Track; t != nil {
		c.Digests = t.Digests()
	}
	c.Meta.Name = name
	c.Meta.Changes = g.rec.changesIn(from, to)
	if err := c.Check(); err != nil {
		return err
	}
	g.slots.held[i] = overlay.Slot{Capture: c, Frames: len(frames)}
	return nil
}

// about says where a capture that begins at a stamp comes from.
func (g *Game) about(from int64) frametime.Meta {
	m := g.world.About
	m.Taken = g.now()
	m.Source = "Chronoscope"
	m.Commands = g.orders
	m.TickRate = g.values.Pacing.TickRate
	m.Settings = g.rec.settingsAt(from)
	for _, s := range m.Settings {
		if s.Name == frametime.TickRateSetting {
			if r, err := loop.ParseRate(s.Value); err == nil {
				m.TickRate = r
			}
		}
	}
	m.Display, m.Monitor = g.kind(), ebiten.Monitor().Name()
	m.Stated, m.Measured = g.stated(), int64(g.rec.Measured)
	m.Overlay = g.showSidebar || g.showDock
	m.Renderer = renderer()
	m.OS, m.Arch, m.GoVersion = runtime.GOOS, runtime.GOARCH, runtime.Version()
	m.CPUs, m.GOMAXPROCS = runtime.NumCPU(), runtime.GOMAXPROCS(0)
	m.Rules = frametime.Rules{Begin: g.rec.segmentAt(from)}
	return m
}

// renderer names the graphics library that draws.
func renderer() string {
	var d ebiten.DebugInfo
	ebiten.ReadDebugInfo(&d)
	name := d.GraphicsLibrary.String()
	if softwareRendering() {
		name += ", in software"
	}
	return name
}

// loadCapture reads a capture of any known format.
func loadCapture(path string) (*frametime.Capture, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, pathCause(err))
	}
	defer f.Close()
	return readCapture(f, path)
}

// readCapture reads one from an open file; errors name it. One without a name
// gets the file's.
func readCapture(r io.Reader, file string) (*frametime.Capture, error) {
	c, err := frametime.Read(r)
	if err != nil {
		return nil, fmt.Errorf("%s: %s", file, strings.TrimPrefix(pathCause(err).Error(), "frametime: "))
	}
	if base := filepath.Base(file); c.Meta.Name == "" || len(c.Meta.Name) == 1 {
		c.Meta.Name = strings.TrimSuffix(base, filepath.Ext(base))
	}
	return c, nil
}

// ending is what a file of each kind ends with.
var endings = map[overlay.CaptureKind]string{
	overlay.SaveCapture: ".capture", overlay.ExportMangoHud: "-mangohud.csv",
	overlay.ExportPresentMon: "-presentmon.csv", overlay.ExportTrace: "-trace.json",
}

// formats are the ways to write a capture.
var formats = map[overlay.CaptureKind]func(io.Writer, *frametime.Capture) error{
	overlay.SaveCapture: frametime.Write, overlay.ExportMangoHud: frametime.WriteMangoHud,
	overlay.ExportPresentMon: frametime.WritePresentMon, overlay.ExportTrace: frametime.WriteTrace,
}

// writeCapture writes a capture as an order says, and gives the file's name.
func writeCapture(c *frametime.Capture, o overlay.CaptureOrder, name string) (string, error) {
	path := o.Path
	if path == "" {
		path = fmt.Sprintf("chronoscope-%s-%s%s", c.Meta.Taken.Format("20060102-150405"), strings.ToLower(name), endings[o.Kind])
	}
	write, ok := formats[o.Kind]
	if !ok {
		return "", fmt.Errorf("capture %s: nothing to write", name)
	}
	out := Output{"capture", path}
	if err := out.Write(func(w io.Writer) error { return write(w, c) }); err != nil {
		return "", err
	}
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	return path, nil
}

// drop loads files that were dropped on the window into the slots that are
// empty, or else the last one.
func (g *Game) drop(now time.Time) {
	files := ebiten.DroppedFiles()
	if files == nil {
		return
	}
	entries, err := fs.ReadDir(files, ".")
	if err != nil {
		g.hud.say("dropped: "+err.Error(), now)
		return
	}
	for _, e := range entries {
		name := e.Name()
		f, err := files.Open(name)
		if err != nil {
			g.hud.say(name+": "+pathCause(err).Error(), now)
			continue
		}
		c, err := readCapture(f, name)
		f.Close()
		if err != nil {
			g.hud.say(err.Error(), now)
			continue
		}
		i := slices.IndexFunc(g.slots.held[:], func(s overlay.Slot) bool { return s.Capture == nil && !s.Filling })
		if i < 0 {
			i = frametime.MaxSlots - 1
			g.slots.fills[i] = filling{}
		}
		g.slots.held[i] = overlay.Slot{Capture: c, Frames: len(c.Frames), File: name}
		g.showDock = true
		g.dock.Choose(overlay.CompareTab)
	}
}
