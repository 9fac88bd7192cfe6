package game

import (
	"testing"

	"chronoscope/overlay"
)

// BenchmarkRefresh is what the numbers cost that are read anew five times a
// second: it must stay far below a frame, or the window would stutter by its own
// instruments.
func BenchmarkRefresh(b *testing.B) {
	for _, n := range []string{"2000", "100000"} {
		w := aWorld(b, "-npcs", n, "-wait", "gate")
		g := show(b, Options{World: w}, MinWidth, MinHeight)
		busiest := overlay.Selection{Kind: overlay.OneZone}
		inLoop(b, func() {
			most := int32(0)
			m, side := g.source.Map(), g.source.ZoneSide()
			last := cellAt((m.Width-1)/side, (m.Height-1)/side)
			for i, legs := range g.source.Heat(zoneAt(0, 0), zoneAt(last.X, last.Y), nil) {
				if legs > most {
					most, busiest.Zone = legs, zoneAt(int32(i)%(last.X+1), int32(i)/(last.X+1))
				}
			}
		})
		for _, s := range []struct {
			name string
			what overlay.Selection
		}{
			{"nothing selected", overlay.Selection{}},
			{"a character", overlay.Selection{Kind: overlay.OneCharacter, Spawn: 1}},
			{"the busiest zone", busiest},
		} {
			b.Run(n+"/"+s.name, func(b *testing.B) {
				b.ReportAllocs()
				inLoop(b, func() {
					g.choose(s.what)
					for b.Loop() {
						g.source.Values(&g.values)
						g.examine(&g.values)
					}
				})
			})
		}
		inLoop(b, func() { theLoop.game = nil })
		w.Stop()
	}
}
