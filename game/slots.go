package game

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"chronoscope/loop"
	"chronoscope/loop/frametime"
	"chronoscope/overlay"

	"github.com/hajimehoshi/ebiten/v2"
)

// slots are the captures A to D, and the one of the whole run.
type slots struct {
	held  overlay.Slots
	fills [frametime.MaxSlots]filling

	run   filling            // on while Options.Capture is being filled
	whole *frametime.Capture // what it has become; nil until then
}

// filling is a capture under way.
type filling struct {
	on       bool
	frames   []frametime.Frame
	releases []frametime.Release
}

// A file takes so many bytes of content for a frame and for a release, at most
// but for a few, and so many are left for the rest.
const (
	frameBytes, releaseBytes = 56, 14
	restBytes                = 4 << 20
)

// full says that no more would fit into a file. What can't be written isn't
// worth going on with.
func (f *filling) full() bool {
	return f.on && (len(f.frames) >= frametime.MaxRing ||
		len(f.frames)*frameBytes+len(f.releases)*releaseBytes >= frametime.MaxContent-restBytes)
}

// hear tells the captures under way of releases.
func (s *slots) hear(list []frametime.Release) {
	for i := range s.fills {
		s.fills[i].hear(list)
	}
	s.run.hear(list)
}

func (f *filling) hear(list []frametime.Release) {
	if f.on {
		f.releases = append(f.releases, list...)
	}
}

// frame tells them of a frame.
func (s *slots) frame(x *frametime.Frame) {
	for i := range s.fills {
		s.fills[i].frame(x)
	}
	s.run.frame(x)
}

func (f *filling) frame(x *frametime.Frame) {
	if f.on {
		f.frames = append(f.frames, *x)
	}
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
			return underWay(name)
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
		if s.Filling {
			return underWay(name)
		}
		frames := g.rec.Frames.AppendTo(nil)
		first, _ := slices.BinarySearchFunc(frames, g.worldSince, func(f frametime.Frame, at int64) int {
			return cmp.Compare(f.Layout, at)
		})
		return g.hold(o.Slot, frames[first:], slices.Clone(g.rec.Releases))
	case overlay.ClearCapture:
		*s, g.slots.fills[o.Slot] = overlay.Slot{}, filling{}
		return nil
	case overlay.LoadCapture:
		if s.Filling {
			return underWay(name)
		}
		c, err := loadCapture(o.Path)
		if err != nil {
			return err
		}
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

// underWay is the error of what would end a capture by the way.
func underWay(name string) error {
	return fmt.Errorf("capture %s: one is under way, end or clear it first", name)
}

// endCaptures ends all that are under way: the world they are of is over.
func (g *Game) endCaptures() {
	for i := range g.slots.fills {
		if g.slots.fills[i].on {
			_ = g.endCapture(i) // without a frame there is nothing to hold
		}
	}
	if g.slots.run.on {
		_ = g.endRun() // said when it is to be written
		g.hud.say("the file of the whole run ends with its world", g.now())
	}
}

// endFull ends those that are full.
func (g *Game) endFull() {
	for i := range g.slots.fills {
		if g.slots.fills[i].full() {
			_ = g.endCapture(i) // it has frames
			g.hud.say("capture "+overlay.SlotName(i)+" is full", g.now())
		}
	}
	if g.slots.run.full() {
		_ = g.endRun()
		g.hud.say("the file of the whole run is full", g.now())
	}
}

// endRun ends the capture of the whole run.
func (g *Game) endRun() (err error) {
	f := &g.slots.run
	g.slots.whole, err = g.captured(f.frames, f.releases)
	*f = filling{}
	return err
}

// hold puts a capture of a run of frames into a slot.
func (g *Game) hold(i int, frames []frametime.Frame, releases []frametime.Release) error {
	name := overlay.SlotName(i)
	c, err := g.captured(frames, releases)
	if err != nil {
		return fmt.Errorf("capture %s: %w", name, err)
	}
	c.Meta.Name = name
	g.slots.held[i] = overlay.Slot{Capture: c, Frames: len(frames)}
	return nil
}

// errNoFrames: a capture has nothing in it.
var errNoFrames = errors.New("no frame has been recorded")

// captured makes a capture of a run of frames.
func (g *Game) captured(frames []frametime.Frame, releases []frametime.Release) (*frametime.Capture, error) {
	if len(frames) == 0 {
		return nil, errNoFrames
	}
	from, to := frames[0].Layout, frames[len(frames)-1].Next
	c := &frametime.Capture{Meta: g.about(frames, from, to), Frames: frames}
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
	return c, c.Check()
}

// about says where a capture comes from, as things were when its first frame
// began.
func (g *Game) about(frames []frametime.Frame, from, to int64) frametime.Meta {
	m := g.world.About
	m.Taken = g.now()
	m.Source = "Chronoscope"
	m.Commands = g.orders
	m.TickRate = g.values.Pacing.TickRate
	m.Settings, m.Changes = g.rec.settingsAt(from), g.rec.changesIn(from, to)
	m.Display, m.Monitor = g.realKind(), ebiten.Monitor().Name()
	for _, s := range m.Settings {
		switch s.Name {
		case frametime.TickRateSetting:
			if r, err := loop.ParseRate(s.Value); err == nil {
				m.TickRate = r
			}
		case frametime.RefreshSetting:
			m.Stated = parseRefresh(s.Value)
		case displaySetting:
			if s.Value != RealDisplay {
				m.Display = frametime.Virtual
			}
		case panelsSetting, dockSetting:
			m.Overlay = m.Overlay || s.Value == "on"
		}
	}
	for _, c := range m.Changes {
		if c.Name == displaySetting && c.Value != RealDisplay {
			m.Display = frametime.Virtual // in part, so it must not pass for real
		}
	}
	m.Rules = frametime.Rules{Begin: g.rec.segmentAt(from)}
	m.Measured = int64(g.measuredOf(frames, &m))
	m.Renderer = renderer()
	m.OS, m.Arch, m.GoVersion = runtime.GOOS, runtime.GOARCH, runtime.Version()
	m.CPUs, m.GOMAXPROCS = runtime.NumCPU(), runtime.GOMAXPROCS(0)
	return m
}

// measuredOf is the refresh period as it is measured where a capture begins. One
// that is too short to tell takes what was measured before it, if nothing has
// changed.
func (g *Game) measuredOf(frames []frametime.Frame, m *frametime.Meta) time.Duration {
	var f []time.Duration
	capped := slices.ContainsFunc(m.Settings, func(s frametime.Setting) bool { return s.Name == capSetting && s.Value != "off" })
	for i := range frames {
		x := &frames[i]
		if len(m.Changes) > 0 && x.Layout >= m.Changes[0].At || len(f) == frametime.EstimateFrames {
			break
		}
		if _, out := m.Rules.LeaveOut(x); !out && forDisplay(x, capped) {
			f = append(f, x.Interval())
		}
	}
	if len(f) >= refreshLeast {
		slices.Sort(f)
		return frametime.RefreshOf(f)
	}
	if m.Rules.Begin == g.rec.Rules.Begin {
		return g.rec.Measured
	}
	return 0
}

// parseRefresh reads a stated refresh as settings write it, of any rate.
func parseRefresh(text string) loop.Rate {
	num, den, fraction := strings.Cut(text, "/")
	n, err := strconv.ParseUint(num, 10, 32)
	d := uint64(1)
	if fraction && err == nil {
		d, err = strconv.ParseUint(den, 10, 32)
	}
	if r := (loop.Rate{Num: n, Den: d}); err == nil && r.Valid() {
		return r
	}
	return loop.Rate{}
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
	// Opening a pipe would wait for somebody to write.
	if st, err := os.Stat(path); err == nil && !st.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: not a regular file", path)
	}
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
// empty, or else the last one into which nothing is being captured.
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
		for k := frametime.MaxSlots - 1; i < 0 && k >= 0; k-- {
			if !g.slots.held[k].Filling {
				i = k
			}
		}
		if i < 0 {
			g.hud.say(name+": captures are under way in all slots", now)
			return
		}
		g.slots.held[i] = overlay.Slot{Capture: c, Frames: len(c.Frames), File: name}
		g.showDock = true
		g.dock.Choose(overlay.CompareTab)
	}
}
