package game

import (
	"image"

	"chronoscope/overlay"

	"github.com/hajimehoshi/ebiten/v2"
)

// plate is a picture of what seldom changes and lies over or under what does:
// drawn once, then copied in each frame as one quad. The zero plate is blank.
type plate struct{ image *ebiten.Image }

// anew empties the plate and returns what to draw on. Its bounds are box, so
// that everything stands on it where it does on the screen.
func (p *plate) anew(box image.Rectangle) *ebiten.Image {
	if p.image != nil && p.image.Bounds() == box {
		p.image.Clear()
		return p.image
	}
	p.blank()
	if !box.Empty() {
		// Unmanaged: on a shared texture, drawing on it would move it about.
		p.image = ebiten.NewImageWithOptions(box, &ebiten.NewImageOptions{Unmanaged: true})
	}
	return p.image
}

// blank drops the picture.
func (p *plate) blank() {
	if p.image != nil {
		p.image.Deallocate()
		p.image = nil
	}
}

// draw draws the plate where it belongs, and counts that.
func (p *plate) draw(dst *ebiten.Image, blend ebiten.Blend, count *overlay.Counter) {
	if p.image == nil {
		return
	}
	at := p.image.Bounds().Min
	o := ebiten.DrawImageOptions{Blend: blend}
	o.GeoM.Translate(float64(at.X), float64(at.Y))
	dst.DrawImage(p.image, &o)
	count.Add(4)
}
