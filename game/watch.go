package game

import (
	"fmt"
	"math"
	"slices"
	"time"

	"chronoscope/coordinator"
	"chronoscope/loop"
	"chronoscope/loop/frametime"
	"chronoscope/overlay"
	"chronoscope/routes"
	"chronoscope/world"
)

// watched is a running world as a Source.
type watched struct {
	w      *world.World
	paused bool
	radius float64 // of visitors, cells
	setup  overlay.Setup
	aiCost time.Duration

	view     *world.Viewer
	marks    []world.Mark
	zones    []world.ZoneMark
	visitors []world.VisitorMark
	laggards []coordinator.Laggard
	lag      map[coordinator.ObjectID]int32
	sought   world.Mark // whom Where was asked for last
	// braked are the spawn numbers of those who caused the last brakes, since
	// nobody else knows them once a life has ended.
	braked map[coordinator.ObjectID]uint64

	// The share of a tick that was last shown, and of which tick: it stands
	// still while the world does.
	tick  loop.Tick
	alpha float64

	driver frameDriver
	fed    time.Time // when the last tick was due that the driver has told of
	ahead  loop.Tick // how far beyond the release the picture may be by that

	track *Track // nil: only the newest release is known
	told  uint64
	past  []frametime.Release // the last releases, the oldest first
}

// Watch makes a Source of a world that has been started, or will be. It takes
// nothing over: whoever made the world stops it, after the window is closed.
//
// setup and aiCost say what the world was made of; track is what it tells of
// itself, or nil.
func Watch(w *world.World, setup overlay.Setup, aiCost time.Duration, track *Track) Source {
	return &watched{
		view: w.Viewer(), track: track,
		w: w, setup: setup, aiCost: aiCost, paused: w.Coordinator().Stats().Paused,
		radius: float64(w.Params().WakeRadius), lag: map[coordinator.ObjectID]int32{},
	}
}

func (s *watched) Map() *routes.Map      { return s.w.Map() }
func (s *watched) ZoneSide() int32       { return s.w.Params().ZoneSide }
func (s *watched) Done() <-chan struct{} { return s.w.Done() }
func (s *watched) Err() error            { return s.w.Err() }

// Moment reads the newest release and who lags.
func (s *watched) Moment(now time.Time) Moment {
	c := s.w.Coordinator()
	r := c.Released()
	s.laggards = append(s.laggards[:0], c.Laggards()...)
	clear(s.lag)
	for i := range s.laggards {
		if l := &s.laggards[i]; l.ID.Kind == coordinator.KindCharacter {
			s.lag[l.ID.Object] = int32(min(l.Lag, 1<<30))
		}
	}
	s.advance(s.releasedBy(r, now), s.driver.instant(now))
	m := Moment{
		Tick: s.tick, Alpha: s.alpha, Paused: s.paused,
		Braking: r.Frozen && !s.paused && len(s.laggards) > 0,
	}
	for i := range s.laggards {
		m.Lag = max(m.Lag, s.laggards[i].Lag)
	}
	m.Laggards = len(s.laggards)
	return m
}

// pastKept is how many releases are remembered for a look back: a virtual
// display may show some refreshes while a slow frame is drawn.
const pastKept = 1024

// releasedBy is the newest release at an instant, which is r unless the instant
// has passed by.
func (s *watched) releasedBy(r coordinator.ReleaseInfo, now time.Time) coordinator.ReleaseInfo {
	if s.track == nil {
		return r
	}
	if len(s.past) >= 2*pastKept {
		s.past = slices.Delete(s.past, 0, len(s.past)-pastKept)
	}
	s.past, s.told = s.track.releases.Since(s.told, s.past)
	if !r.Actual.After(now) || r.Frozen {
		return r
	}
	at := int64(now.Sub(s.track.origin))
	for _, p := range slices.Backward(s.past) {
		if p.Released <= at {
			r.Tick = p.Tick
			r.Scheduled, r.Actual = s.track.origin.Add(time.Duration(p.Scheduled)), s.track.origin.Add(time.Duration(p.Released))
			break
		}
	}
	return r
}

// advance works out alpha. While the world stands still it keeps its value:
// jumping back to the tick would make everyone twitch at each brake.
func (s *watched) advance(r coordinator.ReleaseInfo, now time.Time) {
	if r.Frozen {
		if ahead := s.tick - r.Tick; ahead != 0 && ahead > s.ahead {
			s.tick, s.alpha = r.Tick, 0
		}
		return
	}
	shown, was := s.tick, s.alpha
	s.tick, s.alpha = r.Tick, alphaAt(now, r.Scheduled, r.Period)
	if s.alpha == 1 && s.fed.After(r.Scheduled) {
		// The tick that this frame has made due is released in a moment. Whether
		// before or after this look must not be seen.
		n := max(loop.Tick(math.Round(float64(s.fed.Sub(r.Scheduled))/float64(r.Period))), 1)
		kept := max(s.ahead, 1)
		tick, alpha := r.Tick+min(n, kept), alphaAt(now, s.fed, r.Period)
		if n > kept && tick == shown && alpha < was {
			alpha = was // what is dropped moves nothing, to and fro least of all
		}
		s.tick, s.alpha = tick, alpha
	}
}

// fedAhead is how many ticks the picture may be ahead of the release, when it is
// frames that make ticks due: as many as the coordinator keeps of them, since
// those it will release.
func fedAhead(p *coordinator.Pacing) loop.Tick {
	if p.Policy == loop.CatchUp {
		return loop.Tick(p.MaxCatchUp)
	}
	return 1
}

// alphaAt is the share of a tick that has passed at now since the instant it
// was due, 0..1.
func alphaAt(now, scheduled time.Time, period time.Duration) float64 {
	if period <= 0 {
		return 0
	}
	return clamp01(float64(now.Sub(scheduled)) / float64(period))
}

// drawnAhead is how far beyond the last tick an active character has run it is
// drawn at most: the global tick may be one more, and the instant that is drawn
// lies up to another after that.
const drawnAhead = 2

// dot is where a mark stands at m. A sleeper is where its leg puts it. An
// active one that keeps up is drawn the same way, so that nothing jumps when
// someone wakes up; one that doesn't comes to a stop drawnAhead of where it has
// got to, and never goes back.
func (s *watched) dot(m Moment, k *world.Mark) Dot {
	t, alpha := m.Tick, m.Alpha
	d := Dot{Spawn: k.Spawn, Detailed: k.Detailed}
	if k.Mode == world.Active {
		d.Mode = Active
		d.Lag = s.lag[k.Object]
		if k.Completed+drawnAhead <= t {
			t, alpha = k.Completed+drawnAhead, 0
		}
	}
	x, y := k.Leg.AtFraction(t, alpha)
	d.X, d.Y = float32(x), float32(y)
	if d.Mode == Active {
		dx, dy := k.Leg.Heading(t)
		d.DX, d.DY = float32(dx), float32(dy)
	} else if k.Leg.Kind == routes.Route && t < k.Leg.End {
		d.Mode = Walking
	}
	return d
}

func (s *watched) Dots(m Moment, lo, hi routes.Cell, dst []Dot) []Dot {
	s.marks = s.view.Visible(lo, hi, s.marks[:0])
	x0, y0, x1, y1 := float32(lo.X), float32(lo.Y), float32(hi.X+1), float32(hi.Y+1)
	for i := range s.marks {
		d := s.dot(m, &s.marks[i])
		if d.X >= x0 && d.Y >= y0 && d.X < x1 && d.Y < y1 {
			dst = append(dst, d)
		}
	}
	return dst
}

func (s *watched) Zones(dst []Zone) []Zone {
	s.zones = s.w.Zones(s.zones[:0])
	for _, z := range s.zones {
		dst = append(dst, Zone{z.Zone, z.Pinned, z.Camera})
	}
	return dst
}

func (s *watched) Visitors(dst []Visitor) []Visitor {
	s.visitors = s.w.Visitors(s.visitors[:0])
	for _, v := range s.visitors {
		x, y := v.At(s.alpha)
		dst = append(dst, Visitor{x, y, s.radius})
	}
	return dst
}

func (s *watched) Where(m Moment, spawn uint64) (Dot, bool) {
	// Asked for the same one in each frame: its object is remembered, since
	// finding that costs nothing.
	if s.sought.Spawn == spawn {
		if k, ok := s.w.Find(s.sought.Object); ok && k.Spawn == spawn {
			return s.dot(m, &k), true
		}
	}
	d, ok := s.w.Inspect(spawn)
	if !ok || d.Leg == nil {
		return Dot{}, false
	}
	s.sought = d.Mark
	return s.dot(m, &d.Mark), true
}

// laggardLimit is how many laggards the panels get; they list fewer.
const laggardLimit = 16

// Values reads the world's numbers.
func (s *watched) Values(v *overlay.Values) {
	st := s.w.Stats()
	c := &st.Coordinator
	s.paused = c.Paused
	v.Tick, v.Pacing, v.Paused = st.Tick, s.w.Coordinator().Pacing(), c.Paused
	v.Checks, v.ReleaseError, v.Dropped, v.Stretch = c.Checks, c.ReleaseError, c.Dropped, c.Stretch
	v.Recent = c.Recent
	v.Braking, v.BrakeShare, v.BrakeTotal, v.BrakeLongest = c.Braking, c.Brake.Share, c.Brake.Total, c.Brake.Longest
	v.Episodes = c.Brake.Episodes
	v.Characters = overlay.Characters{
		Active: int(st.Active), Sleeping: int(st.Sleeping), Waking: int(st.Waking), Ended: int(st.Ended),
		Detailed: int(st.Detailed),
	}
	v.Zones, v.Legs, v.Stalls = st.ZonesActive, st.LegsStarted, st.Stalls
	v.Refinements, v.RefineP99 = st.Refinements, st.RefineP99
	v.Tuning, v.AICost = s.w.Tuning(), s.aiCost
	v.Pinned = 0
	s.zones = s.w.Zones(s.zones[:0])
	for _, z := range s.zones {
		if z.Pinned {
			v.Pinned++
		}
	}
	m := s.w.Map()
	v.Map, v.MapWidth, v.MapHeight = m.Name, m.Width, m.Height
	v.Setup = s.setup

	now := time.Now()
	braked := make(map[coordinator.ObjectID]uint64, len(s.braked))
	v.Last = v.Last[:0]
	for _, e := range slices.Backward(c.Brake.Last) {
		v.Last = append(v.Last, overlay.EpisodeRow{
			Tick: e.Tick, Ago: now.Sub(e.End), Length: e.End.Sub(e.Start), Cause: s.row(&e.Cause, now, braked), Laggards: e.Laggards,
		})
	}
	list := slices.Clone(s.w.Coordinator().Laggards())
	slices.SortFunc(list, func(a, b coordinator.Laggard) int {
		if a.Lag != b.Lag {
			return int(b.Lag) - int(a.Lag)
		}
		return a.Since.Compare(b.Since)
	})
	v.LaggardCount = len(list)
	// Both from one look: the snapshot's word is up to 100 ms old.
	v.Braking = len(list) > 0
	v.Laggards = v.Laggards[:0]
	for _, l := range list[:min(len(list), laggardLimit)] {
		v.Laggards = append(v.Laggards, s.row(&l, now, braked))
	}
	s.braked = braked
}

// row describes a laggard for the panels, and notes its spawn number in known.
func (s *watched) row(l *coordinator.Laggard, now time.Time, known map[coordinator.ObjectID]uint64) overlay.LaggardRow {
	r := overlay.LaggardRow{Name: l.ID.Kind.String(), Lag: l.Lag, For: max(now.Sub(l.Since), l.Held)}
	if l.ID.Kind == coordinator.KindCharacter {
		if k, ok := s.w.Find(l.ID.Object); ok {
			r.Name, r.Spawn, r.Placed = "#"+overlay.Thousands(k.Spawn), k.Spawn, true
			known[l.ID.Object] = k.Spawn
		} else if spawn, ok := s.braked[l.ID.Object]; ok {
			r.Name = "#" + overlay.Thousands(spawn) + ", ended"
			known[l.ID.Object] = spawn
		} else {
			r.Name = "one now ended"
		}
	}
	return r
}

func (s *watched) Character(spawn uint64, asked bool) (world.Detail, bool) {
	d, ok := s.w.Inspect(spawn)
	if ok && asked && d.Passages == nil && d.Leg != nil {
		d.Passages = d.Leg.View(nil)
	}
	return d, ok
}

func (s *watched) Zone(z routes.ZoneKey, limit int) (world.ZoneDetail, bool) {
	return s.w.InspectZone(z, limit)
}

func (s *watched) Trace(spawn uint64) { s.w.Trace(spawn) }

func (s *watched) Heat(lo, hi routes.ZoneKey, dst []int32) []int32 { return s.w.Heat(lo, hi, dst) }

func (s *watched) Legs(lo, hi routes.ZoneKey, limit int, dst []*routes.Leg) []*routes.Leg {
	return s.w.LegsIn(lo, hi, limit, dst)
}

// Frame makes ticks due where frames drive.
func (s *watched) Frame(now time.Time, refresh time.Duration) {
	c := s.w.Coordinator()
	p := c.Pacing()
	due, last := s.driver.advance(now, refresh, &p, c.Released())
	if due > 0 {
		s.fed, s.ahead = last, fedAhead(&p)
	}
	c.Feed(due, last)
}

func (s *watched) SetPacing(p coordinator.Pacing) error { return s.w.Coordinator().SetPacing(p) }

func (s *watched) SetTuning(t world.Tuning) error {
	t.AIWork = s.w.Tuning().AIWork
	return s.w.SetTuning(t)
}

func (s *watched) SetAICost(d time.Duration) error {
	if d < 0 || d > world.MaxAICost {
		return fmt.Errorf("AI cost %v: accepted are 0 to %v", d, world.MaxAICost)
	}
	t := s.w.Tuning()
	t.AIWork = world.Calibrate(d)
	if err := s.w.SetTuning(t); err != nil {
		return err
	}
	s.aiCost = d
	return nil
}

func (s *watched) SetCamera(on bool, lo, hi routes.Cell) error {
	if !on {
		return s.w.SetCamera(nil)
	}
	return s.w.SetCamera(&world.Area{Lo: lo, Hi: hi})
}

func (s *watched) Order(c overlay.Command) error {
	switch c.Kind {
	case overlay.Stall:
		return s.w.Stall(c.Spawn, c.For)
	case overlay.Hold:
		return s.w.Hold(c.Spawn, c.Ticks)
	case overlay.Reroute:
		return s.w.Reroute(c.Spawn, c.To)
	case overlay.Cancel:
		return s.w.Cancel(c.Spawn)
	case overlay.End:
		return s.w.End(c.Spawn)
	case overlay.SpawnMore:
		return s.w.Spawn(c.N)
	case overlay.RemoveLast:
		return s.w.Remove(c.N)
	case overlay.PinZone:
		return s.w.Pin(c.Zone, c.On)
	}
	return nil
}

func (s *watched) SetPaused(on bool) error {
	c := s.w.Coordinator()
	do := c.Resume
	if on {
		do = c.Pause
	}
	if err := do(); err != nil {
		return err
	}
	s.paused = on
	return nil
}

func (s *watched) Step(n int) error { return s.w.Coordinator().Step(n) }
