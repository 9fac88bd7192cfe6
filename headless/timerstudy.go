package main

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"text/tabwriter"
	"time"

	"chronoscope/coordinator"
	"chronoscope/loop"
	"chronoscope/loop/frametime"
)

// The study of many timers: so many deadlines a second, on the boundaries of
// ticks, once through the wake scheduler, whose ticks the precise pacer
// paces, and once through time.AfterFunc, each with a callback that notes when it
// ran. Both have all deadlines before the first is due.

// timerStudy is what came of it.
type timerStudy struct {
	PerSecond int         `json:"per_second"`
	Seconds   float64     `json:"seconds"`
	Ways      []timersWay `json:"ways"`
}

// timersWay is one way to have many timers.
type timersWay struct {
	Name    string  `json:"name"`
	Timers  int     `json:"timers"`
	Mean    float64 `json:"mean_us"` // how late
	P50     float64 `json:"p50_us"`
	P99     float64 `json:"p99_us"`
	Max     float64 `json:"max_us"`
	Bytes   float64 `json:"bytes_per_timer"` // allocated, from the first that is made on
	Objects float64 `json:"objects_per_timer"`
	Cycles  uint32  `json:"collections"`
	CPU     float64 `json:"cpu_percent"` // of one core, from the first that is made to the last that fires
}

const (
	// The scheduler's ticks are 4 ms apart, about the shortest that a world has;
	// studyTick is what the two come to.
	studyRate, studyScale = 100, 2.5
	studyTick             = 4 * time.Millisecond
	// studyChecks a tick, so that a late one can be caught up with.
	studyChecks = 3
	studySpan   = 5 * time.Second
	// studyLead is before the first deadline.
	studyLead = 300 * time.Millisecond
)

// studyTimers measures both ways, one after the other, for a span each.
func studyTimers(ctx context.Context, perSecond int, span time.Duration) (*timerStudy, error) {
	s := &timerStudy{PerSecond: perSecond, Seconds: span.Seconds()}
	for _, way := range []struct {
		name string
		run  func(ctx context.Context, at []time.Duration) ([]time.Duration, error)
	}{{"wake scheduler, precise pacer", wakeTimers}, {"time.AfterFunc", afterFuncs}} {
		at := deadlines(perSecond, span)
		runtime.GC()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		begun, used := time.Now(), loop.CPUTime()
		late, err := way.run(ctx, at)
		if err != nil {
			return nil, err
		}
		cpu := (loop.CPUTime() - used).Seconds() / time.Since(begun).Seconds()
		runtime.ReadMemStats(&after)
		n := float64(len(at))
		slices.Sort(late)
		var sum time.Duration
		for _, d := range late {
			sum += d
		}
		s.Ways = append(s.Ways, timersWay{
			Name: way.name, Timers: len(late), Mean: us(sum / time.Duration(max(len(late), 1))),
			P50: us(frametime.Quantile(late, 0.5)), P99: us(frametime.Quantile(late, 0.99)), Max: us(frametime.Quantile(late, 1)),
			Bytes: float64(after.TotalAlloc-before.TotalAlloc) / n, Objects: float64(after.Mallocs-before.Mallocs) / n, Cycles: after.NumGC - before.NumGC,
			CPU: math.Round(1000*cpu) / 10,
		})
	}
	return s, nil
}

// deadlines spreads timers evenly over ticks, after the lead.
func deadlines(perSecond int, span time.Duration) []time.Duration {
	n := max(int(float64(perSecond)*span.Seconds()), 1)
	at := make([]time.Duration, n)
	for i := range at {
		at[i] = (studyLead + time.Duration(float64(i)/float64(n)*float64(span))).Truncate(studyTick)
	}
	return at
}

// wakeTimers has ids woken at ticks.
func wakeTimers(ctx context.Context, at []time.Duration) ([]time.Duration, error) {
	pace := coordinator.DefaultPacing()
	pace.TickRate, pace.TimeScale, pace.Pacer, pace.ChecksPerTick, pace.SleepFloor = loop.Hz(studyRate), studyScale, loop.Precise, studyChecks, coordinator.MinSleepFloor
	// The scheduler is rung at each tick: to poll it would take a timer of the
	// runtime, whose lateness would be what is measured.
	pace.Wait = coordinator.Gate
	// A dropped tick would make all that follow late.
	pace.MaxCatchUp = coordinator.MaxMaxCatchUp
	late := make([]time.Duration, 0, len(at))
	var start time.Time // written by the coordinator, which the scheduler follows
	done := make(chan struct{})
	dues := coordinator.NewDues()
	// Tick n is due n ticks after the start.
	deliver := func(due loop.Tick, ids []coordinator.ObjectID) {
		d := time.Since(start) - time.Duration(due)*studyTick
		for range ids {
			late = append(late, d)
		}
		dues.SettleN(due, len(ids))
		if len(late) == len(at) {
			close(done)
		}
	}
	// The first release, long before the first deadline, says where the grid lies.
	var once sync.Once
	c, err := coordinator.New(coordinator.Options{Pacing: pace, OnRelease: func(r coordinator.Release) {
		once.Do(func() { start = r.Scheduled.Add(-time.Duration(r.Tick) * studyTick) })
	}})
	if err != nil {
		return nil, err
	}
	s := coordinator.NewScheduler(c, coordinator.SchedulerOptions{Deliver: deliver, Dues: dues})
	for i, d := range at {
		s.Register(loop.Tick(d/studyTick), coordinator.MakeObjectID(uint32(i), 1))
	}
	s.Start()
	c.Start()
	select {
	case <-done:
	case <-ctx.Done():
		err = ctx.Err()
	}
	s.Stop()
	s.Wait()
	c.Stop()
	c.Wait()
	return late, err
}

// afterFuncs has a timer of the runtime for each deadline.
func afterFuncs(ctx context.Context, at []time.Duration) ([]time.Duration, error) {
	late := make([]time.Duration, len(at))
	timers := make([]*time.Timer, len(at))
	var left atomic.Int64
	left.Store(int64(len(at)))
	done := make(chan struct{})
	start := time.Now()
	for i, d := range at {
		timers[i] = time.AfterFunc(d-time.Since(start), func() {
			late[i] = time.Since(start) - d
			if left.Add(-1) == 0 {
				close(done)
			}
		})
	}
	select {
	case <-done:
		return late, nil
	case <-ctx.Done():
	}
	for _, t := range timers {
		if t.Stop() && left.Add(-1) == 0 {
			close(done)
		}
	}
	<-done // the last callbacks are under way
	return nil, ctx.Err()
}

// text is the study for a terminal.
func (s *timerStudy) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d timers a second for %g s, all due on ticks, which are %v apart; how late they are, in us (one that is due\nbetween two ticks waits for the next besides)\n", s.PerSecond, s.Seconds, studyTick)
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "\tmean\tP50\tP99\tmax\tbytes a timer\tobjects a timer\tcollections\tCPU\t")
	for _, x := range s.Ways {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%.1f\t%.2f\t%d\t%.1f\t\n", x.Name, number1(x.Mean), number1(x.P50), number1(x.P99), number1(x.Max), x.Bytes, x.Objects, x.Cycles, x.CPU)
	}
	// A builder takes everything.
	w.Flush()
	return b.String()
}
