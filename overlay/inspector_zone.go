package overlay

import (
	"image/color"
	"strings"

	"chronoscope/loop"
	"chronoscope/world"
)

// zoneRows is how many legs of a zone are listed; passageRows how many
// passages of each.
const (
	zoneRows    = 40
	passageRows = 4
)

func (s *page) zone() {
	v := s.v
	d := &v.Zone
	z := v.Selection.Zone
	s.title(zoneName(z))
	if d.Zone != z {
		s.note("It is being looked up.")
		return
	}
	if d.Active {
		s.rowIn("state", "active: "+whyActive(d), ZoneEdge)
		s.row("since", "tick "+Thousands(uint64(d.Since))+", "+until(d.Since, v.Tick))
		s.row("activation", "number "+Thousands(uint64(d.Activation))+" of all zones")
	} else {
		s.row("state", "asleep: nobody in it runs every tick")
	}
	s.row("legs", Count(d.Legs)+" touch it, "+Count(d.Refined)+" of them refined")
	refined := Thousands(d.Refinements) + " in the whole world"
	if d.Refinements > 0 {
		refined += ", mean " + Precise(d.RefineMean) + ", P99 " + Precise(d.RefineP99)
	}
	s.row("refinements", refined)
	s.grid(-1, -1)
	label := "pin (P)"
	if d.Pinned {
		label = "unpin (P)"
	}
	if s.option("pin", label, d.Pinned) {
		s.in.Command = Command{Kind: PinZone, Zone: z, On: !d.Pinned}
	}
	if s.button("deselect", "deselect") {
		s.in.Select, s.in.HasSelect = Selection{}, true
	}
	s.title("who is here, and when")
	if len(d.Rows) == 0 {
		s.note("no leg touches this zone")
	}
	n := min(len(d.Rows), zoneRows)
	for i := range n {
		s.zoneLeg(i, &d.Rows[i])
	}
	if more := max(d.Legs, len(d.Rows)) - n; more > 0 {
		s.note("and " + Count(more) + " more")
	}
}

// whyActive names what keeps a zone active.
func whyActive(d *world.ZoneDetail) string {
	var why []string
	if d.Pinned {
		why = append(why, "pinned")
	}
	if d.Near {
		why = append(why, "a visitor is near")
	}
	if d.Camera {
		why = append(why, "the camera")
	}
	if why == nil {
		return "about to fall asleep"
	}
	return strings.Join(why, ", ")
}

// Colours of passages, by where they lie in time.
var (
	passagePast   = Faint
	passageNow    = ZoneEdge
	passageToCome = color.RGBA{0xCC, 0x79, 0xA7, 0xFF}
)

func tenseColor(tense string) color.RGBA {
	switch tense {
	case "past":
		return passagePast
	case "now":
		return passageNow
	}
	return passageToCome
}

// zoneLeg is one leg: who, in which mode, and its passages through the zone.
func (s *page) zoneLeg(i int, l *world.ZoneLeg) {
	now := s.v.Tick
	s.grid(84, -1)
	if s.button(place("leg", i), spawnName(l.Spawn)) {
		s.visit(l.Spawn)
	}
	mode := l.Mode.String()
	if l.Detailed {
		mode += ", detailed schedule"
	}
	c := Resting
	if l.Mode == world.Active {
		c = Awake
	}
	s.text(mode, c)
	if len(l.Passages) == 0 {
		s.row("", "its passages aren't worked out")
		return
	}
	s.lines(12, -1, 60)
	shown := l.Passages[:min(len(l.Passages), passageRows)]
	for _, p := range shown {
		tense := Tense(p, now)
		s.text("", Faint)
		s.text(passageText(p.Enter, p.Exit, now), tenseColor(tense))
		s.text(tense, tenseColor(tense))
	}
	if more := len(l.Passages) - len(shown); more > 0 {
		s.text("", Faint)
		s.text("and "+plural(more, "passage")+" more", Faint)
		s.text("", Faint)
	}
}

func passageText(enter, exit, now loop.Tick) string {
	s := spanText(enter, exit)
	switch {
	case enter == exit:
		s += " touched"
	case enter > now:
		s += " " + until(enter, now)
	}
	return s
}
