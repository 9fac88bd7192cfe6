package waiting_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"chronoscope/coordinator"
	"chronoscope/coordinator/waiting"
	"chronoscope/loop"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// In virtual time a gate's members complete a tick at its release, a poll's
// within a quarter of a tick; both see every tick.
func TestStrategiesAreMeasured(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, err := waiting.Start(waiting.Options{Members: 20, Rate: loop.Hz(50), For: time.Second})
		if err != nil {
			t.Fatal(err)
		}
		if p := b.Progress(); !p.Running || len(p.Results) != 0 || p.Part != 0 {
			t.Errorf("at first %+v", p)
		}
		time.Sleep(1750*time.Millisecond + 100*time.Millisecond)
		synctest.Wait()
		if p := b.Progress(); !p.Running || p.Now != coordinator.Gate || len(p.Results) != 1 || p.Part < 0.5 || p.Part > 0.6 {
			t.Errorf("halfway %+v", p)
		}
		b.Wait()
		p := b.Progress()
		if p.Running || p.Cancelled || p.Part != 1 || len(p.Results) != 2 {
			t.Fatalf("at the end %+v", p)
		}
		for i, r := range p.Results {
			if r.Strategy != waiting.Strategies()[i] || r.Ticks < 48 || r.Ticks > 52 {
				t.Errorf("%v has %d ticks", r.Strategy, r.Ticks)
			}
			if r.P50 > r.P99 || r.P99 > r.Max || r.Max > 5*time.Millisecond {
				t.Errorf("%+v", r)
			}
		}
		if poll, gate := p.Results[0], p.Results[1]; gate.Max != 0 || poll.P50 < gate.P50 {
			t.Errorf("poll %+v, gate %+v", poll, gate)
		}
	})
}

func TestCancel(t *testing.T) {
	for name, after := range map[string]time.Duration{
		"before": 0, "idle": 100 * time.Millisecond, "settling": 600 * time.Millisecond, "measuring": 1200 * time.Millisecond, "second": 2500 * time.Millisecond,
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b, err := waiting.Start(waiting.Options{Members: 50, For: time.Second})
				if err != nil {
					t.Fatal(err)
				}
				time.Sleep(after)
				begun := time.Now()
				b.Cancel()
				b.Wait()
				if took := time.Since(begun); took > 10*time.Millisecond {
					t.Errorf("it took %v", took)
				}
				if p := b.Progress(); p.Running || !p.Cancelled || len(p.Results) > 1 {
					t.Errorf("%+v", p)
				}
			})
		})
	}
}

// In real time too, with few members, and read meanwhile.
func TestReal(t *testing.T) {
	b, err := waiting.Start(waiting.Options{Members: 8, Rate: loop.Hz(200), For: waiting.MinFor})
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() { b.Wait(); close(done) }()
	for {
		select {
		case <-done:
			if p := b.Progress(); len(p.Results) != 2 || p.Results[0].Max <= 0 || p.Results[1].Max <= 0 {
				t.Errorf("%+v", p)
			}
			return
		default:
			if p := b.Progress(); p.Part < 0 || p.Part > 1 {
				t.Fatalf("%+v", p)
			}
		}
	}
}

func TestOptions(t *testing.T) {
	for _, c := range []struct {
		o    waiting.Options
		says string
	}{
		{waiting.Options{}, ""},
		{waiting.Options{Members: -1}, "-1 members: want 1 to 10000"},
		{waiting.Options{Members: 10001}, "10001 members"},
		{waiting.Options{Rate: loop.Hz(241)}, "tick rate 241: want 1 to 240"},
		{waiting.Options{Rate: loop.Rate{Num: 1, Den: 2}}, "tick rate 1/2"},
		{waiting.Options{For: time.Minute}, "for 1m0s: want 100ms to 30s"},
		{waiting.Options{For: time.Millisecond}, "for 1ms"},
	} {
		err := c.o.Validate()
		if (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: %v, want %q", c.o, err, c.says)
		}
		if c.says == "" {
			continue
		}
		if _, err := waiting.Start(c.o); err == nil {
			t.Errorf("%+v was started", c.o)
		}
	}
}
