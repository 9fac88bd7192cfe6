// Package physics shows what the length of steps does to a simulation of
// bodies: two of them and a floor, stepped by a fixed 60th of a second on any
// display, or by whatever each frame took.
//
// # Model
//
// A box falls onto the floor and a ball onto the box: friction 0.3, restitution
// 0.5, gravity 9.81 m/s². The bodies are those of github.com/jakecoffman/cp (a
// port of Chipmunk); what is shown is true of every such engine, the figures are
// of this one.
//
// Fixed runs the scene with the frame-driven loop of this module: the display
// says when frames are, the loop how many whole steps are due, and each step is
// as long as the others. The state after n steps can then depend on nothing but
// n. Variable gives the engine the frame times as they come, none longer than
// MaxFrame. The state then depends on every one of them, not only on their sum:
// contacts are found later or earlier, bounces begin from other depths, and small
// differences grow with each bounce.
//
// SpreadOf tells how far runs that were meant to be the same are apart.
//
// # Concurrency
//
// One run at a time in a program: cp counts its bodies in a variable of its
// package that no lock guards.
//
// # Errors
//
// There are none. A display that shows too few frames gives a shorter run.
package physics
