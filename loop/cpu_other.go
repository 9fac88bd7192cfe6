//go:build !unix && !windows

package loop

import "time"

// CPUTime is the processor time that this process has used so far. It is 0 here,
// since the system doesn't say.
func CPUTime() time.Duration { return 0 }

// kernel has no name here.
func kernel() string { return "" }
