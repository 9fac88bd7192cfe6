// Package game is the window: an ebiten.Game that draws a running world and
// passes on what its user wants.
//
// # Model
//
// Ebitengine calls LayoutF first in each frame, then Update (60 times a
// second, for panels and input only), then Draw. World ticks come from the
// coordinator's own clock and never from Update counts. What moves smoothly
// (the camera, characters between two ticks) is worked out in Draw from real
// time: a character stands where its leg puts it at the last released tick and
// the share of the next that has passed since that tick was scheduled.
//
// A frame is drawn from the bottom up: ground (images cached per chunk of
// cells), the layers below (heat, zones, passages, routes), tiles of density
// where characters would cover each other and everywhere from afar, characters
// (one draw call), labels, legend and minimap, the line above the map, dock,
// panels. All labels of a frame are placed together, the important ones first, so
// that none overlaps another. What moves or changes with every tick is asked for
// in each frame; what is only counted or written (heat, details, the minimap) five
// times a second.
//
// Pixels are what a frame costs where there is no fast graphics hardware, so
// what stays isn't drawn again. The screen isn't cleared between frames: the
// line above the map, the panels and the texts of the dock are drawn when they
// change, and the map is clipped to its view. The ground is kept as one image
// while the camera stands; legend and buttons are images of their own.
//
// The window sees the world through Source alone, which reads published
// values; Watch makes one of a *world.World. Looking changes nothing: nothing
// is drawn from the simulation's random streams, and no zone wakes because it
// is in view, unless the user says that the camera is to wake what it sees.
//
// # Concurrency
//
// Everything runs on the goroutine of Ebitengine's callbacks, but for what may take
// its time: another world is made and stopped, the X server asked, captures compared
// and the lab's experiments run on goroutines of their own, which Run waits for. A
// Track is written by the world's goroutines.
//
// # Errors
//
// NewScreenshot fails on a path that can't be written; Run fails when the
// display or the world does. What the user can't do just now (a world that
// refuses a rate) is said in the window for some seconds.
//
// # Testing
//
// What is pure (camera, ground texels, figures, tiles, batches) is tested as
// functions. TestMain runs one real loop and runs the tests beside it; they
// reach into the window through channels, wait for conditions, and never for a
// fixed time. Where there is no display the tests start a private Xvfb (see
// overlay/xvfb).
package game
