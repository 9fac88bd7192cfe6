package town

import (
	"fmt"

	"chronoscope/routes"
)

// point is a cell during building.
type point struct{ x, y int }

// What a cell is besides its terrain.
const (
	flagNet    uint8 = 1 << iota // part of the street network
	flagInside                   // inside a wall
	flagKeep                     // nothing may be built or planted here
	flagGlacis                   // the open strip outside a wall
	flagMain                     // a main road or a square
	flagTown                     // within the radius of a settlement
)

// builder holds a town while it is being made. The stages run in the order of
// Generate and share the grids; each draws from its own stream.
type builder struct {
	seed uint64
	n    int // side in cells
	t    []routes.Terrain
	flag []uint8
	// block is 1 + the index into blocks of the built-up block a cell belongs
	// to, 0 outside settlements.
	block []int32

	keep        point   // the middle of the keep's court; zero without one
	piers       []point // the ends of the piers
	river       []point // centre line of the main river, upstream to downstream
	settlements []settlement
	districts   []district
	blocks      []block
	buildings   []building
	places      []routes.Place
	names       namer
	road        pathfinder
}

// Generate makes the town of o.Seed with a side of o.Size cells. The error is
// that of o.Validate.
func Generate(o Options) (*routes.Map, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if o.Size == 0 {
		o.Size = DefaultSize
	}
	b := newBuilder(o)
	b.growWild()
	b.placeCapital()
	b.drawRivers()
	b.digPonds()
	b.placeSettlements()
	b.claimLand()
	b.floodPlain()
	b.nameSettlements()
	b.buildWalls()
	b.paveMarkets()
	b.joinByRoads()
	b.addBridges()
	b.buildKeep()
	b.divide()
	b.layStreets()
	b.openSquares()
	b.buildPiers()
	b.trimStreets()
	b.buildLandmarks()
	b.buildHouses()
	b.workTheLand()
	b.fillYards()
	b.plantFields()
	b.assign()
	return b.finish(o)
}

func newBuilder(o Options) *builder {
	n := int(o.Size)
	b := &builder{
		seed:  mix(o.Seed + 0x746f776e), // so that seeds 0, 1, 2 have nothing in common
		n:     n,
		t:     make([]routes.Terrain, n*n),
		flag:  make([]uint8, n*n),
		block: make([]int32, n*n),
	}
	for i := range b.t {
		b.t[i] = routes.Field
	}
	b.names = newNamer(b.stream("names"))
	b.road = pathfinder{b: b}
	return b
}

// sub is the seed of a named stage.
func (b *builder) sub(stage string) uint64 {
	h := b.seed
	for _, c := range []byte(stage) {
		h = mix(h + uint64(c))
	}
	return h
}

// stream is the random numbers of a named stage.
func (b *builder) stream(stage string) *rng { return &rng{b.sub(stage)} }

func (b *builder) in(x, y int) bool { return uint(x) < uint(b.n) && uint(y) < uint(b.n) }

// at is the terrain of a cell, Void outside the map.
func (b *builder) at(x, y int) routes.Terrain {
	if !b.in(x, y) {
		return routes.Void
	}
	return b.t[y*b.n+x]
}

// has says whether a cell on the map has all the flags.
func (b *builder) has(x, y int, f uint8) bool { return b.in(x, y) && b.flag[y*b.n+x]&f == f }

// set changes a cell that lies on the map and ignores others.
func (b *builder) set(x, y int, t routes.Terrain) {
	if b.in(x, y) {
		b.t[y*b.n+x] = t
	}
}

func (b *builder) mark(x, y int, f uint8) {
	if b.in(x, y) {
		b.flag[y*b.n+x] |= f
	}
}

// wild says whether t is ground that something may still be built on.
func wild(t routes.Terrain) bool {
	return t == routes.Field || t == routes.Forest || t == routes.Swamp
}

// free says whether a cell is wild and nobody has a claim on it.
func (b *builder) free(x, y int) bool {
	return b.in(x, y) && wild(b.t[y*b.n+x]) && b.flag[y*b.n+x]&(flagNet|flagKeep) == 0
}

// disc calls f for the cells of a disc, row by row.
func disc(cx, cy, r int, f func(x, y int)) {
	for y := -r; y <= r; y++ {
		for x := -r; x <= r; x++ {
			if x*x+y*y <= r*r+r/2 {
				f(cx+x, cy+y)
			}
		}
	}
}

// finish counts once more that all places are distinct, walkable and reach
// each other, and hands the map over.
func (b *builder) finish(o Options) (*routes.Map, error) {
	m := &routes.Map{
		Name:    fmt.Sprintf("%s, a town of %d x %d cells", b.settlements[0].name, b.n, b.n),
		Width:   int32(b.n),
		Height:  int32(b.n),
		Terrain: b.t,
		Cost:    routes.DefaultCosts(),
		Places:  b.places,
	}
	for _, d := range b.districts {
		m.Districts = append(m.Districts, routes.District{
			Name:   d.name,
			Center: routes.Cell{X: int32(d.x), Y: int32(d.y)},
		})
	}
	if err := b.check(m); err != nil {
		return nil, fmt.Errorf("town: seed %d, size %d: %w", o.Seed, o.Size, err)
	}
	return m, nil
}
