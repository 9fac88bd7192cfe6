package game

import (
	"os"
	"path/filepath"
	"runtime"
	"time"

	"chronoscope/loop/frametime"
	"chronoscope/overlay"

	"github.com/hajimehoshi/ebiten/v2"
)

// badges finds out where the platform doesn't keep a promise.
type badges struct {
	software bool
	asked    bool // whether it is software
	updates  [badgeSpan]updateMark
	n        int
}

// updateMark is how many updates there had been at an instant.
type updateMark struct {
	at int64
	n  int
}

// badgeSpan is over how many looks, five a second, updates are counted.
const badgeSpan = 10

// look appends the badges that apply now.
func (b *badges) look(g *Game, now time.Time, dst []overlay.Badge) []overlay.Badge {
	add := func(text, why string) { dst = append(dst, overlay.Badge{Text: text, Why: why}) }
	r := &g.rec
	if g.ineffective() {
		add("VSync not effective", "VSync is asked for, and frames come faster than the display refreshes.")
	}
	if !g.focused() {
		add("unfocused", "Ebitengine paces a window without focus near 57 frames a second on Linux and macOS; such frames enter no figure.")
	}
	if b.slow(g, r.stamp(now)) {
		add("Ebitengine drops updates", "Frames take so long that fewer than 60 updates a second are run; input is sampled less often. The world doesn't notice: its ticks don't come from updates.")
	}
	if !b.asked {
		b.asked, b.software = true, softwareRendering()
	}
	if b.software {
		add("software rendering", "No graphics processor was found: drawing takes the processor's time, and the swap may not wait for any display.")
	}
	if runtime.GOOS == "darwin" && !g.vsync.is {
		add("VSync can't be switched off", "Ebitengine 2.9 ignores it on macOS, and 120 Hz with an external display.")
	}
	return dst
}

// ineffective says that VSync was asked for and does nothing, by the last two
// seconds' worth of frames against the rate that is stated.
func (g *Game) ineffective() bool {
	stated := g.stated()
	if !g.vsync.is || g.screen.virtual() || !stated.Valid() {
		return false
	}
	w := g.figures.waited
	return len(w) >= frametime.EstimateFrames && frametime.Ineffective(w, stated.Period())
}

// slow says that over the last looks there were too few updates.
func (b *badges) slow(g *Game, at int64) bool {
	mark := &b.updates[b.n%badgeSpan]
	old := *mark
	*mark = updateMark{at, g.updates}
	b.n++
	if b.n <= badgeSpan || at <= old.at {
		return false
	}
	perSecond := float64(g.updates-old.n) / time.Duration(at-old.at).Seconds()
	return perSecond < 0.95*float64(ebiten.TPS())
}

// softwareRendering says that there is no graphics processor that this program
// could use, as far as one can tell from the system's devices.
func softwareRendering() bool {
	if runtime.GOOS != "linux" {
		return false
	}
	if os.Getenv("LIBGL_ALWAYS_SOFTWARE") == "1" {
		return true
	}
	for _, pattern := range []string{"/dev/dri/renderD*", "/dev/nvidia[0-9]*", "/dev/mali*", "/dev/kgsl*"} {
		if found, _ := filepath.Glob(pattern); len(found) > 0 {
			return false
		}
	}
	return true
}
