package physics

import (
	"math/rand/v2"
	"time"

	"chronoscope/loop"
	"chronoscope/loop/frametime"
)

// SmallestJitter is what every display of a run is off at least: no real one is
// exact.
const SmallestJitter = 300 * time.Microsecond

// On is display d as run number i of an experiment sees it: with frames that are
// off by at least SmallestJitter, another beginning and other chances.
func On(d frametime.VirtualDisplay, seed uint64, i int) frametime.VirtualDisplay {
	r := rand.New(rand.NewPCG(seed, uint64(i)))
	d.Seed = r.Uint64()
	if p := d.Rate.Period(); p > 0 {
		d.Phase += time.Duration(r.Int64N(int64(p)))
	}
	d.Jitter = max(d.Jitter, SmallestJitter)
	return d
}

// Shaken are displays of 60 Hz whose frames come more and more unevenly, for
// variable runs.
func Shaken() []frametime.Preset {
	sixty := loop.Hz(Rate)
	return []frametime.Preset{
		{Name: "60 Hz, 0.3 ms off", Display: frametime.VirtualDisplay{Rate: sixty, Jitter: SmallestJitter}},
		{Name: "60 Hz, 2 ms off", Display: frametime.VirtualDisplay{Rate: sixty, Jitter: 2 * time.Millisecond}},
		{Name: "60 Hz, 5 ms off, each 20th missed", Display: frametime.VirtualDisplay{Rate: sixty, Jitter: 5 * time.Millisecond, MissEvery: 20}},
	}
}
