package scenario

import (
	"strconv"
	"strings"
)

// mapName is the name of a map: only the town's form can be wrong before a
// file is opened.
type mapName struct{ Text }

// Set refuses a town of an impossible size.
func (v *mapName) Set(text string) error {
	if size, ok := strings.CutPrefix(text, "town:"); ok {
		n, err := strconv.Atoi(size)
		if err != nil || !digits(size) || n < 64 || n > 4096 {
			return errRefused
		}
	}
	return v.Text.Set(text)
}

// isTown says whether a map is the built-in town rather than a file.
func isTown(name string) bool { return name == "town" || strings.HasPrefix(name, "town:") }
