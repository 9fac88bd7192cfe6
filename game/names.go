package game

import (
	"cmp"
	"image"
	"image/color"
	"math"
	"slices"

	"chronoscope/overlay"
	"chronoscope/routes"
)

// icon is the small mark of a kind of place.
type icon uint8

const (
	noIcon icon = iota
	houseIcon
	workIcon
	marketIcon
	tavernIcon
	squareIcon
	spotIcon
)

// An icon's side, and by how much it moves the text, in device-independent
// pixels.
const (
	iconSide = 9.0
	iconStep = 13.0
)

var (
	districtInk = color.RGBA{0xE9, 0xDF, 0xC8, 0xFF}
	placeInk    = color.RGBA{0xC9, 0xC6, 0xBC, 0xFF}
)

// addIcon adds an icon around (x, y). They are outlines and bars in one faint
// tone: no figure of a character looks like them.
func addIcon(m *overlay.Mesh, i icon, x, y, unit float64) {
	u := float32(unit)
	l, t := float32(math.Round(x))-4.5*u, float32(math.Round(y))-4.5*u
	bar := func(x0, y0, x1, y1 float32) { m.Rect(l+x0*u, t+y0*u, l+x1*u, t+y1*u, placeInk) }
	switch i {
	case houseIcon:
		m.Triangle(l, t+4*u, l+4.5*u, t, l+9*u, t+4*u, placeInk)
		bar(1.5, 4, 3.5, 9)
		bar(5.5, 4, 7.5, 9)
		bar(3.5, 4, 5.5, 5.5)
	case workIcon: // an anvil
		bar(0, 1, 9, 4)
		bar(3, 4, 6, 7)
		bar(1.5, 7, 7.5, 9)
	case marketIcon: // an awning
		bar(0, 0, 9, 2)
		bar(0, 2, 1.5, 4.5)
		bar(2.5, 2, 4, 4.5)
		bar(5, 2, 6.5, 4.5)
		bar(7.5, 2, 9, 4.5)
		bar(0, 4.5, 1, 9)
		bar(8, 4.5, 9, 9)
	case tavernIcon: // a mug
		bar(0.5, 1, 6, 9)
		bar(6, 3, 9, 4)
		bar(8, 4, 9, 6)
		bar(6, 6, 9, 7)
	case squareIcon:
		m.Frame(l+u, t+u, l+8*u, t+8*u, 1.5*u, placeInk)
		bar(4, 4, 5, 5)
	case spotIcon:
		bar(4, 1, 5, 8)
		bar(1, 4, 8, 5)
	}
}

// placeRule says from which scale on a kind of place is named, in
// device-independent pixels a cell, and with which mark.
type placeRule struct {
	from float64
	icon icon
}

var placeRules = map[routes.PlaceKind]placeRule{
	routes.Market:       {5, marketIcon},
	routes.PublicSquare: {6, squareIcon},
	routes.Tavern:       {8, tavernIcon},
	routes.Work:         {14, workIcon},
	routes.Home:         {26, houseIcon},
	routes.Spot:         {14, spotIcon},
}

// districtsUntil is the scale up to which districts are named: closer up one is
// inside of one.
const districtsUntil = 22.0

// name is a district's or a place's name.
type name struct {
	text     string
	x, y     float64 // cells
	icon     icon
	district bool
	from, to float64 // device-independent pixels a cell
	weight   int32
}

// names says which names are written. It is worked out for steps of the scale
// and for a region larger than the view, and holds for all of both: so nothing
// comes and goes while the map is moved.
type names struct {
	all    []name // from the most important down
	step   nameStep
	kept   []int32
	placer placer
}

// nameStep is what the choice of names depends on.
type nameStep struct {
	scale  int // stepOf
	device float64
	lo, hi routes.Cell
}

// stepsPerDouble is how often names are chosen anew while the scale doubles.
const stepsPerDouble = 4

// stepOf numbers the steps of the scale; stepScale is a step's lowest scale,
// at which names are closest together.
func stepOf(scale float64) int { return int(math.Floor(math.Log2(scale) * stepsPerDouble)) }

func stepScale(step int) float64 { return math.Exp2(float64(step) / stepsPerDouble) }

func newNames(m *routes.Map) *names {
	n := &names{}
	for i, d := range m.Districts {
		n.all = append(n.all, name{
			text: d.Name, x: float64(d.Center.X) + 0.5, y: float64(d.Center.Y) + 0.5,
			district: true, to: districtsUntil, weight: int32(1<<20 - i),
		})
	}
	for i, p := range m.Places {
		r := placeRules[p.Kind]
		if p.Name == "" || r.icon == noIcon {
			continue
		}
		n.all = append(n.all, name{
			text: p.Name, x: float64(p.Cell.X) + 0.5, y: float64(p.Cell.Y),
			icon: r.icon, from: r.from, to: math.Inf(1), weight: -int32(r.from)*1024 - int32(i%1024),
		})
	}
	slices.SortStableFunc(n.all, func(a, b name) int { return cmp.Compare(b.weight, a.weight) })
	return n
}

// region is what names are chosen for: the cells in view, and up to as many
// around, between whole multiples of a size that goes with the scale.
func region(lo, hi routes.Cell) (routes.Cell, routes.Cell) {
	down := func(v, n int32) int32 { return int32(math.Floor(float64(v)/float64(n))) * n }
	n := int32(1)
	for n < max(hi.X-lo.X, hi.Y-lo.Y) {
		n *= 2
	}
	n = max(n/2, 1)
	return routes.Cell{X: down(lo.X, n), Y: down(lo.Y, n)}, routes.Cell{X: down(hi.X, n) + n - 1, Y: down(hi.Y, n) + n - 1}
}

// namesApart is by how much names are kept apart from afar, where counts are to
// be read between them, in device-independent pixels.
const namesApart = 48.0

// style is how a name is written.
func (n *name) style() overlay.Style {
	if n.district {
		return overlay.Large
	}
	return overlay.Small
}

// size is the box of a name, in device pixels.
func (n *name) size(let *overlay.Lettering) (w, h float64) {
	u := let.Scale()
	w = let.Width(n.text, n.style()) + 10*u
	if n.icon != noIcon {
		w += iconStep * u
	}
	return w, let.Height(n.style()) + 4*u
}

// choose picks the names for a step: by importance, as many as don't overlap.
func (n *names) choose(s nameStep, let *overlay.Lettering) {
	n.step, n.kept = s, n.kept[:0]
	scale := stepScale(s.scale)
	cell := scale / s.device
	at := func(c int32) int { return int(math.Round(float64(c) * scale)) }
	n.placer.reset(image.Rect(at(s.lo.X), at(s.lo.Y), at(s.hi.X+1), at(s.hi.Y+1)), 2*labelSquare*s.device)
	for i := range n.all {
		a := &n.all[i]
		if cell < a.from || cell >= a.to {
			continue
		}
		if a.x < float64(s.lo.X) || a.y < float64(s.lo.Y) || a.x > float64(s.hi.X+1) || a.y > float64(s.hi.Y+1) {
			continue
		}
		w, h := a.size(let)
		if cell < denseBelow {
			w, h = w+namesApart*s.device, h+namesApart*s.device
		}
		x, y := a.x*scale, a.y*scale
		if n.placer.add(box{x - w/2, y - h, x + w/2, y}) {
			n.kept = append(n.kept, int32(i))
		}
	}
}

// label appends the names in view.
func (n *names) label(cam *Camera, let *overlay.Lettering, labels []mapLabel) []mapLabel {
	lo, hi := cam.Visible()
	s := nameStep{scale: stepOf(cam.Scale), device: let.Scale()}
	if s.lo, s.hi = region(lo, hi); s != n.step {
		n.choose(s, let)
	}
	view := cam.View()
	for _, i := range n.kept {
		a := &n.all[i]
		x, y := cam.ToScreen(a.x, a.y)
		w, h := a.size(let)
		y -= h / 2
		if x+w/2 < float64(view.Min.X) || x-w/2 > float64(view.Max.X) || y+h < float64(view.Min.Y) || y-h > float64(view.Max.Y) {
			continue
		}
		c := placeInk
		if a.district {
			c = districtInk
		}
		labels = append(labels, mapLabel{
			s: a.text, x: x, y: y, rank: nameRank, weight: a.weight, style: a.style(), c: c, icon: a.icon, ground: shadowed,
		})
	}
	return labels
}
