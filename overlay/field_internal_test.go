package overlay

import (
	"image"
	"strings"
	"sync"
	"testing"
	"time"

	"chronoscope/coordinator"
	"chronoscope/loop"
	"chronoscope/routes"
)

// sheet runs panels that are high enough to show everything.
type sheet struct {
	t *testing.T
	p Panels
	v *Values
}

func newSheet(t *testing.T, s Selection) *sheet {
	h := &sheet{t: t, v: SampleValues(time.Second)}
	h.p.letters = lettering()
	h.v.Selection = s
	h.p.SetOpen(Sections{true, true, true, true, true, true})
	h.update()
	h.update()
	return h
}

// lettering is shared: what it has laid out is the slow part of a first Update.
var lettering = sync.OnceValue(func() *Lettering {
	let, err := NewLettering()
	if err != nil {
		panic(err)
	}
	return let
})

func (h *sheet) update() Intents {
	h.t.Helper()
	h.p.listen(true)
	h.p.Touch()
	return h.run()
}

func (h *sheet) run() Intents {
	h.t.Helper()
	in, err := h.p.run(h.v, image.Rect(0, 0, SidebarWidth, 8000), 1, false)
	if err != nil {
		h.t.Fatal(err)
	}
	return in
}

// enter types into a field and ends with Enter.
func (h *sheet) enter(f *field, text string) Intents {
	h.t.Helper()
	h.p.edit.begin(f, "")
	for _, r := range text {
		h.p.edit.put(r)
	}
	d, _ := h.p.edit.end()
	h.p.done = d
	return h.update()
}

// press presses a control by keyboard.
func (h *sheet) press(section Section, name string) Intents {
	h.t.Helper()
	h.p.listen(true)
	h.p.keys.on, h.p.keys.press, h.p.keys.at = true, true, controlKey{section, name}
	in := h.run()
	h.p.keys.on = false
	return in
}

// pacing is an intent that changes the pacing of the sample.
func pacing(change func(*coordinator.Pacing)) Intents {
	in := Intents{Pacing: coordinator.DefaultPacing(), HasPacing: true}
	change(&in.Pacing)
	return in
}

func tuning(change func(*Intents)) Intents {
	in := Intents{Tuning: SampleValues(0).Tuning, HasTuning: true}
	change(&in)
	return in
}

// What is typed into each field becomes an intent, or is refused with the range
// named, and then nothing is asked for.
func TestFields(t *testing.T) {
	char := Selection{Kind: OneCharacter, Spawn: SampleSpawn}
	tests := []struct {
		name     string
		field    func(*fields) *field
		accepted map[string]Intents
		refused  []string
		says     string
	}{
		{"tick rate", func(f *fields) *field { return &f.rate }, map[string]Intents{
			"59.94":      pacing(func(p *coordinator.Pacing) { p.TickRate = NTSC() }),
			"60000/1001": pacing(func(p *coordinator.Pacing) { p.TickRate = NTSC() }),
			" 1 ":        pacing(func(p *coordinator.Pacing) { p.TickRate = loop.Hz(1) }),
			"240":        pacing(func(p *coordinator.Pacing) { p.TickRate = loop.Hz(240) }),
			"62.5":       pacing(func(p *coordinator.Pacing) { p.TickRate = loop.Rate{Num: 125, Den: 2} }),
		}, []string{"", "0", "241", "0.5", "NaN", "fast", "-60", "60/0", "inf", "1e2"}, "accepted are 1 to 240"},
		{"speed", func(f *fields) *field { return &f.scale }, map[string]Intents{
			"0.1": pacing(func(p *coordinator.Pacing) { p.TimeScale = 0.1 }),
			"16":  pacing(func(p *coordinator.Pacing) { p.TimeScale = 16 }),
			"1.5": pacing(func(p *coordinator.Pacing) { p.TimeScale = 1.5 }),
		}, []string{"", "0", "0.09", "16.1", "NaN", "Inf", "x2"}, "accepted are 0.1 to 16"},
		{"steps", func(f *fields) *field { return &f.steps }, map[string]Intents{"7": {}, "1 000": {}}, []string{"", "0", "1000001", "1.5", "NaN"}, "accepted are 1 to 1000000 ticks"},
		{"catch up", func(f *fields) *field { return &f.catchUp }, map[string]Intents{
			"1 000": pacing(func(p *coordinator.Pacing) { p.MaxCatchUp = 1000 }),
		}, []string{"", "0", "1001", "all"}, "accepted are 1 to 1000 ticks"},
		{"checks", func(f *fields) *field { return &f.checks }, map[string]Intents{
			"100": pacing(func(p *coordinator.Pacing) { p.ChecksPerTick = 100 }),
		}, []string{"", "0", "101"}, "accepted are 1 to 100"},
		{"sleep floor", func(f *fields) *field { return &f.floor }, map[string]Intents{
			"5ms": pacing(func(p *coordinator.Pacing) { p.SleepFloor = 5 * time.Millisecond }),
			"1us": pacing(func(p *coordinator.Pacing) { p.SleepFloor = time.Microsecond }),
		}, []string{"", "100", "0", "101ms", "-1us", "NaN"}, "accepted are 1us to 100ms"},
		{"threshold", func(f *fields) *field { return &f.threshold }, map[string]Intents{
			"1":    pacing(func(p *coordinator.Pacing) { p.LagThreshold = 1 }),
			"1000": pacing(func(p *coordinator.Pacing) { p.LagThreshold = 1000 }),
			"10":   {}, // as it is
		}, []string{"", "0", "1001", "ten", "NaN"}, "accepted are 1 to 1000 ticks"},
		{"how many", func(f *fields) *field { return &f.add }, map[string]Intents{"12": {}}, []string{"", "0", "2000001", "-5"}, "accepted are 1 to 2000000 characters"},
		{"AI cost", func(f *fields) *field { return &f.aiCost }, map[string]Intents{
			"100us": {AICost: 100 * time.Microsecond, HasAICost: true},
			"0":     {AICost: 0, HasAICost: true},
			"100ms": {AICost: 100 * time.Millisecond, HasAICost: true},
		}, []string{"", "5", "101ms", "-1us", "1e3"}, "accepted are 0 (none) to 100ms"},
		{"wake radius", func(f *fields) *field { return &f.wake }, map[string]Intents{
			"0":    tuning(func(in *Intents) { in.Tuning.WakeRadius = 0 }),
			"4096": tuning(func(in *Intents) { in.Tuning.WakeRadius = 4096 }),
		}, []string{"", "4097", "-1", "NaN"}, "accepted are 0 to 4096"},
		{"sleep radius", func(f *fields) *field { return &f.sleep }, map[string]Intents{
			"4000": tuning(func(in *Intents) { in.Tuning.SleepRadius = 4000 }),
		}, []string{"3999"}, "accepted are 4000 (the wake radius) to 4096 cells"},
		{"hysteresis", func(f *fields) *field { return &f.hysteresis }, map[string]Intents{
			"0": tuning(func(in *Intents) { in.Tuning.WakeHysteresis = 0 }),
		}, []string{"", "1000001", "-1"}, "accepted are 0 to 1000000 ticks"},
		{"residence", func(f *fields) *field { return &f.residence }, map[string]Intents{
			"90": tuning(func(in *Intents) { in.Tuning.MinResidence = 90 }),
		}, []string{"", "1000001", "-1"}, "accepted are 0 to 1000000 ticks"},
		{"budget", func(f *fields) *field { return &f.budget }, map[string]Intents{
			"0":   tuning(func(in *Intents) { in.Tuning.ActiveBudget = 0 }),
			"500": tuning(func(in *Intents) { in.Tuning.ActiveBudget = 500 }),
		}, []string{"", "2000001", "-1"}, "accepted are 0 (no limit) to 2000000 characters"},
		{"map", func(f *fields) *field { return &f.mapName }, map[string]Intents{"town:512": {}, "maps/a b.map": {}}, []string{""}, "accepted are town, town:SIZE"},
		{"a town", func(f *fields) *field { return &f.mapName }, nil, []string{"town:5", "town:", "town:x"}, "64 to 4096"},
		{"seed", func(f *fields) *field { return &f.seed }, map[string]Intents{"18446744073709551615": {}, "2": {}}, []string{"", "0", "18446744073709551616", "-1"}, "accepted are 1 to"},
		{"population", func(f *fields) *field { return &f.npcs }, map[string]Intents{"0": {}}, []string{"", "2000001"}, "accepted are 0 to 2000000 characters"},
		{"zone side", func(f *fields) *field { return &f.side }, map[string]Intents{"2": {}}, []string{"", "1", "513"}, "accepted are 2 to 512 cells"},
		{"spawn number", func(f *fields) *field { return &f.goTo }, map[string]Intents{
			"1 234": {GoTo: 1234, HasGoTo: true, Select: Selection{Kind: OneCharacter, Spawn: 1234}, HasSelect: true},
		}, []string{"", "0", "2000001", "#7"}, "accepted are 1 to 2000000"},
		{"stall", func(f *fields) *field { return &f.stall }, map[string]Intents{"1ms": {}, "10m": {}}, []string{"", "500", "0", "10m1s"}, "accepted are 1ms to 10m"},
		{"hold", func(f *fields) *field { return &f.hold }, map[string]Intents{"1": {}}, []string{"", "0", "604801"}, "accepted are 1 to 604800 ticks"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for text, want := range tt.accepted {
				h := newSheet(t, char)
				f := tt.field(&h.p.fields)
				f.refused = "something before"
				if got := h.enter(f, text); got != want || f.refused != "" {
					t.Errorf("%q asks for %+v, want %+v; refused: %q", text, got, want, f.refused)
				}
			}
			for _, text := range tt.refused {
				h := newSheet(t, char)
				f := tt.field(&h.p.fields)
				before, draft := *h.v, h.p.draft.setup
				got := h.enter(f, text)
				if got != (Intents{}) || !strings.Contains(f.refused, tt.says) || !strings.Contains(f.refused, quoted(text)) {
					t.Errorf("%q asks for %+v; says %q, want %q in it", text, got, f.refused, tt.says)
				}
				if h.v.Pacing != before.Pacing || h.v.Tuning != before.Tuning || h.p.draft.setup != draft {
					t.Errorf("%q changed what there was", text)
				}
				if in := h.update(); in != (Intents{}) {
					t.Errorf("later %q asks for %+v", text, in)
				}
			}
		})
	}
}

// A field that is left as it was asks for nothing, though the value has changed
// under it.
func TestEditor(t *testing.T) {
	var e editor
	f := new(field)
	e.begin(f, "60")
	if _, changed := e.end(); changed {
		t.Error("nothing typed counts as a change")
	}
	tests := []struct{ keys, want string }{
		{"75", "75"},       // replaces what is selected
		{"<", ""},          // erases it
		{"7<", ""},         //
		{"7<<5", "5"},      // nothing before the beginning
		{" 7 ", "7"},       // spaces around
		{"1\x00\n2", "12"}, // what can't be printed
		{"é<e", "e"},       // whole characters
	}
	for _, tt := range tests {
		e.begin(f, "60")
		for _, r := range tt.keys {
			if r == '<' {
				e.erase()
			} else {
				e.put(r)
			}
		}
		if got, _ := e.end(); got.text != tt.want || got.field != f {
			t.Errorf("%q gives %q, want %q", tt.keys, got.text, tt.want)
		}
	}
	e.begin(f, "")
	for range 2 * entryLimit {
		e.put('x')
	}
	if got, _ := e.end(); len(got.text) != entryLimit {
		t.Errorf("%d characters taken, want %d", len(got.text), entryLimit)
	}
}

// A field that disappears while somebody types drops what was typed.
func TestTypingEndsWithItsField(t *testing.T) {
	h := newSheet(t, Selection{})
	h.p.edit.begin(&h.p.fields.rate, "60")
	h.p.edit.put('9')
	h.update()
	if h.p.edit.field == nil {
		t.Fatal("the field lost the keyboard")
	}
	if _, keys := h.p.Capturing(); !keys {
		t.Error("the map gets the keys")
	}
	h.p.SetOpen(Sections{})
	if in := h.update(); in != (Intents{}) || h.p.edit.field != nil {
		t.Errorf("asks for %+v, field %v", in, h.p.edit.field)
	}
	h.update()
	if _, keys := h.p.Capturing(); keys {
		t.Error("the map doesn't get the keys")
	}
}

// Each button asks for its own.
func TestButtons(t *testing.T) {
	char, zone := Selection{Kind: OneCharacter, Spawn: SampleSpawn}, Selection{Kind: OneZone, Zone: routes.ZoneKey{X: 6, Y: -5}}
	visit := func(n uint64) Intents {
		return Intents{GoTo: n, HasGoTo: true, Select: Selection{Kind: OneCharacter, Spawn: n}, HasSelect: true}
	}
	order := func(c Command) Intents { return Intents{Command: c} }
	tests := []struct {
		sel     Selection
		section Section
		name    string
		want    Intents
	}{
		{Selection{}, TimeSection, "rate 30", pacing(func(p *coordinator.Pacing) { p.TickRate = loop.Hz(30) })},
		{Selection{}, TimeSection, "rate 59.94", pacing(func(p *coordinator.Pacing) { p.TickRate = NTSC() })},
		{Selection{}, TimeSection, "rate 120", pacing(func(p *coordinator.Pacing) { p.TickRate = loop.Hz(120) })},
		{Selection{}, TimeSection, "slower", pacing(func(p *coordinator.Pacing) { p.TimeScale = 0.5 })},
		{Selection{}, TimeSection, "x1", pacing(func(p *coordinator.Pacing) {})},
		{Selection{}, TimeSection, "faster", pacing(func(p *coordinator.Pacing) { p.TimeScale = 2 })},
		{Selection{}, TimeSection, "pause", Intents{TogglePause: true}},
		{Selection{}, TimeSection, "step", Intents{Step: 1}},
		{Selection{}, TimeSection, "step many", Intents{Step: defaultSteps}},
		{Selection{}, TimeSection, "when late drop", pacing(func(p *coordinator.Pacing) { p.Policy = loop.Drop })},
		{Selection{}, TimeSection, "when late slowdown", pacing(func(p *coordinator.Pacing) { p.Policy = loop.SlowDown })},
		{Selection{}, TimeSection, "clock frame", pacing(func(p *coordinator.Pacing) { p.Driver = coordinator.ByFrame })},
		{Selection{}, TimeSection, "waiting gate", pacing(func(p *coordinator.Pacing) { p.Wait = coordinator.Gate })},
		{Selection{}, BrakeSection, "less", pacing(func(p *coordinator.Pacing) { p.LagThreshold = 9 })},
		{Selection{}, BrakeSection, "more", pacing(func(p *coordinator.Pacing) { p.LagThreshold = 11 })},
		{Selection{}, BrakeSection, "laggard 0", visit(1_999_999)},
		{Selection{}, BrakeSection, "cause 0", visit(1_999_999)},
		{Selection{}, DisplaySection, "vsync", Intents{ToggleVSync: true}},
		{Selection{}, DisplaySection, "fullscreen", Intents{ToggleFullscreen: true}},
		{Selection{}, WorldSection, "spawn 100", order(Command{Kind: SpawnMore, N: 100})},
		{Selection{}, WorldSection, "spawn 1000", order(Command{Kind: SpawnMore, N: 1000})},
		{Selection{}, WorldSection, "remove 100", order(Command{Kind: RemoveLast, N: 100})},
		{Selection{}, WorldSection, "remove 1000", order(Command{Kind: RemoveLast, N: 1000})},
		{Selection{}, WorldSection, "spawn", order(Command{Kind: SpawnMore, N: defaultAdd})},
		{Selection{}, WorldSection, "remove", order(Command{Kind: RemoveLast, N: defaultAdd})},
		{Selection{}, WorldSection, "camera", Intents{ToggleCamera: true}},
		{Selection{}, WorldSection, "AI 0", Intents{HasAICost: true}},
		{Selection{}, WorldSection, "AI 100 us", Intents{AICost: 100 * time.Microsecond, HasAICost: true}},
		{Selection{}, WorldSection, "start it", Intents{Setup: SampleValues(0).Setup, HasSetup: true}},
		{Selection{}, InspectorSection, "go", visit(1)},
		{Selection{}, InspectorSection, "spawn more", visit(2)},
		{Selection{}, InspectorSection, "spawn less", Intents{}}, // there is none before 1
		{char, InspectorSection, "centre", Intents{GoTo: SampleSpawn, HasGoTo: true}},
		{char, InspectorSection, "follow", Intents{ToggleFollow: true}},
		{char, InspectorSection, "deselect", Intents{HasSelect: true}},
		{char, InspectorSection, "stall", order(Command{Kind: Stall, Spawn: SampleSpawn, For: defaultStall})},
		{char, InspectorSection, "hold", order(Command{Kind: Hold, Spawn: SampleSpawn, Ticks: defaultHold})},
		{char, InspectorSection, "reroute", Intents{ArmReroute: true}},
		{char, InspectorSection, "cancel", order(Command{Kind: Cancel, Spawn: SampleSpawn})},
		{char, InspectorSection, "end", Intents{}}, // the first click only asks
		{char, InspectorSection, "pin its zone", order(Command{Kind: PinZone, Zone: zone.Zone, On: true})},
		{char, InspectorSection, "select its zone", Intents{Select: zone, HasSelect: true}},
		{zone, InspectorSection, "pin", order(Command{Kind: PinZone, Zone: zone.Zone})},
		{zone, InspectorSection, "deselect", Intents{HasSelect: true}},
		{zone, InspectorSection, "leg 3", visit(1_999_903)},
	}
	for _, tt := range tests {
		t.Run(tt.section.String()+" "+tt.name, func(t *testing.T) {
			h := newSheet(t, tt.sel)
			if got := h.press(tt.section, tt.name); got != tt.want {
				t.Errorf("asks for %+v\nwant %+v", got, tt.want)
			}
			if in := h.update(); in != (Intents{}) {
				t.Errorf("goes on asking for %+v", in)
			}
		})
	}
}

func TestEndAsksTwice(t *testing.T) {
	h := newSheet(t, Selection{Kind: OneCharacter, Spawn: SampleSpawn})
	end := func() Intents { return h.press(InspectorSection, "end") }
	if in := end(); in != (Intents{}) {
		t.Fatalf("the first click asks for %+v", in)
	}
	for range sureUpdates {
		h.update()
	}
	if in := end(); in != (Intents{}) {
		t.Fatalf("a click two seconds later asks for %+v", in)
	}
	// Another one is selected: it isn't the one that was asked about.
	h.v.Selection.Spawn, h.v.Character.Spawn = 7, 7
	h.update()
	if in := end(); in != (Intents{}) {
		t.Fatalf("the first click on another one asks for %+v", in)
	}
	if in, want := end(), (Intents{Command: Command{Kind: End, Spawn: 7}}); in != want {
		t.Errorf("the second click asks for %+v, want %+v", in, want)
	}
	if in := end(); in != (Intents{}) {
		t.Errorf("a third click asks for %+v", in)
	}
}

// What a button works with is what was typed beside it.
func TestTypedBesideButtons(t *testing.T) {
	h := newSheet(t, Selection{Kind: OneCharacter, Spawn: SampleSpawn})
	h.enter(&h.p.fields.steps, "7")
	h.enter(&h.p.fields.add, "12")
	h.enter(&h.p.fields.stall, "2s")
	h.enter(&h.p.fields.hold, "90")
	for name, want := range map[controlKey]Intents{
		{TimeSection, "step many"}:  {Step: 7},
		{WorldSection, "remove"}:    {Command: Command{Kind: RemoveLast, N: 12}},
		{InspectorSection, "stall"}: {Command: Command{Kind: Stall, Spawn: SampleSpawn, For: 2 * time.Second}},
		{InspectorSection, "hold"}:  {Command: Command{Kind: Hold, Spawn: SampleSpawn, Ticks: 90}},
	} {
		if got := h.press(name.section, name.name); got != want {
			t.Errorf("%v asks for %+v, want %+v", name, got, want)
		}
	}
}

// A draft of a new world survives until another world runs.
func TestDraft(t *testing.T) {
	h := newSheet(t, Selection{})
	h.press(WorldSection, "scenario brake")
	want := h.v.Scenarios[1]
	if h.p.draft.setup != want {
		t.Fatalf("the draft is %+v, want %+v", h.p.draft.setup, want)
	}
	h.enter(&h.p.fields.seed, "99")
	h.enter(&h.p.fields.npcs, "7")
	h.enter(&h.p.fields.side, "32")
	h.enter(&h.p.fields.mapName, "town:128")
	want.Seed, want.NPCs, want.ZoneSide, want.Map = 99, 7, 32, "town:128"
	if in := h.press(WorldSection, "start it"); in != (Intents{Setup: want, HasSetup: true}) {
		t.Errorf("asks for %+v, want %+v", in.Setup, want)
	}
	// While it is being made it can't be asked for again.
	h.v.Opening = true
	if in := h.press(WorldSection, "start it"); in != (Intents{}) {
		t.Errorf("while it is being made: %+v", in)
	}
	h.v.Opening = false
	h.press(WorldSection, "as it runs")
	if h.p.draft.setup != h.v.Setup {
		t.Errorf("the draft is %+v, want %+v", h.p.draft.setup, h.v.Setup)
	}
	h.press(WorldSection, "scenario brake")
	h.v.Setup.Seed = 4
	h.update()
	if h.p.draft.setup != h.v.Setup {
		t.Errorf("with another world running the draft is %+v", h.p.draft.setup)
	}
}
