// Package xvfb gives a test binary a display of its own. Tests import it for
// its side effect:
//
//	import _ "chronoscope/overlay/xvfb"
//
// # Model
//
// Ebitengine ends the process while it initialises when there is no display,
// before a TestMain could skip anything. This package's import path sorts
// before Ebitengine's and it imports little, so Go initialises it first; there
// it starts an Xvfb on a free display and points DISPLAY at it. The server
// dies with the process. Where there is no Xvfb a display that is already set
// is used; where there is none either, the binary says so in one line and ends
// successfully: its tests are skipped.
//
// A display of their own keeps window tests off the user's desktop, and lets
// packages be tested side by side without stealing each other's pointer.
//
// Only Linux has it. Elsewhere the import does nothing.
//
// # Errors
//
// An Xvfb that doesn't start is reported in one line and ends the process with
// exit code 1: that is a broken machine, not a reason to skip.
package xvfb
