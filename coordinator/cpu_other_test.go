//go:build !unix

package coordinator_test

import "time"

// cpuTime isn't measured here.
func cpuTime() time.Duration { return 0 }
