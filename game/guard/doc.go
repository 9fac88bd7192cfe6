// Package guard ends the window program with one plain line when there is no
// display, instead of the panic and stack that Ebitengine's package
// initialisation would end with.
//
// # Model
//
// Only the program's main package imports it, for its side effect. Go
// initialises packages in the order of their import paths, as far as their
// imports are initialised already: chronoscope/game/guard sorts before
// github.com/..., so it runs before Ebitengine does as long as it imports
// little, and only from the standard library. Its largest import is net, and
// that is no hindrance because Ebitengine's X11 code waits for net as well. A
// test runs the real binary, since nothing else shows that the order holds.
//
// The initialisation acts where Ebitengine draws through X11: Linux and the
// BSDs. There it connects to the display's socket, because a DISPLAY that
// names a dead server panics like a missing one. Without a display it prints
// the embedded help if the arguments ask for it (exit 0), else one line that
// names the headless program (exit 2). With a display it does nothing. In test
// binaries it does nothing either.
//
// # Errors
//
// [Check] gives the whole line as its error.
//
// # Testing
//
// Check takes the environment, the dialer and the operating system as
// arguments.
package guard
