package coordinator

import (
	"slices"
	"time"

	"chronoscope/loop"
)

// Laggard is a participant that holds the brake.
type Laggard struct {
	ID        ParticipantID
	Completed loop.Tick     // its last completed tick
	Lag       loop.Tick     // global - Completed
	Since     time.Time     // when it was registered, by the pacer's clock
	Held      time.Duration // for how long, when the snapshot was taken
}

// Episode is one brake, from the first laggard to the last.
type Episode struct {
	Start, End time.Time // End is zero while it lasts
	Tick       loop.Tick // the global tick that was held
	Cause      Laggard   // the first laggard, as it was at the start
	Laggards   int       // the most at once
}

// episodesKept bounds the ring of last episodes; namedKept the laggards named
// in Stats. A few more than a panel shows.
const (
	episodesKept = 32
	namedKept    = 16
)

// brake is the set of laggards and the episodes. It belongs to the
// coordinator's goroutine: no mutex.
type brake struct {
	on  bool
	set []laggard
	at  map[*Progress]int // index in set

	current  Episode
	began    time.Duration // of the current episode, by Coordinator.stamp
	left     time.Duration // when the last unregister was sent, by the same clock
	progress time.Time     // when some laggard last completed a tick
	logged   bool          // the current episode has been logged
	episodes []Episode     // ring of the last ones
	nextSlot int

	count          uint64
	total, longest time.Duration
	most           int // laggards at once, ever

	watched loop.Tick // the global tick of the last watch
	stuck   []request // scratch of watch

	changed   bool // set differs from what was published
	published time.Time
}

type laggard struct {
	participant
	generation uint32
	since      time.Time     // by the pacer's clock
	stamp      time.Duration // the same instant by Coordinator.stamp
	completed  loop.Tick     // at the last look
}

func (b *brake) init() { b.at = make(map[*Progress]int) }

// request registers a participant, unless it has caught up meanwhile or is no
// longer the one that asked.
func (b *brake) request(c *Coordinator, r request) {
	p := r.progress
	if !p.current(r.generation) {
		// It has left; its unregister follows, or an earlier life of p is meant.
		return
	}
	completed := p.Completed()
	if completed >= c.Global() {
		p.answered(r.generation)
		return
	}
	l := laggard{r.participant, r.generation, c.last, c.stamp(), completed}
	b.changed = true
	if i, ok := b.at[p]; ok {
		// One Progress stands for one participant: what is there is an
		// earlier generation whose leave is known, or the same one again.
		if b.set[i].generation == r.generation {
			l.since, l.stamp = b.set[i].since, b.set[i].stamp
		}
		b.set[i] = l
		return
	}
	b.at[p] = len(b.set)
	b.set = append(b.set, l)
	b.most = max(b.most, len(b.set))
	c.meter.engage.record(l.stamp - r.at)
}

// watch looks for members that are further behind than the threshold allows
// and haven't asked for the brake: one that is stuck inside a tick can't, and
// without this the world would run away from it for as long as that lasts. It
// says whether it registered any. It is called before each release; the look
// at the members, some nanoseconds each, is taken once a tick at most and only
// when somebody hasn't completed the released one.
func (b *brake) watch(c *Coordinator) bool {
	global := c.Global()
	if b.watched == global || c.members.incomplete() == 0 {
		return false
	}
	b.watched = global
	b.stuck = c.members.askBehind(global, loop.Tick(c.pace.LagThreshold), c.stamp(), b.stuck[:0])
	for _, r := range b.stuck {
		b.request(c, r)
	}
	clear(b.stuck)
	return len(b.set) > 0
}

// withdraw removes the participant that left, if it is registered.
func (b *brake) withdraw(_ *Coordinator, r request) {
	if i, ok := b.at[r.progress]; ok && b.set[i].generation == r.generation {
		b.left = r.at
		b.remove(i)
	}
}

func (b *brake) remove(i int) {
	l, end := b.set[i], len(b.set)-1
	b.set[i] = b.set[end]
	b.at[b.set[i].progress] = i
	b.set[end] = laggard{}
	b.set = b.set[:end]
	delete(b.at, l.progress)
	b.changed = true
	// Only now may it ask again.
	l.progress.answered(l.generation)
}

// look drops whoever has caught up or is no more.
func (b *brake) look(c *Coordinator, now time.Time) {
	global := c.Global()
	for i := 0; i < len(b.set); {
		l := &b.set[i]
		if !l.progress.current(l.generation) {
			b.remove(i)
			continue
		}
		completed := l.progress.Completed()
		if completed != l.completed {
			l.completed = completed
			b.progress = now
		}
		if completed >= global {
			b.remove(i)
			continue
		}
		raiseTick(&c.lagMax, global-completed)
		i++
	}
	if b.on && !b.logged && len(b.set) > 0 {
		b.name(c, now)
	}
}

// name logs the one that has held the brake longest, once an episode.
func (b *brake) name(c *Coordinator, now time.Time) {
	l := slices.MinFunc(b.set, func(x, y laggard) int { return x.since.Compare(y.since) })
	held := now.Sub(l.since)
	if held < c.brakeNamed {
		return
	}
	b.logged = true
	c.log.Warn("brake held", "by", l.id.String(), "completed", l.completed, "global", c.Global(),
		"held", held, "laggards", len(b.set))
}

// turn begins or ends an episode and says whether the brake was lifted.
func (b *brake) turn(c *Coordinator, now time.Time) (lifted bool) {
	switch n := len(b.set); {
	case n > 0 && !b.on:
		b.on, b.logged = true, false
		b.began, b.progress = c.stamp(), now
		b.current = Episode{Start: now, Tick: c.Global(), Cause: b.set[0].show(c)}
		b.count++
	case n == 0 && b.on:
		b.finish(now)
		if since := max(time.Duration(c.lastCaughtUp.Load()), b.left); since >= b.began {
			c.meter.lift.record(c.stamp() - since)
		}
		lifted = true
	}
	b.current.Laggards = max(b.current.Laggards, len(b.set))
	b.show(c, now)
	return lifted
}

// finish closes the current episode.
func (b *brake) finish(now time.Time) {
	b.on = false
	b.current.End = now
	held := now.Sub(b.current.Start)
	b.total += held
	b.longest = max(b.longest, held)
	if len(b.episodes) < episodesKept {
		b.episodes = append(b.episodes, b.current)
	} else {
		b.episodes[b.nextSlot] = b.current
	}
	b.nextSlot = (b.nextSlot + 1) % episodesKept
	b.current = Episode{}
}

// last lists the last episodes, oldest first.
func (b *brake) last() []Episode {
	if len(b.episodes) < episodesKept {
		return slices.Clone(b.episodes)
	}
	return append(slices.Clone(b.episodes[b.nextSlot:]), b.episodes[:b.nextSlot]...)
}

// named lists who has held the brake for longer than they may unnamed, the
// longest first.
func (b *brake) named(c *Coordinator, now time.Time) []Laggard {
	var names []Laggard
	for i := range b.set {
		if now.Sub(b.set[i].since) >= c.brakeNamed {
			names = append(names, b.set[i].show(c))
		}
	}
	slices.SortStableFunc(names, func(x, y Laggard) int { return x.Since.Compare(y.Since) })
	return names[:min(len(names), namedKept):min(len(names), namedKept)]
}

// A set of up to showAlways laggards is published at every change; a larger
// one, whose copy costs more, every showEvery.
const (
	showAlways = 64
	showEvery  = 50 * time.Millisecond
)

// show publishes the set for Laggards.
func (b *brake) show(c *Coordinator, now time.Time) {
	if !b.changed || len(b.set) > showAlways && now.Sub(b.published) < showEvery {
		return
	}
	b.changed, b.published = false, now
	set := slices.Clone(b.set)
	c.laggards.Store(&set)
}

// show reads the laggard as it is now. Any goroutine may, of a copy.
func (l *laggard) show(c *Coordinator) Laggard {
	completed, global := l.progress.Completed(), c.Global()
	if !l.progress.current(l.generation) {
		completed = l.completed
	}
	return Laggard{l.id, completed, global - min(global, completed), l.since, c.stamp() - l.stamp}
}

// Laggards lists the participants that hold the brake, the longest first, with
// their present ticks. More than 64 are listed as they were up to 50 ms ago.
func (c *Coordinator) Laggards() []Laggard {
	set := c.laggards.Load()
	if set == nil {
		return nil
	}
	list := make([]Laggard, 0, len(*set))
	for _, l := range *set {
		if l.progress.current(l.generation) {
			list = append(list, l.show(c))
		}
	}
	slices.SortStableFunc(list, func(x, y Laggard) int { return x.Since.Compare(y.Since) })
	return list
}
