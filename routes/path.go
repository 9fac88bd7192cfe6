package routes

import (
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"

	"chronoscope/loop"
)

// Path is a way through the map and the time it takes: a polyline whose points
// are dated relative to the start. Between two points the speed is constant. It
// is immutable and shared by all legs that use it.
//
// A found path keeps only the points at which the direction or the cost of the
// ground changes: turns lie on cells' centres, changes of ground half-way between
// two centres, on the border (or corner) that the step crosses there.
type Path struct {
	From, To Cell
	// Straight and Diagonal count the steps of a found path; both are 0 for
	// one that NewPath made.
	Straight, Diagonal int
	// Cost is the sum of the steps' costs, in plain cells with CostBits
	// fractional bits.
	Cost uint64

	points []Point
	times  []uint64 // per point: ticks since the start, with CostBits fractional bits
	zones  []ZoneKey
	visits int // number of passages
	side   int32

	once     sync.Once
	refined  atomic.Bool
	passages []ZonePassage
}

// NewPath makes a path along any points. times dates them in ticks since the
// start, with CostBits fractional bits: the first is 0, none is lower than the one
// before, only a repeated point may repeat a time, and the last is at most 2^63. side is the zones' side in
// cells, 0 for DefaultZoneSide. The slices are kept.
func NewPath(points []Point, times []uint64, side int32) (*Path, error) {
	if len(points) == 0 || len(points) != len(times) {
		return nil, fmt.Errorf("routes: path of %d points and %d times: must be as many, at least 1", len(points), len(times))
	}
	if times[0] != 0 {
		return nil, fmt.Errorf("routes: path starts at time %d: must be 0", times[0])
	}
	for i := 1; i < len(times); i++ {
		if times[i] < times[i-1] || times[i] == times[i-1] && points[i] != points[i-1] {
			return nil, fmt.Errorf("routes: path point %d at time %d: must be later than %d", i, times[i], times[i-1])
		}
	}
	if last := times[len(times)-1]; last > 1<<63 {
		return nil, fmt.Errorf("routes: path ends at time %d: must be at most 2^63", last)
	}
	if side == 0 {
		side = DefaultZoneSide
	}
	if err := checkSide(side); err != nil {
		return nil, err
	}
	p := &Path{
		From: CellOf(points[0]), To: CellOf(points[len(points)-1]),
		Cost:   times[len(times)-1] / TicksPerCell,
		points: points, times: times, side: side,
	}
	p.touch()
	return p, nil
}

// newFoundPath follows the directions in steps.
func newFoundPath(m *Map, g *ground, from, to Cell, steps []uint8, side int32) *Path {
	if side == 0 {
		side = DefaultZoneSide
	}
	p := &Path{From: from, To: to, side: side}
	p.points, p.times = make([]Point, 0, 2+len(steps)/4), make([]uint64, 0, 2+len(steps)/4)
	add := func(at Point, time uint64) {
		p.points, p.times = append(p.points, at), append(p.times, time)
	}
	at, time := m.index(from), uint64(0)
	here := from.Center()
	add(here, 0)
	for i, d := range steps {
		dx, dy := stepX[d], stepY[d]
		next := at + dx + dy*m.Width
		half := &g.half[d&1]
		leave, enter := half[m.Terrain[at]], half[m.Terrain[next]]
		if i > 0 && steps[i-1] != d {
			add(here, time)
		}
		time += leave * TicksPerCell
		if leave != enter {
			add(Point{here.X + dx*CellUnits/2, here.Y + dy*CellUnits/2}, time)
		}
		time += enter * TicksPerCell
		p.Cost += leave + enter
		here = Point{here.X + dx*CellUnits, here.Y + dy*CellUnits}
		at = next
		if d&1 == 0 {
			p.Straight++
		} else {
			p.Diagonal++
		}
	}
	if len(steps) > 0 {
		add(here, time)
	}
	p.points, p.times = slices.Clip(p.points), slices.Clip(p.times)
	p.touch()
	return p
}

// Length is the path's length in cells: steps counted, straight ones 1 and
// diagonal ones sqrt(2) long. Of a path made by NewPath it is the length of the
// polyline. It is for printing and comparing; nothing else follows from it.
func (p *Path) Length() float64 {
	if p.Straight+p.Diagonal > 0 {
		return float64(p.Straight) + float64(float64(p.Diagonal)*math.Sqrt2)
	}
	sum := 0.0
	for i := 1; i < len(p.points); i++ {
		a, b := p.points[i-1], p.points[i]
		sum += math.Hypot(float64(b.X)-float64(a.X), float64(b.Y)-float64(a.Y))
	}
	return sum / CellUnits
}

// Ticks is the time the path takes, rounded up to whole ticks, at least 1.
func (p *Path) Ticks() loop.Tick { return ticksFor(p.total()) }

// total is the exact time in ticks with CostBits fractional bits.
func (p *Path) total() uint64 { return p.times[len(p.times)-1] }

// Points is the polyline. It is shared: don't change it.
func (p *Path) Points() []Point { return p.points }

// Times dates the points in ticks since the start, with CostBits fractional
// bits. It is shared: don't change it.
func (p *Path) Times() []uint64 { return p.times }

// Side is the side in cells of the zones that Zones and Passages speak of.
func (p *Path) Side() int32 { return p.side }

// Zones are the zones that some point of the path lies in, also at a mere
// corner, each once, in the order of the first visit. It is shared: don't
// change it.
func (p *Path) Zones() []ZoneKey { return p.zones }

// Bytes is what the path occupies, with its passages, whether or not they have
// been worked out yet.
func (p *Path) Bytes() int {
	return int(unsafe.Sizeof(*p)) + cap(p.points)*int(unsafe.Sizeof(Point{})) + cap(p.times)*8 +
		cap(p.zones)*int(unsafe.Sizeof(ZoneKey{})) + p.visits*int(unsafe.Sizeof(ZonePassage{}))
}

// First and Last are the path's ends.
func (p *Path) First() Point { return p.points[0] }
func (p *Path) Last() Point  { return p.points[len(p.points)-1] }

// segment is the number of the point at or before a time below the total.
func (p *Path) segment(time uint64) int {
	low, high := 0, len(p.times)-1 // times[low] <= time < times[high]
	for high-low > 1 {
		if mid := int(uint(low+high) / 2); p.times[mid] <= time {
			low = mid
		} else {
			high = mid
		}
	}
	return low
}

// at is the position at a time since the start, each coordinate rounded down.
// Rounding down doesn't take a point into another zone or cell, whose borders
// are whole numbers.
func (p *Path) at(time uint64) Point {
	if time >= p.total() {
		return p.Last()
	}
	i := p.segment(time)
	a, b := p.points[i], p.points[i+1]
	passed, whole := time-p.times[i], p.times[i+1]-p.times[i]
	return Point{between(a.X, b.X, passed, whole), between(a.Y, b.Y, passed, whole)}
}

// between is a + (b-a)*passed/whole, rounded down, for passed < whole.
func between(a, b int32, passed, whole uint64) int32 {
	if b >= a {
		return int32(int64(a) + int64(mulDiv(uint64(int64(b)-int64(a)), passed, whole, false)))
	}
	q, r := mulDivRest(uint64(int64(a)-int64(b)), passed, whole)
	if r != 0 {
		q++
	}
	return int32(int64(a) - int64(q))
}
