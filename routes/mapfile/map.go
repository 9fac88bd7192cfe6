package mapfile

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"chronoscope/routes"
)

// DefaultSide is the largest width and height that are read unless a Limit says
// otherwise, in cells.
const DefaultSide = 4096

// Formats names what Open accepts, for messages and help texts.
const Formats = "Moving AI .map of type octile"

// Limit bounds the maps that are read. The zero value is DefaultSide both ways.
type Limit struct {
	Width, Height int32 // in cells, at least 1; 0 = DefaultSide
}

func (l Limit) width() int32 {
	if l.Width == 0 {
		return DefaultSide
	}
	return l.Width
}

func (l Limit) height() int32 {
	if l.Height == 0 {
		return DefaultSide
	}
	return l.Height
}

// Validate names the field, the value and the range if a map can't be bounded
// by l.
func (l Limit) Validate() error {
	if l.Width < 0 {
		return fmt.Errorf("mapfile: Limit.Width %d is below 0 cells", l.Width)
	}
	if l.Height < 0 {
		return fmt.Errorf("mapfile: Limit.Height %d is below 0 cells", l.Height)
	}
	if w, h := int64(l.width()), int64(l.height()); w*h > routes.MaxCells {
		return fmt.Errorf("mapfile: Limit of %d x %d is above %d cells", w, h, routes.MaxCells)
	}
	return nil
}

// Count is how often a character stands in a map.
type Count struct {
	Char  byte
	Cells int
}

// Info is what there is to say about a map file.
type Info struct {
	Format        string
	Bytes         int64 // size of the file
	Width, Height int32 // in cells
	Walkable      int   // cells
	Components    int   // connected parts of the walkable cells
	Largest       int   // cells of the largest part
	Hash          uint64
	Characters    []Count // by character
}

// Open reads a map of at most DefaultSide x DefaultSide cells. Costs are
// routes.DefaultCosts. The error is an *Error.
func Open(path string) (*routes.Map, Info, error) { return Limit{}.Open(path) }

// Open reads a map within l.
func (l Limit) Open(path string) (*routes.Map, Info, error) {
	if err := l.Validate(); err != nil {
		return nil, Info{}, err
	}
	switch ext := strings.ToLower(filepath.Ext(path)); ext {
	case ".tmx", ".tmj", ".json", ".tsx", ".tsj":
		// A missing file is told as such.
		f, err := open(path)
		if err != nil {
			return nil, Info{}, err
		}
		f.Close()
		return nil, Info{}, unsupported(path, 0, ext+" files are not supported yet")
	case ".scen":
		return nil, Info{}, unsupported(path, 0, "is a list of trips, not a map")
	}
	f, err := open(path)
	if err != nil {
		return nil, Info{}, err
	}
	defer f.Close()
	return l.Read(f, path)
}

func unsupported(file string, line int, reason string) *Error {
	return &Error{File: file, Line: line, Reason: reason + " (accepted: " + Formats + ")", Err: ErrUnsupported}
}

// Read reads a map from r; name is what errors call it, and its base name
// without extension is the map's.
func (l Limit) Read(r io.Reader, name string) (*routes.Map, Info, error) {
	if err := l.Validate(); err != nil {
		return nil, Info{}, err
	}
	// Room for a row that is longer than allowed, so that it can be counted.
	in := newLines(r, name, max(int(l.width())+16, 4096))
	width, height, err := readHeader(in, l)
	if err != nil {
		return nil, Info{}, err
	}
	base := filepath.Base(name)
	m := &routes.Map{
		Name:  strings.TrimSuffix(base, filepath.Ext(base)),
		Width: width, Height: height,
		Cost: routes.DefaultCosts(),
	}
	counts, err := readRows(in, m)
	if err != nil {
		return nil, Info{}, err
	}
	if err := readNothing(in); err != nil {
		return nil, Info{}, err
	}
	raiseWalls(m)
	if m.WalkableCells() == 0 {
		return nil, Info{}, &Error{File: name, Reason: fmt.Sprintf("map of %d x %d has no walkable cell ('.', 'G' or 'S')", width, height), Err: ErrNoGround}
	}
	info := Info{
		Format: "Moving AI, type octile",
		Bytes:  in.bytes,
		Width:  width, Height: height,
		Walkable:   m.WalkableCells(),
		Components: m.Parts(),
		Largest:    m.LargestPart(),
		Hash:       m.Hash(),
	}
	for c, n := range counts {
		if n > 0 {
			info.Characters = append(info.Characters, Count{byte(c), n})
		}
	}
	return m, info, nil
}

// readHeader reads the four lines before the grid; height and width may come in
// either order.
func readHeader(in *lines, l Limit) (width, height int32, err error) {
	line, err := in.next()
	if err == io.EOF {
		return 0, 0, &Error{File: in.file, Reason: "is empty"}
	}
	if err != nil {
		return 0, 0, err
	}
	if text := bytes.TrimSpace(line); bytes.HasPrefix(text, []byte("<")) || bytes.HasPrefix(text, []byte("{")) {
		return 0, 0, unsupported(in.file, in.at, "XML and JSON maps are not supported yet")
	}
	word, kind := headerLine(line)
	if word != "type" {
		return 0, 0, unsupported(in.file, in.at, fmt.Sprintf("%.40q is not \"type octile\", the first line of a map", line))
	}
	if kind != "octile" {
		return 0, 0, unsupported(in.file, in.at, fmt.Sprintf("maps of type %.40q are not supported", kind))
	}
	for {
		line, err := in.next()
		if err == io.EOF {
			return 0, 0, in.fault("file ends within the header: height, width and map must follow")
		}
		if err != nil {
			return 0, 0, err
		}
		word, value := headerLine(line)
		switch word {
		case "height":
			height, err = readSide(in, word, value, height, l.height())
		case "width":
			width, err = readSide(in, word, value, width, l.width())
		case "map":
			switch {
			case value != "":
				err = in.fault("%.40q after \"map\"", value)
			case height == 0:
				err = in.fault("header has no height")
			case width == 0:
				err = in.fault("header has no width")
			default:
				return width, height, nil
			}
		default:
			err = in.fault("%.40q in the header: must be height, width or map", line)
		}
		if err != nil {
			return 0, 0, err
		}
	}
}

// headerLine splits a line of the header into its word and the rest.
func headerLine(line []byte) (word, value string) {
	text := strings.TrimSpace(string(line))
	if i := strings.IndexAny(text, " \t"); i >= 0 {
		return text[:i], strings.TrimSpace(text[i:])
	}
	return text, ""
}

// readSide reads a height or width, which may come once.
func readSide(in *lines, word, value string, before, most int32) (int32, error) {
	if before != 0 {
		return 0, in.fault("second %s in the header", word)
	}
	n, err := strconv.ParseUint(value, 10, 64)
	switch {
	case err != nil && !isDigits(value) || n == 0:
		return 0, in.fault("%s %.40q: must be a whole number from 1 to %d", word, value, most)
	case err != nil || n > uint64(most):
		e := in.fault("%s %.40s: must be at most %d cells", word, value, most)
		e.Err = ErrTooLarge
		return 0, e
	}
	return int32(n), nil
}

func isDigits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// kindOf is what a character stands for. Blocked ground of no particular kind
// is Wall until raiseWalls.
func kindOf(c byte) (t routes.Terrain, known bool) {
	switch c {
	case '.', 'G':
		return routes.Field, true
	case 'S':
		return routes.Swamp, true
	case '@', 'O':
		return routes.Wall, true
	case 'T':
		return routes.Tree, true
	case 'W':
		return routes.Water, true
	}
	return routes.Void, false
}

// readRows reads the grid. It grows with the rows that are really there, not
// with what the header promises.
func readRows(in *lines, m *routes.Map) (counts [256]int, err error) {
	var kind [256]routes.Terrain
	var known [256]bool
	for c := range kind {
		kind[c], known[c] = kindOf(byte(c))
	}
	width, height := int(m.Width), int(m.Height)
	for y := range height {
		line, err := in.next()
		if err == io.EOF {
			return counts, in.fault("file ends after %d of %d rows", y, height)
		}
		if err != nil {
			return counts, err
		}
		for x, c := range line[:min(len(line), width)] {
			if !known[c] {
				char, _ := utf8.DecodeRune(line[x:])
				e := in.fault("unknown character %q: must be one of . G S @ O T W", char)
				e.Column = x + 1
				return counts, e
			}
			counts[c]++
			m.Terrain = append(m.Terrain, kind[c])
		}
		if len(line) != width {
			return counts, in.fault("row %d has %d characters, the header's width is %d", y+1, len(line), width)
		}
	}
	m.Terrain = slices.Clip(m.Terrain)
	return counts, nil
}

// readNothing makes sure that only blank lines follow.
func readNothing(in *lines) error {
	for {
		line, err := in.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if len(bytes.TrimSpace(line)) > 0 {
			return in.fault("%.40q after the last row", line)
		}
	}
}

// raiseWalls leaves Wall only where it borders on walkable ground: what is
// farther inside can't be told from the outside and is nothing.
func raiseWalls(m *routes.Map) {
	for i, t := range m.Terrain {
		if t != routes.Wall {
			continue
		}
		x, y := int32(i)%m.Width, int32(i)/m.Width
		border := false
		for dy := int32(-1); dy <= 1 && !border; dy++ {
			for dx := int32(-1); dx <= 1 && !border; dx++ {
				border = m.Walkable(routes.Cell{X: x + dx, Y: y + dy})
			}
		}
		if !border {
			m.Terrain[i] = routes.Void
		}
	}
}
