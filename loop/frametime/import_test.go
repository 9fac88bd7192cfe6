package frametime_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"chronoscope/loop/frametime"
)

// Files as the programs write them, columns shuffled, units and versions apart.
func TestImport(t *testing.T) {
	tests := []struct {
		file    string
		source  string
		want    []time.Duration
		note    string
		capture func(*testing.T, *frametime.Capture)
	}{
		{"mangohud.csv", "MangoHud", []time.Duration{16_700_100, 16_600_000, 33_300_000}, "", func(t *testing.T, c *frametime.Capture) {
			if c.Meta.OS != "Debian GNU/Linux 13" || c.Meta.Renderer != "Some GPU" || !slices.Contains(c.Meta.Settings, frametime.Setting{Name: "kernel", Value: "6.12.1"}) {
				t.Errorf("facts: %+v", c.Meta)
			}
			if c.Frames[0].Flags != frametime.Focused|frametime.NoStamps|frametime.NoWorld {
				t.Errorf("flags %b", c.Frames[0].Flags)
			}
		}},
		{"mangohud-us.csv", "MangoHud", []time.Duration{16_700_000, 16_600_000, 33_300_000}, "frame times were in microseconds", nil},
		{"mangohud-sampled.csv", "MangoHud", []time.Duration{10 * ms, 10 * ms, 10 * ms}, "the log holds samples, not every frame: 30ms of frames in 200ms", nil},
		{"presentmon1.csv", "PresentMon", []time.Duration{8_333_300, 8_333_400, 16_666_600}, "1 rows of other programs or swap chains; 1 rows without a frame time", func(t *testing.T, c *frametime.Capture) {
			if c.Meta.Name != "game.exe" || c.Frames[0].Next != 2_000_000_000 || !c.Frames[0].Flags.Has(frametime.VSyncAsked|frametime.NoStamps) || c.Frames[2].Flags.Has(frametime.VSyncAsked) {
				t.Errorf("%q, %+v", c.Meta.Name, c.Frames)
			}
		}},
		{"presentmon2.csv", "PresentMon", []time.Duration{8 * ms, 9 * ms}, "", func(t *testing.T, c *frametime.Capture) {
			f := &c.Frames[0]
			if f.Busy() != 3*ms || f.Wait() != 5*ms || f.CapWait() != 0 || !c.Frames[1].Flags.Has(frametime.NoStamps) {
				t.Errorf("%+v", c.Frames)
			}
		}},
	}
	for _, tt := range tests {
		t.Run(tt.file, func(t *testing.T) {
			b, err := os.ReadFile(filepath.Join("testdata", tt.file))
			if err != nil {
				t.Fatal(err)
			}
			for _, b := range [][]byte{b, append([]byte("\xef\xbb\xbf"), b...), bytes.ReplaceAll(b, []byte("\n"), []byte("\r\n"))} {
				c, err := frametime.Read(bytes.NewReader(b))
				if err != nil {
					t.Fatal(err)
				}
				if f := frametime.Intervals(c.Frames); !slices.Equal(f, tt.want) || c.Meta.Source != tt.source || c.DisplayLabel() != "unknown display" || c.Meta.Note != tt.note {
					t.Errorf("%s: %v, note %q; want %v, %q", c.Meta.Source, f, c.Meta.Note, tt.want, tt.note)
				}
				if s := frametime.Summarize(c); s.Used != len(tt.want) {
					t.Errorf("%s", s.Counts())
				}
				if tt.capture != nil {
					tt.capture(t, c)
				}
			}
		})
	}
}

func TestImportRefuses(t *testing.T) {
	for name, tt := range map[string]struct{ text, want string }{
		"nothing":                       {"", "accepted is"},
		"another table":                 {"tick,digest\n60,0011\n", "accepted is"},
		"no frames":                     {"fps,frametime\n", "without frames"},
		"all NA":                        {"Application,msBetweenPresents\nx,NA\n", "without frames"},
		"no number":                     {"fps,frametime\n60,16\n60,what\n60,16\n", `line 3, column frametime: "what" is not a number`},
		"decimal commas between commas": {"fps,frametime,cpu_load\n59,88,16,70,5\n59,88,16,70,5\n", "line 2 has 5 cells, the header 3: are there decimal commas?"},
		"a quote left open":             {"fps,frametime,x\n60,16,\"a\n60,17,b\n\"60,18,c\n60,19,d\n", "line 2 has a quote"},
		"infinite":                      {"fps,frametime\n60,16\n60,Inf\n60,16\n", "is not a number"},
		"a binary file":                 {"\x7fELF\x00\x01\x02\n\n\"", "accepted is"},
		"a header so far":               {strings.Repeat("x\n", 60) + "fps,frametime\n60,16\n", "accepted is"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := frametime.Read(strings.NewReader(tt.text))
			if !errors.Is(err, frametime.ErrFormat) || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%v, want %q", err, tt.want)
			}
		})
	}
	// A log ends where the program did.
	c, err := frametime.Import([]byte("fps,frametime\n60,16\n60,1e"))
	if err != nil || len(c.Frames) != 1 {
		t.Errorf("cut off in a number: %v", err)
	}
	if _, err := frametime.Read(failing{}); err == nil || !strings.Contains(err.Error(), "out of paper") {
		t.Errorf("a file that can't be read: %v", err)
	}
	// Negative and endless frames are none.
	c, err = frametime.Import([]byte("fps,frametime\n60,-16\n60,16\n60,1e300\n60,17\n"))
	if err != nil || len(c.Frames) != 2 || c.Meta.Note != "2 rows without a frame time" {
		t.Errorf("%v, %v", c, err)
	}
	// Without fps the magnitude alone tells.
	for text, want := range map[string]time.Duration{"16": 16 * ms, "400": 400 * ms, "16000": 16 * ms} {
		c, err := frametime.Import([]byte("fps,frametime\n," + text + "\n"))
		if err != nil || c.Frames[0].Interval() != want {
			t.Errorf("%s: %v, %v", text, c, err)
		}
	}
}

// The same table as programs and spreadsheets save it, in whatever country.
func TestImportDialects(t *testing.T) {
	for name, text := range map[string]string{
		"plain":                         "fps,frametime\n60,16.5\n30,33.25\n",
		"semicolons":                    "fps;frametime\n60;16.5\n30;33.25\n",
		"semicolons and decimal commas": "fps;frametime\r\n60,0;16,5\r\n30,0;33,25\r\n",
		"tabs":                          "fps\tframetime\n60\t16,5\n30\t33,25\n",
		"quotes":                        "\"fps\",\"frametime\"\n\"60\",\"16.5\"\n\"30\",\"33.25\"\n",
		"commas at the ends":            "fps,frametime,\n60,16.5,,\n30,33.25,,\n",
		"empty lines":                   "\n\nfps,frametime\n\n60,16.5\n\n30,33.25\n\n",
		"capitals and spaces":           " FPS , FrameTime \n 60 , 16.5 \n 30 , 33.25 \n",
		"titles before the tables": "v1\n0.8.1\n---SYSTEM INFO---\nos,cpu,gpu,ram,kernel,driver,cpuscheduler\nX,Y,Z,1,2,3,4\n---FRAME METRICS---\n" +
			"fps,frametime\n60,16.5\n30,33.25\n",
	} {
		t.Run(name, func(t *testing.T) {
			c, err := frametime.Import([]byte(text))
			if err != nil {
				t.Fatal(err)
			}
			if f := frametime.Intervals(c.Frames); !slices.Equal(f, []time.Duration{16_500_000, 33_250_000}) {
				t.Errorf("%v", f)
			}
		})
	}
}

// PresentMon's busy and wait times need not add up to the time between presents:
// no part of a frame is negative for that.
func TestPartsOfAnInterval(t *testing.T) {
	for name, tt := range map[string]struct {
		cells           string
		busy, cap, wait time.Duration
	}{
		"they add up":      {"16,10,6", 10 * ms, 0, 6 * ms},
		"something lacks":  {"16,10,4", 10 * ms, 2 * ms, 4 * ms},
		"too much":         {"16,10,8", 10 * ms, 0, 6 * ms},
		"too much of work": {"16,20,1", 16 * ms, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			c, err := frametime.Import([]byte("Application,msBetweenPresents,MsCPUBusy,MsCPUWait\nx," + tt.cells + "\n"))
			if err != nil {
				t.Fatal(err)
			}
			if f := &c.Frames[0]; f.Busy() != tt.busy || f.CapWait() != tt.cap || f.Wait() != tt.wait {
				t.Errorf("busy %v, cap %v, wait %v; want %v, %v, %v", f.Busy(), f.CapWait(), f.Wait(), tt.busy, tt.cap, tt.wait)
			}
		})
	}
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errors.New("out of paper") }

// figures are a summary's, but for those named.
func figures(c *frametime.Capture, without ...string) map[string]string {
	m := map[string]string{}
	s := frametime.Summarize(c)
	for _, f := range s.Figures {
		m[f.Name] = fmt.Sprintf("%v %v", f.Value, f.OK)
	}
	for _, name := range without {
		delete(m, name)
	}
	return m
}

// What is exported and read again has the same figures.
func TestExportsKeepFigures(t *testing.T) {
	c := sample(120, 1500)
	c.Frames[700].Flags |= frametime.Resized // left out there, so not exported
	for i := range c.Frames {
		c.Frames[i].CapEnd += int64(i%5) * 100_000 // waits for a cap, too
	}
	world := []string{"animation error, mean", "animation error, P99", "animation error, share", "cadence, odd frames", "cadence, swaps",
		"effective speed", "drift", "tick error, P50", "tick error, P99", "tick error, P99.99", "tick error, max", "brake wait, total",
		"input to shown, P50", "input to shown, P95", "input to shown, P99"}
	work := []string{"busy, mean", "busy, P99", "wait, mean", "cap wait, mean"}
	for name, tt := range map[string]struct {
		write   func(*bytes.Buffer) error
		without []string
	}{
		"MangoHud":   {func(b *bytes.Buffer) error { return frametime.WriteMangoHud(b, c) }, append(work, world...)},
		"PresentMon": {func(b *bytes.Buffer) error { return frametime.WritePresentMon(b, c) }, world},
	} {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			if err := tt.write(&b); err != nil {
				t.Fatal(err)
			}
			got, err := frametime.Read(&b)
			if err != nil {
				t.Fatal(err)
			}
			if got.Meta.Source != name {
				t.Errorf("read as %s", got.Meta.Source)
			}
			got.Meta.Stated = c.Meta.Stated // the table doesn't say
			a, z := figures(c, tt.without...), figures(got, tt.without...)
			for name, want := range a {
				if z[name] != want {
					t.Errorf("%s: %s, want %s", name, z[name], want)
				}
			}
			if len(a) < 12 {
				t.Errorf("only %d figures compared", len(a))
			}
		})
	}
}

// What programs that read PresentMon's tables ask of one.
func TestPresentMonTable(t *testing.T) {
	c := sample(60, 200)
	var b bytes.Buffer
	if err := frametime.WritePresentMon(&b, c); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(b.String(), `"`) {
		t.Error("there are quotes")
	}
	rows, err := csv.NewReader(&b).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if want := "Application,ProcessID,SwapChainAddress,Runtime,SyncInterval,PresentFlags,Dropped,TimeInSeconds,msInPresentAPI,msBetweenPresents,AllowsTearing,PresentMode,msUntilRenderComplete,msUntilDisplayed,msBetweenDisplayChange,MsCPUBusy,MsCPUWait,MsAnimationError"; strings.Join(rows[0], ",") != want {
		t.Errorf("header %v", rows[0])
	}
	if len(rows) < 22 {
		t.Fatalf("%d rows", len(rows))
	}
	for _, r := range rows[2:] {
		if r[0] != rows[1][0] || r[2] != rows[1][2] || r[11] != "Other" || r[4] != "1" || r[10] != "0" {
			t.Fatalf("%v after %v", r, rows[1])
		}
	}
	used := c.Meta.Rules.Select(c.Frames).Used
	for i := 1; i < len(used); i++ {
		// By hand: the world's step less the display's, over both frames.
		e := used[i].Drawn(c.Meta.TickRate) - used[i-1].Drawn(c.Meta.TickRate) - time.Duration(used[i].Next-used[i-1].Next)
		since := time.Duration(used[i].Next - used[0].Layout)
		if r := rows[i+1]; r[17] != fmt.Sprintf("%.6f", float64(e)/1e6) || r[7] != fmt.Sprintf("%.9f", since.Seconds()) {
			t.Fatalf("row %d: animation error %s, time %s; want %v, %v", i, r[17], r[7], e, since)
		}
	}
	if rows[1][17] == "" || rows[1][7] != fmt.Sprintf("%.9f", used[0].Interval().Seconds()) {
		t.Errorf("the first row: %v", rows[1])
	}
	c.Frames = c.Frames[:70]
	if err := frametime.WritePresentMon(&b, c); !errors.Is(err, frametime.ErrTooFew) {
		t.Errorf("ten frames after the first second: %v", err)
	}
}

// What MangoHud's own viewers read off its log.
func TestMangoHudTable(t *testing.T) {
	c := &frametime.Capture{Meta: frametime.Meta{Rules: frametime.Rules{Warmup: -1}}, Frames: series(10*ms, 20*ms)}
	for i := range c.Frames {
		c.Frames[i].Layout += int64(time.Hour)
		c.Frames[i].Next += int64(time.Hour)
	}
	var b bytes.Buffer
	if err := frametime.WriteMangoHud(&b, c); err != nil {
		t.Fatal(err)
	}
	r := csv.NewReader(&b)
	r.FieldsPerRecord = -1
	rows, err := r.ReadAll()
	if err != nil || len(rows) != 5 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	if len(rows[0]) != len(rows[1]) || len(rows[2]) != len(rows[3]) {
		t.Errorf("%d and %d facts, %d and %d columns", len(rows[0]), len(rows[1]), len(rows[2]), len(rows[3]))
	}
	for i, want := range [][3]string{{"100.0000", "10.000000", "10000000"}, {"50.0000", "20.000000", "30000000"}} {
		if row := rows[3+i]; row[0] != want[0] || row[1] != want[1] || row[15] != want[2] || rows[2][15] != "elapsed" {
			t.Errorf("row %d: fps %s, frametime %s, elapsed %s; want %v", i, row[0], row[1], row[15], want)
		}
	}
}

func TestTrace(t *testing.T) {
	c := sample(120, 300)
	c.Meta.Changes = []frametime.Change{{At: 20_000_001, Setting: frametime.Setting{Name: "vsync", Value: `"off"`}}}
	var b bytes.Buffer
	if err := frametime.WriteTrace(&b, c); err != nil {
		t.Fatal(err)
	}
	var got struct {
		TraceEvents []struct {
			Ph, Name string
			Tid      int
			Ts, Dur  float64
			Args     map[string]any
		}
		OtherData map[string]string
	}
	if err := json.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if got.OtherData["title"] != "sample, virtual 120 Hz" {
		t.Errorf("title %q", got.OtherData["title"])
	}
	count := map[string]int{}
	last := map[int]float64{}
	for _, e := range got.TraceEvents {
		name, _, _ := strings.Cut(e.Name, " ")
		count[e.Ph+" "+name]++
		if e.Ph == "X" && name != "update" && name != "draw" {
			if e.Ts < last[e.Tid]-0.001 || e.Dur < 0 {
				t.Fatalf("%+v begins before the end of the last on its track, %v", e, last[e.Tid])
			}
			last[e.Tid] = e.Ts + e.Dur
		}
	}
	for name, want := range map[string]int{"X frame": 300, "X draw": 300, "X update": 300, "X tick": 300, "X brake": 3, "i vsync": 1, "M thread_name": 4, "M process_name": 1} {
		if count[name] != want {
			t.Errorf("%d of %q, want %d", count[name], name, want)
		}
	}
	first, braked := c.Frames[0], c.Releases[50]
	for _, e := range got.TraceEvents {
		if e.Name == "brake" {
			if at := float64(braked.Released-braked.Brake-first.Layout) / 1000; math.Abs(e.Ts-at) > 0.001 || e.Dur != 5000 {
				t.Errorf("the first brake is %+v, want it at %v", e, at)
			}
			break
		}
	}
	// A tick lasts until the next one, or its brake, and says how late it came.
	for _, e := range got.TraceEvents {
		for _, k := range []int{48, 49, 50} {
			r, next := c.Releases[k], c.Releases[k+1]
			if e.Name != fmt.Sprintf("tick %d", k) {
				continue
			}
			dur, late := float64(next.Released-next.Brake-r.Released)/1000, float64(r.Released-r.Scheduled)/1000
			if math.Abs(e.Dur-dur) > 0.001 || math.Abs(e.Args["late_us"].(float64)-late) > 0.001 {
				t.Errorf("%+v, want %v long and %v late", e, dur, late)
			}
		}
	}
	for _, e := range got.TraceEvents {
		if e.Name == "frame" {
			if e.Ts != 0 || math.Abs(e.Dur*1000-float64(first.Next-first.Layout)) > 0.5 {
				t.Errorf("the first frame is %+v", e)
			}
			break
		}
	}
	b.Reset()
	back := &frametime.Capture{Frames: []frametime.Frame{{Layout: 5000, Next: 2000, Flags: frametime.NoStamps | frametime.NoWorld}}}
	if err := frametime.WriteTrace(&b, back); err != nil || !strings.Contains(b.String(), `"ts":0.000,"dur":0.000,"name":"frame"`) {
		t.Errorf("a clock set back: %v\n%s", err, b.String())
	}
	b.Reset()
	if err := frametime.WriteTrace(&b, &frametime.Capture{Releases: c.Releases[:1]}); err != nil || !json.Valid(b.Bytes()) {
		t.Errorf("without frames: %v\n%s", err, b.Bytes())
	}
}

// Writers that fail are told of.
func TestExportsFail(t *testing.T) {
	c := sample(60, 200)
	for name, write := range map[string]func(w *full) error{
		"file":       func(w *full) error { return frametime.Write(w, c) },
		"MangoHud":   func(w *full) error { return frametime.WriteMangoHud(w, c) },
		"PresentMon": func(w *full) error { return frametime.WritePresentMon(w, c) },
		"trace":      func(w *full) error { return frametime.WriteTrace(w, c) },
	} {
		for room := range 2 {
			if err := write(&full{room}); !errors.Is(err, errFull) {
				t.Errorf("%s after %d writes: %v", name, room, err)
			}
		}
	}
}

type full struct{ room int }

var errFull = errors.New("disk full")

func (w *full) Write(b []byte) (int, error) {
	if w.room--; w.room < 0 {
		return 0, errFull
	}
	return len(b), nil
}

func FuzzImport(f *testing.F) {
	files, err := filepath.Glob(filepath.Join("testdata", "*.csv"))
	if err != nil || len(files) == 0 {
		f.Fatal(files, err)
	}
	for _, name := range files {
		b, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := frametime.Import(b)
		if err != nil {
			if c != nil || strings.Contains(err.Error(), "\n") {
				t.Errorf("%v, %q", c, err)
			}
			return
		}
		for i := range c.Frames {
			if c.Frames[i].Interval() < 0 {
				t.Fatalf("frame %d lasts %v", i, c.Frames[i].Interval())
			}
		}
		again, err := frametime.Decode(encode(t, c))
		if err != nil || len(again.Frames) != len(c.Frames) {
			t.Errorf("not as a file of its own: %v", err)
		}
		exercise(t, c)
	})
}

// A capture of 10 s stays small.
func TestFileIsSmall(t *testing.T) {
	c := sample(120, 1200)
	if b := encode(t, c); len(b) > 40*len(c.Frames) {
		t.Errorf("%d bytes a frame", len(b)/len(c.Frames))
	}
}
