package main

import (
	"fmt"
	"io"
	"strings"
)

// summarize prints the figures that a person looks for first.
func (r *report) summarize(w io.Writer) {
	var b strings.Builder
	rate := 0.0
	if r.WallSeconds > 0 {
		rate = float64(r.TicksReleased) / r.WallSeconds
	}
	digest := "no digest"
	if r.Digest != "" {
		digest = fmt.Sprintf("digest %s at tick %d", r.Digest, r.DigestTick)
	}
	c, m := r.Characters, r.Memory
	fmt.Fprintf(&b, "%d ticks in %.1f s (%.1f a second), %d dropped, %s\n",
		r.TicksReleased, r.WallSeconds, rate, r.TicksDropped, digest)
	fmt.Fprintf(&b, "characters: %d spawned, %d ended; %d sleeping, %d active, %d waking\n",
		c.Spawned, c.Ended, c.Sleeping, c.Active, c.Waking)
	fmt.Fprintf(&b, "legs started %d, wakes %d, activations %d, deactivations %d, stalls %d, cache evictions %d\n",
		r.Routes.LegsStarted, r.Wakes, r.Zones.Activations, r.Zones.Deactivations, r.Stalls, r.Routes.CacheEvictions)
	fmt.Fprintf(&b, "brake: %d episodes, %.1f s (%.1f %% of the time), longest %.1f s; largest lag %d ticks\n",
		r.Brake.Episodes, r.Brake.Seconds, 100*r.Brake.Share, r.Brake.LongestSeconds, r.Lag.Max)
	fmt.Fprintf(&b, "memory: %.0f bytes a character (%.0f stack, %.0f heap), shared paths %s, collector %s, resident %s\n",
		m.PerCharacterBytes, m.PerCharacter.StackBytes, m.PerCharacter.HeapBytes,
		megabytes(m.SharedPathBytes), megabytes(m.HeadroomBytes), megabytes(m.RSSBytes))
	fmt.Fprintf(&b, "cpu: %.2f s\n", r.CPUSeconds)
	io.WriteString(w, b.String())
}

func megabytes(n int64) string { return fmt.Sprintf("%.1f MB", float64(n)/1e6) }
