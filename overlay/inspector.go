package overlay

import (
	"fmt"
	"strconv"

	"chronoscope/loop"
	"chronoscope/routes"
	"chronoscope/world"
	"chronoscope/world/scenario"
)

// sureUpdates is how long an order that can't be taken back waits for its
// second click: two seconds of Updates.
const sureUpdates = 120

func (s *page) inspector() {
	s.goTo()
	switch s.v.Selection.Kind {
	case OneCharacter:
		s.character()
	case OneZone:
		s.zone()
	default:
		s.note("Nothing is selected. Click a character or a zone; G goes to a spawn number.")
	}
}

// goTo goes to a character by its spawn number.
func (s *page) goTo() {
	f := &s.p.fields
	s.grid(nameWidth, -1, 22, 22, 50)
	s.text("spawn number", Faint)
	n := f.goSpawn
	most := uint64(world.MaxNPCs)
	s.value(&f.goTo, "spawn number", Thousands(n), &scenario.Int[uint64]{P: &n, Min: 1, Max: most},
		func() {
			f.goSpawn = n
			s.visit(n)
		})
	if s.button("spawn less", "-") && f.goSpawn > 1 {
		f.goSpawn--
		s.visit(f.goSpawn)
	}
	if s.button("spawn more", "+") && f.goSpawn < most {
		f.goSpawn++
		s.visit(f.goSpawn)
	}
	if s.button("go", "go") {
		s.visit(f.goSpawn)
	}
	s.refusal(&f.goTo)
}

// zoneName writes a zone: "zone 3, -4".
func zoneName(z routes.ZoneKey) string { return fmt.Sprintf("zone %d, %d", z.X, z.Y) }

// tickText writes a tick that may be never.
func tickText(t loop.Tick) string {
	if t == loop.MaxTick {
		return "no end"
	}
	return Thousands(uint64(t))
}

// spanText writes [from, to).
func spanText(from, to loop.Tick) string { return "[" + tickText(from) + ", " + tickText(to) + ")" }

// clock writes the town's time of a tick, without seconds: "day 2 16:17".
func clock(t loop.Tick) string {
	if t == loop.MaxTick {
		return "never"
	}
	d := loop.TownTimeAt(t)
	return fmt.Sprintf("day %d %02d:%02d", d.Day, d.Hour, d.Minute)
}

// until writes how far away a tick is: "in 12 ticks", "now", "12 ticks ago".
func until(t, now loop.Tick) string {
	switch {
	case t == loop.MaxTick:
		return "never"
	case t == now:
		return "now"
	case t > now:
		return "in " + ticks(t-now)
	}
	return ticks(now-t) + " ago"
}

// ticks writes a number of ticks.
func ticks(n loop.Tick) string {
	if n == 1 {
		return "1 tick"
	}
	return Thousands(uint64(n)) + " ticks"
}

// spawnName writes a spawn number: "#1 234".
func spawnName(n uint64) string { return "#" + Thousands(n) }

// place is a control's name for one of several.
func place(name string, i int) string { return name + " " + strconv.Itoa(i) }

// Tense says where a passage [enter, exit) lies as seen from a tick: "past",
// "now" or "to come".
func Tense(p routes.ZonePassage, now loop.Tick) string {
	switch {
	case p.Exit <= now && p.Exit > p.Enter, p.Exit == p.Enter && p.Enter < now:
		return "past"
	case p.Enter <= now && now < p.Exit:
		return "now"
	}
	return "to come"
}
