package frametime

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"
)

// Read reads a capture of any known format: its own, a log of MangoHud, or a CSV
// file of PresentMon (1.x or 2.x). The format is told by the content.
func Read(r io.Reader) (*Capture, error) {
	b, err := readAll(r)
	if err != nil {
		return nil, err
	}
	if bytes.HasPrefix(b, []byte(fileMagic)) {
		return Decode(b)
	}
	return Import(b)
}

// MaxRows bounds the rows of a table that is imported: almost five hours at 120
// frames a second.
const MaxRows = 1 << 21

// headerWithin is within how many lines a table's header must come.
const headerWithin = 50

// Import reads a MangoHud or PresentMon file from its bytes. Columns are found
// by their names, in whatever order; what isn't there or says NA is unknown.
// Cells may be parted by commas or, as spreadsheets of many countries save them,
// by semicolons with decimal commas, or by tabs.
// Frames get the flags Focused, since such files don't tell, and NoWorld. Nothing
// is left out of the figures: whoever logged chose when.
func Import(b []byte) (*Capture, error) {
	b = bytes.TrimPrefix(b, []byte("\xef\xbb\xbf"))
	for _, comma := range ",;\t" {
		if c, err := importParted(b, comma); c != nil || err != nil {
			return c, err
		}
	}
	return nil, fmt.Errorf("frametime: %w: accepted is this program's own, MangoHud's and PresentMon's", ErrFormat)
}

// importParted gives nothing when there is no header with cells so parted.
func importParted(b []byte, comma rune) (*Capture, error) {
	t := &table{csv: csv.NewReader(bytes.NewReader(b))}
	t.csv.Comma = comma
	t.csv.FieldsPerRecord = -1
	t.csv.LazyQuotes = true
	t.csv.ReuseRecord = true
	var before [][]string
	for range headerWithin {
		row, err := t.csv.Read()
		if err != nil {
			return nil, nil
		}
		t.header(row)
		switch {
		case t.has("betweenpresents") || t.has("frametime") && t.has("application"):
			return t.presentMon()
		case t.has("frametime") && t.has("fps"):
			return t.mangoHud(before)
		}
		before = append(before, append([]string(nil), row...))
	}
	return nil, nil
}

// table is a CSV file whose columns have names.
type table struct {
	csv     *csv.Reader
	columns map[string]int
	width   int // of the header
	without int // rows without a frame time
}

// header takes a row's cells as names of columns: in lower case, without the
// unit that some versions put before them ("MsCPUBusy", "msCPUBusy", "CPUBusy").
func (t *table) header(row []string) {
	t.columns, t.width = map[string]int{}, len(row)
	for i, name := range row {
		name = strings.TrimPrefix(strings.ToLower(strings.TrimSpace(name)), "ms")
		if _, ok := t.columns[name]; !ok {
			t.columns[name] = i
		}
	}
}

func (t *table) has(name string) bool {
	_, ok := t.columns[name]
	return ok
}

// text is a cell, "" where there is none.
func (t *table) text(row []string, name string) string {
	if i, ok := t.columns[name]; ok && i < len(row) {
		return strings.TrimSpace(row[i])
	}
	return ""
}

// errCell is a cell that should be a number.
var errCell = errors.New("is not a number")

// number is a cell's number. ok is false for none and for NA.
func (t *table) number(row []string, name string) (v float64, ok bool, err error) {
	s := t.text(row, name)
	if s == "" || strings.EqualFold(s, "NA") {
		return 0, false, nil
	}
	number := s
	if t.csv.Comma != ',' {
		number = strings.Replace(s, ",", ".", 1)
	}
	v, err = strconv.ParseFloat(number, 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		line, _ := t.csv.FieldPos(0)
		return 0, false, fmt.Errorf("frametime: %w: line %d, column %s: %q %w", ErrFormat, line, name, oneLine(s), errCell)
	}
	return v, true, nil
}

// rows calls take for each row. A bad cell in the last row is no error: logs end
// where the program did.
func (t *table) rows(take func(row []string) error) error {
	var pending error
	for n := 0; ; n++ {
		row, err := t.csv.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if pending != nil {
			return pending
		}
		if err != nil {
			return fmt.Errorf("frametime: %w: %s", ErrFormat, oneLine(err.Error()))
		}
		if n >= MaxRows {
			return fmt.Errorf("frametime: %w: over %d rows", ErrTooLarge, MaxRows)
		}
		if len(row) == 1 && strings.TrimSpace(row[0]) == "" {
			continue
		}
		if err := t.closed(row); err != nil {
			return err
		}
		if pending = t.whole(row); pending == nil {
			pending = take(row)
		}
	}
}

// closed says that no cell goes over several lines: a quote that nobody closes
// would swallow the rows that follow, and what is left would look like a log.
func (t *table) closed(row []string) error {
	for i, cell := range row {
		if strings.Contains(cell, "\n") {
			line, _ := t.csv.FieldPos(i)
			return fmt.Errorf("frametime: %w: line %d has a quote that isn't closed on it", ErrFormat, line)
		}
	}
	return nil
}

// whole says that a row has no more cells than the header: numbers with decimal
// commas between commas would be taken for others.
func (t *table) whole(row []string) error {
	for _, cell := range row[min(t.width, len(row)):] {
		if strings.TrimSpace(cell) != "" {
			line, _ := t.csv.FieldPos(0)
			return fmt.Errorf("frametime: %w: line %d has %d cells, the header %d: are there decimal commas?", ErrFormat, line, len(row), t.width)
		}
	}
	return nil
}

// longestImport is the longest interval that is taken for one, ns.
const longestImport = float64(24 * time.Hour)

// nanos is a number of units as nanoseconds, false for what is no time of a
// frame.
func nanos(v, unit float64) (int64, bool) {
	v = math.Round(v * unit)
	if !(v >= 0 && v <= longestImport) {
		return 0, false
	}
	return int64(v), true
}

// finish completes a capture whose intervals, and what else is known, are there.
func (t *table) finish(c *Capture) (*Capture, error) {
	if len(c.Frames) == 0 {
		return nil, fmt.Errorf("frametime: %w: a %s file without frames", ErrFormat, c.Meta.Source)
	}
	for i := range c.Frames {
		f := &c.Frames[i]
		f.Seq = uint64(i)
		f.Flags |= Focused | NoWorld
	}
	c.Meta.Display = Unknown
	c.Meta.Rules = Rules{Warmup: -1, Begin: c.Frames[0].Layout}
	if t.without > 0 {
		c.Meta.note("%d rows without a frame time", t.without)
	}
	c.Meta.clean()
	if err := c.Check(); err != nil {
		return nil, err
	}
	return c, nil
}

// note adds a remark.
func (m *Meta) note(format string, args ...any) {
	if m.Note != "" {
		m.Note += "; "
	}
	m.Note += fmt.Sprintf(format, args...)
}
