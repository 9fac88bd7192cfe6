package world_test

import (
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"chronoscope/coordinator"
	"chronoscope/loop"
	"chronoscope/routes"
	"chronoscope/world"
)

// A script is everything random about one run, drawn outside its bubble.
type script struct {
	npcs                  int
	hysteresis, residence loop.Tick
	rounds                []round
}

// round is what happens between two stops of the world.
type round struct {
	orders []order   // while it stands: what happens in the world
	looks  []look    // at random moments: nothing that may change it
	ticks  loop.Tick // that pass then
}

type order struct {
	what  string // spawn, end, hold, reroute, cancel
	spawn uint64
	n     int
}

type look struct {
	what  string // pin, unpin, stall, rate, scale, wait, camera, visible, tune, pause
	after time.Duration
	n     int
}

func drawScript(t *rapid.T) script {
	most := 5
	if world.RaceEnabled {
		most = 2
	}
	return script{
		npcs:       rapid.IntRange(1, 20).Draw(t, "npcs"),
		hysteresis: loop.Tick(rapid.IntRange(0, 8).Draw(t, "hysteresis")),
		residence:  loop.Tick(rapid.IntRange(0, 8).Draw(t, "residence")),
		rounds: rapid.SliceOfN(rapid.Custom(func(t *rapid.T) round {
			return round{
				orders: rapid.SliceOfN(rapid.Custom(func(t *rapid.T) order {
					return order{
						what:  rapid.SampledFrom([]string{"spawn", "end", "hold", "reroute", "cancel"}).Draw(t, "what"),
						spawn: rapid.Uint64Range(1, 40).Draw(t, "spawn"),
						n:     rapid.IntRange(1, 60).Draw(t, "n"),
					}
				}), 0, 4).Draw(t, "orders"),
				looks: rapid.SliceOfN(rapid.Custom(func(t *rapid.T) look {
					return look{
						what:  rapid.SampledFrom([]string{"pin", "pin", "pin", "unpin", "unpin", "stall", "rate", "scale", "wait", "camera", "visible", "tune", "pause"}).Draw(t, "what"),
						after: time.Duration(rapid.IntRange(0, 300).Draw(t, "after")) * time.Millisecond / 10,
						n:     rapid.IntRange(0, 63).Draw(t, "n"),
					}
				}), 0, 8).Draw(t, "looks"),
				ticks: loop.Tick(rapid.IntRange(1, 90).Draw(t, "ticks")),
			}
		}), 1, most).Draw(t, "rounds"),
	}
}

// tell gives an order. One to somebody who has ended is for nobody, also where
// the end is still to come in one run and has come early to a sleeper in another.
func (o order) tell(b *bench) error {
	var err error
	switch o.what {
	case "spawn":
		err = b.Spawn(o.n%3 + 1)
	case "end":
		err = b.End(o.spawn)
	case "hold":
		err = b.Hold(o.spawn, loop.Tick(o.n))
	case "reroute":
		ps := b.Map().Places
		err = b.Reroute(o.spawn, ps[o.n%len(ps)].Cell)
	case "cancel":
		err = b.Cancel(o.spawn)
	}
	if _, alive := b.Inspect(o.spawn); err != nil && (alive || o.what == "spawn") {
		return fmt.Errorf("%s %d: %w", o.what, o.spawn, err)
	}
	return nil
}

// do looks at the world, or changes what may not change it.
func (l look) do(b *bench, zs []routes.ZoneKey) error {
	c := b.Coordinator()
	p := c.Pacing()
	z := zs[l.n%len(zs)]
	switch l.what {
	case "pin", "unpin":
		// Its neighbours, too: most of a quarter of the village.
		for k := range 12 {
			if err := b.Pin(zs[(l.n+k*5)%len(zs)], l.what == "pin"); err != nil {
				return err
			}
		}
	case "stall":
		if err := b.Stall(uint64(l.n+1), time.Duration(l.n+1)*5*time.Millisecond); err != nil && !errors.Is(err, coordinator.ErrInboxFull) {
			if _, alive := b.Inspect(uint64(l.n + 1)); alive {
				return err
			}
		}
	case "rate":
		p.TickRate = []loop.Rate{loop.Hz(60), loop.Hz(240), {Num: 60000, Den: 1001}, loop.Hz(20)}[l.n%4]
		return c.SetPacing(p)
	case "scale":
		p.TimeScale = []float64{0.7, 1, 4, 16}[l.n%4]
		p.LagThreshold = l.n%12 + 1
		return c.SetPacing(p)
	case "wait":
		p.Wait = []coordinator.Strategy{coordinator.Poll, coordinator.Gate}[l.n%2]
		p.Policy = loop.Policies()[l.n%3]
		// The others spin, which takes no virtual time.
		p.Pacer = []loop.PacerKind{loop.Sleep, loop.Ticker, loop.Compensated}[l.n/6%3]
		return c.SetPacing(p)
	case "camera":
		side := b.Params().ZoneSide
		lo := routes.Cell{X: z.X * side, Y: z.Y * side}
		return b.SetCamera(&world.Area{Lo: lo, Hi: routes.Cell{X: lo.X + 15, Y: lo.Y + 9}})
	case "pause": // in the middle of its steps
		return c.Pause()
	case "tune":
		u := b.Tuning()
		u.ActiveBudget, u.WakeHysteresis, u.AIWork = l.n%4, loop.Tick(l.n%9), l.n
		return b.SetTuning(u)
	case "visible":
		b.Visible(routes.Cell{}, routes.Cell{X: 40, Y: 40}, nil)
		b.Trace(uint64(l.n))
		b.Inspect(uint64(l.n))
		b.InspectZone(z, 10)
		b.LegsIn(zs[0], z, 10, nil)
		b.Zones(nil)
		b.Stats()
	}
	return nil
}

// play runs the script in a bubble, with its looks or quietly at max speed. It
// returns the digests of all stops and what else there is to compare.
func (s script) play(t *testing.T, quiet bool) (trail []string, stats world.Stats, err error) {
	synctest.Test(t, func(t *testing.T) {
		o := shortMemory(s.npcs, s.hysteresis, s.residence)
		o.Life = world.LifeRush
		// In the morning nothing happens: it passes fast.
		o.Coordinator = coordinator.Options{Paused: true, MaxSpeed: quiet, Pacing: coordinator.DefaultPacing()}
		o.Coordinator.Pacing.TickRate, o.Coordinator.Pacing.TimeScale = loop.Hz(240), 16
		o.Coordinator.Pacing.Wait = coordinator.Gate
		b := open(t, o)
		zs := everyZone(o)
		limited := false // the number of active characters was, once
		c, want := b.Coordinator(), world.RushAt-50
		b.pass(t, want)
		must(t, c.SetPacing(coordinator.DefaultPacing()))
		for _, r := range s.rounds {
			for _, order := range r.orders {
				if e := order.tell(b); e != nil {
					err = e
				}
			}
			must(t, c.Step(int(r.ticks)))
			if !quiet {
				for _, l := range r.looks {
					if e := l.do(b, zs); e != nil {
						err = e
					}
					limited = limited || l.what == "tune"
					time.Sleep(l.after)
				}
			}
			want += r.ticks
			// A pause has forgotten the steps that were not made.
			must(t, c.Pause())
			if at := c.Global(); at < want {
				must(t, c.Step(int(want-at)))
			}
			for c.Global() < want {
				time.Sleep(10 * time.Millisecond)
			}
			b.settle(t)
			d := b.Digest()
			trail = append(trail, fmt.Sprintf("tick %d: %x of %d", d.Tick, d.Sum, d.Count))
			st := b.Stats()
			if alive := int64(st.Spawned - st.Ended); alive != st.Active+st.Sleeping || st.Waking != 0 {
				err = fmt.Errorf("tick %d: %d alive, %d active, %d asleep, %d waking", st.Tick, alive, st.Active, st.Sleeping, st.Waking)
			}
			if x := st.Inbox; x.Sent != x.Handled+x.Rejected+x.Discarded+x.Pending {
				err = fmt.Errorf("tick %d: inbox ledger %+v", st.Tick, x)
			}
			b.spawned = st.Spawned
			for spawn, m := range b.living() {
				if in := b.ZoneActive(routes.ZoneAt(m.Leg.At(st.Tick), o.ZoneSide)); in && !limited && (m.Mode != world.Active || m.Completed != st.Tick) {
					err = fmt.Errorf("tick %d: character %d in an active zone is %v at %d", st.Tick, spawn, m.Mode, m.Completed)
				}
			}
			if err != nil {
				break
			}
		}
		// What came after the last tick is for the next one.
		b.pass(t, 1)
		st := b.Stats()
		if err == nil && (st.OpenDues != 0 || st.Inbox.Pending != 0) {
			err = fmt.Errorf("at the end %d dues are open, %d events pending", st.OpenDues, st.Inbox.Pending)
		}
		b.spawned = st.Spawned
		b.drawnOnce(t)
		r := b.close()
		stats = r.stats
		if err == nil && (r.coverage.Wrong != 0 || r.coverage.Lives != r.stats.Spawned || r.err != nil) {
			err = fmt.Errorf("coverage %+v, %v", r.coverage, r.err)
		}
	})
	return trail, stats, err
}

// TestRandomWatching draws worlds with orders given at their stops, and plays
// each quietly and with whatever a user may do to what he watches: pins, the
// camera, stalls, pauses, another pace, a budget. The ledgers hold at every stop, whoever is in an
// active zone is active, and what happens is the same.
func TestRandomWatching(t *testing.T) {
	var woken, stalls uint64
	rapid.Check(t, func(rt *rapid.T) {
		s := drawScript(rt)
		want, _, err := s.play(t, true)
		if err != nil {
			rt.Fatalf("quiet: %v", err)
		}
		got, stats, err := s.play(t, false)
		if err != nil {
			rt.Fatalf("watched: %v", err)
		}
		for i := range want {
			if got[i] != want[i] {
				rt.Fatalf("step %d: %s, quiet: %s", i, got[i], want[i])
			}
		}
		woken += stats.Activated
		stalls += stats.Stalls
	})
	if woken == 0 || stalls == 0 {
		t.Errorf("%d woken, %d stalls: the proof is empty", woken, stalls)
	}
}
