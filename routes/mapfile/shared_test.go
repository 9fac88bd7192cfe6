package mapfile_test

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chronoscope/routes"
	"chronoscope/routes/mapfile"
)

// sharedData is a collection of third-party maps beside the module; tests over
// it are skipped where it is absent.
func sharedData(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		if dir == filepath.Dir(dir) {
			t.Fatal("no go.mod above the package")
		}
		dir = filepath.Dir(dir)
	}
	dir = filepath.Join(filepath.Dir(dir), "shared", "data")
	if _, err := os.Stat(filepath.Join(dir, "movingai")); err != nil {
		t.Skip("no third-party maps beside the module")
	}
	return dir
}

// tally counts the verdicts of a list.
type tally [mapfile.NoWay + 1]int

// verified reads how many rows of each list are known to match, to have no way,
// to be blocked and to be listed too short.
func verified(t *testing.T, dir string) map[string]tally {
	f, err := os.Open(filepath.Join(dir, "VERIFIED-scen.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lists := map[string]tally{}
	for in := bufio.NewScanner(f); in.Scan(); {
		var name string
		var rows int
		var v tally
		if n, _ := fmt.Sscan(in.Text(), &name, &rows, &v[mapfile.Match], &v[mapfile.None], &v[mapfile.Blocked], &v[mapfile.Shorter]); n == 6 {
			lists[name] = v
		}
	}
	if len(lists) != 30 {
		t.Fatalf("%d verified lists, want 30", len(lists))
	}
	return lists
}

// TestPublishedLists walks the published trips. arena2 and Berlin are taken
// whole, as are all lists on small maps and the one with trips that have no way;
// of the others every so manieth row, unless CHRONOSCOPE_ALL_ROWS is set. With the
// race detector all lists are sampled.
func TestPublishedLists(t *testing.T) {
	dir := sharedData(t)
	for name, want := range verified(t, dir) {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(dir, name)
			trips, err := mapfile.ReadScen(path)
			if err != nil {
				t.Fatal(err)
			}
			grid, err := mapfile.FindMap(path, trips)
			if err != nil {
				t.Fatal(err)
			}
			m, info, err := mapfile.Open(grid)
			if err != nil {
				t.Fatal(err)
			}
			if err := mapfile.CheckSize(path, trips, m); err != nil {
				t.Fatal(err)
			}
			whole := strings.Contains(name, "arena2") || strings.Contains(name, "Berlin") || strings.Contains(name, "brc000d") ||
				info.Walkable < 6000 || os.Getenv("CHRONOSCOPE_ALL_ROWS") != ""
			step := 1
			if !whole || testing.Short() || raceEnabled {
				step = 1 + len(trips)/24
			}
			if raceEnabled {
				step *= 8
			}
			m.Cost = routes.UniformCosts()
			s := routes.NewSearcher(m)
			var got tally
			for i := 0; i < len(trips); i += step {
				trip := &trips[i]
				v, p := trip.Judge(s)
				got[v]++
				if v == mapfile.Longer || v == mapfile.NoWay || v == mapfile.Shorter && want[v] == 0 {
					t.Errorf("line %d: %v: listed %s, found %v", trip.Line, v, trip.Printed, p)
				}
			}
			rows := got[mapfile.Match] + got[mapfile.None] + got[mapfile.Blocked] + got[mapfile.Shorter]
			if known := want[mapfile.Match] + want[mapfile.None] + want[mapfile.Blocked] + want[mapfile.Shorter]; rows == known && got != want {
				t.Errorf("verdicts %v, want %v", got, want)
			}
			if got[mapfile.Match] == 0 && want[mapfile.None] == 0 {
				t.Error("no row matches")
			}
			t.Logf("%d of %d rows: %v", rows, len(trips), got)
		})
	}
}

// Some lists are known to name pairs that can't reach each other.
func TestTripsWithoutWay(t *testing.T) {
	dir := sharedData(t)
	path := filepath.Join(dir, "movingai/dao/brc000d.map.scen")
	trips, err := mapfile.ReadScen(path)
	if err != nil {
		t.Fatal(err)
	}
	m, info, err := mapfile.Open(strings.TrimSuffix(path, ".scen"))
	if err != nil {
		t.Fatal(err)
	}
	if info.Components < 2 {
		t.Errorf("%d connected parts, want several", info.Components)
	}
	s := routes.NewSearcher(m)
	none := 0
	for i := range trips {
		if trips[i].Length != 0 || trips[i].From == trips[i].To {
			continue
		}
		if v, _ := trips[i].Judge(s); v != mapfile.None {
			t.Errorf("line %d: %v, want none", trips[i].Line, v)
		}
		none++
	}
	if none != 10 {
		t.Errorf("%d trips of length 0, want 10", none)
	}
}

// Every map of the collection is read or refused with a reason.
func TestCollection(t *testing.T) {
	dir := sharedData(t)
	refused := map[string]string{
		"adrenaline-octile-corner.map": "line 1: maps of type \"octile-corner\" are not supported",
		"snakebird_1.map":              "is not \"type octile\"",
	}
	files, err := filepath.Glob(filepath.Join(dir, "movingai/*/*.map"))
	if err != nil || len(files) == 0 {
		t.Fatal("no maps", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			m, info, err := mapfile.Open(file)
			if want, ok := refused[filepath.Base(file)]; ok {
				checkError(t, err, "mapfile: "+file, want, mapfile.ErrUnsupported)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if err := m.Validate(); err != nil {
				t.Error(err)
			}
			stat, err := os.Stat(file)
			if err != nil {
				t.Fatal(err)
			}
			if info.Bytes != stat.Size() {
				t.Errorf("%d bytes, the file has %d", info.Bytes, stat.Size())
			}
		})
	}
	others, err := filepath.Glob(filepath.Join(dir, "other/*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range others {
		if _, _, err := mapfile.Open(file); !errors.Is(err, mapfile.ErrUnsupported) {
			t.Errorf("%s: %v", file, err)
		}
	}
}
