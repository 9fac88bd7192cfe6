package game

import (
	"sync"
	"time"

	"chronoscope/coordinator/waiting"
	"chronoscope/loop"
	"chronoscope/loop/frametime"
	"chronoscope/loop/lab"
	"chronoscope/overlay"
)

// laboratory runs the lab's experiments beside the world. It asks the world for
// nothing but its tick rate. It belongs to the window's goroutine.
type laboratory struct {
	settings overlay.LabSettings
	refused  string

	pacers      *lab.Pacers // nil: never started
	pacersOn    bool
	pacersAt    time.Time
	pacersSpan  time.Duration // of those that were stopped
	readings    []lab.PacerReading
	makePacer   func(loop.PacerKind) loop.Pacer // nil: the real ones
	waiting     *waiting.Bench                  // nil: never started
	overload    []lab.OverloadRun
	overloadOf  lab.OverloadOptions
	displays    displayWork // as worked out last
	displaysFor displayTask // being worked out, or what displays are of
	finished    chan displayWork
	working     bool

	going sync.WaitGroup // everything that has a goroutine
}

// displayTask is what the displays' page is worked out of.
type displayTask struct {
	display string
	rate    loop.Rate
}

// displayWork is what came of it.
type displayWork struct {
	runs    []lab.DisplayRun
	refresh loop.Rate
	matrix  []frametime.Cell
}

func newLaboratory() laboratory {
	return laboratory{settings: overlay.DefaultLab(), finished: make(chan displayWork, 1)}
}

// rate is what the experiments run at in a world of a rate.
func (l *laboratory) rate(world loop.Rate) loop.Rate {
	if l.settings.Rate.Valid() {
		return l.settings.Rate
	}
	return world
}

// order does what the user wants. What is refused is an error, and leaves things as
// they are.
func (l *laboratory) order(o overlay.LabOrder, world loop.Rate, now time.Time) error {
	var err error
	if o.HasSettings {
		if err = o.Settings.Overload.Validate(); err == nil {
			l.settings = o.Settings
		}
	}
	switch o.Pacers {
	case overlay.TurnOn:
		if !l.pacersOn {
			err = l.startPacers(l.rate(world), now)
		}
	case overlay.TurnOff:
		l.stopPacers(now)
	}
	switch o.Waiting {
	case overlay.TurnOn:
		if l.waiting == nil || !l.waiting.Progress().Running {
			err = l.startWaiting(l.rate(world))
		}
	case overlay.TurnOff:
		if l.waiting != nil {
			l.waiting.Cancel()
		}
	}
	if o != (overlay.LabOrder{}) {
		l.refused = ""
		if err != nil {
			l.refused = err.Error()
		}
	}
	return err
}

func (l *laboratory) startPacers(rate loop.Rate, now time.Time) error {
	p, err := lab.StartPacers(lab.PacerOptions{Rate: rate, New: l.makePacer})
	if err != nil {
		return err
	}
	l.pacers, l.pacersOn, l.pacersAt = p, true, now
	l.going.Go(p.Wait)
	return nil
}

// stopPacers doesn't wait for them: that may take a period.
func (l *laboratory) stopPacers(now time.Time) {
	if l.pacersOn {
		l.pacers.Stop()
		l.pacersOn, l.pacersSpan = false, now.Sub(l.pacersAt)
	}
}

func (l *laboratory) startWaiting(rate loop.Rate) error {
	b, err := waiting.Start(waiting.Options{Members: l.settings.Members, Rate: rate, For: l.settings.For})
	if err != nil {
		return err
	}
	l.waiting = b
	l.going.Go(b.Wait)
	return nil
}

// values fills in what the instruments show, five times a second. shown says that
// the lab can be seen: otherwise nothing is worked out.
func (l *laboratory) values(v *overlay.LabValues, world loop.Rate, shown bool, now time.Time) {
	rate := l.rate(world)
	if l.pacersOn && l.pacers.Rate() != rate {
		// The rate was changed: they begin anew with it.
		l.stopPacers(now)
		if err := l.startPacers(rate, now); err != nil {
			l.refused = err.Error()
		}
	}
	v.Settings, v.Rate, v.Refused = l.settings, rate, l.refused
	v.PacersOn, v.Pacers = l.pacersOn, nil
	if l.pacers != nil {
		l.readings = l.pacers.Read(l.readings[:0])
		v.Pacers, v.PacerRate, v.PacersSpan = l.readings, l.pacers.Rate(), l.pacersSpan
		if l.pacersOn {
			v.PacersSpan = now.Sub(l.pacersAt)
		}
	}
	v.Waiting = waiting.Progress{}
	if l.waiting != nil {
		v.Waiting = l.waiting.Progress()
	}
	if shown && (l.overload == nil || l.overloadOf != l.settings.Overload) {
		// It takes some microseconds; order has looked at the options.
		if runs, err := lab.Overload(l.settings.Overload); err == nil {
			l.overload, l.overloadOf = runs, l.settings.Overload
		}
	}
	v.Overload = l.overload
	l.workOut(rate, shown && l.settings.Page == overlay.DisplayPage)
	v.Runs, v.Refresh, v.Matrix = l.displays.runs, l.displays.refresh, l.displays.matrix
}

// workOut has the displays' page worked out on a goroutine of its own, since it
// takes some milliseconds; one at a time.
func (l *laboratory) workOut(rate loop.Rate, shown bool) {
	select {
	case l.displays = <-l.finished:
		l.working = false
	default:
	}
	task := displayTask{l.settings.Display, rate}
	if !shown || l.working || task == l.displaysFor {
		return
	}
	l.working, l.displaysFor = true, task
	l.going.Go(func() {
		var w displayWork
		if runs, err := lab.OnDisplay(task.display, task.rate); err == nil {
			w.runs = runs
		}
		if p, ok := frametime.FindPreset(task.display); ok {
			w.refresh = p.Display.Rate
		}
		w.matrix = frametime.Matrix(task.rate)
		l.finished <- w
	})
}

// close ends every experiment and returns when nothing of it is left.
func (l *laboratory) close(now time.Time) {
	l.stopPacers(now)
	if l.waiting != nil {
		l.waiting.Cancel()
	}
	l.going.Wait()
}

// labShown says that the lab can be seen.
func (g *Game) labShown() bool {
	return g.showDock && g.dock.Tab == overlay.LabTab || g.showSidebar && g.panels.Open()[overlay.LabSection]
}

// labOrder does what was asked of the lab, in panels, in the dock or in the command
// line.
func (g *Game) labOrder(in *overlay.Intents, now time.Time) error {
	rate := g.values.Pacing.TickRate
	clicked := g.dock.Lab.Take()
	if clicked != (overlay.LabOrder{}) {
		g.refreshAt = time.Time{}
		if err := g.lab.order(clicked, rate, now); err != nil {
			return err
		}
	}
	return g.lab.order(in.Lab, rate, now)
}
