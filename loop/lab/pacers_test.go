package lab_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"chronoscope/loop"
	"chronoscope/loop/lab"
)

// late is a sleeping pacer whose every fourth wait ends late.
type late struct {
	loop.SleepPacer
	by     time.Duration
	n      int
	closed *int
}

func (p *late) Wait(target time.Time, wake <-chan struct{}) bool {
	if p.n++; p.n%4 == 0 {
		target = target.Add(p.by)
	}
	return p.SleepPacer.Wait(target, wake)
}

func (p *late) Close() { *p.closed++; p.SleepPacer.Close() }

// Each kind's row has its own latenesses; points that passed during a wait are
// skipped and never paid back.
func TestPacersAreMeasured(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		closed := make([]int, len(loop.PacerKinds()))
		p, err := lab.StartPacers(lab.PacerOptions{Rate: loop.Hz(100), New: func(k loop.PacerKind) loop.Pacer {
			return &late{by: time.Duration(k) * 6 * time.Millisecond, closed: &closed[k]}
		}})
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(11 * time.Second)
		synctest.Wait()
		rows := p.Read(nil)
		p.Stop()
		p.Stop()
		p.Wait()
		for i, r := range rows {
			if r.Kind != loop.PacerKinds()[i] {
				t.Errorf("row %d is of %v", i, r.Kind)
			}
			want := time.Duration(r.Kind) * 6 * time.Millisecond
			if r.Max != want || r.P50 != 0 && r.P50 > lab.Least {
				t.Errorf("%v: P50 %v, max %v, want 0 and %v", r.Kind, r.P50, r.Max, want)
			}
			waits, points := r.Histogram.Count(), r.Histogram.Count()+r.Skipped
			// A wait that is late by 12 or 18 ms passes one point by, by 24 two.
			skips := map[time.Duration]uint64{0: 0, 6: 0, 12: 1, 18: 1, 24: 2}[want/time.Millisecond]
			if points < 995 || points > 1005 || r.Skipped+4 < waits/4*skips || r.Skipped > (waits/4+1)*skips {
				t.Errorf("%v: %d waits, %d skipped", r.Kind, waits, r.Skipped)
			}
			if closed[i] != 1 {
				t.Errorf("%v was closed %d times", r.Kind, closed[i])
			}
		}
		// An hour later there is nothing but the last half minute.
		if n := p.Read(nil)[0].Histogram.Count(); n != rows[0].Histogram.Count() {
			t.Errorf("after the end %d waits, not %d", n, rows[0].Histogram.Count())
		}
	})
}

func TestPacersWindow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, err := lab.StartPacers(lab.PacerOptions{Rate: loop.Hz(20), New: func(loop.PacerKind) loop.Pacer { return loop.NewSleepPacer() }})
		if err != nil {
			t.Fatal(err)
		}
		defer p.Wait()
		defer p.Stop()
		time.Sleep(5*time.Minute + 500*time.Millisecond)
		synctest.Wait()
		for _, r := range p.Read(nil) {
			if n := r.Histogram.Count(); n < 600 || n > 620 {
				t.Errorf("%v: %d waits in the window, want 30.5 s of 20", r.Kind, n)
			}
		}
	})
}

// A slow rate's waits are cut short, a fast one's end by themselves.
func TestPacersStop(t *testing.T) {
	for _, r := range []loop.Rate{loop.Hz(1), loop.Hz(30)} {
		synctest.Test(t, func(t *testing.T) {
			p, err := lab.StartPacers(lab.PacerOptions{Rate: r, New: func(loop.PacerKind) loop.Pacer { return loop.NewSleepPacer() }})
			if err != nil {
				t.Fatal(err)
			}
			time.Sleep(10 * time.Millisecond)
			begun := time.Now()
			p.Stop()
			p.Wait()
			if took := time.Since(begun); took > 50*time.Millisecond {
				t.Errorf("at %v a second it took %v", r, took)
			}
		})
	}
}

// The real ones, read while they run.
func TestRealPacers(t *testing.T) {
	p, err := lab.StartPacers(lab.PacerOptions{Rate: loop.Hz(500)})
	if err != nil {
		t.Fatal(err)
	}
	limit := time.Now().Add(20 * time.Second)
	for enough := false; !enough && time.Now().Before(limit); {
		enough = true
		for _, r := range p.Read(nil) {
			enough = enough && r.Histogram.Count() >= 10
		}
		loop.NewSleepPacer().Wait(time.Now().Add(5*time.Millisecond), nil)
	}
	p.Stop()
	p.Wait()
	for _, r := range p.Read(nil) {
		if r.Histogram.Count() < 10 || r.P50 > r.P99 || r.P99 > r.Max || r.CPU < 0 || r.CPU > 1.1 {
			t.Errorf("%v: %d waits, P50 %v, P99 %v, max %v, CPU %v", r.Kind, r.Histogram.Count(), r.P50, r.P99, r.Max, r.CPU)
		}
	}
}

func TestPacerOptions(t *testing.T) {
	for _, r := range []loop.Rate{loop.Hz(1001), {Num: 1, Den: 2}} {
		if _, err := lab.StartPacers(lab.PacerOptions{Rate: r}); err == nil || !strings.Contains(err.Error(), "want 1 to 1000 a second") {
			t.Errorf("%v a second: %v", r, err)
		}
	}
}
