package game

import (
	"time"

	"chronoscope/coordinator"
	"chronoscope/loop"
)

// frameDriver says at each frame how many ticks have become due, the classic
// way of engines: a fixed-step loop at the tick rate, advanced once a frame by
// the snapped frame time. It is pure: the time comes in.
//
// Boundaries lie half a refresh beside the frames. On them, a display of the
// tick rate would show 0 and 2 ticks in turn for whatever is left of the jitter.
//
// With the coordinator's own clock it does nothing and costs nothing.
type frameDriver struct {
	on, held bool // anchored; the world stood still at the last frame
	rate     loop.Rate
	scale    float64
	refresh  time.Duration // that the boundaries were laid out for

	loop   *loop.Loop
	snap   loop.Snapper
	anchor time.Time     // boundary 0
	at     time.Duration // snapped time since anchor
	frame  time.Time     // the last one
}

// advance tells of a frame at now on a display with a refresh period (0:
// unknown), and gives the ticks that have become due since the last one, and
// when the last of them was. What the coordinator does about an overload is its
// business: everything that is due is told.
//
// The loop is anchored anew when frames begin to drive, when rate, scale or
// refresh change, and when a pause or a brake ends: time held makes nothing due.
func (d *frameDriver) advance(now time.Time, refresh time.Duration, p *coordinator.Pacing, r coordinator.ReleaseInfo) (due int, last time.Time) {
	if p.Driver != coordinator.ByFrame {
		d.on = false
		return 0, time.Time{}
	}
	if r.Frozen {
		d.held, d.frame = true, now
		return 0, time.Time{}
	}
	if !d.on || d.held || p.TickRate != d.rate || p.TimeScale != d.scale || d.differs(refresh) {
		d.reanchor(now, refresh, p, r.Scheduled)
	} else {
		d.at += d.snap.Snap(now.Sub(d.frame), refresh)
		d.frame = now
	}
	if d.at < 0 {
		return 0, time.Time{} // not even the boundary before the first has come
	}
	at := d.anchor.Add(time.Duration(float64(d.at) * d.scale))
	run, dropped := d.loop.Advance(at)
	drift := time.Duration(float64(d.loop.Drift(at)) / d.scale)
	return run + dropped, d.anchor.Add(d.at - drift)
}

// differs says that the refresh is another one than the boundaries were laid out
// for; a measured one that wavers isn't.
func (d *frameDriver) differs(refresh time.Duration) bool {
	return (refresh - d.refresh).Abs() > max(refresh, d.refresh)/64
}

// instant is what the frame at now shows: with the frames' clock its snapped
// time, which is as even as the display.
func (d *frameDriver) instant(now time.Time) time.Time {
	if !d.on || d.held || d.frame != now {
		return now
	}
	return d.anchor.Add(d.at)
}

// reanchor puts the next boundary a tick after the last release, moved by less
// than a refresh or a tick to lie between two frames: not later where the pace
// changes, so that there is no gap; not earlier after a hold, since a whole tick
// follows it. It is never so early that more is due than a frame's ticks and one.
func (d *frameDriver) reanchor(now time.Time, refresh time.Duration, p *coordinator.Pacing, released time.Time) {
	tick := max(time.Duration(float64(p.TickRate.Period())/p.TimeScale), 1)
	if d.held && released.Before(d.frame) {
		// The hold ended after that frame; when exactly, the coordinator knows,
		// which forgets what is due less than a tick later.
		released = d.frame
	}
	if earliest := now.Add(-tick - max(refresh, 0)); released.Before(earliest) {
		released = earliest
	} else if released.After(now) {
		released = now
	}
	next := released.Add(tick)
	// With several ticks a frame the boundaries, not the frames, are the finer
	// grid; the middle between two of them is as good.
	if grid := min(refresh, tick); grid > 0 {
		behind := (next.Sub(now) - grid/2) % grid
		if behind < 0 {
			behind += grid
		}
		next = next.Add(-behind)
		if d.held && behind > 0 {
			next = next.Add(grid)
		}
	}
	d.on, d.held = true, false
	d.rate, d.scale, d.refresh = p.TickRate, p.TimeScale, refresh
	d.snap = loop.Snapper{}
	d.loop = loop.NewAtRate(p.TickRate, coordinator.MaxMaxCatchUp, 0)
	d.anchor, d.frame = next.Add(-tick), now
	d.at = now.Sub(d.anchor)
	d.loop.Start(d.anchor)
}
