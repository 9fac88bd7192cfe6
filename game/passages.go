package game

import (
	"image/color"

	"chronoscope/loop"
	"chronoscope/overlay"
	"chronoscope/routes"
)

// visit is all of a leg's passages through one zone.
type visit struct {
	zone     routes.ZoneKey
	passages []routes.ZonePassage
	texts    []string
	// brief: no tick falls in any of them.
	brief bool
}

// phase is that of the passage which counts most: the present one, else one to
// come.
func (v *visit) phase(t loop.Tick) overlay.Phase {
	most := overlay.IsPast
	for _, p := range v.passages {
		most = max(most, overlay.PhaseOf(p, t))
	}
	return most
}

// visits groups the passages of a leg by zone, in the order of the first one.
func visits(passages []routes.ZonePassage) []visit {
	var all []visit
	at := map[routes.ZoneKey]int{}
	for _, p := range passages {
		i, ok := at[p.Zone]
		if !ok {
			i = len(all)
			at[p.Zone] = i
			all = append(all, visit{zone: p.Zone, brief: true})
		}
		v := &all[i]
		v.passages = append(v.passages, p)
		v.texts = append(v.texts, interval(p))
		v.brief = v.brief && p.Enter == p.Exit
	}
	return all
}

// interval writes when a passage is: "[12 345, 12 678)".
func interval(p routes.ZonePassage) string {
	end := "no end" // it stays until somebody calls it away
	if p.Exit != loop.MaxTick {
		end = overlay.Thousands(uint64(p.Exit))
	}
	return "[" + overlay.Thousands(uint64(p.Enter)) + ", " + end + ")"
}

// drawPassages outlines the zones of the selected leg, and adds labels with
// their intervals where there is room.
func (g *Game) drawPassages() {
	u := float32(g.device)
	view := g.at.view
	height := g.let.Height(overlay.Small) + 2*g.device
	for i := range g.selected.visits {
		v := &g.selected.visits[i]
		x0, y0, x1, y1 := g.zones.corners(g.cam, v.zone)
		if x1 < float32(view.Min.X) || y1 < float32(view.Min.Y) || x0 > float32(view.Max.X) || y0 > float32(view.Max.Y) {
			continue
		}
		ph := v.phase(g.moment.Tick)
		c := ph.Color()
		// Inside of an active zone's border, so that both are seen.
		inset := 2 * u
		w := 2 * u
		if x1-x0 < 24*u {
			inset, w = u, u
		}
		x0, y0, x1, y1 = x0+inset, y0+inset, x1-inset, y1-inset
		fillBy := [...]float64{overlay.IsPast: 0.06, overlay.IsToCome: 0.12, overlay.IsNow: 0.16}[ph]
		if v.brief {
			dashedFrame(&g.mesh, x0, y0, x1, y1, w, 6*u, c)
		} else {
			g.mesh.Rect(x0, y0, x1, y1, overlay.Alpha(c, fillBy))
			edge := 0.9
			if ph == overlay.IsPast {
				edge = 0.55
			}
			g.mesh.Frame(x0, y0, x1, y1, w, overlay.Alpha(c, edge))
		}
		room := int((float64(y1-y0) - 6*g.device) / height)
		y := float64(y0) + 3*g.device + height/2
		for k, s := range v.texts {
			if k >= room || g.let.Width(s, overlay.Small)+10*g.device > float64(x1-x0) {
				break
			}
			ink := overlay.PhaseOf(v.passages[k], g.moment.Tick).Color()
			g.labels = append(g.labels, mapLabel{
				s: s, x: float64(x0+x1) / 2, y: y + float64(k)*height, rank: passageRank, style: overlay.Small, c: ink, ground: backed,
			})
		}
	}
}

// dashedFrame adds an outline of dashes, for what holds no tick.
func dashedFrame(m *overlay.Mesh, x0, y0, x1, y1, w, dash float32, c color.RGBA) {
	for x := x0; x < x1; x += 2 * dash {
		e := min(x+dash, x1)
		m.Rect(x, y0, e, y0+w, c)
		m.Rect(x, y1-w, e, y1, c)
	}
	for y := y0; y < y1; y += 2 * dash {
		e := min(y+dash, y1)
		m.Rect(x0, y, x0+w, e, c)
		m.Rect(x1-w, y, x1, e, c)
	}
}
