package overlay

import (
	"fmt"
	"image/color"
	"slices"
	"time"

	"chronoscope/loop"
	"chronoscope/routes"
	"chronoscope/world"
	"chronoscope/world/scenario"
)

// How much of a character's lists is shown.
const (
	aheadRows = 6
	wakeRows  = 4
	noteRows  = 12
)

func (s *page) character() {
	v := s.v
	d := &v.Character
	spawn := v.Selection.Spawn
	s.title("character " + spawnName(spawn))
	if v.Gone || d.Spawn != spawn {
		if v.Gone {
			s.paragraph("It has ended.", warned)
		} else {
			s.note("It is being looked up.")
		}
		s.grid(-1, -1)
		if s.button("deselect", "deselect") {
			s.in.Select, s.in.HasSelect = Selection{}, true
		}
		return
	}
	s.views(spawn)
	s.state(d)
	s.leg(d)
	s.inbox(d)
	s.orders(d)
	s.ahead(d)
	s.notes(d)
}

// views is how to look at it.
func (s *page) views(spawn uint64) {
	s.grid(-1, -1, -1)
	if s.button("centre", "centre") {
		s.in.GoTo, s.in.HasGoTo = spawn, true
	}
	if s.option("follow", "follow", s.v.Follow) {
		s.in.ToggleFollow = true
	}
	if s.button("deselect", "deselect") {
		s.in.Select, s.in.HasSelect = Selection{}, true
	}
}

// modeText says what a character is doing, in the colour it has on the map.
func modeText(d *world.Detail, now loop.Tick) (string, color.RGBA) {
	c := Resting
	s := d.Mode.String()
	moving := d.Leg != nil && d.Leg.Kind == routes.Route && now < d.Leg.End
	switch d.Mode {
	case world.Active:
		c = Awake
		s = "active, runs every tick"
	case world.Sleeping:
		s = "asleep, stays"
		if moving {
			s, c = "asleep, on the way", Walking
		}
		if d.Detailed {
			s += ", detailed schedule: the active budget is spent"
		}
	}
	return s, c
}

func (s *page) state(d *world.Detail) {
	now := s.v.Tick
	mode, c := modeText(d, now)
	s.rowIn("mode", mode, c)
	if d.Mode == world.Active {
		s.row("its tick", Thousands(uint64(d.Completed)))
		if d.Lagging {
			s.rowIn("lag", Behind(d.Lag)+": it brakes the world", warned)
		} else {
			s.row("lag", ticks(d.Lag))
		}
		s.row("neighbours", Count(d.Neighbors)+" within reach")
	} else {
		s.row("lag", "none: who sleeps can't lag")
	}
	s.row("health", Count(int(d.Health)))
	s.row("born", "tick "+Thousands(uint64(d.Born)))
}

func (s *page) leg(d *world.Detail) {
	l, now := d.Leg, s.v.Tick
	if l == nil {
		return
	}
	s.title("leg " + Thousands(uint64(l.Number)))
	where := d.Place
	if where == "" {
		p := l.At(l.End)
		if l.Kind == routes.Stay {
			p = l.Place()
		}
		c := routes.CellOf(p)
		where = fmt.Sprintf("cell (%d, %d)", c.X, c.Y)
	}
	if l.Kind == routes.Route {
		s.row("goes to", where)
		s.row("arrives", until(l.End, now)+", "+clock(l.End))
	} else {
		s.row("stays at", where)
		s.row("leaves", until(l.End, now)+", "+clock(l.End))
	}
	s.row("ticks", spanText(l.Start, l.End))
	s.row("generation", Thousands(uint64(d.Generation)))
	refined := "no: no zone has needed it"
	if d.Refined {
		refined = "yes"
	}
	s.row("refined", refined)
	if len(d.Passages) == 0 {
		s.row("zones crossed", "not worked out")
		return
	}
	s.row("zones crossed", plural(len(d.Passages), "passage"))
	i := slices.IndexFunc(d.Passages, func(p routes.ZonePassage) bool { return Tense(p, now) == "now" })
	if i < 0 {
		return
	}
	p := d.Passages[i]
	s.rowIn("now in", zoneName(p.Zone)+" "+spanText(p.Enter, p.Exit), ZoneEdge)
	if i+1 < len(d.Passages) {
		p = d.Passages[i+1]
		s.row("then in", zoneName(p.Zone)+" "+until(p.Enter, now))
	}
}

func (s *page) inbox(d *world.Detail) {
	now := s.v.Tick
	s.title("inbox and wakes")
	s.row("events", Count(d.Events)+" of at most "+Count(d.EventsMax))
	notices := world.NoticeNames(d.Notices)
	if d.Pending && d.Notices == 0 && d.Events == 0 {
		notices = "some, about to be taken"
	}
	s.row("notices", notices)
	due := "none"
	if d.OldestDue != loop.MaxTick {
		due = "tick " + tickText(d.OldestDue) + ", " + until(d.OldestDue, now)
	}
	s.row("oldest due", due)
	if len(d.Wakes) == 0 {
		s.row("wakes", "none registered")
	}
	for i, w := range d.Wakes[:min(len(d.Wakes), wakeRows)] {
		name := ""
		if i == 0 {
			name = "wakes"
		}
		s.row(name, until(w.Tick, now)+": "+wakeText(w.For))
	}
}

func wakeText(f world.WakeFor) string {
	switch f {
	case world.WakeLegEnd:
		return "its leg ends"
	case world.WakeZone:
		return "enters an active zone"
	case world.WakeBorder:
		return "passes a zone's border"
	}
	return "another reason"
}

// orders are the commands, dated the next tick.
func (s *page) orders(d *world.Detail) {
	v, f := s.v, &s.p.fields
	spawn := v.Selection.Spawn
	s.title("orders, for the next tick")
	stall := f.stallD
	s.grid(nameWidth, -1, 22, -1)
	s.text("for, real time", Faint)
	s.value(&f.stall, "stall for", Precise(stall), &scenario.Duration{P: &stall, Min: time.Millisecond, Max: world.MaxStallFor},
		func() { f.stallD = stall })
	s.text("", Faint)
	if s.button("stall", "stall (T)") {
		s.in.Command = Command{Kind: Stall, Spawn: spawn, For: f.stallD}
	}
	s.refusal(&f.stall)
	hold := f.holdT
	s.grid(nameWidth, -1, 22, -1)
	s.text("for, game time", Faint)
	s.value(&f.hold, "hold for", ticks(hold), &scenario.Int[loop.Tick]{P: &hold, Min: 1, Max: world.MaxHold, Unit: "ticks"},
		func() { f.holdT = hold })
	s.text("", Faint)
	if s.button("hold", "hold") {
		s.in.Command = Command{Kind: Hold, Spawn: spawn, Ticks: f.holdT}
	}
	s.refusal(&f.hold)
	s.grid(-1, -1, -1)
	if s.option("reroute", "reroute", v.Rerouting) {
		s.in.ArmReroute = true
	}
	if s.button("cancel", "cancel plan") {
		s.in.Command = Command{Kind: Cancel, Spawn: spawn}
	}
	label := "end"
	if s.p.sure > 0 {
		label = "end: sure?"
	}
	if s.option("end", label, s.p.sure > 0) {
		if s.p.sure > 0 {
			s.in.Command = Command{Kind: End, Spawn: spawn}
			s.p.sure = 0
		} else {
			s.p.sure = sureUpdates
		}
	}
	if v.Rerouting {
		s.paragraph("Click on the map where it is to go.", ZoneEdge)
	}
	if z, ok := zoneOf(d, v); ok {
		s.grid(-1, -1)
		if s.button("pin its zone", "pin "+zoneName(z)) {
			s.in.Command = Command{Kind: PinZone, Zone: z, On: true}
		}
		if s.button("select its zone", "look at zone") {
			s.in.Select, s.in.HasSelect = Selection{Kind: OneZone, Zone: z}, true
		}
	}
}

// zoneOf is the zone in which a character is: that of its passage, or where
// its leg has it.
func zoneOf(d *world.Detail, v *Values) (routes.ZoneKey, bool) {
	at := v.Tick
	if d.Mode == world.Active {
		at = d.Completed
	}
	for _, p := range d.Passages {
		if Tense(p, at) == "now" {
			return p.Zone, true
		}
	}
	if d.Leg == nil || v.Setup.ZoneSide <= 0 {
		return routes.ZoneKey{}, false
	}
	return routes.ZoneAt(d.Leg.At(at), v.Setup.ZoneSide), true
}

func (s *page) ahead(d *world.Detail) {
	s.title("schedule ahead")
	if len(d.Ahead) == 0 {
		s.note("nothing is known of what comes next")
	}
	for _, e := range d.Ahead[:min(len(d.Ahead), aheadRows)] {
		what := e.What
		if e.Place != "" {
			what += ", " + e.Place
		}
		s.row(clock(e.Due), what)
	}
}

func (s *page) notes(d *world.Detail) {
	s.title("what happened, by tick, newest first")
	if len(d.Notes) == 0 {
		s.note("nothing since it was selected")
	}
	shown := 0
	for _, n := range slices.Backward(d.Notes) {
		if shown++; shown > noteRows {
			break
		}
		s.row(Thousands(uint64(n.Tick)), noteText(n))
	}
}

// noteText tells what happened, and when it was handled if that was later.
func noteText(n world.Note) string {
	s := noteKindText(n)
	if n.Handled > n.Tick {
		s += ", handled " + ticks(n.Handled-n.Tick) + " later"
	}
	return s
}

func noteKindText(n world.Note) string {
	count := loop.Tick(max(n.N, 0))
	switch n.Kind {
	case world.NoteWoke:
		return "took a notice"
	case world.NoteStale:
		return "took a notice that told nothing new"
	case world.NoteLeg:
		return "leg " + Thousands(uint64(n.Leg)) + " began, " + ticks(count)
	case world.NoteActive:
		return "became active"
	case world.NoteAsleep:
		return "fell asleep, active for " + ticks(count)
	case world.NoteDetailed:
		return "the active budget was spent: a detailed schedule"
	case world.NoteZoneWake:
		return "will wake in an active zone at tick " + Thousands(uint64(count))
	case world.NoteStall:
		return "stalled for " + Precise(time.Duration(n.N)*time.Millisecond)
	case world.NoteHold:
		return "told to stay for " + ticks(count)
	case world.NoteReroute:
		return "told to go elsewhere"
	case world.NoteNoWay:
		return "told to go where no way leads"
	case world.NoteCancel:
		return "told to drop its plan"
	case world.NoteEnd:
		return "told to end"
	}
	return "something else"
}
