package game

import (
	"image/color"
	"math"
	"time"

	"chronoscope/loop"
	"chronoscope/overlay"
	"chronoscope/routes"
)

// Without a selected character the legs of the zones in view show where they
// lead: at most so many, for so many ticks ahead, while zones are at least
// flowZone device-independent pixels wide. They are asked for as often as
// numbers are written.
const (
	flowLimit = 240
	flowAhead = loop.Tick(480)
	flowZone  = 56.0
)

// flow is the legs of the visible zones.
type flow struct {
	legs  []*routes.Leg
	lo    routes.ZoneKey
	hi    routes.ZoneKey
	at    time.Time
	shown bool // some of them leads somewhere
}

var (
	routeInk  = color.RGBA{0xF2, 0xF4, 0xF6, 0xFF}
	routeEdge = color.RGBA{0x10, 0x12, 0x15, 0xFF}
)

// wayPoint is where a point of a route is on the screen.
func wayPoint(cam *Camera, p routes.Point) (x, y float64) {
	return cam.ToScreen(float64(p.X)/routes.CellUnits, float64(p.Y)/routes.CellUnits)
}

// clipLine cuts a line to a rectangle; false when nothing is left. (Liang and
// Barsky's way: the parameters at which the line enters and leaves.)
func clipLine(x0, y0, x1, y1 float64, v box) (a, b float64, ok bool) {
	a, b = 0, 1
	dx, dy := x1-x0, y1-y0
	for _, e := range [...][2]float64{{-dx, x0 - v.x0}, {dx, v.x1 - x0}, {-dy, y0 - v.y0}, {dy, v.y1 - y0}} {
		switch p, q := e[0], e[1]; {
		case p == 0 && q < 0:
			return 0, 0, false
		case p < 0:
			a = max(a, q/p)
		case p > 0:
			b = min(b, q/p)
		}
	}
	return a, b, a < b
}

// timeOn is the time on a route at a tick and a share of the next, in ticks
// since its start with CostBits fractional bits.
func timeOn(l *routes.Leg, m Moment) uint64 {
	if m.Tick < l.Start {
		return 0
	}
	d := uint64(min(m.Tick, l.End) - l.Start)
	if d >= 1<<(63-routes.CostBits) {
		return math.MaxUint64
	}
	return d<<routes.CostBits + uint64(m.Alpha*(1<<routes.CostBits))
}

// share is how much of the time from a to b has passed at t, 0..1.
func share(a, b, t uint64) float64 {
	switch {
	case t <= a:
		return 0
	case t >= b:
		return 1
	}
	return float64(t-a) / float64(b-a)
}

// drawRoute draws the selected character's way: what lies behind dimmed, what
// lies ahead with arrowheads, and a mark where it ends.
func (g *Game) drawRoute(l *routes.Leg) {
	if l.Kind != routes.Route {
		return
	}
	u := g.device
	v := g.at.view
	clip := box{float64(v.Min.X) - 8*u, float64(v.Min.Y) - 8*u, float64(v.Max.X) + 8*u, float64(v.Max.Y) + 8*u}
	points, times := l.Path().Points(), l.Path().Times()
	now := timeOn(l, g.moment)
	line := func(x0, y0, x1, y1, w float64, c color.RGBA) {
		if a, b, ok := clipLine(x0, y0, x1, y1, clip); ok {
			dx, dy := x1-x0, y1-y0
			g.mesh.Line(float32(x0+a*dx), float32(y0+a*dy), float32(x0+b*dx), float32(y0+b*dy), float32(w*u), c, c)
		}
	}
	const gap = 64.0
	endX, endY := wayPoint(g.cam, l.Place())
	for pass := range 2 {
		next := gap / 2 // pixels to the next arrowhead
		for i := 1; i < len(points); i++ {
			x0, y0 := wayPoint(g.cam, points[i-1])
			x1, y1 := wayPoint(g.cam, points[i])
			s := share(times[i-1], times[i], now)
			mx, my := x0+(x1-x0)*s, y0+(y1-y0)*s
			if pass == 0 {
				line(mx, my, x1, y1, 5, overlay.Alpha(routeEdge, 0.55))
				continue
			}
			if s > 0 {
				line(x0, y0, mx, my, 2, overlay.Alpha(routeInk, 0.4))
			}
			if s == 1 {
				continue
			}
			line(mx, my, x1, y1, 2, overlay.Alpha(routeInk, 0.85))
			// Arrowheads at even distances along what lies ahead, those in view.
			length := math.Hypot(x1-mx, y1-my) / u
			if length == 0 {
				continue
			}
			dx, dy := (x1-mx)/length, (y1-my)/length
			if a, b, ok := clipLine(mx, my, x1, y1, clip); ok {
				d := next
				if skip := a*length - d; skip > 0 {
					d += math.Ceil(skip/gap) * gap
				}
				for ; d < b*length; d += gap {
					if math.Hypot(mx+dx*d-endX, my+dy*d-endY) < 22*u {
						break // the pennant stands there
					}
					chevron(&g.mesh, mx+dx*d, my+dy*d, dx/u, dy/u, u, routeInk)
				}
			}
			next = math.Mod(next-length, gap)
			if next < 0 {
				next += gap
			}
		}
	}
	pennant(&g.mesh, endX, endY, u)
}

// chevron adds an arrowhead at (x, y) that points along the unit vector.
func chevron(m *overlay.Mesh, x, y, dx, dy, unit float64, c color.RGBA) {
	a, b := 5*unit, 4*unit
	p := func(f, s float64) (float32, float32) { return float32(x + dx*f - dy*s), float32(y + dy*f + dx*s) }
	ax, ay := p(a, 0)
	bx, by := p(-a*0.6, b)
	cx, cy := p(-a*0.6, -b)
	m.Triangle(ax, ay, bx, by, cx, cy, c)
}

// pennant adds the mark of a destination: a ring on the ground and a pennant.
func pennant(m *overlay.Mesh, x, y, unit float64) {
	u, fx, fy := float32(unit), float32(math.Round(x)), float32(math.Round(y))
	m.Circle(fx, fy, 5*u, 2*u, routeInk)
	m.Rect(fx-u, fy-18*u, fx+u, fy, routeInk)
	m.Triangle(fx+u, fy-18*u, fx+12*u, fy-13.5*u, fx+u, fy-9*u, overlay.ToCome)
}

// drawFlow draws where the legs of the zones in view, or of the selected zone,
// lead next.
func (g *Game) drawFlow() {
	f := &g.flow
	f.shown = false
	if float64(g.zones.side)*g.cam.Scale < flowZone*g.device {
		f.legs = f.legs[:0]
		f.at = time.Time{}
		return
	}
	a, b := g.cam.Visible()
	lo, hi := g.zones.clamp(g.source.Map(), a, b)
	if g.selection.Kind == overlay.OneZone {
		lo, hi = g.selection.Zone, g.selection.Zone
	}
	if now := g.drawnAt; lo != f.lo || hi != f.hi || now.Sub(f.at) >= refreshEvery {
		f.lo, f.hi, f.at = lo, hi, now
		f.legs = g.source.Legs(lo, hi, flowLimit, f.legs[:0])
	}
	for _, l := range f.legs {
		if l.Kind == routes.Route && g.moment.Tick < l.End {
			f.shown = true
			g.drawAhead(l)
		}
	}
}

// drawAhead draws the next flowAhead ticks of a leg, fading out.
func (g *Game) drawAhead(l *routes.Leg) {
	u := g.device
	v := g.at.view
	clip := box{float64(v.Min.X), float64(v.Min.Y), float64(v.Max.X), float64(v.Max.Y)}
	points, times := l.Path().Points(), l.Path().Times()
	now := timeOn(l, g.moment)
	end := now + uint64(flowAhead)<<routes.CostBits
	tone := func(t uint64) color.RGBA {
		return overlay.Alpha(overlay.Walking, 0.4*(1-share(now, end, t)))
	}
	// The points are in order of time: the first one ahead by halving.
	from, to := 1, len(points)-1
	for from < to {
		if mid := (from + to) / 2; times[mid] <= now {
			from = mid + 1
		} else {
			to = mid
		}
	}
	for i := from; i < len(points) && times[i-1] < end; i++ {
		x0, y0 := wayPoint(g.cam, points[i-1])
		x1, y1 := wayPoint(g.cam, points[i])
		s, e := share(times[i-1], times[i], now), share(times[i-1], times[i], end)
		ax, ay, bx, by := x0+(x1-x0)*s, y0+(y1-y0)*s, x0+(x1-x0)*e, y0+(y1-y0)*e
		p, q, ok := clipLine(ax, ay, bx, by, clip)
		if !ok {
			continue
		}
		ta, tb := max(times[i-1], now), min(times[i], end)
		at := func(f float64) uint64 { return ta + uint64(f*float64(tb-ta)) }
		g.mesh.Line(float32(ax+(bx-ax)*p), float32(ay+(by-ay)*p), float32(ax+(bx-ax)*q), float32(ay+(by-ay)*q),
			float32(1.2*u), tone(at(p)), tone(at(q)))
	}
}
