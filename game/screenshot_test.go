package game

import (
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestScreenshot(t *testing.T) {
	dir := t.TempDir()
	files := func() int {
		list, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		return len(list)
	}
	path := filepath.Join(dir, "shot.png")

	t.Run("nothing stands there before", func(t *testing.T) {
		if _, err := NewScreenshot(path); err != nil {
			t.Fatal(err)
		}
		if n := files(); n != 0 {
			t.Errorf("%d files left behind", n)
		}
	})
	t.Run("written", func(t *testing.T) {
		s, err := NewScreenshot(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Write(image.NewRGBA(image.Rect(0, 0, 30, 20))); err != nil {
			t.Fatal(err)
		}
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		c, err := png.DecodeConfig(f)
		if err != nil || c.Width != 30 || c.Height != 20 {
			t.Errorf("%d x %d, %v", c.Width, c.Height, err)
		}
		if files() != 1 {
			t.Errorf("%d files, want the picture alone", files())
		}
	})
	t.Run("refused", func(t *testing.T) {
		for _, p := range []string{dir, filepath.Join(dir, "no", "such", "x.png")} {
			_, err := NewScreenshot(p)
			if err == nil || !strings.Contains(err.Error(), p) || strings.Contains(err.Error(), ".chronoscope-") {
				t.Errorf("%s: %v, want an error that names it", p, err)
			}
		}
	})
}

func readPNG(t *testing.T, path string) image.Image {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	img, err := png.Decode(f)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return img
}
