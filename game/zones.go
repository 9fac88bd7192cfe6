package game

import (
	"math"

	"chronoscope/overlay"
	"chronoscope/routes"
)

// zoneLayer draws the grid of zones and the active ones.
type zoneLayer struct {
	side   int32
	zones  []Zone
	active map[routes.ZoneKey]bool // key: active; value: pinned
	camera bool                    // one is active because of the camera
	pinned bool                    // one is pinned
	heat   heat
}

func newZoneLayer(side int32) zoneLayer {
	return zoneLayer{side: side, active: map[routes.ZoneKey]bool{}}
}

func (z *zoneLayer) update(src Source) {
	z.zones = src.Zones(z.zones[:0])
	clear(z.active)
	z.camera, z.pinned = false, false
	for _, a := range z.zones {
		z.active[a.Key] = a.Pinned
		z.camera, z.pinned = z.camera || a.Camera, z.pinned || a.Pinned
	}
}

// corners is where a zone is drawn, in whole device pixels.
func (z *zoneLayer) corners(cam *Camera, k routes.ZoneKey) (x0, y0, x1, y1 float32) {
	ax, ay := cam.ToScreen(float64(k.X)*float64(z.side), float64(k.Y)*float64(z.side))
	bx, by := cam.ToScreen(float64(k.X+1)*float64(z.side), float64(k.Y+1)*float64(z.side))
	r := func(v float64) float32 { return float32(math.Round(v)) }
	return r(ax), r(ay), r(bx), r(by)
}

// under is the zone drawn at a point of the screen.
func (z *zoneLayer) under(cam *Camera, sx, sy float64) routes.ZoneKey {
	x, y := cam.ToMap(sx, sy)
	return routes.ZoneKey{
		X: int32(math.Floor(x / float64(z.side))),
		Y: int32(math.Floor(y / float64(z.side))),
	}
}

// inside says whether a zone touches the map.
func (z *zoneLayer) inside(m *routes.Map, k routes.ZoneKey) bool {
	return k.X >= 0 && k.Y >= 0 && k.X*z.side < m.Width && k.Y*z.side < m.Height
}

// clamp is the zones of the map that touch the cells lo..hi.
func (z *zoneLayer) clamp(m *routes.Map, lo, hi routes.Cell) (a, b routes.ZoneKey) {
	return routes.ZoneKey{X: max(lo.X, 0) / z.side, Y: max(lo.Y, 0) / z.side},
		routes.ZoneKey{X: min(hi.X, m.Width-1) / z.side, Y: min(hi.Y, m.Height-1) / z.side}
}

// ground adds what lies under the characters: the tint and border of active
// zones. Between two active zones the border is thin: what
// the eye is to see is the outline of what is awake.
func (z *zoneLayer) ground(mesh *overlay.Mesh, cam *Camera, unit float32) {
	view := cam.View()
	for _, a := range z.zones {
		x0, y0, x1, y1 := z.corners(cam, a.Key)
		if x1 < float32(view.Min.X) || y1 < float32(view.Min.Y) || x0 > float32(view.Max.X) || y0 > float32(view.Max.Y) {
			continue
		}
		mesh.Rect(x0, y0, x1, y1, overlay.Alpha(overlay.ZoneEdge, 0.12))
		edge := func(dx, dy int32, ax, ay, bx, by float32) {
			_, also := z.active[routes.ZoneKey{X: a.Key.X + dx, Y: a.Key.Y + dy}]
			c := overlay.Alpha(overlay.ZoneEdge, 0.9)
			if also {
				c = overlay.Alpha(overlay.ZoneEdge, 0.07)
			}
			mesh.Rect(ax, ay, bx, by, c)
		}
		w := max(float32(math.Round(float64(unit)*1.5)), 1)
		edge(0, -1, x0, y0, x1, y0+w)
		edge(0, 1, x0, y1-w, x1, y1)
		edge(-1, 0, x0, y0, x0+w, y1)
		edge(1, 0, x1-w, y0, x1, y1)
	}
}

// pins adds the corner marks: a filled corner for a pinned zone, an angle for
// one that the camera keeps awake. They stand above tiles.
func (z *zoneLayer) pins(mesh *overlay.Mesh, cam *Camera, unit float32) {
	for _, a := range z.zones {
		if !a.Pinned && !a.Camera {
			continue
		}
		x0, y0, x1, y1 := z.corners(cam, a.Key)
		t := min(max((x1-x0)*0.22, 5*unit), 16*unit)
		if a.Pinned {
			mesh.Triangle(x0, y0, x0+t, y0, x0, y0+t, overlay.ZoneEdge)
		}
		if a.Camera {
			cameraMark(mesh, x1-3*unit, y1-3*unit, t, unit)
		}
	}
}

// cameraMark adds the mark of a zone that the camera keeps awake: the corner of
// a viewfinder at (x, y), t long.
func cameraMark(mesh *overlay.Mesh, x, y, t, unit float32) {
	w := 2 * unit
	mesh.Rect(x-t, y-w, x, y, overlay.ZoneEdge)
	mesh.Rect(x-w, y-t, x, y-w, overlay.ZoneEdge)
}

// grid adds the borders of all zones, unless they would lie too close.
func (z *zoneLayer) grid(mesh *overlay.Mesh, cam *Camera, world *routes.Map, unit float32) {
	if float64(z.side)*cam.Scale < 24*float64(unit) {
		return
	}
	lo, hi := cam.Visible()
	x0, y0 := max(lo.X, 0)/z.side, max(lo.Y, 0)/z.side
	x1, y1 := min(hi.X, world.Width-1)/z.side, min(hi.Y, world.Height-1)/z.side
	left, top := cam.ToScreen(0, 0)
	right, bottom := cam.ToScreen(float64(world.Width), float64(world.Height))
	v := cam.View()
	left, top = max(left, float64(v.Min.X)), max(top, float64(v.Min.Y))
	right, bottom = min(right, float64(v.Max.X)), min(bottom, float64(v.Max.Y))
	for x := x0; x <= x1; x++ {
		sx, _, _, _ := z.corners(cam, routes.ZoneKey{X: x})
		mesh.Rect(sx, float32(top), sx+1, float32(bottom), zoneLine)
	}
	for y := y0; y <= y1; y++ {
		_, sy, _, _ := z.corners(cam, routes.ZoneKey{Y: y})
		mesh.Rect(float32(left), sy, float32(right), sy+1, zoneLine)
	}
}
