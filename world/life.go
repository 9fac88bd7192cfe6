package world

import (
	"cmp"
	"slices"

	"chronoscope/loop"
	"chronoscope/routes"
)

// Daily life: each character has a home, a work place and habits, drawn from
// the world's seed and its spawn number, and a schedule for each day that is
// derived when it is looked at and stored nowhere. An entry is a tick at which
// the character sets out for somewhere.

// entriesMin and entriesMax bound the entries of a day: with the walks between
// them a tenth of the town and more is on the move through the day.
const entriesMin, entriesMax = 11, 12

// A day's entries fall one into each of as many equal parts of
// [dayFrom, dayTo), times of day, so that about as many set out at any hour.
const (
	dayFrom = 5*loop.TicksPerHour + 50*loop.TicksPerMinute
	dayTo   = 22 * loop.TicksPerHour
)

// choices is how many places of a kind a district's people choose among: few,
// so that they share paths.
const choices = 8

// regionsPerSide is the number of districts along the longer side of a map, as
// far as the choice of places goes.
const regionsPerSide = 16

// aim is what a schedule entry is for.
type aim uint8

const (
	aimHome aim = iota
	aimWork
	aimMarket
	aimTavern
	aimVisit
	aimCount
)

// aimNames are what viewers are told.
var aimNames = [aimCount]string{aimHome: "home", aimWork: "work", aimMarket: "market", aimTavern: "tavern", aimVisit: "visit"}

// lives answers every question about schedules. It is constant after newLives.
type lives struct {
	seed    uint64
	life    Life
	crowd   uint64
	places  []routes.Place
	homes   []routes.PlaceID
	block   int32 // side of a region in cells
	columns int32
	// near are the places of each aim that a region's people choose among.
	near  [][aimCount][]routes.PlaceID
	forum []routes.PlaceID // where the crowd goes; forum[0] is its home
}

func newLives(m *routes.Map, seed uint64, life Life, crowd int) *lives {
	v := &lives{seed: seed, life: life, crowd: uint64(crowd), places: m.Places}
	byAim := [aimCount][]routes.PlaceID{}
	for i, p := range m.Places {
		id := routes.PlaceID(i)
		switch p.Kind {
		case routes.Home:
			byAim[aimHome] = append(byAim[aimHome], id)
		case routes.Work:
			byAim[aimWork] = append(byAim[aimWork], id)
		case routes.Market:
			byAim[aimMarket] = append(byAim[aimMarket], id)
		case routes.Tavern, routes.PublicSquare:
			byAim[aimTavern] = append(byAim[aimTavern], id)
		}
	}
	byAim[aimVisit] = byAim[aimHome]
	every := make([]routes.PlaceID, len(m.Places))
	for i := range every {
		every[i] = routes.PlaceID(i)
	}
	for a := range byAim {
		if len(byAim[a]) == 0 {
			byAim[a] = every
		}
	}
	v.homes = byAim[aimHome]

	v.block = max(1, (max(m.Width, m.Height)+regionsPerSide-1)/regionsPerSide)
	v.columns = (m.Width + v.block - 1) / v.block
	rows := (m.Height + v.block - 1) / v.block
	v.near = make([][aimCount][]routes.PlaceID, v.columns*rows)
	inhabited := make([]bool, len(v.near))
	for _, h := range v.homes {
		inhabited[v.region(m.Places[h].Cell)] = true
	}
	for r := range v.near {
		if !inhabited[r] {
			continue
		}
		center := routes.Cell{
			X: int32(r)%v.columns*v.block + v.block/2,
			Y: int32(r)/v.columns*v.block + v.block/2,
		}
		for a := range byAim {
			v.near[r][a] = chooseNear(m, byAim[a], center)
		}
	}
	market := m.Places[byAim[aimMarket][0]].Cell
	v.forum = nearest(m, every, market)
	v.forum = v.forum[:min(len(v.forum), choices)]
	return v
}

func (v *lives) region(c routes.Cell) int32 { return c.Y/v.block*v.columns + c.X/v.block }

// nearest sorts ids by distance from c; equal ones by id.
func nearest(m *routes.Map, ids []routes.PlaceID, c routes.Cell) []routes.PlaceID {
	d2 := func(id routes.PlaceID) int64 {
		p := m.Places[id].Cell
		dx, dy := int64(p.X-c.X), int64(p.Y-c.Y)
		return dx*dx + dy*dy
	}
	s := slices.Clone(ids)
	slices.SortFunc(s, func(a, b routes.PlaceID) int {
		return cmp.Or(cmp.Compare(d2(a), d2(b)), cmp.Compare(a, b))
	})
	return s
}

// chooseNear takes up to choices of ids, spread evenly over the nearest nine tenths:
// few enough that people of a region share paths, far enough to be a walk.
func chooseNear(m *routes.Map, ids []routes.PlaceID, c routes.Cell) []routes.PlaceID {
	s := nearest(m, ids, c)
	reach := max(min(len(s), choices), len(s)*9/10)
	n := min(choices, reach)
	out := make([]routes.PlaceID, n)
	for i := range out {
		out[i] = s[(2*i+1)*reach/(2*n)]
	}
	return out
}

// home is where a character is born and sleeps.
func (v *lives) home(spawn uint64) routes.PlaceID {
	if spawn <= v.crowd {
		return v.forum[0]
	}
	return v.homes[below(draw(v.seed, spawn, forHome, 0), len(v.homes))]
}

// plan is a character's place in its schedule: the next entry not consumed.
type plan struct {
	day  uint32
	next uint8
}

// count is the number of entries of a day, entriesMin to entriesMax.
func (v *lives) count(spawn uint64, day uint32) int {
	return entriesMin + below(draw(v.seed, spawn, forDay, uint64(day)), entriesMax-entriesMin+1)
}

// due is the tick of entry i of n of a day, false for one that comes before
// tick 1 or that this life drops. Entries of a day ascend, and a day's last
// comes before the next day's first.
func (v *lives) due(spawn uint64, day uint32, i, n int) (loop.Tick, bool) {
	if i == 0 && day == 0 && v.life == LifeRush && spawn > v.crowd {
		return RushAt + loop.Tick(spawn%RushWindow), true
	}
	part := (dayTo - dayFrom) / loop.Tick(n)
	x := draw(v.seed, spawn, forEntry, uint64(day)*32+uint64(i)*2)
	clock := dayFrom + loop.Tick(i)*part + loop.Tick(below(x, int(part)))
	t := loop.Tick(day)*loop.TicksPerDay + clock
	if t <= loop.DayOffset {
		return 0, false
	}
	t -= loop.DayOffset
	if v.life == LifeNight && t < QuietTicks {
		return 0, false
	}
	return t, true
}

// peek moves p past entries that don't exist and gives the tick of the next
// one. There always is one.
func (v *lives) peek(spawn uint64, p *plan) loop.Tick {
	for {
		n := v.count(spawn, p.day)
		for ; int(p.next) < n; p.next++ {
			if t, ok := v.due(spawn, p.day, int(p.next), n); ok {
				return t
			}
		}
		p.day, p.next = p.day+1, 0
	}
}

// destination is where entry i of a day leads from at, for the leg of that
// number.
func (v *lives) destination(spawn uint64, day uint32, i int, leg uint32, at routes.PlaceID) routes.PlaceID {
	x := v.drawEntry(spawn, day, i)
	if spawn <= v.crowd {
		return other(v.forum, below(x, len(v.forum)), at)
	}
	a := v.aim(x, i, v.count(spawn, day))
	home := v.home(spawn)
	if a == aimHome {
		return home
	}
	near, k := v.choice(spawn, home, x, a, leg)
	return other(near, k, at)
}

// choice is which of the places near home an aim other than home means, for an
// entry that drew x and the leg of that number.
func (v *lives) choice(spawn uint64, home routes.PlaceID, x uint64, a aim, leg uint32) (near []routes.PlaceID, k int) {
	near = v.near[v.region(v.places[home].Cell)][a]
	switch a {
	case aimWork: // one work place, with an errand to another now and then
		k = below(draw(v.seed, spawn, forWork, 0), len(near))
	case aimMarket:
		k = below(draw(v.seed, spawn, forMarket, x%2), len(near))
	case aimTavern:
		k = below(draw(v.seed, spawn, forTavern, x%2), len(near))
	case aimVisit:
		k = below(draw(v.seed, spawn, forVisit, uint64(leg)), len(near))
	}
	return near, k
}

// drawEntry is what an entry draws for its purpose.
func (v *lives) drawEntry(spawn uint64, day uint32, i int) uint64 {
	return draw(v.seed, spawn, forEntry, uint64(day)*32+uint64(i)*2+1)
}

// aim draws what an entry is for: the first is work, the last is home.
func (v *lives) aim(x uint64, i, n int) aim {
	switch {
	case i == 0:
		return aimWork
	case i == n-1:
		return aimHome
	}
	switch w := below(mix64(x), 100); {
	case w < 35:
		return aimWork
	case w < 60:
		return aimMarket
	case w < 77:
		return aimTavern
	case w < 95:
		return aimVisit
	}
	return aimHome
}

// other is ids[k], or the one after it when that is where one stands already.
func other(ids []routes.PlaceID, k int, at routes.PlaceID) routes.PlaceID {
	if ids[k] == at {
		k = (k + 1) % len(ids)
	}
	return ids[k]
}
