package world

import (
	"cmp"
	"slices"
	"sync/atomic"

	"chronoscope/coordinator"
	"chronoscope/loop"
	"chronoscope/routes"
)

// keeper decides which zones are active: those pinned, those around visitors,
// and those under a camera that wakes. It follows the global tick as one
// participant, so zones keep up with visitors at any speed. Whatever takes it
// longer it does in pieces, between two ticks.
type keeper struct {
	w        *World
	inbox    coordinator.Inbox[pinOrder]
	progress coordinator.Progress
	tours    []tour
	local    atomic.Uint64 // for viewers: the tick at which visitors are drawn

	// area is what the camera is to wake, nil for nothing: the newest counts.
	area atomic.Pointer[Area]
	// requests counts those to look at the area and the tuning, answered is
	// their number when all was done last; working says that it is at work on a
	// request or for a tick. None of it has a due: no result waits for it.
	requests, answered atomic.Uint64
	working            atomic.Bool

	// published is the set as viewers see it.
	published atomic.Pointer[[]zoneShown]

	// Owned by run.
	why         []reasons   // by zone number
	since       []loop.Tick // by zone number: the tick of activation
	near        []routes.ZoneKey
	camera      camera
	tuned       *Tuning // the one looked at last
	offer       offer
	activations uint32
	changed     bool
	legs        []*routes.Leg // scratch
}

// reasons say why a zone is active; without any it isn't.
type reasons uint8

const (
	pinned reasons = 1 << iota
	nearby
	filmed
)

// pinOrder pins a zone or takes the pin away.
type pinOrder struct {
	zone routes.ZoneKey
	on   bool
}

// zoneShown is an active zone as it is published.
type zoneShown struct {
	ZoneMark
	activation uint32
	since      loop.Tick
}

// keeperInbox bounds the pins that wait for the keeper.
const keeperInbox = 1024

// noticeLook tells the keeper that the camera or the tuning has changed.
const noticeLook coordinator.Notice = 1 << 2

func newKeeper(w *World, tours []tour) *keeper {
	n := w.index.ZoneCount()
	k := &keeper{w: w, tours: tours, why: make([]reasons, n), since: make([]loop.Tick, n),
		camera: noCamera(), tuned: w.tuning.Load()}
	k.inbox.Init(keeperInbox, w.dues, &w.systemInboxes)
	k.progress.Init(coordinator.ParticipantID{Kind: coordinator.KindKeeper, Object: coordinator.MakeObjectID(0, 1)}, k.inbox.Bell())
	k.published.Store(new([]zoneShown))
	return k
}

// ask has the keeper look at the camera and the tuning. Requests that come
// faster than it looks are one.
func (k *keeper) ask() {
	k.requests.Add(1)
	k.inbox.Signal(noticeLook)
}

// unsettled says whether a request or a piece of work is still to be done.
func (k *keeper) unsettled() bool {
	return k.answered.Load() != k.requests.Load() || k.working.Load()
}

// run keeps the zones until it is stopped.
func (k *keeper) run() {
	waiter := coordinator.NewWaiter()
	defer waiter.Close()
	coord := k.w.coord
	local := coord.Global()
	k.progress.Publish(local)
	for _, z := range k.w.params.Pins {
		k.hold(z, pinned, local)
	}
	k.visit(local)
	k.publish()
	coord.Join(&k.progress)
	asked := uint64(0)
	for {
		if k.inbox.Pending() {
			notices, orders := k.inbox.Take(nil)
			if notices&coordinator.NoticeStop != 0 {
				break
			}
			k.pin(orders, local)
			if notices&noticeLook != 0 {
				asked = k.requests.Load()
				k.visit(local)
				k.aim()
				if t := k.w.tuning.Load(); t != k.tuned {
					k.tuned = t
					k.offer.start(len(k.why))
				}
			}
			k.publish()
			k.inbox.Settle()
		}
		busy := k.work(local)
		if !busy {
			k.answered.Store(asked)
		}
		k.working.Store(busy)
		if coord.Global() <= local {
			if !busy {
				coord.Await(&k.progress, waiter)
			}
			continue
		}
		local++
		k.visit(local)
		k.publish()
		if k.offers(local) {
			k.offer.start(len(k.why))
			k.working.Store(true)
		}
		coord.Complete(&k.progress, local)
	}
	// Only a coordinator that has stopped refuses, and then nobody waits.
	_ = coord.Leave(&k.progress)
	k.inbox.Close()
}

// work does a piece of what takes longer, and says whether there is more.
func (k *keeper) work(t loop.Tick) bool {
	if !k.camera.sweeping && !k.offer.underWay() {
		return false
	}
	k.sweep(t)
	k.publish()
	k.makeOffers(t)
	return k.camera.sweeping || k.offer.underWay()
}

// pin carries out what the inbox held.
func (k *keeper) pin(orders []coordinator.Event[pinOrder], t loop.Tick) {
	for _, o := range orders {
		if o.Value.on {
			k.hold(o.Value.zone, pinned, t)
		} else {
			k.drop(o.Value.zone, pinned, t)
		}
	}
}

// visit brings the zones around visitors up to tick t.
func (k *keeper) visit(t loop.Tick) {
	if len(k.tours) == 0 {
		return
	}
	k.local.Store(uint64(t))
	tuning, side := k.w.tuning.Load(), k.w.params.ZoneSide
	points := make([]routes.Point, 0, MaxVisitors)
	for i := range k.tours {
		points = append(points, k.tours[i].at(t))
	}
	for _, at := range points {
		for z := range k.w.around(at, tuning.WakeRadius) {
			if k.hold(z, nearby, t) {
				k.near = append(k.near, z)
			}
		}
	}
	k.near = slices.DeleteFunc(k.near, func(z routes.ZoneKey) bool {
		for _, at := range points {
			if near(at, z, side, tuning.SleepRadius) {
				return false
			}
		}
		k.drop(z, nearby, t)
		return true
	})
}

// hold gives a zone a reason to be active, and says whether it is a new one.
func (k *keeper) hold(z routes.ZoneKey, r reasons, t loop.Tick) bool {
	id, ok := k.w.index.ZoneID(z)
	if !ok || k.why[id]&r != 0 {
		return false
	}
	asleep := k.why[id] == 0
	k.why[id] |= r
	k.changed = true
	if asleep {
		k.since[id] = t
		k.activate(z, t)
	}
	return true
}

// drop takes a reason away from a zone. Without any it sleeps.
func (k *keeper) drop(z routes.ZoneKey, r reasons, t loop.Tick) {
	id, ok := k.w.index.ZoneID(z)
	if !ok || k.why[id]&r == 0 {
		return
	}
	k.why[id] &^= r
	k.changed = true
	if k.why[id] != 0 {
		return
	}
	k.w.zones.set(z, 0)
	k.w.counts.deactivations.Add(1)
	if k.w.budget.detailed.Load() == 0 {
		return
	}
	// Those who would be active here need no detailed schedule any more.
	for c := range k.owners(z) {
		if c.schedule.Load() != nil {
			k.w.notify(c.id, noticeZone, t)
		}
	}
}

// activate marks a zone active and then asks the index who may be in it or
// come through: a leg published in between looks at the active zones itself.
func (k *keeper) activate(z routes.ZoneKey, t loop.Tick) {
	k.activations++
	k.w.zones.set(z, k.activations)
	k.w.counts.activations.Add(1)
	k.legs = k.w.index.Lookup(z, k.legs[:0])
	for _, leg := range k.legs {
		k.w.notify(coordinator.ObjectID(leg.Owner), noticeZone, t)
	}
	clear(k.legs)
}

// publish shows the set to viewers, by rows and columns, if it has changed.
func (k *keeper) publish() {
	if !k.changed {
		return
	}
	k.changed = false
	shown := make([]zoneShown, 0, k.w.zones.count.Load())
	_, last := k.w.index.Zones()
	for y := range last.Y + 1 {
		for x := range last.X + 1 {
			id := int(y)*int(last.X+1) + int(x)
			r := k.why[id]
			if r == 0 {
				continue
			}
			shown = append(shown, zoneShown{
				ZoneMark:   ZoneMark{Zone: routes.ZoneKey{X: x, Y: y}, Pinned: r&pinned != 0, Near: r&nearby != 0, Camera: r&filmed != 0},
				activation: k.w.zones.state[id].Load(),
				since:      k.since[id],
			})
		}
	}
	k.published.Store(&shown)
}

// shown finds an active zone among the published ones.
func (k *keeper) shown(z routes.ZoneKey) (zoneShown, bool) {
	list := *k.published.Load()
	i, ok := slices.BinarySearchFunc(list, z, func(s zoneShown, z routes.ZoneKey) int {
		return cmp.Or(cmp.Compare(s.Zone.Y, z.Y), cmp.Compare(s.Zone.X, z.X))
	})
	if !ok {
		return zoneShown{}, false
	}
	return list[i], true
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
