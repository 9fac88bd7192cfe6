package lab

import (
	"fmt"
	"time"

	"chronoscope/loop"
	"chronoscope/loop/frametime"
)

// CadenceFrames is how many frames of a display are shown one by one.
const CadenceFrames = 60

// displaySpan is how long a display is looked at.
const displaySpan = 10 * time.Second

// DisplayRun is what a loop model makes of a display.
type DisplayRun struct {
	Model   string
	Rate    loop.Rate // that the model makes: one of them makes its own
	PerSec  float64   // ticks in a second of the frames' clock
	Ticks   []int     // of the first CadenceFrames after the first
	Cadence string    // the same as digits
	// Defects of the whole span, judged only where Judged: a variable or changing
	// refresh has no right cadence.
	Defects frametime.Defects
	Judged  bool
	// Least and Most are the ticks of a frame without a defect.
	Least, Most int
}

// OnDisplay runs each loop model on a preset, for ten seconds of its frames and at
// least CadenceFrames of them. The error names an unknown preset or an impossible
// rate.
func OnDisplay(preset string, rate loop.Rate) ([]DisplayRun, error) {
	p, ok := frametime.FindPreset(preset)
	if !ok {
		return nil, fmt.Errorf("lab: display %q: no such preset", preset)
	}
	if !rate.Valid() {
		return nil, fmt.Errorf("lab: tick rate %v: want more than 0", rate)
	}
	d := p.Display
	stamps := d.Stamps(max(CadenceFrames+2, int(d.Rate.TickAt(displaySpan))))
	span := stamps[len(stamps)-1] - stamps[0]
	var runs []DisplayRun
	for _, m := range frametime.Models(rate, d.Rate.Period()) {
		r := DisplayRun{Model: m.Name(), Rate: rate, Judged: !d.Fastest.Valid() && !d.Then.Valid()}
		if m.Name() == frametime.NewClamped().Name() {
			r.Rate = loop.Hz(64)
		}
		// The first frame is where a model begins to count.
		ticks := frametime.Run(m, stamps)[1:]
		sum := 0
		for _, n := range ticks {
			sum += n
		}
		if span > 0 {
			r.PerSec = float64(sum) / span.Seconds()
		}
		r.Ticks = ticks[:CadenceFrames]
		r.Cadence = frametime.Cadence(r.Ticks)
		ratio := r.Rate.Float() / d.Rate.Float()
		r.Least = int(ratio + 1e-9)
		r.Most = r.Least
		if ratio-float64(r.Least) > 1e-9 {
			r.Most++
		}
		if r.Judged {
			r.Defects = frametime.Uneven(ticks, r.Rate, d.Rate)
		} else {
			r.Least, r.Most = 0, 1<<30
		}
		runs = append(runs, r)
	}
	return runs, nil
}
