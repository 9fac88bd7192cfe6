package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"chronoscope/routes"
	"chronoscope/world/scenario"
)

// update rewrites golden files: go test ./headless -update.
var update = flag.Bool("update", false, "rewrite golden files")

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// outcome is what a call of the program left.
type outcome struct {
	code           int
	stdout, stderr string
}

func call(ctx context.Context, p program, args ...string) outcome {
	var out, errs bytes.Buffer
	p.stdout, p.stderr = &out, &errs
	code := p.run(ctx, args)
	return outcome{code, out.String(), errs.String()}
}

// inBubble calls the program in virtual time. What needs the real clock, the
// calibrated work of -ai-cost, is switched off.
func inBubble(t *testing.T, p program, interruptAfter time.Duration, args ...string) outcome {
	t.Helper()
	var o outcome
	synctest.Test(t, func(*testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		if interruptAfter > 0 {
			timer := time.AfterFunc(interruptAfter, cancel)
			defer timer.Stop()
		}
		o = call(ctx, p, append([]string{"-ai-cost", "0"}, args...)...)
	})
	return o
}

func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// files lists everything below a directory.
func files(t *testing.T, dir string) []string {
	t.Helper()
	var list []string
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		list = append(list, path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestBadInput(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	put := func(name, text string) string {
		if err := os.WriteFile(in(name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return in(name)
	}
	header := func(w, h string) string { return "type octile\nheight " + h + "\nwidth " + w + "\nmap\n" }
	blocked := put("blocked.map", header("3", "2")+"@@@\n@@@\n")
	lonely := put("lonely.map", header("5", "1")+".@.@.\n")
	cut := put("cut.map", header("5", "4")+".....\n")
	corner := put("corner.map", strings.Replace(header("5", "4"), "octile", "octile-corner", 1))
	text := put("text.map", "once upon a time\n")
	old := put("old.csv", "kept")
	badScenario := put("bad.toml", "[pacing]\nlag-threshold = 0\n")
	framed := put("framed.toml", "[pacing]\n  driver = 'frame'\n")
	unknownKey := put("unknown.toml", "[world]\nnpcz = 3\n")
	outside := put("outside.toml", "pins = [[9999, 0]]\n")
	offMap := put("off.toml", "visitors = [{track = [[-5, 0]]}]\n")

	for _, x := range []struct{ name, args, want string }{
		{"unknown flag", "-lagthreshold 3", "unknown flag -lagthreshold, did you mean -lag-threshold?"},
		{"window flag", "-vsync", "unknown flag -vsync"},
		{"value out of range", "-lag-threshold 0", "-lag-threshold 0: accepted are 1 to 1000 ticks"},
		{"ticks", "-ticks -1", "-ticks -1: accepted are 0 (no end) to"},
		{"for", "-for -1s", "-for -1s: accepted are 0 (no end) or 1ms to 8760h"},
		{"for without unit", "-for 30", "-for 30: accepted are 0 (no end) or 1ms to 8760h"},
		{"brake limit", "-brake-limit 0", "-brake-limit 0: accepted are 10ms to 24h"},
		{"policy", "-policy skip", "-policy skip: accepted are catchup, drop, slowdown"},
		{"driver frame", "-driver frame", "-driver frame: only a window has frames"},
		{"driver", "-driver me", "-driver me: accepted are coordinator"},
		{"driver frame in a scenario", "-scenario " + framed, framed + ":2:3: driver frame: only a window has frames"},
		{"argument after flags", "-npcs 3 town", `unexpected argument "town"`},
		{"sub-command", "demo", `unknown sub-command "demo": accepted are map info FILE, pacing, capture-diff A B, lab matrix`},
		{"half a sub-command", "map", `unknown sub-command "map"`},
		{"map bench", "map bench x", `unknown sub-command "map bench"`},
		{"map info without a file", "map info", "map info: accepted is map info FILE [FILE.scen]"},
		{"map info of nothing", "map info " + in("none.map"), "map info: " + in("none.map") + ": no such file or directory"},
		{"map info of no map", "map info " + text, "map info: " + text + ": "},
		{"map info without a list", "map info " + lonely + " " + in("none.scen"), "map info: " + in("none.scen") + ": no such file or directory"},
		{"missing map", "-map " + in("none.map"), "-map " + in("none.map") + ": no such file or directory"},
		{"map is a directory", "-map " + dir, "-map " + dir + ": "},
		{"malformed map", "-map " + text, "-map " + text + ": "},
		{"cut off map", "-map " + cut, "-map " + cut + ": "},
		{"other type of map", "-map " + corner, "-map " + corner + ": "},
		{"no walkable cell", "-map " + blocked, "-map " + blocked + ": "},
		{"no two places that reach each other", "-map " + lonely, "-map " + lonely + ": fewer than two mutually reachable places"},
		{"town of impossible size", "-map town:1", "-map town:1: accepted are town, town:SIZE (64 to 4096 cells)"},
		{"no such scenario", "-scenario nothing", "-scenario nothing: accepted are brake, night, rush, town, or a file"},
		{"value in a scenario", "-scenario " + badScenario, badScenario + ":2:1: lag-threshold 0: accepted are 1 to 1000 ticks"},
		{"key in a scenario", "-scenario " + unknownKey, unknownKey + ":2:1: unknown key world.npcz, did you mean npcs?"},
		{"pin outside the map", "-scenario " + outside, "scenario " + outside + " on map town:64: pinned zone (9999, 0) lies outside the map"},
		{"visitor off the map", "-scenario " + offMap, "scenario " + offMap + " on map town:64: "},
		{"report in no directory", "-report " + in("no/r.json"), "-report " + in("no/r.json") + ": no such file or directory"},
		{"report is a directory", "-report " + dir, "-report " + dir + ": is a directory"},
		{"digests in no directory", "-report " + in("r.json") + " -digests " + in("no/d.csv"), "-digests " + in("no/d.csv") + ": no such file or directory"},
		{"two files in one", "-report " + old + " -digests " + old, "-digests " + old + ": the report goes there already"},
		{"two files in one by two names", "-report " + old + " -digests " + dir + "/./old.csv", "-digests " + dir + "/./old.csv: the report goes there already"},
		{"two new files in one by two names", "-report " + in("new") + " -digests " + dir + "/./new", "-digests " + dir + "/./new: the report goes there already"},
		{"old digests are kept", "-digests " + old + " -scenario " + outside, "scenario " + outside + " on map town:64: "},
		{"new digests are not left", "-digests " + in("new.csv") + " -scenario " + outside, "scenario " + outside + " on map town:64: "},
	} {
		t.Run(x.name, func(t *testing.T) {
			before := files(t, dir)
			o := call(t.Context(), program{}, strings.Fields("-npcs 5 -ticks 60 -max-speed -map town:64 "+x.args)...)
			if strings.HasPrefix(x.args, "map") || x.args == "demo" {
				o = call(t.Context(), program{}, strings.Fields(x.args)...)
			}
			if o.code != exitRefused {
				t.Errorf("exit code %d, want 2", o.code)
			}
			if o.stdout != "" {
				t.Errorf("something on standard output: %s", o.stdout)
			}
			if !strings.HasPrefix(o.stderr, "chronoscope: "+x.want) || strings.Count(o.stderr, "\n") != 1 {
				t.Errorf("got  %swant one line: chronoscope: %s", o.stderr, x.want)
			}
			if after := files(t, dir); !slices.Equal(before, after) {
				t.Errorf("files left: %v", after)
			}
		})
	}
	if data, err := os.ReadFile(old); err != nil || string(data) != "kept" {
		t.Errorf("a refused run touched an old file: %q, %v", data, err)
	}
}

// A directory's mode stops nobody who is root, so this is a test of its own.
func TestUnwritableReport(t *testing.T) {
	if os.Geteuid() == 0 || runtime.GOOS == "windows" {
		t.Skip("modes don't bind this user")
	}
	file := write(t, "r.json", "kept")
	if err := os.Chmod(file, 0o444); err != nil {
		t.Fatal(err)
	}
	o := call(t.Context(), program{}, "-ticks", "60", "-report", file)
	if o.code != exitRefused || o.stderr != "chronoscope: -report "+file+": permission denied\n" {
		t.Errorf("got %+v", o)
	}
}

// golden compares a text with a file of testdata, or writes it.
func golden(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil || text != string(want) {
		t.Errorf("%s isn't the same any more (go test ./headless -update rewrites it), %v:\n%s", name, err, text)
	}
}

func TestHelp(t *testing.T) {
	o := call(t.Context(), program{}, "-h")
	if o.code != exitDone || o.stderr != "" {
		t.Errorf("got %d, %s", o.code, o.stderr)
	}
	golden(t, "help.golden", o.stdout)
	for _, args := range [][]string{{"map", "-h"}, {"map", "info", "--help"}} {
		if got := call(t.Context(), program{}, args...); got.code != exitDone || got.stdout != o.stdout || got.stderr != "" {
			t.Errorf("%v: exit code %d, %s", args, got.code, got.stderr)
		}
	}
}

// keys lists the paths of all keys of a JSON value, a.b for nested ones.
func keys(prefix string, v any) []string {
	m, ok := v.(map[string]any)
	if !ok {
		return nil
	}
	var list []string
	for _, k := range slices.Sorted(maps.Keys(m)) {
		list = append(list, prefix+k)
		list = append(list, keys(prefix+k+".", m[k])...)
	}
	return list
}

// documented are the keys that the README promises for version 1.
const documented = `version ticks_released ticks_dropped wall_seconds digest digest_tick
characters.spawned characters.ended characters.active characters.sleeping characters.waking
brake.episodes brake.seconds brake.share brake.longest_seconds brake.engage_p99_us brake.lift_p99_us
checks.count checks.interval_p50_us checks.interval_p99_us
release_error_us.p50 release_error_us.p99 release_error_us.max
lag.max lag.laggards_max
scheduler.lag_max scheduler.pending scheduler.stale_notices
inbox.sent inbox.handled inbox.rejected inbox.discarded inbox.pending
queues.requests_high queues.inbox_high queues.notices_merged
routes.legs routes.index_entries routes.dead_entries routes.refinements routes.refine_p99_us
routes.cache_hits routes.cache_misses routes.cache_evictions routes.legs_started
zones.active zones.activations zones.deactivations
wakes stalls memory.rss_bytes memory.per_character_bytes cpu_seconds
parameters.npcs parameters.seed parameters.tick-rate parameters.lag-threshold parameters.ticks
parameters.life parameters.pins parameters.stalls.every`

func TestReport(t *testing.T) {
	dir := t.TempDir()
	report, digests := filepath.Join(dir, "r.json"), filepath.Join(dir, "d.csv")
	o := call(t.Context(), program{}, "-npcs", "50", "-ticks", "150", "-max-speed", "-map", "town:64", "-report", report, "-digests", digests)
	if o.code != exitDone || o.stderr != "" {
		t.Fatalf("got %d: %s", o.code, o.stderr)
	}
	data, err := os.ReadFile(report)
	if err != nil {
		t.Fatal(err)
	}
	var v map[string]any
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	have := keys("", v)
	for _, want := range strings.Fields(documented) {
		if !slices.Contains(have, want) {
			t.Errorf("the report lacks %s", want)
		}
	}
	var r report1
	if err := json.Unmarshal(data, &r); err != nil {
		t.Fatal(err)
	}
	if r.Version != 1 || r.Ticks != 150 || r.DigestTick != 150 || len(r.Digest) != 16 || r.End != "ticks" {
		t.Errorf("got %+v", r)
	}
	if r.Characters.Spawned != 50 || r.Characters.Sleeping+r.Characters.Active != 50 || r.Characters.Waking != 0 {
		t.Errorf("characters %+v", r.Characters)
	}
	if r.Memory.PerCharacter <= 0 || r.Memory.RSS <= 0 {
		t.Errorf("memory %+v", r.Memory)
	}
	if r.Parameters["npcs"] != 50.0 || r.Parameters["max-speed"] != true || r.Parameters["map"] != "town:64" {
		t.Errorf("parameters %v", r.Parameters)
	}
	csv, err := os.ReadFile(digests)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(csv), "\n"), "\n")
	if len(lines) != 4 || lines[0] != "tick,digest" || !strings.HasPrefix(lines[1], "60,") || !strings.HasPrefix(lines[2], "120,") || lines[3] != "150,"+r.Digest {
		t.Errorf("digests %q", lines)
	}
	if want := []string{dir, digests, report}; !slices.Equal(files(t, dir), want) {
		t.Errorf("files %v, want %v", files(t, dir), want)
	}
	for _, want := range []string{"150 ticks in", "50 spawned", "legs started", "wakes", "activations", "deactivations", "stalls", "cache evictions"} {
		if !strings.Contains(o.stdout, want) {
			t.Errorf("the summary lacks %q: %s", want, o.stdout)
		}
	}
}

// report1 is a reader of version 1 as somebody else would write it.
type report1 struct {
	Version    int
	Ticks      uint64 `json:"ticks_released"`
	Digest     string
	DigestTick uint64 `json:"digest_tick"`
	End        string
	Failure    string
	Characters struct{ Spawned, Ended, Active, Sleeping, Waking int64 }
	Memory     struct {
		PerCharacter float64 `json:"per_character_bytes"`
		RSS          int64   `json:"rss_bytes"`
	}
	Brake struct {
		Episodes uint64
		Share    float64
	}
	Stalls     uint64
	Zones      struct{ Active int }
	Parameters map[string]any
}

func decode(t *testing.T, data string) report1 {
	t.Helper()
	var r report1
	if err := json.Unmarshal([]byte(data), &r); err != nil {
		t.Fatalf("%v: %s", err, data)
	}
	return r
}

// With -report - standard output is the report and nothing else.
func TestReportToStdout(t *testing.T) {
	o := inBubble(t, program{}, 0, "-npcs", "20", "-ticks", "60", "-map", "town:64", "-report", "-")
	if r := decode(t, o.stdout); o.code != exitDone || r.DigestTick != 60 {
		t.Errorf("got %d, %+v", o.code, r)
	}
	if !strings.Contains(o.stderr, "60 ticks in") {
		t.Errorf("the summary should be on standard error: %s", o.stderr)
	}
}

// A last tick that is a multiple of 60 is written once.
func TestLastDigestOnce(t *testing.T) {
	digests := filepath.Join(t.TempDir(), "d.csv")
	if o := inBubble(t, program{}, 0, "-npcs", "20", "-ticks", "120", "-map", "town:64", "-digests", digests); o.code != exitDone {
		t.Fatalf("got %+v", o)
	}
	data, err := os.ReadFile(digests)
	if err != nil || strings.Count(string(data), "\n") != 3 || strings.Count(string(data), "120,") != 1 {
		t.Errorf("got %q, %v", data, err)
	}
}

func TestTimeLimit(t *testing.T) {
	o := inBubble(t, program{}, 0, "-npcs", "20", "-for", "3s", "-map", "town:64", "-report", "-")
	r := decode(t, o.stdout)
	if o.code != exitDone || r.End != "time" || r.Ticks < 170 || r.Ticks > 181 || r.DigestTick != r.Ticks {
		t.Errorf("got %d, %+v", o.code, r)
	}
}

func TestWhicheverComesFirst(t *testing.T) {
	o := inBubble(t, program{}, 0, "-npcs", "20", "-for", "3s", "-ticks", "60", "-map", "town:64", "-report", "-")
	if r := decode(t, o.stdout); o.code != exitDone || r.End != "ticks" || r.Ticks != 60 {
		t.Errorf("got %d, %+v", o.code, r)
	}
}

func TestInterruptWhileOpening(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	closed := make(chan struct{})
	defer close(closed)
	report := filepath.Join(t.TempDir(), "r.json")
	o := call(ctx, program{openMap: func(*scenario.Config) (*routes.Map, error) {
		cancel()
		<-closed
		return nil, errors.New("late")
	}}, "-report", report)
	if o.code != exitInterrupt || o.stderr != "chronoscope: interrupted before the run began\n" || o.stdout != "" {
		t.Errorf("got %+v", o)
	}
	if _, err := os.Stat(report); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a report of no run: %v", err)
	}
}

func TestInterrupt(t *testing.T) {
	report, digests := filepath.Join(t.TempDir(), "r.json"), filepath.Join(t.TempDir(), "d.csv")
	o := inBubble(t, program{}, 2*time.Second, "-npcs", "20", "-map", "town:64", "-report", report, "-digests", digests)
	if o.code != exitInterrupt {
		t.Errorf("exit code %d, want 130: %s", o.code, o.stderr)
	}
	data, err := os.ReadFile(report)
	if err != nil {
		t.Fatal(err)
	}
	r := decode(t, string(data))
	if r.End != "interrupt" || r.Ticks < 100 || r.DigestTick != r.Ticks || r.Failure != "" {
		t.Errorf("got %+v", r)
	}
	csv, err := os.ReadFile(digests)
	if last := fmt.Sprintf("\n%d,%s\n", r.DigestTick, r.Digest); err != nil || strings.Count(string(csv), last) != 1 || !strings.HasSuffix(string(csv), last) {
		t.Errorf("digests %q, %v, want %q at their end", csv, err, last)
	}
}

// One character never finishes a tick. With digests the gatherer brakes for it,
// at max speed nothing can be released, at the end of a run it can't come to
// rest: each time the run fails and says who it was.
func TestBrakeLimit(t *testing.T) {
	file := write(t, "stuck.toml", "crowd = 20\n[stalls]\nevery = 1\nfor = '10m'\nin = 'active'\nonly = 7\n")
	for _, x := range []struct{ name, args string }{
		{"digests", "-digests " + filepath.Join(t.TempDir(), "d.csv")},
		{"max speed", "-max-speed"},
		{"time", "-for 2s"},
		{"ticks", "-ticks 100"},
	} {
		t.Run(x.name, func(t *testing.T) {
			args := "-npcs 20 -map town:64 -brake-limit 5s -report - -scenario " + file + " " + x.args
			o := inBubble(t, program{}, 0, strings.Fields(args)...)
			r := decode(t, o.stdout)
			if o.code != exitFailed || r.End != "failure" {
				t.Errorf("got %d, %+v", o.code, r)
			}
			if !strings.Contains(o.stderr, "chronoscope: no progress for 5s at tick") || !strings.Contains(o.stderr, ": character 7 holds it up, at tick ") {
				t.Errorf("got %s", o.stderr)
			}
		})
	}
}

// A sleeper that never settles what it was woken for holds up the scheduler at
// max speed, and the end of any run.
func TestBrakeLimitOfSleeper(t *testing.T) {
	file := write(t, "stuck.toml", "life = 'rush'\n[stalls]\nevery = 1\nfor = '10m'\nin = 'wakes'\nonly = 7\n")
	o := inBubble(t, program{}, 0, strings.Fields("-npcs 20 -map town:64 -brake-limit 5s -max-speed -report - -ticks 5000 -scenario "+file)...)
	if r := decode(t, o.stdout); o.code != exitFailed || r.End != "failure" {
		t.Errorf("got %d, %+v", o.code, r)
	}
	if !strings.Contains(o.stderr, ": character 7, waking, holds it up with what was due at tick 6") {
		t.Errorf("got %s", o.stderr)
	}
}

// A brake that lifts in time fails nothing.
func TestBrake(t *testing.T) {
	file := write(t, "brake.toml", "crowd = 20\n[stalls]\nevery = 60\nfor = '2s'\nin = 'active'\nonly = 7\n")
	o := inBubble(t, program{}, 0, "-npcs", "20", "-map", "town:64", "-scenario", file, "-brake-limit", "3s", "-for", "30s", "-report", "-")
	if r := decode(t, o.stdout); o.code != exitDone || r.Brake.Episodes == 0 || r.Brake.Share == 0 || r.Stalls == 0 {
		t.Errorf("got %d, %+v, %s", o.code, r, o.stderr)
	}
}

// twoIslands is a town whose places can't all reach each other, which OpenMap
// would have refused: somebody sets out for where no way leads, and panics.
func twoIslands(c *scenario.Config) (*routes.Map, error) {
	m := &routes.Map{Name: "islands", Width: 21, Height: 3, Cost: routes.DefaultCosts()}
	for i := range 21 * 3 {
		ground := routes.Field
		if i%21 == 10 {
			ground = routes.Water
		}
		m.Terrain = append(m.Terrain, ground)
	}
	for x := range int32(21) {
		if x != 10 {
			m.Places = append(m.Places, routes.Place{Name: "spot", Kind: routes.Spot, Cell: routes.Cell{X: x, Y: 1}, District: -1})
		}
	}
	return m, nil
}

func TestPanicEndsTheRun(t *testing.T) {
	report := filepath.Join(t.TempDir(), "r.json")
	file := write(t, "s.toml", "life = 'rush'\n")
	o := inBubble(t, program{openMap: twoIslands}, 0, "-npcs", "50", "-scenario", file, "-report", report)
	if o.code != exitFailed {
		t.Errorf("exit code %d, want 1", o.code)
	}
	line, stack, _ := strings.Cut(o.stderr, "\n")
	if !strings.HasPrefix(line, "chronoscope: character ") || !strings.Contains(line, " panicked at tick ") || !strings.Contains(stack, "goroutine ") {
		t.Errorf("got %s", o.stderr)
	}
	data, err := os.ReadFile(report)
	if err != nil {
		t.Fatal(err)
	}
	if r := decode(t, string(data)); r.End != "failure" || "chronoscope: "+r.Failure != line {
		t.Errorf("got %+v", r)
	}
}

// failingWriter stands for a full disk.
type failingWriter struct{}

func (failingWriter) Write([]byte) (int, error) { return 0, fs.ErrClosed }

func TestReportThatCantBeWritten(t *testing.T) {
	var errs bytes.Buffer
	synctest.Test(t, func(t *testing.T) {
		p := program{stdout: failingWriter{}, stderr: &errs}
		code := p.run(t.Context(), strings.Fields("-ai-cost 0 -npcs 5 -ticks 10 -map town:64 -report -"))
		if code != exitFailed || !strings.Contains(errs.String(), "chronoscope: -report -: ") {
			t.Errorf("got %d: %s", code, errs.String())
		}
	})
}

func TestFullDisk(t *testing.T) {
	const full = "/dev/full"
	if _, err := os.Stat(full); err != nil {
		t.Skip("no " + full + " here")
	}
	common := []string{"-npcs", "5", "-ticks", "10", "-map", "town:64"}
	o := inBubble(t, program{}, 0, append(common, "-digests", full)...)
	if o.code != exitRefused || o.stderr != "chronoscope: -digests /dev/full: no space left on device\n" {
		t.Errorf("digests: got %+v", o)
	}
	o = inBubble(t, program{}, 0, append(common, "-report", full)...)
	if o.code != exitFailed || o.stderr != "chronoscope: -report /dev/full: no space left on device\n" {
		t.Errorf("report: got %+v", o)
	}
}

func TestProgressOnlyOnTerminal(t *testing.T) {
	args := strings.Fields("-npcs 5 -ticks 120 -map town:64")
	if o := inBubble(t, program{}, 0, args...); o.stderr != "" {
		t.Errorf("progress without a terminal: %q", o.stderr)
	}
	o := inBubble(t, program{terminal: true}, 0, args...)
	if !strings.Contains(o.stderr, "\rtick ") || !strings.Contains(o.stderr, " of 120 (") || !strings.Contains(o.stderr, "left") {
		t.Errorf("no progress line: %q", o.stderr)
	}
	if !strings.HasSuffix(o.stderr, "\r") {
		t.Errorf("the line is left standing: %q", o.stderr)
	}
}
