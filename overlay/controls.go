package overlay

import (
	"image"
	"math"

	"chronoscope/coordinator"
	"chronoscope/loop"

	"github.com/hajimehoshi/ebiten/v2"
)

// The ranges of the controls.
const (
	MinRate, MaxRate           = coordinator.MinTickRate, coordinator.MaxTickRate         // ticks per second
	MinThreshold, MaxThreshold = coordinator.MinLagThreshold, coordinator.MaxLagThreshold // ticks
)

// thumb is the width of a slider's thumb.
const thumb = 9

// grip is a slider's thumb in the user's hand.
type grip struct {
	on    bool
	key   controlKey
	off   int // from the thumb's left side to the pointer
	x     int // of the pointer, when it was last looked at
	shown bool
}

// slider is a value that is dragged, in the next cell. at is where the thumb
// is, 0..1. It gives where the user wants it, and, by keyboard, in which
// direction a step is wanted.
func (s *page) slider(name string, at float64, label string) (want float64, moved bool, nudge int) {
	p := s.p
	key := controlKey{s.section, name}
	b, hit := s.press(name)
	room := b.Dx() - thumb
	at = min(max(at, 0), 1)
	x := b.Min.X + int(at*float64(room)+0.5)
	pointer, _ := ebiten.CursorPosition()
	pointer /= p.scale
	h := &p.held
	if hit && !p.keys.on {
		off := pointer - x
		jump := off < 0 || off >= thumb
		if jump {
			off = thumb / 2
		}
		*h = grip{on: true, key: key, off: off, x: pointer}
		want, moved = s.along(b, room, pointer-off), jump
	}
	if h.on && h.key == key {
		h.shown = true
		switch {
		case !ebiten.IsMouseButtonPressed(ebiten.MouseButtonLeft):
			*h = grip{}
		case pointer != h.x:
			h.x = pointer
			want, moved = s.along(b, room, pointer-h.off), true
		}
	}
	if moved {
		x = b.Min.X + int(want*float64(room)+0.5)
	}
	if p.keys.on && p.keys.at == key {
		nudge = p.keys.nudge
	}
	s.fill(b.Inset(1), well)
	s.fill(image.Rect(x, b.Min.Y, x+thumb, b.Max.Y), grip0)
	s.write(label, b, Body, middle, Ink)
	return want, moved, nudge
}

// along is how far along a slider its thumb is when its left side is at x.
func (s *page) along(b image.Rectangle, room, x int) float64 {
	if room <= 0 {
		return 0
	}
	return min(max(float64(x-b.Min.X)/float64(room), 0), 1)
}

// linear and back: where v is in lo..hi, and what is there.
func linear(v, lo, hi float64) float64 { return (v - lo) / (hi - lo) }

func linearAt(at, lo, hi float64) float64 { return lo + at*(hi-lo) }

// logarithmic and back, for ranges over which equal factors should take equal
// room. lo is above 0.
func logarithmic(v, lo, hi float64) float64 {
	return math.Log(max(v, lo)/lo) / math.Log(hi/lo)
}

func logarithmicAt(at, lo, hi float64) float64 { return lo * math.Pow(hi/lo, at) }

// rateAt is the whole rate at a place of the rate slider.
func rateAt(at float64) loop.Rate {
	return loop.Hz(uint64(math.Round(min(max(linearAt(at, MinRate, MaxRate), MinRate), MaxRate))))
}

// thresholdAt is the threshold at a place of its slider.
func thresholdAt(at float64) int {
	return min(max(int(math.Round(logarithmicAt(at, MinThreshold, MaxThreshold))), MinThreshold), MaxThreshold)
}

// stepRate is the next whole rate above (dir > 0) or below.
func stepRate(r loop.Rate, dir int) loop.Rate {
	f := r.Float()
	if dir > 0 {
		f = math.Floor(f) + 1
	} else {
		f = math.Ceil(f) - 1
	}
	return loop.Hz(uint64(min(max(f, MinRate), MaxRate)))
}

// NTSC is the rate of 59.94 ticks per second.
func NTSC() loop.Rate { return loop.Rate{Num: 60000, Den: 1001} }
