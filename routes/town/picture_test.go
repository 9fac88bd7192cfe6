package town_test

import (
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"chronoscope/routes"
	"chronoscope/routes/town"
)

// muted are the dark tones that terrain is looked at in.
var muted = [routes.TerrainCount]color.RGBA{
	routes.Void:   {16, 17, 20, 255},
	routes.Field:  {66, 76, 56, 255},
	routes.Road:   {120, 110, 92, 255},
	routes.Bridge: {136, 110, 78, 255},
	routes.Gate:   {150, 126, 84, 255},
	routes.Square: {134, 128, 116, 255},
	routes.Floor:  {92, 86, 68, 255},
	routes.Forest: {48, 64, 46, 255},
	routes.Swamp:  {62, 76, 70, 255},
	routes.Water:  {44, 66, 88, 255},
	routes.Wall:   {150, 146, 138, 255},
	routes.House:  {104, 70, 60, 255},
	routes.Tree:   {36, 52, 36, 255},
}

// TestPicture writes pictures of towns when it is told where, for looking at.
func TestPicture(t *testing.T) {
	dir := os.Getenv("CHRONOSCOPE_TOWN_PNG")
	if dir == "" {
		t.Skip("CHRONOSCOPE_TOWN_PNG names no directory")
	}
	for _, c := range []struct {
		seed  uint64
		size  int32
		scale int
	}{{1, 256, 4}, {2, 256, 4}, {3, 256, 4}, {1, 64, 10}, {2, 64, 10}, {3, 128, 6}, {1, 512, 2}, {1, 1024, 1}, {2, 1024, 1}} {
		m, err := town.Generate(town.Options{Seed: c.seed, Size: c.size})
		if err != nil {
			t.Fatal(err)
		}
		name := fmt.Sprintf("town-%d-seed%d.png", c.size, c.seed)
		writePicture(t, filepath.Join(dir, name), m, 0, 0, int(c.size), int(c.size), c.scale)
		if c.size == 256 {
			name = fmt.Sprintf("town-%d-seed%d-crop.png", c.size, c.seed)
			writePicture(t, filepath.Join(dir, name), m, 70, 70, 110, 110, 9)
			name = fmt.Sprintf("town-%d-seed%d-close.png", c.size, c.seed)
			writePicture(t, filepath.Join(dir, name), m, 96, 90, 50, 50, 18)
		}
	}
}

func writePicture(t *testing.T, file string, m *routes.Map, x0, y0, w, h, scale int) {
	t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, w*scale, h*scale))
	for y := range h * scale {
		for x := range w * scale {
			c := routes.Cell{X: int32(x0 + x/scale), Y: int32(y0 + y/scale)}
			k := m.At(c)
			col := muted[k]
			// Roofs and walls get an edge, so that a house is seen as one.
			if scale > 3 && (k == routes.House || k == routes.Wall) {
				up := m.At(routes.Cell{X: c.X, Y: c.Y - 1})
				left := m.At(routes.Cell{X: c.X - 1, Y: c.Y})
				if y%scale == 0 && up != k || x%scale == 0 && left != k {
					col = color.RGBA{col.R + 28, col.G + 24, col.B + 22, 255}
				}
			}
			img.SetRGBA(x, y, col)
		}
	}
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := png.Encode(f, img); err != nil {
		t.Fatal(err)
	}
}
