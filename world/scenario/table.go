package scenario

import (
	"errors"
	"fmt"
	"strings"
)

// Kind says what a parameter has to do with a world's result.
type Kind uint8

// The kinds of parameters.
const (
	// World parameters are part of a world: constant while it runs, and what
	// can change its result.
	World Kind = iota
	// Pacing parameters say how fast and how strictly ticks are released.
	// They change live and never enter a result.
	Pacing
	// Program parameters belong to one program: how long it runs, what it
	// writes, its window. Scenario files don't hold them.
	Program
)

// String names the kind.
func (k Kind) String() string {
	switch k {
	case World:
		return "world"
	case Pacing:
		return "pacing"
	}
	return "program"
}

// Row is one parameter: what flags, scenario files, panels, help and reports
// know of it.
type Row struct {
	Name  string // the flag's name without its dash, and the key in a file
	Group string // heading in the help: "World"
	Kind  Kind
	Help  string // one line: what it does, and what more of it costs
	Value Value
	// Default is Value.String() at the time the row was added; Add fills it.
	Default string
}

// A Table is the one list of parameters of a program, in the order of its
// help. A Table belongs to one goroutine.
type Table struct {
	config *Config
	rows   []*Row
	by     map[string]*Row
	given  map[string]bool // by name: set by the scenario or a flag of the last Parse
}

// Add appends rows, in their groups' order of first appearance. A name that
// is there already, or a row without group, help or value, is a mistake of the
// program and panics.
func (t *Table) Add(rows ...Row) {
	if t.by == nil {
		t.by = make(map[string]*Row)
	}
	for _, r := range rows {
		if r.Name == "" || r.Group == "" || r.Help == "" || r.Value == nil {
			panic(fmt.Sprintf("scenario: row %q lacks a name, group, help or value", r.Name))
		}
		if t.by[r.Name] != nil {
			panic(fmt.Sprintf("scenario: row %q is there already", r.Name))
		}
		r.Default = r.Value.String()
		t.rows = append(t.rows, &r)
		t.by[r.Name] = &r
	}
}

// Rows are all parameters in order. The slice is the caller's, the rows are
// the table's.
func (t *Table) Rows() []*Row { return append([]*Row(nil), t.rows...) }

// Lookup finds a parameter by its name, nil when there is none.
func (t *Table) Lookup(name string) *Row { return t.by[name] }

// Plain is every parameter's present value by name, for a report, and what
// only a scenario file can say under its keys there.
func (t *Table) Plain() map[string]any {
	m := make(map[string]any, len(t.rows))
	for name, v := range topValues(t.config) {
		m[name] = v.Plain()
	}
	stalls := make(map[string]any)
	for name, v := range stallValues(&t.config.Params.Stalls) {
		stalls[name] = v.Plain()
	}
	m["stalls"] = stalls
	m["pins"] = plainPins(t.config.Params.Pins)
	m["visitors"] = plainVisitors(t.config.Params.Visitors)
	for _, r := range t.rows {
		m[r.Name] = r.Value.Plain()
	}
	return m
}

// ErrHelp says that the arguments ask for help.
var ErrHelp = errors.New("scenario: help asked for")

// UsageError is a mistake in the arguments or in a scenario file: one line
// that names the flag or the file, and what is accepted. A program ends with
// exit code 2 on it.
type UsageError struct{ Line string }

func (e *UsageError) Error() string { return e.Line }

func usagef(format string, args ...any) error {
	return &UsageError{strings.ReplaceAll(fmt.Sprintf(format, args...), "\n", " ")}
}

// an assignment is one flag with its value as it stood in the arguments.
type assignment struct {
	row  *Row
	text string
}

// scan takes arguments apart without setting anything.
func (t *Table) scan(args []string) ([]assignment, error) {
	var list []assignment
	for i := 0; i < len(args); i++ {
		arg := args[i]
		name, ok := strings.CutPrefix(arg, "-")
		if !ok || name == "" {
			return nil, usagef("unexpected argument %q: only flags are accepted (see -h)", arg)
		}
		name = strings.TrimPrefix(name, "-")
		name, text, hasText := strings.Cut(name, "=")
		if name == "h" || name == "help" {
			return nil, ErrHelp
		}
		row := t.by[name]
		if row == nil {
			return nil, usagef("unknown flag -%s%s", name, t.suggest(name))
		}
		switch row.Value.(type) {
		case *Bool:
			if !hasText {
				text = "true"
			}
		default:
			if !hasText {
				i++
				if i == len(args) {
					return nil, usagef("-%s needs a value: accepted are %s", name, row.Value.Accepted())
				}
				text = args[i]
			}
		}
		list = append(list, assignment{row, text})
	}
	return list, nil
}

func (a assignment) set() error {
	switch err := a.row.Value.Set(a.text); {
	case err == nil:
		return nil
	case errors.Is(err, ErrRefused):
		return usagef("-%s %s: accepted are %s", a.row.Name, a.text, a.row.Value.Accepted())
	default:
		return usagef("-%s %s: %v", a.row.Name, a.text, err)
	}
}

// suggest gives ", the closest is -npcs (see -h)" when a known flag is near.
func (t *Table) suggest(name string) string {
	names := make([]string, len(t.rows))
	for i, r := range t.rows {
		names[i] = r.Name
	}
	if near := closest(name, names); near != "" {
		return fmt.Sprintf(", did you mean -%s? (see -h)", near)
	}
	return " (see -h)"
}

// closest is the name with the fewest edits from name, "" when that is more
// than half of the longer of the two. Of equals the first counts.
func closest(name string, names []string) string {
	best, found := 0, ""
	for _, n := range names {
		d := edits(name, n)
		if d <= max(len(name), len(n))/2 && (found == "" || d < best) {
			best, found = d, n
		}
	}
	return found
}

// edits is the number of bytes to insert, delete or replace to turn a into b.
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
