package game

import (
	"runtime/metrics"
	"slices"
	"time"

	"chronoscope/loop"
	"chronoscope/loop/frametime"
	"chronoscope/overlay"
)

// recorder measures frames: it stamps what happens in each, and keeps the last
// ones, the releases of ticks, and what else happened. It allocates nothing in a
// frame but what its lists grow by.
type recorder struct {
	overlay.Recording
	origin time.Time
	cur    frametime.Frame // the frame under way
	open   bool            // there is one
	drew   bool            // and it was drawn
	shift  int64           // of its stamps: a virtual display's instant less the real one
	real   int64           // its Layout by the clock
	tick   loop.Tick       // drawn last
	loose  frametime.Flags // for the frame that begins next

	track    *Track
	told     uint64
	dropped  uint64 // ticks, as of the last frame
	changes  []change
	settings []frametime.Setting // in force
	started  int64               // when the first frame began
	inputs   []frametime.Input
	pending  frametime.Input // seen, and not yet shown
	waiting  bool
	gc       []metrics.Sample
	gcs      uint64

	push func(*frametime.Frame) // is told of each frame that is complete
}

// change is a setting that took effect.
type change struct {
	at            int64
	name, old, to string
}

// The bounds of what is kept.
const (
	keptReleases = frametime.DefaultReleases
	keptEvents   = 4096
	keptInputs   = 4096
)

func newRecorder(origin time.Time) recorder {
	r := recorder{origin: origin, gc: []metrics.Sample{{Name: "/gc/cycles/total:gc-cycles"}}}
	r.Frames = frametime.NewFrameRing(0)
	r.gcs = r.cycles()
	return r
}

func (r *recorder) cycles() uint64 {
	metrics.Read(r.gc)
	if v := r.gc[0].Value; v.Kind() == metrics.KindUint64 {
		return v.Uint64()
	}
	return 0
}

func (r *recorder) stamp(t time.Time) int64 { return int64(t.Sub(r.origin)) }

// at is the instant of a stamp.
func (r *recorder) at(stamp int64) time.Time { return r.origin.Add(time.Duration(stamp)) }

// follow turns to another world's track.
func (r *recorder) follow(t *Track) {
	r.track, r.told = t, 0
	r.Releases = r.Releases[:0]
	r.tick, r.dropped = 0, 0
	r.waiting = false
}

// begin begins a frame at a stamp, real by the clock.
func (r *recorder) begin(at, real, wall int64) {
	r.cur = frametime.Frame{
		Seq: r.Frames.Pushed(), Layout: at, Wall: wall, TickBefore: r.tick, TickAfter: r.tick, Flags: r.loose,
	}
	r.open, r.drew, r.shift, r.real = true, false, at-real, real
	r.loose = 0
}

// end completes the frame: the next one begins.
func (r *recorder) end(next, wall int64) {
	f := &r.cur
	f.Next, f.NextWall = next, wall
	// A display that goes while it is waited for lets the frame go before its
	// cap would have.
	f.CapEnd = max(min(f.CapEnd, next), f.DrawEnd)
	f.MarkGap()
	if n := r.cycles(); n != r.gcs {
		r.gcs = n
		f.Flags |= frametime.GC
		r.event(overlay.Event{Kind: overlay.CollectEvent, At: next, End: next, Text: "collected"})
	}
	if f.Flags&frametime.NoWorld == 0 {
		r.tick = f.TickAfter
	}
	r.Frames.Push(f)
	r.input(f)
	if r.push != nil {
		r.push(f)
	}
	r.open = false
}

// beginUpdate stamps the first Update of a frame.
func (r *recorder) beginUpdate(now time.Time) {
	if r.open && !r.drew && r.cur.Updates == 0 {
		r.cur.UpdateStart = r.stamp(now) + r.shift
	}
}

// show notes what the frame shows of the world.
func (r *recorder) show(m Moment, dropped uint64) {
	f := &r.cur
	f.TickAfter, f.Alpha = m.Tick, min(m.Alpha, 1-1e-9)
	if r.tick == 0 {
		f.TickBefore = m.Tick // the first look at a world advances nothing
	}
	f.Lag, f.Laggards = m.Lag, int32(m.Laggards)
	f.Dropped = int32(min(dropped-min(r.dropped, dropped), 1<<30))
	r.dropped = dropped
	f.Flags &^= frametime.Paused | frametime.Braking
	if m.Paused {
		f.Flags |= frametime.Paused
	}
	if m.Braking {
		f.Flags |= frametime.Braking
	}
	r.states(m)
}

// states keeps the events of what lasts: brakes and pauses.
func (r *recorder) states(m Moment) {
	for _, s := range [...]struct {
		kind overlay.EventKind
		on   bool
		text string
	}{{overlay.BrakeEvent, m.Braking, "braking"}, {overlay.PauseEvent, m.Paused, "paused"}} {
		last := r.last(s.kind)
		switch on := last != nil && last.End == 0; {
		case s.on && !on:
			r.event(overlay.Event{Kind: s.kind, At: r.cur.Layout, Text: s.text})
		case !s.on && on:
			last.End = r.cur.Layout
		}
	}
}

// last is the newest event of a kind.
func (r *recorder) last(k overlay.EventKind) *overlay.Event {
	for i := len(r.Events) - 1; i >= 0; i-- {
		if r.Events[i].Kind == k {
			return &r.Events[i]
		}
	}
	return nil
}

func (r *recorder) event(e overlay.Event) {
	if len(r.Events) >= keptEvents {
		r.Events = slices.Delete(r.Events, 0, keptEvents/2)
	}
	r.Events = append(r.Events, e)
}

// listen takes what the world has told since the last time.
func (r *recorder) listen() []frametime.Release {
	if r.track == nil {
		return nil
	}
	if len(r.Releases) >= 2*keptReleases {
		r.Releases = slices.Delete(r.Releases, 0, len(r.Releases)-keptReleases)
	}
	n := len(r.Releases)
	r.Releases, r.told = r.track.releases.Since(r.told, r.Releases)
	return r.Releases[n:]
}

// set compares the settings with those in force. What has changed begins a
// segment with the next frame.
func (r *recorder) set(now []frametime.Setting, at int64) {
	if r.settings == nil {
		r.settings = slices.Clone(now)
		r.started, r.Rules.Begin = at, at
		return
	}
	if slices.Equal(now, r.settings) {
		return
	}
	for _, s := range now {
		i := slices.IndexFunc(r.settings, func(o frametime.Setting) bool { return o.Name == s.Name })
		old := ""
		if i >= 0 {
			old = r.settings[i].Value
		}
		if old == s.Value {
			continue
		}
		if len(r.changes) >= keptEvents {
			r.changes = slices.Delete(r.changes, 0, keptEvents/2)
		}
		r.changes = append(r.changes, change{at, s.Name, old, s.Value})
		r.event(overlay.Event{Kind: overlay.SettingEvent, At: at, End: at, Text: s.Name + " " + s.Value})
	}
	r.settings = slices.Clone(now)
	r.segment(at)
}

// segment begins a segment of statistics.
func (r *recorder) segment(at int64) {
	r.Rules.Begin = at
	if r.open {
		r.cur.Flags |= frametime.SettingsChanged
	} else {
		r.loose |= frametime.SettingsChanged
	}
}

// settingsAt are the settings that were in force at a stamp.
func (r *recorder) settingsAt(stamp int64) []frametime.Setting {
	list := slices.Clone(r.settings)
	for _, c := range slices.Backward(r.changes) {
		if c.at <= stamp {
			break
		}
		for i := range list {
			if list[i].Name == c.name {
				list[i].Value = c.old
			}
		}
	}
	return list
}

// segmentAt is where the segment of statistics began that a stamp lies in.
func (r *recorder) segmentAt(stamp int64) int64 {
	for _, c := range slices.Backward(r.changes) {
		if c.at <= stamp {
			return c.at
		}
	}
	return r.started
}

// changesIn are the changes after a stamp, up to another.
func (r *recorder) changesIn(after, upTo int64) []frametime.Change {
	var list []frametime.Change
	for _, c := range r.changes {
		if c.at > after && c.at <= upTo {
			list = append(list, frametime.Change{At: c.at, Setting: frametime.Setting{Name: c.name, Value: c.to}})
		}
	}
	return list
}

// sawInput notes that an Update has seen a key or a click. While one is on its
// way to the screen others are not followed.
func (r *recorder) sawInput(stamp int64) {
	if !r.waiting {
		r.waiting, r.pending = true, frametime.Input{Seen: stamp}
	}
}

// inputPatience is how long an input may take; while the world is held no tick
// takes it.
const inputPatience = 2 * time.Second

// input follows the pending input through a frame that is complete: the first
// tick released after it was seen takes it.
func (r *recorder) input(f *frametime.Frame) {
	p := &r.pending
	if !r.waiting || f.Flags&frametime.NoStamps != 0 {
		return
	}
	if f.Next-p.Seen > int64(inputPatience) {
		r.waiting = false
		return
	}
	i, _ := slices.BinarySearchFunc(r.Releases, p.Seen, func(x frametime.Release, at int64) int {
		if x.Released < at {
			return -1
		}
		return 1
	})
	if i == len(r.Releases) || f.TickAfter < r.Releases[i].Tick || f.DrawEnd < r.Releases[i].Released {
		return
	}
	p.Taken, p.Drawn, p.Shown = r.Releases[i].Released, f.DrawEnd, f.Next
	r.waiting = false
	if len(r.inputs) >= keptInputs {
		r.inputs = slices.Delete(r.inputs, 0, keptInputs/2)
	}
	r.inputs = append(r.inputs, *p)
}

// recent are the intervals of the frames of the last span that count, newest
// first, and those of them that waited for the display; capped says that there
// is a frame cap.
func (r *recorder) recent(span time.Duration, capped bool, all, waited []time.Duration) (a, w []time.Duration) {
	a, w = all[:0], waited[:0]
	for i := r.Frames.Len() - 1; i >= 0; i-- {
		f := r.Frames.At(i)
		if f.Layout < r.Now-int64(span) {
			break
		}
		if _, out := r.Rules.LeaveOut(f); out {
			continue
		}
		a = append(a, f.Interval())
		if len(w) < frametime.EstimateFrames && forDisplay(f, capped) {
			w = append(w, f.Interval())
		}
	}
	return a, w
}

// forDisplay says that a frame waited for the display rather than for a frame
// cap, so that its interval tells of the refresh. Of one that wasn't drawn
// nobody knows.
func forDisplay(f *frametime.Frame, capped bool) bool {
	if !f.Flags.Has(frametime.VSyncAsked) {
		return false
	}
	if f.Flags.Has(frametime.NoStamps) {
		return !capped
	}
	return f.CapWait() < f.Interval()/4
}
