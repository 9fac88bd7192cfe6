package mapfile_test

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chronoscope/routes"
	"chronoscope/routes/mapfile"
)

func TestReadScen(t *testing.T) {
	trips, err := mapfile.ReadScen("testdata/garden.map.scen")
	if err != nil {
		t.Fatal(err)
	}
	if len(trips) != 4 {
		t.Fatalf("%d trips, want 4", len(trips))
	}
	want := mapfile.Trip{
		Line: 4, Bucket: 1, Map: "maps/here/garden.map", Width: 8, Height: 7,
		From: routes.Cell{X: 1, Y: 1}, To: routes.Cell{X: 3, Y: 5},
		Length: 5.41421, Printed: "5.41421", Decimals: 5,
	}
	if trips[2] != want {
		t.Errorf("got %+v, want %+v", trips[2], want)
	}
	if b := trips[2].Base(); b != "garden.map" {
		t.Errorf("base name %q", b)
	}
}

// scen writes a list and reads it.
func scen(t *testing.T, text string) ([]mapfile.Trip, string, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.scen")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	trips, err := mapfile.ReadScen(path)
	return trips, path, err
}

func TestScenSeparators(t *testing.T) {
	for name, c := range map[string]struct{ text, wantMap string }{
		"tabs":                   {"version 1\n0\ta/b.map\t9\t8\t1\t2\t3\t4\t2.5\n", "a/b.map"},
		"spaces, version 1.0":    {"version 1.0\r\n0 a/b.map 9 8 1 2 3 4 2.5\r\n", "a/b.map"},
		"no version, blank line": {"0 b.map 9 8 1 2 3 4 2.5\n\n", "b.map"},
		"spaces in the path":     {"0\tmy maps/b c.map\t9\t8\t1\t2\t3\t4\t2.5", "my maps/b c.map"},
	} {
		t.Run(name, func(t *testing.T) {
			trips, _, err := scen(t, c.text)
			if err != nil {
				t.Fatal(err)
			}
			g := trips[0]
			if g.Map != c.wantMap || g.Width != 9 || g.Height != 8 || g.From != (routes.Cell{X: 1, Y: 2}) || g.To != (routes.Cell{X: 3, Y: 4}) || g.Printed != "2.5" {
				t.Errorf("got %+v", g)
			}
		})
	}
}

func TestScenRefuses(t *testing.T) {
	const row = "0 b.map 9 8 1 2 3 4 2.5\n"
	for name, c := range map[string]struct {
		text, want string
		is         error
	}{
		"empty":             {"", "is empty", nil},
		"version only":      {"version 1\n", "has no trips", nil},
		"version 2":         {"version 2\n" + row, "line 1: version \"2\" of the list is not supported", mapfile.ErrUnsupported},
		"version later":     {row + "version 1\n", "line 2: row has 2 fields, must have 9", nil},
		"eight fields":      {"version 1\n0 9 8 1 2 3 4 2.5\n", "line 2: row has 8 fields", nil},
		"bucket":            {"x b.map 9 8 1 2 3 4 2.5\n", "line 1: bucket \"x\": must be a whole number from 0", nil},
		"width":             {"0 b.map 0 8 1 2 3 4 2.5\n", "line 1: width \"0\": must be a whole number from 1", nil},
		"height":            {"0 b.map 9 -8 1 2 3 4 2.5\n", "line 1: height \"-8\"", nil},
		"off the map":       {row + "0 b.map 9 8 9 2 3 4 2.5\n", "line 2: from x \"9\": must be a whole number from 0 to 8", nil},
		"below the map":     {row + "0 b.map 9 8 1 2 3 8 2.5\n", "line 2: to y \"8\": must be a whole number from 0 to 7", nil},
		"fraction":          {"0 b.map 9 8 1 2.0 3 4 2.5\n", "line 1: from y \"2.0\"", nil},
		"negative length":   {"0 b.map 9 8 1 2 3 4 -2.5\n", "line 1: length \"-2.5\": must be a decimal number from 0", nil},
		"length of NaN":     {"0 b.map 9 8 1 2 3 4 NaN\n", "length \"NaN\"", nil},
		"length in hex":     {"0 b.map 9 8 1 2 3 4 0x1p4\n", "length \"0x1p4\"", nil},
		"length with point": {"0 b.map 9 8 1 2 3 4 2.\n", "length \"2.\"", nil},
		"endless row":       {strings.Repeat("0 ", 9000), "line 1: line is longer than 8192", nil},
	} {
		t.Run(name, func(t *testing.T) {
			trips, path, err := scen(t, c.text)
			checkError(t, err, "mapfile: "+path+": ", c.want, c.is)
			if trips != nil {
				t.Error("trips in spite of the error")
			}
		})
	}
	_, err := mapfile.ReadScen(t.TempDir())
	if err == nil || !strings.Contains(err.Error(), "is a directory") {
		t.Errorf("a directory: %v", err)
	}
}

func TestPrecision(t *testing.T) {
	for name, c := range map[string]struct {
		printed []string
		want    []int
	}{
		"eight decimals":         {[]string{"2.41421356", "110.00000000", "1.00000000"}, []int{8, 8, 8}},
		"two decimals":           {[]string{"2.41", "110.00", "1532.20"}, []int{2, 2, 2}},
		"six significant digits": {[]string{"3.41421", "7", "12.5", "371.789", "1123.42", "0"}, []int{5, 5, 4, 3, 2, 5}},
		"whole numbers":          {[]string{"3", "17"}, []int{0, 0}},
		"at most two decimals":   {[]string{"3.41", "7.5", "110.25"}, []int{2, 2, 2}},
	} {
		t.Run(name, func(t *testing.T) {
			var text strings.Builder
			for _, p := range c.printed {
				fmt.Fprintf(&text, "0 b.map 9 8 1 2 3 4 %s\n", p)
			}
			trips, _, err := scen(t, text.String())
			if err != nil {
				t.Fatal(err)
			}
			for i, trip := range trips {
				if trip.Decimals != c.want[i] {
					t.Errorf("%s stands for %d decimals, want %d", trip.Printed, trip.Decimals, c.want[i])
				}
				if got := trip.Tolerance(); math.Abs(got-0.5*math.Pow10(-c.want[i])) > 1e-15 {
					t.Errorf("tolerance of %s is %g", trip.Printed, got)
				}
			}
		})
	}
}

func TestAgrees(t *testing.T) {
	for _, c := range []struct {
		printed            string
		length             float64
		decimals           int
		straight, diagonal int
		want               bool
	}{
		{"3.41421", 3.41421, 5, 2, 1, true},
		{"3.41422", 3.41422, 5, 2, 1, false},
		{"3.41", 3.41, 2, 2, 1, true},
		{"3.42", 3.42, 2, 2, 1, false},
		{"160.53", 160.53, 2, 120, 28, false},
		{"7", 7, 5, 7, 0, true},
		{"7", 7, 5, 6, 1, false},
		// A thousand diagonals tell how the writer had rounded sqrt(2).
		{"1414.21356200", 1414.21356200, 8, 0, 1000, true},
		{"1414.21356237", 1414.21356237, 8, 0, 1000, true},
		{"1414.21356100", 1414.21356100, 8, 0, 1000, false},
		{"1414.21353817", 1414.21353817, 8, 0, 1000, false},
		{"1414.21356", 1414.21356, 5, 0, 1000, true},
		{"282.764", 282.764, 3, 147, 96, true},
		{"282.765", 282.765, 3, 147, 96, true},
		{"282.766", 282.766, 3, 147, 96, false},
	} {
		trip := mapfile.Trip{Printed: c.printed, Length: c.length, Decimals: c.decimals}
		if got := trip.Agrees(c.straight, c.diagonal); got != c.want {
			t.Errorf("%s for %d straight and %d diagonal steps: %v, want %v", c.printed, c.straight, c.diagonal, got, c.want)
		}
	}
}

func TestFindMap(t *testing.T) {
	for _, c := range []struct{ scen, want string }{
		{"testdata/garden.map.scen", "testdata/garden.map"},
		{"testdata/spaces.scen", "testdata/garden.map"}, // a Windows path
		{"testdata/rooms.map.scen", "testdata/rooms.map"},
	} {
		trips, err := mapfile.ReadScen(c.scen)
		if err != nil {
			t.Fatal(err)
		}
		got, err := mapfile.FindMap(c.scen, trips)
		if err != nil || got != filepath.FromSlash(c.want) {
			t.Errorf("%s is for %q, %v; want %s", c.scen, got, err, c.want)
		}
	}
	trips, path, err := scen(t, "0 b.map 9 8 1 2 3 4 2.5\n0 c.map 9 8 1 2 3 4 2.5\n")
	if err != nil {
		t.Fatal(err)
	}
	_, err = mapfile.FindMap(path, trips)
	checkError(t, err, "mapfile: "+path, "line 2: row is for map \"c.map\", rows before for \"b.map\"", nil)
	_, err = mapfile.FindMap(path, trips[:1])
	checkError(t, err, "mapfile: "+path, "line 1: map \"b.map\" is not in the list's folder", os.ErrNotExist)
	_, err = mapfile.FindMap(path, nil)
	checkError(t, err, "mapfile: "+path, "has no trips", nil)

	// A list that is named after its map finds it whatever its rows say.
	own := filepath.Join(t.TempDir(), "mine.map")
	if err := os.WriteFile(own, []byte("type octile\nheight 1\nwidth 1\nmap\n.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := mapfile.FindMap(own+".scen", trips[:1]); err != nil || got != own {
		t.Errorf("found %q, %v", got, err)
	}
}

func TestCheckSize(t *testing.T) {
	m, _, err := mapfile.Open("testdata/garden.map")
	if err != nil {
		t.Fatal(err)
	}
	trips, err := mapfile.ReadScen("testdata/garden.map.scen")
	if err != nil {
		t.Fatal(err)
	}
	if err := mapfile.CheckSize("x.scen", trips, m); err != nil {
		t.Error(err)
	}
	trips[1].Width = 512
	err = mapfile.CheckSize("x.scen", trips, m)
	checkError(t, err, "mapfile: x.scen: ", "line 3: row is for a map of 512 x 7 cells, garden has 8 x 7: scaling is not supported", mapfile.ErrUnsupported)
}

func TestJudge(t *testing.T) {
	for file, want := range map[string][]mapfile.Verdict{
		"garden.map.scen": {mapfile.Match, mapfile.Match, mapfile.Match, mapfile.Blocked},
		"spaces.scen":     {mapfile.Match, mapfile.Match},
		"rooms.map.scen":  {mapfile.None, mapfile.Match, mapfile.Shorter, mapfile.NoWay, mapfile.Longer},
	} {
		path := filepath.Join("testdata", file)
		trips, err := mapfile.ReadScen(path)
		if err != nil {
			t.Fatal(err)
		}
		grid, err := mapfile.FindMap(path, trips)
		if err != nil {
			t.Fatal(err)
		}
		m, _, err := mapfile.Open(grid)
		if err != nil {
			t.Fatal(err)
		}
		m.Cost = routes.UniformCosts()
		s := routes.NewSearcher(m)
		for i := range trips {
			got, p := trips[i].Judge(s)
			if got != want[i] {
				t.Errorf("%s, line %d: %v, want %v", file, trips[i].Line, got, want[i])
			}
			if none := got == mapfile.None || got == mapfile.Blocked || got == mapfile.NoWay; (p == nil) != none {
				t.Errorf("%s, line %d: %v with path %v", file, trips[i].Line, got, p)
			}
		}
	}
	if s := mapfile.Verdict(99).String(); s != "unknown" {
		t.Errorf("verdict 99 is %q", s)
	}
}

func FuzzScen(f *testing.F) {
	for _, name := range []string{"garden.map.scen", "spaces.scen", "rooms.map.scen"} {
		data, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(t.TempDir(), "fuzz.scen")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		trips, err := mapfile.ReadScen(path)
		if err != nil {
			var e *mapfile.Error
			if !errors.As(err, &e) || strings.ContainsAny(err.Error(), "\n\r") {
				t.Fatalf("error %q", err)
			}
			return
		}
		if len(trips) == 0 {
			t.Fatal("neither trips nor an error")
		}
		for _, r := range trips {
			on := &routes.Map{Width: r.Width, Height: r.Height}
			if !on.In(r.From) || !on.In(r.To) || r.Tolerance() <= 0 || r.Length < 0 || r.Map == "" {
				t.Fatalf("trip %+v", r)
			}
		}
	})
}

func ExampleOpen() {
	m, info, err := mapfile.Open("testdata/garden.map")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s: %s, %d x %d, %d of %d cells walkable\n", m.Name, info.Format, info.Width, info.Height, info.Walkable, len(m.Terrain))
	_, _, err = mapfile.Open("testdata/meadow.map")
	fmt.Println(err)
	// Output:
	// garden: Moving AI, type octile, 8 x 7, 24 of 56 cells walkable
	// mapfile: testdata/meadow.map: no such file or directory
}
