package world

import (
	"cmp"
	"maps"
	"slices"
	"sync/atomic"

	"chronoscope/coordinator"
	"chronoscope/loop"
	"chronoscope/routes"
)

// keeper decides which zones are active: those pinned, and those around
// visitors. It follows the global tick as one participant, so zones keep up
// with visitors at any speed.
type keeper struct {
	w        *World
	inbox    coordinator.Inbox[pinOrder]
	progress coordinator.Progress
	tours    []tour
	local    atomic.Uint64 // for viewers: the tick at which visitors are drawn

	// published is the set as viewers see it.
	published atomic.Pointer[[]ZoneMark]

	// Owned by run.
	active      map[routes.ZoneKey]bool // to whether it is pinned
	pinned      map[routes.ZoneKey]bool
	activations uint32
	legs        []*routes.Leg // scratch
}

// pinOrder pins a zone or takes the pin away.
type pinOrder struct {
	zone routes.ZoneKey
	on   bool
}

// keeperInbox bounds the pins that wait for the keeper.
const keeperInbox = 1024

func newKeeper(w *World, tours []tour) *keeper {
	k := &keeper{w: w, tours: tours, active: map[routes.ZoneKey]bool{}, pinned: map[routes.ZoneKey]bool{}}
	k.inbox.Init(keeperInbox, w.dues, &w.systemInboxes)
	k.progress.Init(coordinator.ParticipantID{Kind: coordinator.KindKeeper, Object: coordinator.MakeObjectID(0, 1)}, k.inbox.Bell())
	for _, z := range w.params.Pins {
		k.pinned[z] = true
	}
	k.published.Store(new([]ZoneMark))
	return k
}

// run keeps the zones until it is stopped.
func (k *keeper) run() {
	waiter := coordinator.NewWaiter()
	defer waiter.Close()
	coord := k.w.coord
	local := coord.Global()
	k.progress.Publish(local)
	k.update(local)
	coord.Join(&k.progress)
	for {
		if k.inbox.Pending() {
			notices, orders := k.inbox.Take(nil)
			if notices&coordinator.NoticeStop != 0 {
				break
			}
			for _, o := range orders {
				if o.Value.on {
					k.pinned[o.Value.zone] = true
				} else {
					delete(k.pinned, o.Value.zone)
				}
			}
			k.update(local)
			k.inbox.Settle()
		}
		if coord.Global() <= local {
			coord.Await(&k.progress, waiter)
			continue
		}
		local++
		if len(k.tours) > 0 {
			k.update(local)
		}
		coord.Complete(&k.progress, local)
	}
	// Only a coordinator that has stopped refuses, and then nobody waits.
	_ = coord.Leave(&k.progress)
	k.inbox.Close()
}

// update brings the active zones up to tick t.
func (k *keeper) update(t loop.Tick) {
	k.local.Store(uint64(t))
	p := k.w.params
	changed := false
	for z := range k.pinned {
		if pinned, on := k.active[z]; !on {
			k.activate(z, t)
			changed = true
		} else if !pinned {
			changed = true
		}
		k.active[z] = true
	}
	points := make([]routes.Point, 0, MaxVisitors)
	for i := range k.tours {
		points = append(points, k.tours[i].at(t))
	}
	for _, at := range points {
		for z := range k.w.around(at, p.WakeRadius) {
			if _, on := k.active[z]; !on {
				k.active[z] = false
				k.activate(z, t)
				changed = true
			}
		}
	}
	for z, wasPinned := range k.active {
		if k.pinned[z] {
			continue
		}
		if slices.ContainsFunc(points, func(at routes.Point) bool { return near(at, z, p.ZoneSide, p.SleepRadius) }) {
			changed = changed || wasPinned
			k.active[z] = false
			continue
		}
		delete(k.active, z)
		k.w.zones.set(z, 0)
		k.w.counts.deactivations.Add(1)
		changed = true
	}
	if changed {
		k.publish()
	}
}

// activate marks a zone active and then asks the index who may be in it or
// come through: a leg published in between looks at the active zones itself.
func (k *keeper) activate(z routes.ZoneKey, t loop.Tick) {
	if _, ok := k.w.index.ZoneID(z); !ok {
		return
	}
	k.activations++
	k.w.zones.set(z, k.activations)
	k.w.counts.activations.Add(1)
	k.legs = k.w.index.Lookup(z, k.legs[:0])
	for _, leg := range k.legs {
		k.w.notify(coordinator.ObjectID(leg.Owner), noticeZone, t)
	}
	clear(k.legs)
}

// publish shows the set to viewers, sorted by row and column.
func (k *keeper) publish() {
	marks := make([]ZoneMark, 0, len(k.active))
	for z, pinned := range maps.All(k.active) {
		marks = append(marks, ZoneMark{Zone: z, Pinned: pinned})
	}
	slices.SortFunc(marks, func(a, b ZoneMark) int {
		return cmp.Or(cmp.Compare(a.Zone.Y, b.Zone.Y), cmp.Compare(a.Zone.X, b.Zone.X))
	})
	k.published.Store(&marks)
}

// notify opens a due at t and hands a notice to a character; one that has
// ended settles it.
func (w *World) notify(id coordinator.ObjectID, n coordinator.Notice, t loop.Tick) {
	w.dues.Open(t, 1)
	c := w.people.find(id)
	if c == nil {
		w.dues.Settle(t)
		return
	}
	// An inbox that has closed meanwhile settles the due itself.
	_ = c.inbox.Notify(n, t)
}
