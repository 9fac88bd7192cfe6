package loop_test

import (
	"testing"

	"chronoscope/loop"

	"pgregory.net/rapid"
)

func TestTownTimeAt(t *testing.T) {
	tests := []struct {
		tick loop.Tick
		want string
	}{
		{0, "day 1 06:00:00"},
		{1, "day 1 06:00:01"},
		{loop.TicksPerMinute, "day 1 06:01:00"},
		{loop.TicksPerHour, "day 1 07:00:00"},
		{18*loop.TicksPerHour - 1, "day 1 23:59:59"},
		{18 * loop.TicksPerHour, "day 2 00:00:00"},
		{loop.TicksPerDay, "day 2 06:00:00"},
		{loop.TicksPerDay + 10*loop.TicksPerHour + 17*loop.TicksPerMinute + 5, "day 2 16:17:05"},
		{3600 * 24 * 1000, "day 1001 06:00:00"},
	}
	for _, tt := range tests {
		t.Run(tt.want, func(t *testing.T) {
			if got := loop.TownTimeAt(tt.tick).String(); got != tt.want {
				t.Errorf("TownTimeAt(%d) = %s, want %s", tt.tick, got, tt.want)
			}
		})
	}
}

// The lengths are a contract: a day passes in 24 minutes at 60 Hz.
func TestTownTimeUnits(t *testing.T) {
	if loop.TicksPerMinute != 60 || loop.TicksPerHour != 3600 || loop.TicksPerDay != 86400 {
		t.Errorf("minute, hour, day = %d, %d, %d ticks, want 60, 3600, 86400", loop.TicksPerMinute, loop.TicksPerHour, loop.TicksPerDay)
	}
	if got := loop.Hz(60).Boundary(loop.TicksPerDay).Minutes(); got != 24 {
		t.Errorf("a day at 60 Hz takes %v minutes, want 24", got)
	}
}

// Back from the date to the tick: every part counts, none twice.
func TestTownTimeInvertible(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tick := loop.Tick(rapid.Uint64Range(0, uint64(loop.MaxTick-loop.DayOffset)).Draw(t, "tick"))
		d := loop.TownTimeAt(tick)
		if d.Hour > 23 || d.Minute > 59 || d.Second > 59 {
			t.Fatalf("TownTimeAt(%d) = %v", tick, d)
		}
		back := loop.Tick(d.Day-1)*loop.TicksPerDay + loop.Tick(d.Hour)*loop.TicksPerHour +
			loop.Tick(d.Minute)*loop.TicksPerMinute + loop.Tick(d.Second) - loop.DayOffset
		if back != tick {
			t.Fatalf("TownTimeAt(%d) = %v, which is tick %d", tick, d, back)
		}
	})
}

func TestTownTimeSaturates(t *testing.T) {
	last := loop.TownTimeAt(loop.MaxTick - loop.DayOffset)
	for _, tick := range []loop.Tick{loop.MaxTick - loop.DayOffset + 1, loop.MaxTick - 1, loop.MaxTick} {
		if got := loop.TownTimeAt(tick); got != last {
			t.Errorf("TownTimeAt(%d) = %v, want %v", tick, got, last)
		}
	}
}
