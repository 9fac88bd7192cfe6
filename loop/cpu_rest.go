//go:build !linux

package loop

import "time"

// threadTime: not every system says what one thread has used.
func threadTime() (time.Duration, bool) { return 0, false }
