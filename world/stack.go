package world

import (
	"bytes"
	"fmt"
	"runtime/pprof"
)

// Stack finds the stack of an active character's goroutine by its profile
// label, "" when it isn't active. It stops the world for a moment, for seconds
// when 100,000 goroutines live: ask once per brake at most.
func (w *World) Stack(spawn uint64) string {
	var b bytes.Buffer
	if err := pprof.Lookup("goroutine").WriteTo(&b, 1); err != nil {
		return "" // a bytes.Buffer doesn't fail
	}
	label := fmt.Appendf(nil, "%q:\"%d\"", labelKey, spawn)
	for record := range bytes.SplitSeq(b.Bytes(), []byte("\n\n")) {
		if bytes.Contains(record, label) {
			return string(bytes.TrimSpace(record))
		}
	}
	return ""
}

// labelKey is the profile label that active characters carry: their spawn
// number.
const labelKey = "character"
