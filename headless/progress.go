package main

import (
	"fmt"
	"io"
	"time"

	"chronoscope/loop"
)

// progress is a line that is written over and over on a terminal.
type progress struct {
	w     io.Writer // nil writes nothing
	width int       // of the line that stands there
}

// moment is how far a run has come.
type moment struct {
	tick     loop.Tick
	last     loop.Tick     // 0 = no end
	elapsed  time.Duration // since the first tick
	limit    time.Duration // 0 = no end
	active   int64
	laggards int
}

// show replaces the line.
func (p *progress) show(m moment) { p.replace(m.String()) }

// clear takes the line away.
func (p *progress) clear() {
	if p.width > 0 {
		p.replace("")
	}
}

func (p *progress) replace(line string) {
	if p.w == nil {
		return
	}
	// Padded, since not every terminal knows how to erase.
	fmt.Fprintf(p.w, "\r%-*s", p.width, line)
	p.width = len(line)
	if line == "" {
		io.WriteString(p.w, "\r")
	}
}

// String reads "tick 1200 of 3600 (33 %), 60.0 a second, 210 active, about 40s left".
func (m moment) String() string {
	rate := 0.0
	if m.elapsed > 0 {
		rate = float64(m.tick) / m.elapsed.Seconds()
	}
	s := fmt.Sprintf("tick %d", m.tick)
	if m.last > 0 {
		s += fmt.Sprintf(" of %d (%d %%)", m.last, m.tick*100/m.last)
	}
	s += fmt.Sprintf(", %.1f a second, %d active", rate, m.active)
	if m.laggards > 0 {
		s += fmt.Sprintf(", braked by %d", m.laggards)
	}
	if left, ok := m.left(); ok {
		s += fmt.Sprintf(", about %v left", left.Round(time.Second))
	}
	return s
}

// left is an estimate of the time until the end: by the rate so far, or by the
// time limit, whichever ends the run first. It is false when there is none.
func (m moment) left() (time.Duration, bool) {
	left, ok := time.Duration(0), false
	if m.limit > 0 {
		left, ok = max(0, m.limit-m.elapsed), true
	}
	if m.last > 0 && m.tick > 0 {
		byTicks := time.Duration(float64(m.elapsed) / float64(m.tick) * float64(m.last-min(m.tick, m.last)))
		if !ok || byTicks < left {
			left, ok = byTicks, true
		}
	}
	return left, ok
}
