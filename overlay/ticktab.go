package overlay

import (
	"image"
	"strconv"
	"time"

	"github.com/hajimehoshi/ebiten/v2"
)

// tickFigures are the numbers of the strip of releases as written, renewed five
// times a second.
type tickFigures struct {
	top     time.Duration // at the upper edge of the lane
	upper   string        // top, and half of it
	middle  string
	rows    [6][2]string
	none    bool // nothing has been released
	summary string
}

func (f *tickFigures) renew(s *Releases, v *Values, now time.Time) {
	f.top = s.Top(now)
	f.upper = strconv.FormatFloat(f.top.Seconds()*1e3, 'g', -1, 64) + " ms"
	f.middle = strconv.FormatFloat(f.top.Seconds()*5e2, 'g', -1, 64) + " ms"
	f.none = s.Len() == 0
	actual, of := "-", "of "+RateText(v.Pacing.TickRate)
	if v.Actual > 0 && !v.Paused {
		actual = PerSecond(v.Actual)
	}
	if v.Pacing.TimeScale != 1 {
		of = "of " + PerSecond(v.Pacing.TickRate.Float()*v.Pacing.TimeScale)
	}
	e := &v.ReleaseError
	quantile := func(d time.Duration) string {
		if e.Count == 0 {
			return "-"
		}
		return Precise(d)
	}
	f.rows = [...][2]string{
		{"per s", actual + " " + of},
		{"late P50", quantile(e.P50)},
		{"late P99", quantile(e.P99)},
		{"late max", quantile(e.Max)},
		{"dropped", Thousands(v.Dropped)},
		{"time braked", Percent(v.BrakeShare)},
	}
	brakes, pauses := s.Beyond(now)
	f.summary = "last 10 s: "
	switch {
	case v.Braking && len(v.Laggards) > 0:
		f.summary += "braking now"
	case brakes == 0:
		f.summary += "no brake"
	case brakes == 1:
		f.summary += "1 brake"
	default:
		f.summary += Count(brakes) + " brakes"
	}
	if v.Paused {
		f.summary += ", paused"
	} else if pauses > 0 {
		f.summary += ", was paused"
	}
	f.summary += ";  height: how late; cap: more; vermilion: braked, by whom; yellow: paused"
}

// drawReleases draws the strip of releases: its lane in any case, what is written
// when all is drawn.
func (d *Dock) drawReleases(dst, white *ebiten.Image, let *Lettering, all bool) {
	r, u, f := d.body(), d.unit, &d.ticks
	lane := image.Rect(r.Min.X+d.px(66), r.Min.Y+d.px(24), r.Max.X-d.px(210), r.Max.Y-d.px(22))
	if all {
		d.caption(dst, let, lane, "Released ticks", f.summary)
		half := let.Height(Small) / 2
		left := float64(lane.Min.X) - 6*u
		let.DrawRight(dst, f.upper, left, float64(lane.Min.Y)-half+2*u, Small, Faint)
		let.DrawRight(dst, f.middle, left, float64(lane.Min.Y+lane.Max.Y)/2-half, Small, Faint)
		let.DrawRight(dst, "on time", left, float64(lane.Max.Y)-2*half, Small, Faint)
		for i := range 5 {
			s := "now"
			if i < 4 {
				s = strconv.FormatFloat(float64(i-4)*ReleaseSpan.Seconds()/4, 'g', -1, 64) + " s"
			}
			x := float64(lane.Min.X) + float64(lane.Dx())*float64(i)/4
			let.Draw(dst, s, min(max(x-let.Width(s, Small)/2, float64(lane.Min.X)), float64(lane.Max.X)-let.Width(s, Small)), float64(lane.Max.Y)+3*u, Small, Faint)
		}
		d.figures(dst, let, r, lane, f.rows[:])
	}
	d.mesh.Reset()
	d.clear(lane)
	d.Releases.Build(&d.mesh, lane, d.instant.Now, f.top, float32(u))
	d.mesh.Draw(dst, white)
	if f.none {
		let.Draw(dst, "no tick has been released yet", float64(lane.Min.X)+10*u, float64(lane.Min.Y)+8*u, Body, Faint)
		return
	}
	// Who braked the world stands at the beginning of it, unless a later brake
	// is in the way; who does so now in any case.
	free, y := float64(lane.Max.X), float64(lane.Min.Y)+5*u
	d.Releases.labels(lane, d.instant.Now, func(label string, x0 float32, lasts bool) {
		w := let.Width(label, Small)
		x := max(float64(x0), float64(lane.Min.X)) + 4*u
		if lasts {
			x = min(x, free-w-2*u)
		}
		if x+w <= free {
			let.Draw(dst, label, x, y, Small, Ink)
		}
		free = min(free, float64(x0)-4*u, x-6*u)
	})
}
