package game

import (
	"image"
	"image/png"
	"io"
)

// Screenshot is a picture to be written when the window closes.
type Screenshot struct{ *Output }

// NewScreenshot prepares to write a PNG to path. The error says what is wrong
// with the path.
func NewScreenshot(path string) (*Screenshot, error) {
	o, err := NewOutput("screenshot", path)
	if err != nil {
		return nil, err
	}
	return &Screenshot{o}, nil
}

// Write writes img and puts it under its name.
func (s *Screenshot) Write(img image.Image) error {
	return s.Output.Write(func(w io.Writer) error {
		e := png.Encoder{CompressionLevel: png.BestSpeed}
		return e.Encode(w, img)
	})
}
