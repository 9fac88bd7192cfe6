package overlay

import (
	"image"
	"math"
	"slices"
	"time"

	"chronoscope/loop"
	"chronoscope/loop/frametime"
)

// GraphSpans are how much time the graph can show.
var GraphSpans = [...]time.Duration{2 * time.Second, 10 * time.Second, 60 * time.Second}

// DefaultGraphSpan is that of a first start.
const DefaultGraphSpan = 10 * time.Second

// GraphAxis is how frame intervals are measured upwards.
type GraphAxis uint8

// The axes.
const (
	AutoAxis  GraphAxis = iota // from 0 to 2.2 refreshes, or the 99.5th percentile
	LogAxis                    // each line is twice the one below
	FixedAxis                  // from 0 to Graph.Top
	graphAxes
)

// String is the axis' name: "auto", "log2", "fixed".
func (a GraphAxis) String() string {
	switch a {
	case LogAxis:
		return "log2"
	case FixedAxis:
		return "fixed"
	}
	return "auto"
}

// The range of a fixed axis' upper end, and where it is at first.
const (
	MinGraphTop     = time.Millisecond
	MaxGraphTop     = 10 * time.Second
	DefaultGraphTop = 50 * time.Millisecond
)

// The ends of the logarithmic axis.
const (
	logBottom = time.Millisecond
	logTop    = 512 * time.Millisecond
)

// Graph turns a recording into lanes: frame intervals, tick errors, ticks per
// frame, on one axis of time. The zero Graph shows DefaultGraphSpan and keeps its
// memory from frame to frame.
type Graph struct {
	Span time.Duration // 0: DefaultGraphSpan
	Axis GraphAxis
	Top  time.Duration // of FixedAxis; 0: DefaultGraphTop
	// Curves shows the distribution in place of the lanes.
	Curves bool

	columns []graphColumn
	shown   []graphColumn // those of columns that are in view
	key     graphKey
	taken   uint64    // frames, of those that were ever pushed
	bins    [2000]int // of tail
	pinned  frametime.Frame
	pin     bool
}

func (g *Graph) span() time.Duration {
	if g.Span <= 0 {
		return DefaultGraphSpan
	}
	return g.Span
}

func (g *Graph) fixedTop() time.Duration {
	if g.Top <= 0 {
		return DefaultGraphTop
	}
	return g.Top
}

// Pinned is the frame that is pinned, if there is one.
func (g *Graph) Pinned() (frametime.Frame, bool) { return g.pinned, g.pin }

// Unpin lets go of the pinned frame; false when there was none.
func (g *Graph) Unpin() bool {
	was := g.pin
	g.pin = false
	return was
}

// PinNext moves the pin by so many frames, from the newest one if there is none.
func (g *Graph) PinNext(rec *Recording, by int) {
	if rec == nil || rec.Frames == nil || rec.Frames.Len() == 0 {
		return
	}
	n := rec.Frames.Len()
	i := n - 1
	if g.pin {
		i = int(int64(g.pinned.Seq)-int64(rec.Frames.At(0).Seq)) + by
	}
	g.pinned, g.pin = *rec.Frames.At(min(max(i, 0), n-1)), true
}

// graphColumn is what falls into one pixel column, or one frame where a frame is
// wider than a pixel.
type graphColumn struct {
	from, to   int64
	end        int64         // of its last frame
	x0, x1     float32       // where it stands now
	pixel      int64         // its number from 1 on, of frames narrower than one; else 0
	lo, hi     time.Duration // of the intervals
	busy, free time.Duration // the most of the work, and of that with the cap's wait
	worst      frametime.Outcome
	least      int // ticks
	most       int
	lag        loop.Tick
	frames     int
	flags      frametime.Flags
}

// graphTime maps stamps to pixels: the present is at the right.
type graphTime struct {
	left, right float32
	perNano     float64
	from, to    int64
}

func (g *Graph) time(rec *Recording, r image.Rectangle) graphTime {
	x0, _, x1, _ := edges(r)
	span := int64(g.span())
	return graphTime{left: x0, right: x1, perNano: float64(x1-x0) / float64(span), from: rec.Now - span, to: rec.Now}
}

// x is where a stamp stands, cut off at both ends.
func (t *graphTime) x(at int64) float32 {
	return min(max(t.right-float32(float64(t.to-at)*t.perNano), t.left), t.right)
}

// stamp is what stands at x.
func (t *graphTime) stamp(x float32) int64 { return t.to - int64(float64(t.right-x)/t.perNano) }

// first is the first frame that ends after a stamp.
func first(f *frametime.FrameRing, at int64) int {
	lo, hi := 0, f.Len()
	for lo < hi {
		if m := (lo + hi) / 2; f.At(m).Next > at {
			hi = m
		} else {
			lo = m + 1
		}
	}
	return lo
}

// graphKey is all that the columns depend on but the frames themselves.
type graphKey struct {
	perNano float64
	refresh time.Duration
	rules   frametime.Rules
	frames  *frametime.FrameRing
}

// build sorts the frames in view into columns, from the left to the right. What
// was sorted for the frame before is kept: pixels are counted from the origin of
// the stamps, so a frame falls into the same one wherever that stands by now.
func (g *Graph) build(rec *Recording, t *graphTime) {
	f := rec.Frames
	pushed, n := f.Pushed(), uint64(f.Len())
	if k := (graphKey{t.perNano, rec.Refresh, rec.Rules, f}); k != g.key || g.taken > pushed || g.taken < pushed-n {
		g.key, g.columns = k, g.columns[:0]
		g.taken = pushed - n + uint64(first(f, t.from))
	}
	for ; g.taken < pushed; g.taken++ {
		x := f.At(int(g.taken - (pushed - n)))
		from, to, pixel := x.Layout, x.Next, int64(0)
		if float64(to-from)*t.perNano < 1 {
			pixel = int64(math.Floor(float64(from)*t.perNano)) + 1
			if l := g.last(); l != nil && l.pixel == pixel {
				l.add(x, rec)
				continue
			}
			from = int64(float64(pixel-1) / t.perNano)
			to = int64(float64(pixel) / t.perNano)
		}
		g.columns = append(g.columns, graphColumn{from: from, to: to, pixel: pixel})
		g.last().add(x, rec)
	}
	gone := 0
	for gone < len(g.columns) && g.columns[gone].end <= t.from {
		gone++
	}
	if gone > len(g.columns)/2 {
		g.columns = slices.Delete(g.columns, 0, gone)
		gone = 0
	}
	g.shown = g.columns[gone:]
	for i := range g.shown {
		c := &g.shown[i]
		if c.pixel == 0 {
			c.x0, c.x1 = t.x(c.from), t.x(c.to)
			continue
		}
		c.x0 = float32(int(t.x(c.from) + 0.5))
		c.x1 = min(c.x0+1, t.right)
	}
}

func (g *Graph) last() *graphColumn {
	if len(g.columns) == 0 {
		return nil
	}
	return &g.columns[len(g.columns)-1]
}

// leftOut says whether a frame is left out, and why. One of an earlier segment than
// the present counted there, but for its first second.
func leftOut(f *frametime.Frame, rec *Recording) (frametime.Reason, bool) {
	if f.Layout >= rec.Rules.Begin {
		return rec.Rules.LeaveOut(f)
	}
	earlier := rec.Rules
	earlier.Warmup = -1
	return earlier.LeaveOut(f)
}

func (c *graphColumn) add(f *frametime.Frame, rec *Recording) {
	d, ticks := f.Interval(), f.Ticks()
	o := frametime.OnTime
	if _, out := leftOut(f, rec); out {
		o = frametime.Excluded
	} else if f.Flags&frametime.VSyncAsked != 0 && d > rec.Refresh && rec.Refresh > 0 {
		// One that waited for no refresh can't have missed any.
		o += frametime.Outcome(min(frametime.Missed(d, rec.Refresh), 2))
	}
	switch {
	case c.frames == 0:
		c.least, c.most = ticks, ticks
		c.lo, c.hi, c.worst = d, d, o
	case c.worst == frametime.Excluded && o != frametime.Excluded:
		c.lo, c.hi, c.worst = d, d, o
	case o == frametime.Excluded && c.worst != frametime.Excluded:
	default:
		c.lo, c.hi, c.worst = min(c.lo, d), max(c.hi, d), max(c.worst, o)
	}
	c.least, c.most = min(c.least, ticks), max(c.most, ticks)
	if f.Flags&frametime.NoStamps == 0 {
		c.busy, c.free = max(c.busy, time.Duration(f.DrawEnd-f.Layout)), max(c.free, time.Duration(f.CapEnd-f.Layout))
	}
	c.lag = max(c.lag, f.Lag)
	c.flags |= f.Flags
	c.end = f.Next
	c.frames++
}

// tailBin is how exactly the axis knows the quantile that it reaches to.
const tailBin = 100 * time.Microsecond

// tail is the 99.5th percentile of the intervals in view that count, up to the
// next tenth of a millisecond, or the longest beyond the bins: sorting ten thousand
// five times a second would be seen.
func (g *Graph) tail(rec *Recording) (q time.Duration) {
	clear(g.bins[:])
	var longest time.Duration
	n := 0
	f := rec.Frames
	for i := first(f, rec.Now-int64(g.span())); i < f.Len(); i++ {
		x := f.At(i)
		if _, out := leftOut(x, rec); out {
			continue
		}
		d := x.Interval()
		longest = max(longest, d)
		g.bins[min(int(max(d, 0)/tailBin), len(g.bins)-1)]++
		n++
	}
	above := n / 200
	for i := len(g.bins) - 1; i >= 0; i-- {
		if above -= g.bins[i]; above < 0 {
			if i == len(g.bins)-1 {
				return longest
			}
			return time.Duration(i+1) * tailBin
		}
	}
	return 0
}

// scale measures frame intervals upwards, from 0 to 1.
type scale struct {
	log bool
	top time.Duration
}

// newScale finds the axis for what is in view; refresh helps where there is
// little.
func (g *Graph) newScale(rec *Recording) scale {
	switch g.Axis {
	case LogAxis:
		return scale{log: true, top: logTop}
	case FixedAxis:
		return scale{top: g.fixedTop()}
	}
	top := max(rec.Refresh*22/10, g.tail(rec)*21/20)
	if top <= 0 {
		top = DefaultGraphTop
	}
	return scale{top: top}
}

// at is how far up an interval is, 0..1.
func (s scale) at(d time.Duration) float32 {
	if !s.log {
		return min(max(float32(d)/float32(s.top), 0), 1)
	}
	if d <= logBottom {
		return 0
	}
	return float32(min(math.Log2(float64(d)/float64(logBottom))/math.Log2(float64(s.top)/float64(logBottom)), 1))
}

// frameAt is the frame that was under way at a stamp.
func frameAt(rec *Recording, at int64) (frametime.Frame, bool) {
	f := rec.Frames
	i := first(f, at)
	if i == f.Len() || f.At(i).Layout > at {
		return frametime.Frame{}, false
	}
	return *f.At(i), true
}

// releaseNear is the release next to a stamp.
func releaseNear(rec *Recording, at int64) (frametime.Release, bool) {
	r := rec.Releases
	i, _ := slices.BinarySearchFunc(r, at, func(x frametime.Release, at int64) int {
		if x.Released < at {
			return -1
		}
		return 1
	})
	switch {
	case len(r) == 0:
		return frametime.Release{}, false
	case i == len(r), i > 0 && at-r[i-1].Released < r[i].Released-at:
		return r[i-1], true
	}
	return r[i], true
}

func edges(r image.Rectangle) (x0, y0, x1, y1 float32) {
	return float32(r.Min.X), float32(r.Min.Y), float32(r.Max.X), float32(r.Max.Y)
}
