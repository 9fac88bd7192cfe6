package overlay_test

import (
	"time"

	"chronoscope/overlay"
	"chronoscope/routes"
)

var (
	aCharacter = overlay.Selection{Kind: overlay.OneCharacter, Spawn: overlay.SampleSpawn}
	aZone      = overlay.Selection{Kind: overlay.OneZone, Zone: routes.ZoneKey{X: 6, Y: -5}}
)

// fullValues has something in every list.
func fullValues() *overlay.Values { return overlay.SampleValues(time.Second) }

func everySection() (s overlay.Sections) {
	for i := range s {
		s[i] = true
	}
	return s
}
