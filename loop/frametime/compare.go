package frametime

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"chronoscope/loop"
)

// MaxSlots is how many captures can be compared at once: A to D.
const MaxSlots = 4

// ErrSlots: there is nothing to compare, or too much.
var ErrSlots = errors.New("frametime: accepted is 2 to 4 captures to compare")

// Difference is how one capture's figure is off the first one's.
type Difference struct {
	Abs, Rel float64 // Rel is a share of the first
	OK       bool    // both figures are known
	RelOK    bool    // and the first isn't 0
	// Noise: it is no more than repeated runs of one thing differ by.
	Noise bool
}

// Row is one figure of every capture.
type Row struct {
	Figures []Figure
	Diffs   []Difference // of all but the first
}

// Comparison is the table of several captures.
type Comparison struct {
	Titles    []string
	Summaries []Summary
	Rows      []Row
	// Settings that aren't the same in all, with a value for each; "" where
	// there is none.
	Settings []SettingRow
	// Proofs compare each with the first one.
	Proofs []Proof
}

// SettingRow is a setting in which captures differ.
type SettingRow struct {
	Name   string
	Values []string
}

// Compare compares captures with the first of them. repeats are captures of runs
// that were meant to be the same: differences that aren't greater than the
// spread among them are noise. They may be none.
func Compare(captures []*Capture, repeats []*Capture) (*Comparison, error) {
	if len(captures) < 2 || len(captures) > MaxSlots {
		return nil, ErrSlots
	}
	var c Comparison
	for i, capture := range captures {
		c.Titles = append(c.Titles, capture.Title())
		c.Summaries = append(c.Summaries, Summarize(capture))
		if i > 0 {
			c.Proofs = append(c.Proofs, Prove(captures[0], capture))
		}
	}
	spread := spreads(repeats)
	for k := range c.Summaries[0].Figures {
		var row Row
		for i := range c.Summaries {
			f := c.Summaries[i].Figures[k]
			row.Figures = append(row.Figures, f)
			if i > 0 {
				row.Diffs = append(row.Diffs, difference(row.Figures[0], f, spread))
			}
		}
		c.Rows = append(c.Rows, row)
	}
	c.Settings = settingRows(captures)
	return &c, nil
}

// spreads is by how much each figure differs among repeated runs, by name; only
// of figures that at least two of them know.
func spreads(repeats []*Capture) map[string]float64 {
	values := map[string][]float64{}
	for _, r := range repeats {
		for _, f := range Summarize(r).Figures {
			if f.OK {
				values[f.Name] = append(values[f.Name], f.Value)
			}
		}
	}
	spread := map[string]float64{}
	for name, v := range values {
		if len(v) > 1 {
			spread[name] = slices.Max(v) - slices.Min(v)
		}
	}
	return spread
}

func difference(a, b Figure, spread map[string]float64) Difference {
	if !a.OK || !b.OK {
		return Difference{}
	}
	d := Difference{Abs: b.Value - a.Value, OK: true}
	if a.Value != 0 {
		d.Rel, d.RelOK = d.Abs/math.Abs(a.Value), true
	}
	noise, known := spread[a.Name]
	d.Noise = known && math.Abs(d.Abs) <= noise
	return d
}

// described lists what a capture's runs were set to, in a fixed order.
func (m *Meta) described() []Setting {
	rate := func(r loop.Rate) string {
		if !r.Valid() {
			return ""
		}
		return r.String()
	}
	count := func(n uint64) string {
		if n == 0 && m.Display == Unknown {
			return "" // another program's file doesn't say
		}
		return fmt.Sprint(n)
	}
	list := []Setting{
		{"source", m.Source}, {"scenario", m.Scenario}, {"map", m.Map}, {"seed", count(m.Seed)}, {"demo", m.Demo},
		{TickRateSetting, rate(m.TickRate)}, {"kind of display", m.Display.String()}, {"monitor", m.Monitor}, {"stated refresh", rate(m.Stated)},
		{"overlay", fmt.Sprint(m.Overlay)}, {"renderer", m.Renderer}, {"os", m.OS}, {"arch", m.Arch}, {"go", m.GoVersion},
		{"cpus", count(uint64(max(m.CPUs, 0)))}, {"gomaxprocs", count(uint64(max(m.GOMAXPROCS, 0)))}, {"changes", fmt.Sprint(len(m.Changes))},
	}
	for _, s := range slices.Concat(m.World, m.Settings) {
		// The stated refresh is there already.
		if s.Name != RefreshSetting && !slices.ContainsFunc(list, func(x Setting) bool { return x.Name == s.Name }) {
			list = append(list, s)
		}
	}
	return list
}

func settingRows(captures []*Capture) []SettingRow {
	var rows []SettingRow
	index := map[string]int{}
	for i, c := range captures {
		for _, s := range c.Meta.described() {
			k, ok := index[s.Name]
			if !ok {
				k = len(rows)
				index[s.Name] = k
				rows = append(rows, SettingRow{s.Name, make([]string, len(captures))})
			}
			rows[k].Values[i] = s.Value
		}
	}
	return slices.DeleteFunc(rows, func(r SettingRow) bool {
		return !slices.ContainsFunc(r.Values, func(v string) bool { return v != r.Values[0] })
	})
}

// Text is the comparison for a terminal.
func (c *Comparison) Text() string {
	var b strings.Builder
	for i, title := range c.Titles {
		fmt.Fprintf(&b, "%c  %s: %s\n", 'A'+i, title, c.Summaries[i].Counts())
	}
	var t strings.Builder
	w := tabwriter.NewWriter(&t, 0, 0, 2, ' ', tabwriter.AlignRight)
	header := "\n\t"
	for i := range c.Titles {
		header += fmt.Sprintf("%c\t", 'A'+i)
		if i > 0 {
			header += fmt.Sprintf("%c - A\t\t", 'A'+i)
		}
	}
	fmt.Fprintln(w, header)
	for _, r := range c.Rows {
		line := r.Figures[0].Label() + "\t" + r.Figures[0].String() + "\t"
		for i, d := range r.Diffs {
			f := r.Figures[i+1]
			line += f.String() + "\t" + d.text(f) + "\t"
		}
		fmt.Fprintln(w, line)
	}
	// A builder takes everything.
	w.Flush()
	for line := range strings.Lines(t.String()) {
		b.WriteString(strings.TrimRight(line, " \n") + "\n")
	}
	if len(c.Settings) > 0 {
		b.WriteString("\nnot the same:\n")
		for _, s := range c.Settings {
			values := slices.Clone(s.Values)
			for i, v := range values {
				if v == "" {
					values[i] = "-"
				}
			}
			fmt.Fprintf(&b, "  %-16s %s\n", s.Name, strings.Join(values, " | "))
		}
	}
	b.WriteString("\n")
	for i, p := range c.Proofs {
		fmt.Fprintf(&b, "A and %c: %s\n", 'B'+i, p)
	}
	return b.String()
}

// text is both differences, in brackets when they are noise.
func (d Difference) text(unit Figure) string {
	if !d.OK {
		return "\t"
	}
	unit.Value = d.Abs
	abs, rel := unit.String(), ""
	if strings.Trim(abs, "0.") != "" { // else it is nothing worth a share
		if d.Abs > 0 {
			abs = "+" + abs
		}
		if d.RelOK {
			rel = fmt.Sprintf("%+.1f %%", 100*d.Rel)
		}
	}
	if d.Noise {
		abs = "(" + abs + ")"
		if rel != "" {
			rel = "(" + rel + ")"
		}
	}
	return abs + "\t" + rel
}
