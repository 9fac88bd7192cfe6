// Headless runs the world of Chronoscope without a window or display: the same
// parameters, the same scenarios, the same digests.
//
//	go run ./headless -npcs 10000 -ticks 3600 -max-speed -seed 7 -digests a.csv
//	go run ./headless map info FILE.map
//	go run ./headless capture-diff -png diff.png A.capture B.capture
//	go run ./headless lab physics -png physics.png
//
// # Model
//
// A run goes through five steps: parse (package world/scenario), open (the map
// and the files to be written, so that a mistake ends the program before
// anything has begun), populate, run until the last tick, the time limit or an
// interrupt, and rest: the world stands still until everyone has passed the
// last tick, so that the ledgers and the last digest are exact. Then the report
// is written and a summary printed.
//
// # Exit codes
//
// 0 the run went as asked. 1 it failed: a brake never lifted, a character
// panicked, a file could not be written, captures of the same run have other
// digests, or fixed steps of physics left different states. 2 the arguments, the
// scenario, the map or a capture were refused. 130 it was interrupted; the report
// is written all the same.
//
// # Files
//
// Reports, pictures and tables are written beside their names and renamed when
// they are complete, so they are there whole or not at all. The digests are
// written as they come.
package main
