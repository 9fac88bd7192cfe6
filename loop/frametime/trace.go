package frametime

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
)

// The tracks of a trace.
const (
	trackFrames = 1 + iota
	trackTicks
	trackBrakes
	trackEvents
)

// WriteTrace writes a capture in the trace event format of Chrome (JSON, an
// object with traceEvents), which Perfetto opens: all frames with their work in
// them, ticks from release to release, brakes, and changes of settings as
// instants. Times count from the first frame; three places of a microsecond
// keep the nanoseconds.
func WriteTrace(w io.Writer, c *Capture) error {
	t := trace{b: bufio.NewWriter(w)}
	if len(c.Frames) > 0 {
		t.origin = c.Frames[0].Layout
	} else if len(c.Releases) > 0 {
		t.origin = c.Releases[0].Scheduled
	}
	title, err := json.Marshal(oneLine(c.Title()))
	if err != nil {
		return fmt.Errorf("frametime: %w", err)
	}
	fmt.Fprintf(t.b, `{"displayTimeUnit":"ms","otherData":{"title":%s},"traceEvents":[`, title)
	t.name("process_name", 0, string(title))
	for i, name := range [...]string{"frames", "ticks", "brakes", "events"} {
		t.name("thread_name", trackFrames+i, `"`+name+`"`)
	}
	for i := range c.Frames {
		t.frame(&c.Frames[i])
	}
	for i := range c.Releases {
		r := &c.Releases[i]
		end := r.Released
		if i+1 < len(c.Releases) {
			end = c.Releases[i+1].Released - c.Releases[i+1].Brake
		}
		t.span(trackTicks, fmt.Sprintf(`"tick %d"`, r.Tick), r.Released, end, fmt.Sprintf(`"late_us":%s`, fixed(r.Released-r.Scheduled, 3)))
		if r.Brake > 0 {
			t.span(trackBrakes, `"brake"`, r.Released-r.Brake, r.Released, fmt.Sprintf(`"before_tick":%d`, r.Tick))
		}
	}
	for _, change := range c.Meta.Changes {
		name, err := json.Marshal(oneLine(change.Name + " = " + change.Value))
		if err != nil {
			return fmt.Errorf("frametime: %w", err)
		}
		t.event(`{"ph":"i","s":"p","pid":1,"tid":%d,"ts":%s,"name":%s}`, trackEvents, fixed(change.At-t.origin, 3), name)
	}
	fmt.Fprintln(t.b, "\n]}")
	if err := t.b.Flush(); err != nil {
		return fmt.Errorf("frametime: %w", err)
	}
	return nil
}

// trace writes events, of which the buffer remembers the first error.
type trace struct {
	b      *bufio.Writer
	origin int64
	some   bool
}

func (t *trace) event(format string, args ...any) {
	if t.some {
		t.b.WriteByte(',')
	}
	t.some = true
	t.b.WriteByte('\n')
	fmt.Fprintf(t.b, format, args...)
}

// name names the process or a track; name is JSON, as in the rest.
func (t *trace) name(kind string, track int, name string) {
	t.event(`{"ph":"M","pid":1,"tid":%d,"name":%q,"args":{"name":%s}}`, track, kind, name)
}

// span is a time on a track; one that a clock set back has turned around is no
// time.
func (t *trace) span(track int, name string, from, to int64, args string) {
	t.event(`{"ph":"X","pid":1,"tid":%d,"ts":%s,"dur":%s,"name":%s,"args":{%s}}`, track, fixed(from-t.origin, 3), fixed(max(to-from, 0), 3), name, args)
}

func (t *trace) frame(f *Frame) {
	args := fmt.Sprintf(`"seq":%d`, f.Seq)
	if f.Flags&NoWorld == 0 {
		args += fmt.Sprintf(`,"tick":%d,"ticks":%d,"lag":%d,"laggards":%d,"dropped":%d`, f.TickAfter, f.Ticks(), f.Lag, f.Laggards, f.Dropped)
	}
	t.span(trackFrames, `"frame"`, f.Layout, f.Next, args)
	if f.Flags&NoStamps != 0 {
		return
	}
	if f.UpdateEnd > f.UpdateStart {
		t.span(trackFrames, `"update"`, f.UpdateStart, f.UpdateEnd, fmt.Sprintf(`"updates":%d`, f.Updates))
	}
	t.span(trackFrames, `"draw"`, f.DrawStart, f.DrawEnd, "")
	if f.CapEnd > f.DrawEnd {
		t.span(trackFrames, `"cap wait"`, f.DrawEnd, f.CapEnd, "")
	}
}
