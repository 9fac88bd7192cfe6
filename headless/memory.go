package main

import (
	"bytes"
	"os"
	"runtime"
	"strconv"

	"chronoscope/routes"
	"chronoscope/world"
)

// footprint is the memory that is really in use at one moment.
type footprint struct {
	heap, stacks int64 // live objects; stacks of goroutines
	headroom     int64 // what the collector holds beyond the live heap
	paths        int64 // of the heap, what the path cache keeps
}

// measure collects twice (the second round frees what the first one's
// finalizers and shrunken stacks have let go) and looks. It stops the world
// for what a collection costs: not for the middle of a run.
func measure(cache routes.CacheStats) footprint {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return footprint{
		heap:     int64(m.HeapAlloc),
		stacks:   int64(m.StackInuse),
		headroom: int64(m.HeapSys) - int64(m.HeapReleased) - int64(m.HeapAlloc),
		paths:    cache.Bytes,
	}
}

// emptyFootprint is the memory of the same world with nobody in it.
func emptyFootprint(o world.Options) (footprint, error) {
	o.NPCs, o.Crowd = 0, 0
	o.OnDigest = nil
	w, err := world.New(o)
	if err != nil {
		return footprint{}, err
	}
	f := measure(w.Stats().Cache)
	w.Stop()
	return f, nil
}

// memoryReport is what a character costs: the footprint of the world with n of
// them less that of the same world without, by n. Paths are shared by all and
// stand apart.
func memoryReport(with, without footprint, n int64, rss int64) memory {
	m := memory{
		RSSBytes:           rss,
		SharedPathBytes:    with.paths,
		HeadroomBytes:      with.headroom,
		EmptyWorldBytes:    without.heap + without.stacks,
		PopulatedBytes:     with.heap + with.stacks,
		CharactersMeasured: n,
	}
	if n > 0 {
		m.PerCharacter.StackBytes = float64(with.stacks-without.stacks) / float64(n)
		m.PerCharacter.HeapBytes = float64(with.heap-with.paths-without.heap+without.paths) / float64(n)
		m.PerCharacterBytes = m.PerCharacter.StackBytes + m.PerCharacter.HeapBytes
	}
	return m
}

// residentBytes is the memory of the process that lies in RAM, from /proc
// where there is one; elsewhere it is what the runtime has from the system,
// which is about that.
func residentBytes() int64 {
	if data, err := os.ReadFile("/proc/self/statm"); err == nil {
		if fields := bytes.Fields(data); len(fields) > 1 {
			if pages, err := strconv.ParseInt(string(fields[1]), 10, 64); err == nil {
				return pages * int64(os.Getpagesize())
			}
		}
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.Sys - m.HeapReleased)
}
