package world

import (
	"cmp"
	"fmt"
	"slices"

	"chronoscope/coordinator"
	"chronoscope/loop"
	"chronoscope/routes"
)

// A command that changes a character's plan cuts the leg under way at the tick
// at which it is taken. The step it is taking is finished, and from there
// something else follows. The schedule goes on as if a route had ended there.

// nowhere is where a character is that stands at no place.
const nowhere routes.PlaceID = -1

// orders is what a character that was told something keeps of it.
type orders struct {
	later []coordinator.Event[event] // taken and not done, by due
	taken loop.Tick                  // the tick at which the last change of its plan was taken
	plan  uint32                     // generation of its plan
	then  then                       // what begins when its leg ends
	hold  loop.Tick                  // thenHold: how long
	to    routes.Cell                // thenHold, thenGoOn, thenGo: where it is going
	cell  routes.Cell                // where its leg stays or leads, for a character that is nowhere
}

// then is what follows a leg.
type then uint8

const (
	thenPlan then = iota // what its schedule says
	thenHold             // a hold
	thenGoOn             // what its schedule says by then, or else where it was going
	thenGo               // where it was sent, whatever its schedule says
)

// pending are the events taken and not done.
func (o *orders) pending() []coordinator.Event[event] {
	if o == nil {
		return nil
	}
	return o.later
}

// next is when the first of them is to be done, MaxTick for none.
func (o *orders) next() loop.Tick {
	next := loop.MaxTick
	for _, e := range o.pending() {
		next = min(next, e.Due)
	}
	return next
}

// plans is the generation of the plan: how often it was changed, plus one.
func (o *orders) plans() uint32 {
	if o == nil {
		return 1
	}
	return o.plan
}

// holds is how long a hold is that begins now, 0 for none.
func (o *orders) holds() loop.Tick {
	if o == nil || o.then != thenHold {
		return 0
	}
	o.then = thenGoOn
	return o.hold
}

// lay puts taken events with those that are to be done, by (due, arrival).
func (c *character) lay(events []coordinator.Event[event]) {
	if len(events) == 0 {
		return
	}
	if c.orders == nil {
		c.orders = &orders{plan: 1}
	}
	o := c.orders
	o.later = append(o.later, events...)
	slices.SortStableFunc(o.later, func(a, b coordinator.Event[event]) int { return cmp.Compare(a.Due, b.Due) })
}

// replans says whether an event changes a character's plan, so that it matters
// at which tick it is done.
func (k eventKind) replans() bool { return k == eventHold || k == eventReroute || k == eventCancel }

// obey does what the character was told by now, each at its tick, and nothing
// dated end or later. A sleeper doesn't wait for the tick of what changes no
// plan. One that comes late takes effect one after the
// last tick at which something took effect: for an active character that is
// the tick it runs, now. It returns false when a stop came meanwhile.
func (c *character) obey(now, end loop.Tick) bool {
	o := c.orders
	if o == nil {
		return true
	}
	sleeps := c.active.Load() == nil
	rest := o.later[:0]
	for _, e := range o.later {
		if !e.Value.kind.replans() {
			switch {
			case e.Due >= end:
			case e.Due > now && !sleeps:
				rest = append(rest, e)
			case !c.follow(min(e.Due, now)) || !c.apply(e.Value):
				return false
			}
			continue
		}
		at := e.Due
		if !sleeps {
			at = max(at, now)
		} else if last := max(c.current().leg.Start, o.taken); at < last {
			at = last + 1
		}
		switch {
		case at >= end:
		case at > now:
			e.Due = at
			rest = append(rest, e)
		case !c.follow(at) || !c.replan(e.Value, at, now):
			return false
		}
	}
	clear(o.later[len(rest):])
	o.later = rest
	return true
}

// apply does what an event asks for that changes no plan. It returns false when
// a stop came meanwhile.
func (c *character) apply(e event) bool {
	switch e.kind {
	case eventStall:
		c.w.counts.stalls.Add(1)
		c.note(NoteStall, c.w.coord.Global(), e.wait.Milliseconds())
		return c.stall(e.wait)
	}
	panic(fmt.Sprintf("unknown event %d", e.kind))
}

// settle settles what was taken but for what is still to be done.
func (c *character) settle() {
	next := min(loop.Tick(c.endAt.Load()), c.orders.next())
	if next == loop.MaxTick {
		c.inbox.Settle()
		return
	}
	c.inbox.SettleBut(len(c.orders.pending()), next)
}

// replan changes the plan at tick t, which its leg covers. It returns false
// when a stop came meanwhile.
func (c *character) replan(e event, t, now loop.Tick) bool {
	o, leg := c.orders, c.current().leg
	going := c.going()
	cut, end, at := leg.Cut(t)
	o.taken = t
	o.plan++
	c.stand(routes.CellOf(at))
	switch e.kind {
	case eventHold:
		c.note(NoteHold, t, int64(e.ticks))
		o.then, o.hold, o.to = thenHold, e.ticks, going
	case eventReroute:
		c.note(NoteReroute, t, 0)
		o.then, o.to = thenGo, e.to
		c.drop(t)
	case eventCancel:
		c.note(NoteCancel, t, 0)
		o.then = thenPlan
		c.drop(t)
	}
	// What it was woken for on the old way may be none of its business now.
	c.zoneWake.store(loop.MaxTick)
	if cut == nil {
		return c.next(end, leg.Number, now, true)
	}
	cut.Generation = o.plan
	c.publish(cut, now, true)
	return true
}

// going is where the plan leads to: the cell at which it stays or arrives, or
// will when it goes on.
func (c *character) going() routes.Cell {
	if o := c.orders; o != nil && o.then != thenPlan {
		return o.to
	}
	return c.here()
}

// drop skips the entries of the schedule that were due by t.
func (c *character) drop(t loop.Tick) {
	for c.w.lives.peek(c.spawn, &c.plan) <= t {
		c.plan.next++
	}
}

// sent is where the leg that begins at t leads to if the schedule has nothing
// else: where the character is, or where it was going. With sent it leads there
// whatever the schedule says.
func (c *character) sent(t loop.Tick) (to routes.PlaceID, cell routes.Cell, sent bool) {
	o := c.orders
	if o == nil || o.then == thenPlan {
		return c.at, c.here(), false
	}
	at, was := c.here(), o.then
	o.then = thenPlan
	if o.to == at {
		return c.at, at, false
	}
	if c.w.m.Reachable(at, o.to) != nil {
		c.note(NoteNoWay, t, 0)
		return c.at, at, false
	}
	return c.w.placeAt(o.to), o.to, was == thenGo
}

// here is the cell where the leg stays or leads.
func (c *character) here() routes.Cell {
	if c.at == nowhere {
		return c.orders.cell
	}
	return c.w.m.Places[c.at].Cell
}

// stand makes a cell the one where the leg stays or leads.
func (c *character) stand(cell routes.Cell) { c.goesTo(c.w.placeAt(cell), cell) }

func (c *character) goesTo(to routes.PlaceID, cell routes.Cell) {
	c.at = to
	if to == nowhere {
		c.orders.cell = cell
	}
}

// placeAt is the place on a cell, the first of several, or nowhere.
func (w *World) placeAt(cell routes.Cell) routes.PlaceID {
	if id, ok := w.placeOn[cell]; ok {
		return id
	}
	return nowhere
}
