package overlay

import "github.com/hajimehoshi/ebiten/v2"

// Lab draws what the lab measures.
type Lab struct{}

// LabValues is what the lab has measured.
type LabValues struct{}

// LabOrder is what the user wants of the lab.
type LabOrder struct{}

func (d *Dock) drawLab(dst, white *ebiten.Image, let *Lettering, all bool) {}

func (s *page) labSection() {}
