package main

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"chronoscope/loop"
)

// madeUp is a report whose figures are known.
func madeUp() *pacingReport {
	r := &pacingReport{Version: pacingVersion, Platform: platformJSON{OS: "linux", Arch: "amd64", Kernel: "Linux 6.1", Go: "go1.26", CPUs: 2, GOMAXPROCS: 2},
		Timers: &timerStudy{PerSecond: 10000, Seconds: 5, Ways: []timersWay{
			{Name: "wake scheduler, precise pacer", Timers: 50000, Mean: 60.5, P50: 12, P99: 800, Max: 2000, Bytes: 65.7, Cycles: 1},
			{Name: "time.AfterFunc", Timers: 50000, Mean: 596.7, P50: 589.4, P99: 1299.5, Max: 7412.7, Bytes: 306.5, Objects: 2, Cycles: 3},
		}}}
	for _, load := range []float64{0, 50} {
		for i, name := range append(pacerNames(), spinName) {
			p99 := []float64{1100, 1200, 1000, 60, 50, 10}[i] * (1 + load)
			row := pacingRow{Pacer: name, Rate: "60", Busy: load, Made: load, Frames: 20000, Skipped: i, Mean: p99 / 2, Sigma: p99 / 3, P50: p99 / 4, P99: p99, P9999: 3000, Max: 4000, CPU: float64(i)/2 + 0.4}
			for k := range curveQuantiles {
				row.Curve = append(row.Curve, p99*float64(k+1)/10)
			}
			r.Rows = append(r.Rows, row)
		}
		r.Rows = append(r.Rows, pacingRow{Pacer: timerName, Busy: load, Made: load, Frames: 2000, Mean: 150, P50: 140, P99: 306, Max: 6000, CPU: 7})
	}
	return r
}

func TestPacingText(t *testing.T) { golden(t, "pacing.golden", madeUp().text()) }

// The verdict holds where it should and only there.
func TestPacingVerdict(t *testing.T) {
	r := madeUp()
	count := func() (met, not int) {
		for _, line := range r.verdict() {
			if strings.HasPrefix(line, "met ") {
				met++
			} else {
				not++
			}
		}
		return met, not
	}
	if met, not := count(); met != 3 || not != 0 {
		t.Fatalf("%d met, %d not: %q", met, not, r.verdict())
	}
	for _, c := range []struct {
		name   string
		change func(row *pacingRow)
	}{
		{"a P99 above a twentieth", func(row *pacingRow) { row.P99 *= 1.3 }},
		{"too much of the processor", func(row *pacingRow) { row.CPU = 3.1 }},
		{"a tail above twice pure spin's", func(row *pacingRow) { row.P9999 = 6001 }},
	} {
		t.Run(c.name, func(t *testing.T) {
			r = madeUp()
			i := slices.IndexFunc(r.Rows, func(row pacingRow) bool { return row.Pacer == loop.Precise.String() && row.Busy == 0 })
			c.change(&r.Rows[i])
			if met, not := count(); met != 2 || not != 1 {
				t.Errorf("%d met, %d not: %q", met, not, r.verdict())
			}
		})
	}
	t.Run("worse than the ticker under load", func(t *testing.T) {
		r = madeUp()
		i := slices.IndexFunc(r.Rows, func(row pacingRow) bool { return row.Pacer == loop.Precise.String() && row.Busy == 50 })
		r.Rows[i].P99 *= 30
		if met, not := count(); met != 2 || not != 1 {
			t.Errorf("%d met, %d not: %q", met, not, r.verdict())
		}
	})
}

func TestPacingFiles(t *testing.T) {
	r := madeUp()
	var b strings.Builder
	if err := r.writeJSON(&b); err != nil {
		t.Fatal(err)
	}
	var back pacingReport
	if err := json.Unmarshal([]byte(b.String()), &back); err != nil || back.text() != r.text() {
		t.Errorf("JSON holds something else: %v", err)
	}
	b.Reset()
	if err := r.writeCSV(&b); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(b.String())).ReadAll() // as many fields in every row
	if err != nil || len(rows) != 1+len(r.Rows) || rows[1][0] != "sleep" || rows[1][10] != "1100" {
		t.Errorf("%v, %v", rows, err)
	}
}

// A short real run, from the flags to the files.
func TestPacingRuns(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	o := call(t.Context(), program{}, "pacing", "-rate", "1000", "-frames", "20", "-load", "0", "-pacers", "sleep,ticker", "-timers", "0",
		"-json", at("p.json"), "-csv", at("p.csv"), "-png", at("p.png"), "-cpuprofile", at("p.prof"))
	if o.code != exitDone || o.stderr != "" {
		t.Fatalf("%d, %s", o.code, o.stderr)
	}
	for _, want := range []string{"1000 Hz, load 0 %", "sleep", "ticker", "pure spin", "timer of 1 ms", "P99 / ticker"} {
		if !strings.Contains(o.stdout, want) {
			t.Errorf("no %q in\n%s", want, o.stdout)
		}
	}
	if strings.Contains(o.stdout, "hybrid") {
		t.Errorf("a pacer that wasn't asked for:\n%s", o.stdout)
	}
	f, err := os.Open(at("p.png"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if c, err := png.DecodeConfig(f); err != nil || c.Width != pictureWidth {
		t.Errorf("%+v, %v", c, err)
	}
	var r pacingReport
	data, err := os.ReadFile(at("p.json"))
	if err == nil {
		err = json.Unmarshal(data, &r)
	}
	if err != nil || len(r.Rows) != 4 || r.Rows[0].Frames < 20 || r.Version != pacingVersion {
		t.Errorf("%+v, %v", r, err)
	}
	if st, err := os.Stat(at("p.prof")); err != nil || st.Size() == 0 {
		t.Errorf("profile: %v, %v", st, err)
	}
}

// An interrupt leaves what was measured until then.
func TestPacingInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		time.Sleep(30 * time.Millisecond)
		cancel()
	}()
	o := call(ctx, program{}, "pacing", "-rate", "100", "-frames", "100000", "-load", "0", "-timers", "0")
	if o.code != exitInterrupt || !strings.Contains(o.stderr, "interrupted") || !strings.Contains(o.stdout, "linux") && !strings.Contains(o.stdout, "/") {
		t.Errorf("%d, %s%s", o.code, o.stdout, o.stderr)
	}
}

func TestPacingRefusals(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		args []string
		want []string
	}{
		{[]string{"-rate", "0"}, []string{"-rate 0", "up to 10000"}},
		{[]string{"-rate", "60,x"}, []string{"-rate 60,x"}},
		{[]string{"-frames", "3"}, []string{"-frames 3", "10"}},
		{[]string{"-load", "96"}, []string{"-load 96", "0 to 95"}},
		{[]string{"-load", "NaN"}, []string{"-load NaN"}},
		{[]string{"-garbage", "2000"}, []string{"-garbage 2000", "1024 MiB"}},
		{[]string{"-pacers", "sundial"}, []string{"-pacers sundial", "precise"}},
		{[]string{"-timers", "-1"}, []string{"-timers -1", "no study"}},
		{[]string{"-json", filepath.Join(dir, "a"), "-csv", filepath.Join(dir, "a")}, []string{"-csv", "already"}},
		{[]string{"-png", filepath.Join(dir, "no", "x.png")}, []string{"-png", "x.png"}},
		{[]string{"fast"}, []string{`"fast"`}},
		{[]string{"-speed", "1"}, []string{"-speed", "-rate"}},
	} {
		t.Run(strings.Join(c.args, " "), func(t *testing.T) {
			o := call(t.Context(), program{}, append([]string{"pacing"}, c.args...)...)
			if o.code != exitRefused || o.stdout != "" || strings.Count(o.stderr, "\n") != 1 {
				t.Fatalf("%d, %q, %q: want exit 2 and one line", o.code, o.stdout, o.stderr)
			}
			for _, part := range c.want {
				if !strings.Contains(o.stderr, part) {
					t.Errorf("%q does not say %q", o.stderr, part)
				}
			}
		})
	}
	if list, err := os.ReadDir(dir); err != nil || len(list) != 0 {
		t.Errorf("left behind: %v, %v", list, err)
	}
}

// Both ways to have many timers run each of them once.
func TestTimerStudy(t *testing.T) {
	at := deadlines(1000, 50*time.Millisecond)
	if len(at) != 50 || at[0] != studyLead || at[49] != studyLead+49*time.Millisecond {
		t.Fatalf("deadlines %v", at)
	}
	for name, way := range map[string]func(context.Context, []time.Duration) ([]time.Duration, error){"scheduler": wakeTimers, "functions": afterFuncs} {
		late, err := way(t.Context(), at)
		if err != nil || len(late) != len(at) {
			t.Errorf("%s: %d of %d, %v", name, len(late), len(at), err)
		}
		for _, d := range late {
			if d < -time.Millisecond {
				t.Errorf("%s: one came %v early", name, -d)
			}
		}
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := way(gone, at); err == nil {
			t.Errorf("%s: an interrupt isn't heard", name)
		}
	}
}
