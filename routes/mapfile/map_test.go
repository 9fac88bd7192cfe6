package mapfile_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"chronoscope/routes"
	"chronoscope/routes/mapfile"
)

// drawn is a map as text, a letter for each kind of ground.
func drawn(m *routes.Map) string {
	letters := map[routes.Terrain]byte{
		routes.Void: ' ', routes.Field: '.', routes.Swamp: 's', routes.Wall: '#', routes.Tree: 't', routes.Water: 'w',
	}
	var s strings.Builder
	for y := range m.Height {
		for x := range m.Width {
			s.WriteByte(letters[m.At(routes.Cell{X: x, Y: y})])
		}
		s.WriteByte('\n')
	}
	return s.String()
}

func TestOpen(t *testing.T) {
	m, info, err := mapfile.Open("testdata/garden.map")
	if err != nil {
		t.Fatal(err)
	}
	want := "########\n#...ss.#\n#.tt.w.#\n#.##.w.#\n#......#\n#......#\n########\n"
	if got := drawn(m); got != want {
		t.Errorf("map is\n%swant\n%s", got, want)
	}
	if m.Name != "garden" || m.Cost != routes.DefaultCosts() || len(m.Places) != 0 {
		t.Errorf("map %q, %d places, cost %v", m.Name, len(m.Places), m.Cost)
	}
	if m.Cost[routes.Swamp] <= m.Cost[routes.Field] {
		t.Error("swamp is not slower than a field")
	}
	stat, err := os.Stat("testdata/garden.map")
	if err != nil {
		t.Fatal(err)
	}
	wantInfo := mapfile.Info{
		Format: "Moving AI, type octile", Bytes: stat.Size(), Width: 8, Height: 7,
		Walkable: 24, Components: 1, Largest: 24, Hash: m.Hash(),
		Characters: []mapfile.Count{{'.', 21}, {'@', 26}, {'G', 1}, {'O', 2}, {'S', 2}, {'T', 2}, {'W', 2}},
	}
	if got := fmt.Sprint(info); got != fmt.Sprint(wantInfo) {
		t.Errorf("info %s, want %v", got, wantInfo)
	}
}

func TestLineEnds(t *testing.T) {
	lf, a, err := mapfile.Open("testdata/garden.map")
	if err != nil {
		t.Fatal(err)
	}
	crlf, b, err := mapfile.Open("testdata/garden-crlf.map")
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(lf.Terrain, crlf.Terrain) || a.Hash != b.Hash {
		t.Error("the same map with LF and CRLF reads as two maps")
	}
	if b.Bytes != a.Bytes+10-1 { // ten lines gain a byte, the last loses its end
		t.Errorf("sizes %d and %d", a.Bytes, b.Bytes)
	}
}

func TestVoidFarFromGround(t *testing.T) {
	m, info, err := mapfile.Open("testdata/rooms.map")
	if err != nil {
		t.Fatal(err)
	}
	want := "         \n #######\x20\n #..#..#\x20\n #..#..#\x20\n #######\x20\n         \n         \n"
	if got := drawn(m); got != want {
		t.Errorf("map is\n%swant\n%s", got, want)
	}
	if info.Components != 2 || info.Largest != 4 || info.Walkable != 8 {
		t.Errorf("info %+v: want two parts of four cells", info)
	}
}

func TestReadTolerates(t *testing.T) {
	for name, text := range map[string]string{
		"width first":       "type octile\nwidth 2\nheight 1\nmap\n..\n",
		"blank lines after": "type octile\nheight 1\nwidth 2\nmap\n..\n\n \r\n\n",
		"byte order mark":   "\xef\xbb\xbftype octile\nheight 1\nwidth 2\nmap\n..",
		"tabs and spaces":   "type\toctile \nheight  1\nwidth\t2 \nmap \n..\n",
	} {
		t.Run(name, func(t *testing.T) {
			m, _, err := mapfile.Limit{}.Read(strings.NewReader(text), "x.map")
			if err != nil {
				t.Fatal(err)
			}
			if m.Width != 2 || m.Height != 1 {
				t.Errorf("%d x %d, want 2 x 1", m.Width, m.Height)
			}
		})
	}
}

func TestReadRefuses(t *testing.T) {
	const head = "type octile\nheight 2\nwidth 3\nmap\n"
	for name, c := range map[string]struct {
		text, want string
		is         error
	}{
		"empty":             {"", "is empty", nil},
		"xml":               {"<?xml version=\"1.0\"?>", "line 1: XML and JSON maps are not supported yet (accepted: Moving AI .map of type octile)", mapfile.ErrUnsupported},
		"json":              {"{\"width\":1}", "line 1: XML and JSON", mapfile.ErrUnsupported},
		"other text":        {"hello\n", "line 1: \"hello\" is not \"type octile\"", mapfile.ErrUnsupported},
		"octile-corner":     {"type octile-corner\n", "line 1: maps of type \"octile-corner\" are not supported", mapfile.ErrUnsupported},
		"no type":           {"type\n", "maps of type \"\"", mapfile.ErrUnsupported},
		"header only":       {"type octile\nheight 2\n", "line 2: file ends within the header", nil},
		"no height":         {"type octile\nwidth 2\nmap\n", "line 3: header has no height", nil},
		"no width":          {"type octile\nheight 2\nmap\n", "line 3: header has no width", nil},
		"second height":     {"type octile\nheight 2\nheight 2\n", "line 3: second height", nil},
		"height zero":       {"type octile\nheight 0\n", "line 2: height \"0\": must be a whole number from 1 to 4096", nil},
		"height negative":   {"type octile\nheight -2\n", "line 2: height \"-2\": must be", nil},
		"height a fraction": {"type octile\nheight 2.5\n", "line 2: height \"2.5\": must be", nil},
		"height missing":    {"type octile\nheight\n", "line 2: height \"\": must be", nil},
		"height too large":  {"type octile\nheight 4097\n", "line 2: height 4097: must be at most 4096 cells", mapfile.ErrTooLarge},
		"width beyond int":  {"type octile\nwidth 99999999999999999999999\n", "line 2: width 99999999999999999999999: must be at most 4096", mapfile.ErrTooLarge},
		"strange header":    {"type octile\ndepth 2\n", "line 2: \"depth 2\" in the header", nil},
		"map with a value":  {"type octile\nheight 2\nwidth 3\nmap x\n", "line 4: \"x\" after \"map\"", nil},
		"no rows":           {head, "line 4: file ends after 0 of 2 rows", nil},
		"too few rows":      {head + "...\n", "line 5: file ends after 1 of 2 rows", nil},
		"short row":         {head + "...\n..\n", "line 6: row 2 has 2 characters, the header's width is 3", nil},
		"long row":          {head + "....\n...\n", "line 5: row 1 has 4 characters, the header's width is 3", nil},
		"endless row":       {head + strings.Repeat(".", 9000), "line 5: line is longer than 4112 characters", nil},
		"unknown character": {head + "...\n.x.\n", "line 6, column 2: unknown character 'x': must be one of . G S @ O T W", nil},
		"unknown letter":    {head + "..é\n...\n", "line 5, column 3: unknown character 'é'", nil},
		"not text":          {head + ".\x00.\n...\n", "line 5, column 2: unknown character '\\x00'", nil},
		"one row too many":  {head + "...\n...\n...\n", "line 7: \"...\" after the last row", nil},
		"trailing garbage":  {head + "...\n...\n\n\nend", "line 9: \"end\" after the last row", nil},
		"endless garbage":   {head + "...\n...\n" + strings.Repeat(" ", 9000), "line 7: line is longer", nil},
		"nothing walkable":  {head + "@@@\nTTT\n", "x.map: map of 3 x 2 has no walkable cell", mapfile.ErrNoGround},
	} {
		t.Run(name, func(t *testing.T) {
			m, _, err := mapfile.Limit{}.Read(strings.NewReader(c.text), "x.map")
			checkError(t, err, "mapfile: x.map: ", c.want, c.is)
			if m != nil {
				t.Error("a map in spite of the error")
			}
		})
	}
}

// checkError wants one clear line.
func checkError(t *testing.T, err error, prefix, want string, is error) {
	t.Helper()
	if err == nil {
		t.Fatal("no error")
	}
	s := err.Error()
	if !strings.HasPrefix(s, prefix) || !strings.Contains(s, want) || strings.ContainsAny(s, "\n\r") {
		t.Errorf("error is %q, want %q ... %q on one line", s, prefix, want)
	}
	if is != nil && !errors.Is(err, is) {
		t.Errorf("error %q is not %q", s, is)
	}
}

func TestOpenRefuses(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for name, c := range map[string]struct {
		path, want string
		is         error
	}{
		"missing":       {filepath.Join(dir, "none.map"), "no such file or directory", fs.ErrNotExist},
		"missing tiled": {filepath.Join(dir, "none.tmx"), "no such file or directory", fs.ErrNotExist},
		"directory":     {dir, "is a directory, not a file", nil},
		"tmx":           {write("a.tmx", "<map/>"), ".tmx files are not supported yet (accepted: " + mapfile.Formats, mapfile.ErrUnsupported},
		"tmj":           {write("a.tmj", "{}"), ".tmj files are not supported yet", mapfile.ErrUnsupported},
		"json":          {write("a.JSON", "{}"), ".json files are not supported yet", mapfile.ErrUnsupported},
		"scen":          {write("a.scen", "version 1\n"), "is a list of trips, not a map", mapfile.ErrUnsupported},
		"empty":         {write("empty.map", ""), "is empty", nil},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := mapfile.Open(c.path)
			checkError(t, err, "mapfile: "+c.path+": ", c.want, c.is)
		})
	}
}

func TestLimit(t *testing.T) {
	read := func(l mapfile.Limit, w, h int) error {
		text := fmt.Sprintf("type octile\nheight %d\nwidth %d\nmap\n%s", h, w, strings.Repeat(strings.Repeat(".", w)+"\n", h))
		_, _, err := l.Read(strings.NewReader(text), "x.map")
		return err
	}
	l := mapfile.Limit{Width: 5, Height: 3}
	if err := read(l, 5, 3); err != nil {
		t.Error(err)
	}
	checkError(t, read(l, 6, 3), "mapfile: x.map: ", "width 6: must be at most 5", mapfile.ErrTooLarge)
	checkError(t, read(l, 5, 4), "mapfile: x.map: ", "height 4: must be at most 3", mapfile.ErrTooLarge)
	if err := read(mapfile.Limit{Width: 5000}, 4100, 1); err != nil {
		t.Errorf("a row that the limit allows: %v", err)
	}
	checkError(t, mapfile.Limit{Width: -1}.Validate(), "mapfile: ", "Limit.Width -1", nil)
	checkError(t, mapfile.Limit{Height: -1}.Validate(), "mapfile: ", "Limit.Height -1", nil)
	checkError(t, mapfile.Limit{Width: 1 << 20, Height: 1 << 20}.Validate(), "mapfile: ", "is above", nil)
	_, _, err := mapfile.Limit{Width: -1}.Open("testdata/garden.map")
	checkError(t, err, "mapfile: ", "Limit.Width -1", nil)
}

// A header that promises the largest map allowed must not cost its memory.
func TestPromisesAreNotAllocated(t *testing.T) {
	text := "type octile\nheight 4096\nwidth 4096\nmap\n..."
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, _, err := mapfile.Limit{}.Read(strings.NewReader(text), "x.map")
	runtime.ReadMemStats(&after)
	if err == nil {
		t.Error("no error")
	}
	allocated := after.TotalAlloc - before.TotalAlloc
	if allocated > 1<<16 {
		t.Errorf("%d bytes for a file of %d", allocated, len(text))
	}
}

func FuzzMap(f *testing.F) {
	for _, name := range []string{"garden.map", "garden-crlf.map", "rooms.map"} {
		data, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m, info, err := mapfile.Limit{Width: 64, Height: 64}.Read(bytes.NewReader(data), "fuzz.map")
		if err != nil {
			var e *mapfile.Error
			if !errors.As(err, &e) || strings.ContainsAny(err.Error(), "\n\r") {
				t.Fatalf("error %q", err)
			}
			return
		}
		if err := m.Validate(); err != nil {
			t.Fatal(err)
		}
		cells := 0
		for _, c := range info.Characters {
			cells += c.Cells
		}
		if cells != len(m.Terrain) || info.Bytes != int64(len(data)) || info.Walkable < info.Largest || info.Largest < 1 {
			t.Fatalf("info %+v of %d cells in %d bytes", info, len(m.Terrain), len(data))
		}
	})
}

func BenchmarkOpen(b *testing.B) {
	var text bytes.Buffer
	fmt.Fprintf(&text, "type octile\nheight 512\nwidth 512\nmap\n")
	for y := range 512 {
		for x := range 512 {
			text.WriteByte(".@TW.S.G"[(x*7+y*y)%8])
		}
		text.WriteByte('\n')
	}
	b.ReportAllocs()
	b.SetBytes(int64(text.Len()))
	for b.Loop() {
		if _, _, err := (mapfile.Limit{}).Read(bytes.NewReader(text.Bytes()), "x.map"); err != nil {
			b.Fatal(err)
		}
	}
}
