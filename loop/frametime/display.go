package frametime

import (
	"time"

	"chronoscope/loop"
)

// VirtualDisplay says when a display that isn't there would show its frames. It
// is a plain value and says the same whenever it is asked: a display of 120 Hz
// on any machine.
type VirtualDisplay struct {
	// Rate is refreshes a second.
	Rate loop.Rate
	// Then is the rate from Change on, counted from the start; not valid: none.
	Then   loop.Rate
	Change time.Duration
	// Fastest, when valid, makes the refresh variable: a frame is shown when it
	// is ready, not sooner than 1/Fastest after the last and not later than
	// 1/Rate, at a time drawn evenly between.
	Fastest loop.Rate
	// Phase is when the first refresh is, after the start.
	Phase time.Duration
	// Jitter moves each stamp by up to so much to either side.
	Jitter time.Duration
	// MissEvery: each so many-th frame misses its refresh and comes with the
	// next; 0: none does.
	MissEvery int
	// Outages are times without frames: what falls into one comes with the
	// first refresh after it.
	Outages []Outage
	// Back sets the clocks that stamps are read from back by so much, BackAt
	// after the start.
	Back, BackAt time.Duration
	// Seed of jitter and readiness.
	Seed uint64
}

// Outage is a time without frames, after the start.
type Outage struct {
	At, For time.Duration
	// Asleep: the machine is suspended, and its monotonic clock stands still
	// while the wall clock goes on. (Some systems' runs on.)
	Asleep bool
}

// Stamps are the instants of the first n frames after the start by the monotonic
// clock, in order of the frames, of a program that is always ready. They ascend,
// but for a clock that is set back.
func (d VirtualDisplay) Stamps(n int) []time.Duration {
	s := d.Series()
	stamps := make([]time.Duration, 0, max(n, 0))
	for range n {
		stamps = append(stamps, s.Next().At)
	}
	return stamps
}

// Stamp is an instant after the start, by both clocks.
type Stamp struct{ At, Wall time.Duration }

// Series gives one frame of a display after the other: all at once in tests, or
// one whenever the program that draws is ready, in a window. It belongs to one
// goroutine.
type Series struct {
	d      VirtualDisplay
	random random
	grid   refreshes
	frames int
	shown  time.Duration // the last frame's refresh
	stamp  time.Duration // and its stamp
}

// Series begins a series.
func (d VirtualDisplay) Series() *Series {
	return &Series{d: d, random: random(d.Seed), grid: d.grid()}
}

// Next is the next frame when it is ready in time.
func (s *Series) Next() Stamp { return s.show(s.grid.next(&s.random)) }

// NextAfter is the next frame when it is ready at an instant after the start (of
// true time, which goes on while the machine is asleep): the first refresh that
// isn't before it.
func (s *Series) NextAfter(ready time.Duration) Stamp {
	return s.show(s.grid.after(ready, &s.random))
}

// Shown is the true time of the last refresh, without jitter and clock trouble.
func (s *Series) Shown() time.Duration { return s.shown }

// show lets a frame that could be shown at an instant be shown then, or later.
func (s *Series) show(at time.Duration) Stamp {
	d := &s.d
	if d.MissEvery > 0 && s.frames > 0 && s.frames%d.MissEvery == 0 {
		at = s.grid.next(&s.random)
	}
	for _, o := range d.Outages {
		for at >= o.At && at < o.At+o.For {
			at = s.grid.after(o.At+o.For, &s.random)
		}
	}
	s.frames++
	s.shown = at
	stamp := at
	if d.Jitter > 0 {
		stamp += time.Duration(s.random.below(2*uint64(d.Jitter)+1)) - d.Jitter
	}
	s.stamp = max(stamp, s.stamp)
	clock := Stamp{s.stamp, s.stamp}
	for _, o := range d.Outages {
		if o.Asleep && at >= o.At+o.For {
			clock.At -= o.For
		}
	}
	if d.Back > 0 && at >= d.BackAt {
		clock.At -= d.Back
		clock.Wall -= d.Back
	}
	return clock
}

// refreshes gives one refresh after the other.
type refreshes struct {
	rate, then loop.Rate
	change     time.Duration
	fastest    loop.Rate
	from       time.Duration // refresh 0 of rate
	n          loop.Tick     // of the next one
	last       time.Duration // variable: the one before
}

func (d *VirtualDisplay) grid() refreshes {
	return refreshes{rate: d.Rate, then: d.Then, change: d.Change, fastest: d.Fastest, from: d.Phase, last: d.Phase}
}

func (g *refreshes) next(r *random) time.Duration {
	if g.fastest.Valid() {
		short, long := g.fastest.Period(), g.rate.Period()
		g.last += short + time.Duration(r.below(uint64(max(long-short, 0))+1))
		return g.last
	}
	at := g.from + g.rate.Boundary(g.n)
	g.n++
	if g.then.Valid() && at >= g.change {
		g.rate, g.then = g.then, loop.Rate{}
		g.from, g.n = at, 1
	}
	return at
}

// after is the first refresh at an instant or later. A variable one comes when
// the frame is ready; kept waiting for longer, the display shows the last frame
// again by itself.
func (g *refreshes) after(t time.Duration, r *random) time.Duration {
	if g.fastest.Valid() {
		g.last = max(g.last+g.fastest.Period(), t)
		return g.last
	}
	if t > g.from {
		g.n = max(g.n, g.rate.TickAt(t-g.from))
	}
	at := g.next(r)
	for at < t {
		at = g.next(r)
	}
	return at
}

// random is the SplitMix64 generator (Steele, Lea, Flood 2014).
type random uint64

func (s *random) next() uint64 {
	*s += 0x9e3779b97f4a7c15
	z := uint64(*s)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// below is a number in [0, n), 0 for n = 0.
func (s *random) below(n uint64) uint64 {
	if n == 0 {
		return 0
	}
	return mulDiv(s.next()>>1, n, 1<<63)
}

// Preset is a display with a name.
type Preset struct {
	Name    string
	Display VirtualDisplay
}

// FindPreset looks a preset up by its name, or by that without its unit: "120
// Hz", "120".
func FindPreset(name string) (Preset, bool) {
	for _, p := range Presets() {
		if p.Name == name || p.Name == name+" Hz" {
			return p, true
		}
	}
	return Preset{}, false
}

// Presets are the displays, and the troubles with them, that are worth trying.
func Presets() []Preset {
	const ms = time.Millisecond
	hz := func(num, den uint64) loop.Rate { return loop.Rate{Num: num, Den: den} }
	sixty := hz(60, 1)
	list := []Preset{
		{"50 Hz", VirtualDisplay{Rate: hz(50, 1)}},
		{"59.94 Hz", VirtualDisplay{Rate: hz(60000, 1001)}},
		{"59.97 Hz", VirtualDisplay{Rate: hz(5997, 100)}},
		{"60 Hz", VirtualDisplay{Rate: sixty}},
		{"72 Hz", VirtualDisplay{Rate: hz(72, 1)}},
		{"75 Hz", VirtualDisplay{Rate: hz(75, 1)}},
		{"90 Hz", VirtualDisplay{Rate: hz(90, 1)}},
		{"119.88 Hz", VirtualDisplay{Rate: hz(120000, 1001)}},
		{"120 Hz", VirtualDisplay{Rate: hz(120, 1)}},
		{"144 Hz", VirtualDisplay{Rate: hz(144, 1)}},
		{"165 Hz", VirtualDisplay{Rate: hz(165, 1)}},
		{"240 Hz", VirtualDisplay{Rate: hz(240, 1)}},
		{"VRR 48-144", VirtualDisplay{Rate: hz(48, 1), Fastest: hz(144, 1)}},
		{"starved 12.5 fps", VirtualDisplay{Rate: hz(25, 2)}},
		{"starved 11 fps", VirtualDisplay{Rate: hz(11, 1)}},
		{"starved 5 fps", VirtualDisplay{Rate: hz(5, 1)}},
		{"unfocused 56 fps", VirtualDisplay{Rate: hz(56, 1)}},
		{"covered 10 fps", VirtualDisplay{Rate: hz(10, 1)}},
		{"jitter 0.3 ms", VirtualDisplay{Rate: sixty, Jitter: 300 * time.Microsecond}},
		{"hitch of 200 ms", VirtualDisplay{Rate: sixty, Outages: []Outage{{At: 500 * ms, For: 200 * ms}}}},
		{"block of 10 s", VirtualDisplay{Rate: sixty, Outages: []Outage{{At: 500 * ms, For: 10 * time.Second}}}},
		{"suspend of 1 h", VirtualDisplay{Rate: sixty, Outages: []Outage{{At: 500 * ms, For: time.Hour, Asleep: true}}}},
		{"suspend, clock on", VirtualDisplay{Rate: sixty, Outages: []Outage{{At: 500 * ms, For: time.Hour}}}},
		{"clock 5 ms back", VirtualDisplay{Rate: sixty, Back: 5 * ms, BackAt: 500 * ms}},
		{"60 to 120 Hz", VirtualDisplay{Rate: sixty, Then: hz(120, 1), Change: 500 * ms}},
	}
	for i := range list {
		list[i].Display.Seed = uint64(i) + 1
	}
	return list
}
