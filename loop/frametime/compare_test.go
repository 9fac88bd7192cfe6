package frametime_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"chronoscope/loop"
	"chronoscope/loop/frametime"
)

// The same run on 60 and on 120 Hz: one simulation, two presentations.
func TestCompareDisplays(t *testing.T) {
	a, b := sample(60, 800), sample(120, 1600)
	cmp, err := frametime.Compare([]*frametime.Capture{a, b}, nil)
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "compare.txt", cmp.Text())
	if p := cmp.Proofs[0]; p.Verdict != frametime.Identical || p.Alike || p.Common != 5 || p.Last != 300 {
		t.Errorf("%+v", p)
	}
	// Missed refreshes: every 97th frame takes two.
	for i, want := range []string{"59", "118"} {
		if f, _ := cmp.Summaries[i].Figure("average"); !strings.HasPrefix(f.String(), want) {
			t.Errorf("%c averages %s", 'A'+i, f)
		}
	}
	for _, r := range cmp.Rows {
		d := r.Diffs[0]
		if d.Noise {
			t.Errorf("%s is noise without repeats", r.Figures[0].Name)
		}
		if d.OK && d.Abs != r.Figures[1].Value-r.Figures[0].Value {
			t.Errorf("%s: %+v", r.Figures[0].Name, d)
		}
	}
	if !slices.ContainsFunc(cmp.Settings, func(r frametime.SettingRow) bool {
		return r.Name == "stated refresh" && slices.Equal(r.Values, []string{"60", "120"})
	}) {
		t.Errorf("settings: %v", cmp.Settings)
	}
	for _, n := range []int{0, 1, 5} {
		if _, err := frametime.Compare(slices.Repeat([]*frametime.Capture{a}, n), nil); !errors.Is(err, frametime.ErrSlots) {
			t.Errorf("%d captures: %v", n, err)
		}
	}
}

// What repeated runs differ by is no difference.
func TestCompareNoise(t *testing.T) {
	shifted := func(by time.Duration) *frametime.Capture {
		c := &frametime.Capture{Meta: frametime.Meta{Rules: frametime.Rules{Warmup: -1}}}
		for i := range int64(200) {
			d := int64(10*ms + by)
			c.Frames = append(c.Frames, frametime.Frame{Seq: uint64(i), Layout: i * d, Next: (i + 1) * d, Flags: frametime.Focused | frametime.NoStamps | frametime.NoWorld})
		}
		return c
	}
	repeats := []*frametime.Capture{shifted(0), shifted(100 * time.Microsecond)}
	cmp, err := frametime.Compare([]*frametime.Capture{shifted(0), shifted(90 * time.Microsecond), shifted(200 * time.Microsecond), shifted(100 * time.Microsecond)}, repeats)
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, r := range cmp.Rows {
		switch r.Figures[0].Name {
		case "P50", "average", "P99", "longest":
			seen++
			// The last one differs by just as much as the repeats do.
			if !r.Diffs[0].Noise || r.Diffs[1].Noise || !r.Diffs[2].Noise {
				t.Errorf("%s: %+v", r.Figures[0].Name, r.Diffs)
			}
		case "busy, mean":
			if r.Diffs[0].OK {
				t.Errorf("unknown work differs: %+v", r.Diffs)
			}
		}
	}
	if seen != 4 {
		t.Errorf("%d of the figures", seen)
	}
	if text := cmp.Text(); !strings.Contains(text, "(+0.090)") || !strings.Contains(text, "+0.200") {
		t.Errorf("brackets are missing:\n%s", text)
	}
}

func TestProof(t *testing.T) {
	for name, tt := range map[string]struct {
		change func(*frametime.Capture)
		want   string
	}{
		"the same file": {func(*frametime.Capture) {}, "simulation and presentation identical (5 digests, to tick 300)"},
		"other frames":  {func(c *frametime.Capture) { c.Frames = c.Frames[:10] }, "simulation identical, presentation differs (5 digests, to tick 300)"},
		"shorter":       {func(c *frametime.Capture) { c.Digests, c.Frames = c.Digests[1:3], nil }, "simulation identical (2 digests, to tick 180)"},
		"other result":  {func(c *frametime.Capture) { c.Digests[2].Sum++; c.Digests[4].Sum++ }, "simulation differs: the digests part at tick 180 (5 compared, to tick 300)"},
		"other ticks":   {func(c *frametime.Capture) { c.Digests = []frametime.Digest{{Tick: 61}} }, "they have no digest of the same tick"},
		"no digests":    {func(c *frametime.Capture) { c.Digests = nil }, "they have no digest of the same tick"},
		"another seed":  {func(c *frametime.Capture) { c.Meta.Seed = 8 }, "the seeds are 18446744073709551615 and 8"},
		"another map":   {func(c *frametime.Capture) { c.Meta.Map = "x" }, "the maps are"},
		"another town":  {func(c *frametime.Capture) { c.Meta.Scenario = "x" }, "the scenarios are"},
		"population":    {func(c *frametime.Capture) { c.Meta.World[0].Value = "5" }, "npcs is 1000 and 5"},
		"more said":     {func(c *frametime.Capture) { c.Meta.World = append(c.Meta.World, frametime.Setting{Name: "ai"}) }, "only one has ai"},
		"less said":     {func(c *frametime.Capture) { c.Meta.World = nil }, "only one has npcs"},
		"said apart":    {func(c *frametime.Capture) { c.Meta.World[0].Name = "zones" }, "only one has npcs"},
		"by hand":       {func(c *frametime.Capture) { c.Meta.Commands = 1 }, "commands were given by hand"},
		"a demo":        {func(c *frametime.Capture) { c.Meta.Demo = "d" }, "the demos are none and d"},
		"imported":      {func(c *frametime.Capture) { c.Meta = frametime.Meta{Source: "MangoHud"} }, "doesn't say what ran"},
		"settings only": {func(c *frametime.Capture) { c.Meta.Settings[0].Value = "x"; c.Meta.Stated = loop.Hz(7) }, "simulation and presentation identical"},
	} {
		t.Run(name, func(t *testing.T) {
			b := sample(60, 30)
			tt.change(b)
			if got := frametime.Prove(sample(60, 30), b).String(); !strings.Contains(got, tt.want) {
				t.Errorf("%s, want %s", got, tt.want)
			}
		})
	}
	// The same demo, whatever was given by hand in it.
	a, b := sample(60, 30), sample(60, 30)
	a.Meta.Demo, b.Meta.Demo, a.Meta.Commands, b.Meta.Seed = "d", "d", 4, 1
	if p := frametime.Prove(a, b); p.Verdict != frametime.Identical {
		t.Errorf("%v", p)
	}
}

// A change of a setting begins a segment, with its own rates.
func TestSegments(t *testing.T) {
	c := sample(60, 100)
	at := func(i int) int64 { return c.Frames[i].Layout }
	set := func(i int, name, value string) frametime.Change {
		return frametime.Change{At: at(i), Setting: frametime.Setting{Name: name, Value: value}}
	}
	c.Meta.Changes = []frametime.Change{
		set(0, "vsync", "true"), set(30, "tick-rate", "30"), set(30, "vsync", "false"), set(60, "refresh", "119.88"), set(80, "refresh", ""),
	}
	segs := c.Segments()
	type key struct {
		n             int
		rate, refresh loop.Rate
	}
	var got []key
	for _, s := range segs {
		got = append(got, key{len(s.Frames), s.Rate, s.Refresh})
	}
	want := []key{{30, loop.Hz(60), loop.Hz(60)}, {30, loop.Hz(30), loop.Hz(60)}, {20, loop.Hz(30), loop.Rate{Num: 120000, Den: 1001}}, {20, loop.Hz(30), loop.Rate{}}}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if segs = (&frametime.Capture{}).Segments(); len(segs) != 0 {
		t.Errorf("segments of nothing: %v", segs)
	}
	// Without a stated rate the measured one counts, by its usual name.
	c.Meta.Stated, c.Meta.Changes = loop.Rate{}, nil
	c.Meta.Measured = 16_683_000
	if segs = c.Segments(); len(segs) != 1 || segs[0].Refresh != (loop.Rate{Num: 60000, Den: 1001}) || c.DisplayLabel() != "virtual 59.94 Hz" {
		t.Errorf("%v, %s", segs[0].Refresh, c.DisplayLabel())
	}
}

func TestSummary(t *testing.T) {
	// The test vector as a capture.
	c := &frametime.Capture{Meta: frametime.Meta{Rules: frametime.Rules{Warmup: -1}, Display: frametime.Emulated, Stated: loop.Hz(120)}}
	at := int64(0)
	for i, d := range frames(999, 8*ms, 200*ms) {
		c.Frames = append(c.Frames, frametime.Frame{Seq: uint64(i), Layout: at, Next: at + int64(d), Flags: frametime.Focused | frametime.NoStamps | frametime.NoWorld})
		at += int64(d)
	}
	check := func(want map[string]string) {
		t.Helper()
		s := frametime.Summarize(c)
		for name, v := range want {
			if f, ok := s.Figure(name); !ok || f.String() != v {
				t.Errorf("%s: %s, want %s", name, f, v)
			}
		}
	}
	check(map[string]string{"average": "122.07", "P1 low": "125.00", "1 % low, average": "36.76", "1 % low, integral": "5.00", "P50": "8.000", "P99.9": "8.192",
		"longest": "200.000", "missed refreshes": "23", "drift": "n/a", "busy, mean": "n/a", "tick error, max": "n/a", "cadence, swaps": "n/a"})
	c.Frames = c.Frames[:999]
	check(map[string]string{"P99.9": "n/a", "P99": "8.000"})
	c.Frames = c.Frames[:99]
	check(map[string]string{"P99": "n/a", "P1 low": "n/a", "1 % low, average": "n/a", "1 % low, integral": "n/a", "P95": "8.000"})
	c.Frames = nil
	check(map[string]string{"average": "n/a", "P50": "n/a", "missed refreshes": "n/a", "stutter time": "n/a"})
	if c.Title() != "emulated 120 Hz" {
		t.Errorf("title %q", c.Title())
	}
	if _, ok := (&frametime.Summary{}).Figure("average"); ok {
		t.Error("a figure of nothing")
	}

	// VSync that does nothing, and a refresh that is measured all the same.
	c = sample(60, 400)
	if s := frametime.Summarize(c); s.Ineffective || frametime.RefreshLabel(s.Refresh.Round(time.Microsecond)) == "unknown" || s.Blank || len(s.Cadence) != 60 {
		t.Errorf("%+v", s)
	}
	free := frametime.Schedule{Display: frametime.VirtualDisplay{Rate: loop.Hz(60)}}.Frames(400)
	for i := range free {
		free[i].Flags |= frametime.VSyncAsked
	}
	c.Frames, c.Meta.Rules.Warmup = free, -1
	if s := frametime.Summarize(c); !s.Ineffective {
		t.Error("500 frames a second with VSync asked for on 60 Hz")
	}
	for i := range free {
		free[i].Flags &^= frametime.VSyncAsked
	}
	if s := frametime.Summarize(c); s.Ineffective {
		t.Error("500 frames a second with VSync off is what was asked for")
	}
	c.Frames[399].Flags |= frametime.Paused
	if s := frametime.Summarize(c); !s.Blank {
		t.Error("figures of a paused world are shown")
	}
	// Of an unknown display the refresh is measured, and what is missed told.
	c = sample(60, 400)
	c.Meta.Stated, c.Meta.Measured = loop.Rate{}, 0
	s := frametime.Summarize(c)
	if f, _ := s.Figure("missed refreshes"); !f.OK || f.String() != "4" {
		t.Errorf("missed on an unknown display: %v", f)
	}
	s = frametime.Summarize(sample(60, 400))
	if f, _ := s.Figure("missed refreshes"); f.Label() != "missed refreshes (est.)" {
		t.Errorf("label %q", f.Label())
	}
}

func TestInputs(t *testing.T) {
	var inputs []frametime.Input
	for i := range int64(101) {
		at := i * int64(time.Second)
		inputs = append(inputs, frametime.Input{Seen: at, Taken: at + i*int64(ms), Drawn: at + i*int64(ms) + 500, Shown: at + 200*int64(ms)})
	}
	got := map[string]string{}
	for _, f := range frametime.InputFigures(inputs) {
		got[f.Label()] = f.String()
	}
	for name, want := range map[string]string{
		"input to tick, P50, ms": "50.000", "input to tick, P95, ms": "95.000", "input to tick, P99, ms": "99.000", "tick to drawn, P50, ms": "0.001",
		"drawn to shown, P50, ms": "150.000", "input to shown, P99, ms": "200.000",
	} {
		if got[name] != want {
			t.Errorf("%s: %q, want %q", name, got[name], want)
		}
	}
	if len(got) != 12 || frametime.InputFigures(nil)[0].OK || frametime.InputTimes(inputs, 4) != nil || frametime.InputTimes(inputs, -1) != nil {
		t.Errorf("%v", got)
	}
	s := frametime.Summarize(&frametime.Capture{Inputs: inputs})
	if f, ok := s.Figure("input to shown, P95"); !ok || f.String() != "200.000" {
		t.Errorf("in a summary: %v, %v", f, ok)
	}
}

func TestCurves(t *testing.T) {
	f := []time.Duration{-6 * ms, 0, 4 * ms, 5 * ms, 9 * ms, 40 * ms}
	if got := frametime.Histogram(f, 5*ms, 3); !slices.Equal(got, []int{3, 2, 1}) {
		t.Errorf("%v", got)
	}
	if frametime.Histogram(f, 0, 3) != nil || frametime.Histogram(f, ms, 0) != nil {
		t.Error("bins of nothing")
	}
	if got := frametime.PercentileCurve([]time.Duration{30, 10, 20}, 5); !slices.Equal(got, []time.Duration{10, 15, 20, 25, 30}) {
		t.Errorf("%v", got)
	}
	if frametime.PercentileCurve(nil, 5) != nil || frametime.PercentileCurve(f, 1) != nil {
		t.Error("a curve of nothing")
	}
}
