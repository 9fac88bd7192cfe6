package routes

import (
	"sync"
	"unsafe"
)

// Index says which legs touch a zone. It finds candidates when a zone wakes; it
// doesn't mean that their owners are there now.
//
// Zones of the map lie in an array, others in maps. A zone has a list of entries,
// 8 bytes each. Removing a leg makes its entries dead everywhere at once; they are
// cleaned away when they become many (deadSlack). Entries are only ever appended to
// a list, and cleaning makes a new one: so a look-up takes the list's header under
// the lock and reads it after.
//
// Measured with 1,000,000 routes of 20 zones: the same with pointers to the legs as
// entries is no faster and costs the collector half a second of work a cycle.
type Index struct {
	side     int32
	min, max ZoneKey // of the map's zones, both included
	width    int32   // of the map in zones
	dense    []zoneList
	legs     slots
	shards   [indexShards]indexShard
}

// indexShards is the number of locks. Neighbouring zones of a row have different
// ones.
const indexShards = 64

// maxDenseZones bounds the array of zones to 32 MiB; a map cut finer has all its
// zones in maps.
const maxDenseZones = 1 << 20

// deadSlack is the number of dead entries that a zone may hold beyond a quarter of
// its list, so at most a third of its living ones and 6. More means fewer cleanings
// and more memory.
const deadSlack = 4

type zoneList struct {
	entries []entry
	dead    int32 // entries whose leg was removed
}

type indexShard struct {
	mu      sync.Mutex
	outside map[ZoneKey]*zoneList
	entries int // dead ones included
	dead    int
	room    int // entries that fit the lists
	cleaned uint64
	_       [64]byte // keeps neighbours' locks out of one cache line
}

// IndexStats are an index's levels. While others write, they are those of
// slightly different moments.
type IndexStats struct {
	Entries int    // living entries: pairs of leg and zone
	Dead    int    // entries of removed legs, at most a third of the living + 6 a zone
	Bytes   int    // memory of the lists, the array of zones and the table of legs
	Cleaned uint64 // dead entries removed since the index was made
}

// BytesPerEntry is memory per living entry, 0 without entries.
func (s IndexStats) BytesPerEntry() float64 {
	if s.Entries == 0 {
		return 0
	}
	return float64(s.Bytes) / float64(s.Entries)
}

// NewIndex makes an index of zones of side cells (1..MaxZoneSide, 0 for
// DefaultZoneSide) over m.
func NewIndex(m *Map, side int32) *Index {
	if side == 0 {
		side = DefaultZoneSide
	}
	x := &Index{side: side}
	x.max = ZoneKey{(m.Width - 1) / side, (m.Height - 1) / side}
	x.width = x.max.X + 1
	if n := x.ZoneCount(); n <= maxDenseZones {
		x.dense = make([]zoneList, n)
	}
	for i := range x.shards {
		x.shards[i].outside = make(map[ZoneKey]*zoneList)
	}
	return x
}

// Side is the zones' side in cells.
func (x *Index) Side() int32 { return x.side }

// Zones are the corners of the map's zones, both included.
func (x *Index) Zones() (min, max ZoneKey) { return x.min, x.max }

// ZoneCount is the number of the map's zones.
func (x *Index) ZoneCount() int { return int(x.width) * int(x.max.Y+1) }

// ZoneID numbers the map's zones, 0 to ZoneCount()-1, row by row; false for a zone
// outside the map.
func (x *Index) ZoneID(z ZoneKey) (int, bool) {
	if z.X < 0 || z.Y < 0 || z.X > x.max.X || z.Y > x.max.Y {
		return 0, false
	}
	return int(z.Y)*int(x.width) + int(z.X), true
}

// Insert adds a leg to all zones it touches. A Lookup that begins after Insert
// returned has it. A leg can be inserted once and removed once; repeating either
// does nothing. Its owner doesn't call both at the same time.
func (x *Index) Insert(l *Leg) {
	if l.marks.Or(markIndexed)&(markIndexed|markRemoved) != 0 {
		return
	}
	e := x.legs.take(l)
	l.marks.Or(e.slot << markBits)
	for z := range l.ForEachZone {
		shard, id := x.shard(z)
		shard.mu.Lock()
		list := x.listLocked(shard, id, z)
		if list == nil {
			list = &zoneList{}
			shard.outside[z] = list
		}
		room := cap(list.entries)
		list.entries = append(list.entries, e)
		shard.room += cap(list.entries) - room
		shard.entries++
		shard.mu.Unlock()
	}
}

// Remove takes a leg out. A Lookup that begins after Remove returned doesn't have
// it.
func (x *Index) Remove(l *Leg) {
	old := l.marks.Or(markRemoved)
	if old&markRemoved != 0 || old&markIndexed == 0 {
		return
	}
	x.legs.release(old >> markBits)
	for z := range l.ForEachZone {
		shard, id := x.shard(z)
		shard.mu.Lock()
		list := x.listLocked(shard, id, z)
		list.dead++
		shard.dead++
		if n := len(list.entries); int(list.dead) > deadSlack+n/4 || int(list.dead) == n {
			x.cleanLocked(shard, list)
			if id < 0 && len(list.entries) == 0 {
				delete(shard.outside, z)
			}
		}
		shard.mu.Unlock()
	}
}

// cleanLocked replaces a list by one of its living entries. Readers keep the old
// one.
func (x *Index) cleanLocked(shard *indexShard, list *zoneList) {
	// A leg that is just being removed elsewhere is dead, but not yet counted
	// here: as many entries stay as are counted living, so that the counts agree.
	dead := int(list.dead)
	var living []entry
	if n := len(list.entries) - dead; n > 0 {
		living = make([]entry, 0, n+n/8+1)
	}
	for _, e := range list.entries {
		if dead > 0 && x.legs.dead(e) {
			dead--
			continue
		}
		living = append(living, e)
	}
	shard.room += cap(living) - cap(list.entries)
	shard.entries -= int(list.dead)
	shard.dead -= int(list.dead)
	shard.cleaned += uint64(list.dead)
	list.entries, list.dead = living, 0
}

// Lookup appends the living legs that touch z to dst. It holds up writers for a
// few nanoseconds, whatever the number.
func (x *Index) Lookup(z ZoneKey, dst []*Leg) []*Leg {
	shard, id := x.shard(z)
	var entries []entry
	shard.mu.Lock()
	if list := x.listLocked(shard, id, z); list != nil {
		entries = list.entries
	}
	shard.mu.Unlock()
	return x.legs.appendLiving(dst, entries)
}

// Count is the number of living legs that touch z. A leg that is just being
// removed may still be counted.
func (x *Index) Count(z ZoneKey) int {
	shard, id := x.shard(z)
	shard.mu.Lock()
	defer shard.mu.Unlock()
	list := x.listLocked(shard, id, z)
	if list == nil {
		return 0
	}
	return len(list.entries) - int(list.dead)
}

// Stats adds up the levels. It takes one lock after the other.
func (x *Index) Stats() (s IndexStats) {
	const listBytes = int(unsafe.Sizeof(zoneList{}))
	s.Bytes = len(x.dense)*listBytes + x.legs.bytes()
	for i := range x.shards {
		shard := &x.shards[i]
		shard.mu.Lock()
		s.Entries += shard.entries - shard.dead
		s.Dead += shard.dead
		s.Cleaned += shard.cleaned
		s.Bytes += shard.room*int(unsafe.Sizeof(entry{})) + len(shard.outside)*(listBytes+32)
		shard.mu.Unlock()
	}
	return s
}

// shard gives the lock of a zone and its place in the array, -1 for a zone that
// lies in a map.
func (x *Index) shard(z ZoneKey) (shard *indexShard, id int) {
	if id, ok := x.ZoneID(z); ok && x.dense != nil {
		return &x.shards[id%indexShards], id
	}
	return &x.shards[(uint32(z.X)+uint32(z.Y)*31)%indexShards], -1
}

// listLocked is the list of a zone, nil where a map has none.
func (x *Index) listLocked(shard *indexShard, id int, z ZoneKey) *zoneList {
	if id >= 0 {
		return &x.dense[id]
	}
	return shard.outside[z]
}
