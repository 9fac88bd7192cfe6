package coordinator

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"chronoscope/loop"

	"pgregory.net/rapid"
)

// A plan is everything random about one run. It is drawn outside the bubble.
type plan struct {
	wait      Strategy
	fast      bool
	threshold int
	perCheck  int
	queue     int
	lives     []lifePlan
	commands  []commandPlan
	oversleep time.Duration // of a wake-up now and then
}

type lifePlan struct {
	slot  uint32
	after time.Duration
	seed  uint64
	acts  []act
}

// act is what a participant does next: run so many ticks, then something.
type act struct {
	ticks int
	what  string // stall, slow, sleep, reborn, brake, die
	for_  time.Duration
}

type commandPlan struct {
	after time.Duration
	what  string // pause, resume, step, rate, scale, threshold, wait, do
	n     int
}

func drawPlan(t *rapid.T) plan {
	ms := func(low, high int, name string) time.Duration {
		return time.Duration(rapid.IntRange(low*10, high*10).Draw(t, name)) * time.Millisecond / 10
	}
	p := plan{
		wait:      rapid.SampledFrom([]Strategy{Poll, Gate}).Draw(t, "wait"),
		fast:      rapid.IntRange(0, 3).Draw(t, "fast") == 0,
		threshold: rapid.SampledFrom([]int{1, 3, 10}).Draw(t, "threshold"),
		perCheck:  rapid.SampledFrom([]int{1, 2, 256}).Draw(t, "per check"),
		queue:     rapid.SampledFrom([]int{1, 4, 1024}).Draw(t, "queue"),
		oversleep: ms(0, 60, "oversleep"),
	}
	p.lives = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) lifePlan {
		return lifePlan{
			slot:  uint32(rapid.IntRange(0, 5).Draw(t, "slot")),
			after: time.Duration(rapid.IntRange(0, 500).Draw(t, "after")) * time.Millisecond,
			seed:  rapid.Uint64().Draw(t, "seed"),
			acts: rapid.SliceOfN(rapid.Custom(func(t *rapid.T) act {
				return act{
					ticks: rapid.IntRange(0, 20).Draw(t, "ticks"),
					what:  rapid.SampledFrom([]string{"stall", "slow", "sleep", "reborn", "brake", "die"}).Draw(t, "what"),
					for_:  time.Duration(rapid.IntRange(0, 300).Draw(t, "for")) * time.Millisecond,
				}
			}), 1, 6).Draw(t, "acts"),
		}
	}), 1, 8).Draw(t, "lives")
	p.commands = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) commandPlan {
		return commandPlan{
			after: time.Duration(rapid.IntRange(0, 200).Draw(t, "after")) * time.Millisecond,
			what:  rapid.SampledFrom([]string{"pause", "resume", "step", "rate", "scale", "threshold", "wait", "do"}).Draw(t, "what"),
			n:     rapid.IntRange(1, 5).Draw(t, "n"),
		}
	}), 0, 10).Draw(t, "commands")
	return p
}

// violations keeps the first one.
type violations struct {
	mu    sync.Mutex
	first error
}

func (v *violations) add(format string, args ...any) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.first == nil {
		v.first = fmt.Errorf(format, args...)
	}
}

// planPacer sleeps, now and then too long, and has the invariants checked on
// the coordinator's goroutine after every check.
type planPacer struct {
	loop.SleepPacer
	late  time.Duration
	n     int
	after func()
}

func (p *planPacer) Wait(target time.Time, wake <-chan struct{}) bool {
	p.after()
	if p.n++; p.n%23 == 0 {
		target = target.Add(p.late)
	}
	return p.SleepPacer.Wait(target, wake)
}

// life is one participant's goroutine. Every tick it runs is checked.
// It calls calm when its troubles are over.
func (p lifePlan) run(c *Coordinator, v *violations, generation *atomic.Uint32, stop *atomic.Bool, progress *Progress, calm func()) {
	defer calm()
	r := rand.New(rand.NewPCG(p.seed, 0))
	bell := make(chan struct{}, 1)
	w := NewWaiter()
	defer w.Close()
	time.Sleep(p.after)
	name := func() { progress.Init(ParticipantID{Object: MakeObjectID(p.slot, generation.Add(1))}, bell) }
	name()
	wake := func() loop.Tick {
		t := c.Global()
		if r.IntN(2) == 0 {
			time.Sleep(time.Duration(r.IntN(100)) * time.Millisecond) // global moves on meanwhile
		}
		progress.Publish(t)
		c.Join(progress)
		return t
	}
	local, joins := wake(), progress.Generation()
	perTick := time.Duration(0)
	one := func(stall time.Duration) {
		for local == c.Global() && !stop.Load() {
			c.Await(progress, w)
		}
		if stop.Load() {
			return
		}
		if g := c.Global(); local+1 > g || progress.Completed() != local {
			v.add("running %d at global tick %d with %d completed", local+1, g, progress.Completed())
		}
		if d := stall + perTick; d > 0 {
			time.Sleep(d)
		}
		local++
		c.Complete(progress, local)
		if g := c.Global(); progress.Completed() != local || local > g {
			v.add("completed %d, published %d, global %d", local, progress.Completed(), g)
		}
	}
	for _, a := range p.acts {
		for range a.ticks {
			one(0)
		}
		switch a.what {
		case "stall":
			one(a.for_)
		case "slow":
			perTick = a.for_ / 20
		case "brake":
			c.RequestBrake(progress)
		case "sleep", "reborn", "die":
			if err := c.Leave(progress); err != nil {
				v.add("leave: %v", err)
			}
			if a.what == "die" {
				return
			}
			progress.Publish(local)
			if a.what == "reborn" {
				name()
			}
			time.Sleep(a.for_)
			if stop.Load() {
				return
			}
			local = wake()
			if g := progress.Generation(); g <= joins {
				v.add("participant generation %d after %d", g, joins)
			} else {
				joins = g
			}
		}
		if stop.Load() {
			break
		}
	}
	perTick = 0
	calm()
	for !stop.Load() {
		one(0)
	}
	if err := c.Leave(progress); err != nil {
		v.add("leave: %v", err)
	}
}

// runPlan runs the plan in a bubble and gives back the first violation.
func runPlan(t *testing.T, p plan) error {
	var v violations
	synctest.Test(t, func(t *testing.T) {
		pacer := &planPacer{late: p.oversleep}
		pace := DefaultPacing()
		pace.Wait, pace.LagThreshold = p.wait, p.threshold
		c, err := New(Options{Pacing: pace, Pacer: pacer, MaxSpeed: p.fast, RequestsPerCheck: p.perCheck, RequestQueue: p.queue, LastTick: 2000})
		if err != nil {
			v.add("%v", err)
			return
		}
		progress := make([]Progress, len(p.lives))
		var last loop.Tick
		var started time.Time
		lifts, steps, stepped, retunes := 0, 0, 0, 0
		wasOn, wasPaused := false, false
		pacer.after = func() { // on the coordinator's goroutine, after a check
			g := c.Global()
			if g != last && g != last+1 {
				v.add("global tick %d after %d", g, last)
			}
			released := g != last
			last = g
			if released && len(c.brake.set) > 0 {
				v.add("tick %d released while %d held the brake", g, len(c.brake.set))
			}
			if c.brake.on != (len(c.brake.set) > 0) || len(c.brake.set) != len(c.brake.at) {
				v.add("braking %v with %d laggards, %d indexed", c.brake.on, len(c.brake.set), len(c.brake.at))
			}
			if released && c.paused && wasPaused {
				if stepped++; stepped > steps {
					v.add("tick %d released while paused: %d, and %d steps asked for", g, stepped, steps)
				}
			}
			if wasOn && !c.brake.on {
				lifts++
			}
			wasOn, wasPaused = c.brake.on, c.paused
			for i := range progress {
				if done := progress[i].Completed(); done > g {
					v.add("participant %d has completed %d at global tick %d", i, done, g)
				}
			}
			// No debt: never more than what was due, one more for each lift, step and change of rate.
			if !p.fast && !started.IsZero() {
				most := loop.Hz(240).TickAt(16*time.Since(started)) + loop.Tick(lifts+steps+retunes+1)
				if g > most {
					v.add("global tick %d, at most %d could be due", g, most)
				}
			}
		}
		var stop atomic.Bool
		var wg sync.WaitGroup
		var generations [6]atomic.Uint32
		troubled := make(chan struct{}, len(p.lives))
		for i, l := range p.lives {
			var once sync.Once
			calm := func() { once.Do(func() { troubled <- struct{}{} }) }
			wg.Go(func() { l.run(c, &v, &generations[l.slot], &stop, &progress[i], calm) })
		}
		started = time.Now()
		c.Start()
		for _, k := range p.commands {
			time.Sleep(k.after)
			pace := c.Pacing()
			var err error
			switch k.what {
			case "pause":
				err = c.Pause()
				g := c.Global()
				time.Sleep(50 * time.Millisecond)
				if now := c.Global(); now != g {
					v.add("%d became %d while paused", g, now)
				}
			case "resume":
				err = c.Resume()
			case "step":
				_ = c.Do(func(loop.Tick) { steps += k.n })
				if e := c.Step(k.n); e != nil && e != ErrNotPaused {
					err = e
				}
			case "do":
				err = c.Do(func(due loop.Tick) {
					if due != c.Global()+1 {
						v.add("due %d at global tick %d", due, c.Global())
					}
				})
			case "rate":
				pace.TickRate = loop.Hz(uint64([]int{1, 30, 60, 120, 240}[k.n-1]))
				_ = c.Do(func(loop.Tick) { retunes++ })
				err = c.SetPacing(pace)
			case "scale":
				pace.TimeScale = []float64{0.1, 0.5, 1, 4, 16}[k.n-1]
				_ = c.Do(func(loop.Tick) { retunes++ })
				err = c.SetPacing(pace)
			case "threshold":
				pace.LagThreshold = k.n
				err = c.SetPacing(pace)
			case "wait":
				pace.Wait = Strategy(k.n % 2)
				err = c.SetPacing(pace)
			}
			if err != nil {
				v.add("%s: %v", k.what, err)
			}
		}
		// Everything lives on: once the trouble is over the world goes on, at
		// its rate, and everyone is there.
		pace = DefaultPacing()
		if err := c.SetPacing(pace); err != nil {
			v.add("%v", err)
		}
		if err := c.Resume(); err != nil {
			v.add("%v", err)
		}
		// At max speed the last tick may come before all troubles are over.
		for wait := 0; len(troubled) < len(p.lives) && c.Global() < c.lastTick; wait++ {
			if wait == 600 {
				v.add("a life hangs at global tick %d, laggards %v", c.Global(), c.Laggards())
				break
			}
			time.Sleep(100 * time.Millisecond)
		}
		time.Sleep(time.Second)
		g := c.Global()
		time.Sleep(time.Second)
		synctest.Wait()
		if len(c.Laggards()) > 0 {
			v.add("laggards in the end: %v", c.Laggards())
		}
		alive := 0
		for i := range progress {
			if progress[i].Joined() {
				alive++
			}
		}
		if now := c.Global(); now < g+50 && now < c.lastTick && (!p.fast || alive > 0) {
			v.add("global tick %d a second after %d", now, g)
		}
		// The shards count right: brute force at rest. Nobody moves now but
		// for the time it takes.
		if err := c.Pause(); err != nil {
			v.add("%v", err)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		members, incomplete := 0, 0
		for i := range progress {
			if progress[i].Joined() {
				members++
				if progress[i].Completed() < c.Global() {
					incomplete++
				}
			}
		}
		if st := c.Stats(); st.Members != members || st.Incomplete != incomplete || incomplete != 0 {
			v.add("the set says %d members, %d incomplete: there are %d, %d", st.Members, st.Incomplete, members, incomplete)
		}
		stop.Store(true)
		for i := range c.members.shards {
			c.members.shards[i].ringMembers()
		}
		wg.Wait()
		c.Stop()
		c.Wait()
		if n := c.Stats().Members; n != 0 || len(c.Laggards()) != 0 {
			v.add("%d members, laggards %v after everyone has left", n, c.Laggards())
		}
	})
	return v.first
}

// Random participants that stall, are slow, ask for the brake, fall asleep, die
// and are reborn, under random commands: the invariants hold at every check
// and every tick.
func TestRandomLives(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		p := drawPlan(rt)
		if err := runPlan(t, p); err != nil {
			rt.Fatalf("%v\nin %+v", err, p)
		}
	})
}
