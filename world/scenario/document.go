package scenario

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// A document is a parsed TOML file whose every key and array element knows
// where it stands. Values come from toml.Unmarshal, which also refuses what is
// no TOML; positions from the parser beneath it (its interface may change with
// a version, which go.mod pins).
type document struct {
	file   string
	values map[string]any
	keys   map[string]*key // by path
	order  []*key
	faults []fault
}

// key is one key or element of the file.
type key struct {
	path      string // parts joined by sep
	line, col int
	known     bool
}

type fault struct {
	line, col int
	text      string
}

// sep joins the parts of a path. It can't stand in a TOML key unescaped.
const sep = "\x00"

func join(parts ...string) string { return strings.Join(parts, sep) }

// newDocument parses data. Errors name file, line and column.
func newDocument(data []byte, file string) (*document, error) {
	d := &document{file: file, keys: make(map[string]*key)}
	data = bytes.TrimPrefix(data, []byte("\ufeff")) // some editors begin a file with it
	if err := toml.Unmarshal(data, &d.values); err != nil {
		var de *toml.DecodeError
		if errors.As(err, &de) {
			line, col := de.Position()
			return nil, usagef("%s:%d:%d: %s", file, line, col, strings.TrimPrefix(de.Error(), "toml: "))
		}
		return nil, usagef("%s: %s", file, strings.TrimPrefix(err.Error(), "toml: "))
	}
	d.locate(data)
	return d, nil
}

// locate fills in positions. The data is known to be sound.
func (d *document) locate(data []byte) {
	var p unstable.Parser
	p.Reset(data)
	prefix := ""
	elements := make(map[string]int) // of arrays of tables, by path
	for p.NextExpression() {
		switch node := p.Expression(); node.Kind {
		case unstable.Table:
			prefix = d.header(&p, node, elements, false)
		case unstable.ArrayTable:
			prefix = d.header(&p, node, elements, true)
		case unstable.KeyValue:
			d.keyValue(&p, node, prefix)
		}
	}
}

// header notes a [table] or [[array of tables]] line and gives the path of
// what follows it.
func (d *document) header(p *unstable.Parser, node *unstable.Node, elements map[string]int, array bool) string {
	path := ""
	it := node.Key()
	for it.Next() {
		k := it.Node()
		path = under(path, string(k.Data))
		d.note(p, k, path)
		if n := elements[path]; n > 0 && !(array && it.IsLast()) {
			path = under(path, strconv.Itoa(n-1))
		}
		if array && it.IsLast() {
			elements[path]++
			path = under(path, strconv.Itoa(elements[path]-1))
			d.note(p, k, path)
		}
	}
	return path
}

func (d *document) keyValue(p *unstable.Parser, node *unstable.Node, prefix string) {
	path := prefix
	it := node.Key()
	for it.Next() {
		k := it.Node()
		path = under(path, string(k.Data))
		d.note(p, k, path)
	}
	d.value(p, node.Value(), path)
}

func (d *document) value(p *unstable.Parser, node *unstable.Node, path string) {
	it := node.Children()
	switch node.Kind {
	case unstable.InlineTable:
		for it.Next() {
			if it.Node().Kind == unstable.KeyValue {
				d.keyValue(p, it.Node(), path)
			}
		}
	case unstable.Array:
		for i := 0; it.Next(); {
			n := it.Node()
			if n.Kind == unstable.Comment {
				continue
			}
			element := under(path, strconv.Itoa(i))
			d.note(p, n, element)
			d.value(p, n, element)
			i++
		}
	}
}

// note keeps the first position of a path. An inner array or table may have no
// position of its own; it then stands where what holds it stands.
func (d *document) note(p *unstable.Parser, node *unstable.Node, path string) {
	if d.keys[path] != nil {
		return
	}
	k := &key{path: path}
	if node.Raw.Length > 0 {
		at := p.Shape(node.Raw).Start
		k.line, k.col = at.Line, at.Column
	} else if i := strings.LastIndex(path, sep); i >= 0 {
		if outer := d.keys[path[:i]]; outer != nil {
			k.line, k.col = outer.line, outer.col
		}
	}
	d.keys[path] = k
	d.order = append(d.order, k)
}

func under(prefix, name string) string {
	if prefix == "" {
		return name
	}
	return prefix + sep + name
}

// fail notes a fault at a path: "npcs -1: accepted are 0 to 2000000".
func (d *document) fail(path, format string, args ...any) {
	f := fault{text: fmt.Sprintf(format, args...)}
	if k := d.keys[path]; k != nil {
		f.line, f.col = k.line, k.col
	}
	d.faults = append(d.faults, f)
}

// know says that a path has a meaning.
func (d *document) know(path string) {
	if k := d.keys[path]; k != nil {
		k.known = true
	}
}

// finish reports keys that nothing knew, and gives the first fault in the
// order of the file.
func (d *document) finish(hint func(path []string) string) error {
	var unknown string // the outermost unknown table, whose keys go with it
	for _, k := range d.order {
		if k.known || unknown != "" && strings.HasPrefix(k.path, unknown+sep) {
			continue
		}
		parts := strings.Split(k.path, sep)
		if len(parts) > 1 && !d.isKnown(join(parts[:len(parts)-1]...)) {
			continue
		}
		unknown = k.path
		d.fail(k.path, "unknown key %s%s", strings.Join(parts, "."), hint(parts))
	}
	if len(d.faults) == 0 {
		return nil
	}
	first := slices.MinFunc(d.faults, func(a, b fault) int {
		return cmp.Or(cmp.Compare(a.line, b.line), cmp.Compare(a.col, b.col))
	})
	return usagef("%s:%d:%d: %s", d.file, first.line, first.col, first.text)
}

func (d *document) isKnown(path string) bool {
	k := d.keys[path]
	return k == nil || k.known
}

// table gives the sub-table at a path, nil when it isn't there or is
// something else, which is a fault.
func (d *document) table(name string) map[string]any {
	v, ok := d.values[name]
	if !ok {
		return nil
	}
	d.know(name)
	m, ok := v.(map[string]any)
	if !ok {
		d.fail(name, "%s: accepted is a table, [%s]", name, name)
		return nil
	}
	return m
}

// set hands the value at a path to a Value.
func (d *document) set(path, name string, raw any, v Value) {
	d.know(path)
	text, form := textOf(raw)
	if form&v.Forms() == 0 {
		d.fail(path, "%s: accepted is %v: %s", name, v.Forms(), v.Accepted())
		return
	}
	switch err := v.Set(text); {
	case err == nil:
	case errors.Is(err, ErrRefused):
		d.fail(path, "%s %s: accepted are %s", name, shown(text), v.Accepted())
	default:
		d.fail(path, "%s %s: %v", name, shown(text), err)
	}
}

// shown is a text of a file as an error may print it: quoted where a terminal
// could take part of it for a command.
func shown(text string) string {
	if printable(text) {
		return text
	}
	return strconv.Quote(text)
}

func printable(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) })
}

// textOf is a TOML value as a flag would be written, and what it is; 0 for
// what no parameter can be (a date, an array, a table).
func textOf(raw any) (string, Forms) {
	switch v := raw.(type) {
	case string:
		return v, Quoted
	case int64:
		return strconv.FormatInt(v, 10), Whole
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64), Decimal
	case bool:
		return strconv.FormatBool(v), Logical
	}
	return "", 0
}

// pairs reads [[x, y], ...].
func (d *document) pairs(path, name string, raw any, each func(x, y int32)) {
	d.know(path)
	list, ok := raw.([]any)
	if !ok {
		d.fail(path, "%s: accepted is a list of [x, y]", name)
		return
	}
	for i, e := range list {
		at := under(path, strconv.Itoa(i))
		d.know(at)
		pair, ok := e.([]any)
		var xy [2]int64
		for j, n := range pair {
			d.know(under(at, strconv.Itoa(j)))
			v, whole := n.(int64)
			if !whole || j >= len(xy) || v < -maxCoordinate || v > maxCoordinate {
				ok = false
				break
			}
			xy[j] = v
		}
		if !ok || len(pair) != len(xy) {
			d.fail(at, "%s: accepted is [x, y], each %d to %d", name, -maxCoordinate, maxCoordinate)
			for j := range pair {
				d.know(under(at, strconv.Itoa(j)))
			}
			continue
		}
		each(int32(xy[0]), int32(xy[1]))
	}
}

// maxCoordinate bounds cells and zones: beyond it a position in units of
// 1/1024 cell would leave 32 bits.
const maxCoordinate = 1 << 20
