package overlay

import "github.com/hajimehoshi/ebiten/v2"

// Compare draws captures over one another.
type Compare struct{}

func (d *Dock) drawCompare(dst, white *ebiten.Image, let *Lettering, all bool) {}
