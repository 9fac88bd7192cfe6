package coordinator_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"chronoscope/coordinator"
	"chronoscope/loop"
)

func TestPacingValidate(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(p *coordinator.Pacing)
		want   []string // in the error; none: valid
	}{
		{"default", func(p *coordinator.Pacing) {}, nil},
		{"1 Hz", func(p *coordinator.Pacing) { p.TickRate = loop.Hz(1) }, nil},
		{"240 Hz", func(p *coordinator.Pacing) { p.TickRate = loop.Rate{Num: 480, Den: 2} }, nil},
		{"59.94 Hz", func(p *coordinator.Pacing) { p.TickRate = loop.Rate{Num: 60000, Den: 1001} }, nil},
		{"no rate", func(p *coordinator.Pacing) { p.TickRate = loop.Rate{} }, []string{"tick rate", "0/0", "1 to 240"}},
		{"a bit too fast", func(p *coordinator.Pacing) { p.TickRate = loop.Rate{Num: 240001, Den: 1000} }, []string{"tick rate", "240001/1000"}},
		{"a bit too slow", func(p *coordinator.Pacing) { p.TickRate = loop.Rate{Num: 999, Den: 1000} }, []string{"tick rate"}},
		{"scale 0", func(p *coordinator.Pacing) { p.TimeScale = 0 }, []string{"time scale 0", "0.1 to 16"}},
		{"scale NaN", func(p *coordinator.Pacing) { p.TimeScale = math.NaN() }, []string{"time scale NaN"}},
		{"scale -1", func(p *coordinator.Pacing) { p.TimeScale = -1 }, []string{"time scale -1"}},
		{"scale 16", func(p *coordinator.Pacing) { p.TimeScale = 16 }, nil},
		{"scale 16.1", func(p *coordinator.Pacing) { p.TimeScale = 16.1 }, []string{"time scale 16.1"}},
		{"threshold 0", func(p *coordinator.Pacing) { p.LagThreshold = 0 }, []string{"lag threshold 0", "1 to 1000"}},
		{"threshold 1001", func(p *coordinator.Pacing) { p.LagThreshold = 1001 }, []string{"lag threshold 1001"}},
		{"catch-up 0", func(p *coordinator.Pacing) { p.MaxCatchUp = 0 }, []string{"max catch-up 0"}},
		{"checks 101", func(p *coordinator.Pacing) { p.ChecksPerTick = 101 }, []string{"checks per tick 101", "1 to 100"}},
		{"floor 0", func(p *coordinator.Pacing) { p.SleepFloor = 0 }, []string{"sleep floor 0s", "1µs to 100ms"}},
		{"floor 1s", func(p *coordinator.Pacing) { p.SleepFloor = time.Second }, []string{"sleep floor 1s"}},
		{"slow down", func(p *coordinator.Pacing) { p.Policy = loop.SlowDown }, nil},
		{"policy", func(p *coordinator.Pacing) { p.Policy = 3 }, []string{"policy policy(3)", "catchup, drop or slowdown"}},
		{"by frame", func(p *coordinator.Pacing) { p.Driver = coordinator.ByFrame }, nil},
		{"driver", func(p *coordinator.Pacing) { p.Driver = 2 }, []string{"driver driver(2)", "coordinator or frame"}},
		{"drop", func(p *coordinator.Pacing) { p.Policy = loop.Drop }, nil},
		{"ticker", func(p *coordinator.Pacing) { p.Pacer = loop.Ticker }, nil},
		{"pacer", func(p *coordinator.Pacing) { p.Pacer = 5 }, []string{"pacer pacer(5)", "sleep ticker compensated hybrid precise"}},
		{"wait", func(p *coordinator.Pacing) { p.Wait = 7 }, []string{"wait strategy(7)", "poll or gate"}},
	} {
		err := pacing(c.change).Validate()
		if (err == nil) != (c.want == nil) {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		for _, w := range c.want {
			if !strings.Contains(err.Error(), w) || !strings.HasPrefix(err.Error(), "coordinator: ") || strings.Contains(err.Error(), "\n") {
				t.Errorf("%s: %q doesn't say %q", c.name, err, w)
			}
		}
	}
}

func TestOptionsValidate(t *testing.T) {
	for _, c := range []struct {
		o    coordinator.Options
		want string
	}{
		{coordinator.Options{}, ""},
		{coordinator.Options{LastTick: coordinator.MaxLastTick}, ""},
		{coordinator.Options{LastTick: coordinator.MaxLastTick + 1}, "last tick"},
		{coordinator.Options{RequestQueue: -1}, "request queue -1"},
		{coordinator.Options{RequestsPerCheck: 1 << 21}, "requests per check 2097152"},
		{coordinator.Options{BrakeNamed: -1}, "brake named"},
		{coordinator.Options{Pacing: coordinator.Pacing{TickRate: loop.Hz(60)}}, "time scale 0"},
	} {
		err := c.o.Validate()
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.o, err, c.want)
		}
		if _, newErr := coordinator.New(c.o); (newErr == nil) != (err == nil) {
			t.Errorf("New says %v, Validate %v", newErr, err)
		}
	}
}

func TestNames(t *testing.T) {
	for v, want := range map[fmt.Stringer]string{
		coordinator.Poll: "poll", coordinator.Gate: "gate", coordinator.Strategy(9): "strategy(9)",
		coordinator.ByCoordinator: "coordinator", coordinator.ByFrame: "frame", coordinator.Driver(9): "driver(9)",
	} {
		if v.String() != want {
			t.Errorf("%q, want %q", v, want)
		}
	}
}

func TestIDs(t *testing.T) {
	for _, c := range []struct {
		slot, generation uint32
		text             string
	}{{0, 0, "none"}, {7, 0, "none"}, {0, 1, "0.1"}, {math.MaxUint32, math.MaxUint32, "4294967295.4294967295"}, {12, 3, "12.3"}} {
		id := coordinator.MakeObjectID(c.slot, c.generation)
		if id.Slot() != c.slot || id.Generation() != c.generation || id.Valid() != (c.generation > 0) || id.String() != c.text {
			t.Errorf("%d.%d: %d.%d %v %q", c.slot, c.generation, id.Slot(), id.Generation(), id.Valid(), id)
		}
	}
	for k, want := range map[coordinator.Kind]string{
		coordinator.KindCharacter: "character", coordinator.KindScheduler: "scheduler", coordinator.KindKeeper: "keeper",
		coordinator.KindAvatars: "avatars", coordinator.KindGatherer: "gatherer", 99: "kind(99)",
	} {
		if k.String() != want {
			t.Errorf("%d: %q, want %q", k, k, want)
		}
	}
	if s := (coordinator.ParticipantID{Object: coordinator.MakeObjectID(12, 3)}).String(); s != "character 12.3" {
		t.Errorf("%q", s)
	}
}
