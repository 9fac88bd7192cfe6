package overlay

import "image/color"

// The colours that mean something. They can be told apart with the common
// colour blindnesses, and each goes with a shape of its own, so that a reader
// never depends on colour alone.
var (
	Awake    = color.RGBA{0xE6, 0x9F, 0x00, 0xFF} // active character: filled arrowhead
	Walking  = color.RGBA{0x56, 0xB4, 0xE9, 0xFF} // asleep on the way: hollow circle
	Resting  = color.RGBA{0x7A, 0x8C, 0xA3, 0xFF} // asleep and staying: small dot
	Visitor  = color.RGBA{0x00, 0x9E, 0x73, 0xFF} // what zones wake up around: diamond
	Laggard  = color.RGBA{0xD5, 0x5E, 0x00, 0xFF} // too far behind, and braking: ring, frame
	ZoneEdge = color.RGBA{0xF0, 0xE4, 0x42, 0xFF} // active zone: border and a 12 % tint
)

// The colours of a passage through a zone, by when it is. What is now has the
// colour of an active zone. Past ones are drawn hollow, those of now filled with
// a bright edge, those to come hatched.
var (
	Past   = color.RGBA{0x7D, 0x86, 0x90, 0xFF} // is over: hollow
	Now    = ZoneEdge                           // holds the present tick: filled
	ToCome = color.RGBA{0xCC, 0x79, 0xA7, 0xFF} // begins later: hatched
)

// Heat is the tone of a zone by its registered legs; more of them, less
// transparent.
var Heat = color.RGBA{0x3D, 0x7F, 0xD6, 0xFF}

// The colours of the instruments' ground and writing.
var (
	Ink      = color.RGBA{0xE6, 0xE8, 0xEB, 0xFF} // what is read first
	Faint    = color.RGBA{0x9A, 0xA4, 0xB0, 0xFF} // units, captions
	Line     = color.RGBA{0x3A, 0x40, 0x47, 0xFF} // separators
	Surface  = color.RGBA{0x1A, 0x1D, 0x21, 0xFF} // docks and bars
	Backdrop = color.RGBA{0x10, 0x12, 0x15, 0xFF} // where there is no map
	Signal   = color.RGBA{0xA9, 0xC1, 0xD6, 0xFF} // the curve of a strip
)

// Alpha is c with its opacity scaled by a in 0..1, premultiplied as
// color.RGBA demands.
func Alpha(c color.RGBA, a float64) color.RGBA {
	a = min(max(a, 0), 1)
	f := func(v uint8) uint8 { return uint8(float64(v)*a + 0.5) }
	return color.RGBA{f(c.R), f(c.G), f(c.B), f(c.A)}
}
