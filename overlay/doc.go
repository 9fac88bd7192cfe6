// Package overlay draws the instruments around the map: the panels of the
// sidebar and the dock with its strips of frames and of released ticks, its
// timeline of passages and its comparison of captures, and holds what every drawing of the window shares:
// colours, lettering, batches of triangles, and the way numbers are written.
//
// # Model
//
// The overlay works over plain values. Each frame the window fills a Values
// and hands it to Panels.Update, which returns an Intents: what the user asked
// for in that frame, and nothing more. The overlay never reaches into the
// simulation and reads no clock; what happens with an intent is the window's
// business.
//
// The panels are debugui widgets. The dock is drawn by itself, since debugui has
// no plots: the geometry of strips and timeline is a pure function from what they
// were shown, and the instant, to triangles, and each is one draw call. What moves
// is drawn in each frame, what is written five times a second.
//
// # Concurrency
//
// Everything here belongs to the goroutine that runs Ebitengine's Update and
// Draw; nothing is safe for use by others. One goroutine is started: captures
// that are held to be compared are worked out beside the frames, once for each
// change, since that can take longer than a frame. Compare.Close waits for it.
//
// # Errors
//
// Only NewLettering and Panels.Update can fail, on a font that doesn't parse
// and on a misuse of debugui: neither depends on what the user does.
//
// # Testing
//
// Ebitengine ends a process that has no display while it initialises, so the
// tests of this package import chronoscope/overlay/internal/display first: it
// starts a private Xvfb where there is no display, and skips the whole test
// binary with a clear line where there is no Xvfb either.
package overlay
