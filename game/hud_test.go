package game

import (
	"slices"
	"testing"
	"time"

	"chronoscope/coordinator"
	"chronoscope/loop"
	"chronoscope/overlay"
)

func hudItem(h *hud, name string) string {
	for _, i := range h.items {
		if i.name == name {
			return i.value
		}
	}
	return "none"
}

func chipTexts(h *hud) []string {
	var list []string
	for _, c := range h.chips {
		list = append(list, c.text)
	}
	return list
}

func TestHudItems(t *testing.T) {
	pace := coordinator.DefaultPacing()
	twice := pace
	twice.TimeScale = 2
	ntsc := pace
	ntsc.TickRate = loop.Rate{Num: 60000, Den: 1001}
	tests := []struct {
		name              string
		v                 overlay.Values
		tick, day         string
		rate, speed, zoom string
	}{
		{"running", overlay.Values{Tick: 123456, Actual: 59.94, Speed: 0.999, Pacing: pace}, "123 456", "2, 16:17", "59.9 of 60 per s", "x1.00", "x1.00"},
		{"at first", overlay.Values{Pacing: pace}, "0", "1, 06:00", "- of 60 per s", "-", "x1.00"},
		{"paused", overlay.Values{Tick: 60, Actual: 60, Speed: 1, Paused: true, Pacing: pace}, "60", "1, 06:01", "- of 60 per s", "-", "x1.00"},
		{"twice as fast", overlay.Values{Actual: 118, Speed: 1.966, Pacing: twice}, "0", "1, 06:00", "118.0 of 120.0 per s", "x1.97", "x1.00"},
		{"a fraction", overlay.Values{Actual: 59.9, Speed: 1, Pacing: ntsc}, "0", "1, 06:00", "59.9 of 59.94 per s", "x1.00", "x1.00"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var h hud
			h.refresh(&tt.v, 1, frozenClock())
			got := []string{hudItem(&h, "tick"), hudItem(&h, "day"), hudItem(&h, "rate"), hudItem(&h, "speed"), hudItem(&h, "zoom")}
			if want := []string{tt.tick, tt.day, tt.rate, tt.speed, tt.zoom}; !slices.Equal(got, want) {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

func TestHudChips(t *testing.T) {
	frame := coordinator.DefaultPacing()
	frame.Driver = coordinator.ByFrame
	tests := []struct {
		name string
		v    overlay.Values
		want []string
	}{
		{"nothing to say", overlay.Values{Stretch: 1.005}, nil},
		{"slowed", overlay.Values{Stretch: 1.68}, []string{"SLOWED x1.7"}},
		{"slowed, but paused", overlay.Values{Stretch: 1.68, Paused: true}, nil},
		{"driven by frames", overlay.Values{Pacing: frame}, []string{"driver: frame"}},
		{"a brake", overlay.Values{Braking: true, Laggards: []overlay.LaggardRow{{Name: "#1 234", Spawn: 1234, Placed: true, Lag: 17, For: 800 * time.Millisecond}}},
			[]string{"BRAKE  #1 234  17 ticks  0.8 s"}},
		{"a brake of one tick", overlay.Values{Braking: true, Laggards: []overlay.LaggardRow{{Name: "#5", Lag: 1, For: 12 * time.Second}}}, []string{"BRAKE  #5  1 tick  12 s"}},
		{"a brake of nobody known", overlay.Values{Braking: true}, []string{"BRAKE"}},
		{"all at once", overlay.Values{Braking: true, Stretch: 2, Pacing: frame}, []string{"BRAKE", "SLOWED x2.0", "driver: frame"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var h hud
			h.refresh(&tt.v, 1, frozenClock())
			if got := chipTexts(&h); !slices.Equal(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// The badge follows the panel's values, stays for half a second once the brake
// has lifted, and speaks of a brake that fell between two looks.
func TestHudBadge(t *testing.T) {
	var h hud
	now := frozenClock()
	look := func(after time.Duration, v overlay.Values) string {
		now = now.Add(after)
		h.refresh(&v, 1, now)
		return h.badge
	}
	row := overlay.LaggardRow{Name: "#7", Spawn: 7, Placed: true, Lag: 17, For: time.Second}
	braking := overlay.Values{Braking: true, Episodes: 1, Laggards: []overlay.LaggardRow{row}}
	for _, step := range []struct {
		what  string
		after time.Duration
		v     overlay.Values
		want  string
		goes  bool
	}{
		{"nothing", 0, overlay.Values{}, "", false},
		{"a brake", 200 * time.Millisecond, braking, "BRAKE  #7  17 ticks  1.0 s", true},
		{"lifted", 200 * time.Millisecond, overlay.Values{Episodes: 1}, "BRAKE lifted", true},
		{"for a moment", 200 * time.Millisecond, overlay.Values{Episodes: 1}, "BRAKE lifted", true},
		{"gone", 200 * time.Millisecond, overlay.Values{Episodes: 1}, "", false},
		{"a short one", 200 * time.Millisecond, overlay.Values{Episodes: 2, Last: []overlay.EpisodeRow{{Length: 42 * time.Millisecond, Cause: row}}}, "BRAKE lifted  #7  42 ms", true},
		{"gone, too", 600 * time.Millisecond, overlay.Values{Episodes: 2}, "", false},
	} {
		if got := look(step.after, step.v); got != step.want || h.hasBrake != step.goes {
			t.Errorf("%s: %q (goes %v), want %q (%v)", step.what, got, h.hasBrake, step.want, step.goes)
		}
	}
	// Brakes of before the first look are nothing new.
	var fresh hud
	fresh.refresh(&overlay.Values{Episodes: 9, Last: []overlay.EpisodeRow{{Cause: row}}}, 1, now)
	if fresh.badge != "" {
		t.Errorf("at first %q", fresh.badge)
	}
}

func TestHudDropped(t *testing.T) {
	var h hud
	now := frozenClock()
	for _, step := range []struct {
		after   time.Duration
		dropped uint64
		want    []string
	}{
		{0, 40, nil}, // of before the first look
		{time.Second, 41, []string{"1 tick dropped"}},
		{time.Second, 41, []string{"1 tick dropped"}},
		{time.Second, 44, []string{"4 ticks dropped"}},
		{4 * time.Second, 44, []string{"4 ticks dropped"}},
		{2 * time.Second, 44, nil},
		{time.Second, 50, []string{"6 ticks dropped"}},
		{time.Second, 3, nil}, // another world
	} {
		now = now.Add(step.after)
		h.refresh(&overlay.Values{Dropped: step.dropped}, 1, now)
		if got := chipTexts(&h); !slices.Equal(got, step.want) {
			t.Errorf("%d dropped: %q, want %q", step.dropped, got, step.want)
		}
	}
}
