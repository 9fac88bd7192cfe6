package overlay

import (
	"image"
	"strings"
	"testing"
	"time"

	"chronoscope/loop"
	"chronoscope/routes"
)

// With the longest names and numbers nothing is cut, and nothing that is
// written overlaps anything else that is.
func TestNothingIsCut(t *testing.T) {
	for name, change := range map[string]func(*Values){
		"nothing selected": func(*Values) {},
		"character":        func(v *Values) { v.Selection = Selection{Kind: OneCharacter, Spawn: SampleSpawn} },
		"rerouting": func(v *Values) {
			v.Selection, v.Rerouting = Selection{Kind: OneCharacter, Spawn: SampleSpawn}, true
			v.Character.Mode, v.Character.Detailed = 0, true
		},
		"zone":    func(v *Values) { v.Selection = Selection{Kind: OneZone, Zone: routes.ZoneKey{X: 6, Y: -5}} },
		"refused": func(v *Values) { v.Refused = "scenario: map " + strings.Repeat("long", 40) + ": no such file" },
		"slowing": func(v *Values) { v.Pacing.Policy, v.Stretch, v.Pacing.TimeScale = loop.SlowDown, 4, 16 },
	} {
		for _, height := range []int{8000, 900} {
			h := &sheet{t: t, v: SampleValues(time.Second)}
			h.p.letters = lettering()
			change(h.v)
			h.p.SetOpen(Sections{true, true, true, true, true, true})
			h.p.help = h.p.open
			h.p.init()
			h.p.fields.rate.refused = `"sixty, or a little more…": accepted are 1 to 240 a second, also as 59.94 or 60000/1001`
			for range 6 {
				h.p.Touch()
				if _, err := h.p.run(h.v, image.Rect(0, 0, SidebarWidth, height), 1, false); err != nil {
					t.Fatal(err)
				}
			}
			if len(h.p.marks) < 50 {
				t.Fatalf("%s: only %d marks", name, len(h.p.marks))
			}
			var texts []mark
			for _, m := range h.p.marks {
				if m.s == "" || m.title {
					continue
				}
				texts = append(texts, m)
				if strings.HasSuffix(m.s, "…") {
					t.Errorf("%s: %q is cut", name, m.s)
				}
				if m.box.Min.X < 0 || m.box.Max.X > h.p.body.Max.X {
					t.Errorf("%s: %q at %v reaches beyond %v", name, m.s, m.box, h.p.body)
				}
			}
			for i, a := range texts {
				for _, b := range texts[i+1:] {
					if a.box.Overlaps(b.box) {
						t.Errorf("%s: %q at %v and %q at %v overlap", name, a.s, a.box, b.s, b.box)
					}
				}
			}
		}
	}
}

func TestFold(t *testing.T) {
	h := newSheet(t, Selection{})
	p := &h.p
	for _, s := range []string{
		"", "one", "some words that take a few lines when there is little room",
		"nothing_but_one_very_long_word_without_any_space", "a 1 234 567 b 12 345 678 901 c",
	} {
		for _, w := range []int{40, 80, 200, 1000} {
			lines := p.fold(s, Body, w)
			if got := strings.ReplaceAll(strings.Join(lines, ""), " ", ""); got != strings.ReplaceAll(s, " ", "") {
				t.Errorf("%q in %d becomes %q", s, w, lines)
			}
			for _, l := range lines {
				if p.width(l, Body) > w {
					t.Errorf("%q is wider than %d", l, w)
				}
			}
		}
	}
	if got := p.fold("at tick 1 234 567", Body, p.width("tick 1 234 567", Body)+4); len(got) != 2 || got[1] != "1 234 567" {
		t.Errorf("a number is broken: %q", got)
	}
}

// The keyboard reaches every control, and comes back to the first.
func TestKeyboardReachesEverything(t *testing.T) {
	h := newSheet(t, Selection{Kind: OneCharacter, Spawn: SampleSpawn})
	h.p.listen(true)
	k := &h.p.keys
	all := len(k.prev)
	seen := map[controlKey]bool{}
	for _, c := range k.prev {
		if seen[c] {
			t.Errorf("two controls are named %v", c)
		}
		seen[c] = true
	}
	k.at = k.prev[0]
	first := k.at
	for range all {
		delete(seen, k.at)
		k.move(1)
	}
	if len(seen) != 0 || k.at != first || all < 60 {
		t.Errorf("of %d controls %d aren't reached; the walk ends at %v", all, len(seen), k.at)
	}
	k.move(-1)
	if k.at != k.prev[all-1] {
		t.Errorf("before the first comes %v", k.at)
	}
}
