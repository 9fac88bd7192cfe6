package frametime

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"chronoscope/loop"
)

// Figure is one number of a summary.
type Figure struct {
	Name  string
	Unit  string // "fps", "ms", "us", "%", "ppm", "x", or "" for a count
	Value float64
	OK    bool // false: too little to tell, shown as "n/a"
	// Estimate: not measured but concluded, and labelled so.
	Estimate bool
}

// String is the value with as many places as its unit bears, or "n/a".
func (f Figure) String() string {
	if !f.OK {
		return "n/a"
	}
	places := 2
	switch f.Unit {
	case "":
		places = 0
	case "ms", "x":
		places = 3
	case "us", "ppm":
		places = 1
	}
	s := strconv.FormatFloat(f.Value, 'f', places, 64)
	if strings.Trim(s, "-0.") == "" {
		s = strings.TrimPrefix(s, "-") // no minus before what is 0 in so many places
	}
	return s
}

// Label is the name with its unit, and "est." on an estimate.
func (f Figure) Label() string {
	s := f.Name
	if f.Unit != "" {
		s += ", " + f.Unit
	}
	if f.Estimate {
		s += " (est.)"
	}
	return s
}

// Summary is what a table says of a series.
type Summary struct {
	Used    int
	LeftOut [Reasons]int
	Blank   bool // paused: nothing is to be shown
	// Figures are always the same ones in the same order.
	Figures []Figure
	// Refresh is the measured period, from frames with VSync on; 0: not told.
	Refresh time.Duration
	// Ineffective: VSync was asked for and does nothing.
	Ineffective bool
	// Cadence are the ticks of the last 60 frames used.
	Cadence string
}

// Counts reads "118 used, 3 left out (2 unfocused, 1 gap)".
func (s *Summary) Counts() string { return counts(s.Used, s.LeftOut) }

// Figure finds a figure by its name.
func (s *Summary) Figure(name string) (Figure, bool) {
	i := slices.IndexFunc(s.Figures, func(f Figure) bool { return f.Name == name })
	if i < 0 {
		return Figure{}, false
	}
	return s.Figures[i], true
}

// cadenceShown is how many frames' ticks a summary writes out.
const cadenceShown = 60

// worldSums is what is summed over segments, each with its own tick rate.
type worldSums struct {
	errors      []time.Duration // of animation
	world, wall time.Duration
	missed      int
	refreshSeen bool
	defects     Defects
	cadence     bool
}

// Summarize computes every figure of a capture under its own rules.
func Summarize(c *Capture) Summary {
	sel := c.Meta.Rules.view(c.Frames)
	s := Summary{Used: len(sel.Used), LeftOut: sel.LeftOut, Blank: sel.Blank}
	f := Intervals(sel.Used)
	var synced []time.Duration
	for i := range sel.Used {
		// What waited for a frame cap tells nothing of the display.
		if u := &sel.Used[i]; u.Flags.Has(VSyncAsked|Focused) && u.CapWait() < u.Interval()/4 {
			synced = append(synced, f[i])
		}
	}
	s.Refresh, _ = EstimateRefresh(synced)
	var w worldSums
	rest := sel.Used
	for _, seg := range c.Segments() {
		n := 0
		for i := range seg.Frames {
			if _, out := c.Meta.Rules.LeaveOut(&seg.Frames[i]); !out {
				n++
			}
		}
		used := rest[:n]
		rest = rest[n:]
		refresh := seg.Refresh
		if !refresh.Valid() {
			refresh, _ = RefreshRate(s.Refresh)
		}
		w.add(used, seg.Rate, refresh)
		if seg.Refresh.Valid() {
			s.Ineffective = s.Ineffective || ineffective(used, seg.Refresh.Period())
		}
	}
	if known := lastKnown(sel.Used); len(known) > 0 {
		s.Cadence = Cadence(TicksPerFrame(known))
	}
	s.frameFigures(f)
	s.workFigures(sel.Used)
	s.worldFigures(&w, sum(f))
	s.releaseFigures(c.Releases)
	s.inputFigures("input to shown", InputTimes(c.Inputs, SeenToShown))
	return s
}

// ineffective asks only the frames for which VSync was asked.
func ineffective(frames []Frame, refresh time.Duration) bool {
	var f []time.Duration
	for i := range frames {
		if frames[i].Flags.Has(VSyncAsked) {
			f = append(f, frames[i].Interval())
		}
	}
	return Ineffective(f, refresh)
}

// lastKnown are the last frames that know the world.
func lastKnown(frames []Frame) []Frame {
	n := len(frames)
	for n > 0 && len(frames)-n < cadenceShown && frames[n-1].Flags&NoWorld == 0 {
		n--
	}
	return frames[n:]
}

func (w *worldSums) add(frames []Frame, rate, refresh loop.Rate) {
	if refresh.Valid() {
		w.refreshSeen = true
		for i := range frames {
			w.missed += Missed(frames[i].Interval(), refresh.Period())
		}
	}
	if !rate.Valid() {
		return
	}
	w.errors = append(w.errors, AnimationErrors(frames, rate)...)
	// Between frames that were left out the world's progress isn't known to be
	// that of a running one.
	for run := range runs(frames) {
		world, wall := Progress(run, rate)
		w.world += world
		w.wall += wall
		if refresh.Valid() && run[0].Flags&NoWorld == 0 {
			d := Uneven(TicksPerFrame(run), rate, refresh)
			w.defects.Odd += d.Odd
			w.defects.Swaps += d.Swaps
			w.cadence = true
		}
	}
}

// runs are the longest parts of a series without a hole.
func runs(frames []Frame) func(yield func([]Frame) bool) {
	return func(yield func([]Frame) bool) {
		for begin, i := 0, 1; i <= len(frames); i++ {
			if i < len(frames) && frames[i].Seq == frames[i-1].Seq+1 {
				continue
			}
			if len(frames) > 0 && !yield(frames[begin:i]) {
				return
			}
			begin = i
		}
	}
}

func (s *Summary) add(name, unit string, v float64, ok bool) {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		v, ok = 0, false
	}
	s.Figures = append(s.Figures, Figure{Name: name, Unit: unit, Value: v, OK: ok})
}

func (s *Summary) estimate(name, unit string, v float64, ok bool) {
	s.add(name, unit, v, ok)
	s.Figures[len(s.Figures)-1].Estimate = true
}

func millis(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
func micros(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }

func (s *Summary) frameFigures(f []time.Duration) {
	s.add("average", "fps", AverageFPS(f), sum(f) > 0)
	ordered := sorted(f)
	for _, q := range []struct {
		name string
		q    float64
	}{{"P50", 0.5}, {"P95", 0.95}, {"P99", 0.99}, {"P99.9", 0.999}, {"longest", 1}} {
		v, ok := percentile(ordered, q.q)
		s.add(q.name, "ms", millis(v), ok)
	}
	s.add("sigma", "ms", millis(Sigma(f)), len(f) > 1)
	v, ok := p1Low(ordered)
	s.add("P1 low", "fps", v, ok)
	v, ok = lowAverage(ordered)
	s.add("1 % low, average", "fps", v, ok)
	v, ok = lowIntegral(ordered)
	s.add("1 % low, integral", "fps", v, ok)
	s.add("stutter time", "%", 100*Stutter(f), sum(f) > 0)
}

// workFigures are of frames whose work was stamped. With VSync off the split
// into busy and wait is an estimate, and so it is when some frames were.
func (s *Summary) workFigures(frames []Frame) {
	var busy []time.Duration
	var wait, capped time.Duration
	guess := false
	for i := range frames {
		if f := &frames[i]; f.Flags&NoStamps == 0 {
			if busy == nil {
				busy = make([]time.Duration, 0, len(frames)-i)
			}
			busy = append(busy, f.Busy())
			wait += f.Wait()
			capped += f.CapWait()
			guess = guess || f.Flags&VSyncAsked == 0
		}
	}
	add := s.add
	if guess {
		add = s.estimate
	}
	n := time.Duration(max(len(busy), 1))
	add("busy, mean", "ms", millis(sum(busy)/n), len(busy) > 0)
	v, ok := Percentile(busy, 0.99)
	add("busy, P99", "ms", millis(v), ok)
	add("wait, mean", "ms", millis(wait/n), len(busy) > 0)
	s.add("cap wait, mean", "ms", millis(capped/n), len(busy) > 0)
}

func (s *Summary) worldFigures(w *worldSums, t time.Duration) {
	s.estimate("missed refreshes", "", float64(w.missed), w.refreshSeen && s.Used > 0)
	ok := len(w.errors) > 0
	off := abs(w.errors)
	total := sum(off)
	s.add("animation error, mean", "ms", millis(total/time.Duration(max(len(off), 1))), ok)
	sortInPlace(off)
	v, told := percentile(off, 0.99)
	s.add("animation error, P99", "ms", millis(v), told)
	s.add("animation error, share", "%", 100*float64(total)/float64(t), ok && t > 0)
	s.add("cadence, odd frames", "", float64(w.defects.Odd), w.cadence)
	s.add("cadence, swaps", "", float64(w.defects.Swaps), w.cadence)
	speed, told := EffectiveSpeed(w.world, w.wall)
	s.add("effective speed", "x", speed, told)
	drift, told := DriftPPM(w.world, w.wall)
	s.add("drift", "ppm", drift, told)
}

func (s *Summary) releaseFigures(r []Release) {
	e := TickErrors(r)
	sortInPlace(e)
	for _, q := range []struct {
		name string
		q    float64
	}{{"P50", 0.5}, {"P99", 0.99}, {"P99.99", 0.9999}, {"max", 1}} {
		v, ok := percentile(e, q.q)
		s.add("tick error, "+q.name, "us", micros(v), ok)
	}
	var brake int64
	for i := range r {
		brake += r[i].Brake
	}
	s.add("brake wait, total", "ms", millis(time.Duration(brake)), len(r) > 0)
}
