package main

import (
	"fmt"
	"io"
	"sync"

	"chronoscope/world"
)

// digestWriter writes digests as they come: "tick,digest" lines, the digest in
// 16 hexadecimal digits. It is called from the world's goroutines, in order.
type digestWriter struct {
	mu  sync.Mutex
	w   io.Writer
	err error // the first, after which nothing more is written
}

// begin writes the header.
func (d *digestWriter) begin() error {
	_, d.err = io.WriteString(d.w, "tick,digest\n")
	return d.err
}

func (d *digestWriter) take(g world.Digest) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.err == nil {
		_, d.err = fmt.Fprintf(d.w, "%d,%s\n", g.Tick, hexDigest(g.Sum))
	}
}

// failed is the first error of writing.
func (d *digestWriter) failed() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return bare(d.err)
}

func hexDigest(sum uint64) string { return fmt.Sprintf("%016x", sum) }
