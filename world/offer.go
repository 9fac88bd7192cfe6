package world

import (
	"iter"

	"chronoscope/coordinator"
	"chronoscope/loop"
	"chronoscope/routes"
)

// offer is the keeper's round through the active zones, looking for those on a
// detailed schedule when the budget has room again. It goes on where the last
// one ended, so that no zone is preferred.
type offer struct {
	next  int       // zone number
	left  int       // zones to look at in the round under way
	given int       // offers made in it
	after loop.Tick // no round begins at this tick or before
}

// offerWork is a piece of a round, in looks at a zone or a leg: about a tenth
// of a millisecond.
const offerWork = 1 << 12

// offerPause is how many ticks pass after a round in vain: all who wait are on
// their way through zones that sleep.
const offerPause = 60

// start begins a round through n zones.
func (o *offer) start(n int) { o.left, o.given = n, 0 }

func (o *offer) underWay() bool { return o.left > 0 }

// offers says whether a round is worth it at tick t.
func (k *keeper) offers(t loop.Tick) bool {
	b := &k.w.budget
	return b.detailed.Load() > 0 && t > k.offer.after && b.room(k.w.tuning.Load().ActiveBudget, 1) > 0
}

// makeOffers does a piece of the round under way: as many as there is room for
// are told to try again. Whoever does not take the place leaves it for a later
// round.
func (k *keeper) makeOffers(t loop.Tick) {
	o, b := &k.offer, &k.w.budget
	if !o.underWay() {
		return
	}
	waiting := int(b.detailed.Load())
	room := b.room(k.w.tuning.Load().ActiveBudget, waiting)
	for work := 0; o.left > 0 && work < offerWork; work++ {
		if room <= 0 {
			o.left, o.after = 0, t
			return
		}
		id := o.next
		if o.next++; o.next == len(k.why) {
			o.next = 0
		}
		o.left--
		if k.why[id] == 0 {
			continue
		}
		z := k.zone(id)
		for c := range k.owners(z) {
			work++
			if room <= 0 {
				break
			}
			if c.schedule.Load() == nil || routes.ZoneAt(c.current().leg.At(t), k.w.params.ZoneSide) != z {
				continue
			}
			k.w.notify(c.id, noticeZone, t)
			o.given++
			room--
		}
	}
	if o.left == 0 {
		o.after = t
		if o.given == 0 {
			o.after += offerPause
		}
	}
}

// zone is the key of a zone number.
func (k *keeper) zone(id int) routes.ZoneKey {
	_, last := k.w.index.Zones()
	width := int(last.X) + 1
	return routes.ZoneKey{X: int32(id % width), Y: int32(id / width)}
}

// owners are the living characters whose legs touch a zone.
func (k *keeper) owners(z routes.ZoneKey) iter.Seq[*character] {
	return func(yield func(*character) bool) {
		k.legs = k.w.index.Lookup(z, k.legs[:0])
		for _, leg := range k.legs {
			if c := k.w.people.find(coordinator.ObjectID(leg.Owner)); c != nil && !yield(c) {
				break
			}
		}
		clear(k.legs)
	}
}
