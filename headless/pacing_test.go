package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"chronoscope/loop"
)

// madeUp is a report of round figures: two rates without load and one with.
func madeUp() *pacingReport {
	r := &pacingReport{
		Version: pacingVersion, Taken: time.Date(2026, 11, 3, 12, 0, 0, 0, time.UTC), Quantiles: curveQuantiles[:],
		Platform: platformJSON{OS: "linux", Arch: "amd64", Kernel: "Linux 6.1.0", Go: "go1.26.8", CPUs: 4, GOMAXPROCS: 4},
		Timers: &timerStudy{PerSecond: 10_000, Seconds: 5, Ways: []timersWay{
			{"wake scheduler, precise pacer", 50_000, 12.5, 10, 90, 400, 24.5, 0.02, 1, 21.5},
			{"time.AfterFunc", 50_000, 640, 620, 1200, 4000, 160, 2, 3, 7},
		}},
	}
	row := func(pacer, rate string, busy float64, frames, skipped int, p50, cpu float64) pacingRow {
		x := pacingRow{
			Pacer: pacer, Rate: rate, Busy: busy, Made: busy, Frames: frames, Skipped: skipped,
			Mean: p50, Sigma: p50 / 2, P50: p50, P99: 2 * p50, P9999: 4 * p50, Max: 8 * p50, Sum: p50 * float64(frames), Intervals: p50, Drift: -p50, CPU: cpu,
		}
		for _, q := range curveQuantiles {
			x.Curve = append(x.Curve, p50*(0.5+7.5*q*q*q))
		}
		return x
	}
	for _, g := range []struct {
		rate string
		busy float64
		slow float64
	}{{"60", 0, 1}, {"1000", 0, 1.5}, {"60", 95, 9}} {
		frames := 12_000
		if g.rate == "1000" {
			frames = 1000
		}
		r.Rows = append(r.Rows,
			row("ticker", g.rate, g.busy, frames, int(g.busy), 600*g.slow, 0.8),
			row("precise", g.rate, g.busy, frames, 0, 20*g.slow*g.slow, 1.2),
			row(spinName, g.rate, g.busy, frames, 0, 8*g.slow, 100),
		)
		if g.rate == "1000" || g.busy > 0 {
			r.Rows = append(r.Rows, row(timerName, "", g.busy, 2000, 0, 120*g.slow, 5))
		}
	}
	return r
}

func TestPacingText(t *testing.T) { golden(t, "pacing.golden", madeUp().text()) }

func TestPacingJSON(t *testing.T) {
	var b bytes.Buffer
	if err := madeUp().writeJSON(&b); err != nil {
		t.Fatal(err)
	}
	golden(t, "pacing.json.golden", b.String())
}

func TestPacingCSV(t *testing.T) {
	var b bytes.Buffer
	if err := madeUp().writeCSV(&b); err != nil {
		t.Fatal(err)
	}
	golden(t, "pacing.csv.golden", b.String())
}

func TestPacingPicture(t *testing.T) {
	for name, r := range map[string]*pacingReport{
		"made up":          madeUp(),
		"nothing measured": {Version: pacingVersion},
		"the timer alone":  {Rows: madeUp().Rows[6:7]},
		"all on time":      {Rows: []pacingRow{{Pacer: "sleep", Rate: "60", Frames: 1000, Curve: make([]float64, len(curveQuantiles))}}},
	} {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			if err := r.picture().encode(&b); err != nil {
				t.Fatal(err)
			}
			m, err := png.Decode(&b)
			if err != nil {
				t.Fatal(err)
			}
			if name == "made up" && (m.Bounds().Dx() != pictureWidth || m.Bounds().Dy() < 800) {
				t.Errorf("three panels in %v", m.Bounds())
			}
		})
	}
}

// The verdict is about what was measured: idle or loaded, at the rates of the goals,
// with frames enough.
func TestPacingVerdict(t *testing.T) {
	ticker := pacingRow{Pacer: "ticker", Rate: "60", Frames: 1000, P99: 1000}
	precise := pacingRow{Pacer: "precise", Rate: "60", Frames: 1000, P99: 50, CPU: 3}
	spin := pacingRow{Pacer: spinName, Rate: "60", Frames: 1000, P99: 1, P9999: 100}
	for _, tt := range []struct {
		name   string
		change func(ticker, precise, spin *pacingRow)
		want   []string // beginnings of its lines, blanks made one
	}{
		{"just met", func(_, _, _ *pacingRow) {}, []string{"met 60 Hz, load 0 %: P99 at most 1/20", "untold 60 Hz, load 0 %: P99.99"}},
		{"not precise enough", func(_, p, _ *pacingRow) { p.P99 = 51 }, []string{"not met 60 Hz, load 0 %: P99 at most 1/20", "untold"}},
		{"too costly", func(_, p, _ *pacingRow) { p.CPU = 3.1 }, []string{"not met 60 Hz, load 0 %: P99 at most 1/20", "untold"}},
		{"another rate", func(t, p, s *pacingRow) { t.Rate, p.Rate, s.Rate = "1000", "1000", "1000" }, []string{"untold 1000 Hz"}},
		{"frames enough", func(_, p, s *pacingRow) { p.Frames, s.Frames, p.P9999 = 10_000, 10_000, 200 }, []string{"met", "met 60 Hz, load 0 %: P99.99 at most twice pure spin's: 200.0 us, 2.00 times"}},
		{"a long tail", func(_, p, s *pacingRow) { p.Frames, s.Frames, p.P9999 = 10_000, 10_000, 201 }, []string{"met", "not met 60 Hz, load 0 %: P99.99"}},
		{"spin skipped too many", func(_, p, s *pacingRow) { p.Frames, s.Frames, s.Skipped = 10_000, 10_000, 11 }, []string{"met", "untold"}},
		{"as bad as the ticker", func(t, p, s *pacingRow) { t.Busy, p.Busy, s.Busy = 50, 50, 50; p.P99, p.CPU = 1000, 50 }, []string{"met 60 Hz, load 50 %: precise is never worse"}},
		{"worse under load", func(t, p, s *pacingRow) { t.Busy, p.Busy, s.Busy = 50, 50, 50; p.P99 = 1001 }, []string{"not met 60 Hz, load 50 %"}},
		{"skips more", func(t, p, s *pacingRow) { t.Busy, p.Busy, s.Busy = 50, 50, 50; p.Skipped = 1 }, []string{"not met 60 Hz, load 50 %"}},
		{"garbage is a load", func(t, p, s *pacingRow) { t.Garbage, p.Garbage, s.Garbage = 128, 128, 128; p.CPU = 50 }, []string{"met 60 Hz, load 0 %, 128 MiB of garbage a second: precise is never worse"}},
		{"no ticker", func(t, _, _ *pacingRow) { t.Pacer = "sleep" }, []string{"untold"}},
		{"no precise pacer", func(_, p, _ *pacingRow) { p.Pacer = "hybrid" }, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			rows := []pacingRow{ticker, precise, spin}
			tt.change(&rows[0], &rows[1], &rows[2])
			got := (&pacingReport{Rows: rows}).verdict()
			if len(got) != len(tt.want) {
				t.Fatalf("%q", got)
			}
			for i, want := range tt.want {
				if line := strings.Join(strings.Fields(got[i]), " "); !strings.HasPrefix(line, want) {
					t.Errorf("%q, want %q", line, want)
				}
			}
		})
	}
}

func TestPacingRefuses(t *testing.T) {
	dir := t.TempDir()
	for _, tt := range []struct{ args, want string }{
		{"-rate 0", "-rate 0: accepted are rates above 0 and up to 10000"},
		{"-rate 10001", "-rate 10001: accepted"},
		{"-rate 60,", "-rate 60,: accepted"},
		{"-rate 60,60", "-rate 60,60: 60 is there twice"},
		{"-rate", "-rate needs a value"},
		{"-load 95.1", "-load 95.1: accepted are shares of 0 to 95"},
		{"-load -1", "-load -1: accepted"},
		{"-load nan", "-load nan: accepted"},
		{"-load 0,50,0", "-load 0,50,0: 0 is there twice"},
		{"-garbage 1025", "-garbage 1025: accepted are 0 to 1024 MiB a second"},
		{"-garbage NaN", "-garbage NaN: accepted"},
		{"-pacers spin", "-pacers spin: accepted are sleep, ticker, compensated, hybrid, precise"},
		{"-pacers sleep,sleep", "sleep is there twice"},
		{"-frames 9", "-frames 9: accepted are 0"},
		{"-frames 10000001", "-frames 10000001: accepted"},
		{"-timers -1", "-timers -1: accepted are 0 (no study) to 200000"},
		{"-timers 200001", "-timers 200001: accepted"},
		{"-json " + filepath.Join(dir, "no", "x"), "no such file or directory"},
		{"-csv F -png F", "-png F: what -csv says goes there already"},
		{"-what", "unknown flag -what: accepted are -h, -rate"},
		{"60", `unexpected argument "60"`},
	} {
		t.Run(tt.args, func(t *testing.T) {
			t.Chdir(dir)
			o := call(t.Context(), program{}, append([]string{"pacing"}, strings.Fields(tt.args)...)...)
			if o.code != exitRefused || o.stdout != "" || strings.Count(o.stderr, "\n") != 1 || !strings.Contains(o.stderr, "pacing: ") || !strings.Contains(o.stderr, tt.want) {
				t.Errorf("%d %q %q", o.code, o.stdout, o.stderr)
			}
			if list := files(t, dir); len(list) != 1 {
				t.Errorf("it left %q", list)
			}
		})
	}
}

func TestPacingHelp(t *testing.T) {
	for _, flag := range []string{"-h", "--help"} {
		o := call(t.Context(), program{}, "pacing", "-frames", "20", flag)
		if o.code != exitDone || o.stderr != "" {
			t.Errorf("%d %q", o.code, o.stderr)
		}
		golden(t, "pacinghelp.golden", o.stdout)
	}
}

// What JSON holds is the report.
func TestPacingJSONRead(t *testing.T) {
	var b bytes.Buffer
	if err := madeUp().writeJSON(&b); err != nil {
		t.Fatal(err)
	}
	var r pacingReport
	if err := json.Unmarshal(b.Bytes(), &r); err != nil || r.text() != madeUp().text() {
		t.Errorf("%v\n%s", err, r.text())
	}
}

// A small run through everything: it is real, so that only what any machine gives
// is looked at.
func TestPacingRun(t *testing.T) {
	t.Chdir(t.TempDir())
	o := call(t.Context(), program{brief: true}, "pacing", "-rate=1000,59.94", "-frames=10", "-load=0,40", "-garbage=16", "-pacers=ticker,precise", "-timers=500",
		"-json=a.json", "-csv=a.csv", "-png=a.png", "-cpuprofile=a.prof")
	if o.code != exitDone || o.stderr != "" {
		t.Fatalf("%d %q\n%s", o.code, o.stderr, o.stdout)
	}
	for _, want := range []string{"1000 Hz, load 0 % (made 0.0 %), 16 MiB of garbage a second, 10 frames", "60000/1001 Hz, load 40 %", "lateness of a timer, load 40 %", "500 timers a second for 0.5 s", "time.AfterFunc"} {
		if !strings.Contains(o.stdout, want) {
			t.Errorf("no %q in\n%s", want, o.stdout)
		}
	}
	text, err := os.ReadFile("a.json")
	if err != nil {
		t.Fatal(err)
	}
	var r pacingReport
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&r); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, row := range r.Rows {
		got = append(got, row.Rate+" "+row.Pacer)
		if row.Frames < 1 || row.Rate != "" && row.Frames != 10 || len(row.Curve) != len(r.Quantiles) || !slices.IsSorted(row.Curve) || row.P99 > row.Max || row.Garbage != 16 {
			t.Errorf("%+v", row)
		}
	}
	one := []string{"1000 ticker", "1000 precise", "1000 " + spinName, "60000/1001 ticker", "60000/1001 precise", "60000/1001 " + spinName, " " + timerName}
	if want := slices.Concat(one, one); !slices.Equal(got, want) {
		t.Errorf("rows %q", got)
	}
	if r.Version != 1 || r.Platform.CPUs < 1 || r.Platform.OS == "" || r.Timers == nil || len(r.Timers.Ways) != 2 {
		t.Errorf("%+v", r)
	} else {
		for _, w := range r.Timers.Ways {
			if w.Timers != 250 || w.Mean < 0 || w.P50 > w.P99 || w.P99 > w.Max || w.Bytes <= 0 || w.CPU < 0 {
				t.Errorf("%+v", w)
			}
		}
	}
	f, err := os.Open("a.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	if err != nil || len(lines) != 1+len(r.Rows) {
		t.Fatalf("%d lines, %v", len(lines), err)
	}
	for i, row := range r.Rows {
		if line := lines[i+1]; line[0] != row.Pacer || line[1] != row.Rate || line[10] != strconv.FormatFloat(row.P99, 'f', -1, 64) {
			t.Errorf("%q, want %+v", line, row)
		}
	}
	if list := files(t, "."); len(list) != 5 {
		t.Errorf("files %q", list)
	}
	for name, magic := range map[string]string{"a.png": "\x89PNG", "a.prof": "\x1f\x8b"} {
		if b, err := os.ReadFile(name); err != nil || !strings.HasPrefix(string(b), magic) {
			t.Errorf("%s: %v, %.8q", name, err, b)
		}
	}
}

// An interrupt gives what was measured until then, and complete files.
func TestPacingInterrupted(t *testing.T) {
	t.Chdir(t.TempDir())
	ctx, cancel := context.WithCancel(t.Context())
	timer := time.AfterFunc(300*time.Millisecond, cancel)
	defer timer.Stop()
	o := call(ctx, program{}, "pacing", "-rate=100", "-frames=1000000", "-load=0", "-pacers=sleep", "-json=a.json")
	if o.code != exitInterrupt || strings.Count(o.stderr, "\n") != 1 || !strings.Contains(o.stderr, "interrupted") {
		t.Errorf("%d %q", o.code, o.stderr)
	}
	text, err := os.ReadFile("a.json")
	if err != nil || !json.Valid(text) {
		t.Errorf("%v, %q", err, text)
	}
	// Before anything was measured, and in the midst of the study.
	for _, args := range [][]string{{"-load=0"}, {"-rate=1000", "-frames=10", "-load=0", "-pacers=sleep", "-timers=100000"}} {
		ctx, cancel := context.WithCancel(t.Context())
		p := program{brief: true}
		if len(args) == 1 {
			cancel()
		} else {
			timer := time.AfterFunc(time.Second, cancel)
			defer timer.Stop()
		}
		o := call(ctx, p, append([]string{"pacing", "-png=a.png"}, args...)...)
		cancel()
		if o.code != exitInterrupt || !strings.Contains(o.stdout, "GOMAXPROCS") || strings.Contains(o.stdout, "AfterFunc") {
			t.Errorf("%q: %d\n%s", args, o.code, o.stdout)
		}
	}
}

// The line of progress is there on a terminal alone, and is taken away.
func TestPacingProgress(t *testing.T) {
	args := []string{"pacing", "-rate=1000", "-frames=10", "-load=0", "-pacers=sleep", "-timers=0"}
	o := call(t.Context(), program{terminal: true, brief: true}, args...)
	if !strings.Contains(o.stderr, "sleep at 1000 Hz, load 0 %, about 0s left") || !strings.HasSuffix(o.stderr, " \r") {
		t.Errorf("%q", o.stderr)
	}
	if o.code != exitDone || strings.Contains(o.stdout, "left") {
		t.Errorf("%d %s", o.code, o.stdout)
	}
}

func TestPacingSpan(t *testing.T) {
	r := pacingRun{}
	if n, d := r.count(loop.Hz(60)), r.span(loop.Hz(60)); n != 480 || d != 8800*time.Millisecond {
		t.Errorf("%d frames in %v", n, d)
	}
	r.frames = 10_000
	if d := r.span(loop.Hz(1000)); d != 10_256*time.Millisecond {
		t.Errorf("%v", d)
	}
}

// Both ways to have many timers run each of them once.
func TestTimerStudy(t *testing.T) {
	at := deadlines(1000, 50*time.Millisecond)
	if len(at) != 50 || at[0] != studyLead || at[49] != studyLead+48*time.Millisecond {
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
