package routes_test

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"chronoscope/routes"
)

// sharedData is the folder of third-party maps beside the module; tests that
// read it are skipped where it is absent.
func sharedData(t testing.TB) string {
	t.Helper()
	dir, err := filepath.Abs("../../shared/data")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir); err != nil {
		t.Skip("no third-party maps beside the module")
	}
	return dir
}

// readGrid reads the small part of the Moving AI map format that search tests
// need, with the benchmark's costs.
func readGrid(t testing.TB, path string) *routes.Map {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.ReplaceAll(string(data), "\r", ""), "\n")
	m := &routes.Map{Cost: routes.UniformCosts()}
	fmt.Sscanf(lines[1], "height %d", &m.Height)
	fmt.Sscanf(lines[2], "width %d", &m.Width)
	for _, row := range lines[4 : 4+m.Height] {
		for _, c := range row {
			kind := routes.Wall
			switch c {
			case '.', 'G':
				kind = routes.Field
			case 'S':
				kind = routes.Swamp
			}
			m.Terrain = append(m.Terrain, kind)
		}
	}
	if err := m.Validate(); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return m
}

// trip is a row of a list of trips.
type trip struct {
	from, to  routes.Cell
	length    float64
	tolerance float64 // half a unit of the last printed digit
	root      float64 // what the list was computed with for sqrt(2)
}

func readTrips(t testing.TB, path string) (trips []trip) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	var rows [][]string
	decimals, digits := 0, 0
	for lines.Scan() {
		row := strings.Fields(lines.Text())
		if len(row) < 9 {
			continue
		}
		row = row[len(row)-5:]
		rows = append(rows, row)
		if _, fraction, ok := strings.Cut(row[4], "."); ok {
			decimals = max(decimals, len(fraction))
			digits = max(digits, len(row[4])-1)
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		var n [4]int
		for i := range n {
			if n[i], err = strconv.Atoi(row[i]); err != nil {
				t.Fatal(err)
			}
		}
		length, err := strconv.ParseFloat(row[4], 64)
		if err != nil {
			t.Fatal(err)
		}
		// Files print 8 or 2 decimals, or 6 significant digits with trailing
		// zeros left out.
		// Their authors' sqrt(2) shows in the last digit of some rows: it was
		// rounded to 9 decimals in the first kind, a float32 in the third. Each is
		// the only value that fits all rows of its kind.
		last, root := decimals, math.Sqrt2
		switch {
		case decimals == 8:
			root = 1.414213562
		case digits == 6 && decimals <= 5:
			last = 5 - int(math.Floor(math.Log10(max(length, 1))))
			root = float64(float32(math.Sqrt2))
		}
		trips = append(trips, trip{
			from: routes.Cell{X: int32(n[0]), Y: int32(n[1])}, to: routes.Cell{X: int32(n[2]), Y: int32(n[3])},
			length: length, tolerance: 0.5000001 * math.Pow10(-last), root: root,
		})
	}
	return trips
}

// verdicts counts what became of the rows of a list.
type verdicts struct{ rows, match, none, blocked, shorter, wrong int }

// TestPublishedLengths checks found lengths against those published with the
// Moving AI maps, to their printed precision. It takes a sample of the rows;
// ROUTES_ALL_ROWS=1 takes all.
func TestPublishedLengths(t *testing.T) {
	dir := sharedData(t)
	expected := make(map[string]verdicts)
	table, err := os.ReadFile(filepath.Join(dir, "VERIFIED-scen.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(string(table), "\n") {
		var name string
		var v verdicts
		if n, _ := fmt.Sscan(line, &name, &v.rows, &v.match, &v.none, &v.blocked, &v.shorter); n == 6 {
			expected[name] = v
		}
	}
	if len(expected) == 0 {
		t.Fatal("no lists in VERIFIED-scen.tsv")
	}
	all := os.Getenv("ROUTES_ALL_ROWS") != ""
	var total verdicts
	for name, want := range expected {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(dir, name)
			grid := strings.TrimSuffix(file, ".scen")
			if !strings.HasSuffix(grid, ".map") { // a MAPF list: one of several for the map
				grid = grid[:strings.LastIndexByte(grid, '-')]
				grid = grid[:strings.LastIndexByte(grid, '-')] + ".map"
			}
			m := readGrid(t, grid)
			s := routes.NewSearcher(m)
			trips := readTrips(t, file)
			step := 1
			if !all {
				step = 1 + len(trips)/12
			}
			var got verdicts
			for i := 0; i < len(trips); i += step {
				row := trips[i]
				got.rows++
				p, err := s.Find(row.from, row.to)
				length := 0.0
				if err == nil {
					length = float64(p.Straight) + float64(p.Diagonal)*row.root
				}
				switch {
				case err != nil && !m.Walkable(row.from), err != nil && !m.Walkable(row.to):
					got.blocked++
				case err != nil && row.length == 0:
					got.none++
				case err != nil:
					got.wrong++
					t.Errorf("row %d: %v", i, err)
				case math.Abs(length-row.length) <= row.tolerance:
					got.match++
				case row.length < length && want.shorter > 0:
					got.shorter++
				default:
					got.wrong++
					t.Errorf("row %d: %v to %v is %.8f long, published %v +- %g", i, row.from, row.to, length, row.length, row.tolerance)
				}
			}
			// The table's own check took a sample of the longest lists.
			if got.rows == want.rows && got != want {
				t.Errorf("got %+v, want %+v", got, want)
			}
			total.rows += got.rows
			total.match += got.match
			total.none += got.none
			total.blocked += got.blocked
			total.shorter += got.shorter
			total.wrong += got.wrong
		})
	}
	t.Logf("%d lists: %+v", len(expected), total)
}
