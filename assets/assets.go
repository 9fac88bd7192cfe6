// Package assets is the data that is built into the programs. It imports
// nothing of the project, so that every package may use it.
package assets

import (
	"embed"
	"io/fs"
)

//go:embed scenarios/*.toml
var scenarios embed.FS

// Scenarios are the built-in scenario files, NAME.toml each, in the form that
// package world/scenario documents.
func Scenarios() fs.FS {
	sub, err := fs.Sub(scenarios, "scenarios")
	if err != nil {
		panic(err) // "scenarios" is a valid name, which is all that Sub checks
	}
	return sub
}
