package coordinator

import (
	"testing"
	"time"
)

func TestCheckSleep(t *testing.T) {
	const ms, us = time.Millisecond, time.Microsecond
	for _, c := range []struct {
		name                                  string
		interval, work, lateness, floor, want time.Duration
	}{
		{"nothing to take off", 1666 * us, 0, 0, 100 * us, 1666 * us},
		{"work", 1666 * us, 66 * us, 0, 100 * us, 1600 * us},
		{"work and lateness", 1666 * us, 66 * us, ms, 100 * us, 600 * us},
		{"down to the floor", 1666 * us, ms, ms, 100 * us, 100 * us},
		{"work longer than the interval", 1666 * us, time.Hour, 0, 100 * us, 100 * us},
		{"interval below the floor", 10 * us, 0, 0, 100 * us, 100 * us},
		{"a clock that went back", ms, -time.Hour, 0, 100 * us, ms},
	} {
		if got := checkSleep(c.interval, c.work, c.lateness, c.floor); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestSmoothLateness(t *testing.T) {
	const interval = 1600 * time.Microsecond
	// One late check, however late, moves the average by a sixteenth of an
	// interval at most.
	for _, late := range []time.Duration{interval, time.Second, 30 * time.Second, time.Hour} {
		if got := smoothLateness(0, late, interval); got != interval/16 {
			t.Errorf("one check late by %v: %v, want %v", late, got, interval/16)
		}
	}
	// Sustained lateness is believed, and forgotten again.
	var l time.Duration
	for range 100 {
		l = smoothLateness(l, time.Millisecond, interval)
	}
	if l < 990*time.Microsecond || l > time.Millisecond {
		t.Errorf("after 100 checks late by 1 ms: %v", l)
	}
	for range 100 {
		l = smoothLateness(l, 0, interval)
	}
	if l > 10*time.Microsecond || l < 0 {
		t.Errorf("after 100 checks in time: %v", l)
	}
	if got := smoothLateness(0, -time.Hour, interval); got != 0 {
		t.Errorf("an early wake-up counts as late by %v", got)
	}
	// With a pacer that is always 1 ms late, checks come an interval apart.
	l = 0
	var sum time.Duration
	for i := range 200 {
		took := checkSleep(interval, 0, l, 100*time.Microsecond) + time.Millisecond
		l = smoothLateness(l, time.Millisecond, interval)
		if i >= 100 {
			sum += took
		}
	}
	if mean := sum / 100; mean < interval || mean > interval+interval/100 {
		t.Errorf("mean interval %v, want %v", mean, interval)
	}
}

func TestWakeAt(t *testing.T) {
	const us = time.Microsecond
	now := time.Unix(1000, 0)
	for _, c := range []struct {
		name                    string
		sleep, due, floor, want time.Duration
	}{
		{"no tick near", 1600 * us, 9000 * us, 100 * us, 1600 * us},
		{"a tick comes first", 1600 * us, 900 * us, 100 * us, 900 * us},
		{"a tick follows closely", 1600 * us, 1690 * us, 100 * us, 1690 * us},
		{"a tick follows just out of reach", 1600 * us, 1701 * us, 100 * us, 1600 * us},
		{"a tick sooner than the floor", 1600 * us, 30 * us, 100 * us, 100 * us},
		{"a tick that has passed: a backlog takes a check each", 1600 * us, -5000 * us, 100 * us, 1600 * us},
		{"sleep below the floor", 10 * us, -1, 100 * us, 100 * us},
	} {
		if got := wakeAt(now, c.sleep, now.Add(c.due), c.floor).Sub(now); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	if got := wakeAt(now, 50*us, time.Time{}, us).Sub(now); got != 50*us {
		t.Errorf("no tick waited for: %v, want 50us", got)
	}
}
