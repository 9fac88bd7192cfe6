package overlay

import (
	"time"

	"chronoscope/coordinator"
	"chronoscope/loop"
	"chronoscope/loop/frametime"
	"chronoscope/routes"
	"chronoscope/world"
)

// SampleSpawn is the character that SampleValues has details of.
const SampleSpawn = 1_234_567

// SampleValues is a busy world with long names and large numbers.
func SampleValues(d time.Duration) *Values {
	v := &Values{}
	q := coordinator.Quantiles{Count: 100, Mean: d, P50: 12 * time.Microsecond, P99: 13400 * time.Microsecond, Max: 12345678}
	v.Pacing = coordinator.DefaultPacing()
	v.Tick, v.Actual, v.Speed, v.Dropped = 1_234_567_890, 239.94, 15.99, 123_456_789
	v.ReleaseError, v.Checks = q, coordinator.CheckStats{Target: 1666 * time.Microsecond, Interval: q}
	v.Braking, v.BrakeShare, v.BrakeTotal, v.BrakeLongest, v.Episodes = true, .123, 2*time.Hour, 83*time.Second, 1_234_567
	for range 9 {
		v.Laggards = append(v.Laggards,
			LaggardRow{Name: "#1 999 999", Spawn: 1_999_999, Placed: true, Lag: 123_456, For: 2 * time.Hour},
			LaggardRow{Name: "wake scheduler", Lag: 11, For: d})
	}
	v.LaggardCount = 1_999_999
	for i := range 9 {
		v.Last = append(v.Last, EpisodeRow{Tick: 1_234_000_000, Ago: 2 * time.Hour, Length: 125 * time.Second, Cause: v.Laggards[i%2], Laggards: 1_999_999})
	}
	v.FPS, v.Refresh, v.VSync, v.Width, v.Height, v.Scale = 239.9, 16683*time.Microsecond, true, 7680, 4320, 1.25
	v.Calls, v.Vertices, v.DrawTime = 1238, 12_345_678, 12340*time.Microsecond
	v.FrameCap, v.Display, v.Displays = 1000, "starved 12.5 fps", []string{"real", "120 Hz", "starved 12.5 fps", "clock 5 ms back"}
	v.Recording = &Recording{Stated: NTSC(), Measured: v.Refresh, Badges: []Badge{
		{"VSync not effective", "VSync is asked for, and frames come faster than the display refreshes."},
		{"unfocused", "Ebitengine paces a window without focus near 57 frames a second on Linux and macOS; such frames enter no figure."},
	}}
	v.Slots = sampleSlots(300)
	v.Slots[0].Capture.Meta.Name = "a run with a long name, of the afternoon of the second day"
	v.Slots[1] = Slot{Filling: true, Frames: 123_456, For: 2 * time.Hour}
	v.Slots[2].Capture.Meta.Display, v.Slots[2].Capture.Meta.Source = frametime.Unknown, "MangoHud"
	v.Slots[3] = Slot{}
	v.Characters = Characters{Active: 1_234_567, Sleeping: 1_870_000, Waking: 123_456, Ended: 1_234_567, Detailed: 1_234_567}
	v.Zones, v.Pinned, v.Legs, v.Stalls, v.Refinements = 12_345, 12_345, 123_456_789, 123_456, 123_456_789
	v.RefineP99, v.AICost, v.CameraWakes = 45*time.Microsecond, 10*time.Microsecond, true
	v.Map, v.MapWidth, v.MapHeight = "town", 4096, 4096
	v.Setup = Setup{Scenario: "/home/somebody/scenarios/brake.toml", Map: "town", Seed: 1<<64 - 1, NPCs: 2_000_000, ZoneSide: 512}
	v.Tuning = world.Tuning{WakeRadius: 4000, SleepRadius: 4096, WakeHysteresis: 1_000_000, MinResidence: 1_000_000, ActiveBudget: 2_000_000}
	for _, n := range []string{"town", "brake", "crowd", "rush", "night"} {
		v.Scenarios = append(v.Scenarios, Setup{Scenario: n, Map: "town:256", Seed: 7, NPCs: 500, ZoneSide: 16})
	}

	leg := routes.NewStay(1, 1_234, routes.Cell{X: 100, Y: -80}.Center(), v.Tick-1000, v.Tick+12_345, 16)
	mark := world.Mark{Spawn: SampleSpawn, Mode: world.Active, Leg: leg, Completed: v.Tick - 17, Lag: 17}
	v.Character = world.Detail{
		Mark: mark, Born: 1, Health: 100, Neighbors: 1234, Pending: true, OldestDue: v.Tick - 5, Events: 4096, EventsMax: 4096,
		Notices: 1<<6 - 1, Lagging: true, Place: "the tavern at the northern gate of the old town", Generation: 1_234_567, Refined: true,
	}
	z := routes.ZoneKey{X: 6, Y: -5}
	for i := range loop.Tick(30) {
		at := v.Tick - 500 + i*100
		v.Character.Wakes = append(v.Character.Wakes, world.Wake{Tick: at, For: world.WakeFor(i % 4)})
		v.Character.Ahead = append(v.Character.Ahead, world.Entry{Due: at, What: "market", Place: "the tavern at the northern gate of the old town"})
		v.Character.Passages = append(v.Character.Passages, routes.ZonePassage{Zone: z, Enter: at, Exit: at + 100})
		v.Character.Notes = append(v.Character.Notes, world.Note{Tick: at, Handled: at + i, Kind: world.NoteKind(i % 14), Leg: 1_234, N: int64(i) * 1000})
	}
	v.Zone = world.ZoneDetail{
		ZoneMark: world.ZoneMark{Zone: z, Pinned: true, Near: true, Camera: true},
		Legs:     2_000_000,
		Active:   true, Activation: 1_234_567, Since: 1_234_000_000, Refined: 1_234_567,
		Refinements: 123_456_789, RefineMean: 12 * time.Microsecond, RefineP99: 45 * time.Microsecond,
	}
	for i := range 60 {
		m := mark
		m.Spawn, m.Mode, m.Detailed = uint64(1_999_900+i), world.Mode(i%3), i%3 == 0
		v.Zone.Rows = append(v.Zone.Rows, world.ZoneLeg{Mark: m, Passages: v.Character.Passages[:i%7]})
	}
	return v
}
