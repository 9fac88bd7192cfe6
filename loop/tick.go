package loop

import "fmt"

// Tick numbers game time: whole steps since the world began. Game time is a
// tick number everywhere; real time is read only by whoever paces the release
// of ticks.
type Tick uint64

// MaxTick is a tick that never comes: "no due", "no end".
const MaxTick = Tick(1<<64 - 1)

// The town's clock moves one second a tick at any tick rate.
const (
	TicksPerMinute Tick = 60
	TicksPerHour   Tick = 60 * TicksPerMinute
	TicksPerDay    Tick = 24 * TicksPerHour
	// DayOffset is the time of day of tick 0: 06:00, so that the morning
	// falls into the first hour of a run.
	DayOffset Tick = 6 * TicksPerHour
)

// TownTime is a tick read as a date on the town's clock.
type TownTime struct {
	Day                  uint64 // from 1
	Hour, Minute, Second int
}

// TownTimeAt gives the town's date of a tick. Tick 0 is 06:00 of day 1. Within
// DayOffset of MaxTick the date saturates.
func TownTimeAt(t Tick) TownTime {
	s := t + DayOffset
	if s < t {
		s = MaxTick
	}
	r := s % TicksPerDay
	return TownTime{
		Day:    uint64(s/TicksPerDay) + 1,
		Hour:   int(r / TicksPerHour),
		Minute: int(r % TicksPerHour / TicksPerMinute),
		Second: int(r % TicksPerMinute),
	}
}

// String reads "day 2 16:17:05".
func (d TownTime) String() string {
	return fmt.Sprintf("day %d %02d:%02d:%02d", d.Day, d.Hour, d.Minute, d.Second)
}
