package overlay

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"
	"time"

	"chronoscope/loop/frametime"
)

// comparison is everything that is worked out of captures, with its texts. It
// doesn't change any more.
type comparison struct {
	of    [frametime.MaxSlots]*frametime.Capture
	slots []int // those that hold something; the first is what others are compared with

	labels [frametime.MaxSlots]string // what it was shown on, and how many frames
	proofs []proofLine
	rows   []compareRow
	noise  string // what is known of noise

	top    time.Duration // of an even axis of intervals
	guides []compareGuide

	width    time.Duration // of a bin
	bins     [frametime.MaxSlots][]float32
	curves   [frametime.MaxSlots][]time.Duration
	curveTop time.Duration
}

// proofLine says of some captures whether their worlds went the same way.
type proofLine struct {
	text, detail string
	ink          color.RGBA
}

// compareRow is a line of the table.
type compareRow struct {
	label   string
	heading bool
	setting bool // its cells are texts, not figures
	cells   [frametime.MaxSlots]compareCell
}

type compareCell struct {
	value, abs, rel string
	noise           bool
}

// compareGuide is a refresh period and the slots whose display has it.
type compareGuide struct {
	at    time.Duration
	text  string
	slots []int
}

// compareBins is how many bins a histogram has, curvePoints how many quantiles
// a curve.
const (
	compareBins = 160
	curvePoints = 512
)

// leastShare is the least share of frames on the histograms' axis, which goes
// over decades.
const leastShare = 1e-4

// compareCaptures works everything out.
func compareCaptures(held [frametime.MaxSlots]*frametime.Capture) *comparison {
	r := &comparison{of: held}
	var list []*frametime.Capture
	for i, c := range held {
		if c != nil {
			r.slots, list = append(r.slots, i), append(list, c)
		}
	}
	var used [frametime.MaxSlots][]time.Duration
	for _, i := range r.slots {
		c := held[i]
		sel := c.Meta.Rules.Select(c.Frames)
		used[i] = frametime.Intervals(sel.Used)
		r.labels[i] = labelOf(c) + ": " + sel.String()
		r.guide(i, c.Refresh())
	}
	r.top = laneTop(used[:], r.guides)
	r.distribution(&used)
	if len(list) == 1 {
		r.alone(list[0])
		return r
	}
	again := repeats(list)
	table, err := frametime.Compare(list, again)
	if err != nil {
		return r // two to four they are
	}
	r.prove(table.Proofs)
	r.noise = "differences to " + SlotName(r.slots[0]) + "; no two are runs of the same, so what is noise isn't known"
	if len(again) > 0 {
		var names []string
		for _, c := range again {
			names = append(names, SlotName(slices.Index(held[:], c)))
		}
		r.noise = "differences to " + SlotName(r.slots[0]) + "; grey: no more than " + and(names) + ", runs of the same, differ by"
	}
	for k := range table.Rows {
		r.rows = append(r.rows, r.figureRow(&table.Rows[k]))
	}
	if len(table.Settings) > 0 {
		r.rows = append(r.rows, compareRow{label: "settings that differ", heading: true})
	}
	for _, s := range table.Settings {
		row := compareRow{label: s.Name, setting: true}
		for k, v := range s.Values {
			if v == "" {
				v = "-"
			}
			row.cells[r.slots[k]].value = v
		}
		r.rows = append(r.rows, row)
	}
	return r
}

// laneTop is the upper end of an even axis: above all but the longest intervals
// of every capture, above one missed refresh where there are any, and above two
// refreshes of the fastest display. A slow display doesn't need room above it
// that a fast one lacks below.
func laneTop(used [][]time.Duration, guides []compareGuide) time.Duration {
	var top, slowest, fastest, longest time.Duration
	for _, f := range used {
		if len(f) > 0 {
			top = max(top, frametime.AutoTop(f, 0)*6/5)
			longest = max(longest, slices.Max(f))
		}
	}
	for _, g := range guides {
		slowest = max(slowest, g.at)
		if fastest == 0 || g.at < fastest {
			fastest = g.at
		}
	}
	top = max(top, fastest*22/10, min(longest*11/10, slowest*22/10))
	if top <= 0 {
		return DefaultGraphTop
	}
	return top
}

// labelOf is what a capture was shown on, after its name unless that is only a
// slot's.
func labelOf(c *frametime.Capture) string {
	if len(c.Meta.Name) <= 1 {
		return c.DisplayLabel()
	}
	return c.Title()
}

func (r *comparison) guide(slot int, d time.Duration) {
	if d <= 0 {
		return
	}
	for i := range r.guides {
		if g := &r.guides[i]; (g.at - d).Abs() < g.at/50 {
			g.slots = append(g.slots, slot)
			return
		}
	}
	r.guides = append(r.guides, compareGuide{at: d, text: Millis(d) + " ms, " + PerSecond(1/d.Seconds()) + " Hz", slots: []int{slot}})
}

// distribution sorts intervals into bins and quantiles, on the same axes.
func (r *comparison) distribution(used *[frametime.MaxSlots][]time.Duration) {
	r.width = max((r.top+compareBins-1)/compareBins, time.Microsecond)
	for _, i := range r.slots {
		f := used[i]
		if len(f) == 0 {
			continue
		}
		for _, n := range frametime.Histogram(f, r.width, compareBins) {
			r.bins[i] = append(r.bins[i], shareHeight(float64(n)/float64(len(f))))
		}
		r.curves[i] = tailCurve(f)
		r.curveTop = max(r.curveTop, r.curves[i][curvePoints-1])
	}
	r.curveTop = r.curveTop * 21 / 20
}

// tailCurve are the quantiles at even steps along an axis on which each power of
// ten has as much room.
func tailCurve(f []time.Duration) []time.Duration {
	sorted := slices.Sorted(slices.Values(f))
	curve := make([]time.Duration, curvePoints)
	for i := range curve {
		q := 1 - math.Pow(10, -3*float64(i)/(curvePoints-1))
		if i == curvePoints-1 {
			q = 1
		}
		curve[i] = frametime.Quantile(sorted, q)
	}
	return curve
}

// shareHeight is how high a share of frames stands, 0..1; something is never
// nothing.
func shareHeight(share float64) float32 {
	if share <= 0 {
		return 0
	}
	return float32(max(1-math.Log10(share)/math.Log10(leastShare), 0.02))
}

// alone makes the table of a single capture.
func (r *comparison) alone(c *frametime.Capture) {
	i := r.slots[0]
	s := frametime.Summarize(c)
	for _, f := range s.Figures {
		row := compareRow{label: f.Label()}
		row.cells[i].value = f.String()
		r.rows = append(r.rows, row)
	}
	r.proofs = []proofLine{{SlotName(i) + " alone: another capture is needed to compare it with", "", Ink}}
}

func (r *comparison) figureRow(x *frametime.Row) compareRow {
	row := compareRow{label: x.Figures[0].Label()}
	for k, f := range x.Figures {
		cell := &row.cells[r.slots[k]]
		cell.value = f.String()
		if k > 0 {
			d := x.Diffs[k-1]
			cell.abs, cell.rel = differenceText(d, f)
			cell.noise = d.Noise
		}
	}
	return row
}

// differenceText writes a difference as its figure is written, and as a share; a
// difference that reads as nothing has no share.
func differenceText(d frametime.Difference, f frametime.Figure) (abs, rel string) {
	if !d.OK {
		return "", ""
	}
	f.Value = d.Abs
	abs = f.String()
	if strings.Trim(abs, "0.") == "" {
		return abs, ""
	}
	if d.Abs > 0 {
		abs = "+" + abs
	}
	switch {
	case !d.RelOK:
	case math.Abs(d.Rel) < 0.0005:
		rel = "0.0 %"
	case math.Abs(d.Rel) >= 10:
		rel = fmt.Sprintf("x%.0f", math.Abs(1+d.Rel))
	default:
		rel = fmt.Sprintf("%+.1f %%", 100*d.Rel)
	}
	return abs, rel
}

// prove says in as few lines as possible whose worlds went the same way.
func (r *comparison) prove(proofs []frametime.Proof) {
	first := SlotName(r.slots[0])
	type group struct {
		text, detail string
		ink          color.RGBA
		names        []string
		digests      int
		last         uint64
	}
	var groups []group
	for k, p := range proofs {
		g := group{digests: p.Common, last: uint64(p.Last)}
		switch {
		case p.Verdict == frametime.Differ:
			g.text, g.ink = "simulation differs from tick "+Thousands(uint64(p.First))+" on", warned
		case p.Verdict == frametime.Identical && p.Alike:
			g.text, g.ink = "simulation and presentation identical", Ink
		case p.Verdict == frametime.Identical:
			g.text, g.ink = "simulation identical, presentation differs", Ink
		default:
			g.text, g.detail, g.ink = "not comparable as simulations", p.Why, Faint
		}
		name := SlotName(r.slots[k+1])
		at := slices.IndexFunc(groups, func(x group) bool { return x.text == g.text && x.detail == g.detail })
		if at < 0 {
			at = len(groups)
			groups = append(groups, g)
		}
		x := &groups[at]
		x.names = append(x.names, name)
		x.digests, x.last = min(x.digests, g.digests), min(x.last, g.last)
	}
	for _, g := range groups {
		detail := g.detail
		if detail == "" {
			detail = plural(g.digests, "digest") + " compared, to tick " + Thousands(g.last)
		}
		r.proofs = append(r.proofs, proofLine{and(append([]string{first}, g.names...)) + ": " + g.text, detail, g.ink})
	}
}

// and joins names: "A", "A and B", "A, B and C".
func and(names []string) string {
	switch n := len(names); n {
	case 0:
		return ""
	case 1:
		return names[0]
	default:
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
}

// repeats are the captures that were meant to be the same as the first one: the
// same run on the same display with the same settings.
func repeats(list []*frametime.Capture) []*frametime.Capture {
	a := list[0]
	again := list[:1:1]
	for _, b := range list[1:] {
		same, _ := frametime.SameRun(&a.Meta, &b.Meta)
		x, y := &a.Meta, &b.Meta
		if same && x.Display == y.Display && x.Display != frametime.Unknown && a.DisplayLabel() == b.DisplayLabel() && x.TickRate == y.TickRate &&
			slices.Equal(x.Settings, y.Settings) && len(x.Changes) == 0 && len(y.Changes) == 0 &&
			x.Overlay == y.Overlay && x.Renderer == y.Renderer && x.GOMAXPROCS == y.GOMAXPROCS && x.OS == y.OS {
			again = append(again, b)
		}
	}
	if len(again) < 2 {
		return nil
	}
	return again
}
