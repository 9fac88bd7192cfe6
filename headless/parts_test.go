package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"chronoscope/loop"
	"chronoscope/world"
)

func TestMoment(t *testing.T) {
	for _, x := range []struct {
		name string
		m    moment
		want string
	}{
		{"no end", moment{tick: 60, elapsed: time.Second, active: 3}, "tick 60, 60.0 a second, 3 active"},
		{"last tick", moment{tick: 900, last: 3600, elapsed: 15 * time.Second}, "tick 900 of 3600 (25 %), 60.0 a second, 0 active, about 45s left"},
		{"nothing yet", moment{last: 3600}, "tick 0 of 3600 (0 %), 0.0 a second, 0 active"},
		{"time limit", moment{tick: 60, elapsed: time.Second, limit: 10 * time.Second}, "tick 60, 60.0 a second, 0 active, about 9s left"},
		{"the limit is first", moment{tick: 60, last: 3600, elapsed: time.Second, limit: 10 * time.Second}, "tick 60 of 3600 (1 %), 60.0 a second, 0 active, about 9s left"},
		{"the last tick is first", moment{tick: 60, last: 120, elapsed: time.Second, limit: 10 * time.Second}, "tick 60 of 120 (50 %), 60.0 a second, 0 active, about 1s left"},
		{"braked", moment{tick: 60, elapsed: time.Second, laggards: 2}, "tick 60, 60.0 a second, 0 active, braked by 2"},
		{"over", moment{tick: 60, elapsed: 2 * time.Second, limit: time.Second}, "tick 60, 30.0 a second, 0 active, about 0s left"},
	} {
		t.Run(x.name, func(t *testing.T) {
			if got := x.m.String(); got != x.want {
				t.Errorf("got  %s\nwant %s", got, x.want)
			}
		})
	}
}

func TestProgressLine(t *testing.T) {
	var b bytes.Buffer
	p := progress{w: &b}
	p.replace("a long line")
	p.replace("short")
	p.clear()
	if want := "\ra long line" + "\rshort      " + "\r     \r"; b.String() != want {
		t.Errorf("got  %q\nwant %q", b.String(), want)
	}
	silent := progress{}
	silent.show(moment{})
	silent.clear()
}

func TestStandstill(t *testing.T) {
	start := time.Unix(0, 0)
	at := func(s int) time.Time { return start.Add(time.Duration(s) * time.Second) }
	s := standstill{limit: 10 * time.Second}
	for i, x := range []struct {
		second   int
		p        pulse
		mustMove bool
		want     bool
	}{
		{0, pulse{tick: 1}, true, false},
		{9, pulse{tick: 1}, true, false},
		{10, pulse{tick: 1}, true, true},
		{11, pulse{tick: 1, completed: 1}, true, false}, // a laggard got on
		{20, pulse{tick: 1, completed: 1}, true, false},
		{21, pulse{tick: 1, completed: 1}, false, false}, // nobody holds it
		{30, pulse{tick: 1, completed: 1}, true, false},
		{31, pulse{tick: 1, completed: 1}, true, true},
	} {
		if got := s.look(at(x.second), x.p, x.mustMove); got != x.want {
			t.Errorf("look %d: got %v", i, got)
		}
	}
}

func TestMemoryReport(t *testing.T) {
	with := footprint{heap: 9_000, stacks: 30_000, headroom: 500, paths: 1_000}
	without := footprint{heap: 2_000, stacks: 10_000}
	m := memoryReport(with, without, 10, 77)
	if m.PerCharacter.StackBytes != 2000 || m.PerCharacter.HeapBytes != 600 || m.PerCharacterBytes != 2600 {
		t.Errorf("got %+v", m)
	}
	if m.SharedPathBytes != 1000 || m.HeadroomBytes != 500 || m.RSSBytes != 77 || m.CharactersMeasured != 10 {
		t.Errorf("got %+v", m)
	}
	if m.PerCharacterBytes != float64(m.PopulatedBytes-m.EmptyWorldBytes-m.SharedPathBytes)/10 {
		t.Errorf("the composition doesn't add up: %+v", m)
	}
	if none := memoryReport(with, without, 0, 77); none.PerCharacterBytes != 0 {
		t.Errorf("nobody costs %+v", none)
	}
}

func TestImbalance(t *testing.T) {
	good := report{
		Characters: characters{Spawned: 10, Ended: 2, Active: 3, Sleeping: 5},
		Inbox:      inbox{Sent: 10, Handled: 4, Rejected: 3, Discarded: 2, Pending: 1},
	}
	if got := good.imbalance(); got != "" {
		t.Error(got)
	}
	for want, spoil := range map[string]func(*report){
		"population ledger is wrong: spawned": func(r *report) { r.Characters.Sleeping++ },
		"somebody is waking":                  func(r *report) { r.Characters.Sleeping--; r.Characters.Waking++ },
		"inbox ledger":                        func(r *report) { r.Inbox.Pending = 0 },
		"coverage ledger":                     func(r *report) { r.Coverage.Wrong = 1 },
	} {
		bad := good
		spoil(&bad)
		if got := bad.imbalance(); !strings.Contains(got, want) {
			t.Errorf("got %q, want %s", got, want)
		}
	}
}

func TestDigestWriter(t *testing.T) {
	var b bytes.Buffer
	d := digestWriter{w: &b}
	if err := d.begin(); err != nil {
		t.Fatal(err)
	}
	d.take(world.Digest{Tick: 60, Sum: 0xabc})
	d.take(world.Digest{Tick: 61, Sum: 1<<64 - 1})
	if want := "tick,digest\n60,0000000000000abc\n61,ffffffffffffffff\n"; b.String() != want {
		t.Errorf("got %q", b.String())
	}
	broken := digestWriter{w: failingWriter{}}
	broken.take(world.Digest{Tick: 60})
	broken.take(world.Digest{Tick: 120})
	if broken.failed() == nil {
		t.Error("a failed write went unnoticed")
	}
}

func TestWholeFile(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "r.json")
	if err := os.WriteFile(name, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	f, err := openWhole(name)
	if err != nil {
		t.Fatal(err)
	}
	if got := files(t, dir); len(got) != 2 {
		t.Errorf("files before anything is written: %v", got)
	}
	if err := f.begin(); err != nil {
		t.Fatal(err)
	}
	f.file.WriteString("new")
	if data, _ := os.ReadFile(name); string(data) != "old" {
		t.Errorf("half of a file under its name: %q", data)
	}
	if err := f.finish(); err != nil {
		t.Fatal(err)
	}
	if data, _ := os.ReadFile(name); string(data) != "new" {
		t.Errorf("got %q", data)
	}
	if f, err = openWhole(name); err != nil {
		t.Fatal(err)
	}
	f.abandon()
	if err := f.begin(); err != nil {
		t.Fatal(err)
	}
	f.abandon()
	if got := files(t, dir); len(got) != 2 {
		t.Errorf("files %v", got)
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink(name, link); err == nil { // not everybody may on Windows
		if f, err = openWhole(link); err != nil {
			t.Fatal(err)
		}
		if err := f.begin(); err != nil {
			t.Fatal(err)
		}
		f.file.WriteString("newer")
		if err := f.finish(); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
			t.Errorf("the link became %v, %v", info, err)
		}
		if data, _ := os.ReadFile(name); string(data) != "newer" {
			t.Errorf("got %q", data)
		}
	}
	// A device is written in place and stays one.
	if f, err = openWhole(os.DevNull); err != nil {
		t.Fatal(err)
	}
	if err := f.finish(); err != nil {
		t.Error(err)
	}
	if info, err := os.Stat(os.DevNull); err != nil || info.Mode().IsRegular() {
		t.Errorf("the null device became %v, %v", info, err)
	}
}

func TestGrowingFile(t *testing.T) {
	name := write(t, "d.csv", "old and long")
	f, err := openGrowing(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.begin(); err != nil {
		t.Fatal(err)
	}
	f.file.WriteString("new")
	if data, _ := os.ReadFile(name); string(data) != "new" {
		t.Errorf("got %q before the end", data)
	}
	if err := f.finish(); err != nil {
		t.Fatal(err)
	}
	if f, err = openGrowing(name); err != nil {
		t.Fatal(err)
	}
	f.abandon()
	if _, err := os.Stat(name); err != nil {
		t.Errorf("somebody else's file was removed: %v", err)
	}
	if f, err = openGrowing(name + "2"); err != nil {
		t.Fatal(err)
	}
	f.abandon()
	if _, err := os.Stat(name + "2"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a new file was left: %v", err)
	}
}

func TestSystem(t *testing.T) {
	if residentBytes() <= 0 {
		t.Error("nothing is resident")
	}
	before, sum := loop.CPUTime(), uint64(0)
	for i := range loop.Tick(20_000_000) {
		sum = sum*31 + uint64(i)
	}
	if used := loop.CPUTime() - before; used <= 0 {
		t.Errorf("work (%d) took %v of processor time", sum, used)
	}
	f, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if isTerminal(f) {
		t.Error("the null device is no terminal")
	}
}
