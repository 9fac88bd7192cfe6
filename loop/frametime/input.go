package frametime

import "time"

// Input is one key or click on its way to the screen, in the frames' stamps. What
// lies outside can't be seen from inside a program: from the device to the first
// Update that knows of it, and from the swap to the light of the screen. Update
// runs 60 times a second, so up to 16.7 ms pass before Seen that no figure has.
type Input struct {
	Seen  int64 // the first Update that saw it begins
	Taken int64 // the tick that it took effect in was released
	Drawn int64 // the end of the first Draw after that
	Shown int64 // the next Layout
}

// The parts of an input's way.
const (
	SeenToTaken = iota
	TakenToDrawn
	DrawnToShown
	SeenToShown // all of it
	inputParts
)

// parts are the times of an input by part.
func (i *Input) parts() [inputParts]time.Duration {
	return [inputParts]time.Duration{
		SeenToTaken:  time.Duration(i.Taken - i.Seen),
		TakenToDrawn: time.Duration(i.Drawn - i.Taken),
		DrawnToShown: time.Duration(i.Shown - i.Drawn),
		SeenToShown:  time.Duration(i.Shown - i.Seen),
	}
}

// InputTimes are the times of one part, SeenToTaken to SeenToShown; none for
// anything else.
func InputTimes(inputs []Input, part int) []time.Duration {
	if part < 0 || part >= inputParts {
		return nil
	}
	f := make([]time.Duration, len(inputs))
	for i := range inputs {
		f[i] = inputs[i].parts()[part]
	}
	return f
}

// InputFigures are P50, P95 and P99 of every part, in order.
func InputFigures(inputs []Input) []Figure {
	var s Summary
	for part, name := range [inputParts]string{"input to tick", "tick to drawn", "drawn to shown", "input to shown"} {
		s.inputFigures(name, InputTimes(inputs, part))
	}
	return s.Figures
}

func (s *Summary) inputFigures(name string, f []time.Duration) {
	sortInPlace(f)
	for _, q := range []struct {
		name string
		q    float64
	}{{"P50", 0.5}, {"P95", 0.95}, {"P99", 0.99}} {
		v, ok := percentile(f, q.q)
		s.add(name+", "+q.name, "ms", millis(v), ok)
	}
}
