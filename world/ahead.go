package world

import (
	"slices"

	"chronoscope/loop"
	"chronoscope/routes"
)

// ahead lists the next n entries of a schedule that are due after now, for a
// viewer: of a character whose leg stays or leads at a place (nowhere for none).
// A place is named where it is settled whatever happens on the way: whom one
// visits isn't before one sets out, and an entry that leads to where one is
// already leads next door.
func (v *lives) ahead(spawn uint64, leg *routes.Leg, at routes.PlaceID, now loop.Tick, n int) []Entry {
	p := plan{day: uint32((now + loop.DayOffset) / loop.TicksPerDay)}
	var list []Entry
	perhaps := []routes.PlaceID{at} // where one may be by then
	for len(list) < n {
		due := v.peek(spawn, &p)
		if due > now {
			what, to, others := v.means(spawn, p, leg, due, perhaps)
			e := Entry{Due: due, What: aimNames[what]}
			if to != nowhere {
				e.Place = v.places[to].Name
			}
			list = append(list, e)
			perhaps = append(perhaps, others...)
		}
		p.next++
	}
	return list
}

// means is what an entry is for, where it leads (nowhere: not settled) and
// where one may be after it.
func (v *lives) means(spawn uint64, p plan, leg *routes.Leg, due loop.Tick, perhaps []routes.PlaceID) (what aim, to routes.PlaceID, others []routes.PlaceID) {
	x := v.drawEntry(spawn, p.day, int(p.next))
	if spawn <= v.crowd {
		near, k := v.forum, below(x, len(v.forum))
		return aimMarket, settled(near, k, perhaps), near
	}
	what = v.aim(x, int(p.next), v.count(spawn, p.day))
	home := v.home(spawn)
	if what == aimHome {
		return what, home, []routes.PlaceID{home}
	}
	near, k := v.choice(spawn, home, x, what, leg.Number+1)
	if what == aimVisit && (leg.Kind != routes.Stay || leg.End != due) {
		return what, nowhere, near // it isn't the next leg
	}
	return what, settled(near, k, perhaps), []routes.PlaceID{near[k], near[(k+1)%len(near)]}
}

// settled is ids[k] unless one may stand there already: then, if that is
// certain, the one after it, or else nowhere.
func settled(ids []routes.PlaceID, k int, perhaps []routes.PlaceID) routes.PlaceID {
	if len(perhaps) == 1 {
		return other(ids, k, perhaps[0])
	}
	if slices.Contains(perhaps, ids[k]) {
		return nowhere
	}
	return ids[k]
}
